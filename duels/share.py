"""The card that other sites show for a link to a battle. It contains only public facts."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from duels.board.call import outcome_words
from duels.board.links import battle_url
from duels.names import name_sides
from duels.selectors.battle_view import BattleView
from operations.web.cards import Card


def make_battle_card(view: BattleView) -> Card:
    """Return the card of a battle, with the last turn that is over as its picture."""
    number = view.battle.number
    finished = [turn for turn in view.turns if turn.resolved_at is not None or view.over]
    image = reverse("studies:position_png", args=[number, finished[-1].seq]) if finished else card_url(number)
    return Card.of(
        title=name_battle_in_full(view),
        description=_describe(view),
        image=image,
        alt=_("The board after turn %(turn)s.") % {"turn": finished[-1].label} if finished else _describe(view),
        path=battle_url(number),
        is_embeddable=bool(finished),
    )


def card_url(number: int) -> str:
    """Return the address of the text card for a battle before the end of its first turn."""
    return reverse("pictures:battle_card", args=[number])


def name_battle_in_full(view: BattleView) -> str:
    """Return ``Duel 12: Froodal against Bung``."""
    return f"{view.battle}: {name_sides([row.name for row in view.combatants])}"


def describe_start(view: BattleView) -> tuple[str, tuple[str, ...]]:
    """Return title and facts for the card of a battle before the end of its first turn."""
    return name_battle_in_full(view), (_describe(view), f"{view.terms.spells}.")


def _describe(view: BattleView) -> str:
    if view.over:
        return f"{outcome_words(view.result)}."
    return _("Turn %(turn)s is being played.") % {"turn": view.battle.label}
