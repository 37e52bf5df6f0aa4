"""Events as English sentences for one reader. The only place of the engine that knows English (commitment 5).

One whole template per (kind, reader's part), with named slots. A template has two forms where the reader may be its
subject: the third person, and the second, where `{who}` and its kin read "you".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rules_engine.beings import NO_MASTER, NOBODY
from rules_engine.events import Event
from rules_engine.gestures import BOTH, FIRE, LEFT, RIGHT, SECOND
from rules_engine.sentences import ATTACK_MISSED, EFFECTS, ENDINGS, GESTURE_PHRASES, SENTENCES, STAB_MISSED

HAND_WORDS = {LEFT: "left hand", RIGHT: "right hand", BOTH: "both hands", FIRE: "the bank"}
HAND_WORDS |= {second: f"{HAND_WORDS[hand]} the second time" for hand, second in SECOND.items()}
_CREATURE_OF = {LEFT: "left hand creates", RIGHT: "right hand creates", BOTH: "hands create"}
_CREATURE_OF |= {second: f"{_CREATURE_OF[hand]} the second time" for hand, second in SECOND.items()}
# A slot that names a being; the reader's own name in it becomes "you".
_PERSONS = ("who", "target", "master", "fast", "mirror", "at", "creature")


def narrate(event: Event, me: str | None = None) -> str:
    """The event as one sentence (or two for the hands) for the reader whose mage is `me`; None reads as a bystander.

    Only what stands in the event is told; whether the reader may know it was decided by its audience.
    """
    text = fill(_template(event, me), event, me)
    return text[:1].upper() + text[1:]


def fill(template: str, event: Event, me: str | None, **more: str) -> str:
    """A template with the event's facts in its slots, in words for the reader; `more` are words for further slots."""
    words = {key: _word(key, value, me) for key, value in event.facts.items()}
    words.update(_derived(event, me))
    return template.format_map(_Slots(words | more))


def pick_form(forms: str | tuple[str, str], second: bool) -> str:
    """The third person, or the second where there is one."""
    if isinstance(forms, str):
        return forms
    return forms[1] if second else forms[0]


def name_form(name: str | None, me: str | None) -> str:
    """A being, a hand, nobody, or a creature about to be made, in words for the reader whose mage is `me`."""
    if name is None:
        return ""
    if name in HAND_WORDS:
        return HAND_WORDS[name]
    if name in (NOBODY, NO_MASTER):
        return "nobody"
    hand, colon, mage = name.partition(":")
    if colon:
        whose = "your" if mage == me else f"{mage}'s"
        return f"what {whose} {_CREATURE_OF[hand]}"
    return "you" if name == me else name


def headline(events: Iterable[Event], me: str | None = None) -> str:
    """The sum of a turn in one line: who lost or gained how many hit points, who fell, who won."""
    change: dict[str, int] = {}
    falls: list[str] = []
    end = ""
    for event in events:
        facts = event.facts
        if event.kind in ("hurt", "strikes", "stabs"):
            victim = str(facts["target"] if event.kind != "hurt" else facts["who"])
            change[victim] = change.get(victim, 0) - int(facts["points"] or 0)
        elif event.kind == "healed":
            change[str(facts["who"])] = change.get(str(facts["who"]), 0) + int(facts["points"] or 0)
        elif event.kind in ("mage_dies", "monster_dies", "mage_leaves"):
            falls.append(narrate(event, me))
        elif event.kind == "battle_ends":
            end = narrate(event, me)
    parts = [_change_words(name, points, me) for name, points in change.items() if points]
    sum_of = "; ".join(parts)
    if sum_of:
        sum_of = sum_of[:1].upper() + sum_of[1:] + "."
    return " ".join(part for part in (sum_of, *falls, end) if part) or "Nobody is hurt."


def _change_words(name: str, points: int, me: str | None) -> str:
    you = name == me
    verb = ("lose" if you else "loses") if points < 0 else ("gain" if you else "gains")
    return f"{'you' if you else name} {verb} {abs(points)}"


def _template(event: Event, me: str | None) -> str:
    kind, facts = event.kind, event.facts
    if kind == "spell":
        forms = EFFECTS.get((str(facts["spell"]), str(facts["outcome"]))) or EFFECTS["", str(facts["outcome"])]
        return pick_form(forms, facts.get("target") == me)
    if kind == "attack_missed":
        return pick_form(ATTACK_MISSED[str(facts["result"])], facts.get("target") == me)
    if kind == "stab_missed":
        return pick_form(STAB_MISSED[str(facts["result"])], facts.get("who") == me)
    if kind == "battle_ends":
        return pick_form(ENDINGS[str(facts["reason"])], facts.get("winners") == me)
    return pick_form(SENTENCES[_variant(kind, facts)], facts.get("who", facts.get("target")) == me)


def _variant(kind: str, facts: Any) -> str:
    """A kind of event with a sentence of its own for one of its facts."""
    choose: dict[str, Callable[[], bool]] = {
        "casts": lambda: facts["target"] is None,
        "confused_hands": lambda: facts["vain"] or facts["hand"] is None,
        "frightened_hands": lambda: facts["hand"] is None,
        "paralysed_hand": lambda: facts["vain"],
        "directed_hand": lambda: facts["vain"],
        "sneaks_in": lambda: facts["extra"] == "T",
        "mind_sleeps": lambda: facts["extra"] == "T",
        "strikes": lambda: facts["how"] != "hit",
        "new_choice": lambda: not facts["spells"],
    }
    test = choose.get(kind)
    return f"{kind}*" if test is not None and test() else kind


def _word(key: str, value: object, me: str | None) -> str:
    if key in _PERSONS:
        return name_form(value if isinstance(value, str) else None, me)
    if key == "hand" and isinstance(value, str):
        return HAND_WORDS[value]
    return str(value)


def _derived(event: Event, me: str | None) -> dict[str, str]:
    """Slots that are made from more than one fact."""
    facts = event.facts
    words: dict[str, str] = {}
    whose = facts.get("who", facts.get("target"))
    if isinstance(whose, str):
        words["whose"] = "your" if whose == me else f"{whose}'s"
    target = facts.get("target")
    if isinstance(target, str):
        reflexive = target == facts.get("who")
        words["at"] = ("yourself" if target == me else target) if reflexive else name_form(target, me)
        words["targets"] = "your" if target == me else f"{name_form(target, me)}'s"
    if event.kind in ("gestures", "gestures_again"):
        words["left"] = GESTURE_PHRASES[str(facts["left"])].format(hand="left hand")
        words["right"] = GESTURE_PHRASES[str(facts["right"])].format(hand="right hand")
    if event.kind == "casts":
        words["fired"] = "from the bank " if facts["fired"] else ""
        words["halo"] = ", with a blue halo around it" if facts["permanent"] else ""
    if event.kind == "reflected":
        words["mirrors"] = "your" if facts["mirror"] == me else f"{facts['mirror']}'s"
        words["at"] = name_form(str(facts["at"]), me)
    if "points" in facts:
        words["points"] = f"{facts['points']} hit point" + ("" if facts["points"] == 1 else "s")
    if "turns" in facts:
        words["turns"] = f"{facts['turns']} turn" + ("" if facts["turns"] == 1 else "s")
    return words


class _Slots(dict[str, str]):
    def __missing__(self, key: str) -> str:
        raise KeyError(f"a sentence wants {key!r}, which its event does not hold")
