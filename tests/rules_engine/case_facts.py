"""The claims of rule cases: each line is one fact of a state or of the turn that led to it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules_engine import Done, Event, Memory, Question, Viewer, explain_spell, explain_turn, explain_uncast, look
from rules_engine.spells import FOE, NO_TARGET, SELF
from rules_engine.state import State
from tests.conformance.engine_facts import read_enchantments, read_turn_facts
from tests.rules_engine.case_files import Line

PERMANENT = {-1, 999}
DEFAULTS = {"self": SELF, "opponent": FOE, "nobody": NO_TARGET}
ALIASES = {"charm_person": "charm", "permanency": "permanency_pending", "delay": "delay_pending"}


@dataclass(frozen=True)
class Happened:
    """A turn that was played: the state before it, how it ended, its questions and events.

    `memories` hold what each mage (None: a spectator) has learnt up to now.
    """

    before: State
    done: Done
    asked: list[Question]
    events: list[Event]
    memories: Mapping[str | None, Memory]


Check = Callable[[re.Match[str], State, Happened | None], str | None]


def check_fact(line: Line, state: State, happened: Happened | None) -> str | None:
    """None if the fact is true, or else what is true instead. Raises CaseError for a line that is not a fact."""
    for pattern, check in FACTS:
        found = pattern.fullmatch(line.text)
        if found:
            return check(found, state, happened)
    raise line.complain("no such fact")


def _unless(holds: bool, otherwise: object) -> str | None:
    return None if holds else f"it is {otherwise}"


def _check_turn(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    return _unless(state.label == found["label"], state.label)


def _check_hp(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    being = state.being(found["who"])
    return "not there" if being is None else _unless(being.hp == int(found["n"]), being.hp)


def _enchantment(name: str) -> str:
    key = name.lower().replace(" ", "_")
    return ALIASES.get(key, key)


def _enchantments(state: State, name: str) -> dict[str, int]:
    being = state.being(name)
    return {} if being is None else read_enchantments(being)


def _check_has(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    there = _enchantments(state, found["who"])
    count = there.get(_enchantment(found["what"]))
    if found["n"] == "permanent":
        return _unless(count in PERMANENT, there)
    return _unless(count == int(found["n"]), there)


def _check_lacks(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    there = _enchantments(state, found["who"])
    return _unless(_enchantment(found["what"]) not in there, there)


def _check_has_nothing(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    there = _enchantments(state, found["who"])
    return _unless(not there, there)


def _check_hand(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    wizard = state.wizards[found["who"]]
    history = (wizard.left if found["hand"] == "left" else wizard.right)[: len(state.columns)]
    return _unless(history.endswith(found["ends"]), history)


def _check_moves(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    return _unless((found["who"] in state.owing) == (found["does"] == "moves"), f"so that {state.owing} move")


def _check_standing(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    wizard = state.wizards[found["who"]]
    out = wizard.name in state.out
    standing = ("dead" if wizard.hp <= 0 else "surrendered") if out else "in"
    return _unless(standing == found["standing"], standing)


def _check_bank(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    bank = state.wizards[found["who"]].bank
    return _unless((" at ".join(bank) if bank else "nothing") == found["what"], bank)


def _casts(happened: Happened | None, who: str) -> list[str]:
    assert happened is not None
    facts = dict(read_turn_facts(happened.before, happened.done))
    spells = facts["spells"]
    assert isinstance(spells, tuple)
    return [spell for spell in spells if spell.startswith(f"{who} ")]


def _check_casts(found: re.Match[str], _: State, happened: Happened | None) -> str | None:
    casts = _casts(happened, found["who"])
    wanted = re.compile(
        rf"{found['who']} \w+ {re.escape(found['spell'].lower())}( at {re.escape(found['target'])})?: "
        rf"{re.escape(found['outcome'])}( .*)?"
    )
    return _unless(any(wanted.fullmatch(cast) for cast in casts), casts)


def _check_casts_no(found: re.Match[str], _: State, happened: Happened | None) -> str | None:
    casts = _casts(happened, found["who"])
    return _unless(not any(f" {found['spell'].lower()}" in cast for cast in casts), casts)


def _check_casts_nothing(found: re.Match[str], _: State, happened: Happened | None) -> str | None:
    casts = _casts(happened, found["who"])
    return _unless(not casts, casts)


def _check_monster(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    monster = state.monsters.get(found["who"])
    if monster is None:
        return "not there"
    name = monster.controller if found["what"] == "owner" else monster.target
    return _unless(name == found["name"], name)


def _check_no_monster(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    return _unless(found["who"] not in state.monsters, "there")


def _check_tombstone(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    return _unless(sorted(found["names"].split()) == sorted(state.tombstone), state.tombstone)


def _check_asked(found: re.Match[str], _: State, happened: Happened | None) -> str | None:
    assert happened is not None
    asked = [q for q in happened.asked if q.mage == found["who"]]
    if found["what"] == "target":
        return _unless(any(q.kind == "target" for q in asked), [q.id for q in asked])
    hand, _, spells = found["what"].partition(":")
    offered = {q.id: sorted(o.value for o in q.options if o.allowed) for q in asked if q.kind == "choose"}
    return _unless(offered.get(f"CHOOSE {hand}") == sorted(s.strip() for s in spells.split(",")), offered)


def _check_nobody_asked(_: re.Match[str], __: State, happened: Happened | None) -> str | None:
    assert happened is not None
    return _unless(not happened.asked, happened.asked)


def _check_sees(found: re.Match[str], state: State, happened: Happened | None) -> str | None:
    assert happened is not None
    mages = () if found["who"] == "spectator" else (found["who"],)
    seen = [event for event in happened.events if event.is_visible_to(mages)]
    words = found["words"].split()
    fitting = [event for event in seen if event.kind == found["kind"] and _holds(event, words)]
    wanted = found["no"] is None
    return _unless(bool(fitting) == wanted, [(e.kind, dict(e.facts)) for e in seen if e.kind == found["kind"]])


def _holds(event: Event, words: list[str]) -> bool:
    text = " ".join(str(value) for value in event.facts.values())
    return all(word in text for word in words)


def _check_why(found: re.Match[str], state: State, happened: Happened | None) -> str | None:
    assert happened is not None
    me = None if found["who"] == "spectator" else found["who"]
    told = " ".join(_explain(found["about"], me, found["of"] or me or "", state, happened))
    missing = [text for text in found["texts"].split(", ") if text not in told]
    return _unless(bool(told) and not missing, told or "nothing")


def _explain(about: str, me: str | None, caster: str, state: State, happened: Happened) -> list[str]:
    """The sentences that explain a spell, a stab or a being in the last turn to a reader."""
    memory, label = happened.memories[me], happened.before.label
    if about not in state.ruleset.spells:
        answers = explain_turn(memory, label, about, me)
    else:
        answers = explain_spell(memory, label, caster, about, me)
    if not answers:
        view = look(state, Viewer.of(me) if me else Viewer.spectator())
        answers = (explain_uncast(memory, view, state.ruleset, label, caster, about, me),)
    return [reason.text for answer in answers for reason in answer]


def _check_over(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    if state.outcome is None:
        return "not over"
    winners = () if found["winners"] == "nobody" else tuple(found["winners"].split())
    return _unless((state.outcome.winners, state.outcome.reason) == (winners, found["reason"]), state.outcome)


def _check_goes_on(_: re.Match[str], state: State, __: Happened | None) -> str | None:
    return _unless(state.outcome is None, state.outcome)


def _check_penalty(found: re.Match[str], _: State, happened: Happened | None) -> str | None:
    assert happened is not None
    wanted = [] if found["names"] == "nobody" else found["names"].split()
    return _unless(sorted(happened.done.penalties) == sorted(wanted), happened.done.penalties)


def _check_class(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    spells = state.ruleset.spells
    there = sorted(name for name in state.ruleset.order if spells[name].category == found["what"])
    return _unless(there == sorted(name.strip() for name in found["names"].split(",")), there)


def _check_aimed(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    """The spells of this book that go there by default, whatever else their documents name."""
    spells = state.ruleset.spells
    there = sorted(name for name in state.ruleset.order if spells[name].default == DEFAULTS[found["where"]])
    return _unless(there == sorted(name.strip() for name in found["names"].split(",")), there)


def _check_lasting(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    there = sorted(name for name in state.ruleset.order if state.ruleset.spells[name].can_be_permanent)
    return _unless(there == sorted(name.strip() for name in found["names"].split(",")), there)


def _check_series(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    series = state.ruleset.series
    return _unless(len(series) == int(found["n"]), len(series))


def _check_made(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    made = state.ruleset.series.get(found["series"])
    return _unless((made or "nothing") == found["spell"], made)


def _check_once(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    once = sorted(state.ruleset.once)
    return _unless(once == sorted(found["series"].split()), once)


def _check_order(found: re.Match[str], state: State, _: Happened | None) -> str | None:
    names = [name.strip() for name in found["names"].split(",")]
    order = [name for name in state.ruleset.order if name in names]
    return _unless(order == names, order)


FACTS: tuple[tuple[re.Pattern[str], Check], ...] = tuple(
    (re.compile(pattern), check)
    for pattern, check in (
        (r"turn (?P<label>\S+)", _check_turn),
        (r"nobody asked", _check_nobody_asked),
        (r"class (?P<what>\w+): (?P<names>.+)", _check_class),
        (r"aimed (?P<where>self|opponent|nobody): (?P<names>.+)", _check_aimed),
        (r"lasting: (?P<names>.+)", _check_lasting),
        (r"book (?P<n>\d+) series", _check_series),
        (r"book (?P<series>[A-Za-z]+) makes (?P<spell>.+)", _check_made),
        (r"book once (?P<series>.+)", _check_once),
        (r"order (?P<names>.+)", _check_order),
        (r"why (?P<who>\w+) ((?P<of>\w+)'s )?(?P<about>[^:']+): (?P<texts>.+)", _check_why),
        (r"goes on", _check_goes_on),
        (r"over: (?P<winners>.+) by (?P<reason>\w+)", _check_over),
        (r"penalty (?P<names>.+)", _check_penalty),
        (r"no (?P<who>\w+)", _check_no_monster),
        (r"tombstone (?P<names>.+)", _check_tombstone),
        (r"asked (?P<who>\w+) (?P<what>.+)", _check_asked),
        (r"(?P<who>\w+) hp (?P<n>-?\d+)", _check_hp),
        (r"(?P<who>\w+) has nothing", _check_has_nothing),
        (r"(?P<who>\w+) has (?P<what>[A-Za-z ]+) (?P<n>\d+|permanent)", _check_has),
        (r"(?P<who>\w+) lacks (?P<what>[A-Za-z ]+)", _check_lacks),
        (r"(?P<who>\w+) (?P<hand>left|right) ends (?P<ends>\S+)", _check_hand),
        (r"(?P<who>\w+) (?P<does>moves|waits)", _check_moves),
        (r"(?P<who>\w+) (?P<standing>dead|surrendered|in)", _check_standing),
        (r"(?P<who>\w+) banks (?P<what>.+)", _check_bank),
        (r"(?P<who>\w+) casts nothing", _check_casts_nothing),
        (r"(?P<who>\w+) casts no (?P<spell>.+)", _check_casts_no),
        (r"(?P<who>\w+) casts (?P<spell>.+) at (?P<target>\S+): (?P<outcome>.+)", _check_casts),
        (r"(?P<who>\w+) (?P<what>owner|target) (?P<name>\w+)", _check_monster),
        (r"(?P<who>\w+) sees (?P<no>no )?(?P<kind>\w+)(?P<words>.*)", _check_sees),
    )
)
