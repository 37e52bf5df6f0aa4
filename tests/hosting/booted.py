"""A Debian of its own on this machine, with its systemd booted: a root that debootstrap made, in namespaces.

It has no network but its own loopback. What it would fetch is fetched before: Debian's packages and the wheels of
requirements.txt, into caches that stay in var/tests, so that only the first run needs the network.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from tests.services.stack import ROOT

KEPT = ROOT / "var" / "tests" / "debian"
SUITES = {"12": ("bookworm", "311"), "13": ("trixie", "313")}
MIRROR = "http://deb.debian.org/debian"
# Beside the smallest system: what every real machine has.
BASE = "systemd,systemd-sysv,dbus,ca-certificates,iproute2"
WHEELS = ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64", "manylinux_2_34_x86_64")
PROGRAMS = ("debootstrap", "unshare", "nsenter", "chroot")
BOOT = """
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for number in 0 1 2; do ln -s /proc/self/fd/$number dev/$(echo stdin stdout stderr | cut -d' ' -f$((number + 1))); done
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
ip link set lo up
hostname play
mkdir -p .old
pivot_root . .old
umount -l /.old
exec env -i container=firetop PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system
"""


def find_missing() -> str:
    """Return what this machine lacks for the test, or ""."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
    if os.getuid() != 0:
        missing.append("root")
    return ", ".join(missing)


def make_root(version: str, packages: list[str]) -> Path:
    """Return the kept root of this Debian, with the archives of these packages and our wheels in its caches."""
    suite, python = SUITES[version]
    root = KEPT / version
    done = root / "var" / "cache" / "firetop-done"
    wanted = " ".join([*packages, (ROOT / "requirements.txt").read_text()])
    if done.exists() and done.read_text() == wanted:
        return root
    KEPT.mkdir(parents=True, exist_ok=True)
    if not (root / "bin" / "systemctl").exists():
        shutil.rmtree(root, ignore_errors=True)
        run("debootstrap", "--variant=minbase", f"--include={BASE}", suite, str(root), MIRROR)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    fetch = f"apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --download-only {' '.join(packages)}"
    run("unshare", "-m", "sh", "-ec", f"mount -t proc proc {root}/proc; chroot {root} sh -ec '{fetch}'")
    wheels = root / "var" / "cache" / "wheels"
    wheels.mkdir(exist_ok=True)
    platforms = [word for name in WHEELS for word in ("--platform", name)]
    download = ("python3", "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(wheels))
    # Without the conditions, which pip would ask of this machine's Python.
    listed = KEPT / "requirements.txt"
    listed.write_text(re.sub(r" ; [^\\\n]+", " ", (ROOT / "requirements.txt").read_text()))
    run(*download, "--python-version", python, *platforms, "-r", str(listed))
    # For those that come as source.
    run(*download, "setuptools", "wheel")
    (root / "etc" / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /var/cache/wheels\n")
    done.write_text(wanted)
    return root


class BootedDebian:
    """A copy of a root whose systemd runs until the block ends."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = folder / "root", folder
        run("cp", "-a", "--reflink=auto", str(root), str(self.root))
        self.process: subprocess.Popen[bytes] | None = None
        self.init = 0

    def __enter__(self) -> "BootedDebian":
        command = ["unshare", "-m", "-p", "-f", "-u", "-i", "-C", "-n", "sh", "-c", BOOT, "boot", str(self.root)]
        with (self.folder / "boot.log").open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.2)
            told = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            self.init = int(told[0]) if told else 0
            if self.init and self.try_run("systemctl is-system-running").stdout.strip() in ("running", "degraded"):
                return self
        raise AssertionError((self.folder / "boot.log").read_text())

    def __exit__(self, *_: object) -> None:
        assert self.process is not None
        if self.init:
            # The first process of the namespace: all others end with it.
            os.kill(self.init, signal.SIGKILL)
        self.process.wait(20)

    def try_run(self, command: str, *, cwd: str = "/root", seconds: float = 900) -> "subprocess.CompletedProcess[str]":
        words = ["nsenter", "-t", str(self.init), "-m", "-p", "-u", "-i", "-C", "-n", "-r", "bash", "-c"]
        return subprocess.run(
            [*words, f"cd {cwd} && {command}"],
            env={"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def run(self, command: str, **options: str) -> str:
        """Run a command there as root and return its output; fail with it if it fails."""
        done = self.try_run(command, **options)
        assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}{done.stderr[-3000:]}"
        return done.stdout


def write_archive(place: Path, version: str = "") -> None:
    """Write the checkout as an archive of a release, as git knows its files; with a version of its own."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    folder = place.with_name(f"{place.name}.d") / f"firetop-mountain-{version}"
    for name in names.stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    if version:
        file = folder / "pyproject.toml"
        file.write_text(re.sub(r'^version = ".+"', f'version = "{version}"', file.read_text(), count=1, flags=re.M))
    run("tar", "-c", "-z", "-f", str(place), "-C", str(folder.parent), folder.name)
    shutil.rmtree(folder.parent)


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
