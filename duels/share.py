"""The cards that other sites show for links to battles and other pages. They contain only public facts."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from duels.board.call import outcome_words
from duels.board.links import battle_url
from duels.names import name_sides
from duels.selectors.battle_view import BattleView
from ladder.selectors.scores import MageSummary
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


PAGES = {
    "front": (
        _lazy("Firetop Mountain: a duel of wizards"),
        _lazy("A gesture for each hand, in secret. Both sides are shown at once, and gestures in a row become spells."),
    ),
    "lessons": (_lazy("Learn on the real board"), _lazy("In three minutes you cast your first spell.")),
    "puzzles": (_lazy("Puzzles"), _lazy("Positions from battles: find the win, or the way to survive.")),
    "rules": (_lazy("The rules"), _lazy("Gestures, spells and clocks: in short, and in every detail.")),
    "ladder": (_lazy("The ladder"), _lazy("The mages of Firetop Mountain, by score.")),
    "classics": (_lazy("Annotated battles"), _lazy("Battles to read turn by turn, with notes on each decision.")),
}


def make_page_card(page: str, *, path: str, title: str = "", description: str = "") -> Card:
    """Return the card of one of PAGES, or of a page like it with its own title: with the board of the front page."""
    usual, about = PAGES[page]
    words = description or str(about)
    return Card.of(
        title=title or str(usual),
        description=words,
        image=reverse("page_card", args=[page]),
        alt=_("A duel after a few turns, on the board of Firetop Mountain."),
        path=path,
    )


def make_board_card(*, title: str, description: str, image: str, path: str) -> Card:
    """Return the card of a page with a board, drawn at `image`."""
    return Card.of(title=title, description=description, image=image, alt=f"{title}. {description}", path=path)


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
