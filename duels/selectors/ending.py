"""The end of a battle for its player: what ended it, its effect on score and rating, and the turns that mattered."""

import datetime
from dataclasses import dataclass

from accounts.models import Name
from accounts.names import nearest_free_name
from duels.models import Battle, Combatant
from duels.selectors.battle_view import BattleView
from duels.selectors.last_turn import LastTurn, read_last_turn
from duels.selectors.viewer import MaybeUser
from ladder.models import RatingEntry, ScoreEntry
from ladder.selectors.ladders import find_rank_of_score
from ladder.selectors.profiles import read_mage_profile
from ladder.selectors.ratings import shown_rating
from ladder.selectors.scores import describe_mages
from operations.registry import ANALYSIS_COMING, TURNS_THAT_MATTERED, find_function
from rules_engine import NO_RESULT
from rules_engine.beings import VICTORIOUS


@dataclass(frozen=True)
class ScoreGain:
    """A mage's score before and after; `reason` is the last ScoreEntry.Reason, `is_dead` that the mage is gone, and
    `place` was then the mage's rank on the ladder (None without one)."""

    mage: str
    before: int
    after: int
    reason: str
    is_dead: bool
    place: int | None = None


@dataclass(frozen=True)
class RatingGain:
    """A user's rating before and after, and in a duel what the opponent's was."""

    before: int
    after: int
    faced: int | None


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
    # Analyses of the first edition can grade no other move.
    can_be_solved: bool = True


@dataclass(frozen=True)
class Kept:
    """What stays of a mage who died: battles fought and trophies."""

    battles: int
    trophies: int


@dataclass(frozen=True)
class Ending:
    """The effect of the battle on its player: None where there is none, or none yet.

    `is_settling`: the rating follows. `opponents` are the mages of other users, `strength` is that of the bot in a duel
    against one. `rematch_runs`: the rematch has begun. `mattered` is None without an analysis, and empty if the
    player may not read it; `is_analysing`: one is coming. `beaten` are the bots that this user has beaten.
    `keeps` is what stays of a mage who is dead, `next_name` a name for the mage's successor.
    """

    score: ScoreGain | None = None
    rating: RatingGain | None = None
    is_settling: bool = False
    opponents: tuple[str, ...] = ()
    strength: str = ""
    rematch_runs: bool = False
    mattered: tuple[TurnThatMattered, ...] | None = None
    is_analysing: bool = False
    last: LastTurn | None = None
    beaten: frozenset[str] = frozenset()
    keeps: Kept | None = None
    next_name: str = ""


def read_ending(view: BattleView, user: MaybeUser, *, now: datetime.datetime) -> Ending | None:
    """Return the effect of the end on the viewer's current mage; None for spectators and while the battle runs."""
    if not view.over or view.own is None:
        return None
    mage = view.own.combatant.mage
    has_result = (view.result or {}).get("reason") not in NO_RESULT
    counts = has_result and view.battle.status == Battle.Status.FINISHED and not view.battle.practice
    others = tuple(row for row in view.combatants if not row.mine)
    rating = _read_rating(view, mage.user_id) if counts else None
    rematch = view.battle.rematch
    score = _read_score(view, mage.pk) if counts else None
    about = {"number": view.battle.number, "user": user, "mage": mage.name}
    mattered = find_function(TURNS_THAT_MATTERED)(**about)
    strength = _read_strength(view, others[0].name) if len(others) == 1 and others[0].is_bot else ""
    is_dead = score is not None and score.is_dead
    return Ending(
        score=score,
        rating=rating,
        is_settling=counts and rating is None and view.terms.stake.is_rated,
        opponents=tuple(row.name for row in others),
        strength=strength,
        rematch_runs=rematch is not None and Battle.objects.filter(number=rematch).exists(),
        mattered=mattered,
        is_analysing=mattered is None and find_function(ANALYSIS_COMING)(number=view.battle.number, now=now),
        last=read_last_turn(view),
        beaten=list_beaten_bots(mage.user_id) if strength else frozenset(),
        keeps=Kept(describe_mages([mage])[0].battles, len(read_mage_profile(mage).trophies)) if is_dead else None,
        next_name=nearest_free_name(mage.name, kind=Name.Kind.MAGE, user=mage.user) or "" if is_dead else "",
    )


def list_beaten_bots(user: int) -> frozenset[str]:
    """Return the strengths of the site's bots that mages of this user have beaten in duels."""
    won = Combatant.objects.filter(mage__user=user, standing=VICTORIOUS, battle__kind=Battle.Kind.DUEL)
    beaten = Combatant.objects.filter(battle__in=won.values("battle")).exclude(mage__user__bot_strength="")
    return frozenset(beaten.values_list("mage__user__bot_strength", flat=True))


def _read_score(view: BattleView, mage: int) -> ScoreGain | None:
    rows = list(ScoreEntry.objects.filter(battle=view.battle.number, mage=mage).select_related("mage").order_by("pk"))
    if not rows:
        return None
    end, before = rows[-1], rows[0].before
    is_dead = not end.mage.is_alive
    place = find_rank_of_score(kind=end.kind, score=before) if is_dead else None
    return ScoreGain(end.mage.name, before, end.after, end.reason, is_dead, place)


def _read_rating(view: BattleView, user: int) -> RatingGain | None:
    row = RatingEntry.objects.filter(battle=view.battle.number, user=user).first()
    if row is None:
        return None
    before, after = (round(shown_rating(row.kind, rating)) for rating in (row.rating_before, row.rating))
    return RatingGain(before, after, None if row.faced_rating is None else round(row.faced_rating))


def _read_strength(view: BattleView, mage: str) -> str:
    found = Battle.objects.filter(number=view.battle.number, combatants__mage__name=mage)
    return found.values_list("combatants__mage__user__bot_strength", flat=True).get()
