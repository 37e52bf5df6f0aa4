"""What a user with nothing to do can do meanwhile: the puzzle of the day, a battle to watch, a battle of theirs to
study."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from duels.models import Battle
from duels.names import name_battle, name_sides
from duels.paces import is_live
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from duels.selectors.featured import list_featured_battles
from duels.selectors.spectators import count_spectators
from studies.puzzle_names import name_puzzle
from studies.selectors.puzzle_streak import Streak
from studies.selectors.puzzles import DailyPuzzle
from studies.selectors.turning_points import find_deciding_turn


@dataclass(frozen=True)
class Pastime:
    """Something to do: its icon (blank: a piece of a puzzle), what it is, and a button."""

    icon: str
    title: str
    words: str
    button: str
    url: str


def list_pastimes(
    user: User,
    *,
    puzzle: DailyPuzzle | None,
    streak: Streak,
    playing: Collection[int],
    finished: Sequence[ShownBattle],
    now: datetime,
) -> list[Pastime]:
    """Return what there is to do. `puzzle` is that of the day, `streak` the user's; `playing` are the numbers of the
    user's running battles, `finished` their last ones."""
    found = (_offer_puzzle(puzzle, streak), _offer_battle(user, playing, now), _offer_study(user, finished))
    return [each for each in found if each is not None]


def _offer_puzzle(puzzle: DailyPuzzle | None, streak: Streak) -> Pastime | None:
    """Return the puzzle of the day, unless the user has tried it today."""
    if puzzle is None or streak.solved_today is not None:
        return None
    words, days = _("Puzzle of the day."), streak.days + 1
    if days > 1:
        hope = ngettext(
            "Solve it to reach %(days)d day in a row.", "Solve it to reach %(days)d days in a row.", days
        ) % {"days": days}
        words = f"{words} {hope}"
    return Pastime("", name_puzzle(puzzle.kind), words, _("Solve"), reverse("studies:daily_puzzle"))


def _offer_battle(user: User, playing: Collection[int], now: datetime) -> Pastime | None:
    """Return the first battle that the site would show on its board and that is not the user's own."""
    number = next((each for each in list_featured_battles(now=now) if each not in playing), None)
    rows = list_battles_by_number([number], user) if number is not None else []
    if number is None or not rows:
        return None
    row, watching = rows[0], count_spectators([number])[number]
    pace = Battle.objects.filter(number=number).values_list("terms__pace", flat=True).first()
    words = _("Live, turn %(turn)s.") if is_live(pace) else _("Turn %(turn)s.")
    seen = ngettext("%(count)d watching.", "%(count)d watching.", watching) % {"count": watching} if watching else ""
    words = f"{words % {'turn': row.label}} {seen}".strip()
    return Pastime("i-eye", name_sides(row.mages), words, _("Watch"), reverse("duels:battle", args=[number]))


def _offer_study(user: User, finished: Sequence[ShownBattle]) -> Pastime | None:
    """Return the last battle of the user's with a turn that decided it."""
    kinds = {row.number: row.kind for row in finished}
    decided = find_deciding_turn(numbers=list(kinds), user=user) if kinds else None
    if decided is None:
        return None
    number, turn = decided
    title = _("Turn %(turn)s decided %(battle)s") % {"turn": turn, "battle": name_battle(kinds[number], number)}
    words = _("Look at the three turns that mattered.")
    return Pastime("i-mind", title, words, _("Study"), reverse("studies:analysis", args=[number]))
