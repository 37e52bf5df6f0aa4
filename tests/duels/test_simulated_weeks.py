"""Weeks of battles whose players go away, lose their email and pause at random, on a site that is down now and then, is
deployed, and gets email late: nobody dies who could not have moved, and nobody is bound longer than the stated limits.

tests/duels/test_simulated_outages.py does the same for live battles, second by second.
"""

import os
import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from accounts.errors import InvalidVacation
from accounts.models import ClockUpdate, Mage, User, Vacation
from accounts.services.absence import sweep_vacations
from accounts.services.mages import touch_activity
from accounts.services.users import mark_email_failing
from accounts.services.vacations import end_vacation, start_vacation
from accounts.vacation_days import count_days
from duels.errors import DuelRefused, DuelsError, TooLate
from duels.keys import StageKey
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet, Stage
from duels.paces import PACES, Pace, get_pace
from duels.selectors.stage_keys import key_of
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.extra_time import take_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.sweep import sweep_absences, sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.addresses import make_turn_address
from email_gateway.models import InboundMail
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.process_mail import claim_inbound, process_mail
from notifications.models import Delivery
from operations.models import Heartbeat, Outage
from operations.policy import Policy
from operations.selectors import list_doubts
from operations.services.outages import record_heartbeat, watch_parts
from tests.email_gateway.world import write_mail
from tests.scenes import DAY, NOW, make_mage

pytestmark = pytest.mark.django_db
NOTHING = timedelta(0)
HOUR = timedelta(hours=1)
PARTS = (Heartbeat.Part.BEAT, Heartbeat.Part.SITE)
# Orders count by their arrival for so long after the forfeit moment.
TOLERANCE = timedelta(seconds=2)
POLICY = Policy()
LONG_ABSENCE = POLICY.absence_most_days * DAY
MUTE = POLICY.undelivered_mail_days * DAY
# A player who is present and does not answer holds up a choice for that long.
SILENCE = 7 * DAY
STEPS = 40
SEARCH = settings(
    max_examples=300 if os.environ.get("FM_TEST_LONG") == "1" else 2,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
Span = tuple[datetime, datetime]


def measure(spans: Iterable[Span], since: datetime, until: datetime) -> timedelta:
    """Return how much of the time between two moments these spans cover."""
    total, reached = NOTHING, since
    for start, end in sorted(spans):
        begin = max(start, reached)
        if begin < min(end, until):
            total += min(end, until) - begin
            reached = min(end, until)
    return total


@dataclass(eq=False)
class Player:
    """A user with one mage, and when they were away or could get no email. The impatient one, who is first, always
    orders at once, and claims a battle as soon as possible; a silent one only goes away, and a slow one hardly does
    anything."""

    mage: Mage
    is_impatient: bool
    vacations: list[list[datetime]] = field(default_factory=list)
    bounces: list[list[datetime]] = field(default_factory=list)
    is_silent: bool = False
    is_slow: bool = False

    @property
    def user(self) -> User:
        return User.objects.get(pk=self.mage.user_id)

    def come_back(self, now: datetime) -> None:
        """The player acts: that ends a vacation, and any time without email."""
        for spans in (self.vacations, self.bounces):
            if spans:
                spans[-1][1] = min(spans[-1][1], now)


@dataclass
class Weeks:
    """One battle after the other of the same players, at one pace."""

    pace: Pace
    stakes: str
    players: list[Player]
    random: random.Random
    now: datetime = NOW
    battle: Battle | None = None
    pauses: list[Span] = field(default_factory=list)
    # When nobody could move: the site was down. No such time counts as a chance.
    shut: list[Span] = field(default_factory=list)
    # How long each mage had for each stage, at its beginning.
    granted: dict[tuple[int, int], timedelta] = field(default_factory=dict)
    judged: set[int] = field(default_factory=set)
    # The closed stages whose length was checked.
    bound: set[int] = field(default_factory=set)
    happened: set[str] = field(default_factory=set)

    @classmethod
    def begin(cls, pace: str, stakes: str, count: int, seed: int) -> "Weeks":
        players = [Player(make_mage(f"Mage{place}"), is_impatient=place == 0) for place in range(count)]
        return cls(get_pace(pace, POLICY), stakes, players, random.Random(seed))

    # What happens.

    def run(self) -> None:
        for _ in range(STEPS):
            if self.battle is None and not self.start():
                return
            self.now += self.longest_step * self.random.uniform(0.1, 1)
            self.break_down()
            for player in self.players:
                self.act(player)
            self.sweep()
            for player in self.players:
                self.choose(player)
            self.check()

    @property
    def longest_step(self) -> timedelta:
        return self.pace.longest / 6

    def start(self) -> bool:
        """Start the next battle; False if fewer than two mages are alive."""
        mages = [Mage.objects.get(pk=player.mage.pk) for player in self.players]
        self.players = [player for player, mage in zip(self.players, mages, strict=True) if mage.is_alive]
        if len(self.players) < 2 or not self.players[0].is_impatient:
            return False
        terms = Terms(pace=self.pace.name, stakes=self.stakes)
        own = [Mage.objects.select_related("user").get(pk=player.mage.pk) for player in self.players]
        self.battle = start_battle(number=take_number(), terms=terms, mages=own, now=self.now)
        self.pauses.clear()
        for player in self.players:
            player.is_silent = self.random.random() < 0.35 and not player.is_impatient
            player.is_slow = self.random.random() < 0.3 and not player.is_impatient
            if self.pace.is_live:
                record_presence(combatant=self.find(player), now=self.now)
        self.note_granted()
        return True

    def find(self, player: Player) -> Combatant:
        return Combatant.objects.select_related("mage__user", "battle").get(battle=self.battle, mage=player.mage)

    def owes(self, player: Player) -> bool:
        return Deadline.objects.filter(battle=self.battle, combatant__mage=player.mage).exists()

    def act(self, player: Player) -> None:
        acts = ["order", "away", "away", "home", "mute", "time", "pause", "mail", "last", "last", *[""] * 6]
        what = self.random.choice(acts)
        if player.is_impatient:
            what = "order"
        elif player.is_slow:
            what = self.random.choice(["order", "last", *[""] * 14])
        elif player.is_silent:
            what = self.random.choice(["away", ""])
        with suppress(DuelsError, InvalidVacation):
            getattr(self, f"act_{what}", lambda player: None)(player)

    def act_order(self, player: Player) -> None:
        if self.owes(player):
            player.come_back(self.now)
            submit_orders(combatant=self.find(player), text="-/-", via="web", now=self.now, ready=True)
            self.note_granted()

    def act_away(self, player: Player) -> None:
        vacation = start_vacation(
            user=player.user, days=35 if player.is_silent else self.random.randint(1, 35), now=self.now
        )
        if player.vacations and player.vacations[-1][0] == vacation.starts_at:
            player.vacations[-1][1] = vacation.until
        else:
            player.vacations.append([self.now, vacation.until])

    def act_home(self, player: Player) -> None:
        end_vacation(user=player.user, now=self.now)
        touch_activity(user=player.user, now=self.now)
        player.come_back(self.now)

    def act_mute(self, player: Player) -> None:
        if not player.bounces or player.bounces[-1][1] <= self.now:
            User.objects.filter(pk=player.mage.user_id).update(mail_fails_since=None)
            mark_email_failing(user=player.user, now=self.now)
            player.bounces.append([self.now, datetime.max.replace(tzinfo=NOW.tzinfo)])

    def act_time(self, player: Player) -> None:
        take_time(combatant=self.find(player), now=self.now)

    def act_pause(self, _player: Player) -> None:
        if self.pauses or self.random.random() < 0.8:
            return
        days = self.random.randint(1, 10)
        agreed = [ask_pause(combatant=self.find(player), days=days, now=self.now) for player in self.players]
        if any(agreed):
            self.pauses.append((self.now, self.now + days * DAY))
            self.happened.add("pause")

    def act_mail(self, player: Player) -> None:
        """Orders by email, which a worker processes later. Live battles have a simulation of their own for that."""
        if self.battle is None or self.pace.is_live or not self.owes(player):
            return
        key = key_of(self.battle)
        address = make_turn_address(
            user_id=player.mage.user_id, battle=self.battle.number, seq=key.seq, attempt=key.attempt
        )
        text = f"GAME {self.battle.number} {player.mage.name}\nLH -\nRH -\nEND\n"
        sender = f"{player.mage.name}@example.org".lower()
        mail = ingest_mail(
            raw=write_mail(text, sender=sender, Message_ID=f"<{self.random.random()}@example.org>"),
            mail_from=sender,
            rcpt_tos=[address],
            now=self.now,
        )
        self.now += min(timedelta(minutes=self.random.choice([1, 10, 60])), self.longest_step / 4)
        self.sweep()  # nobody forfeits while it waits
        expected = self.find_expected(player, mail.received_at)
        claimed = claim_inbound(mail_id=mail.pk, now=self.now)
        assert claimed is not None
        process_mail(mail=claimed, now=self.now)
        mail.refresh_from_db()
        assert mail.state == InboundMail.State.PROCESSED, mail.remark
        self.happened.add("mail")
        if expected is not None:
            assert self.owes(player) is not expected or self.has_new_stage(key), (self.now, player.mage.name)
        if expected:
            player.come_back(mail.received_at)
        self.note_granted()

    def act_last(self, player: Player) -> None:
        """Orders at the last moment, or just too late."""
        row = Deadline.objects.filter(battle=self.battle, combatant__mage=player.mage).first()
        if row is None or row.step != Deadline.Step.FORFEIT or row.forfeit_at is None or row.forfeit_at <= self.now:
            return
        late = self.random.choice([-20.0, 1.9, 4.0])
        self.now = max(self.now, row.forfeit_at + timedelta(seconds=late))
        expected = self.find_expected(player, self.now)
        try:
            submit_orders(
                combatant=self.find(player), text="-/-", via="web", now=self.now, ready=True, arrived_at=self.now
            )
        except TooLate:
            assert expected is not True, (self.now, player.mage.name)
            self.happened.add("too late")
        else:
            assert expected is not False, (self.now, player.mage.name)
            player.come_back(self.now)
            self.happened.add("last moment")
        self.note_granted()

    def find_expected(self, player: Player, arrived: datetime) -> bool | None:
        """Return whether orders that arrived then must count; None if nobody waits for them, or either is right."""
        row = Deadline.objects.filter(battle=self.battle, combatant__mage=player.mage).first()
        if row is None:
            return None
        if row.step != Deadline.Step.FORFEIT or row.forfeit_at is None or arrived <= row.forfeit_at + TOLERANCE:
            return True
        # Clocks may be about to change for an absence or an outage.
        is_calm = not list_doubts(self.now) and not ClockUpdate.objects.exists()
        return False if is_calm and not Outage.objects.filter(given_back_at=None).exists() else None

    def has_new_stage(self, key: StageKey) -> bool:
        assert self.battle is not None
        self.battle.refresh_from_db()
        return key_of(self.battle) != key

    def choose(self, player: Player) -> None:
        """Present players claim the battle as soon as they can, except those who never answer.

        Before anybody can have been absent for long enough, only some ask, and are refused.
        """
        away = player.vacations and player.vacations[-1][1] > self.now
        if self.battle is None or player.is_silent or away:
            return
        is_young = self.now - self.battle.started_at < LONG_ABSENCE
        if is_young and self.random.random() > 0.1:
            return
        try:
            claim_battle(combatant=self.find(player), now=self.now)
        except DuelRefused as error:
            assert error.code == "not_late_enough", error
        else:
            assert not is_young, self.now
            self.happened.add("claim")
            self.note_granted()

    def break_down(self) -> None:
        """Sometimes the site is down for a while, or for the seconds of a deploy, which nobody notices. Live battles
        have a simulation of their own for that."""
        self.live_on()
        if self.pace.is_live or self.random.random() > 0.15:
            return
        since = self.now
        length = self.random.choice([30 / 3600, 0.5, 5, 30]) * HOUR
        self.now += min(length, self.longest_step)
        for part in PARTS:
            record_heartbeat(part=part, now=self.now)
        watch_parts(now=self.now)
        if self.now - since > timedelta(minutes=POLICY.outage_minutes):
            self.shut.append((since, self.now))
            self.happened.add("outage")
        else:
            self.happened.add("deploy")

    def live_on(self) -> None:
        """Write the heartbeats of the time that this jumps over: without failures they come every half minute."""
        beats = [Heartbeat(part=part, beat_at=self.now) for part in PARTS]
        Heartbeat.objects.bulk_create(beats, update_conflicts=True, unique_fields=["part"], update_fields=["beat_at"])

    def sweep(self) -> None:
        self.live_on()
        Delivery.objects.update(state=Delivery.State.SENT)
        sweep_vacations(now=self.now)
        sweep_deadlines(now=self.now)
        if self.random.random() < 0.1:
            sweep_absences(now=self.now)
        self.note_granted()

    def note_granted(self) -> None:
        for row in Deadline.objects.filter(battle=self.battle):
            self.granted.setdefault((row.stage_id, row.combatant_id), row.allowed + row.grace)

    # What must hold.

    def check(self) -> None:
        battle = self.battle
        assert battle is not None
        battle.refresh_from_db()
        sheets = OrderSheet.objects.filter(stage__battle=battle, via=OrderSheet.Via.CLOCK).exclude(pk__in=self.judged)
        for sheet in sheets.select_related("stage", "combatant"):
            self.judged.add(sheet.pk)
            if sheet.lines == ["FORFEIT"]:
                self.happened.add("forfeit")
                self.check_death(sheet.stage, sheet.combatant)
        for stage in Stage.objects.filter(battle=battle).exclude(pk__in=self.bound).order_by("pk"):
            self.check_bound(stage)
            if stage.closed_at is not None:
                self.bound.add(stage.pk)
        if self.pace.is_live:
            assert not ClockStop.objects.filter(battle=battle, reason__in=["vacation", "bounce"]).exists()
        for player in self.players:
            own = Vacation.objects.filter(user=player.mage.user_id)
            days = count_days((each.starts_at, each.ended_at or each.until) for each in own)
            assert all(number <= POLICY.vacation_year_days + POLICY.vacation_kept_days for number in days.values())
        if battle.is_over:
            self.battle = None

    def check_death(self, stage: Stage, combatant: Combatant) -> None:
        """A mage dies only after their whole time, in which their player could move and did not."""
        granted = self.granted[stage.pk, combatant.pk]
        chance = self.now - stage.opened_at - measure(self.list_rests(stage, combatant), stage.opened_at, self.now)
        assert chance >= granted, (combatant.mage.name, stage.opened_at, self.now, chance, granted)

    def list_rests(self, stage: Stage, combatant: Combatant) -> list[Span]:
        """Return times in which the mage's clock surely rested. It may have rested longer."""
        rests = [*self.pauses, *self.shut]
        if self.pace.is_live:
            return rests
        for player in self.players:
            sheet = OrderSheet.objects.filter(stage=stage, combatant__mage=player.mage).first()
            granted = self.granted.get((stage.pk, sheet.combatant_id)) if sheet else None
            if sheet is None or granted is None:
                continue
            until = sheet.submitted_at if sheet.ready and sheet.submitted_at else self.now
            before_alarm = stage.opened_at + (granted - self.pace.grace) * 0.8
            rests += [(start, min(end, until)) for start, end in player.vacations if start < before_alarm]
            if player.mage.pk == combatant.mage_id:
                rests += self.list_mute_times(player)
        return rests

    def list_mute_times(self, player: Player) -> list[Span]:
        """Return the times without email that surely count in this battle: seven days in all."""
        assert self.battle is not None
        left, times = MUTE, []
        for start, end in player.bounces:
            begin = max(start, self.battle.started_at)
            length = min(max(min(end, self.now) - begin, NOTHING), left)
            times.append((begin, begin + length))
            left -= length
        return times

    def check_bound(self, stage: Stage) -> None:
        """The impatient player waits for no stage longer than the pace, extra time, pauses and absences allow."""
        others = len(self.players) - 1
        granted = max((given for (pk, _), given in self.granted.items() if pk == stage.pk), default=NOTHING)
        most = granted + 2 * others * self.pace.extension + 3 * self.longest_step
        if not self.pace.is_live:
            most += others * LONG_ABSENCE + (others - 1) * SILENCE
        until = stage.closed_at or self.now
        lasted = until - stage.opened_at - measure([*self.pauses, *self.shut], stage.opened_at, until)
        assert lasted <= most, (stage.opened_at, until, lasted, most)


def simulate(pace: str, stakes: str, count: int, seed: int) -> set[str]:
    """Run the weeks and check them; undo everything, for the next."""
    with transaction.atomic():
        weeks = Weeks.begin(pace, stakes, count, seed)
        weeks.run()
        transaction.set_rollback(True)
    return weeks.happened


@SEARCH
@given(
    pace=st.sampled_from(PACES),
    stakes=st.sampled_from(["ladder", "friendly", "very-friendly"]),
    count=st.integers(2, 4),
    seed=st.integers(0, 2**32),
)
def test_nobody_dies_who_could_not_have_moved_and_nobody_is_bound_longer_than_the_limits(pace, stakes, count, seed):
    simulate(pace, stakes, count, seed)


@pytest.mark.slow
def test_these_weeks_hold_everything_that_can_happen():
    happened = set().union(*(simulate("slow", "friendly", 3, seed) for seed in (8, 13, 16)))
    assert happened >= {"forfeit", "claim", "pause", "outage", "deploy", "mail", "last moment"}
