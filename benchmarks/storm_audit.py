"""The audit after a storm: what must be true of orders and turns, emails both ways, scores and sessions."""

import email
import json
import subprocess
import threading
from collections import Counter, defaultdict
from email.policy import default
from typing import Any

import psycopg

from benchmarks.storm_players import Duel
from tests.services.stack import Stack

Rows = psycopg.Connection[Any]
# A page that only logged-in users get.
PRIVATE_PAGE = "/accounts/settings/"
SHEETS = (
    "SELECT t.seq || '.' || t.attempt || '.' || s.number, m.name, o.text, o.ready FROM duels_ordersheet o"
    " JOIN duels_stage s ON s.id = o.stage_id JOIN duels_turn t ON t.id = s.turn_id"
    " JOIN duels_battle b ON b.id = t.battle_id JOIN duels_combatant c ON c.id = o.combatant_id"
    " JOIN accounts_mage m ON m.id = c.mage_id WHERE b.number = %s"
)
TURNS = (
    "SELECT t.seq, t.attempt, t.resolved_at IS NOT NULL FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id"
    " WHERE b.number = %s ORDER BY 1, 2"
)
# The players who have no notice that a turn of theirs was played.
UNNOTIFIED = (
    "SELECT m.name, t.seq FROM duels_turn t JOIN duels_battle b ON b.id = t.battle_id"
    " JOIN duels_combatant c ON c.battle_id = b.id JOIN accounts_mage m ON m.id = c.mage_id"
    " JOIN accounts_user u ON u.id = m.user_id WHERE b.number = %s AND t.resolved_at IS NOT NULL AND NOT EXISTS"
    " (SELECT FROM notifications_notice n WHERE n.user_id = u.id AND n.kind IN ('turn_resolved', 'battle_finished')"
    " AND n.key LIKE 'battle/' || b.number || '/' || t.seq || '/' || t.attempt || '/%%')"
)
# Our emails: those that wait or have failed, and the Message-IDs that should have arrived.
UNSENT = (
    "SELECT state, error, count(*) FROM notifications_delivery WHERE state NOT IN ('sent', 'skipped') GROUP BY 1, 2"
)
SENT = "SELECT DISTINCT message_id FROM notifications_delivery WHERE state = 'sent' AND channel IN ('mail', 'digest')"
UNSEEN = (
    "SELECT count(*) FROM notifications_notice n JOIN accounts_user u ON u.id = n.user_id WHERE n.kind IN"
    " ('turn_resolved', 'battle_finished') AND NOT EXISTS"
    " (SELECT FROM notifications_delivery d WHERE d.notice_id = n.id)"
)
# Emails of players: how many of an address are stored, and those that were not processed.
INBOUND = (
    "SELECT u.email, count(*) FROM email_gateway_inboundmail i JOIN accounts_user u ON u.id = i.user_id"
    " WHERE i.state IN ('processed', 'copy') GROUP BY 1"
)
UNPROCESSED = (
    "SELECT state, remark, count(*) FROM email_gateway_inboundmail"
    " WHERE state NOT IN ('processed', 'copy') GROUP BY 1, 2"
)
SCORES = "SELECT mage_id, kind, battle, before, change, after FROM ladder_scoreentry ORDER BY mage_id, kind, id"
# Battles that are over but not counted, and battles that are counted but not over.
UNSCORED = (
    "SELECT coalesce(b.number, s.number) FROM duels_battle b FULL JOIN ladder_scoredbattle s ON s.number = b.number"
    " WHERE (b.status = 'finished') IS DISTINCT FROM (s.number IS NOT NULL)"
)
# Runs the site's own sweeps at once instead of after pauses and leases, and replays the battles.
SETTLE = """
import json, time
from django.core.management import call_command
from django.db.models import Q
from django.utils import timezone
from email_gateway.models import InboundMail
from email_gateway.tasks import sweep_deliveries, sweep_inbound_mail
from notifications.models import Delivery
inbound = InboundMail.objects.filter(state__in=["received", "claimed"])
outbound = Delivery.objects.filter(state__in=["due", "claimed"])
for attempt in range(40):
    now = timezone.now()
    for waiting in (inbound, outbound):
        waiting.exclude(state="claimed" if attempt < 10 else "").update(due_at=now)
    sweep_inbound_mail()
    sweep_deliveries()
    if not inbound.exists() and not outbound.exists():
        break
    time.sleep(0.5)
call_command("replay_battles", *NUMBERS)
"""


class Inbox:
    """Receives the site's emails, and counts the texts that arrive under each Message-ID."""

    def __init__(self) -> None:
        self.texts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.lock = threading.Lock()

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        self.note(envelope.content)
        return "250 OK"

    def note(self, raw: bytes) -> None:
        message = email.message_from_bytes(raw, policy=default)
        # Date and MIME boundaries may differ when an email is sent again; its contents may not.
        parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
        content = json.dumps([message["Subject"], message["To"], *parts])
        with self.lock:
            self.texts[message["Message-ID"].strip()][content] += 1


def audit_battle(rows: Rows, duel: Duel) -> list[str]:
    """Return the differences between the orders that players sent in a duel and its rows, and turns out of order."""
    sheets = rows.execute(SHEETS, [duel.number])
    # An email's orders are stored with the END that closes them.
    stored = {(key, mage): (text.removesuffix("\nEND"), ready) for key, mage, text, ready in sheets}
    problems = [
        f"battle {duel.number}: {mage} sent {text!r} for {key}, stored is {stored.get((key, mage))}"
        for (key, mage), text in duel.accepted.items()
        if stored.get((key, mage)) != (text, True)
    ]
    problems += [
        f"battle {duel.number}: {mage} sent nothing for {key}, stored is {text!r}"
        for (key, mage), (text, ready) in stored.items()
        if ready and text not in duel.sent[key, mage]
    ]
    turns = rows.execute(TURNS, [duel.number]).fetchall()
    if [seq for seq, *_ in turns] != list(range(1, len(turns) + 1)) or any(attempt for _, attempt, _ in turns):
        problems.append(f"battle {duel.number}: its turns are {turns}")
    if not all(resolved for *_, resolved in (turns if duel.is_over else turns[:-1])):
        problems.append(f"battle {duel.number}: a turn is open that should be played: {turns}")
    return problems


def audit_notices(rows: Rows, duels: list[Duel], inbox: Inbox) -> list[str]:
    """Return missing notices and emails, and emails with one Message-ID but different texts."""
    problems = [
        f"battle {duel.number}: {user} has no notice of turn {seq}"
        for duel in duels
        for user, seq in rows.execute(UNNOTIFIED, [duel.number])
    ]
    problems += [f"{count} deliveries are {state}: {error}" for state, error, count in rows.execute(UNSENT)]
    problems += [f"{count} notices have no delivery" for (count,) in rows.execute(UNSEEN) if count]
    problems += [f"{one} was sent but did not arrive" for (one,) in rows.execute(SENT) if one not in inbox.texts]
    problems += [f"{one} has several texts: {list(texts)}" for one, texts in inbox.texts.items() if len(texts) > 1]
    return problems


def audit_mail(rows: Rows, duels: list[Duel]) -> list[str]:
    """Return the emails of players that we accepted but did not process, or stored more often than they were sent."""
    problems = [f"{count} emails are {state}: {remark}" for state, remark, count in rows.execute(UNPROCESSED)]
    stored = dict(rows.execute(INBOUND).fetchall())
    for player in (player for duel in duels for player in duel.players if player.way == "mail"):
        if not player.taken <= stored.get(player.email, 0) <= player.sent:
            problems.append(
                f"{player.mage}: {player.sent} emails sent, {player.taken} taken, {stored.get(player.email, 0)} stored"
            )
    return problems


def audit_scores(rows: Rows) -> list[str]:
    """Return the score rows that do not follow from those before them, and battles that are counted wrongly."""
    problems, sums = [], Counter[tuple[int, str]]()
    for mage, kind, battle, before, change, after in rows.execute(SCORES):
        if before != sums[mage, kind] or after != before + change:
            problems.append(f"mage {mage}, battle {battle}: {before} {change:+d} = {after} after {sums[mage, kind]}")
        sums[mage, kind] += change
    return problems + [f"battle {number} is not scored as it ended" for (number,) in rows.execute(UNSCORED)]


def audit_sessions(duels: list[Duel]) -> list[str]:
    """Return the users whose browser is no longer logged in."""
    return [
        f"{player.mage}'s session is lost"
        for duel in duels
        for player in duel.players
        if duel.browse(player, PRIVATE_PAGE) is None and duel.browse(player, PRIVATE_PAGE) is None
    ]


def settle(stack: Stack, numbers: list[int]) -> list[str]:
    """Have all waiting emails processed and sent, and replay the battles; return what failed."""
    script = f"NUMBERS = {list(map(str, numbers))}\n{SETTLE}"
    try:
        stack.manage("shell", "-v0", "-c", script)
    except subprocess.CalledProcessError as error:
        return [f"replay: {error.stdout[-2000:]}{error.stderr[-1000:]}"]
    return []
