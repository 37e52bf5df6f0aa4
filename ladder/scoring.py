"""Firetop Mountain's scores as functions of plain values: names in, changes out (FM-WIN-4, 8, 9, FM-SURR-5 to 7).

A battle of two mages changes duel scores, a battle of three or more melee scores. A score is never below zero. Where
document 000 is silent, the classic server decides: a win is worth one point for every mage who does not win, whenever
they fell, and a mage who surrenders while the battle continues or someone wins pays at once.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ladder.stakes import LADDER, STAKES, is_far_above

Kind = Literal["duel", "melee"]
Reason = Literal["won", "withheld", "repeated", "shared", "drew", "lost", "died", "surrendered"]

PENALTY = 1


@dataclass(frozen=True)
class ScoreChange:
    """A change of one mage's score. `due` is what the rules give or take."""

    mage: str
    before: int
    due: int
    reason: Reason

    @property
    def change(self) -> int:
        """Return the actual change: a score never falls below zero."""
        return max(self.due, -self.before)

    @property
    def after(self) -> int:
        return self.before + self.change


@dataclass(frozen=True)
class Settlement:
    """The effect of a battle's end: a change for each mage (zero for most), and which mages die for good."""

    changes: tuple[ScoreChange, ...]
    deaths: tuple[str, ...]


def battle_kind(players: Collection[str]) -> Kind:
    """Return which score a battle of these mages changes. Raises ValueError for fewer than two."""
    if len(players) < 2:
        raise ValueError("A battle has at least two mages.")
    return "duel" if len(players) == 2 else "melee"


def penalize(mage: str, score: int) -> ScoreChange:
    """Return the cost of a surrender: one point, but never below zero (FM-WIN-8)."""
    return ScoreChange(mage, score, -PENALTY, "surrendered")


def award(players: int, winners: int) -> int:
    """Return the points for each of `winners` among `players` mages.

    A single winner gets one for each mage who did not win (FM-WIN-4). Mages who surrender together share the points,
    rounded down (FM-SURR-7); the rest is lost. In a duel nobody shares.
    """
    if not 0 < winners <= players or (players == 2 and winners == 2):
        return 0
    return (players - winners) // winners


def settle(
    *,
    players: Sequence[str],
    winners: Collection[str],
    dead: Collection[str],
    scores: Mapping[str, int],
    sharing: Collection[str] = (),
    repeated: Collection[str] = (),
    starting: Mapping[str, int] | None = None,
    stakes: str = LADDER,
    practice: bool = False,
    practice_deaths_are_real: bool = False,
) -> Settlement:
    """Return the effect of the end of a battle on `scores` (current scores by mage, penalties paid).

    `sharing` are the mages who share the points of a draw (FM-SURR-7). `repeated` are mages who give no point, because
    the winners have beaten their users too often. `starting` are the scores at the start of the
    battle, if penalties have changed them since. A score dies with its mage (FM-WIN-9): the row of a dead mage changes
    nothing. Practice changes no score; its deaths are real only under the classic server's preset. `stakes` is a word
    of `ladder.stakes`. Raises ValueError if a winner is dead, or a mage who was not there is named.
    """
    paid = winners or sharing
    there = set(players)
    strangers = (set(paid) | set(dead)) - there
    if strangers or len(there) != len(players):
        raise ValueError(f"These are not the battle's mages, each once: {sorted(strangers) or list(players)}")
    if set(paid) & set(dead):
        raise ValueError(f"A dead mage cannot win: {sorted(set(paid) & set(dead))}")
    deaths = tuple(mage for mage in players if mage in dead)
    if practice:
        return Settlement((), deaths if practice_deaths_are_real else ())
    if not STAKES[stakes].scores:
        return Settlement((), ())
    points = award(len(players) - len(set(repeated) - set(paid)), len(paid))
    is_repeated = not points and award(len(players), len(paid)) > 0
    begun = starting or scores
    withholds = points and STAKES[stakes].withholds
    withheld = {mage for mage in paid if withholds and is_far_above(begun[mage], begun.values())}
    changes = []
    for mage in players:
        reason = _reason(mage, winners, dead, () if len(players) == 2 else paid)
        if mage in paid and is_repeated:
            reason = "repeated"
        elif mage in withheld:
            reason = "withheld"
        due = points if mage in paid and mage not in withheld else 0
        changes.append(ScoreChange(mage, scores[mage], due, reason))
    return Settlement(tuple(changes), deaths)


def _reason(mage: str, winners: Collection[str], dead: Collection[str], sharing: Collection[str]) -> Reason:
    if mage in dead:
        return "died"
    if mage not in winners and mage not in sharing:
        return "lost" if winners else "drew"
    if len(winners) == 1:
        return "won"
    return "shared" if mage in sharing else "drew"
