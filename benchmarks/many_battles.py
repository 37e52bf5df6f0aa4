"""A site with very many battles, as rows copied into PostgreSQL: what the sweep over clocks reads, and its neighbours.

One battle of five is running and waits for its first mage. Every user has one mage, every mage is in one running
battle at most. Some of the players are away and some get no email: their clocks are stopped.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.apps import apps
from django.db import connection

from duels.terms import Terms

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LONG_AGO = NOW - 800 * DAY
STARTED, OVER = NOW - 30 * DAY, NOW - 20 * DAY
RUNNING = 5
AT_A_TIME = 10_000
# Rows that the site writes itself get ids after this one, so they never collide with the next copies.
BEYOND = 10**9
TERMS = json.dumps(Terms().to_json())

Row = tuple[Any, ...]
Rows = Iterable[Row]
# step, how long the clock has run, reminders sent
DUE_STEPS = (("remind", 7.1, 0), ("alarm", 15.3, 3), ("final", 19.1, 3))


class Part:
    """Battles first + 1 to last, and the mages and users who come with them; `due` clocks of them are due at NOW."""

    def __init__(self, first: int, last: int, due: int) -> None:
        self.battles = range(first + 1, last + 1)
        self.waiting = range(first // RUNNING + 1, last // RUNNING + 1)
        self.mages = range(2 * first // RUNNING + 1, 2 * last // RUNNING + 1)
        self.all_mages = 2 * last // RUNNING
        step = len(self.waiting) // due
        # One in fifty and one in a hundred are absent, none of whom is due.
        self.due = set(self.waiting[::step][:due])
        self.away = [k for k in self.waiting if k % 50 == 7 and k not in self.due]
        self.mute = [k for k in self.waiting if k % 100 == 19 and k not in self.due]

    def copy(self) -> None:
        """Write all rows. Foreign keys are not looked up; they hold by the way the rows are made."""
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
        for table, columns, rows in self._tables():
            copy_rows(table, columns, rows)
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = DEFAULT")
            cursor.execute("ANALYZE")

    def _tables(self) -> Iterator[tuple[str, str, Rows]]:
        make: Callable[..., Iterator[Row]] = map
        yield "accounts_user", USER, self._users()
        yield "accounts_mage", "id user_id name created_at last_active_at idle_look_at", make(mage_row, self.mages)
        yield "account_emailaddress", 'id user_id email verified "primary"', make(address_row, self.mages)
        yield "notifications_notice", "id key user_id kind facts sealed created_at", make(self._notice, self.battles)
        yield "notifications_delivery", DELIVERY, make(delivery_row, self.waiting)
        yield "duels_battle", BATTLE, make(battle_row, self.battles)
        yield "duels_combatant", "id battle_id mage_id position standing extensions_taken", self._combatants()
        yield (
            "duels_turn",
            "id battle_id seq attempt label before throws closed_by resolved_at",
            make(turn_row, self.battles),
        )
        yield "duels_stage", "id battle_id turn_id number opened_at closed_at", make(stage_row, self.battles)
        yield "duels_ordersheet", "id stage_id combatant_id lines text draft ready via submitted_at", self._sheets()
        yield "duels_missedturn", "id combatant_id user_id stage_id missed_at excuse", self._missed()
        yield "accounts_vacation", "id user_id starts_at until ended_at", self._vacations()
        yield "accounts_absencenews", "id user_id look_at", self._news()
        yield "duels_clockstop", "id battle_id combatant_id reason since until ended_at long_at", self._stops()
        yield "duels_deadline", DEADLINE, self._deadlines()

    def _users(self) -> Iterator[Row]:
        mute = {waited_for(k) for k in self.mute}
        for m in self.mages:
            mail_fails, seen = (NOW - 3 * DAY, NOW - 4 * DAY) if m in mute else (None, NOW - DAY)
            flags = ("f", "t", "f", "f", "f")
            yield (
                m,
                "",
                f"User_{m}",
                f"u{m}@example.org",
                "",
                mail_fails,
                *flags,
                "system",
                "",
                LONG_AGO,
                seen,
                NOW + DAY,
            )

    def fighters(self, n: int) -> tuple[int, int]:
        if n % RUNNING == 0:
            return waited_for(n // RUNNING), waited_for(n // RUNNING) + 1
        first = n * 7919 % self.all_mages
        return first + 1, (first + 1) % self.all_mages + 1

    def _notice(self, n: int) -> Row:
        user = self.fighters(n)[0]
        return n, f"battle/{n}/1/0/0/battle_started/{user}", user, "battle_started", "{}", "", STARTED

    def _combatants(self) -> Iterator[Row]:
        for n in self.battles:
            for position, mage in enumerate(self.fighters(n)):
                yield 2 * n - 1 + position, n, mage, position, "in", 0

    def _sheets(self) -> Iterator[Row]:
        for n in self.battles:
            ready = n % RUNNING != 0
            yield 2 * n - 1, n, 2 * n - 1, "[]", "", "", "ft"[ready], "web" if ready else "", STARTED if ready else None
            yield 2 * n, n, 2 * n, "[]", "", "", "t", "web", STARTED

    def _missed(self) -> Iterator[Row]:
        return ((n, 2 * n, self.fighters(n)[1], n, OVER, "") for n in self.battles if n % 10 == 1)

    def _vacations(self) -> Iterator[Row]:
        yield from ((2 * m, m, LONG_AGO, LONG_AGO + 9 * DAY, LONG_AGO + 9 * DAY) for m in self.mages if m % 5 == 0)
        yield from ((2 * waited_for(k) + 1, waited_for(k), NOW - 2 * DAY, NOW + 9 * DAY, None) for k in self.away)

    def _news(self) -> Iterator[Row]:
        """Yield clock updates: users who are away are checked when their vacation ends."""
        return ((waited_for(k), waited_for(k), NOW + 9 * DAY) for k in self.away)

    def _stops(self) -> Iterator[Row]:
        yield from ((n, n, 2 * n, "vacation", STARTED, OVER, OVER, None) for n in self.battles if n % 50 == 1)
        for reason, absent in (("vacation", self.away), ("bounce", self.mute)):
            for k in absent:
                yield RUNNING * k, RUNNING * k, 2 * RUNNING * k - 1, reason, NOW - 2 * DAY, None, None, NOW + 33 * DAY

    def _deadlines(self) -> Iterator[Row]:
        absent = {*self.away, *self.mute}
        for k in self.waiting:
            step, ran, reminders = ("remind", k % 690 / 100, 0) if k not in self.due else DUE_STEPS[k % 3]
            since = NOW - ran * DAY
            moments = {"remind": since + 7 * DAY, "alarm": since + 15.2 * DAY, "final": since + 19 * DAY}
            reminder = moments["remind"] if step == "remind" else None
            written = (moments[step], reminder, moments["alarm"], moments["final"], since + 21 * DAY)
            running = (None,) * 6 if k in absent else (since, *written)
            n = RUNNING * k
            yield k, 2 * n - 1, n, n, "19 days", "2 days", "0", "{}", step, reminders, 0, since, *running


USER = (
    "id password username email mail_password mail_fails_since is_superuser is_active is_guest is_staff is_held theme"
    " language created_at last_active_at idle_look_at"
)
DELIVERY = "id notice_id channel address state message_id attempts due_at sent_at error"
BATTLE = (
    "id number kind terms ruleset edition practice seed state seq attempt stage label status stuck_reference"
    " stuck_release event_count started_at finished_at result"
)
DEADLINE = (
    "id combatant_id battle_id stage_id allowed grace used rest step reminders extensions settled_at running_since"
    " due_at nag_at alarm_at ends_at forfeit_at"
)


def waited_for(k: int) -> int:
    """Return the mage, and the user, for whom the k-th running battle waits."""
    return 2 * k - 1


def mage_row(m: int) -> Row:
    return m, m, f"Mage_{m}", LONG_AGO, NOW - DAY, NOW + DAY


def address_row(m: int) -> Row:
    return m, m, f"u{m}@example.org", "t", "t"


def delivery_row(k: int) -> Row:
    return k, RUNNING * k, "mail", "", "sent", f"<{k}@example.org>", 1, STARTED, STARTED, ""


def battle_row(n: int) -> Row:
    over = n % RUNNING != 0
    ended = ("finished", "", "", 0, STARTED, OVER, "{}") if over else ("running", "", "", 0, STARTED, None, None)
    return n, n, "duel", TERMS, "firetop-standard", 1, "f", f"{n:064x}", "{}", 1, 0, 0, "1", *ended


def turn_row(n: int) -> Row:
    return n, n, 1, 0, "1", "{}", "[]", "orders" if n % RUNNING else "", OVER if n % RUNNING else None


def stage_row(n: int) -> Row:
    return n, n, n, 0, STARTED, OVER if n % RUNNING else None


def copy_rows(table: str, columns: str, rows: Rows) -> None:
    """Write rows by COPY, some thousands at a time. Columns that are not named get the default of their field."""
    given = [name.strip('"') for name in columns.split()]
    more = _list_defaults(table, given)
    names = ", ".join(f'"{name}"' for name in (*given, *more))
    end = "".join(f"\t{_write(value)}" for value in more.values())
    left = iter(rows)
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        while lines := ["\t".join(map(_write, row)) + end for row in islice(left, AT_A_TIME)]:
            copy.write("\n".join(lines) + "\n")
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), greatest(max(id), %s)) FROM {table}", [BEYOND]
        )


def _list_defaults(table: str, given: list[str]) -> dict[str, Any]:
    """Return the columns of the table that are not given and may not be null, with the defaults of their fields."""
    model = next(each for each in apps.get_models() if each._meta.db_table == table)
    fields = [each for each in model._meta.concrete_fields if each.column not in given and not each.null]
    return {str(each.column): each.get_default() for each in fields if each.has_default() or each.blank}


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "ft"[value]
    if isinstance(value, dict | list):
        return json.dumps(value)
    return r"\N" if value is None else str(value)
