"""Events as sentences for one reader, in the active language (see `text`).

One whole template per (kind, reader's part), with named slots. A template has two forms where the reader may be its
subject: the third person, and the second, where the reader is "you".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules_engine.events import Event, Fact
from rules_engine.glossary import (
    THROWN,
    Noun,
    find_pronouns,
    join_with_and,
    name_being,
    name_gesture,
    name_hand,
    name_self,
    name_spell,
)
from rules_engine.schools import STAB
from rules_engine.sentences import ATTACK_MISSED, CASTS, EFFECTS, ENDINGS, ENDINGS_BY, SENTENCES, STAB_MISSED, Forms
from rules_engine.text import say_count, translate

# A slot that names a being; the reader's own name in it becomes "you".
_PERSONS = frozenset({"who", "target", "master", "fast", "mirror", "at", "creature"})
_SPELLS = frozenset({"spell", "by", "storm", "other"})
_SUMMONS = "Summon "


def narrate(event: Event, me: str | None = None) -> str:
    """Return the event as one sentence (or two for the hands) for the reader whose mage is `me`; None reads as a
    spectator.

    It uses only the event's own facts; the event's audience has decided whether the reader may know them.
    """
    return capitalize(fill(_template(event, me), event.facts, me))


# What a spell may do twice to one being in a turn, without doing more.
_SAID_ONCE = frozenset({"works", "already", "unshielded"})


def narrate_all(events: Iterable[Event], me: str | None = None) -> list[str]:
    """Return the sentence of each of these events of one turn; "" for a spell that does again what another has done,
    since two Shields around a mage are one shield."""
    sentences: list[str] = []
    said: set[str] = set()
    for event in events:
        sentence = narrate(event, me)
        if event.kind == "spell" and event.facts["outcome"] in _SAID_ONCE:
            if sentence in said:
                sentence = ""
            said.add(sentence)
        sentences.append(sentence)
    return sentences


def fill(forms: str, facts: Mapping[str, Fact], me: str | None, **more: str) -> str:
    """Fill a template with the facts, in words for the reader; `more` are words for further slots."""
    slots: dict[str, str] = {key: _word(key, value, me) for key, value in facts.items()}
    who, target = facts.get("who"), facts.get("target")
    if isinstance(who, str) and ("{heart}" in forms or "{mind}" in forms):
        words = find_pronouns(who)
        slots |= {"heart": Noun.of("person", words.heart), "mind": Noun.of("person", words.mind)}
    if "at" not in facts and isinstance(target, str):
        slots["at"] = name_self(target, me) if target == who else slots["target"]
    return translate(forms).format_map(_Slots(slots | more))


def pick_form(forms: Forms, second: bool) -> str:
    """Return the third person, or the second if there is one."""
    if isinstance(forms, str):
        return forms
    return forms[1] if second else forms[0]


def capitalize(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def name_form(name: str | None, me: str | None) -> str:
    """Return the name of a being, a hand, nobody, or a creature about to be summoned, for the reader whose mage is
    `me`."""
    return str(name_being(name, me))


def find_preposition(spell: str) -> str:
    """Return the preposition for a spell's target: a missile ``at`` it, a creature ``for`` it, anything else ``on``
    it."""
    return "at" if spell in THROWN else "for" if spell.startswith(_SUMMONS) else "on"


def _template(event: Event, me: str | None) -> str:
    kind, facts = event.kind, event.facts
    if kind == "spell":
        forms = EFFECTS.get((str(facts["spell"]), str(facts["outcome"]))) or EFFECTS["", str(facts["outcome"])]
        return pick_form(forms, me is not None and facts.get("target") == me)
    if kind == "casts":
        aim = "none" if facts["target"] is None else find_preposition(str(facts["spell"]))
        if aim == "for" and facts["target"] == facts["who"]:
            aim = "none"  # a creature belongs to its summoner unless the event names someone else
        extra = "bank" if facts["fired"] else "halo" if facts["permanent"] else "hand"
        return pick_form(CASTS[aim, extra], facts["who"] == me)
    if kind == "attack_missed":
        return pick_form(ATTACK_MISSED[str(facts["result"])], facts.get("target") == me)
    if kind == "stab_missed":
        return pick_form(STAB_MISSED[str(facts["result"])], facts.get("who") == me)
    if kind == "battle_ends":
        by = ENDINGS_BY.get(str(facts["reason"])) if facts.get("who") else None
        return pick_form(
            by or ENDINGS[str(facts["reason"])], me is not None and me in (facts.get("winners"), facts.get("who"))
        )
    subject = "mirror" if kind == "reflected" else "who" if "who" in facts else "target"
    return pick_form(SENTENCES[_variant(kind, facts)], facts.get(subject) == me)


# The kinds of events that have a separate sentence for one of their facts.
_VARIANTS: dict[str, Callable[[Mapping[str, Fact]], bool]] = {
    "confused_hands": lambda facts: bool(facts["vain"]) or facts["hand"] is None,
    "frightened_hands": lambda facts: facts["hand"] is None,
    "paralysed_hand": lambda facts: bool(facts["vain"]),
    "directed_hand": lambda facts: bool(facts["vain"]),
    "sneaks_in": lambda facts: facts["extra"] == "T",
    "mind_sleeps": lambda facts: facts["extra"] == "T",
    "hurt": lambda facts: facts["by"] == STAB,
    "stabs": lambda facts: facts["points"] is None,
    "strikes": lambda facts: facts["how"] != "hit",
    "new_choice": lambda facts: not facts["spells"],
}


def _variant(kind: str, facts: Mapping[str, Fact]) -> str:
    test = _VARIANTS.get(kind)
    return f"{kind}*" if test is not None and test(facts) else kind


def _word(key: str, value: Fact, me: str | None) -> str:
    if isinstance(value, str):
        if key in _PERSONS:
            return name_being(value, me)
        if key in _SPELLS:
            return name_spell(value)
        if key == "hand":
            return name_hand(value)
        if key in ("left", "right"):
            return name_gesture(value)
        if key == "winners":
            return join_with_and(value.split(", "))
    elif key == "points" and isinstance(value, int):
        return say_count("{number} hit point", "{number} hit points", value)
    elif key == "turns" and isinstance(value, int):
        return say_count("{number} turn", "{number} turns", value)
    return str(value)


class _Slots(dict[str, str]):
    def __missing__(self, key: str) -> str:
        raise KeyError(f"a sentence needs {key!r}, which its event lacks")
