"""`./run`: the whole house in one terminal, with nothing else installed.

Site and live updates, worker with beat, mail intake and a Valkey, all on 127.0.0.1, all ended together. Where REDIS_URL
names a server, no Valkey is started; DATABASE_URL decides where the rows live.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import IO

from fm_site.household import ChildGivenUp, Household, Member, manage_command, python_command
from fm_site.ports import HOST, answers, list_busy_ports, read_ports
from fm_site.sockets import embedded_redis_url, socket_folder
from fm_site.valkey import write_valkey_command

ROOT = Path(__file__).resolve().parent.parent
TRUE = frozenset({"1", "true", "on", "ok", "y", "yes"})
signals: list[int] = []


class HouseNotOpened(Exception):
    """The house cannot start; the message says why, for the person at the terminal."""


class StopAsked(Exception):
    """Ctrl-C, or a signal that means the same."""


def main() -> int:
    """Run until somebody asks to stop. Returns the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, note_signal)
    try:
        open_house()
    except HouseNotOpened as problem:
        print(problem, file=sys.stderr)
        return 1
    except StopAsked:
        print("Firetop Mountain is closed.", flush=True)
    return 0


def note_signal(number: int, _frame: FrameType | None) -> None:
    # Only noted: an exception from here could fall between starting a child and remembering it.
    signals.append(number)


def pause(seconds: float) -> None:
    """Sleep, unless somebody asked to stop: then raise StopAsked."""
    if not signals:
        time.sleep(seconds)
    if signals:
        raise StopAsked


def open_house() -> None:
    """Prepare, start everybody, say where, and look after them."""
    environment = dict(os.environ)
    environment.setdefault("DEBUG", "1")
    data_dir = Path(environment.setdefault("FM_DATA_DIR", str(ROOT / "var")))
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with hold_data(data_dir):
        ports = choose_ports()
        with contextlib.ExitStack() as leaving:
            embedded = "REDIS_URL" not in environment
            folder = leaving.enter_context(private_folder(socket_folder(data_dir))) if embedded else None
            environment.setdefault("REDIS_URL", embedded_redis_url(data_dir))
            household = Household(environment)
            leaving.callback(household.stop)
            run_household(household, ports, folder)


@contextlib.contextmanager
def hold_data(data_dir: Path) -> Iterator[IO[str]]:
    """Keep other houses away from this data until the end."""
    with (data_dir / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise HouseNotOpened(
                f"Firetop Mountain already runs on this data (process {lock.read().strip()})."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield lock


def choose_ports() -> dict[str, int]:
    try:
        ports = read_ports()
    except ValueError as problem:
        raise HouseNotOpened(str(problem)) from None
    busy = list_busy_ports(ports)
    if busy:
        raise HouseNotOpened("\n".join(busy))
    return ports


@contextlib.contextmanager
def private_folder(folder: Path) -> Iterator[Path]:
    """Make `folder` for ourselves alone; what a killed house left there goes away."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = folder.lstat()
    if folder.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise HouseNotOpened(f"{folder} is not ours alone; remove it, or set TMPDIR to a folder of your own.")
    for left in folder.iterdir():
        left.unlink()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_household(household: Household, ports: dict[str, int], folder: Path | None) -> None:
    if folder is not None:
        household.add(Member("Valkey", write_valkey_command(folder)))
    prepare(household)
    household.add(Member("Site", python_command("-m", "fm_site.web")))
    try:
        # The first page is what somebody waits for; the others would only slow it down. Nothing is announced before
        # it answers.
        wait_for_answer(household, ports["FM_PORT"])
        household.add(Member("Mail intake", manage_command("receive_mail", "--smtp")))
        household.add(Member("Worker", write_worker_command()))
        wait_for_answer(household, ports["FM_SMTP_PORT"])
        announce(household.environment, ports)
        while True:
            household.look_after()
            pause(0.2)
    except ChildGivenUp as problem:
        raise HouseNotOpened(f"{problem} Everything is stopped; its own words are above.") from None


def prepare(household: Household) -> None:
    """Bring the rows up to date before anybody reads them."""
    preparing = Member("Preparation", manage_command("prepare_house"))
    household.add(preparing)
    assert preparing.process is not None
    while preparing.is_running():
        pause(0.02)
    code = preparing.process.returncode
    household.members.remove(preparing)
    household.bury(preparing)
    if code != 0:
        raise HouseNotOpened("The database could not be prepared; the reason is above.")


def write_worker_command() -> list[str]:
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING")
    return python_command(
        "-m", "celery", "--quiet", "-A", "fm_site", "worker", "-B", "-P", "threads", "-c", "4", *quiet
    )


def wait_for_answer(household: Household, port: int) -> None:
    while not answers(port):
        household.look_after()
        pause(0.05)


def announce(environment: dict[str, str], ports: dict[str, int]) -> None:
    site = f"http://{HOST}:{ports['FM_PORT']}"
    lines = [
        "",
        "Firetop Mountain is open.",
        f"  Site     {site}/",
        f"  Mail in  smtp://{HOST}:{ports['FM_SMTP_PORT']}",
    ]
    if not is_debug(environment) and environment.get("FM_HTTPS", "1").strip().lower() in TRUE:
        lines.append("           It sends every page to HTTPS, which something before it has to speak (or FM_HTTPS=0).")
    if is_debug(environment):
        from fm_site.demonstration import CLARA, DEMONSTRATION

        lines.append(f"  Mail out {site}/mailbox/")
        lines += [f"  Log in   {user.username}, password {user.password}  ({user.part})" for user in DEMONSTRATION]
        lines.append(
            f"  Code     ./run code prints the code that {CLARA.username} is asked for; for an authenticator app of"
        )
        lines.append(f"           yours the secret is {CLARA.totp_secret}")
    print("\n".join([*lines, "  Stop with Ctrl-C.", ""]), flush=True)


def is_debug(environment: dict[str, str]) -> bool:
    """Tell what the settings will make of DEBUG."""
    return environment.get("DEBUG", "").strip().lower() in TRUE


if __name__ == "__main__":
    sys.exit(main())
