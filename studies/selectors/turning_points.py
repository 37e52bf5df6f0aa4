"""The turns that decided a battle, for its player's page at the end: taken from an analysis, never guessed."""

import datetime
from collections.abc import Collection

from django.db.models import F

from duels.models import Battle
from duels.selectors.ending import TurnThatMattered
from duels.selectors.viewer import MaybeUser
from rules_engine.bots.review import Change, Facts, find_changes, list_chances, mark_move, sum_up_turn
from studies.models import Analysis
from studies.selectors.analyses import find_analysis_of_battle, find_withheld, list_states, list_winners
from studies.selectors.fresh_battles import has_guest_had_one, list_fresh_battles


def find_turns_that_mattered(
    *, number: int, user: MaybeUser, mage: str, you: bool = True
) -> tuple[TurnThatMattered, ...] | None:
    """Return the three turns that changed this mage's chance most, in the order of the turns, in words for its player
    (`you`) or for anyone.

    None while there is no finished analysis; empty if one of its turns would help the reader in a running battle.
    """
    analysis = find_analysis_of_battle(number)
    if analysis is None:
        return None
    facts = _read_facts(analysis, user)
    found = find_changes(list_chances(facts, mage, list_winners(analysis))) if facts else ()
    return tuple(describe_change(facts[each.place], mage, each, you=you) for each in found)


def find_deciding_turn(*, numbers: Collection[int], user: MaybeUser) -> tuple[int, str] | None:
    """Return the newest of these battles whose analysis is done, and the label of the turn that decided it; None if no
    turn did, or if that one would help the reader in a running battle."""
    done = Analysis.objects.filter(battle__number__in=numbers, battle__finished_at=F("ended_at"), done_at__isnull=False)
    decided = done.filter(summary__decided__isnull=False).select_related("battle").order_by("-ended_at", "strength")
    analysis = decided.first()
    if analysis is None or analysis.battle is None:
        return None
    seq = analysis.summary["decided"]
    if seq in find_withheld(list_states(analysis.battle), user):
        return None
    label = analysis.turns.filter(seq=seq).values_list("facts__label", flat=True).first()
    return (analysis.battle.number, str(label)) if label else None


def is_analysis_coming(*, number: int, now: datetime.datetime) -> bool:
    """Return whether an analysis of this battle is queued or under way, or will be queued by itself."""
    battle = Battle.objects.filter(number=number).first()
    if battle is None or battle.finished_at is None:
        return False
    known = list(Analysis.objects.filter(battle=battle, ended_at=battle.finished_at).values_list("done_at", flat=True))
    if known:
        return None in known
    return list_fresh_battles(now).filter(pk=battle.pk).exists() and not has_guest_had_one(battle, now)


def describe_change(facts: Facts, mage: str, change: Change, *, you: bool) -> TurnThatMattered:
    """Return a turn that mattered to a mage, in words; `you`: for its player."""
    move = facts["moves"].get(mage)
    return TurnThatMattered(
        seq=facts["seq"],
        label=facts["label"],
        sentence=sum_up_turn(facts, mage, change, you=you),
        before=change.before,
        after=change.after,
        mark=(mark_move(move) or "") if move else "",
        can_be_solved="mixes" in facts,
    )


def _read_facts(analysis: Analysis, user: MaybeUser) -> tuple[Facts, ...]:
    """Return the facts of all turns, or none if one of them would help the reader in a running battle."""
    battle = analysis.battle
    if battle is None or find_withheld(list_states(battle), user):
        return ()
    return tuple(analysis.turns.order_by("seq").values_list("facts", flat=True))
