"""The English texts are in one table: every event has a sentence for every reader, in good grammar."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rules_engine
from rules_engine import (
    Event,
    Memory,
    Viewer,
    explain_event,
    explain_spell,
    name_form,
    narrate,
    visible_events,
)
from rules_engine import outcome as reasons
from rules_engine.glossary import GESTURES
from rules_engine.reasons import HEADINGS, NOTHING, REASONS
from rules_engine.sentences import ATTACK_MISSED, CASTS, EFFECTS, ENDINGS, SENTENCES, STAB_MISSED
from tests.rules_engine.random_play import play_battle, some_battles

PACKAGE = Path(rules_engine.__file__).parent
# Kinds with their own tables.
BY_FACT = {"casts", "spell", "attack_missed", "stab_missed", "battle_ends"}
BEINGS = ("Ayla", "Crom", "Dara", "Edda", "RedGoblin")


@cache
def list_calls() -> list[ast.Call]:
    """Return every call in the engine's source."""
    return [
        node
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    ]


def called(name: str) -> Iterator[ast.Call]:
    for node in list_calls():
        function = node.func
        if name == (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")):
            yield node


def constants(*expressions: ast.AST) -> set[str]:
    nodes = [node for expression in expressions for node in ast.walk(expression)]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def list_reported_kinds() -> set[str]:
    kinds: set[str] = set()
    for method, place in (("announce", 0), ("confide", 1), ("report_about", 1), ("report_facts", 1)):
        for call in called(method):
            if isinstance(call.args[place], ast.Constant | ast.IfExp):
                kinds |= constants(call.args[place])
    return kinds


def list_reported_outcomes() -> set[str]:
    reported = set().union(*(constants(call.args[1]) for call in called("report_effect")))
    reported |= set().union(*(constants(call.args[3]) for call in called("_lose")))
    reported |= {"hits", "reaches"} | set().union(
        *(constants(k.value) for c in called("hit_with") for k in c.keywords if k.arg == "outcome")
    )
    return reported


def test_every_kind_of_event_has_a_sentence():
    reported = list_reported_kinds()
    assert len(reported) > 35
    assert reported - BY_FACT <= set(SENTENCES)
    written = set().union(*(constants(ast.parse(path.read_text())) for path in (PACKAGE / "steps").glob("*.py")))
    assert {key.rstrip("*") for key in SENTENCES} - {"reflected"} <= written, "sentences nobody tells"


def test_every_outcome_of_a_spell_has_a_sentence():
    reported = list_reported_outcomes()
    assert len(reported) > 25
    assert reported <= {outcome for _, outcome in EFFECTS}
    assert {outcome for _, outcome in EFFECTS} <= reported, "sentences nobody tells"


def test_every_miss_and_every_end_has_a_sentence():
    missed = set().union(*(constants(call.args[4]) for call in called("_miss")))
    missed |= set().union(*(constants(call.args[3]) for call in called("_protect")))
    assert missed == set(ATTACK_MISSED)
    stabs = set().union(*(constants(call.args[4]) for call in called("_miss_stab")))
    assert stabs == set(STAB_MISSED)
    ends = {value for name, value in vars(reasons).items() if name.isupper() and isinstance(value, str)}
    assert ends == set(ENDINGS)
    assert set(GESTURES) == set("FPSWDC>-")


# The outcomes of spells that have an effect.
SUCCESSES = {
    "works",
    "hits",
    "reaches",
    "same_hand",
    "heals",
    "raises",
    "creates",
    "destroys",
    "joins",
    "engulfs",
    "contested",
    "unshielded",
    "undoes",
}


def test_every_kind_of_failure_is_explained():
    assert list_reported_outcomes() - SUCCESSES == {key for kind, key in NOTHING if kind == "spell"}
    assert set(ATTACK_MISSED) == {key for kind, key in NOTHING if kind == "attack_missed"}
    assert set(STAB_MISSED) == {key for kind, key in NOTHING if kind == "stab_missed"}
    assert {"unharmed", "absorbed", "saved_from_death", "reflected"} <= {kind for kind, _ in NOTHING}
    written = "".join((PACKAGE / f"{name}.py").read_text() for name in ("explanations", "uncast_spells"))
    assert {key for key in {**HEADINGS, **REASONS} if key.split()[0].strip('"') not in written} == set()


# -- every sentence, for every reader --------------------------------------------------------------------------------

FACTS = (
    {"who": "Ayla", "target": "Crom", "master": "Crom", "creature": "RedGoblin", "fast": "Crom"}
    | {"spell": "Fireball", "hand": "LH", "points": 1, "turns": 2, "by": "Fireball", "mirror": "Crom"}
    | {"text": "hello.", "turn": "3", "extra": "H", "left": "P", "right": ">", "storm": "Fire Storm", "how": "hit"}
    | {"vain": False, "fired": False, "permanent": False, "spells": True, "targets": True, "state": "confused"}
    | {"winners": "Ayla", "outcome": "works", "result": "shielded", "reason": "kill"}
)
OF_CREATURES = {"strikes", "shrugs_off", "monster_dies", "dispelled_monster", "evaporates", "looks_to"}
AT_CREATURES = {("Charm Monster", "works"), ("Raise Dead", "contested")} | {
    (spell, "destroys") for spell in ("Remove Enchantment", "Disease", "Poison")
}
VARIANTS = [
    {},
    {"who": "RedGoblin"},
    {"target": "Ayla"},
    {"target": "RedGoblin", "master": "nobody"},
    {"target": "LH:Crom", "hand": "RH"},
    {"target": "nobody", "fired": True, "permanent": True},
    {"target": None, "points": 3, "turns": 1},
    {"vain": True, "extra": "T", "how": "haste_hit", "spells": False},
    {"hand": None},
]


def all_events() -> Iterator[Event]:
    """Events for every sentence of the table, with various facts in the slots."""
    for variant in VARIANTS:
        facts = {**FACTS, **variant}
        for kind in (*SENTENCES, "casts"):
            if facts["hand"] is None:
                wanted = kind == "confused_hands"
            elif facts["target"] is None:
                wanted = kind == "casts"
            else:
                wanted = "*" not in kind
            if wanted:
                who = "RedGoblin" if kind in OF_CREATURES else facts["who"]
                at = {"at": "Ayla"} if kind == "reflected" else {}
                yield Event(kind, {**facts, "who": who, **at}, None, "")
        if facts["target"] is None or facts["hand"] is None:
            continue
        for spell, outcome in EFFECTS:
            target = "RedGoblin" if (spell, outcome) in AT_CREATURES else facts["target"]
            yield Event(
                "spell", {**facts, "spell": spell or "Fireball", "outcome": outcome, "target": target}, None, ""
            )
        for result in ATTACK_MISSED:
            yield Event("attack_missed", {**facts, "who": "RedGoblin", "result": result}, None, "")
        for result in STAB_MISSED:
            yield Event("stab_missed", {**facts, "result": result}, None, "")
        for reason in ENDINGS:
            yield Event("battle_ends", {**facts, "reason": reason}, None, "")


BASE_VERBS = set()
for forms in [*SENTENCES.values(), *CASTS.values(), *EFFECTS.values(), *ATTACK_MISSED.values(), *STAB_MISSED.values()]:
    if isinstance(forms, tuple):
        BASE_VERBS |= set(re.findall(r"\byou ([a-z]+)\b", forms[1])) - {"back", "and", "can"}

SECOND_WITH_THIRD = re.compile(r"\byou (is|has|was|does|[a-z]+(?<!s)s)\b", re.I)
THIRD_WITH_SECOND = re.compile(rf"\b({'|'.join(BEINGS)}|nobody) ({'|'.join(sorted(BASE_VERBS))})\b")


def complain(text: str) -> str:
    """Return the problem with a sentence, or ""."""
    plain = re.sub(r"(watch(?:es)?) \w+ blur", r"\1", text)  # what follows "watch" is an infinitive
    faults = {
        "begins in lower case": text[:1].islower(),
        "no end": not re.search(r"[.!?]$", text),
        "a slot is open": "{" in text or "}" in text,
        "blanks": "  " in text or " ." in text or " ," in text or text != text.strip(),
        "names nothing": "None" in text,
        "you with the third person": SECOND_WITH_THIRD.search(plain) is not None,
        "the third person with the second's verb": THIRD_WITH_SECOND.search(plain) is not None,
        "a form in code": re.search(r"\b[LRB]H\b|_", text) is not None,
        "you twice": re.search(r"\b(stab|cast \w+ at|against) you\b", text.lower()) is not None and "ou " in text[:4],
    }
    return ", ".join(fault for fault, found in faults.items() if found)


@pytest.mark.parametrize("me", [None, "Ayla", "Crom", "Dara"])
def test_every_sentence_is_good_english_for_every_reader(me):
    events = list(all_events())
    assert len(events) > 500
    bad = {f"{text} [{fault}]" for event in events if (fault := complain(text := narrate(event, me)))}
    assert not bad


def test_the_checks_find_bad_sentences():
    for bad in (
        "you lose 1 hit point.",
        "You loses 1 hit point.",
        "Ayla lose 1 hit point.",
        "You is dead.",
        "Ayla are fast.",
        "RedGoblin appears and obeys {master}.",
        "Ayla casts Fireball at None.",
        "You send RedGoblin against you.",
        "Crom's LH is stuck.",
        "Fireball hits you",
    ):
        assert complain(bad), bad
    for good in ("You lose 1 hit point to Fireball.", "Ayla watches you blur with speed.", "Your left hand is stuck."):
        assert not complain(good), good


def test_battles_are_narrated_in_good_english_for_every_reader():
    sentences = set()
    for before, stage in some_battles():
        for me in (None, *before.mages):
            viewer = Viewer.of(me) if me else Viewer.spectator()
            seen = [event for event in visible_events(stage.events, viewer) if event.kind != "says"]
            sentences |= {narrate(event, me) for event in seen}
    assert len(sentences) > 1000
    assert not {f"{text} [{complain(text)}]" for text in sentences if complain(text)}


def test_the_reader_is_you_and_others_have_names():
    hurt = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "")
    assert narrate(hurt, "Crom") == "You lose 5 hit points to Fireball."
    assert narrate(hurt, "Ayla") == narrate(hurt) == "Crom loses 5 hit points to Fireball."


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Ayla", "you"),
        ("Crom", "Crom"),
        ("nobody", "nobody"),
        ("none", "nobody"),
        ("LH", "left hand"),
        ("LH:Ayla", "what your left hand creates"),
        ("BH:Crom", "what Crom's hands create"),
        (None, ""),
    ],
)
def test_names_read_well_in_sentences(name, words):
    assert name_form(name, "Ayla") == words


def test_battles_are_explained_in_good_english_for_every_reader():
    sentences = set()
    for seed in range(60):
        memories = {}
        for before, stage in play_battle(seed, ("firetop-standard", "waving-hands", "warlocks-maladroit")[seed % 3]):
            memories = memories or {me: Memory(Viewer.of(me) if me else Viewer()) for me in (None, *before.mages)}
            for memory in memories.values():
                memory.learn(before.seq, before.label, stage.events)
        for me, memory in memories.items():
            for each in memory:
                answers = [explain_event(memory, each, me)]
                if each.event.kind == "casts":
                    answers += explain_spell(memory, each.label, each.event.facts["who"], each.event.facts["spell"], me)
                sentences |= {reason.text for answer in answers for reason in answer}
    assert len(sentences) > 1000
    # A sentence begins after its turn, and earlier casts are in the past tense.
    plain = {re.sub(r" that \w+ cast ", " ", re.sub(r"^Turn \w+: ", "", text)) for text in sentences}
    assert not {f"{text} [{complain(text)}]" for text in plain if complain(text)}


def test_a_charmed_hand_is_told_to_its_charmer_without_someone_else():
    event = Event("directed_hand", {"who": "Crom", "hand": "LH", "vain": False}, None, "")
    assert narrate(event, "Ayla") == "Crom's left hand obeys a charm."
    assert narrate(event, "Crom") == "Your left hand obeys a charm."


def test_a_paralysis_on_a_held_hand_does_not_promise_more_than_it_can():
    event = Event("spell", {"spell": "Paralysis", "outcome": "same_hand", "target": "Crom"}, None, "")
    assert narrate(event, "Crom") == "Paralysis holds your hand again, unless another mind spell frees it."
