"""How many emails a minute are accepted and processed: python -m benchmarks.mail_intake [--mails N] [--rounds N]

Accepted: sent by SMTP, stored sealed and committed, acknowledged. In the same rounds the same mails go to an aiosmtpd
that does one INSERT and one COMMIT for each, and to one that forgets them. Processed: one worker reads what was stored,
gives the orders to running duels, plays their turns and writes the answers.

On its own SQLite and Valkey, or on the PostgreSQL that DATABASE_URL names (an empty one).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.mail_senders import CONNECTIONS, Posted, send_all
from benchmarks.own_site import prepare_environment, run_valkey, set_up_django
from benchmarks.rows import Measured, add, add_figure

ROOT = Path(__file__).resolve().parent.parent
LEAST, PROCESSED = 0.7, 60
DUELS = 25
SERVERS = {
    "ours": ("manage.py", "receive_mail", "--smtp", "127.0.0.1:0"),
    "insert": ("-m", "benchmarks.mail_servers", "insert"),
    "discard": ("-m", "benchmarks.mail_servers", "discard"),
}
GESTURES = ("F/-", "W/-", "-/F", "-/W")


def main(arguments: list[str]) -> int:
    """Print the figures; none of them is a fault."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name, ExitStack() as leaving:
        folder = Path(name)
        prepare_environment(folder)
        leaving.enter_context(run_valkey(folder))
        set_up_django()
        addresses = start_duels()
        ports = {kind: leaving.enter_context(run_server(kind)) for kind in SERVERS}
        accepted = measure_accepted(ports, addresses, options.rounds, options.mails)
        figures = {kind: statistics.median(rates) for kind, rates in accepted.items()}
        quotient = statistics.median(
            ours / theirs for ours, theirs in zip(accepted["ours"], accepted["insert"], strict=True)
        )
        print(f"mail: {options.rounds} rounds of {options.mails} mails, {CONNECTIONS} connections, {name_database()}")
        print(f"mail accepted: {figures['ours']:.0f} mails/min (stored sealed, committed, acknowledged)")
        print(f"mail accepted by an aiosmtpd with one INSERT and COMMIT: {figures['insert']:.0f} mails/min")
        print(f"mail accepted by an aiosmtpd that discards: {figures['discard']:.0f} mails/min")
        print(f"load {os.getloadavg()[0]:.1f}")
        rate = f"{figures['ours'] / 60:.0f} /s", f"{figures['insert'] / 60:.0f} /s"
        add(Measured("emails accepted, over aiosmtpd and INSERT", *rate, quotient, f"≥ {LEAST} x", quotient >= LEAST))
        per_second, by_clock, turns = measure_processed(options.processed)
        print(f"of these, {turns} turns were played; by the clock, {by_clock:.1f} emails a second")
        add_figure("emails processed in a second of one core", per_second, "/s", least=PROCESSED)
    return 0


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mail_intake", description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--mails", type=int, default=200, help="in each round, to each server")
    parser.add_argument("--processed", type=int, default=200, help="how many of the stored mails are processed")
    return parser.parse_args(arguments)


def start_duels() -> list[tuple[str, str]]:
    """Start duels and return, for each mage, the player's address and the reply address of the open turn."""
    from django.utils import timezone

    from accounts.services.mages import register_mage
    from accounts.services.users import create_user
    from duels.services.start import start_battle, take_number
    from duels.terms import Terms
    from email_gateway.addresses import make_turn_address

    now = timezone.now()
    found = []
    for number in range(DUELS):
        mages = []
        for side in ("A", "B"):
            name = f"Bench{side}{number}"
            user = create_user(name=name, email=f"{name.lower()}@example.org", email_verified=True, now=now)
            mages.append(register_mage(user=user, name=f"Mage{side}{number}", now=now))
        battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=now)
        # The first turns of every duel; a mail counts for the turn that it names.
        found += [
            (mage.user.email, make_turn_address(user_id=mage.user_id, battle=battle.number, seq=seq, attempt=0))
            for seq in range(1, 13)
            for mage in mages
        ]
    return sorted(found, key=lambda pair: int(pair[1].split("-")[3], 36))


@contextmanager
def run_server(kind: str) -> Iterator[int]:
    """Run a listener in a separate process; yield its port."""
    process = subprocess.Popen([sys.executable, *SERVERS[kind]], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        found = re.search(r":(\d+)$", said.strip())
        assert found, f"{kind} does not listen: {said}"
        yield int(found[1])
    finally:
        process.terminate()
        process.wait(20)


def measure_accepted(
    ports: dict[str, int], addresses: list[tuple[str, str]], rounds: int, count: int
) -> dict[str, list[float]]:
    """Send the same mails to each server, round after round; return mails a minute."""
    rates: dict[str, list[float]] = {kind: [] for kind in ports}
    for kind, port in ports.items():  # to warm up
        send_all(port, [write_mail(f"warm-{kind}-{number}", *addresses[0]) for number in range(2 * CONNECTIONS)])
    for turn in range(rounds):
        mails = []
        for number in range(count):
            place = turn * count + number
            mails.append(write_mail(f"{place}", *addresses[place % len(addresses)]))
        for kind, port in ports.items():
            rates[kind].append(send_all(port, mails))
    return rates


def write_mail(mark: str, sender: str, to: str) -> Posted:
    """Return a mail as a player's program sends it: an answer above the report that it quotes, text and HTML."""
    quoted = "".join(f"> Left: {'FPSWDC'[n % 6]} Right: {'WDCFPS'[n % 6]}\r\n" for n in range(12))
    gesture = GESTURES[len(mark) % len(GESTURES)]
    text = f"{gesture}\r\n\r\nOn Mon, Nov 3, 2025 at 10:00 AM Firetop Mountain <fm@localhost> wrote:\r\n\r\n{quoted}"
    raw = (
        f"Received: from mx by mail with ESMTPS id {mark}; Mon, 3 Nov 2025 10:05:00 +0000\r\n"
        f"From: Player <{sender}>\r\nTo: Firetop Mountain <{to}>\r\nSubject: Re: Duel 12, turn 3\r\n"
        f"Date: Mon, 3 Nov 2025 10:05:00 +0000\r\nMessage-ID: <bench-{mark}@mail.example.org>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        "--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        f"<div>{gesture}</div><blockquote>{quoted}</blockquote>\r\n"
        "--b--"
    )
    return Posted(sender, to, raw.encode())


def measure_processed(most: int) -> tuple[float, float, int]:
    """Process what was stored, as one worker does; return mails per second of processor time and by the clock, and how
    many turns were played."""
    from django.utils import timezone

    from duels.models import Turn
    from email_gateway.models import InboundMail
    from email_gateway.receive.process_mail import claim_some_inbound, process_mail
    from email_gateway.tasks import AT_ONCE
    from operations.workers import gather_wake_ups

    done: list[int] = []
    begun, worked = time.perf_counter(), time.process_time()
    while len(done) < most and (mails := claim_some_inbound(now=timezone.now(), limit=AT_ONCE)):
        with gather_wake_ups():
            for mail in mails:
                process_mail(mail=mail, now=timezone.now())
        done += [mail.pk for mail in mails]
    worked, passed = time.process_time() - worked, time.perf_counter() - begun
    states = set(InboundMail.objects.filter(pk__in=done).values_list("state", flat=True))
    assert states == {"processed"}, states
    turns = Turn.objects.filter(resolved_at__isnull=False).count()
    return len(done) / worked, len(done) / passed, turns


def name_database() -> str:
    return "PostgreSQL" if "postgres" in os.environ["DATABASE_URL"].split(":")[0] else "SQLite"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
