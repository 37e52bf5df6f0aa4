"""The cards that other sites show for links to users and mages. They contain only public facts."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.selectors.scores import MageSummary
from operations.web.cards import Card
from pictures.page_cards import make_board_card, make_page_card


def make_mage_card(summary: MageSummary, latest: tuple[int, int] | None) -> Card:
    """Return the card of a mage. `latest`: see `make_profile_card`; without a battle, a card with text."""
    name = summary.mage.name
    facts = " ".join(describe_mage(summary))
    image = reverse("studies:position_png", args=latest) if latest else reverse("mage_card", args=[name])
    return make_board_card(title=name, description=facts, image=image, path=reverse("mage", args=[name]))


def make_profile_card(*, name: str, facts: str, path: str, latest: tuple[int, int] | None) -> Card:
    """Return the card of a user or mage: with the board after the last turn of their latest battle (its number and that
    turn), else with the board of the front page."""
    if latest is None:
        return make_page_card("ladder", path=path, title=name, description=facts)
    image = reverse("studies:position_png", args=latest)
    return Card.of(title=name, description=facts, image=image, alt=f"{name}. {facts}", path=path)


def describe_mage(summary: MageSummary) -> tuple[str, ...]:
    fought = ngettext("%(n)s battle fought.", "%(n)s battles fought.", summary.battles) % {"n": summary.battles}
    if not summary.mage.is_alive:
        return _("This mage is dead."), fought
    scores = _("Duel score %(duel)s, melee score %(melee)s.") % {"duel": summary.duel, "melee": summary.melee}
    return scores, fought
