"""The terms of challenges and battles: frozen, and stored as versioned JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.bot_terms import find_bot_problems, find_handicap_problems, find_rated_problems, tidy_bots, tidy_hit_points
from duels.errors import InvalidTerms, NoSuchRuleset, TermProblem
from duels.paces import OWN, PACES, TWO_DAYS, get_pace, is_pace
from ladder.stakes import FRIENDLY, LADDER, OFFERED_STAKES, STAKES, Stake
from operations.policy import Policy
from operations.text.suggestions import find_nearest_word, suggest_one_of
from rules_engine import RULESETS, Choice, RulesError, Ruleset, get_ruleset

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

VERSION = 3
# Names of rulesets' spells in sentences, if they differ from the title.
SPELLS: Mapping[str, "StrOrPromise"] = {
    "firetop-standard": gettext_lazy("standard spells"),
    "firetop-classic": gettext_lazy("classic spells"),
    "firetop-nomonsters": gettext_lazy("spells without monsters"),
}
# How a battle can end: the engine's words, in sentences.
ENDINGS = {
    "kill": gettext_lazy("The last enemy dies"),
    "surrender": gettext_lazy("The last enemy surrenders"),
    "all_dead": gettext_lazy("All die"),
    "all_surrendered": gettext_lazy("All remaining mages surrender"),
    "surrendered_as_last_enemy_died": gettext_lazy("The last mage surrenders as the last enemy dies"),
    "forfeit": gettext_lazy("A mage runs out of time"),
    "all_forfeit": gettext_lazy("All mages run out of time"),
    "called_off": gettext_lazy("Called off"),
    "agreed": gettext_lazy("The players agree on a draw"),
    "ended_by_league": gettext_lazy("Ended by the league"),
    "ended_by_cup": gettext_lazy("Ended by the cup"),
}


def _newest_edition(ruleset: str) -> int:
    return int(get_ruleset(ruleset).edition)


@dataclass(frozen=True)
class RulesOffer:
    """A ruleset that challenges can use, with its options.

    `name` is the ruleset with all options at their usual values; `words` describes it in one line.
    """

    name: str
    title: str
    words: str
    choices: tuple[Choice, ...]


def list_offers() -> list[RulesOffer]:
    """Return the rulesets offered for new battles, one for each family."""
    return [
        RulesOffer(each.name, each.title, each.summary, each.choices)
        for each in RULESETS.values()
        if each.offered and each.family in ("", each.name)
    ]


def choose_ruleset(*, name: str, options: Iterable[str] = ()) -> str:
    """Return the ruleset called `name`, or the one of its family that has these `options`. Case does not matter.

    Raises InvalidTerms with every problem and the nearest valid values.
    """
    known = {each.name.lower(): each for each in RULESETS.values() if each.offered}
    head = known.get(name.lower())
    if head is None:
        raise NoSuchRuleset(name, known)
    wanted, problems = dict(head.chosen), []
    for option in options:
        keys = {value.lower(): (choice.key, value) for choice in head.choices for value, _words in choice.values}
        if option.lower() in keys:
            key, value = keys[option.lower()]
            wanted[key] = value
        else:
            message = _('There is no %(ruleset)s option "%(name)s".') % {"ruleset": head.name, "name": option}
            problems.append(suggest_one_of(message, find_nearest_word(option, keys), keys))
    if problems:
        raise InvalidTerms(problems)
    kin = (each for each in known.values() if each.family == head.family and each.chosen == wanted)
    return head.name if wanted == head.chosen else next(kin).name


def find_rules(*, name: str, edition: int | None = None) -> Ruleset:
    """Return a ruleset in that edition, or the newest one. It does not have to be on offer.

    Raises NoSuchRuleset, which suggests one on offer, and InvalidTerms for an unknown edition.
    """
    if name not in RULESETS:
        raise NoSuchRuleset(name, [offered for offered, _title in list_rulesets()])
    problems = [] if edition is None else _edition_problems(name, edition)
    if problems:
        raise InvalidTerms(problems)
    return get_ruleset(name, edition)


def name_ruleset(name: str) -> str:
    """Return the ruleset's title, or the name itself if this release does not know it."""
    return RULESETS[name].title if name in RULESETS else name


def name_spells(name: str) -> str:
    """Return how sentences name a ruleset's spells: "standard spells"."""
    return str(SPELLS[name]) if name in SPELLS else name_ruleset(name)


def list_rulesets() -> list[tuple[str, str]]:
    """Return the name and title of every ruleset offered for new battles."""
    return [(name, ruleset.title) for name, ruleset in RULESETS.items() if ruleset.offered]


def list_known_rulesets() -> list[str]:
    """Return the name of every ruleset that a battle can have, also of those that new battles cannot."""
    return list(RULESETS)


@dataclass(frozen=True)
class Terms:
    """The terms of a battle.

    `edition` 0 means the newest edition of the ruleset and is replaced by its number. `stakes` is a word of
    `ladder.stakes`. With `orders_final`, ready orders cannot be changed (FM-ORDGEN-22); by default they can, until the
    turn resolves. Without `chat`, there is no SAY. `pace` is one of duels.paces. With `weekends`, clocks rest on
    Saturdays and Sundays, with `nights` for eight hours each night, in each player's own time zone. Only new users can
    join, and users who play at least `reliable` percent of their turns on time (0: anyone).

    `hit_points` is a handicap: the mages' hit points at the start, by seat in the order of joining; seats left out
    have no handicap. `bots` are the strengths of bots for which seats are reserved. With `bots_may_join`, bots also
    take free seats of an open challenge. `bots_surrender`: bots give up when the battle is lost for good. `lesson`: a
    first duel, in which the Apprentice plays for a lesson and the page coaches.

    Raises InvalidTerms with every problem.
    """

    ruleset: str = "firetop-standard"
    edition: int = field(default=0)
    pace: str = "classic"
    stakes: str = LADDER
    orders_final: bool = False
    chat: bool = True
    weekends: bool = False
    nights: bool = False
    reliable: int = 0
    hit_points: tuple[int, ...] = ()
    bots: tuple[str, ...] = ()
    bots_may_join: bool = False
    bots_surrender: bool = True
    lesson: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "hit_points", tidy_hit_points(self.hit_points))
        object.__setattr__(self, "bots", tidy_bots(self.bots))
        problems = list(self._problems())
        if problems:
            raise InvalidTerms(problems)
        if self.edition == 0:
            object.__setattr__(self, "edition", _newest_edition(self.ruleset))

    def _problems(self) -> "list[str | TermProblem]":
        problems = list[str | TermProblem]()
        if self.ruleset not in RULESETS:
            problems += NoSuchRuleset(str(self.ruleset), [name for name, _title in list_rulesets()]).details
        elif self.edition != 0:
            problems += _edition_problems(self.ruleset, self.edition)
        if not is_pace(self.pace):
            message = _('There is no pace "%(name)s".') % {"name": self.pace}
            problems.append(TermProblem.of_name("pace", message, find_nearest_word(str(self.pace), PACES), PACES))
        elif (self.weekends or self.nights) and not get_pace(self.pace, Policy()).rests:
            message = _("At %(pace)s pace, clocks cannot rest at night or on weekends.")
            problems.append(message % {"pace": self.pace})
        if not isinstance(self.reliable, int) or isinstance(self.reliable, bool) or not 0 <= self.reliable <= 100:
            message = _("reliable must be a percentage from 0 to 100, not %(value)s.")
            problems.append(message % {"value": repr(self.reliable)})
        if self.stakes not in STAKES:
            message = _('There are no stakes "%(name)s".') % {"name": self.stakes}
            nearest = find_nearest_word(str(self.stakes), OFFERED_STAKES)
            problems.append(TermProblem.of_name("stakes", message, nearest, OFFERED_STAKES))
        problems += find_handicap_problems(self.hit_points, self.stakes)
        problems += find_rated_problems(self.ruleset, self.stakes, bots_surrender=self.bots_surrender is not False)
        problems += find_bot_problems(self.bots, self.stakes, may_join=self.bots_may_join is True)
        for name in ("orders_final", "chat", "weekends", "nights", "bots_may_join", "bots_surrender", "lesson"):
            if not isinstance(getattr(self, name), bool):
                message = _("%(name)s must be yes or no, not %(value)s.")
                problems.append(message % {"name": name, "value": repr(getattr(self, name))})
        return problems

    @property
    def spells(self) -> str:
        return name_spells(self.ruleset)

    @property
    def title(self) -> str:
        return str(get_ruleset(self.ruleset, self.edition).title)

    @property
    def stake(self) -> Stake:
        return STAKES[self.stakes]

    @property
    def most_mages(self) -> int | None:
        return get_ruleset(self.ruleset, self.edition).most_mages

    def to_json(self) -> dict[str, Any]:
        """Return the terms as stored, with their schema version."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"version": VERSION} | {
            name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the terms that to_json wrote; raise InvalidTerms for anything else."""
        known = {each.name for each in fields(cls)}
        data = _upgrade(data)
        if data.get("version") != VERSION:
            raise InvalidTerms([_("Terms have no version %(value)s.") % {"value": repr(data.get("version"))}])
        strange = sorted(set(data) - known - {"version"})
        if strange:
            raise InvalidTerms([_('There is no term "%(name)s".') % {"name": name} for name in strange])
        return cls(**{name: value for name, value in data.items() if name in known})


def find_offer_problems(terms: Terms, *, against_bot: bool = False) -> list[str]:
    """Return why players cannot choose these terms: some rulesets are kept for old battles, and some stakes and paces
    belong to leagues and cups. `against_bot`: a battle against a bot of the site, which needs no clock."""
    problems = []
    offered = [name for name, _title in list_rulesets()]
    if terms.ruleset not in offered:
        message = _("The ruleset “%(name)s” is not for new battles.") % {"name": terms.ruleset}
        problems.append(suggest_one_of(message, None, offered))
    if not terms.stake.offered:
        message = _("The stakes “%(name)s” are for leagues and cups only.") % {"name": terms.stakes}
        problems.append(suggest_one_of(message, None, OFFERED_STAKES))
    if terms.pace == TWO_DAYS:
        message = _("The pace “%(name)s” is for cups only.") % {"name": terms.pace}
        problems.append(suggest_one_of(message, None, PACES))
    elif terms.pace == OWN and not against_bot:
        message = _("The pace “%(name)s” is for battles against bots of the site only.") % {"name": terms.pace}
        problems.append(suggest_one_of(message, None, PACES))
    return problems


def read_stakes(data: Mapping[str, Any]) -> str:
    """Return the stakes of stored terms, also of terms that name rules which are missing."""
    return str(_upgrade(data)["stakes"])


def _upgrade(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return terms stored by an earlier version in the current form.

    In version 1 clocks never rested, and its only pace is still called classic. Version 2 had `rated`, yes or no, in
    place of `stakes`.
    """
    if data.get("version") == 1 and not {"weekends", "nights", "stakes"} & set(data):
        data = {**data, "version": 2}
    if data.get("version") == 2 and "stakes" not in data:
        rest = {name: value for name, value in data.items() if name != "rated"}
        data = {**rest, "version": 3, "stakes": LADDER if data.get("rated", True) else FRIENDLY}
    return data


def _edition_problems(ruleset: str, edition: object) -> list[str]:
    if not isinstance(edition, int) or isinstance(edition, bool):
        return [_("The edition must be a number, not %(value)s.") % {"value": repr(edition)}]
    try:
        get_ruleset(ruleset, edition)
    except (RulesError, LookupError):
        message = _("%(ruleset)s has no edition %(edition)s. The newest is %(newest)s.")
        return [message % {"ruleset": ruleset, "edition": edition, "newest": _newest_edition(ruleset)}]
    return []
