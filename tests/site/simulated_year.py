"""A site in which time jumps from one due moment to the next: its users play with the real services, its sweeps run
when rows say that something is due, and every notice is compared with the simple model (plain_year.py)."""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from django.db import connection
from django.db.models import Min, QuerySet, Sum, Value

from accounts.models import ClockUpdate, Engagement, Mage, User, Vacation
from accounts.selectors.absence import read_vacation_days
from accounts.services.absence import sweep_absent_users, sweep_vacations
from accounts.services.leave import close_user
from accounts.services.mages import register_mage
from accounts.services.users import create_user, mark_email_failing
from accounts.services.vacations import start_vacation
from challenges.models import Challenge
from challenges.services.answers import accept_challenge, decline_challenge, decline_elsewhere
from challenges.services.close_stale import sweep_stale_challenges
from challenges.services.create import create_challenge
from challenges.services.retire_mages import quit_mage, sweep_idle_mages
from duels.models import Battle, ClockStop, Combatant, Deadline
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from duels.terms import Terms
from ladder.models import ScoreEntry
from notifications.models import Delivery, Notice
from tests.scenes import DAY
from tests.site.plain_year import PACES, Call, Duel, Player, Told, find_rest_due

BEGAN = datetime(2031, 1, 1, 12, 0, tzinfo=UTC)
NOTHING = timedelta(0)
HABITS = ("absent", "vacationing", "slow", "prompt", "bouncing", "leaving", *["prompt"] * 5)
BY_CLOCK = {
    "deadline_reminder",
    "deadline_alarm",
    "deadline_final",
    "opponent_late",
    "mage_forfeited",
    "battle_finished",
    "vacation_over",
}
BY_REST = {
    "mage_idle_warning",
    "mage_retired_warning",
    "mage_was_retired",
    "mage_was_removed",
    "user_mageless_warning",
    "user_closed",
}
BY_CALL = {"challenge_prodded", "challenge_closed"}
# Rows that make the sweep over clocks run.
CLOCKS = {"clocks", "clock updates", "long absences", "ends of stops"}


class DueRows:
    """The next due time of each kind of row, in one query that is turned into SQL once."""

    def __init__(self) -> None:
        first, *others = (
            rows.order_by().values(what=Value(what)).annotate(at=Min(moment)) for what, rows, moment in list_due_rows()
        )
        self.sql, self.params = first.union(*others).query.sql_with_params()

    def read(self) -> dict[str, datetime | None]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.params)
            # SQLite returns text.
            return {
                what: datetime.fromisoformat(at).replace(tzinfo=UTC) if isinstance(at, str) else at
                for what, at in cursor.fetchall()
            }


def list_due_rows() -> list[tuple[str, QuerySet[Any], str]]:
    """Return the rows that say when something is due, and their column for it."""
    return [
        ("clocks", Deadline.objects.all(), "due_at"),
        ("clock updates", ClockUpdate.objects.all(), "due_at"),
        ("ends of stops", ClockStop.objects.filter(ended_at=None), "until"),
        ("long absences", ClockStop.objects.filter(ended_at=None), "long_at"),
        ("users", User.objects.filter(is_active=True), "idle_check_at"),
        ("mages", Mage.objects.filter(died_at=None), "idle_check_at"),
        ("challenges", Challenge.objects.filter(status="open"), "stale_check_at"),
        ("vacations", Vacation.objects.filter(ended_at=None), "until"),
    ]


@dataclass
class SimulatedSite:
    """The users, their plans, and the model."""

    users: int
    battles: int
    days: int
    seed: int
    players: dict[str, Player] = field(default_factory=dict)
    habits: dict[str, str] = field(default_factory=dict)
    duels: dict[int, Duel] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    started: int = 0
    jumps: int = 0
    told: Told = field(default_factory=Counter)
    expected: Told = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.now = BEGAN
        self.end = BEGAN + self.days * DAY
        self.random = random.Random(self.seed)
        self.acts: list[tuple[datetime, int, Callable[..., None], tuple[Any, ...]]] = []
        self.numbers = count(1)
        self.last_notice = 0
        self.due_rows = DueRows()
        self.due: dict[str, datetime | None] = {}
        self.open_duels: dict[int, Duel] = {}
        self.open_calls: dict[int, Call] = {}
        self.names: dict[int, str] = {}
        for place in range(self.users):
            self.add_player(HABITS[place % len(HABITS)])
        for each in range(self.battles * 8 // 5):
            self.plan(self.days * DAY * (each + self.random.random()) / (self.battles * 8 // 5), self.match)

    # Actions of users.

    def plan(self, after: timedelta, act: Callable[..., None], *what: Any) -> None:
        heapq.heappush(self.acts, (self.now + after, next(self.numbers), act, what))

    def days_between(self, least: float, most: float) -> timedelta:
        return timedelta(seconds=round(self.random.uniform(least, most) * 86400))

    def add_player(self, habit: str) -> None:
        name = f"Player{next(self.numbers)}"
        address = f"{name}@example.org"
        user = create_user(name=name, email=address, now=self.now, email_verified=True)
        self.names[user.pk] = name
        self.players[name] = player = Player(name, self.now, address)
        self.habits[name] = habit
        self.add_mage(player)
        if habit == "leaving":
            self.plan(self.days_between(5, self.days * 0.9), self.leave, player)

    def user_of(self, player: Player) -> User:
        return User.objects.get(username=player.name)

    def mage_of(self, player: Player) -> Mage:
        return Mage.objects.select_related("user").get(name=player.mage)

    def add_mage(self, player: Player) -> None:
        if player.mage is not None or player.is_closed:
            return
        player.mage = register_mage(user=self.user_of(player), name=f"Mage{next(self.numbers)}", now=self.now).name
        player.acts(self.now)
        player.score, player.best_score, player.is_retired, player.mageless_since = 0, 0, False, None
        player.busy, player.free_since = False, self.now

    def match(self) -> None:
        """Let two free mages meet in a challenge."""
        free = [each for each in self.players.values() if each.mage and not each.busy and not each.away_until]
        called = {call.invited.name for call in self.open_calls.values()}
        free = [each for each in free if each.name not in called]
        guests = [each for each in free if not each.is_retired]
        hosts = [each for each in free if self.habits[each.name] != "absent" or each.mage_active == BEGAN]
        if self.started >= self.battles or not hosts or not guests:
            return
        host, guest = self.random.choice(hosts), self.random.choice(guests)
        if host is guest:
            return
        pace = self.random.choice(list(PACES))
        invited = [self.mage_of(guest)]
        made = create_challenge(challenger=self.mage_of(host), terms=Terms(pace=pace), invited=invited, now=self.now)
        host.acts(self.now)
        host.busy, host.is_retired = True, False
        self.calls[made.number] = self.open_calls[made.number] = Call(host, guest, self.now)
        if self.habits[guest.name] != "absent" or self.random.random() < 0.5:
            self.plan(self.days_between(0.1, 3), self.answer, made.number, pace)

    def answer(self, number: int, pace: str) -> None:
        call = self.calls[number]
        guest = call.invited
        if call.is_over or guest.mage is None or guest.busy or guest.is_retired or guest.is_closed:
            return
        if self.random.random() < 0.15:
            decline_challenge(number=number, mage=self.mage_of(guest), now=self.now)
            call.touched = self.now
            return
        accept_challenge(number=number, mage=self.mage_of(guest), now=self.now)
        guest.acts(self.now)
        guest.come_home(self.now)
        guest.busy, call.is_over = True, True
        del self.open_calls[number]
        duel = self.duels[number] = self.open_duels[number] = Duel(pace, (call.challenger, guest))
        duel.ask(self.now)
        self.started += 1
        self.expected.update(("battle_started", each.name) for each in duel.players)
        self.plan_orders(number, duel)

    def plan_orders(self, number: int, duel: Duel) -> None:
        for name, waiting in duel.waiting.items():
            habit, chance = self.habits[name], self.random.random()
            if habit == "absent" and chance < 0.7:
                continue
            if habit == "vacationing" and chance < 0.4:
                self.plan(self.days_between(0.1, 2), self.go_away, waiting.player)
            if habit == "bouncing" and chance < 0.4:
                self.plan(self.days_between(0.1, 2), self.lose_mail, waiting.player)
            slow = habit == "slow" or (habit in ("vacationing", "bouncing") and chance < 0.4)
            self.plan(self.days_between(*((2, 30) if slow else (0.05, 1.5))), self.order, number, waiting)

    def order(self, number: int, waiting: Any) -> None:
        duel, player = self.duels[number], waiting.player
        if duel.waiting.get(player.name) is not waiting:
            return
        surrenders = self.random.random() < 0.5
        combatant = Combatant.objects.select_related("mage__user").get(battle__number=number, mage__name=player.mage)
        text = "LH P\nRH P" if surrenders else "LH -\nRH -"
        receipt = submit_orders(combatant=combatant, text=text, via="web", now=self.now, ready=True)
        assert receipt.outcome in ("ready", "resolved", "finished"), receipt
        player.acts(self.now)
        player.come_home(self.now)
        self.expected += duel.order(player, self.now, surrenders=surrenders)
        if not duel.is_over and len(duel.waiting) == 2:
            self.plan_orders(number, duel)

    def go_away(self, player: Player) -> None:
        if player.is_closed or player.away_until:
            return
        user = self.user_of(player)
        days = min(self.random.randint(3, 35), read_vacation_days(user=user).find_longest(self.now))
        if not days:
            return
        start_vacation(user=user, days=days, now=self.now)
        player.away_until = self.now + days * DAY

    def lose_mail(self, player: Player) -> None:
        if player.is_closed or player.is_mute:
            return
        User.objects.filter(username=player.name).update(mail_fails_since=None)
        mark_email_failing(user=self.user_of(player), now=self.now)
        player.is_mute = True

    def leave(self, player: Player) -> None:
        if player.busy:
            self.plan(self.days_between(1, 4), self.leave, player)
            return
        if player.is_closed:
            return
        if player.mage:
            quit_mage(mage=self.mage_of(player), now=self.now)
            player.mage = None
        close_user(user=self.user_of(player), now=self.now)
        player.is_closed, player.active = True, self.now
        self.happened["left"] += 1
        decline_elsewhere(now=self.now)

    # Actions of the site.

    def run(self) -> None:
        while (moment := self.find_next()) <= self.end:
            self.jump(moment)

    def find_next(self) -> datetime:
        """The next moment at which someone acts, or the model or the site has something due."""
        moments = [self.acts[0][0]] if self.acts else []
        moments += [moment for duel in self.open_duels.values() for moment in duel.next_moments]
        moments += [each.away_until for each in self.players.values() if each.away_until]
        moments += [call.next_step[0] for call in self.open_calls.values()]
        self.due = self.due_rows.read()
        moments += [moment for moment in self.due.values() if moment]
        return max(min(moments, default=self.end + DAY), self.now)

    def jump(self, moment: datetime) -> None:
        self.now, self.jumps = moment, self.jumps + 1
        while self.acts and self.acts[0][0] <= moment:
            _, _, act, what = heapq.heappop(self.acts)
            act(*what)
            self.due = {}
        self.advance_the_model()
        self.sweep()
        self.compare()

    def advance_the_model(self) -> None:
        for player in self.players.values():
            if player.away_until and player.away_until <= self.now:
                self.expected["vacation_over", player.name] += 1
                player.come_home(player.away_until)
        for duel in list(self.open_duels.values()):
            duel.look_who_is_there(self.now)
            told, dead = duel.pass_to(self.now)
            self.expected += told
            if dead:
                self.bury(duel, dead)

    def bury(self, duel: Duel, dead: list[Player]) -> None:
        self.happened["forfeit"] += len(dead)
        for player in dead:
            if self.habits[player.name] != "absent":
                self.plan(self.days_between(1, 20), self.add_mage, player)

    def sweep(self) -> None:
        """Run the sweeps for rows that are due, and sometimes all of them."""
        due = {name for name, at in (self.due or self.due_rows.read()).items() if at and at <= self.now}
        everything = self.random.random() < 0.02
        if everything or "vacations" in due:
            sweep_vacations(now=self.now)
        if everything or due & CLOCKS:
            sweep_deadlines(now=self.now)
        if everything or "challenges" in due:
            sweep_stale_challenges(now=self.now)
        if everything or "mages" in due:
            sweep_idle_mages(now=self.now)
            if connection.in_atomic_block:
                # Decline the invitations of mages who left: the sweep does this after its commit.
                decline_elsewhere(now=self.now)
        if everything or "users" in due:
            sweep_absent_users(now=self.now)

    # The values compared with the model.

    def compare(self) -> None:
        notices = list(Notice.objects.filter(pk__gt=self.last_notice).order_by("pk"))
        if notices:
            self.last_notice = notices[-1].pk
            Delivery.objects.filter(state__in=["due", "claimed"]).update(state="sent", sealed_mail="")
        self.read_scores({self.names[each.user_id] for each in notices if each.kind == "battle_finished"})
        found: Told = Counter()
        for notice in notices:
            found[notice.kind, self.names[notice.user_id]] += 1
            self.happened[notice.kind] += 1
            if notice.kind in BY_REST:
                self.check_rest(notice)
            elif notice.kind in BY_CALL:
                self.check_call(notice)
            elif notice.kind == "challenge_declined":
                self.calls[notice.facts["number"]].touched = self.now
        mine = BY_CLOCK | {"battle_started", "absence_long"}
        by_clock = Counter({told: times for told, times in found.items() if told[0] in mine})
        assert by_clock == self.expected, (self.now, by_clock - self.expected, self.expected - by_clock)
        self.told += found
        self.expected = Counter()
        if notices:
            self.forget_what_is_over()
        self.check_nobody_is_forgotten()

    def forget_what_is_over(self) -> None:
        self.open_duels = {number: duel for number, duel in self.open_duels.items() if not duel.is_over}
        self.open_calls = {number: call for number, call in self.open_calls.items() if not call.is_over}

    def check_rest(self, notice: Notice) -> None:
        player = self.players[self.names[notice.user_id]]
        rest = find_rest_due(player)
        assert rest is not None, (self.now, notice.kind, player)
        due, _, kind = rest
        assert kind == notice.kind and due <= self.now, (self.now, notice.kind, rest, player)
        if kind.endswith("_warning"):
            player.warned_at = self.now
            return
        assert player.warned_at is not None and self.now - player.warned_at >= 7 * DAY
        player.warned_at = None
        if kind == "mage_was_retired":
            player.is_retired = True
        elif kind == "mage_was_removed":
            assert not Mage.objects.filter(name=player.mage, died_at=None).exists()
            player.mage, player.mageless_since = None, self.now
        else:
            player.is_closed = True
            assert not User.objects.get(pk=notice.user_id).is_active

    def check_call(self, notice: Notice) -> None:
        """The challenger is notified of every step, and everyone in the challenge of its end."""
        call = self.calls[notice.facts["number"]]
        if call.closed_at == self.now and notice.kind == "challenge_closed":
            return
        due, kind = call.next_step
        assert not call.is_over and kind == notice.kind and due == self.now, (self.now, notice.kind, due, kind, call)
        if kind == "challenge_prodded":
            call.reminded_at = self.now
        else:
            call.closed_at = self.now
            call.is_over, call.challenger.busy, call.challenger.free_since = True, False, self.now

    def check_nobody_is_forgotten(self) -> None:
        for player in self.players.values():
            if player.well_until is None:
                player.well_until = self.find_end_of_rest(player)
            if self.now > player.well_until:
                assert self.is_beyond_reach(player), (self.now, player)
                # The site checks this again after a week.
                player.well_until = self.now + 7 * DAY
        for call in self.open_calls.values():
            assert call.next_step[0] > self.now, (self.now, call)

    def find_end_of_rest(self, player: Player) -> datetime:
        """Return the latest time of the next step for an idle player. If a mage's score fell since the site's last
        check, the next check comes when the old score would have been due."""
        rest = find_rest_due(player, player.best_score)
        if rest is None:
            return datetime.max.replace(tzinfo=UTC)
        due, later, _ = rest
        free = player.mageless_since if player.mage is None else player.free_since
        return max(due, free or due) + later

    def is_beyond_reach(self, player: Player) -> bool:
        """The best retired mages stay forever (FM-ORDUSR-13)."""
        best = max((each.score for each in self.players.values() if each.mage and each.is_retired), default=0)
        return player.is_retired and player.mage is not None and player.score >= best - 4

    def read_scores(self, names: set[str]) -> None:
        players = [self.players[name] for name in names]
        mages = [player.mage for player in players if player.mage]
        rows = ScoreEntry.objects.filter(mage__name__in=mages).values_list("mage__name").annotate(Sum("change"))
        scores = dict(rows) if mages else {}
        for player in players:
            player.scores(scores.get(player.mage, 0))

    def check_at_the_end(self) -> None:
        """Rows and model agree: who is alive, busy or present, and how many notices everyone got."""
        alive = {each.mage for each in self.players.values() if each.mage}
        assert set(Mage.objects.filter(died_at=None).values_list("name", flat=True)) == alive
        retired = {each.mage for each in self.players.values() if each.mage and each.is_retired}
        assert (
            set(Mage.objects.filter(died_at=None, retired_at__isnull=False).values_list("name", flat=True)) == retired
        )
        there = {each.name for each in self.players.values() if not each.is_closed}
        assert set(User.objects.filter(is_active=True).values_list("username", flat=True)) == there
        busy = {each.mage for each in self.players.values() if each.busy}
        assert set(Engagement.objects.values_list("mage__name", flat=True)) == busy
        running = {number for number, duel in self.duels.items() if not duel.is_over}
        assert set(Battle.objects.exclude(status="finished").values_list("number", flat=True)) == running
        waiting = Counter(Deadline.objects.values_list("combatant__mage__name", flat=True))
        assert waiting == Counter(w.player.mage for duel in self.duels.values() for w in duel.waiting.values())
        # By key, because a closed account loses its name.
        told = Counter((kind, self.names[user]) for kind, user in Notice.objects.values_list("kind", "user"))
        assert told == self.told
        assert all(at is None or at > self.now for at in self.due_rows.read().values())
