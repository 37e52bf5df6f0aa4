"""The exhibition of the bots as everyone sees it: what all mages see, as of a battle."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from accounts.arms.blazons import blazon_bot
from accounts.models import Mage
from duels.selectors.battle_view import BattleView
from rules_engine import Viewer
from studies.models import Exhibition
from studies.selectors.positions import Position, begin_position, play_on, see_position

# Bots of similar strength. The weakest one is no match for them, and the strongest thinks for too long.
SHOWN = ("Journeyman", "Warder", "Magus")
KEPT = 300

Played = tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True)
class ShownExhibition:
    """An exhibition, and its present position as spectators see it."""

    pk: int
    mages: tuple[str, ...]
    turns: int
    is_running: bool
    view: BattleView


def find_exhibition() -> Exhibition | None:
    """Return the exhibition that is on, or ended last; None if there is none."""
    return Exhibition.objects.order_by("-pk").first()


def find_running_exhibition() -> Exhibition | None:
    return Exhibition.objects.filter(is_running=True).first()


def get_exhibition(*, pk: int) -> Exhibition | None:
    return Exhibition.objects.filter(pk=pk).first()


def show_exhibition(exhibition: Exhibition) -> ShownExhibition:
    """Return the exhibition as spectators see it."""
    view = see_position(find_position(exhibition), mage="", eyes=Viewer.spectator())
    strengths = dict(zip(exhibition.mages, exhibition.bots, strict=True))
    combatants = tuple(
        replace(row, is_bot=True, arms=blazon_bot(row.name, strengths[row.name])) for row in view.combatants
    )
    return ShownExhibition(
        pk=exhibition.pk,
        mages=tuple(exhibition.mages),
        turns=exhibition.turns,
        is_running=exhibition.is_running,
        view=replace(view, combatants=combatants),
    )


def find_position(exhibition: Exhibition) -> Position:
    """Return the present position: everything that was ordered, played again."""
    return _play(tuple(exhibition.mages), exhibition.seed, _freeze(exhibition.played))


def _freeze(played: list[Mapping[str, str]]) -> Played:
    return tuple(tuple(sorted(orders.items())) for orders in played)


@lru_cache(maxsize=KEPT)
def _play(mages: tuple[str, ...], seed: str, played: Played) -> Position:
    if not played:
        return begin_position(*mages, seed=seed)
    return play_on(_play(mages, seed, played[:-1]), dict(played[-1]))


def list_players() -> list[tuple[str, str]]:
    """Return the bots that can be shown: strength and name of each of their living mages."""
    mages = Mage.objects.filter(user__is_bot=True, user__is_active=True, died_at=None, user__bot_strength__in=SHOWN)
    return list(mages.order_by("pk").values_list("user__bot_strength", "name"))
