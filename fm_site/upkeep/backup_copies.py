"""Copies of backups elsewhere: encrypted for a recipient, in a folder or a target of rclone.

A copy can be read only with the recipient's private key, which is not on this machine.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from fm_site.upkeep.backup import ENDINGS, START, BackupFailed

AGE = re.compile(r"age1[0-9a-z]+|ssh-(?:ed25519|rsa) .+")
REMOTE = re.compile(r":?\w[\w.+@ -]*(?:,[^:]*)?:")
NAME = re.compile(rf"{START}\d{{8}}T\d{{6}}Z(?:{'|'.join(map(re.escape, ENDINGS.values()))})(?:\.age|\.gpg)?")
HOUR = 3600


def copy_backup(backup: Path, *, to: str, recipient: str, keep: int) -> str:
    """Copy a backup into a folder or an rclone target, encrypted if there is a recipient; delete all copies there but
    the newest `keep`. Return the copy's place. Raises BackupFailed, and then leaves older copies alone."""
    with tempfile.TemporaryDirectory(dir=backup.parent, prefix=".copy-") as scratch:
        source = encrypt(backup, recipient, Path(scratch)) if recipient else backup
        copy = copy_by_rclone if is_remote(to) else copy_to_folder
        return copy(source, to, keep)


def is_remote(to: str) -> bool:
    """Return whether a target is rclone's ("offsite:firetop"), and not a folder."""
    return REMOTE.match(to) is not None and not Path(to).is_absolute()


def encrypt(backup: Path, recipient: str, folder: Path) -> Path:
    """Return the backup encrypted by age, or by gpg for any other kind of recipient."""
    by_age = AGE.fullmatch(recipient) is not None
    target = folder / f"{backup.name}.{'age' if by_age else 'gpg'}"
    if by_age:
        run("age", "--encrypt", "--recipient", recipient, "--output", str(target), str(backup))
    else:
        # The operator names the key; nobody is there to confirm that it is trusted.
        options = ("--batch", "--yes", "--trust-model", "always", "--recipient", recipient)
        run("gpg", *options, "--output", str(target), "--encrypt", str(backup))
    return target


def copy_to_folder(source: Path, to: str, keep: int) -> str:
    folder = Path(to)
    target = folder / source.name
    part = target.with_name(f".{target.name}.part{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(source.read_bytes())
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise BackupFailed(f"Cannot write to {folder}: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    for name in choose_old([path.name for path in folder.iterdir()], target.name, keep):
        (folder / name).unlink(missing_ok=True)
    return str(target)


def copy_by_rclone(source: Path, to: str, keep: int) -> str:
    place = f"{to.rstrip('/')}/{source.name}" if not to.endswith(":") else f"{to}{source.name}"
    run("rclone", "copyto", str(source), place)
    names = run("rclone", "lsf", "--files-only", to).splitlines()
    if source.name not in names:
        raise BackupFailed(f"{to} does not have the copy that was sent there.")
    for name in choose_old(names, source.name, keep):
        run("rclone", "deletefile", place.removesuffix(source.name) + name)
    return place


def choose_old(names: list[str], newest: str, keep: int) -> list[str]:
    """Return the copies to delete: our own that are older than the newest `keep`. A name from the future comes
    from a wrong clock: it is not the newest, and is deleted before all others."""
    ours = sorted((name for name in names if NAME.fullmatch(name)), reverse=True)
    return sorted(ours, key=lambda name: name <= newest, reverse=True)[max(keep, 1) :]


def run(*command: str) -> str:
    """Run a program and return its output. Raises BackupFailed with the last line of its output."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HOUR)
    except FileNotFoundError:
        raise BackupFailed(f"{command[0]} is not installed.") from None
    except subprocess.TimeoutExpired:
        raise BackupFailed(f"{command[0]} took more than an hour.") from None
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        raise BackupFailed(f"{command[0]} failed: {words[-1]}")
    return done.stdout
