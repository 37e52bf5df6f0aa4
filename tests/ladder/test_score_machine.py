"""Battles are counted, reported twice, interrupted, annulled and restored in any order: scores are applied once.

A simple model records what happened and adds it up from the start; the rows of the ladder must agree after every step.
Clauses FM-WIN-4, FM-WIN-8, FM-WIN-9.
"""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from accounts.models import Mage
from ladder.models import Remembrance, ScoredBattle
from ladder.rating import KINDS
from ladder.scoring import award
from ladder.selectors.scores import find_disagreements
from ladder.services.apply_results import BattleResult, apply_penalty, apply_result
from ladder.services.rate_battles import rebuild_ratings
from ladder.services.revise_results import annul_result, correct_result, restore_result
from ladder.tasks import sweep_unrated_battles
from tests.ladder.scores import scores_of
from tests.scenes import NOW, make_mage
from tests.services.plugin import LONG

MAGES = 4


class ProcessDied(Exception):
    """Simulates a process that is killed before its transaction commits."""


@dataclass
class Fought:
    """One battle in the model; mages by their numbers."""

    number: int
    players: list[int]
    winners: set[int]
    dead: set[int]
    paying: set[int]
    annulled: bool = False

    @property
    def kind(self) -> str:
        return "duel" if len(self.players) == 2 else "melee"


class ScoreMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.mages = [make_mage(f"Mage_{number}", f"Owner_{number}") for number in range(MAGES)]
        self.fought: list[Fought] = []

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    # --- What happens ------------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.alive()) > 1)
    @rule(data=st.data(), crash=st.booleans(), twice=st.booleans())
    def fight(self, data: st.DataObject, crash: bool, twice: bool) -> None:
        players = data.draw(st.lists(st.sampled_from(self.alive()), min_size=2, max_size=MAGES, unique=True))
        winner, fate = data.draw(st.sampled_from([None, *players])), st.sampled_from(["dead", "pays", "lives"])
        fates = {player: data.draw(fate) for player in players if player != winner}
        fought = Fought(
            number=len(self.fought) + 1,
            players=players,
            winners=set() if winner is None else {winner},
            dead={player for player in fates if fates[player] == "dead"},
            paying={player for player in fates if fates[player] == "pays"},
        )
        if crash:
            with pytest.raises(ProcessDied), transaction.atomic():
                self.count(fought)
                raise ProcessDied
        assert self.count(fought)
        if twice:
            assert not self.count(fought)
        self.fought.append(fought)

    @precondition(lambda self: self.fought)
    @rule(data=st.data())
    def tell_a_late_worker_something_else(self, data: st.DataObject) -> None:
        fought = data.draw(st.sampled_from(self.fought))
        players = [self.mages[player] for player in fought.players]
        result = BattleResult(players, winners=players[:1])
        assert not apply_result(battle=fought.number, kind=fought.kind, practice=False, result=result, now=NOW)

    @precondition(lambda self: self.fought)
    @rule(data=st.data(), crash=st.booleans())
    def annul(self, data: st.DataObject, crash: bool) -> None:
        fought = data.draw(st.sampled_from(self.fought))
        if crash:
            with pytest.raises(ProcessDied), transaction.atomic():
                annul_result(battle=fought.number, now=NOW)
                raise ProcessDied
        assert annul_result(battle=fought.number, now=NOW) is not fought.annulled
        fought.annulled = True

    @precondition(lambda self: self.fought)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        fought = data.draw(st.sampled_from(self.fought))
        assert restore_result(battle=fought.number, now=NOW) is fought.annulled
        fought.annulled = False

    @precondition(lambda self: any(not fought.annulled for fought in self.fought))
    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        fought = data.draw(st.sampled_from([fought for fought in self.fought if not fought.annulled]))
        winner = data.draw(st.sampled_from([None, *fought.players]))
        winners = set() if winner is None else {winner}
        dead = {player for player in fought.dead if player != winner}
        paying = {player for player in fought.paying if player != winner}
        changed = (winners, dead, paying) != (fought.winners, fought.dead, fought.paying)
        assert changed is correct_result(
            battle=fought.number,
            winners=[self.mages[player] for player in winners],
            dead=[self.mages[player] for player in dead],
            surrendered=[self.mages[player] for player in paying],
            now=NOW,
        )
        fought.winners, fought.dead, fought.paying = winners, dead, paying

    @rule()
    def rate(self) -> None:
        sweep_unrated_battles()
        assert not any(rebuild_ratings(kind=kind).changed_users for kind in KINDS)

    def count(self, fought: Fought) -> bool:
        for player in sorted(fought.paying):
            apply_penalty(mage=self.mages[player], kind=fought.kind, battle=fought.number, now=NOW)
        return apply_result(
            battle=fought.number,
            kind=fought.kind,
            practice=False,
            result=BattleResult(
                players=[self.mages[player] for player in fought.players],
                winners=[self.mages[player] for player in fought.winners],
                dead=[self.mages[player] for player in fought.dead],
            ),
            now=NOW + timedelta(hours=fought.number),
        )

    # --- Invariants --------------------------------------------------------------------------------------------------

    def alive(self) -> list[int]:
        dead = {player for fought in self.fought if not fought.annulled for player in fought.dead}
        return [player for player in range(MAGES) if player not in dead]

    def expected(self, kind: str) -> list[int]:
        scores = [0] * MAGES
        for fought in self.fought:
            if fought.annulled or fought.kind != kind:
                continue
            for player in fought.players:
                if player in fought.paying:
                    scores[player] = max(0, scores[player] - 1)
                if player in fought.winners:
                    scores[player] += award(len(fought.players), len(fought.winners))
        return scores

    @invariant()
    def scores_are_what_the_battles_make_them(self) -> None:
        for kind in KINDS:
            assert list(scores_of(self.mages, kind).values()) == self.expected(kind)
        assert list(find_disagreements()) == []

    @invariant()
    def those_live_whom_no_battle_that_counts_has_killed(self) -> None:
        living = set(Mage.objects.filter(died_at=None).values_list("name", flat=True))
        assert living == {f"Mage_{player}" for player in self.alive()}
        assert Remembrance.objects.count() == MAGES - len(living)
        annulled = ScoredBattle.objects.exclude(annulled_at=None).values_list("number", flat=True)
        assert set(annulled) == {fought.number for fought in self.fought if fought.annulled}


@pytest.mark.django_db
class TestScores(ScoreMachine.TestCase):
    settings = settings(
        max_examples=100 if LONG else 4,
        stateful_step_count=30 if LONG else 10,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
