"""The cards that other sites show for links to pages: a picture, a title and a sentence, all public.

The card of a battle: duels/share.py; those of users and mages: fm_site/pages/profile_cards.py.
"""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from operations.web.cards import Card

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
