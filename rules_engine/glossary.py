"""The words that fill the engine's sentences: spells, gestures, hands, creatures, enchantments and readers.

The English word is the key in orders, records and facts. `name_spell` and similar functions translate it for a reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final, NamedTuple

from rules_engine.beings import NO_MASTER, NOBODY
from rules_engine.gestures import BOTH, FIRE, LEFT, RIGHT, SECOND
from rules_engine.text import list_terms, mark_term, say, term

SPELLS: Final = (
    mark_term("spell", "Amnesia"),
    mark_term("spell", "Anti Spell"),
    mark_term("spell", "Blindness"),
    mark_term("spell", "Cause Heavy Wounds"),
    mark_term("spell", "Cause Light Wounds"),
    mark_term("spell", "Charm Monster"),
    mark_term("spell", "Charm Person"),
    mark_term("spell", "Clap of Lightning"),
    mark_term("spell", "Confusion"),
    mark_term("spell", "Counter Spell"),
    mark_term("spell", "Cure Heavy Wounds"),
    mark_term("spell", "Cure Light Wounds"),
    mark_term("spell", "Delay Effect"),
    mark_term("spell", "Disease"),
    mark_term("spell", "Dispel Magic"),
    mark_term("spell", "Fear"),
    mark_term("spell", "Finger Of Death"),
    mark_term("spell", "Fire Storm"),
    mark_term("spell", "Fireball"),
    mark_term("spell", "Haste"),
    mark_term("spell", "Ice Storm"),
    mark_term("spell", "Invisibility"),
    mark_term("spell", "Lightning Bolt"),
    mark_term("spell", "Magic Mirror"),
    mark_term("spell", "Magic Missile"),
    mark_term("spell", "Maladroitness"),
    mark_term("spell", "Paralysis"),
    mark_term("spell", "Permanency"),
    mark_term("spell", "Poison"),
    mark_term("spell", "Protection"),
    mark_term("spell", "Raise Dead"),
    mark_term("spell", "Remove Enchantment"),
    mark_term("spell", "Resist Cold"),
    mark_term("spell", "Resist Heat"),
    mark_term("spell", "Shield"),
    mark_term("spell", "Summon Elemental"),
    mark_term("spell", "Summon Fire Elemental"),
    mark_term("spell", "Summon Giant"),
    mark_term("spell", "Summon Goblin"),
    mark_term("spell", "Summon Ice Elemental"),
    mark_term("spell", "Summon Ogre"),
    mark_term("spell", "Summon Troll"),
    mark_term("spell", "Time Stop"),
    mark_term("spell", "Stab"),
)
THROWN: Final = frozenset({"Magic Missile", "Fireball", "Lightning Bolt", "Clap of Lightning"})
"""Missiles: they are cast at someone, all other spells on someone."""

GESTURES: Final = {
    "F": mark_term("gesture", "fingers"),
    "P": mark_term("gesture", "palm"),
    "S": mark_term("gesture", "snap"),
    "W": mark_term("gesture", "wave"),
    "D": mark_term("gesture", "digit"),
    "C": mark_term("gesture", "clap"),
    ">": mark_term("gesture", "stab"),
    "-": mark_term("gesture", "nothing"),
}

CREATURES: Final = {
    "Goblin": mark_term("creature", "Goblin"),
    "Ogre": mark_term("creature", "Ogre"),
    "Troll": mark_term("creature", "Troll"),
    "Giant": mark_term("creature", "Giant"),
    "FireElemental": mark_term("creature", "FireElemental"),
    "IceElemental": mark_term("creature", "IceElemental"),
}

ENCHANTMENTS: Final = {
    "afraid": mark_term("enchantment", "afraid"),
    "blind": mark_term("enchantment", "blind"),
    "charmed": mark_term("enchantment", "charmed"),
    "cold_resistant": mark_term("enchantment", "resists cold"),
    "confused": mark_term("enchantment", "confused"),
    "countering": mark_term("enchantment", "countering"),
    "delay": mark_term("enchantment", "delay pending"),
    "fast": mark_term("enchantment", "fast"),
    "forgetful": mark_term("enchantment", "forgetful"),
    "heat_resistant": mark_term("enchantment", "resists heat"),
    "invisible": mark_term("enchantment", "invisible"),
    "maladroit": mark_term("enchantment", "maladroit"),
    "paralysed": mark_term("enchantment", "paralysed"),
    "permanency": mark_term("enchantment", "permanency pending"),
    "poisoned": mark_term("enchantment", "poisoned"),
    "reflecting": mark_term("enchantment", "reflecting"),
    "shielded": mark_term("enchantment", "shielded"),
    "sick": mark_term("enchantment", "diseased"),
    "time_stopped": mark_term("enchantment", "outside time"),
}

HANDS: Final = {
    LEFT: mark_term("hand", "left hand"),
    RIGHT: mark_term("hand", "right hand"),
    BOTH: mark_term("hand", "both hands"),
    FIRE: mark_term("hand", "the bank"),
    SECOND[LEFT]: mark_term("hand", "left hand (second time)"),
    SECOND[RIGHT]: mark_term("hand", "right hand (second time)"),
    SECOND[BOTH]: mark_term("hand", "both hands (second time)"),
}
YOUR_HANDS: Final = {
    LEFT: mark_term("hand", "your left hand"),
    RIGHT: mark_term("hand", "your right hand"),
    BOTH: mark_term("hand", "both hands"),
    SECOND[LEFT]: mark_term("hand", "your left hand (second time)"),
    SECOND[RIGHT]: mark_term("hand", "your right hand (second time)"),
    SECOND[BOTH]: mark_term("hand", "both hands (second time)"),
}

# A creature that does not exist yet: (someone's, your own).
UNBORN: Final = {
    LEFT: (mark_term("person", "what {mage}'s left hand creates"), mark_term("person", "what your left hand creates")),
    RIGHT: (
        mark_term("person", "what {mage}'s right hand creates"),
        mark_term("person", "what your right hand creates"),
    ),
    BOTH: (mark_term("person", "what {mage}'s hands create"), mark_term("person", "what your hands create")),
    SECOND[LEFT]: (
        mark_term("person", "what {mage}'s left hand creates the second time"),
        mark_term("person", "what your left hand creates the second time"),
    ),
    SECOND[RIGHT]: (
        mark_term("person", "what {mage}'s right hand creates the second time"),
        mark_term("person", "what your right hand creates the second time"),
    ),
    SECOND[BOTH]: (
        mark_term("person", "what {mage}'s hands create the second time"),
        mark_term("person", "what your hands create the second time"),
    ),
}


class Pronouns(NamedTuple):
    """What a sentence says about a mage who does something to themself."""

    self: str
    heart: str
    mind: str


# By the pronoun that a mage's player has chosen (SC-START-7); "they" unless they chose.
PRONOUNS: Final = {
    "they": Pronouns(
        mark_term("person", "themself"), mark_term("person", "their own heart"), mark_term("person", "their mind")
    ),
    "she": Pronouns(
        mark_term("person", "herself"), mark_term("person", "her own heart"), mark_term("person", "her mind")
    ),
    "he": Pronouns(
        mark_term("person", "himself"), mark_term("person", "his own heart"), mark_term("person", "his mind")
    ),
    "it": Pronouns(
        mark_term("person", "itself"), mark_term("person", "its own heart"), mark_term("person", "its mind")
    ),
}
_pronouns: ContextVar[Mapping[str, str]] = ContextVar("rules_engine_pronouns")

# Words that change with their place in a sentence, in languages with cases: ``{target:accusative}``.
_CASES: Final = (
    mark_term("person", "you"),
    mark_term("person", "yourself"),
    mark_term("person", "nobody"),
    mark_term("person", "a random enemy"),
    mark_term("accusative", "a random enemy"),
    mark_term("accusative", "you"),
    mark_term("accusative", "yourself"),
    mark_term("accusative", "themself"),
    mark_term("accusative", "herself"),
    mark_term("accusative", "himself"),
    mark_term("accusative", "itself"),
    mark_term("accusative", "nobody"),
    mark_term("dative", "you"),
    mark_term("dative", "yourself"),
    mark_term("dative", "themself"),
    mark_term("dative", "herself"),
    mark_term("dative", "himself"),
    mark_term("dative", "itself"),
    mark_term("dative", "nobody"),
    mark_term("dative", "left hand"),
    mark_term("dative", "right hand"),
    mark_term("dative", "both hands"),
    mark_term("dative", "left hand (second time)"),
    mark_term("dative", "right hand (second time)"),
    mark_term("dative", "both hands (second time)"),
    mark_term("dative", "your left hand"),
    mark_term("dative", "your right hand"),
    mark_term("dative", "your left hand (second time)"),
    mark_term("dative", "your right hand (second time)"),
)


class Noun(str):
    """A name or a phrase within a sentence. A name never changes; a phrase follows the case of its slot."""

    phrase: str = ""

    @classmethod
    def of(cls, context: str, phrase: str, **slots: str) -> Noun:
        """Return the phrase in the reader's language; `context` is its form by itself."""
        noun = cls(term(context, phrase).format(**slots))
        noun.phrase = phrase
        return noun

    def __format__(self, case: str) -> str:
        inflected = term(case, self.phrase) if case and self.phrase else self.phrase
        return str(self) if inflected == self.phrase else inflected


def name_being(name: str | None, me: str | None) -> Noun:
    """Return a being, a hand, nobody, or a creature about to be made, for the reader whose mage is `me`."""
    if name is None:
        return Noun()
    if name in HANDS:
        return Noun.of("hand", HANDS[name])
    if name in (NOBODY, NO_MASTER):
        return Noun.of("person", "nobody")
    hand, colon, mage = name.partition(":")
    if colon:
        return Noun.of("person", UNBORN[hand][mage == me], mage=mage)
    return Noun.of("person", "you") if name == me else Noun(name)


def name_self(name: str, me: str | None) -> Noun:
    """Return a being that does something to itself."""
    return Noun.of("person", "yourself" if name == me else find_pronouns(name).self)


@contextmanager
def use_pronouns(pronouns: Mapping[str, str] | None) -> Iterator[None]:
    """Refer to these mages with these pronouns, keys of `PRONOUNS`, within the block; of all others as "they"."""
    token = _pronouns.set(pronouns or {})
    try:
        yield
    finally:
        _pronouns.reset(token)


def find_pronouns(name: str) -> Pronouns:
    """Return the words for a mage, or any other being."""
    return PRONOUNS.get(_pronouns.get({}).get(name, ""), PRONOUNS["they"])


def name_spell(spell: str) -> str:
    """Return a spell's name for a reader."""
    return term("spell", spell)


@cache
def list_spell_names(spell: str) -> tuple[str, ...]:
    """Return a spell's name in every language, in English first: orders may use what the story prints."""
    return list_terms("spell", spell)


@cache
def list_gesture_names(gesture: str) -> frozenset[str]:
    """Return what stories call a gesture in every language, in capitals."""
    return frozenset(name.upper() for name in list_terms("gesture", GESTURES[gesture]))


def list_hand_names(hand: str) -> frozenset[str]:
    """Return what stories call a hand in every language, in small letters: "deine linke hand"."""
    return _list_forms("hand", HANDS[hand]) | _list_forms("hand", YOUR_HANDS.get(hand, HANDS[hand]))


def list_being_names(phrase: str) -> frozenset[str]:
    """Return what stories call "nobody" or "yourself" in every language and case, in small letters."""
    return _list_forms("person", phrase)


def list_creature_names(kind: str) -> frozenset[str]:
    """Return what stories call a kind of creature in every language, in small letters."""
    return _list_forms("creature", CREATURES[kind])


@cache
def _list_forms(context: str, phrase: str) -> frozenset[str]:
    contexts = (context, "accusative", "dative")
    return frozenset(name.lower() for each in contexts for name in list_terms(each, phrase))


def name_gesture(gesture: str) -> str:
    """Return a gesture's name for a reader."""
    return term("gesture", GESTURES[gesture])


def name_hand(hand: str) -> Noun:
    """Return a hand: ``left hand``."""
    return Noun.of("hand", HANDS[hand])


def name_your_hand(hand: str) -> Noun:
    """Return a hand of the reader's: ``your left hand``."""
    return Noun.of("hand", YOUR_HANDS[hand])


def name_creature(kind: str) -> str:
    """Return a kind of creature for a reader. A creature's own name is typed in orders, so it is the same for
    everyone."""
    return term("creature", CREATURES[kind])


def name_enchantment(mark: str) -> str:
    """Return an enchantment's name for a reader."""
    return term("enchantment", ENCHANTMENTS[mark])


def join_with_and(words: Iterable[str]) -> str:
    """Return ``A``, ``A and B``, ``A, B and C``."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return say("{most} and {last}", most=", ".join(words[:-1]), last=words[-1])


def join_with_or(words: Iterable[str]) -> str:
    """Return ``A``, ``A or B``, ``A, B or C``."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return say("{most} or {last}", most=", ".join(words[:-1]), last=words[-1])
