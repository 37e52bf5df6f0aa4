"""The cards that other sites show for links to battles, turns and mages. They contain only public facts."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.call import outcome_words
from duels.board.links import battle_url, replay_url
from duels.names import name_sides
from duels.selectors.battle_view import BattleView
from duels.selectors.replay import Replay
from ladder.selectors.scores import MageSummary
from operations.web.cards import Card


def make_battle_card(view: BattleView) -> Card:
    """Return the card of a battle, with the last turn that is over as its picture."""
    number = view.battle.number
    finished = [turn for turn in view.turns if turn.resolved_at is not None or view.over]
    image = reverse("duels:position_png", args=[number, finished[-1].seq]) if finished else card_url(number)
    return Card.of(
        title=name_battle_in_full(view),
        description=_describe(view),
        image=image,
        alt=_("The board after turn %(turn)s.") % {"turn": finished[-1].label} if finished else _describe(view),
        path=battle_url(number),
    )


def make_turn_card(replay: Replay) -> Card:
    """Return the card of a turn of the replay. Its picture shows only what everyone may see."""
    number, turn = replay.past.battle.number, replay.turn
    return Card.of(
        title=name_battle_in_full(replay.past),
        description=_("Turn %(turn)s of %(last)s") % {"turn": turn.label, "last": replay.turns[-1].label},
        image=reverse("duels:position_png", args=[number, turn.seq]),
        alt=_("The board after turn %(turn)s.") % {"turn": turn.label},
        path=replay_url(number, turn.seq),
    )


def make_mage_card(summary: MageSummary) -> Card:
    name = summary.mage.name
    facts = " ".join(describe_mage(summary))
    return Card.of(
        title=name,
        description=facts,
        image=reverse("mage_card", args=[name]),
        alt=f"{name}. {facts}",
        path=reverse("mage", args=[name]),
    )


def card_url(number: int) -> str:
    """Return the address of the text card for a battle before the end of its first turn."""
    return reverse("duels:card", args=[number])


def name_battle_in_full(view: BattleView) -> str:
    """Return ``Duel 12: Froodal against Bung``."""
    return f"{view.battle}: {name_sides([row.name for row in view.combatants])}"


def describe_start(view: BattleView) -> tuple[str, tuple[str, ...]]:
    """Return title and facts for the card of a battle before the end of its first turn."""
    return name_battle_in_full(view), (_describe(view), f"{view.terms.spells}.")


def describe_mage(summary: MageSummary) -> tuple[str, ...]:
    fought = ngettext("%(n)s battle fought.", "%(n)s battles fought.", summary.battles) % {"n": summary.battles}
    if not summary.mage.is_alive:
        return _("This mage is dead."), fought
    scores = _("Duel score %(duel)s, melee score %(melee)s.") % {"duel": summary.duel, "melee": summary.melee}
    return scores, fought


def _describe(view: BattleView) -> str:
    if view.over:
        return f"{outcome_words(view.result)}."
    return _("Turn %(turn)s is being played.") % {"turn": view.battle.label}
