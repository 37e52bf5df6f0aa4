"""The parts of the terms that concern bots and handicaps: their meaning, their problems, and their texts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.bots import BOTS, BY_STRENGTH
from ladder.stakes import FRIENDLY, STAKES, VERY_FRIENDLY
from operations.text.suggestions import find_nearest_word, suggest, suggest_one_of
from rules_engine.beings import WIZARD_HP

# The hit points of a mage at the start, unless the terms give it a handicap.
MOST_POINTS = WIZARD_HP
# One ruleset, so that rated battles with bots can be compared.
RATED_RULESET = "firetop-standard"
STRENGTHS = {bot.strength.lower(): bot.strength for bot in BOTS}


def tidy_hit_points(points: Iterable[Any]) -> tuple[Any, ...]:
    """Return the hit points by seat, with numeric text converted, and without trailing seats that have no handicap."""
    by_seat = [_read_number(each) for each in points]
    while by_seat and by_seat[-1] == MOST_POINTS:
        by_seat.pop()
    return tuple(by_seat)


def _read_number(value: Any) -> Any:
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 10 else value


def tidy_bots(strengths: Iterable[Any]) -> tuple[Any, ...]:
    """Return the strengths of bots in their usual spelling; unknown ones stay as they are."""
    return tuple(STRENGTHS.get(each.strip().lower(), each) if isinstance(each, str) else each for each in strengths)


def find_handicap_problems(points: tuple[Any, ...], stakes: str) -> Iterator[str]:
    """Yield each problem with the hit points by seat, with the nearest valid number."""
    for value in points:
        if not isinstance(value, int) or isinstance(value, bool):
            yield _("Hit points must be a number from 1 to %(most)d, not %(value)s.") % {
                "most": MOST_POINTS,
                "value": repr(value)[:20],
            }
        elif not 1 <= value <= MOST_POINTS:
            message = _("Hit points must be from 1 to %(most)d, not %(value)d.") % {"most": MOST_POINTS, "value": value}
            yield suggest(message, str(min(max(value, 1), MOST_POINTS)))
    if points and stakes in STAKES and STAKES[stakes].is_rated:
        yield _("A battle with a handicap can't count for scores or ratings. Choose “%(stakes)s”.") % {
            "stakes": STAKES[VERY_FRIENDLY].title
        }


def find_rated_problems(ruleset: str, stakes: str, *, bots_surrender: bool) -> Iterator[str]:
    """Yield why a battle with these terms cannot be rated with bots: all rated battles have the same terms."""
    if stakes not in STAKES or not STAKES[stakes].with_bots:
        return
    if ruleset != RATED_RULESET:
        yield _("Rated battles with bots use the ruleset %(ruleset)s.") % {"ruleset": RATED_RULESET}
    if not bots_surrender:
        yield _("Rated battles have no handicap, and bots may surrender.")


def find_bot_problems(bots: tuple[Any, ...], stakes: str, *, may_join: bool) -> Iterator[str]:
    """Yield each problem with the seats for bots, and with letting bots join."""
    for word in bots:
        if word not in BY_STRENGTH:
            message = _('There is no bot "%(name)s".') % {"name": str(word)[:20]}
            nearest = find_nearest_word(str(word), STRENGTHS)
            yield suggest_one_of(message, STRENGTHS[nearest] if nearest else None, list(BY_STRENGTH))
    for strength, count in Counter(word for word in bots if word in BY_STRENGTH).items():
        most = len(BY_STRENGTH[strength].mages)
        if count > most:
            message = _("%(bot)s has %(most)d mages and can't take more seats than that.")
            yield message % {"bot": strength, "most": most}
    if (bots or may_join) and stakes in STAKES and STAKES[stakes].scores:
        yield _("Bots play only where no scores are at stake. Choose “%(stakes)s”.") % {
            "stakes": STAKES[FRIENDLY].title
        }


def describe_hit_points(points: Iterable[int], names: Iterable[str] = ()) -> str:
    """Describe the handicap: "hit points 15 to 8", or with names "Ayla starts with 8 hit points" or, if all have as
    many, "8 hit points each"; "" if there is none."""
    given = tuple(points)
    if names and len(given) > 1 and len(set(given)) == 1 and given[0] != MOST_POINTS:
        return ngettext("%(points)d hit point each", "%(points)d hit points each", given[0]) % {"points": given[0]}
    named = [(name, count) for name, count in zip(names, given, strict=False) if count != MOST_POINTS]
    if named:
        return ", ".join(
            ngettext("%(mage)s starts with %(points)d hit point", "%(mage)s starts with %(points)d hit points", count)
            % {"mage": name, "points": count}
            for name, count in named
        )
    if not given:
        return ""
    shown = given if len(given) > 1 else (*given, MOST_POINTS)
    return _("hit points %(points)s") % {"points": " : ".join(map(str, shown))}


class HasBots(Protocol):
    """Terms, as far as they concern bots."""

    @property
    def bots(self) -> tuple[str, ...]: ...
    @property
    def bots_may_join(self) -> bool: ...


def describe_bots(terms: HasBots) -> str:
    """Return which seats are for bots, and whether bots may join: "2 seats for bots: Warder, Magus"; "" for neither."""
    words = []
    if terms.bots:
        count = len(terms.bots)
        seats = ngettext("%(count)d seat for a bot: %(bots)s", "%(count)d seats for bots: %(bots)s", count)
        words.append(seats % {"count": count, "bots": ", ".join(terms.bots)})
    if terms.bots_may_join:
        words.append(_("bots may join"))
    return ", ".join(words)
