"""Orders, turns, clocks and janitors' actions, each perhaps in a process that is killed between any two statements.

After every act the battle's rows are those from before it or those from after it, and nothing else: an act that is
tried in a transaction which is rolled back tells which those are. A simple model remembers which orders were
accepted, and each is played once. Clauses FM-SLOW-1, FM-WIN-4.
"""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts.models import Engagement, Mage
from duels.errors import NothingToOrder, StaleOrders, TimeIsOver
from duels.models import Battle, Deadline, MissedTurn, OrderSheet, Stage, Turn, TurnEvent
from duels.services.clocks.deadlines import process_deadlines
from duels.services.orders import submit_orders
from duels.services.resolve import resolve_turn
from ladder.models import CountDue, CountedBattle, Placing, ScoredBattle, ScoreEntry
from ladder.selectors.scores import find_disagreements
from moderation.models import JournalEntry
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Delivery, Notice
from studies.services.ladder_records import record_battle
from studies.services.replay_checks import replay_battle
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.races import run_until_killed
from tests.scenes import NOW, make_mage
from tests.services.plugin import LONG

numbers = count(1)
# None of these asks a question, now or in the next turn. Two palms surrender.
GESTURES = st.sampled_from(["W/D", "D/-", "-/W", "D/W", "-/-", "P/P"])
# Before which statement the process is killed; most acts are done before the last of these. None: it lives.
DEATHS = st.one_of(st.none(), st.integers(1, 30), st.integers(1, 160))
PLAYED = ("turn_resolved", "battle_finished")


class CrashMachine(RuleBasedStateMachine):
    fight: Fight

    @initialize(size=st.sampled_from([2, 2, 3]))
    def begin(self, size: int) -> None:
        self.now = NOW
        mages = [make_mage(f"Mage{next(numbers)}") for _ in range(size)]
        self.janitor = make_janitor(f"Jane{next(numbers)}")
        self.fight = start_fight(*mages)
        # The orders that were accepted: those of the open turn, and of each turn that was played and counts.
        self.given: dict[str, list[str]] = {}
        self.played: list[dict[str, list[str]]] = []
        # The last rewind, if nothing was ordered since, and what it took back.
        self.undoable: tuple[int, dict[str, list[str]], list[dict[str, list[str]]]] | None = None

    def teardown(self) -> None:
        if hasattr(self, "fight"):
            assert replay_battle(battle=self.battle, now=self.now) == ()

    @property
    def battle(self) -> Battle:
        return Battle.objects.get(pk=self.fight.battle.pk)

    def attempt(self, act: Callable[[], Any], at: int | None) -> Any:
        """Do it, in a process that dies there; return the result if its effects are there, and None otherwise."""
        before = self.picture()
        with transaction.atomic():
            result = act()
            after = self.picture()
            transaction.set_rollback(True)
        if at is None:
            act()
            assert self.picture() == after
            return result
        killed = run_until_killed(act, at=at)
        found = self.picture()
        assert found == after or (killed and found == before)
        return result if found == after else None

    # --- What happens ------------------------------------------------------------------------------------------------

    @precondition(lambda self: not self.battle.is_over)
    @rule(who=st.integers(0, 2), text=GESTURES, ready=st.sampled_from([True, True, True, False]), at=DEATHS)
    def order(self, who: int, text: str, ready: bool, at: int | None) -> None:
        name = self.fight.names[who % len(self.fight.names)]
        combatant, stage = self.fight.combatant(name), self.fight.key()

        def act() -> Any:
            try:
                return submit_orders(
                    combatant=combatant, text=text, via="web", now=self.now, stage=stage, ready=ready, replace=True
                )
            except (StaleOrders, NothingToOrder, TimeIsOver):
                return "refused"

        receipt = self.attempt(act, at)
        if receipt is None or receipt == "refused":
            return
        self.undoable = None
        self.given[name] = list(receipt.lines)
        if receipt.outcome != "ready":
            assert receipt.outcome in ("kept", "resolved")
        if receipt.outcome == "resolved":
            self.played.append(self.given)
            self.given = {}

    @precondition(lambda self: self.fight)
    @rule(at=DEATHS)
    def sweep(self, at: int | None) -> None:
        battle = self.battle
        played = self.attempt(lambda: resolve_turn(battle=battle, now=self.now), at)
        assert played is None or played.outcome == "waiting", "the last orders have resolved it already"

    @precondition(lambda self: not self.battle.is_over)
    @rule(days=st.sampled_from([1, 7, 12]), at=DEATHS)
    def let_time_pass(self, days: int, at: int | None) -> None:
        self.now += timedelta(days=days)
        seq, pk = self.battle.seq, self.battle.pk
        if self.attempt(lambda: process_deadlines(battle_id=pk, now=self.now), at) is None:
            return
        battle = self.battle
        if battle.seq > seq or battle.is_over:
            ready = OrderSheet.objects.filter(stage__turn__seq=seq, stage__battle=battle, via="web", ready=True)
            names = set(ready.values_list("combatant__mage__name", flat=True))
            self.played.append({name: lines for name, lines in self.given.items() if name in names})
            self.given, self.undoable = {}, None

    @precondition(lambda self: self.played)
    @rule(back=st.integers(0, 2), at=DEATHS)
    def rewind(self, back: int, at: int | None) -> None:
        battle, seq = self.battle, max(1, len(self.played) - back)
        details = {"by": self.janitor, "reason": WHY, "without_consent": WHY, "now": self.now}
        if self.attempt(lambda: rewind_battle(battle=battle, seq=seq, **details), at):
            entry = JournalEntry.objects.filter(battle=battle).order_by("-number").first()
            assert entry is not None
            self.undoable = entry.pk, self.given, self.played
            self.given, self.played = {}, self.played[: seq - 1]

    @precondition(lambda self: self.undoable)
    @rule(at=DEATHS)
    def undo(self, at: int | None) -> None:
        assert self.undoable is not None
        pk, given, played = self.undoable
        entry = JournalEntry.objects.get(pk=pk)
        details = {"by": self.janitor, "reason": WHY, "now": self.now}
        if self.attempt(lambda: undo_battle_entry(entry=entry, **details), at):
            self.given, self.played, self.undoable = given, played, None

    @precondition(lambda self: self.played)
    @rule(at=DEATHS)
    def count_for_the_ladder(self, at: int | None) -> None:
        number = self.battle.number
        for times in CountDue.objects.filter(battle=number).values_list("times", flat=True):
            self.attempt(lambda times=times: record_battle(number=number, times=times, now=self.now), at)

    # --- What is true after each -------------------------------------------------------------------------------------

    def picture(self) -> list[Any]:
        """Everything in the rows of the battle that is not chance or a key."""
        pk, number = self.fight.battle.pk, self.fight.number
        users = [mage.user_id for mage in self.fight.mages.values()]
        mages = [mage.pk for mage in self.fight.mages.values()]
        who = "combatant__position"
        found = [
            Battle.objects.filter(pk=pk).values_list(
                "status", "seq", "attempt", "stage", "state", "event_count", "result"
            ),
            Turn.objects.filter(battle=pk).values_list("seq", "attempt", "throws", "closed_by", "resolved_at"),
            Turn.objects.filter(battle=pk, taken_back_by=None).values_list("seq", "attempt"),
            Stage.objects.filter(battle=pk).values_list("turn__seq", "turn__attempt", "number", "closed_at"),
            OrderSheet.objects.filter(stage__battle=pk).values_list(
                "stage__turn__seq", "stage__turn__attempt", who, "lines", "text", "ready", "via", "submitted_at"
            ),
            TurnEvent.objects.filter(battle=pk).values_list("turn__seq", "turn__attempt", "n", "kind", "facts"),
            Deadline.objects.filter(battle=pk).values_list(who, "step", "reminders", "used", "due_at", "forfeit_at"),
            MissedTurn.objects.filter(combatant__battle=pk).values_list(who, "stage__turn__seq", "missed_at"),
            Mage.objects.filter(pk__in=mages).values_list("name", "died_at"),
            Engagement.objects.filter(mage__in=mages).values_list("mage__name", "kind", "number"),
            ScoreEntry.objects.filter(mage__in=mages).values_list("mage__name", "reason", "before", "change"),
            ScoredBattle.objects.filter(number=number).values_list("annulled_at", "scored_at"),
            Placing.objects.filter(mage__in=mages).values_list("mage__name", "battle__number"),
            CountedBattle.objects.filter(number=number).values_list("ending", "turns"),
            CountDue.objects.filter(battle=number).values_list("times"),
            Notice.objects.filter(user__in=users).values_list("key", "kind"),
            Delivery.objects.filter(notice__user__in=users).values_list("notice__key", "channel"),
            JournalEntry.objects.filter(by=self.janitor).values_list("kind", "undone_at"),
        ]
        return [sorted(map(repr, rows)) for rows in found]

    @invariant()
    def accepted_orders_are_stored_and_each_turn_is_played_once(self) -> None:
        counting = Turn.objects.filter(battle=self.battle, taken_back_by=None).order_by("seq")
        turns = list(counting.values_list("seq", "resolved_at"))
        assert [seq for seq, _ in turns] == list(range(1, len(turns) + 1))
        assert [at is not None for _, at in turns] == [True] * len(self.played) + [False] * (not self.battle.is_over)
        sheets: dict[tuple[int, str], list[str]] = {
            (seq, name): lines
            for seq, name, lines in OrderSheet.objects.filter(stage__turn__in=counting).values_list(
                "stage__turn__seq", "combatant__mage__name", "lines"
            )
        }
        for seq, given in enumerate([*self.played, self.given], 1):
            for name, lines in given.items():
                assert sheets[seq, name] == lines, (seq, name)

    @invariant()
    def clocks_run_for_those_who_owe_orders(self) -> None:
        sheets = OrderSheet.objects.filter(stage__battle=self.battle, stage__closed_at=None)
        owing = sorted(sheets.filter(ready=False).values_list("combatant", flat=True))
        running = sorted(Deadline.objects.filter(battle=self.battle).values_list("combatant", flat=True))
        assert running == owing
        assert bool(owing) != self.battle.is_over, "a turn for which all are ready has been played"

    @invariant()
    def everyone_was_told_once_of_each_turn(self) -> None:
        players = len(self.fight.mages)
        for seq, attempt in (
            Turn.objects.filter(battle=self.battle).exclude(resolved_at=None).values_list("seq", "attempt")
        ):
            told = Notice.objects.filter(
                key__startswith=f"battle/{self.fight.number}/{seq}/{attempt}/", kind__in=PLAYED
            )
            assert told.count() == told.values("user").distinct().count() == players, (seq, attempt)

    @invariant()
    def mages_and_scores_agree_with_the_battle(self) -> None:
        engaged = Engagement.objects.filter(mage__in=self.fight.mages.values(), kind="battle").count()
        assert engaged == (0 if self.battle.is_over else len(self.fight.mages))
        scored = ScoredBattle.objects.filter(number=self.fight.number, annulled_at=None).exists()
        assert scored == self.battle.is_over
        assert list(find_disagreements()) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestCrashes(CrashMachine.TestCase):
    settings = settings(
        max_examples=60 if LONG else 3,
        stateful_step_count=25 if LONG else 8,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
