"""The clocks of battles compared with a simple model, whatever happens and in any order."""

import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from accounts.errors import InvalidVacation
from accounts.services.vacations import end_vacation, start_vacation
from duels.models import Battle, Combatant, Deadline, MissedTurn, OrderSheet
from duels.paces import get_pace
from duels.selectors.time_used import read_times_used
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.clocks.extra_time import extend_deadline, take_time
from duels.services.clocks.pauses import ask_pause, resume_battle
from duels.services.clocks.sweep import sweep_absences, sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from notifications.models import Notice
from notifications.services.preferences import set_preference
from operations.models import Heartbeat
from operations.policy import Policy
from operations.services.outages import record_heartbeat
from tests.duels.plain_clock import PlainClock
from tests.scenes import DAY, HOUR, make_mage

pytestmark = pytest.mark.django_db
# A list that fails is short enough to be read; finding a shorter one takes minutes.
SEARCH = settings(
    max_examples=500 if os.environ.get("FM_TEST_LONG") == "1" else 4,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
# Within days of the changes of clocks in Europe.
BEGINNINGS = (datetime(2031, 3, 27, 9, tzinfo=UTC), datetime(2031, 10, 23, 15, tzinfo=UTC))
ZONE = "Europe/Berlin"

hours = st.integers(1, 40)
doings = st.sampled_from(["ready", "back", "time", "talk", "home", "pause", "resume", "away"])
steps = st.one_of(
    st.tuples(st.just("pass"), hours),
    st.tuples(st.just("pass"), hours),
    st.tuples(doings, st.integers(1, 35)),
    # The background work is silent; someone does something meanwhile.
    st.tuples(st.just("silence"), hours, doings, st.integers(1, 35), hours),
)
jumps = st.tuples(st.just("jump"), st.sampled_from([-25, -24, -1, 1, 24, 25]), st.booleans())


@dataclass
class Trial:
    """Bung may owe orders; Froodal is ready, and Crom has all the time in the world, so that the turn stays open. What
    is done to the battle is done to the plain clock."""

    battle: Battle
    plain: PlainClock
    has_jumped: bool = False

    @classmethod
    def begin(cls, began: datetime, pace: str, rests: bool) -> "Trial":
        mages = [make_mage(name) for name in ("Froodal", "Bung", "Crom")]
        set_preference(user=mages[1].user, key="time_zone", value=ZONE)
        # In a league, where the time that players use is counted besides.
        terms = Terms(stakes="league", pace=pace, weekends=rests, nights=rests)
        battle = start_battle(number=take_number(), terms=terms, mages=mages, now=began)
        numbers = get_pace(pace, Policy())
        plain = PlainClock(
            began, numbers.time // HOUR, numbers.grace // HOUR, numbers.extension // HOUR, ZONE if rests else None
        )
        trial = cls(battle, plain)
        trial.order("Froodal", ready=True)
        extend_deadline(combatant=trial.find("Crom"), length=3000 * DAY, now=began)
        trial.beat()
        return trial

    def find(self, name: str) -> Combatant:
        return self.battle.combatants.select_related("mage__user").get(mage__name=name)

    def order(self, name: str, *, ready: bool | None, text: str = "LH W\nRH S") -> None:
        submit_orders(combatant=self.find(name), text=text, via="web", now=self.plain.now, ready=ready)

    def beat(self) -> None:
        """The background work went on until now."""
        Heartbeat.objects.update_or_create(part="beat", defaults={"beat_at": self.plain.now})

    def take_step(self, what: str, *more: Any) -> None:
        if what == "pass":
            self.plain.pass_hours(more[0])
            self.beat()
            self.sweep()
        elif what == "silence":
            before, doing, number, after = more
            self.plain.pass_hours(before, out_of_order=True)
            self.do(doing, number)
            self.plain.pass_hours(after, out_of_order=True)
            record_heartbeat(part="beat", now=self.plain.now)
            self.sweep()
        elif what == "jump":
            self.jump(*more)
        else:
            self.do(what, more[0])

    def do(self, what: str, number: int) -> None:
        plain, now, bung = self.plain, self.plain.now, self.find("Bung")
        if what == "ready" and plain.owes:
            self.order("Bung", ready=True)
            plain.order()
        elif what == "back" and not plain.owes:
            self.order("Bung", ready=False, text="LH F")
            plain.take_back()
        elif what == "time" and plain.owes and plain.extensions < 2:
            take_time(combatant=bung, now=now)
            plain.lengthen()
        elif what == "talk" and plain.owes:
            self.order("Bung", ready=None, text="SAY soon")
            plain.come_back()
        elif what == "away":
            with suppress(InvalidVacation):  # no days left this year
                plain.go_away(start_vacation(user=bung.mage.user, days=number, now=now).until)
        elif what == "home":
            end_vacation(user=bung.mage.user, now=now)
            plain.come_back()
        elif what == "pause" and not plain.is_paused:
            days = min(number, 30)
            for name in ("Froodal", "Bung", "Crom"):
                ask_pause(combatant=self.find(name), days=days, now=now)
            plain.paused_until = plain.hour + 24 * days
        elif what == "resume":
            resume_battle(battle=self.battle, now=now)
            plain.paused_until = min(plain.paused_until, plain.hour)

    def sweep(self) -> None:
        sweep_deadlines(now=self.plain.now)
        if self.has_jumped:
            # At a wrong time clocks may have been made to agree with what does not hold now.
            sweep_absences(now=self.plain.now)
        self.plain.sweep()

    def jump(self, hours: int, noticed: bool) -> None:
        """The machine's clock is wrong for one sweep, and the watchdog may or may not see it first."""
        self.has_jumped = True
        wrong = self.plain.now + hours * HOUR
        if noticed:
            record_heartbeat(part="beat", now=wrong)
        sweep_deadlines(now=wrong)
        if noticed:
            record_heartbeat(part="beat", now=self.plain.now)

    @property
    def is_dead(self) -> bool:
        return OrderSheet.objects.filter(stage__battle=self.battle, via=OrderSheet.Via.CLOCK).exists()

    def read_settled(self) -> timedelta | None:
        """Return what Bung's clock will have used once it is settled, as it is before anything follows from it."""
        with transaction.atomic():
            update_clocks(battle=self.battle, now=self.plain.now)
            used = self.read_used()
            transaction.set_rollback(True)
        return used

    def read_total(self) -> timedelta:
        """Return how much time Bung's player has used in the battle."""
        return read_times_used([self.battle.number], self.plain.now)[self.battle.number]["Bung"]

    def read_used(self) -> timedelta | None:
        row = Deadline.objects.filter(battle=self.battle, combatant__mage__name="Bung").first()
        return row and row.clock.used_at(self.plain.now)


def check_steps(began, pace, rests, taken, *, exactly):
    """Do it all, and then undo it, for the next."""
    with transaction.atomic():
        compare_steps(began, pace, rests, taken, exactly=exactly)
        transaction.set_rollback(True)


def compare_steps(began, pace, rests, taken, *, exactly):
    trial = Trial.begin(began, pace, rests)
    plain = trial.plain
    for step in taken:
        trial.take_step(*step)
        assert not trial.is_dead or plain.dead, f"forfeited early: {step}"
        # An outage that a wrong clock recorded may cover a real one; it is given back when something is due.
        used = trial.read_used() if exactly else trial.read_settled()
        if exactly:
            assert (trial.is_dead, used is None) == (plain.dead, plain.dead or not plain.owes), step
        if plain.dead or trial.is_dead:
            break
        if step[0] in ("pass", "silence") and used is not None:
            assert timedelta(0) <= used <= plain.used * HOUR, step
            assert used == plain.used * HOUR or not exactly, step
        if step[0] in ("pass", "silence") and exactly:
            assert trial.read_total() == plain.used * HOUR, step
    if exactly and not plain.dead:
        trial.do("ready", 1)
        trial.order("Crom", ready=True)
        assert trial.read_total() == trial.find("Bung").time_used == plain.used * HOUR
    assert MissedTurn.objects.count() <= 1
    kinds = Counter(Notice.objects.filter(kind="mage_forfeited").values_list("user", flat=True))
    assert set(kinds.values()) <= {1}


CALLS = {
    "began": st.sampled_from(BEGINNINGS),
    "pace": st.sampled_from(["fast", "fast", "bank", "classic"]),
    "rests": st.booleans(),
}


# A pause that ended unnoticed before the mage took back being ready.
PAUSED = [("ready", 1), ("pause", 1), ("silence", 30, "back", 1, 2), ("pass", 1)]
# A vacation that ended before anyone looked.
AWAY = [("away", 1), ("pass", 25), ("ready", 1)]
# Someone goes away in an outage of which nobody knows, or is back before it ends.
OUT = [("pass", 9), ("silence", 8, "away", 3, 6), ("away", 1), ("silence", 3, "talk", 1, 17), ("pass", 1)]
# A vacation ends within a pause, and both ends are noticed at once.
BOTH = [("pass", 1), ("away", 5), ("pass", 1), ("pause", 2), ("pass", 24), ("home", 1), ("pass", 30)]
# The machine's clock was a day ahead, for the length of an outage that was none, and within it a clock began to run.
AHEAD = [("ready", 1), ("jump", 25, True), ("back", 1), ("silence", 24, "talk", 1, 7)]
TWICE = [("ready", 1), ("jump", 25, True), ("pass", 12), ("jump", 25, True), ("silence", 3, "back", 1, 3)]


@SEARCH
@given(**CALLS, taken=st.lists(steps, min_size=5, max_size=30))
@example(began=BEGINNINGS[0], pace="fast", rests=False, taken=PAUSED)
@example(began=BEGINNINGS[0], pace="classic", rests=False, taken=AWAY)
@example(began=BEGINNINGS[0], pace="fast", rests=False, taken=OUT)
@example(began=BEGINNINGS[0], pace="fast", rests=False, taken=BOTH)
def test_a_clock_runs_like_the_simple_model(began, pace, rests, taken):
    """FM-SLOW-5, FM-SLOW-6, FM-SLOW-7: to the hour, over vacations, pauses, outages, nights, weekends and the change of
    clocks; a mage who runs out of time dies at the first sweep after that, and not before."""
    check_steps(began, pace, rests, taken, exactly=True)


@SEARCH
@given(**CALLS, taken=st.lists(st.one_of(steps, jumps), min_size=5, max_size=30))
@example(began=BEGINNINGS[0], pace="bank", rests=False, taken=AHEAD)
@example(began=BEGINNINGS[0], pace="bank", rests=False, taken=TWICE)
def test_however_the_machine_s_clock_jumps_nobody_is_forfeited_early(began, pace, rests, taken):
    check_steps(began, pace, rests, taken, exactly=False)
