"""How the duels of leagues and cups ended: what their tables need to know."""

from dataclasses import dataclass
from datetime import timedelta

from duels.models import Battle, Combatant
from rules_engine import CALLED_OFF, DECIDED, read_outcome
from rules_engine.outcome import ALL_FORFEIT, ENDED_BY_CUP, ENDED_BY_LEAGUE, FORFEIT


@dataclass(frozen=True)
class Side:
    """One of the two mages of a duel: whether they won, whether they lost by missing a deadline, for how many turns a
    final notice was sent, and the time they used."""

    won: bool
    forfeited: bool
    late_turns: int
    time_used: timedelta


@dataclass(frozen=True)
class EventResult:
    """The end of a duel, with its sides in the order of the battle.

    `counts` is False for a battle that was annulled or called off: its table takes no result from it. Nor does it from
    one that `ended_for_event`, but then it has decided already. `is_by_janitor`: a janitor annulled the battle, or set
    its result.
    """

    sides: tuple[Side, Side]
    counts: bool
    ended_for_event: bool = False
    is_by_janitor: bool = False


def read_event_result(battle: Battle) -> EventResult | None:
    """Return how a duel ended, or None while it runs.

    A mage who never moved has forfeited, though no mage died for it.
    """
    if not battle.is_over:
        return None
    one, other = Combatant.objects.filter(battle=battle).select_related("mage").order_by("position")
    outcome = None if battle.status == Battle.Status.ANNULLED else read_outcome(battle.result)
    if outcome is None:
        return EventResult((_read(one), _read(other)), counts=False, is_by_janitor=True)
    names = [one.mage.name, other.mage.name]
    missing = set(outcome.absent)
    if outcome.reason in (FORFEIT, ALL_FORFEIT):
        missing |= set(names) - set(outcome.winners)
    winners = set(outcome.winners)
    if outcome.reason == CALLED_OFF and missing:
        winners = set(names) - missing
    sides = tuple(
        _read(each, won=each.mage.name in winners, forfeited=each.mage.name in missing) for each in (one, other)
    )
    return EventResult(
        (sides[0], sides[1]),
        counts=outcome.reason not in (CALLED_OFF, ENDED_BY_LEAGUE, ENDED_BY_CUP) or bool(missing),
        ended_for_event=outcome.reason in (ENDED_BY_LEAGUE, ENDED_BY_CUP),
        is_by_janitor=outcome.reason == DECIDED,
    )


def _read(combatant: Combatant, *, won: bool = False, forfeited: bool = False) -> Side:
    return Side(won, forfeited, combatant.late_turns, combatant.time_used)
