"""The effect of a finished battle on a player's score and rating, and the turn that decided it."""

from dataclasses import dataclass

from duels.models import Battle
from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import MaybeUser
from ladder.models import RatingEntry, ScoreEntry
from ladder.selectors.ratings import shown_rating
from operations.registry import TURNING_POINT, find_function


@dataclass(frozen=True)
class ScoreGain:
    """A mage's score before and after; `reason` is the last ScoreEntry.Reason, `is_dead` that the mage is gone."""

    mage: str
    before: int
    after: int
    reason: str
    is_dead: bool


@dataclass(frozen=True)
class RatingGain:
    """A user's rating before and after, and in a duel what the opponent's was."""

    before: int
    after: int
    faced: int | None


@dataclass(frozen=True)
class TurningPoint:
    """The turn that decided a battle, according to a bot's analysis.

    `chances` are those of the mage in hand: before the first turn, then after each turn of `labels`. `place` is the
    turn's place in `labels`, `seq` its number. `finding` says in a sentence what happened, if the analysis knows.
    """

    seq: int
    place: int
    labels: tuple[str, ...]
    chances: tuple[float, ...]
    finding: str
    strength: str


@dataclass(frozen=True)
class TurnThatMattered:
    """A turn that changed a mage's chance most, in a sentence or two for the mage's player, with the chance before and
    after it. `mark` is that of the player's move (``??``, ``?``, ``!`` or "")."""

    seq: int
    label: str
    sentence: str
    before: float
    after: float
    mark: str


@dataclass(frozen=True)
class Ending:
    """The effect of the battle on its player: None where there is none, or none yet.

    `is_settling`: the rating follows. `opponents` are the mages of other users, `strength` is that of the bot in a duel
    against one. `rematch_runs`: the rematch has begun. `turning` is None without an analysis that the player may read.
    """

    score: ScoreGain | None = None
    rating: RatingGain | None = None
    is_settling: bool = False
    opponents: tuple[str, ...] = ()
    strength: str = ""
    rematch_runs: bool = False
    turning: TurningPoint | None = None


def read_ending(view: BattleView, user: MaybeUser) -> Ending | None:
    """Return the effect of the end on the viewer's current mage; None for spectators and while the battle runs."""
    if not view.over or view.hand is None:
        return None
    mage = view.hand.combatant.mage
    counts = view.battle.status == Battle.Status.FINISHED and not view.battle.practice
    others = tuple(row for row in view.combatants if not row.mine)
    rating = _read_rating(view, mage.user_id) if counts else None
    rematch = view.battle.rematch
    return Ending(
        score=_read_score(view, mage.pk) if counts else None,
        rating=rating,
        is_settling=counts and rating is None and view.terms.stake.is_rated,
        opponents=tuple(row.name for row in others),
        strength=_read_strength(view, others[0].name) if len(others) == 1 and others[0].is_bot else "",
        rematch_runs=rematch is not None and Battle.objects.filter(number=rematch).exists(),
        turning=find_function(TURNING_POINT)(number=view.battle.number, user=user, mage=mage.name),
    )


def _read_score(view: BattleView, mage: int) -> ScoreGain | None:
    rows = list(ScoreEntry.objects.filter(battle=view.battle.number, mage=mage).select_related("mage").order_by("pk"))
    if not rows:
        return None
    end = rows[-1]
    return ScoreGain(end.mage.name, rows[0].before, end.after, end.reason, is_dead=not end.mage.is_alive)


def _read_rating(view: BattleView, user: int) -> RatingGain | None:
    row = RatingEntry.objects.filter(battle=view.battle.number, user=user).first()
    if row is None:
        return None
    before, after = (round(shown_rating(row.kind, rating)) for rating in (row.rating_before, row.rating))
    return RatingGain(before, after, None if row.faced_rating is None else round(row.faced_rating))


def _read_strength(view: BattleView, mage: str) -> str:
    found = Battle.objects.filter(number=view.battle.number, combatants__mage__name=mage)
    return found.values_list("combatants__mage__user__bot_strength", flat=True).get()
