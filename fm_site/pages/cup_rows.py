"""Cups on other pages: a user's rows on their home page, and their trophies on their profile."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from duels.selectors.battle_lists import ShownBattle
from league.cup_words import name_round
from league.models import Cup, Pairing, Place
from league.selectors.cups import list_open_pairings


@dataclass(frozen=True)
class CupRow:
    """A cup in which a user is: what they wait for or play there in `words`, and whether it is their move."""

    cup: Cup
    place: Place
    words: str
    owes: bool = False


def read_cup_rows(places: Sequence[Place], battles: Iterable[ShownBattle]) -> list[CupRow]:
    """Return the rows for the home page of the user who has these places in cups, and whose running battles are
    `battles`. No query for someone who is in no cup, and one for the others."""
    if not places:
        return []
    pairings = list_open_pairings(places)
    running = {row.number: row for row in battles}
    rows = []
    for place in places:
        if place.cup is not None:
            rows.append(_make_row(place.cup, place, pairings.get(place.pk), running))
    return rows


def _make_row(cup: Cup, place: Place, pairing: Pairing | None, running: dict[int, ShownBattle]) -> CupRow:
    if cup.started_at is None:
        return CupRow(cup, place, "")
    row = running.get(pairing.battle.number) if pairing is not None and pairing.battle is not None else None
    if pairing is None or row is None:
        return CupRow(cup, place, _("You wait for the next round."))
    slots = {
        "round": name_round(cup.kind, pairing.round, cup.size),
        "mage": ", ".join(row.others),
        "turn": row.label,
    }
    return CupRow(cup, place, _("%(round)s: %(mage)s, turn %(turn)s.") % slots, bool(row.owes))
