"""What a summary says begins does hold afterwards, and what it says is dead is dead: pairs of spells on one being."""

import os
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

import pytest

from rules_engine import Done, Memory, Viewer, get_ruleset, look, narrate, sum_up_spell
from rules_engine.beings import ELEMENTALS
from rules_engine.events import Event
from rules_engine.explanations import find_undoing
from rules_engine.gestures import BREAK
from rules_engine.minds import MIND_MARKS
from rules_engine.narration import capitalize, fill, pick_form
from rules_engine.rulesets import SPELL_MARKS
from rules_engine.rulesets.base import ENCHANTMENT
from rules_engine.sentences import EFFECTS, Forms
from rules_engine.state import State
from rules_engine.summary import summarize
from rules_engine.summary_sentences import BEGINS, UNDIRECTED
from tests.rules_engine.staged_turns import AYLA, CROM, DARA, FIRE, ICE, PAST, Stage

RULESETS = ("firetop-server", "firetop-standard", "spellcast", "warlocks", "warlocks-maladroit", "waving-hands")
LONG = os.environ.get("FM_TEST_LONG") == "1"
PAIRS = 60
OGRE = "RedOgre"
SUBJECTS = (CROM, OGRE, FIRE, ICE)
READERS = (AYLA, CROM, DARA, None)
# Marks that a creature's attack in the same turn uses up, or that it has for this turn alone.
_SPENT = (*MIND_MARKS, "charmer", "time_stopped")


def bold_of(forms: Forms, who: str, me: str | None, **more: str) -> str:
    """The bold words of a summary's template about a being, without their last mark."""
    bold = pick_form(forms, who == me).split("*")[1]
    return capitalize(fill(bold, {"who": who}, me, **more).strip().rstrip(":.,"))


@cache
def find_claims(who: str, me: str | None) -> dict[str, str]:
    """The words in which a summary says that a spell has taken hold of a being → that spell."""
    claims = {}
    for spell, mark in SPELL_MARKS.items():
        if spell in BEGINS and spell not in ("Shield", "Counter Spell", "Magic Mirror"):
            for table in (BEGINS, UNDIRECTED):
                if spell in table:
                    claims[bold_of(table[spell], who, me, turn="14", turns="5 turns")] = spell
        if mark and (spell, "works") in EFFECTS and spell not in ("Shield", "Counter Spell", "Magic Mirror"):
            event = Event("spell", {"spell": spell, "outcome": "works", "target": who}, None, "")
            claims[narrate(event, me).rstrip(".")] = spell
    return claims


def holds(state: State, who: str, spell: str, events: list[Event]) -> bool:
    """Whether a spell that was cast on a being in the turn is at work on it afterwards."""
    being, mark = state.being(who), SPELL_MARKS[spell]
    if being is None or not state.is_live(who):
        return False
    if spell == "Anti Spell":
        return BREAK in state.wizards[who].left[PAST + 1 :]
    if spell == "Time Stop":
        acts = state.extra == "T" and who in state.owing
        strikes = (e for e in events if e.kind == "strikes" and e.facts["who"] == who)
        return acts or mark in being.marks or any(e.facts["how"] == "timestop_hit" for e in strikes)
    return mark in being.marks or (who in state.monsters and mark in _SPENT)


def judge(stage: Stage, before: State) -> Iterator[str]:
    """What a turn's summaries and answers claim that is not so."""
    state, names = stage.state, {*before.wizards, *before.monsters, *stage.state.monsters}
    for me in READERS if not state.over else ():
        viewer = Viewer.of(me) if me else Viewer.spectator()
        memory = Memory(viewer)
        memory.learn(before.seq, before.label, stage.events)
        seen, then = look(before, viewer), look(state, viewer)
        lines = summarize(memory, before.seq, me, label=before.label, before=seen, after=then).lines
        said = {line.bold.rstrip(":.,"): line.text for line in lines}
        for who in names:
            for words, spell in find_claims(who, me).items():
                if words in said and not holds(state, who, spell, stage.events):
                    yield f"{me} reads {said[words]!r}"
            name, verb = ("You", "are") if who == me else (who, "is")
            dead = [text for words, text in said.items() if words.startswith(name) and f"{verb} dead" in words]
            lives = tuple(f"{who} {what}" for what in ("survives", "obeys", "appears"))
            alive = [text for words, text in said.items() if words.startswith(lives)]
            if dead and state.is_live(who):
                yield f"{me} reads {dead[0]!r}"
            if alive and not dead and not state.is_live(who):
                yield f"{me} reads {alive[0]!r}"
    yield from judge_answers(stage, before)


def judge_answers(stage: Stage, before: State) -> Iterator[str]:
    memory = Memory(Viewer.all_seeing())
    memory.learn(before.seq, before.label, stage.events)
    for cast in memory:
        if cast.event.kind != "casts":
            continue
        spell, result, undoing = str(cast.event.facts["spell"]), sum_up_spell(memory, cast), find_undoing(memory, cast)
        effects = [
            str(e.facts["target"])
            for e in stage.events
            if e.kind == "spell" and e.facts["spell"] == spell and e.facts["outcome"] == "works"
        ]
        who = effects[0] if len(effects) == 1 else ""
        if not who or stage.ruleset.spells[spell].category != ENCHANTMENT or who in stage.state.out:
            continue
        lasts = stage.state.is_live(who) and holds(stage.state, who, spell, stage.events)
        died = who in before.monsters and not stage.state.is_live(who)  # of wounds, after it could have mattered
        if result.worked and not lasts and not died:
            yield f"answer: {result.text!r}"
        if undoing is not None and lasts and SPELL_MARKS[spell] not in _SPENT:
            yield f"answer: {result.text!r}"


def play(ruleset: str, subject: str, *spells: str, extra: str = "") -> tuple[Stage, State] | None:
    """A turn in which different mages cast these on the subject; None if it is no such turn."""
    stage = Stage(get_ruleset(ruleset), mages=(AYLA, CROM, DARA))
    if subject == OGRE:
        stage.creature(OGRE, of=CROM, after=AYLA)
    elif subject in ELEMENTALS:
        stage.creature(subject)
    if extra:
        stage.mark(AYLA, **({"fast": 3} if extra == "H" else {"time_stopped": 1}))
        stage.turn()
        if stage.state.extra != extra:
            return None
    before = stage.state
    stage.turn(*((mage, spell, subject) for mage, spell in zip((AYLA, DARA), spells, strict=False)))
    assert isinstance(stage.done, Done)
    return stage, before


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_summary_says_of_two_spells_on_one_being_is_so(ruleset: str) -> None:
    """FM-REMENCH-3, FM-PARA-9, FM-PARA-10, FM-RAISE-11, FM-CHW-5, FM-ELEM-10"""
    pairs = [
        (subject, *pair)
        for subject in SUBJECTS
        for pair in combinations_with_replacement(get_ruleset(ruleset).order, 2)
    ]
    wrong = []
    for subject, first, second in pairs if LONG else random.Random(ruleset).sample(pairs, PAIRS):
        stage, before = play(ruleset, subject, first, second) or pytest.fail("an extra turn")
        wrong += [f"{first} and {second} on {subject}: {fault}" for fault in judge(stage, before)]
    assert not wrong


@pytest.mark.parametrize("extra", ["H", "T"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_a_summary_says_of_a_spell_in_an_extra_turn_is_so(ruleset: str, extra: str) -> None:
    """FM-TIMESTOP-5"""
    wrong = []
    for subject in (CROM, OGRE):
        for spell in get_ruleset(ruleset).order:
            if (found := play(ruleset, subject, spell, extra=extra)) is not None:
                wrong += [f"{spell} on {subject}: {fault}" for fault in judge(*found)]
    assert not wrong
