"""Imagines a battle from what one mage sees, with random guesses for what is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from rules_engine.beings import (
    COLOURS,
    FIRE_ELEMENTAL,
    HELD,
    ICE_ELEMENTAL,
    MONSTER_HP,
    NO_MASTER,
    NOBODY,
    ORDERS,
    PERMANENT,
    READY,
    SEEN_HELD,
    Monster,
    Wizard,
)
from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.seen import Seen
from rules_engine.bots.worth import Worth
from rules_engine.gestures import (
    BOTH,
    BREAK,
    FIRE,
    GESTURES,
    HANDS,
    LEFT,
    NOTHING,
    RIGHT,
    UNSEEN,
    WAITED,
    other_hand,
)
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import FOE, HandStates
from rules_engine.state import State, share_columns
from rules_engine.steps.next_turn import blank_minds
from rules_engine.turn import Turn

# Names that no creature of the battle can have, so that imagined creatures do not replace real ones.
_COLOURS = tuple(f"Imagined{colour}" for colour in COLOURS)
_LIKELY_GESTURES = "DFPSWDFPSWDFPSW>-"
GUESSES = 4
"""How many pairs of gestures are tried for a column that was not seen: the most promising is taken."""
UNKNOWN_HP = (4, 6, 8, 10, 11, 12, 13, 14, 15, 15)
_CHANGED_HP = (-1, 0, 0, 0, 1)
"""How remembered hit points may have changed without the mage's knowledge."""
_STRONGEST_FIRST = ("Giant", "Troll", "Ogre", "Goblin")
_TAKES_OVER = ("Charm Monster", "Raise Dead")
_ELEMENTALS = {
    FIRE_ELEMENTAL: ("heat_resistant", "Summon Fire Elemental", "Summon Elemental"),
    ICE_ELEMENTAL: ("cold_resistant", "Summon Ice Elemental", "Summon Elemental"),
}
"""elemental → what protects from it, and the spells that bring it."""


def hides_something(seen: Seen) -> bool:
    """Return whether any part of the position must be guessed."""
    facts = seen.facts
    return bool(facts["blind"]) or any(UNSEEN in mage["left"] for mage in facts["mages"])


def imagine(seen: Seen, worth: Worth, chance: Chance) -> State:
    """Return a state in which `seen.mage` would see exactly what they see. Same seed, same state."""
    facts = seen.facts
    ruleset = get_ruleset(facts["ruleset"], facts["edition"])
    names = tuple(mage["name"] for mage in facts["mages"])
    state = State(ruleset, names, _COLOURS)
    state.turn, state.extra, state.seq = facts["turn"], facts["extra"], facts["seq"]
    state.columns = share_columns(facts["columns"])
    state.tombstone = list(facts["tombstone"])
    state.out = [mage["name"] for mage in facts["mages"] if mage["standing"] != "in"]
    state.movers = tuple(mage["name"] for mage in facts["mages"] if mage["acts"])
    memory = Memory(seen)
    for mage in facts["mages"]:
        _fill(state, state.wizards[mage["name"]], mage, memory, worth, chance)
    for monster in [*facts["monsters"], *memory.monsters]:
        state.monsters[monster["name"]] = _make_monster(monster, names)
    targets = {asked["about"]: asked["default"] for asked in seen.questions if asked["kind"] == "monster"}
    for name in facts["obey_me"]:
        if name not in state.monsters:  # the blind know which creatures obey them
            state.monsters[name] = Monster(name, _kind_of(name), seen.mage, targets.get(name) or NOBODY)
    _settle_controllers(state, seen, chance)
    if facts["doubled"]:
        for mage in facts["mages"]:
            if mage["pairs"] == 2 and mage["name"] not in state.out:
                state.wizards[mage["name"]].go_again()
                state.doubled = True
    if not facts["stage"]:
        blank_minds(Turn(state, SearchDice(chance)))
    _obey_own_phase(state.wizards[seen.mage], facts["own"])
    return state


def doubt(imagined: State, seen: Seen) -> list[State]:
    """Return positions that look to a blind mage like this one and threaten the most, the worst first: with every
    creature that may have come unseen, with the strongest one alone, and one in which the others have all their hit
    points."""
    others = [name for name in imagined.still_in if name != seen.mage]
    unseen = [_list_unseen(imagined, seen, name) for name in others]
    most = max(map(len, unseen), default=0)
    doubted = [imagined.copy() for _ in range(min(most, 2) + 1)]
    for world, count in zip(doubted, (most, 1) if most > 1 else (most,), strict=False):
        for monsters in unseen:
            world.monsters.update({monster.name: monster for monster in monsters[:count]})
    for name in others:
        wizard = doubted[-1].wizards[name]
        wizard.hp = wizard.max_hp + imagined.ruleset.rules.hit_point_surplus
    return doubted


def _list_unseen(imagined: State, seen: Seen, master: str) -> list[Monster]:
    """Return the creatures that may attack a blind mage, for another one or for nobody, without being known: the
    strongest first.

    They are those of all spells that hands may have completed in turns that the mage was not told of. If the other one
    may have cast a spell that takes creatures over, those of everyone count.
    """
    memory, me = Memory(seen), imagined.wizards[seen.mage]
    dark: dict[str, list[tuple[str, int]]] = {}  # name → (hand, column) of gestures after which something may have come
    hands = {mage["name"]: {LEFT: mage["left"], RIGHT: mage["right"]} for mage in seen.facts["mages"]}
    for name, each in hands.items():
        columns = [
            column
            for column in range(1, len(each[LEFT]))
            if column not in memory.known or UNSEEN in (each[LEFT][column], each[RIGHT][column])
        ]
        dark[name] = [(hand, column) for column in columns for hand in HANDS]

    def may_cast(spell: str, name: str, hand: str, column: int) -> bool:
        return next(_list_fits(imagined, hands[name], spell, column, (hand,)), None) is not None

    def list_kinds(name: str) -> list[str]:
        best = [
            next((kind for kind in _STRONGEST_FIRST if may_cast(f"Summon {kind}", name, *place)), None)
            for place in dark[name]
        ]
        return [kind for kind in best if kind]

    kinds = list_kinds(master)
    if any(may_cast(spell, master, *place) for spell in _TAKES_OVER for place in dark[master]):
        lost = Counter(list_kinds(me.name)) - Counter(map(_kind_of, seen.facts["obey_me"]))
        kinds += [*lost.elements(), *memory.gone]
    found = [
        Monster(f"Unseen{number}{master}{kind}", kind, master, me.name)
        for number, kind in enumerate(sorted(kinds, key=lambda kind: -MONSTER_HP[kind]))
    ]
    for kind, (safe, *spells) in _ELEMENTALS.items():
        places = [(name, *place) for name in dark for place in dark[name]]
        if safe not in me.marks and any(may_cast(spell, *place) for spell in spells for place in places):
            return [*found, Monster(kind, kind, NO_MASTER, NO_MASTER)]  # there is never more than one
    return found


class Memory:
    """What the mage believes of what they do not see (`rules_engine.bots.belief`)."""

    def __init__(self, seen: Seen) -> None:
        belief = seen.facts.get("belief") or {}
        self.mages = {each["name"]: each for each in belief.get("mages", ())}
        self.casts: list[dict[str, Any]] = belief.get("casts", [])
        self.known = frozenset[int](belief.get("known", ()))
        mine = set(seen.facts["obey_me"])
        self.monsters = [
            {**each, "controller": seen.mage} if each["name"] in mine else each
            for each in belief.get("monsters", ())
            if each["name"] in mine or each["controller"] != seen.mage
        ]
        self.gone: list[str] = [
            each["kind"]
            for each in belief.get("monsters", ())
            if each["name"] not in mine and each["controller"] == seen.mage
        ]
        """The kinds of the creatures that obeyed the mage once, and no longer do."""


def _fill(state: State, wizard: Wizard, mage: Mapping[str, Any], memory: Memory, worth: Worth, chance: Chance) -> None:
    length = len(state.columns)
    most = wizard.max_hp + state.ruleset.rules.hit_point_surplus
    marks: Mapping[str, int] = mage["marks"]
    if mage["hp"] is not None:
        wizard.hp = mage["hp"]
    elif wizard.name in memory.mages:
        remembered = memory.mages[wizard.name]
        wizard.hp = min(max(1, remembered["hp"] + chance.choose(_CHANGED_HP)), most)
        ago = remembered["ago"]
        marks = {mark: turns - max(ago, 0) if turns > 0 else turns for mark, turns in remembered["marks"].items()}
        marks = {mark: turns for mark, turns in marks.items() if turns}
    else:
        wizard.hp = chance.choose(UNKNOWN_HP)
    wizard.marks = {mark: turns if turns > 0 else PERMANENT for mark, turns in marks.items()}
    wizard.bank = (mage["banked"][0], mage["banked"][1]) if mage["banked"] else None
    wizard.blind_columns = wizard.unseen_columns = "0" * length
    wizard.left, wizard.right = _guess_strings(state, mage, memory, worth, chance)
    wizard.controller = wizard.name
    if wizard.name in state.out:
        wizard.phase = mage["standing"]
        wizard.hp = min(wizard.hp, 0) if wizard.phase == "dead" else wizard.hp
        wizard.left += NOTHING
        wizard.right += NOTHING
        return
    wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    wizard.short_bolt_used = _has_used_bolt(state, wizard)
    if not mage["acts"]:
        wizard.phase = READY
        wizard.left += WAITED
        wizard.right += WAITED


def _guess_strings(
    state: State, mage: Mapping[str, Any], memory: Memory, worth: Worth, chance: Chance
) -> tuple[str, str]:
    """Return both histories; for an unseen column, those of a spell that was told of, of a series that later
    gestures continue, or that continue something."""
    if UNSEEN not in mage["left"] + mage["right"]:
        return mage["left"], mage["right"]
    casts = [each for each in memory.casts if each["mage"] == mage["name"]]
    hands = _fit_known(state, mage, casts, chance)
    states = state.ruleset.book.start
    for place, (left, right) in enumerate(zip(hands[LEFT], hands[RIGHT], strict=True)):
        if UNSEEN in (left, right):
            told = {each["spell"] for each in casts if each["column"] == place}
            pairs = [_complete_pair(left, right, chance) for _ in range(GUESSES)]
            pairs = [pair for pair in pairs if pair != ("P", "P")] or [_complete_pair(left, right, chance, "W")]
            if place in memory.known:
                quiet = [pair for pair in pairs if not _would_be_felt(state, states, pair, told)]
                pairs = quiet or pairs
            left, right = max(pairs, key=lambda pair: worth.hands(states.lead_to(pair[0] + pair[1])))
            hands[LEFT][place], hands[RIGHT][place] = left, right
        states = states.after[left + right]
    return "".join(hands[LEFT]), "".join(hands[RIGHT])


def _complete_pair(left: str, right: str, chance: Chance, among: str = _LIKELY_GESTURES) -> tuple[str, str]:
    return (
        chance.choose(among) if left == UNSEEN else left,
        chance.choose(among) if right == UNSEEN else right,
    )


def _would_be_felt(state: State, states: HandStates, pair: tuple[str, str], told: Set[str]) -> bool:
    """Return whether gestures complete harm that the mage would have been told of."""
    offered = states.lead_to(pair[0] + pair[1]).first.values()
    spells = state.ruleset.spells
    return any(spells[spell].default == FOE and spell not in told for each in offered for spell in each)


def _fit_known(
    state: State, mage: Mapping[str, Any], casts: Sequence[Mapping[str, Any]], chance: Chance
) -> dict[str, list[str]]:
    """Return both histories with the gestures of spells that were told of, and of series that later gestures continue:
    of both hands, else of the one that is further on, else of none. Spells are certain, so room must be left for them.
    """

    def fit(continuing: Sequence[str]) -> tuple[bool, int, dict[str, list[str]]]:
        hands = {LEFT: list(mage["left"]), RIGHT: list(mage["right"])}
        made = sum([_fit_begun(state, hands, hand, chance) for hand in continuing])
        room = [_fit_spell(state, hands, cast, chance) for cast in casts]
        return all(room), made, hands

    both = fit(HANDS)
    if both[0]:
        return both[2]
    return max(fit((LEFT,)), fit((RIGHT,)), fit(()), key=lambda one: one[:2])[2]


def _fit_spell(state: State, hands: dict[str, list[str]], cast: Mapping[str, Any], chance: Chance) -> bool:
    """Write the gestures of a spell that was cast where they can have been played; return whether they can."""
    wanted = HANDS if cast["hand"] in (None, BOTH) else (cast["hand"],)
    found = list(_list_fits(state, hands, cast["spell"], cast["column"], wanted))
    for string, place, letter in chance.choose(found) if found else ():
        string[place] = letter
    return bool(found)


def _fit_begun(state: State, hands: dict[str, list[str]], hand: str, chance: Chance) -> int:
    """Fill in the unseen gestures of a series that a hand's last gestures continue, if these tell which: F S S S begins
    nothing, so it continues a Finger Of Death. Return how many gestures of the series are made, or 0 if they don't
    tell. Series that both hands have begun together are left out."""
    seen_alone, fits = 0, list[tuple[int, list[tuple[list[str], int, str]]]]()
    for series in state.ruleset.book.series:
        for made in range(1, len(series.text)):
            letters = _place_letters(hands, hand, len(hands[hand]) - 1, series.text[:made])
            seen = sum(string[place] != UNSEEN for string, place, _letter in letters)
            if len(letters) != made:
                continue
            if seen == made:
                seen_alone = max(seen_alone, seen)
            elif seen > 1:
                fits.append((seen, letters))
    most = max([seen for seen, _letters in fits], default=0)
    if not fits or most < seen_alone:
        return 0
    # As likely as a series begun in sight, and further on: the greater danger.
    chosen = chance.choose([letters for seen, letters in fits if seen == most])
    for string, place, letter in chosen:
        string[place] = letter
    return len(chosen)


def _list_fits(
    state: State, hands: Mapping[str, Sequence[str]], spell: str, column: int, wanted: Sequence[str]
) -> Iterator[list[tuple[Any, int, str]]]:
    """Yield the gestures of each way in which one of these hands can have completed a spell in a column: which hand's,
    where, and the letter."""
    for series in state.ruleset.book.series:
        if series.spell != spell:
            continue
        for hand in wanted:
            letters = _place_letters(hands, hand, column, series.text)
            if letters:
                yield letters


def _place_letters(hands: Mapping[str, Any], hand: str, column: int, text: str) -> list[tuple[Any, int, str]]:
    """Return where a hand made these gestures, the last of them in a column: whose string, where, and the letter; none
    if it cannot have."""
    places = _list_places(hands, column, len(text))
    if len(places) < len(text):
        return []
    own, other = hands[hand], hands[other_hand(hand)]
    letters = [
        (string, place, gesture.upper())
        for place, gesture in zip(places, text, strict=True)
        for string in ((own, other) if gesture.islower() else (own,))
    ]
    return letters if all(string[place] in (UNSEEN, letter) for string, place, letter in letters) else []


def _list_places(hands: Mapping[str, Sequence[str]], column: int, count: int) -> list[int]:
    """Return the last so many columns, up to this one, in which the mage acted; a cut ends them."""
    places: list[int] = []
    for place in range(column, 0, -1):
        letter = hands[LEFT][place]
        if letter == BREAK or len(places) == count:
            break
        if letter != WAITED:
            places.insert(0, place)
    return places


def _has_used_bolt(state: State, wizard: Wizard) -> bool:
    """Return whether the columns complete a series that works once in a battle."""
    texts = [series.text for series in state.ruleset.book.series if series.once]
    strings = [wizard.left.replace(WAITED, ""), wizard.right.replace(WAITED, "")]
    return any(text.upper() in string for text in texts for string in strings)


def _make_monster(seen: Mapping[str, Any], names: Sequence[str]) -> Monster:
    target = seen["target"]
    if target is None:  # a blind mage knows that it came, not whom it attacks
        target = next(name for name in names if name != seen["controller"])
    monster = Monster(seen["name"], seen["kind"], seen["controller"], target)
    monster.hp = seen["hp"]
    monster.marks = {mark: turns if turns > 0 else PERMANENT for mark, turns in seen["marks"].items()}
    return monster


def _kind_of(name: str) -> str:
    return next((kind for kind in MONSTER_HP if kind in name), "Goblin")


def _settle_controllers(state: State, seen: Seen, chance: Chance) -> None:
    """Decide who directs paralysed and charmed hands: the mage who is asked, or else one of the others."""
    mine = {question["id"]: question["options"] for question in seen.questions}
    held = {mage["name"]: mage["held"] for mage in seen.facts["mages"]}
    for name in state.still_in:
        wizard = state.wizards[name]
        if "paralysed" in wizard.marks:
            if f"PARALYZE {name}" in mine:
                wizard.paralyser = seen.mage
            else:
                wizard.paralyser = _other_holder(state, name, seen.mage, chance)
                hand = held[name] or (chance.choose(HANDS) if name != seen.mage else None)
                if hand:
                    wizard.stuck = {hand: SEEN_HELD if held[name] else HELD}
        if "charmed" in wizard.marks:
            options = mine.get(f"DIRECT {name}")
            if options is None:
                wizard.controller = _other_holder(state, name, seen.mage, chance)
                wizard.directed = {chance.choose(HANDS): chance.choose(GESTURES[:5])} if name != seen.mage else {}
            else:
                wizard.controller = seen.mage
                hands = {option.partition(" ")[0] for option in options}
                wizard.directed = {hand: "" for hand in (LEFT, RIGHT) if hand in hands} if len(hands) == 1 else {}


def _other_holder(state: State, victim: str, viewer: str, chance: Chance) -> str:
    """Return someone other than the victim; the viewer only if there is nobody else."""
    others = [name for name in state.still_in if name not in (victim, viewer)]
    if others:
        return chance.choose(others)
    return viewer if viewer != victim else NO_MASTER


def _obey_own_phase(wizard: Wizard, own: Mapping[str, Any]) -> None:
    """Carry out the mage's earlier orders in a turn that has stopped for answers."""
    wizard.short_bolt_used = own["bolt_used"]
    wizard.phase = own["phase"]
    if own["phase"] == ORDERS:
        return
    wizard.offers = {hand: tuple(spells) for hand, spells in own["offers"].items()}
    wizard.spells = dict(own["spells"])
    if FIRE in wizard.spells and wizard.bank is not None:
        wizard.targets, wizard.bank = {FIRE: wizard.bank[1]}, None
    for left, right in own["made"][len(wizard.left) - len(wizard.blind_columns) :]:
        wizard.left += left
        wizard.right += right


__all__ = ["doubt", "hides_something", "imagine"]
