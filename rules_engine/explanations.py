"""Why: the chain of rules and events behind an event, or behind a spell that did nothing, in sentences for one reader.

Everything here comes from a `Memory`, which contains only what its viewer has learnt. Causes that the viewer may not
know are "something you could not see", whatever they are and however many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rules_engine.beings import EMPTY, NOBODY
from rules_engine.causes import Causes, Learnt, Memory
from rules_engine.events import Event, Fact
from rules_engine.glossary import THROWN, join_with_and
from rules_engine.minds import MIND_SPELLS
from rules_engine.narration import capitalize, fill, narrate, pick_form
from rules_engine.reasons import HEADINGS, NOTHING, REASONS
from rules_engine.sentences import Forms
from rules_engine.undone_spells import find_end, list_effects

# Kinds whose first cause is the spell at work; the others are what the spell met.
SPELLS_AT_WORK = frozenset(
    {"spell", "reflected", "unharmed", "absorbed", "saved_from_death", "hurt", "healed", "unhealed", "recovers"}
)
# Outcomes of a spell that also undo another.
_BOTH_UNDONE = ("minds_clash", "cancels", "clash")
_SPENT = ("cancels", "clash", "spent_on_elemental")
_FELT = frozenset({"hurt", "healed", "recovers", "drops_dead"})
PERMANENT_MIND = ("mind spell", "already")
"""Why a mind spell does nothing to a being under a permanent one, of whatever kind."""
_STORMS = ("FM-FSTORM-2", "FM-ISTORM-2")
_BY_OUTCOME = {"spell": "outcome", "attack_missed": "result", "stab_missed": "result"}
_STOPPED_BY_DISPEL = "FM-DISPEL-2"
_AIMED_AT_NOBODY = "FM-GEST-19"


class Reason(NamedTuple):
    """One sentence of an answer, its clause, and the viewer's number of the event that it describes.

    `number` is None, and `clause` may be empty, if the reason is not an event that the viewer learnt.
    """

    text: str
    clause: str
    number: int | None


def explain_event(memory: Memory, learnt: Learnt, me: str | None = None) -> tuple[Reason, ...]:
    """Return why an event happened, for the reader whose mage is `me`: a summary if it is a failure, then what led to
    it.

    Empty for an event that only the orders of its turn caused.
    """
    head = _say_failure(memory, learnt, me)
    reasons = [] if head is None else [head]
    for each in memory.trace_back(learnt):
        reasons.append(recount(each, me))
    if _ends_unseen(memory, learnt):
        reasons.append(Reason(capitalize(write_piece("only unseen", me)), "", None))
    return tuple(reasons)


def explain_spell(
    memory: Memory, turn: str | int, who: str, spell: str = "", me: str | None = None
) -> tuple[tuple[Reason, ...], ...]:
    """Return what happened to the spells (all, or those called `spell`) that a mage cast in a turn: an answer for each.

    The turn is a label, or its `seq`: a label may occur twice in a battle.

    An answer begins with a summary: what stopped the spell, or what it did. Empty if the viewer knows no such spell.
    """
    return tuple(_explain_cast(memory, each, me) for each in find_casts(memory, turn, who, spell))


def explain_turn(memory: Memory, turn: str | int, about: str, me: str | None = None) -> tuple[tuple[Reason, ...], ...]:
    """Explain one mage's or creature's turn: its spells first, then everything else that happened to it."""
    answers = list(explain_spell(memory, turn, about, me=me))
    said = {reason.number for answer in answers for reason in answer}
    for each in memory:
        if each.is_of(turn) and each.number not in said and about in each.event.facts.values():
            reasons = explain_event(memory, each, me)
            if reasons and each.event.kind != "casts":
                head = () if is_failure(each.event) else (recount(each, me),)
                answers.append((*head, *reasons))
                said |= {reason.number for reason in answers[-1]}
    return tuple(answers)


def find_casts(memory: Memory, turn: str | int, who: str, spell: str = "") -> list[Learnt]:
    """Return the spells that the viewer knows a mage cast in a turn: all, or only `spell`."""
    return [
        each
        for each in memory
        if each.is_of(turn)
        and each.event.kind == "casts"
        and each.event.facts["who"] == who
        and spell in ("", each.event.facts["spell"])
    ]


class Result(NamedTuple):
    """What came of a spell, as far as a viewer learnt it: whether it did anything, and that in sentences.

    `text` is empty if no event tells; `clause` is named in the text if the spell did nothing. `target` is whom it was
    cast on, as seen; empty for a spell without a target. `stops` is how many attacks and spells it stopped in its turn,
    `is_stopped` whether another spell stopped it. `creature` is one that it brought, and obeys `master`.
    """

    worked: bool
    text: str
    clause: str
    target: str
    stops: int = 0
    is_stopped: bool = False
    creature: str = ""
    master: str = ""


def sum_up_spell(memory: Memory, cast: Learnt, me: str | None = None) -> Result:
    """Return what came of a spell that the viewer saw leave a hand (the event `cast`), for the reader who plays `me`.

    A spell of which nobody told the viewer counts as one that worked: they may not see what it did.
    """
    target = str(cast.event.facts["target"] or "")
    followed = [each for each in memory.follow(cast) if _is_work_of(memory, each, cast)]
    at_work = [each for each in followed if each.event.kind in SPELLS_AT_WORK and each.event.kind != "reflected"]
    felt = [each for each in at_work if is_felt(each.event)]
    is_lost = find_undoing(memory, cast) is not None or any(is_failure(each.event) for each in at_work)
    if is_lost and not felt:
        stopped = any(find_stoppers(memory, each) for each in at_work)
        return Result(False, *_explain_cast(memory, cast, me)[0][:2], target, is_stopped=stopped)
    if followed:
        told = dict.fromkeys(narrate(each.event, me) for each in felt or at_work or followed)
        brought: Mapping[str, Fact] = next((e.event.facts for e in at_work if "creature" in e.event.facts), EMPTY)
        return Result(
            True,
            " ".join(told),
            cast.event.clause,
            target,
            stops=sum(_is_stopped_by(memory, each, cast) for each in memory.list_turn(cast.seq)),
            creature=str(brought.get("creature") or ""),
            master=str(brought.get("master") or ""),
        )
    silence = _explain_silence(memory, cast, me)[0]
    is_told = silence.number != cast.number or silence.clause != cast.event.clause
    return Result(False, *silence[:2], target) if is_told else Result(True, "", cast.event.clause, target)


def find_stoppers(memory: Memory, each: Learnt) -> Sequence[Learnt]:
    """Return what stopped the spell or attack of an event, as far as the viewer learnt it."""
    event = each.event
    if event.kind in ("absorbed", "unharmed", "reflected") or event.facts.get("outcome") == "countered":
        return memory.trace_keys(event.cause[1:]).learnt
    is_missed = event.kind in ("attack_missed", "stab_missed") and event.facts["result"] in ("shielded", "resisted")
    return memory.trace(each).learnt if is_missed else ()


def _is_stopped_by(memory: Memory, each: Learnt, cast: Learnt) -> bool:
    roots = (find_root_cast(memory, guard) for guard in find_stoppers(memory, each))
    return any(root is not None and root.key == cast.key for root in roots)


def _explain_cast(memory: Memory, cast: Learnt, me: str | None) -> tuple[Reason, ...]:
    followed = [each for each in memory.follow(cast) if _is_work_of(memory, each, cast)]
    failed = [each for each in followed if each.event.kind in SPELLS_AT_WORK and is_failure(each.event)]
    undone = find_undoing(memory, cast)
    if undone is not None:
        return _explain_undoing(memory, cast, undone, me)
    worked = [each for each in followed if each not in failed]
    if failed and not any(is_felt(each.event) for each in worked):
        reasons = [reason for each in failed for reason in explain_event(memory, each, me)]
        return tuple(dict.fromkeys(reasons))
    if worked:
        text = capitalize(write_piece("worked", me, cast.event.facts))
        saved = (reason for each in failed for reason in explain_event(memory, each, me))
        return (Reason(text, cast.event.clause, cast.number), *(recount(each, me) for each in worked), *saved)
    return _explain_silence(memory, cast, me)


class Undoing(NamedTuple):
    """What undid a spell in its own turn: the event, why (a key of `NOTHING`), the rule, and on whom."""

    learnt: Learnt
    reason: tuple[str, str]
    clause: str
    target: str


def find_undoing(memory: Memory, cast: Learnt) -> Undoing | None:
    """Return where another spell of the turn met what this one did, and both were lost, or what ended it afterwards.

    A mirror that sent one of the two is further back in the chain of causes, and not lost.
    """
    for each in memory.follow(cast):
        if _is_undoing(each.event) and not _is_work_of(memory, each, cast):
            roots = (find_root_cast(memory, met) for met in memory.trace(each).learnt)
            if any(root is not None and root.key == cast.key for root in roots):
                facts = each.event.facts
                target = str(facts.get("target", facts.get("who")))
                return Undoing(each, name_failure(each.event), each.event.clause, target)
    turn = _list_events(memory, cast)
    return _find_end(memory, turn, list_effects(turn, cast.key))


def find_end_of(memory: Memory, effect: Learnt) -> Undoing | None:
    """Return what ended the effect of a spell later in its turn; its cast need not be known."""
    return _find_end(memory, _list_events(memory, effect), (effect.key,))


def _find_end(memory: Memory, turn: Mapping[int, Event], effects: Iterable[int]) -> Undoing | None:
    """Return what ended the last of the effects, if something ended each of them."""
    found = None
    for effect in effects:
        found = find_end(turn, effect)
        if found is None:
            return None
    if found is None:
        return None
    (learnt,) = memory.trace_keys((found.key,)).learnt
    return Undoing(learnt, found.reason, found.clause, found.target)


def _list_events(memory: Memory, learnt: Learnt) -> Mapping[int, Event]:
    """Return the events of the same turn by key, in order."""
    return {each.key: each.event for each in memory.list_turn(learnt.seq)}


def _is_undoing(event: Event) -> bool:
    return event.kind == "saved_from_death" or event.facts.get("outcome") in _BOTH_UNDONE


def _explain_undoing(memory: Memory, cast: Learnt, undone: Undoing, me: str | None) -> tuple[Reason, ...]:
    event = undone.learnt
    root = find_root_cast(memory, event)
    behind = ""
    if root is None or root.key != cast.key:
        behind = _behind(memory, Causes((root,), unseen=False) if root else Causes((), unseen=True), me)
    facts = {**event.event.facts, "target": undone.target}
    why = fill(pick_form(NOTHING[undone.reason], undone.target == me), facts, me)
    head = explain(_begin(cast, me, event.event), why, undone.clause, event.number, behind)
    if undone.reason[0] != "undone":
        return (head, *(recount(each, me) for each in memory.trace_back(event)))
    own = [each for each in memory.follow(cast) if _is_work_of(memory, each, cast)]
    led = (event, *memory.trace_back(event), *reversed(own), cast)
    return (head, *dict.fromkeys(recount(each, me) for each in led))


def _is_work_of(memory: Memory, each: Learnt, cast: Learnt) -> bool:
    """Return whether the spell at work in an event is this one, and not one that it met."""
    root = find_root_cast(memory, each)
    return root is not None and root.key == cast.key


def _explain_silence(memory: Memory, cast: Learnt, me: str | None) -> tuple[Reason, ...]:
    """Explain a spell that no event mentions."""
    start = _begin(cast, me)
    if cast.event.facts["target"] == NOBODY:
        return (_reason(start, NOTHING["cast", "nobody"], _AIMED_AT_NOBODY, cast, me),)
    dispelled = next((e for e in memory.list_turn(cast.seq) if e.event.kind == "dispelled"), None)
    if dispelled is None:
        silence = write_piece("silence", me, cast.event.facts, clause=cast.event.clause)
        return (Reason(capitalize(silence), cast.event.clause, cast.number),)
    behind = _behind(memory, memory.trace(dispelled), me)
    head = _reason(start, NOTHING["cast", "dispelled"], _STOPPED_BY_DISPEL, cast, me, behind)
    return (head, *(recount(each, me) for each in memory.trace_back(dispelled)))


# -- the summary of a failure ---------------------------------------------------------------------------------------


def is_failure(event: Event) -> bool:
    """Return whether in this event something failed, or turned on its caster."""
    return _failure(event) is not None


def is_felt(event: Event) -> bool:
    """Return whether in this event a spell did something to a being, whatever else of it failed."""
    return event.kind in _FELT or event.facts.get("outcome") == "contested"


def is_spent(event: Event) -> bool:
    """Return whether a spell was lost in undoing something: another storm, or an elemental."""
    return event.facts.get("outcome") in _SPENT


def name_failure(event: Event) -> tuple[str, str]:
    """Return the key of the reason for a failure; it is in `NOTHING` only if something failed."""
    key = str(event.facts[_BY_OUTCOME[event.kind]]) if event.kind in _BY_OUTCOME else event.clause
    if key == "already" and event.facts["spell"] in MIND_SPELLS:
        return PERMANENT_MIND
    return (event.kind, key if (event.kind, key) in NOTHING else "")


def _failure(event: Event) -> str | tuple[str, str] | None:
    return NOTHING.get(name_failure(event))


def _say_failure(memory: Memory, learnt: Learnt, me: str | None) -> Reason | None:
    event = learnt.event
    forms = _failure(event)
    if forms is None:
        return None
    if event.kind in SPELLS_AT_WORK:
        cast = find_root_cast(memory, learnt)
        start = _begin_of_spell(event, cast, me)
        met = memory.trace_keys(event.cause[1:])
    else:
        start, met = begin(event.kind, me, event.facts), memory.trace(learnt)
    return _reason(start, forms, event.clause, learnt, me, _behind(memory, met, me))


def _reason(start: str, forms: Forms, clause: str, learnt: Learnt, me: str | None, origin: str = "") -> Reason:
    event = learnt.event
    met = event.facts.get("target", event.facts.get("mirror", event.facts.get("who")))
    why = fill(pick_form(forms, met == me), event.facts, me)
    return explain(start, why, clause, learnt.number, origin)


def _begin(cast: Learnt, me: str | None, end: Event | None = None) -> str:
    return begin("lost" if end is not None and is_spent(end) else "spell", me, cast.event.facts)


def _begin_of_spell(event: Event, cast: Learnt | None, me: str | None) -> str:
    kind = "turned" if event.kind == "reflected" else "lost" if is_spent(event) else "spell"
    facts = dict(event.facts) if cast is None else {**event.facts, **cast.event.facts}
    facts.setdefault("spell", facts.get("by", "spell"))
    if kind == "turned":
        facts["at"] = event.facts["at"]
    if event.clause in _STORMS:
        kind, facts["target"] = "storm", event.facts["who"]
    return begin(f"{kind} of somebody" if cast is None else kind, me, facts)


def _behind(memory: Memory, met: Causes, me: str | None) -> str:
    """Return ``the Resist Heat that Boris cast on turn 3``."""
    origins = list(dict.fromkeys(o for each in met.learnt if (o := _origin(memory, each, me))))
    if met.unseen:
        origins = [write_piece("unseen", me)]
    return join_with_and(origins)


def _origin(memory: Memory, learnt: Learnt, me: str | None) -> str:
    root = find_root_cast(memory, learnt)
    if root is not None:
        facts = root.event.facts
        elsewhere = facts["target"] not in (None, NOBODY, facts["who"])
        key = "cast" if not elsewhere else "cast at" if facts["spell"] in THROWN else "cast on"
        return write_piece(key, me, facts, turn=root.label)
    first = next((e for e in (learnt, *memory.trace_back(learnt)) if e.event.kind == "spell"), None)
    return "" if first is None else write_piece("cast unseen", me, first.event.facts, turn=first.label)


def find_root_cast(memory: Memory, learnt: Learnt) -> Learnt | None:
    """Return the cast at the root of a chain of first causes; None if it is not known.

    A cause comes before its effect. Where stored events are damaged, a chain could otherwise run in a circle.
    """
    while learnt.event.kind != "casts":
        causes = memory.trace(learnt).learnt
        if not causes or causes[0].key != learnt.event.cause[0] or causes[0].key >= learnt.key:
            return None
        learnt = causes[0]
    return learnt


# -- pieces ---------------------------------------------------------------------------------------------------------


def recount(learnt: Learnt, me: str | None) -> Reason:
    """Return an event of the chain as a reason, with its turn."""
    text = write_piece("then", me, turn=learnt.label, sentence=narrate(learnt.event, me))
    return Reason(text, learnt.event.clause, learnt.number)


def _ends_unseen(memory: Memory, learnt: Learnt) -> bool:
    return any(memory.trace(each).unseen for each in (learnt, *memory.trace_back(learnt)))


def begin(key: str, me: str | None, facts: Mapping[str, Fact]) -> str:
    """Return the heading of an explanation: what did not happen."""
    return fill(pick_form(HEADINGS[key], facts.get("who") == me), facts, me)


def write_piece(key: str, me: str | None, facts: Mapping[str, Fact] = EMPTY, **more: str) -> str:
    """Return a piece of an explanation, with the facts of an event and those of the caller."""
    return fill(pick_form(REASONS[key], me is not None and facts.get("who") == me), facts, me, **more)


def explain(what: str, why: str, clause: str, number: int | None, origin: str = "") -> Reason:
    """Return a whole reason: what did not happen, why, by which rule, and what led to it."""
    key = "because of" if origin else "because"
    return Reason(capitalize(write_piece(key, None, what=what, why=why, clause=clause, origin=origin)), clause, number)
