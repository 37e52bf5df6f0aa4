"""`./run`: the whole site in one terminal, with nothing else installed.

It runs the site with live updates, a worker with beat, a worker for the bots, mail intake and a Valkey on 127.0.0.1,
and stops them together. On Linux all of them except Valkey are copies of this process, which has imported everything:
that is quick, and they share memory. With REDIS_URL set, no Valkey is started; DATABASE_URL chooses the database.

`deploy/systemd/firetop-small.service` runs it too, with `--lmtp`: then it takes email by LMTP instead of SMTP. If
systemd passes it a listening socket, pages are served on that, and a restart fails no request.
"""

import argparse
import contextlib
import fcntl
import gc
import os
import select
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import IO

from fm_site.run.memory import return_freed_memory
from fm_site.run.ports import HOST, answers, list_busy_ports, read_ports, serves_pages, take_sockets
from fm_site.run.processes import ChildGivenUp, Member, Processes, manage_command, python_command
from fm_site.run.valkey import embedded_redis_url, socket_folder, write_valkey_command

ROOT = Path(__file__).resolve().parents[2]
TRUE = frozenset({"1", "true", "on", "ok", "y", "yes"})
signals: list[int] = []
# Every signal writes a byte into this pipe, which ends a pause.
wakeup_read, wakeup_write = os.pipe()
# The computer opponents' worker: one process that thinks about one sheet at a time, and analyses battles in between.
BOTS = (
    *("--quiet", "-A", "fm_site", "worker", "-Q", "bots,analysis", "-n", "bots@%h", "-P", "solo"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"),
)
# How long the web process may take to stop: as its own limits say, or those of systemd (firetop-web.service).
SITE_SECONDS, DRAINED_SITE_SECONDS = 8.0, 30.0
# How often children are checked without a signal.
ROUND_SECONDS = 5.0


class StartFailed(Exception):
    """The site cannot start; the message tells the operator why."""


class StopRequested(Exception):
    """Ctrl-C or an equivalent signal."""


def main(arguments: Sequence[str] = ()) -> int:
    """Run until asked to stop. Returns the exit code."""
    parser = argparse.ArgumentParser(description="The whole site in one terminal.")
    parser.add_argument("--lmtp", action="store_true", help="take email by LMTP, not by SMTP")
    is_lmtp = parser.parse_args(arguments).lmtp
    return_freed_memory()
    for end in (wakeup_read, wakeup_write):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, note_signal)
    try:
        run_site("lmtp" if is_lmtp else "smtp")
    except StartFailed as problem:
        print(problem, file=sys.stderr)
        return 1
    except StopRequested:
        print("Firetop Mountain has stopped.", flush=True)
    return 0


def note_signal(number: int, _frame: FrameType | None) -> None:
    # Only recorded: an exception from here could come between starting a child and recording it.
    signals.append(number)


def pause(seconds: float) -> None:
    """Sleep for `seconds` or until a signal arrives, such as SIGCHLD. Raises StopRequested if it means to stop."""
    if not signals and select.select([wakeup_read], [], [], seconds)[0]:
        with contextlib.suppress(BlockingIOError):
            os.read(wakeup_read, 1000)
    if signals:
        raise StopRequested


def run_site(mail_protocol: str) -> None:
    """Prepare the site, start all processes, print the addresses, and keep the processes running."""
    sockets = take_sockets()
    environment = dict(os.environ)
    environment.setdefault("DEBUG", "1")
    data_dir = Path(environment.setdefault("FM_DATA_DIR", str(ROOT / "var")))
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock_data_dir(data_dir):
        ports = choose_ports(has_sockets=bool(sockets))
        with contextlib.ExitStack() as stack:
            embedded = "REDIS_URL" not in environment
            folder = stack.enter_context(private_folder(socket_folder(data_dir))) if embedded else None
            environment.setdefault("REDIS_URL", embedded_redis_url(data_dir))
            os.environ.update(environment)
            processes = Processes(environment)
            stack.callback(processes.stop)
            run_processes(processes, ports, folder, sockets, mail_protocol)


@contextlib.contextmanager
def lock_data_dir(data_dir: Path) -> Iterator[IO[str]]:
    """Lock the data folder against other instances until the end."""
    with (data_dir / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartFailed(
                f"Firetop Mountain is already running with this data (process {lock.read().strip()})."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield lock


def choose_ports(*, has_sockets: bool) -> dict[str, int]:
    try:
        ports = read_ports()
    except ValueError as problem:
        raise StartFailed(str(problem)) from None
    busy = list_busy_ports({name: port for name, port in ports.items() if name != "FM_PORT" or not has_sockets})
    if busy:
        raise StartFailed("\n".join(busy))
    return ports


@contextlib.contextmanager
def private_folder(folder: Path) -> Iterator[Path]:
    """Create `folder` for this user only; delete what a killed instance left there."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = folder.lstat()
    if folder.is_symlink() or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise StartFailed(f"Other users can access {folder}. Remove it, or set TMPDIR to a folder of your own.")
    for leftover in folder.iterdir():
        leftover.unlink()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_processes(
    processes: Processes,
    ports: dict[str, int],
    folder: Path | None,
    sockets: Sequence[socket.socket],
    mail_protocol: str,
) -> None:
    if folder is not None:
        processes.add(Member("Valkey", write_valkey_command(folder)))
    if sys.platform == "linux":
        import_everything()
    prepare(processes)
    site = Member("Site", python_command("-m", "fm_site.run.web"), SITE_SECONDS, work=lambda: serve(sockets))
    if sockets:
        site.files, site.seconds_to_stop = [each.fileno() for each in sockets], DRAINED_SITE_SECONDS
    processes.add(site)
    try:
        # Start the site alone first: the other processes would slow it down. Nothing is printed before it answers.
        wait_for_answer(processes, lambda: serves_pages(sockets[0]) if sockets else answers(ports["FM_PORT"]))
        receive = ("receive_mail", f"--{mail_protocol}")
        if sys.platform == "linux":
            import_for_workers()
        processes.add(Member("Mail intake", manage_command(*receive), work=lambda: run_command(*receive)))
        processes.add(Member("Worker", python_command("-m", "fm_site.run.worker"), work=work))
        processes.add(Member("Bots", python_command("-m", "celery", *BOTS), work=think))
        wait_for_answer(processes, lambda: answers(ports["FM_SMTP_PORT"]))
        announce(processes.environment, ports, mail_protocol)
        while True:
            processes.look_after()
            pause(ROUND_SECONDS if processes.are_well else 0.2)
    except ChildGivenUp as problem:
        raise StartFailed(f"{problem} Everything has stopped; its output is above.") from None


def prepare(processes: Processes) -> None:
    """Prepare the database before anything reads it."""
    preparation = Member("Preparation", manage_command("prepare_site"), work=lambda: run_command("prepare_site"))
    processes.add(preparation)
    assert preparation.process is not None
    while preparation.is_running():
        pause(0.02)
    code = preparation.process.returncode
    processes.members.remove(preparation)
    processes.bury(preparation)
    if code != 0:
        raise StartFailed("Could not prepare the database; the reason is above.")


def import_everything() -> None:
    """Import what the processes need, so that it happens once and they share it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fm_site.settings")
    gc.disable()
    try:
        import django

        django.setup()
        from django.urls import get_resolver

        for module in ("email_gateway.receive.listener", "fm_site.asgi", "fm_site.run.web", "fm_site.run.worker"):
            import_module(module)

        get_resolver().url_patterns  # noqa: B018
    except Exception:
        traceback.print_exc()
        raise StartFailed("Could not prepare the site; the reason is above.") from None
    finally:
        gc.enable()
    # Garbage collection would copy the shared memory.
    gc.freeze()


def import_for_workers() -> None:
    """Import what only the workers need, so that they share it too. The site has started by now: it need not wait."""
    from fm_site.celery import app

    app.loader.import_default_modules()
    for module in (
        "celery.bin.celery",
        "celery.worker.consumer",
        "celery.concurrency.solo",
        "celery.concurrency.thread",
    ):
        import_module(module)
    gc.freeze()


def run_command(*arguments: str) -> None:
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *arguments])


def serve(sockets: Sequence[socket.socket]) -> None:
    from fm_site.run.web import main as serve_pages

    serve_pages(sockets)


def work() -> None:
    from fm_site.run.worker import main as work_with_beat

    work_with_beat()


def think() -> None:
    from fm_site.celery import app

    app.set_default()
    app.start(list(BOTS))


def wait_for_answer(processes: Processes, has_answered: Callable[[], bool]) -> None:
    while not has_answered():
        processes.look_after()
        pause(0.05)


def announce(environment: dict[str, str], ports: dict[str, int], mail_protocol: str = "smtp") -> None:
    site = f"http://{HOST}:{ports['FM_PORT']}"
    lines = [
        "",
        "Firetop Mountain is running.",
        f"  Site     {site}/",
        f"  Mail in  {mail_protocol}://{HOST}:{ports['FM_SMTP_PORT']}",
    ]
    if not is_debug(environment) and environment.get("FM_HTTPS", "1").strip().lower() in TRUE:
        lines.append(
            "           It redirects every page to HTTPS, so put an HTTPS proxy in front of it (or set FM_HTTPS=0)."
        )
    if is_debug(environment):
        lines.append(f"  Mail out {site}/mailbox/")
    if is_debug(environment) and environment.get("FM_DEMO", "1").strip().lower() in TRUE:
        from fm_site.demonstration.people import CLARA, DEMONSTRATION

        lines += [f"  Log in   {user.username}, password {user.password}  ({user.part})" for user in DEMONSTRATION]
        lines.append(f"  Code     ./run code prints {CLARA.username}'s login code; to use your own authenticator app,")
        lines.append(f"           enter the secret {CLARA.totp_secret}")
    print("\n".join([*lines, "  Stop with Ctrl-C.", ""]), flush=True)


def is_debug(environment: dict[str, str]) -> bool:
    return environment.get("DEBUG", "").strip().lower() in TRUE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
