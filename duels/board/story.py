"""The story column: the last turn open, some older ones folded, each with its first sentence, and a link to earlier
ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from duels.board.links import battle_url, link_clause, replay_url
from duels.board.parts import Part, short_hash
from duels.board.signs import HANDS, SYMBOLS, plain, shown
from duels.rule_anchors import section_of
from duels.selectors.battle_view import BattleView, ShownTurn, StoryLine, TurnStory
from duels.selectors.touches import Touch
from rules_engine import MageView, Ruleset, SummaryLine, get_ruleset
from rules_engine.glossary import name_spell
from rules_engine.rulebook import describe_spell

FOLDED = 2
SPEECH = "says"
# The page shows these in its headings and the letters below them.
SAID_OTHERWISE = ("turn_begins", "gestures", "gestures_again")


@dataclass(frozen=True)
class Rule:
    """A rule in a sentence, with its name and link."""

    sentence: str
    name: str
    url: str


PlaceOf = Callable[[str], str]
RuleOf = Callable[[str], Rule | None]


@dataclass(frozen=True)
class ShownGestures:
    """The gestures of one mage in a turn, as far as they were seen."""

    name: str
    letters: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """One step of the chain of causes behind a line: the text before and after the clause, and its link."""

    before: str
    after: str
    clause: str
    url: str


@dataclass(frozen=True)
class Line:
    """One event in words, and its effect on the board."""

    text: str
    look: str
    why: tuple[Why, ...]
    touch: Touch | None = None


@dataclass(frozen=True)
class Sum:
    """One line of a turn's summary: `lead` first, in bold, then `rest`, the rule and the chain of causes.

    `sign` is the sign of its school, and `works` is False for what did nothing.
    """

    lead: str
    rest: str = ""
    why: tuple[Why, ...] = ()
    rule: Rule | None = None
    look: str = ""
    sign: str = ""
    works: bool = True
    # The strings whose last beads made it, separated by commas.
    beads: str = ""

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.lead, self.rest) if part)


@dataclass(frozen=True)
class StoryTurn(Part):
    """The viewer's story of one turn.

    The texts of a turn follow from its events, whose numbers are never reused: so `mark` represents `headline` and
    `lines` in the version, whose cost is the same for any length.
    """

    key: str
    label: str
    headline: str = field(repr=False)
    made: tuple[ShownGestures, ...]
    sums: tuple[Sum, ...] = field(repr=False)
    lines: tuple[Line, ...] = field(repr=False)
    mark: tuple[str | None, int, int]
    # The address of what-if studies of this turn, once the battle is over.
    what_if: str = ""
    # The address of the turn's replay; "" while it is not over, and outside battles.
    replay_url: str = ""


@dataclass(frozen=True)
class Earlier:
    """The turns before those shown: their label, the page with them, and for scripts the address of its story alone."""

    words: str
    url: str
    part_url: str


@dataclass(frozen=True)
class Story(Part):
    """The last turn, those before it (newest first), and older ones, which are folded together.

    `earlier` links to the turns before. On the page of earlier turns, all turns shown are in `oldest`, and `later_url`
    leads back to the last turn.
    """

    latest: StoryTurn | None
    older: tuple[StoryTurn, ...]
    oldest: tuple[StoryTurn, ...]
    oldest_words: str
    earlier: Earlier | None = None
    later_url: str = ""

    @property
    def turns(self) -> tuple[StoryTurn, ...]:
        """Every turn, newest first."""
        return (*([self.latest] if self.latest else []), *self.older, *self.oldest)

    @property
    def version(self) -> str:
        return short_hash([turn.version for turn in self.turns])


def make_story(
    view: BattleView,
    made: Mapping[int, tuple[ShownGestures, ...]],
    place_of: PlaceOf,
    rule_of: RuleOf = lambda _clause: None,
    mage: str = "",
) -> Story:
    """Return the story; `made` are the gestures by turn, `place_of` returns a clause's link, `rule_of` its sentence,
    `mage` is the mage for links."""
    turns = [
        replace(
            make_story_turn(story, view.me, made.get(story.seq, ()), place_of, rule_of),
            replay_url=_find_replay(view, story),
            what_if=_find_what_if(view, story.seq),
        )
        for story in reversed(view.stories)
    ]
    if view.window.before is not None:
        page = battle_url(view.battle.number, mage)
        return Story(None, (), tuple(turns), _name_span(turns), _find_earlier(view, mage), later_url=page)
    latest, older, oldest = turns[:1], turns[1 : FOLDED + 1], turns[FOLDED + 1 :]
    if len(oldest) == 1:  # nothing to fold twice
        older, oldest = [*older, *oldest], []
    words = _name_span(oldest)
    return Story(latest[0] if latest else None, tuple(older), tuple(oldest), words, _find_earlier(view, mage))


def _name_span(turns: Sequence[StoryTurn | ShownTurn]) -> str:
    """Name a range of turns, given newest first: ``Turns 3 to 9``, ``Turn 3``."""
    if not turns:
        return ""
    first, last = turns[-1].label, turns[0].label
    if len(turns) > 1:
        return _("Turns %(first)s to %(last)s") % {"first": first, "last": last}
    return _("Turn %(turn)s") % {"turn": last}


def _find_earlier(view: BattleView, mage: str) -> Earlier | None:
    if not view.stories:
        return None
    first = view.stories[0].seq
    before = [turn for turn in reversed(view.turns) if turn.seq < first]
    if not before:
        return None
    number = view.battle.number
    page = battle_url(number, mage, before=str(first))
    return Earlier(_name_span(before), f"{page}#story", battle_url(number, mage, before=str(first), fragment="story"))


def _find_what_if(view: BattleView, seq: int) -> str:
    return reverse("studies:try", args=[view.battle.number, seq]) if view.over and view.battle.number else ""


def turn_key(story: TurnStory) -> str:
    """Return the anchor of a turn; unlike its label it is unique."""
    return f"{story.seq}" if not story.attempt else f"{story.seq}-{story.attempt}"


def make_story_turn(
    story: TurnStory,
    me: str | None,
    made: tuple[ShownGestures, ...],
    place_of: PlaceOf,
    rule_of: RuleOf = lambda _clause: None,
) -> StoryTurn:
    """Return one turn's story for the viewer who plays `me`, without links."""
    return StoryTurn(
        key=turn_key(story),
        label=story.label,
        headline=_name_turn(story),
        made=made,
        sums=_sum_up(story, place_of, rule_of),
        lines=tuple(
            Line(line.text, "said", ())
            if line.kind == SPEECH
            else Line(line.text, "", _why(line, place_of), line.touch)
            for line in story.lines
            if line.text and line.kind not in SAID_OTHERWISE
        ),
        mark=(me, len(story.lines), story.lines[-1].number if story.lines else 0),
    )


def _name_turn(story: TurnStory) -> str:
    """Return the first sentence of the summary, to follow the turn's name."""
    return _("nothing happens.") if story.summary.lines[0].key == "nothing" else story.headline


def _find_replay(view: BattleView, story: TurnStory) -> str:
    is_over = story.resolved_at is not None or view.over
    return replay_url(view.battle.number, story.seq) if is_over and view.battle.number else ""


def _sum_up(story: TurnStory, place_of: PlaceOf, rule_of: RuleOf) -> tuple[Sum, ...]:
    """Return the open lines of the summary, then speech."""
    sums = [_sum(line, story, place_of, rule_of) for line in story.summary.open_lines]
    return (*sums, *(Sum("", line.text, look="said") for line in story.lines if line.kind == SPEECH and line.text))


def _sum(summary: SummaryLine, story: TurnStory, place_of: PlaceOf, rule_of: RuleOf) -> Sum:
    lines = [story.lines[place] for place in summary.places]
    steps = {each.text: each for line in lines for each in line.reasons}
    rule = next((found for line in lines if (found := rule_of(line.clause))), None)
    why = tuple(_around(each.text, each.clause, place_of(each.clause)) for each in steps.values())
    if not why and rule is None:
        why = tuple(each for line in lines for each in _why(line, place_of) if each.clause)
    sign = "" if summary.key in ("nothing", "nothing seen", "waits") else summary.sign
    hands = ((bead.mage, hand) for bead in summary.beads if bead.seq == story.seq for hand in _split_hands(bead.hand))
    beads = ",".join(dict.fromkeys(f"mage-{mage}-{hand}" for mage, hand in hands))
    return Sum(summary.bold, summary.rest, why, rule, sign=sign, works=summary.works, beads=beads)


def _split_hands(hand: str) -> tuple[str, ...]:
    """Return the strings that a hand's gestures are on."""
    return HANDS if plain(hand) == "BH" else (plain(hand),)


def _why(line: StoryLine, place_of: PlaceOf) -> tuple[Why, ...]:
    """Return the chain of causes behind a line, each with the link of its rule; just the rule if there are none."""
    reasons = [(each.text, each.clause) for each in line.reasons]
    cited = reasons if any(clause == line.clause for _, clause in reasons[:1]) else [("", line.clause), *reasons]
    return tuple(_around(text, clause, place_of(clause)) for text, clause in cited)


def _around(text: str, clause: str, url: str) -> Why:
    """Split the sentence around the clause, which comes last if the sentence does not name it."""
    before, after = text, ""
    if clause and f"({clause})" in text:
        before, after = text.split(f"({clause})", 1)
    return Why(before.strip() or _("The rule"), after, clause, url)


def made_by(mages: Sequence[MageView], index: int, me: str | None) -> tuple[ShownGestures, ...]:
    """Return each mage's gestures in one column, as far as they were seen; `me` is the mage that the viewer plays."""
    rows = []
    for mage in mages:
        letters = [hand[index] for hand in (mage.left, mage.right) if index < len(hand) and hand[index] in SYMBOLS]
        if letters:
            rows.append(ShownGestures(_("You") if mage.name == me else mage.name, tuple(shown(c) for c in letters)))
    return tuple(rows)


# Longer texts are represented by their first sentence.
LONGEST = 200


def describe_rule(ruleset: Ruleset, clause: str) -> Rule | None:
    """Return the description of the clause's spell, with its place in the rules; None if it belongs to no spell."""
    return _describe_rule(ruleset.name, ruleset.edition, clause, get_language() or "") if clause else None


@lru_cache(maxsize=2000)
def _describe_rule(name: str, edition: int, clause: str, language: str) -> Rule | None:
    # `language` is only part of the key.
    ruleset = get_ruleset(name, edition)
    section = section_of(clause)
    spell = next((one for one in sorted(ruleset.order) if section_of(ruleset.spells[one].clause) == section), None)
    if spell is None:
        return None
    words = describe_spell(ruleset, spell)
    sentence = words if len(words) <= LONGEST else f"{words.partition('. ')[0].rstrip('.')}."
    return Rule(sentence, name_spell(spell), link_clause(ruleset, clause))
