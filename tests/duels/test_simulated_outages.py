"""Weeks in which processes die, releases are deployed and email comes late: nobody dies who could not have moved,
nobody waits much longer than the site was down, and the story of every clock adds up."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

import pytest
from django.db import transaction

from accounts.services.mail_passwords import set_mail_password
from duels.errors import StaleOrders, TimeIsOver, TooLate
from duels.models import ClockStop, Deadline, OrderSheet, Stage
from duels.paces import Pace, get_pace
from duels.selectors.live import is_battle_in_doubt
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.deadlines import find_last_forfeit
from duels.services.clocks.outages import note_served_page
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import submit_orders
from email_gateway.models import InboundMail
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.process_mail import claim_inbound, process_mail
from notifications.models import Delivery, Notice
from operations.models import Heartbeat, Outage
from operations.policy import Policy
from operations.selectors import list_doubts
from operations.services.outages import record_heartbeat, watch_parts
from tests.duels.fights import Fight, start_fight
from tests.email_gateway.world import write_mail
from tests.scenes import NOW, make_mage
from tests.services.plugin import LONG

pytestmark = pytest.mark.django_db
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
NOTHING = timedelta(0)
TOLERANCE = 2 * SECOND
# What the site notices: a silence of the web processes in a live battle, and of any part in the others.
GAP, OUTAGE = 15 * SECOND, 10 * MINUTE
SWEEP, STAMP = 20 * SECOND, 5 * SECOND
PASSWORD = "three-black-moths"
SEEDS = range(100 if LONG else 1)
LENGTHS = {"live1": HOUR, "live3": HOUR, "live5": 2 * HOUR} if LONG else {"live1": HOUR / 2}


@dataclass
class Part:
    """A part of the site, and when it was down."""

    is_up: bool = True
    down: list[tuple[datetime, datetime]] = field(default_factory=list)
    since: datetime | None = None

    def fail(self, now: datetime) -> None:
        if self.is_up:
            self.is_up, self.since = False, now

    def recover(self, now: datetime) -> None:
        if not self.is_up and self.since is not None:
            self.is_up = True
            self.down.append((self.since, now))

    def measure(self, since: datetime, until: datetime, *, from_length: timedelta = NOTHING) -> timedelta:
        """Return how long it was down between two moments, without shorter periods."""
        spans = [*self.down, *([(self.since, until)] if not self.is_up and self.since else [])]
        parts = (min(end, until) - max(start, since) for start, end in spans if end - start > from_length)
        return sum((part for part in parts if part > NOTHING), NOTHING)


@dataclass
class Weeks:
    """One duel at one pace, on a site whose parts fail. Time jumps from event to event."""

    seed: int
    pace: Pace
    fight: Fight
    now: datetime = NOW
    web: Part = field(default_factory=Part)
    worker: Part = field(default_factory=Part)
    events: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    order: count = field(default_factory=count)
    planned: set[tuple[int, int]] = field(default_factory=set)
    mails: dict[int, str] = field(default_factory=dict)
    deaths: int = 0

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)

    @property
    def is_live(self) -> bool:
        return self.pace.is_live

    def at(self, when: datetime, act: Callable[[], None]) -> None:
        heapq.heappush(self.events, (max(when, self.now), next(self.order), act))

    def run(self, length: timedelta) -> None:
        end = NOW + length
        self.at(NOW, self.beat)
        self.at(NOW + self.dice.random() * length / 8, self.break_something)
        while self.events and self.events[0][0] <= end and not self.fight.battle.is_over:
            self.now, _number, act = heapq.heappop(self.events)
            self.live_on()
            act()
            self.plan_orders()
            self.fight.battle.refresh_from_db()

    # The site.

    def live_on(self) -> None:
        """Write the heartbeats of the time that this jumps over: without failures they come every half minute."""
        if self.worker.is_up:
            parts = [Heartbeat.Part.BEAT, *([Heartbeat.Part.SITE] if self.web.is_up else [])]
            Heartbeat.objects.filter(part__in=parts).update(beat_at=self.now)

    def beat(self) -> None:
        """What runs by itself: stamps, heartbeats, sweeps, and email that waits."""
        if self.web.is_up and self.is_live:
            note_served_page(served_at=self.now, now=self.now)
        if self.worker.is_up:
            self.work()
        self.at(self.now + self.find_pause(), self.beat)

    def find_pause(self) -> timedelta:
        """Return the time to the next beat. Where days count, nothing happens between the moments that are due."""
        if self.is_live:
            return STAMP
        due = Deadline.objects.exclude(due_at=None).order_by("due_at").values_list("due_at", flat=True).first()
        left = HOUR if due is None else due - self.now
        if left < MINUTE:
            return SWEEP
        watched = bool(self.mails) or not (self.web.is_up and self.worker.is_up)
        return min(2 * MINUTE if watched else HOUR, left - MINUTE / 2)

    def work(self) -> None:
        if self.web.is_up:
            record_heartbeat(part=Heartbeat.Part.SITE, now=self.now)
        watch_parts(now=self.now)
        Delivery.objects.update(state=Delivery.State.SENT, sealed_mail="")
        self.sweep()

    def break_something(self) -> None:
        what = self.dice.choice(["web", "worker", "both", "deploy"])
        longest = 5 * MINUTE if self.is_live else 8 * HOUR
        length = self.dice.choice([5 * SECOND, 30 * SECOND, longest]) * self.dice.uniform(0.5, 1.5)
        if what == "deploy":
            length = self.dice.uniform(3, 40) * SECOND
        broken = [
            part for name, part in (("web", self.web), ("worker", self.worker)) if what in (name, "both", "deploy")
        ]
        for part in broken:
            part.fail(self.now)
        self.at(self.now + length, lambda: self.repair(broken))

    def repair(self, broken: list[Part]) -> None:
        for part in self.dice.sample(broken, len(broken)):
            part.recover(self.now)
        if self.worker in broken:
            self.work()
        if self.web in broken and self.is_live:
            note_served_page(served_at=self.now, now=self.now)
        pause = self.pace.longest * self.dice.uniform(0.2, 2)
        self.at(self.now + pause, self.break_something)

    # The players.

    def plan_orders(self) -> None:
        """The player who is asked decides when and how to answer: soon, at the last moment, too late, or never."""
        for row in Deadline.objects.select_related("combatant__mage", "stage"):
            key = (row.stage_id, row.combatant_id)
            if key in self.planned:
                continue
            self.planned.add(key)
            habit = self.dice.choices(["soon", "last", "never"], weights=[8, 16, 1])[0]
            if habit == "never":
                continue
            share = self.pace.longest * self.dice.random() if habit == "soon" else self.pace.longest
            seconds = self.dice.uniform(4, 10) if self.dice.random() < 0.15 else self.dice.uniform(-20, 1.9)
            late = seconds * SECOND if habit == "last" else NOTHING
            name, stage = row.combatant.mage.name, row.stage_id
            send = self.dice.choice([self.send_page, self.send_mail])
            self.at(row.stage.opened_at + share + late, lambda name=name, stage=stage, send=send: send(name, stage))

    def is_open(self, name: str, stage: int) -> bool:
        waiting = OrderSheet.objects.filter(stage=stage, stage__closed_at=None, ready=False)
        return waiting.filter(combatant__mage__name=name).exists()

    def send_page(self, name: str, stage: int) -> None:
        if not self.is_open(name, stage):
            return
        if not self.web.is_up:  # the player tries again
            self.at(self.now + self.dice.uniform(2, 30) * SECOND, lambda: self.send_page(name, stage))
            return
        waited = self.dice.choice([0, 0, 3]) * SECOND
        arrived = self.now
        self.at(self.now + waited, lambda: self.take(name, stage, arrived, "web"))

    def send_mail(self, name: str, stage: int) -> None:
        """The listener accepts it, and a worker processes it up to some minutes later."""
        if not self.is_open(name, stage):
            return
        number = self.fight.number
        text = f"USER {name}_user {PASSWORD}\nGAME {number} {name}\nTURN {self.fight.battle.label}\nLH -\nRH -\nEND\n"
        mail = ingest_mail(
            raw=write_mail(text, sender=f"{name}@example.org"), mail_from=f"{name}@example.org",
            rcpt_tos=["fm@localhost"], now=self.now,
        )  # fmt: skip
        self.mails[mail.pk] = name
        self.at(self.now + self.dice.choice([2, 30, 240]) * SECOND, lambda: self.process(mail, stage))

    def process(self, mail: InboundMail, stage: int) -> None:
        if not self.worker.is_up:
            self.at(self.now + 30 * SECOND, lambda: self.process(mail, stage))
            return
        name = self.mails.pop(mail.pk)
        expected = self.expect(name, stage, mail.received_at)
        claimed = claim_inbound(mail_id=mail.pk, now=self.now)
        assert claimed is not None
        process_mail(mail=claimed, now=self.now)
        mail.refresh_from_db()
        assert mail.state == InboundMail.State.PROCESSED, mail.remark
        if expected is not None:
            assert self.is_open(name, stage) is not expected, (self.now, name, mail.received_at)

    def take(self, name: str, stage: int, arrived: datetime, via: str) -> None:
        expected = self.expect(name, stage, arrived)
        if expected is None:
            return
        try:
            submit_orders(
                combatant=self.fight.combatant(name), text="LH -\nRH -", via="web", now=self.now, ready=True,
                arrived_at=arrived,
            )  # fmt: skip
        except TooLate:
            assert expected is False, (self.now, name, arrived)
        except (StaleOrders, TimeIsOver):
            raise AssertionError(f"{name} was not waited for") from None
        else:
            assert expected is True, (self.now, name, arrived)

    def expect(self, name: str, stage: int, arrived: datetime) -> bool | None:
        """Return whether orders that arrived then must count; None if nobody waits for them, or if the clock is about
        to change, so that either is right."""
        row = Deadline.objects.filter(stage=stage, combatant__mage__name=name).first()
        if row is None:
            return None
        if row.step != Deadline.Step.FORFEIT or row.forfeit_at is None or arrived <= row.forfeit_at + TOLERANCE:
            return True
        if list_doubts(self.now) or is_battle_in_doubt(self.fight.battle, self.now):
            return True
        return None if Outage.objects.filter(given_back_at=None).exists() else False

    # What must be true.

    def sweep(self) -> None:
        before = {row.combatant_id: row for row in Deadline.objects.select_related("combatant__mage", "stage")}
        waiting = {pk: InboundMail.objects.get(pk=pk).received_at for pk in self.mails}
        sweep_deadlines(now=self.now, forfeit_until=find_last_forfeit(now=self.now))
        fallen = OrderSheet.objects.filter(stage__battle=self.fight.battle, via=OrderSheet.Via.CLOCK)
        for sheet in fallen.select_related("combatant__mage", "stage"):
            row = before.get(sheet.combatant_id)
            if row is not None and row.stage_id == sheet.stage_id:
                self.deaths += 1
                self.check_death(row, waiting)

    def check_death(self, row: Deadline, waiting: dict[int, datetime]) -> None:
        name, opened, until = row.combatant.mage.name, row.stage.opened_at, row.forfeit_at
        assert row.step == Deadline.Step.FORFEIT and until is not None
        story = (self.seed, self.pace.name, name, opened, until, self.now, self.web.down, self.worker.down)
        assert all(self.mails[pk] != name or came > until + TOLERANCE for pk, came in waiting.items()), story
        began = opened
        if self.is_live:
            # Since they could last open a page after a gap, they had the whole time.
            ends = [end for start, end in self.web.down if end - start > GAP + STAMP and opened < end <= self.now]
            began = max([opened, *ends])
            assert self.web.is_up or self.web.since is None or self.now - self.web.since <= GAP, story
        lost = NOTHING
        if not self.is_live:
            lost = max(part.measure(opened, until, from_length=OUTAGE + MINUTE) for part in (self.web, self.worker))
        assert until - began >= self.pace.longest + lost, story
        final = Notice.objects.filter(kind="deadline_final", user__username=f"{name}_user", created_at__gte=began)
        assert final.filter(created_at__lte=until - self.pace.grace).exists(), story
        self.check_story(row, opened, until, story)

    def check_story(self, row: Deadline, opened: datetime, until: datetime, story: object) -> None:
        """The time that passed is the time that was used, plus the time that the site's own history does not count."""
        stops = ClockStop.objects.filter(battle=self.fight.battle, reason=ClockStop.Reason.OUTAGE, ended_at__gt=opened)
        begun = max([opened, *stops.values_list("ended_at", flat=True)])
        outages = Outage.objects.filter(ended_at__gt=begun, started_at__lt=until).values_list("started_at", "ended_at")
        given = sum((min(end, until) - max(start, begun) for start, end in outages if end), NOTHING)
        assert abs(until - begun - given - row.allowed - row.grace) <= SECOND, story

    def check_bounds(self) -> None:
        """Nobody waits longer than the time of a stage, what the site was down, and what email was on its way."""
        down = sum((part.measure(NOW, self.now) for part in (self.web, self.worker)), NOTHING)
        for stage in Stage.objects.filter(turn__battle=self.fight.battle):
            lasted = (stage.closed_at or self.now) - stage.opened_at
            # After each outage a live clock starts again.
            times = 1 + (len(self.web.down) if self.is_live else 0)
            assert lasted <= times * self.pace.longest + self.pace.grace + down + 10 * MINUTE, (self.seed, lasted)


def simulate(seed: int, pace: str, length: timedelta) -> Weeks:
    mages = [make_mage("Swift"), make_mage("Rapid")]
    for mage in mages:
        set_mail_password(user=mage.user, raw=PASSWORD, now=NOW)
    fight = start_fight(*mages, pace=pace, stakes="ladder")
    for name in fight.names:
        record_presence(combatant=fight.combatant(name), now=NOW)
    fight.turn("-/-", "-/-")
    weeks = Weeks(seed, get_pace(pace, Policy()), fight)
    weeks.run(length)
    weeks.check_bounds()
    return weeks


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("pace", "length"), LENGTHS.items(), ids=LENGTHS)
def test_nobody_dies_in_a_live_battle_who_could_not_have_moved(pace, length, seed):
    simulate(seed, pace, length)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("pace", ["day", "fast"] if LONG else ["day"])
def test_nobody_dies_in_weeks_of_outages_deploys_and_late_email_who_could_not_have_moved(pace, seed):
    simulate(seed, pace, (70 if LONG else 14) * 24 * HOUR)


def test_the_simulations_see_deaths_and_gaps():
    """They would prove nothing otherwise."""
    seen = []
    for seed in range(100, 104) if LONG else [102]:
        with transaction.atomic():
            weeks = simulate(seed, "live1", HOUR / 2)
            gaps = ClockStop.objects.filter(reason=ClockStop.Reason.OUTAGE).count()
            seen.append((weeks.deaths, gaps, weeks.fight.battle.seq))
            transaction.set_rollback(True)
    deaths, gaps, turns = map(sum, zip(*seen, strict=True))
    assert deaths and gaps and turns > (20 if LONG else 10), seen
