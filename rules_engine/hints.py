"""Hints: what a mage's next gestures complete, could lead to, and risk, from the mage's own view alone (BRIEF 6, 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from rules_engine.audience import View, look
from rules_engine.beings import CHOOSE, ORDERS, Wizard
from rules_engine.events import Viewer
from rules_engine.gestures import (
    BOTH,
    FRIGHTENED,
    GESTURES,
    HANDS,
    LEFT,
    RIGHT,
    SECOND,
    STAB,
    SURRENDER,
    UNSEEN,
    other_hand,
)
from rules_engine.glossary import Noun, join_with_and, name_being, name_gesture, name_self, name_spell, name_your_hand
from rules_engine.narration import find_preposition
from rules_engine.orders import Sheet
from rules_engine.questions import MAKES_CREATURE, Question, is_frightened, open_questions, rehearse
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import FOE, SELF, Series
from rules_engine.state import State, opponent
from rules_engine.steps.taking_orders import may_end_own_life
from rules_engine.text import say
from rules_engine.vain_spells import Casting, find_idle_creatures, find_vain

MOST_GESTURES_AHEAD = 3
LEADS_SHOWN_WITHIN = 2


@dataclass(frozen=True, slots=True)
class KeyHint:
    """The effect of one gesture of one hand.

    `completes` names every spell it completes, the longest series first. `leads` names those within two more gestures,
    as (spell, gestures more): those it continues, otherwise those it begins. `begun` names every other spell that it
    continues or begins, the same way. `with_both` names the spells it completes if the other hand, whose gesture is
    not chosen yet, plays the same.
    """

    completes: tuple[str, ...]
    leads: tuple[tuple[str, int], ...]
    allowed: bool = True
    reason: str = ""
    begun: tuple[tuple[str, int], ...] = ()
    with_both: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Becoming:
    """A spell within reach of a hand: `more` gestures are missing, and `rest` lists them (small: both hands)."""

    spell: str
    series: str
    more: int
    rest: str
    both: bool


@dataclass(frozen=True, slots=True)
class Warning:
    """Something odd but allowed: the fact, and its consequence if that is not obvious.

    `severe`: the mage is asked to confirm it. `odd`: it is probably a slip, and a page asks too. `idle`: something does
    nothing as things stand: what the spell or creature `about` does, with `hand`; nobody is asked about it.
    """

    code: str
    fact: str
    follows: str = ""
    severe: bool = False
    odd: bool = False
    idle: bool = False
    about: str = ""
    hand: str = ""

    @property
    def message(self) -> str:
        """The fact and the consequence in one text."""
        return f"{self.fact} {self.follows}".rstrip()


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a sheet, as far as its mage can know, by hand; LH2 RH2 BH2 are those of a second pair.

    `keys` and `becomes` are empty if the mage has no gestures to choose.
    """

    casts: dict[str, str | None]
    warnings: tuple[Warning, ...]
    keys: dict[str, dict[str, KeyHint]]
    becomes: dict[str, tuple[Becoming, ...]]
    review: str


def preview(state: State, mage: str, sheet: Sheet | None = None) -> Preview:
    """Return the effect of the current `sheet` of `mage`, even with gestures missing."""
    wizard = state.wizards[mage]
    orders = sheet or Sheet()
    trial = rehearse(state, wizard, orders)
    questions = open_questions(state, mage, orders)
    return Preview(
        casts=_casts(trial),
        warnings=tuple(_warnings(state, wizard, trial, orders)),
        keys={
            half.hand(hand): _keys(state, half, _of(half, orders), hand)
            for half in _begun(wizard, trial)
            for hand in HANDS
        }
        if wizard.phase == ORDERS
        else {},
        becomes={
            half.hand(hand): _becomes(state, half, _of(half, orders), hand)
            for half in _begun(wizard, trial)
            for hand in HANDS
        }
        if wizard.phase == ORDERS
        else {},
        review=_review(state, mage, trial, questions),
    )


def find_warnings(state: State, mage: str, sheet: Sheet) -> tuple[Warning, ...]:
    """Return the warnings of `preview` alone, for a sheet that is not shown on pads."""
    wizard = state.wizards[mage]
    return tuple(_warnings(state, wizard, rehearse(state, wizard, sheet), sheet))


def _begun(wizard: Wizard, trial: Wizard) -> tuple[Wizard, ...]:
    """Return the mage before each pair of gestures: before the second, as the first left them."""
    if wizard.again is None or trial.again is None:
        return (wizard,)
    again = wizard.again.copy()
    again.begun = trial.again.begun
    return wizard, again


def _of(half: Wizard, sheet: Sheet) -> Sheet:
    return sheet.second if half.second else sheet


def _casts(trial: Wizard) -> dict[str, str | None]:
    return {half.hand(hand): _cast(half, hand) for half in trial.halves for hand in (LEFT, RIGHT, BOTH)}


def threats(view: View, name: str) -> dict[str, tuple[str, ...]]:
    """Return the spells that one more gesture of each hand completes, as the viewer sees it, except a lone Shield."""
    book = get_ruleset(view.ruleset).book
    mage = view.mage(name)
    threats_of = {}
    for hand in HANDS:
        spells = [s.spell for s, made in book.begun(book.state_of(*mage.read_series(hand))) if len(s.text) - made == 1]
        threats_of[hand] = tuple(dict.fromkeys(spells))
    return threats_of


def find_summoning_hands(view: View, name: str) -> frozenset[str]:
    """Return the hands of a mage whose next gestures may summon a creature or raise one, as far as the viewer can know:
    all hands of a mage who plays two pairs of gestures in this turn, or who played gestures that the viewer did not
    see."""
    mage, ruleset = view.mage(name), get_ruleset(view.ruleset)
    if mage.pairs > 1 or UNSEEN in mage.left + mage.right:
        return frozenset((LEFT, RIGHT, BOTH, *SECOND.values()))
    begun = ruleset.book.states_of(mage.left, mage.right)
    return frozenset(
        hand
        for left, right in product(GESTURES, repeat=2)
        for hand, spells in begun.lead_to(left + right).first.items()
        for spell in map(ruleset.spells.__getitem__, spells)
        if spell.category == MAKES_CREATURE or spell.works_on_the_dead
    )


def growing(view: View, name: str) -> dict[str, int]:
    """Return for each hand how many gestures of its longest unfinished series are made, as the viewer sees it."""
    book = get_ruleset(view.ruleset).book
    mage = view.mage(name)
    begun = {hand: book.begun(book.state_of(*mage.read_series(hand))) for hand in HANDS}
    return {hand: max((made for _, made in series), default=0) for hand, series in begun.items()}


def _cast(trial: Wizard, hand: str) -> str | None:
    spell = trial.spells.get(hand)
    return None if trial.phase == ORDERS or spell == CHOOSE else spell


def _keys(state: State, wizard: Wizard, sheet: Sheet, hand: str) -> dict[str, KeyHint]:
    other = sheet.get(other_hand(hand))
    afraid = is_frightened(state, wizard)
    return {g: _key(state, wizard, hand, g, other, afraid and g in FRIGHTENED) for g in GESTURES}


def _key(state: State, wizard: Wizard, hand: str, gesture: str, other: str | None, forbidden: bool) -> KeyHint:
    book = state.ruleset.book
    own_state, other_state = _states(wizard, hand)
    alike = gesture == other or (other is None and gesture == "C")
    after = book.step(own_state, gesture, alike)
    together = book.step(own_state, gesture, True)
    pairs = (*book.both(together), *book.both(book.step(other_state, gesture, True)))
    completes = _names_longest_first(wizard, (*book.single(after), *(pairs if alike else ())))
    with_both = _names_longest_first(wizard, pairs) if other is None and not alike else ()
    going = [*book.begun(after), *(book.begun(together) if other is None else ())]
    usable = [(s, made) for s, made in going if not (s.once and wizard.short_bolt_used)]
    begun = [(s.spell, len(s.text) - made, made) for s, made in sorted(usable, key=lambda each: -each[1])]
    # Show what has just begun if nothing older continues: in the first turn, and when a string is broken.
    leads = [(spell, more) for spell, more, made in begun if made > 1] or [(spell, more) for spell, more, _ in begun]
    near = tuple(dict.fromkeys((spell, more) for spell, more in leads if more <= LEADS_SHOWN_WITHIN))
    rest = dict.fromkeys((spell, more) for spell, more, _ in sorted(begun, key=lambda each: each[1]))
    reason = say("too afraid") if forbidden else ""
    others = tuple(each for each in rest if each not in near)
    return KeyHint(completes, near, not forbidden, reason, others, with_both)


def _names_longest_first(wizard: Wizard, series: Iterable[Series]) -> tuple[str, ...]:
    usable = (s for s in series if not (s.once and wizard.short_bolt_used))
    return tuple(dict.fromkeys(s.spell for s in sorted(usable, key=lambda s: -len(s.text))))


def _states(wizard: Wizard, hand: str) -> tuple[int, int]:
    if hand == LEFT:
        return wizard.begun.left, wizard.begun.right
    return wizard.begun.right, wizard.begun.left


def _becomes(state: State, wizard: Wizard, sheet: Sheet, hand: str) -> tuple[Becoming, ...]:
    """Return the spells that this hand completes with the chosen gesture, and those up to three gestures away."""
    book = state.ruleset.book
    own_state, _ = _states(wizard, hand)
    gesture, other = sheet.get(hand), sheet.get(other_hand(hand))
    after = own_state if gesture is None else book.step(own_state, gesture, gesture == other)
    becomings = []
    if gesture is not None:
        done = (*book.single(after), *book.both(after))
        becomings = [Becoming(s.spell, s.text, 0, "", s.two_handed) for s in done]
    for series, made in book.begun(after):
        more = len(series.text) - made
        if more <= MOST_GESTURES_AHEAD:
            rest = series.text[made:]
            becomings.append(Becoming(series.spell, series.text, more, rest, any(c.islower() for c in rest)))
    usable = [b for b in becomings if not (b.series in state.ruleset.once and wizard.short_bolt_used)]
    return tuple(sorted(usable, key=lambda b: (b.more, -len(b.series), b.spell)))


def _warnings(state: State, wizard: Wizard, trial: Wizard, sheet: Sheet) -> Iterator[Warning]:
    if sheet.ends_own_life and may_end_own_life(state.ruleset, wizard):
        yield Warning("suicide", say("You stop your own heart and die at the end of this turn."), severe=True)
    for half, tried in zip(wizard.halves, trial.halves, strict=True):
        yield from _warnings_of_pair(state, half, tried, _of(half, sheet))
    if trial.phase != ORDERS:
        yield from _unused(trial, sheet)
        yield from _idle_warnings(state, wizard, trial, sheet)
    # Of a hand that casts nothing, `_unused` has said so.
    if sheet.permanent and sheet.permanent == sheet.delay and (trial.phase == ORDERS or _casts(trial).get(sheet.delay)):
        yield Warning("banked_not_permanent", say("A banked spell cannot become permanent."))


def _warnings_of_pair(state: State, wizard: Wizard, trial: Wizard, sheet: Sheet) -> Iterator[Warning]:
    left, right = sheet.get(LEFT), sheet.get(RIGHT)
    if wizard.phase != ORDERS:
        left, right = wizard.gestures
    if left == right == "P":
        follows = say("You leave the battle.")
        yield Warning("surrender", say("Two palms at once are a surrender."), follows, severe=True)
    if left and right and (left == "C") != (right == "C"):
        yield Warning("half_clap", say("A clap with one hand counts as nothing."), odd=True)
    yield from _mind_warnings(state, wizard, left, right)
    if left == right == STAB:
        yield Warning("two_stabs", say("You have one dagger: only your right hand stabs."), odd=True)
    for hand in (LEFT, RIGHT, BOTH):
        yield from _aim_warnings(state, trial, sheet, hand)


def _mind_warnings(state: State, wizard: Wizard, left: str | None, right: str | None) -> Iterator[Warning]:
    """Yield how an enchantment will change these gestures."""
    makes = state.ruleset.rules.fear_makes
    if makes is not None and "afraid" in wizard.marks and FRIGHTENED.intersection(g for g in (left, right) if g):
        message = say(
            "You are too afraid to play C, D, F or S: that hand plays {gesture}.", gesture=name_gesture(makes)
        )
        yield Warning("afraid", message)
    if "maladroit" in wizard.marks and left != right and right:
        gesture = name_gesture(right)
        message = say("You are clumsy: both hands play your right hand's gesture, {gesture}.", gesture=gesture)
        yield Warning("maladroit", message)


def _unused(trial: Wizard, sheet: Sheet) -> Iterator[Warning]:
    """Powers and choices for hands that complete no spell for them."""
    casts = _casts(trial)
    if sheet.permanent and not casts.get(sheet.permanent):
        with_hand = name_your_hand(sheet.permanent)
        yield Warning("permanent_unused", say("With {hand} you complete no spell to make permanent.", hand=with_hand))
    if sheet.delay and not casts.get(sheet.delay):
        with_hand = name_your_hand(sheet.delay)
        yield Warning("delay_unused", say("With {hand} you complete no spell to bank.", hand=with_hand))
    for half in trial.halves:
        for hand, spell in _of(half, sheet).choices.items():
            if half.spells.get(hand) != spell and spell not in half.offers.get(hand, ()):
                slots = {"hand": name_your_hand(half.hand(hand)), "spell": name_spell(spell)}
                yield Warning("choice_unused", say("With {hand} you don't complete {spell}.", **slots))


def _aim_warnings(state: State, trial: Wizard, sheet: Sheet, hand: str) -> Iterator[Warning]:
    spell = state.ruleset.spells.get(_cast(trial, hand) or "")
    target = sheet.get(f"TARGET {hand}")
    if spell is None or target is None:
        return
    me, foes = trial.name, [m for m in state.mages if m != trial.name]
    if spell.category == "summons" and target in foes:
        slots = {"spell": name_spell(spell.name), "target": target}
        yield Warning("given_away", say("{spell} for {target}: the creature will obey {target}.", **slots))
    elif spell.default == FOE and target == me:
        yield Warning("harms_self", say("You aim {spell} at yourself.", spell=name_spell(spell.name)), odd=True)
    elif spell.default == SELF and target in foes:
        slots = {"spell": name_spell(spell.name), "target": target}
        yield Warning("helps_foe", say("You cast {spell} on {target}, not on yourself.", **slots), odd=True)


def _idle_warnings(state: State, wizard: Wizard, trial: Wizard, sheet: Sheet) -> Iterator[Warning]:
    """Yield what does nothing as things stand, from what the mage sees."""
    if wizard.phase == ORDERS and sheet.column == SURRENDER:
        return
    view = look(state, Viewer.of(wizard.name))
    for each in find_vain(view, state.ruleset, wizard.name, tuple(_list_castings(state, wizard, trial, sheet))):
        yield Warning("does_nothing", each.fact, each.follows, idle=True, about=each.what, hand=each.hand)
    for each in find_idle_creatures(view, wizard.name, {**trial.monster_orders, **sheet.monster_orders}):
        yield Warning("idle_creature", each.fact, each.follows, idle=True, about=each.what)


def _list_castings(state: State, wizard: Wizard, trial: Wizard, sheet: Sheet) -> Iterator[Casting]:
    """Yield what the orders cast, without what goes into the bank."""
    rules = state.ruleset.rules
    early = rules.targets_are_decided and wizard.phase == ORDERS
    if rules.powers_take_the_next and "delay" in wizard.marks:
        return
    for half in trial.halves:
        orders = _of(half, sheet)
        for hand in (LEFT, RIGHT, BOTH):
            spell = state.ruleset.spells.get(_cast(half, hand) or "")
            stabs = hand != BOTH and half.gestures[0 if hand == LEFT else 1] == STAB
            if half.hand(hand) in (sheet.delay, *trial.saving) or (spell is None and not stabs):
                continue
            default = wizard.name if spell and spell.default == SELF else opponent(state, wizard.name)
            target: str | None = orders.get(f"TARGET {hand}") or half.targets.get(hand) or default
            if early or (spell is not None and not spell.targeted):
                target = None
            yield Casting(half.hand(hand), spell.name if spell else "Stab", target)


def _review(state: State, mage: str, trial: Wizard, questions: tuple[Question, ...]) -> str:
    missing = [q for q in questions if q.required and q.answered is None]
    hands = [q for q in missing if q.kind == "gesture"]
    if hands:
        if len(hands) > 1:
            return say("Choose a gesture for each hand.")
        return say("Choose a gesture for {hands}.", hands=join_with_and([name_your_hand(q.id) for q in hands]))
    if any(q.kind == "choose" for q in missing):
        return say("Your gestures complete more than one spell: choose one.")
    if missing:
        return say(
            "Choose a target for {spells}.",
            spells=join_with_and([*dict.fromkeys(name_spell(q.about) for q in missing)]),
        )
    aimed = [q for q in questions if q.kind == "target"]
    casts = [_say_cast(q, mage) for q in aimed if q.about in state.ruleset.spells]
    casts += [name_spell(spell) for spell in _casts(trial).values() if spell and _is_untargeted(state, spell)]
    stabs = {_pair_of(q): f"{_aim(q, mage):accusative}" for q in aimed if q.about not in state.ruleset.spells}
    words = {"casts": ", ".join(_counted(casts)), "stabs": join_with_and(_counted(stabs.values()))}
    if casts and stabs:
        return say("You cast {casts} and stab {stabs}.", **words)
    if casts:
        return say("You cast {casts}.", **words)
    return say("You stab {stabs}.", **words) if stabs else say("You complete no spell this turn.")


def _say_cast(question: Question, mage: str) -> str:
    """Return a spell and its target. A creature for the mage themself has no target."""
    target = question.answered or question.default
    slots = {"spell": name_spell(question.about), "target": _aim(question, mage)}
    preposition = find_preposition(question.about)
    if preposition == "for" and target == mage:
        return slots["spell"]
    if preposition == "for":
        return say("{spell} for {target}", **slots)
    if preposition == "at":
        return say("{spell} at {target}", **slots)
    return say("{spell} on {target}", **slots)


def _pair_of(question: Question) -> bool:
    """Return whether a stab belongs to the second pair of gestures. There is one dagger: if both hands stab, the right
    one, which comes last, has it."""
    return question.id.removeprefix("TARGET ") in SECOND.values()


def _counted(items: Iterable[str]) -> list[str]:
    """Return each item once, followed by "twice" if it was there twice."""
    times = Counter(items)
    return [each if count == 1 else say("{each} twice", each=each) for each, count in times.items()]


def _aim(question: Question, mage: str) -> Noun:
    target = question.answered or question.default
    if target is None:
        return Noun.of("person", "a random enemy")
    return name_self(mage, mage) if target == mage else name_being(target, mage)


def _is_untargeted(state: State, spell: str) -> bool:
    return not state.ruleset.spells[spell].targeted
