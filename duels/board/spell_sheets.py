"""The sheet of a spell that was cast: its series with the turns, what it did, and its rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.board.columns import CUT
from duels.board.signs import SYMBOLS, is_mirrored, shown
from duels.board.story import Rule, describe_rule
from rules_engine import Result, Ruleset, name_spell
from rules_engine.schools import name_sign

WAITED = "."
# These stop spells only.
STOP_SPELLS = ("Counter Spell", "Magic Mirror")


@dataclass(frozen=True)
class SeriesBead:
    """One gesture of a spell that was cast: its turn, its place on the board ("" if it is not drawn), and whether both
    hands played it."""

    letter: str
    symbol: str
    mirror: bool
    turn: str
    place: str
    both: bool


@dataclass(frozen=True)
class SpellSheet:
    """One spell that was cast: `did` says what came of it; `subject` and `gist` say it in a few words.

    `href` leads to its turn or, outside battles, to its rule.
    """

    spell: str
    sign: str
    worked: bool
    turn: str
    beads: tuple[SeriesBead, ...]
    did: str
    subject: str
    gist: str
    rule: Rule | None
    href: str
    replay_url: str


class SheetMaker:
    """Makes the sheets of a battle. `links` lead to the stories of turns, `replays` to their replays, by label; `names`
    are the words for the beings on the board, by name."""

    def __init__(
        self, ruleset: Ruleset, links: Mapping[str, str], replays: Mapping[str, str], names: Mapping[str, str]
    ) -> None:
        self.ruleset, self.links, self.replays, self.names = ruleset, links, replays, names

    def make(
        self,
        spell: str,
        result: Result | None,
        hand: str,
        own: str,
        other: str,
        index: int,
        labels: Sequence[str],
        places: Mapping[int, str],
    ) -> SpellSheet:
        """Return the sheet of the spell that a hand (`own` its gestures) completed in the column `index`."""
        label = labels[index]
        rule = describe_rule(self.ruleset, self.ruleset.spells[spell].clause)
        replay_url = self.replays.get(label, "")
        return SpellSheet(
            spell=spell,
            sign=name_sign(spell),
            worked=result is None or result.worked,
            turn=label,
            beads=tuple(
                SeriesBead(
                    shown(own[at]),
                    SYMBOLS.get(own[at], ""),
                    is_mirrored(own[at], hand),
                    labels[at],
                    places.get(at, ""),
                    both,
                )
                for at, both in find_series(self.ruleset.series, spell, own, other, index)
            ),
            subject=(result and result.creature) or name_spell(spell),
            gist=self._sum_up(spell, result) if result else "",
            did=result.text.replace(f" ({result.clause})", "") if result else "",
            rule=rule,
            href=self.links.get(label) or replay_url or (rule.url if rule else ""),
            replay_url=replay_url,
        )

    def _sum_up(self, spell: str, result: Result) -> str:
        """Return what came of the spell in a few words that follow its name, or that of the creature it brought."""
        if result.creature:
            if result.master not in self.names:
                return _("appears")
            obeyed = self.names[result.master]
            return _("obeys %(master)s") % {"master": obeyed}
        if not result.worked:
            return _("is stopped") if result.is_stopped else _("does nothing")
        if result.stops:
            if spell in STOP_SPELLS:
                return ngettext("stops %(n)s spell", "stops %(n)s spells", result.stops) % {"n": result.stops}
            return ngettext("stops %(n)s attack", "stops %(n)s attacks", result.stops) % {"n": result.stops}
        target = self.names.get(result.target, "")
        return _("on %(target)s") % {"target": target} if target else ""


def find_series(series: Mapping[str, str], spell: str, own: str, other: str, last: int) -> list[tuple[int, bool]]:
    """Return the columns of the series that ended in the column `last`, and whether both hands played them.

    If several series fit, it is the longest; only the last gesture if the others were not seen.
    """
    fits = [_fit(text, own, other, last) for text, name in series.items() if name == spell]
    return max(fits, key=len, default=[]) or [(last, False)]


def _fit(text: str, own: str, other: str, last: int) -> list[tuple[int, bool]]:
    """Return where the gestures of a series are; [] if the hand did not play them."""
    found: list[tuple[int, bool]] = []
    at = last
    for letter in reversed(text):
        while at >= 0 and own[at] == WAITED:
            at -= 1
        if at < 0 or own[at] == CUT or own[at] != letter.upper():
            return []
        if letter.islower() and other[at : at + 1] != own[at]:
            return []
        found.append((at, letter.islower()))
        at -= 1
    return found[::-1]
