"""Reads records from text (docs/game-record.md). Reports every problem with its line and the nearest valid form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from rules_engine.dice import Roll
from rules_engine.errors import InvalidRecord
from rules_engine.orders import VERBS
from rules_engine.outcome import Outcome
from rules_engine.records.commitments import Proof
from rules_engine.records.lines import is_canonical
from rules_engine.records.reader import (
    A_HASH,
    COMMITMENT_KEYS,
    FATES,
    RecordReader,
    TurnBeingRead,
    build_seals,
    read_json,
)
from rules_engine.records.record import FORMAT, Creature, Record, RecordedCast, RecordedTurn, Result
from rules_engine.rulesets import RULESETS
from rules_engine.sentences import ENDINGS
from rules_engine.text import say

# To find the nearest valid form takes time; with more problems than this the text is something else.
MOST_CORRECTED = 200


def parse_record(text: str, *, free_orders: bool = False) -> Record:
    """Read back what `write_record` wrote; blank lines and lines that begin with # are ignored.

    Raises InvalidRecord with every problem. With `free_orders` the lines of orders are not checked, for callers that
    read them as a mage may write them (shorthand, any case).
    """
    reader = RecordReader(free_orders=free_orders)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        reader.number, reader.line = number, line.strip()
        if reader.line and not reader.line.startswith("#"):
            _read_line(reader)
    reader.number, reader.line = 1, ""
    _check_head(reader)
    if reader.problems:
        raise InvalidRecord(tuple(reader.problems))
    return _build(reader)


def _read_line(reader: RecordReader) -> None:
    key, *more = reader.line.split(maxsplit=1)
    rest = more[0] if more else ""
    if not reader.head and key != "record":
        reader.reject("no_record", say("A record begins with its format."), f"record {FORMAT}")
        reader.head["record"] = FORMAT
    if reader.orders_of is not None and (reader.free_orders or key in VERBS) and key not in KEYS:
        _read_order(reader)
        return
    if key not in KEYS:
        near = _find_near_key(key) if len(reader.problems) < MOST_CORRECTED else None
        reader.reject("unknown_key", say("No line of a record begins with {key}.", key=key), near)
        return
    pattern, form, read = KEYS[key]
    reader.orders_of = None
    # Spaces count only within JSON.
    match = re.fullmatch(pattern, rest) or re.fullmatch(pattern, " ".join(rest.split()))
    if match is None:
        reader.reject("malformed", say("This is not a valid {key} line.", key=key), form)
        return
    reader.say_once(key, match.groups())
    read(reader, *match.groups())


def _find_near_key(key: str) -> str | None:
    known = [*KEYS, *VERBS]
    near = get_close_matches(key, known, n=1) or get_close_matches(key.upper(), known, n=1)
    return near[0] if near else None


def _read_order(reader: RecordReader) -> None:
    turn = reader.turn
    if turn is None or reader.orders_of is None:
        return
    if not reader.free_orders and not is_canonical(reader.line):
        reader.reject("not_canonical", say("{line} is not a canonical order.", line=reader.line), "LH P")
        return
    turn.stages[-1][reader.orders_of].append(reader.line)


# -- the head ---------------------------------------------------------------------------------------------------------


def _read_format(reader: RecordReader, number: str) -> None:
    reader.head["record"] = int(number)
    if int(number) != FORMAT:
        reader.reject("unknown_format", say("Format {number} is unknown.", number=number), f"record {FORMAT}")


def _read_number(reader: RecordReader, number: str) -> None:
    reader.head["number"] = int(number)


def _read_ruleset(reader: RecordReader, name: str, edition: str | None) -> None:
    if edition is None and name in RULESETS:
        edition = str(RULESETS[name].edition)
    reader.head["ruleset"], reader.head["edition"] = name, int(edition or 1)


def _read_mage(reader: RecordReader, name: str, user: str | None) -> None:
    if name in reader.mages:
        reader.reject("mage_twice", say("There are two mages called {name}.", name=name))
    elif reader.turns:
        reader.reject("too_late", say("Name the mages before the first turn."))
    reader.mages[name] = user


def _read_seed(reader: RecordReader, written: str) -> None:
    reader.head["seed"] = read_json(reader, written, str, 'seed "abc"')


def _read_start(reader: RecordReader, written: str) -> None:
    reader.head["start"] = read_json(reader, written, dict, "start {...}")


# -- turns ------------------------------------------------------------------------------------------------------------


def _read_throw(reader: RecordReader, written: str) -> None:
    values: list[Any] = []
    decoder, at = json.JSONDecoder(), 0
    try:
        while at < len(written) and len(values) <= 3:
            value, at = decoder.raw_decode(written, at)
            values.append(value)
            while written[at : at + 1] in (" ", "\t"):
                at += 1
    except (ValueError, RecursionError):
        values = []
    if len(values) != 3 or not isinstance(values[0], str) or not isinstance(values[1], str):
        reader.reject(
            "malformed",
            say("A throw needs a purpose, a being and the value picked."),
            'throw "confused hand" "Ayla" "LH"',
        )
        return
    _throws(reader).append({"purpose": values[0], "who": values[1], "picked": values[2]})


def _read_no_throws(reader: RecordReader) -> None:
    _throws(reader)


def _throws(reader: RecordReader) -> list[Roll]:
    if not reader.turns:
        reader.opening = [] if reader.opening is None else reader.opening
        return reader.opening
    turn = reader.turns[-1]
    turn.throws = [] if turn.throws is None else turn.throws
    return turn.throws


def _read_turn(reader: RecordReader, label: str, seq: str | None, attempt: str | None) -> None:
    number = int(seq) if seq else (reader.turns[-1].seq + 1 if reader.turns else 1)
    reader.turns.append(TurnBeingRead(label, number, int(attempt or 0)))


def _read_orders(reader: RecordReader, mage: str) -> None:
    turn = reader.turn
    if turn is None or not reader.knows(mage):
        return
    if mage in turn.stages[-1]:
        reader.reject("orders_twice", say("{mage} already has orders in this stage.", mage=mage), "answers")
        return
    turn.stages[-1][mage] = []
    reader.orders_of = mage


def _read_answers(reader: RecordReader) -> None:
    if turn := reader.turn:
        turn.stages.append({})
        turn.seals.append({})


# -- results ----------------------------------------------------------------------------------------------------------


def _read_result(reader: RecordReader) -> None:
    if turn := reader.turn:
        turn.has_result = True


def _read_gestures(reader: RecordReader, mage: str, left: str, right: str) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        turn.gestures[mage] = (left, right)


def _read_cast(reader: RecordReader, mage: str, hand: str, spell: str, target: str | None) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        turn.casts.append(RecordedCast(mage, hand, spell, target))


def _read_hp(reader: RecordReader, mage: str, points: str) -> None:
    if (turn := reader.turn) and reader.knows(mage):
        turn.hp[mage] = int(points)


def _read_creature(reader: RecordReader, name: str, points: str, controller: str, target: str) -> None:
    if turn := reader.turn:
        turn.creatures.append(Creature(name, int(points), controller, target))


def _read_told(reader: RecordReader, count: str, digest: str) -> None:
    if turn := reader.turn:
        turn.told = (int(count), digest)


def _read_given(reader: RecordReader, digest: str) -> None:
    if turn := reader.turn:
        turn.given = digest


def _read_outcome(reader: RecordReader, kind: str, reason: str) -> None:
    if reason not in ENDINGS:
        near = get_close_matches(reason, ENDINGS, n=1)
        reader.reject("unknown_reason", say("No battle ends by {reason}.", reason=reason), near[0] if near else None)
    reader.outcome = [kind, reason]


def _read_fate(fate: str) -> Callable[[RecordReader, str], None]:
    def read(reader: RecordReader, mage: str) -> None:
        if reader.knows(mage):
            reader.fates[fate].append(mage)

    return read


def _read_by(reader: RecordReader, mage: str) -> None:
    if reader.knows(mage):
        reader.ended["by"] = mage


def _read_in(reader: RecordReader, turn: str) -> None:
    reader.ended["turn"] = turn


KEYS: dict[str, tuple[str, str, Callable[..., None]]] = {
    "record": (r"(\d{1,9})", f"record {FORMAT}", _read_format),
    "battle": (r"(\d{1,18})", "battle 7", _read_number),
    "ruleset": (r"(\S+)(?: (\d{1,9}))?", "ruleset firetop-standard 1", _read_ruleset),
    "mage": (r"(\S+)(?: (\S+))?", "mage Ayla Pat", _read_mage),
    "seed": (r"(.+)", 'seed "abc"', _read_seed),
    "start": (r"(.+)", "start {...}", _read_start),
    "throw": (r"(.+)", 'throw "confused hand" "Ayla" "LH"', _read_throw),
    "no": (r"throws", "no throws", _read_no_throws),
    "turn": (r"(\S+)(?: seq (\d{1,9}))?(?: attempt (\d{1,9}))?", "turn 3H seq 4", _read_turn),
    "orders": (r"(\S+)", "orders Ayla", _read_orders),
    "answers": (r"", "answers", _read_answers),
    "result": (r"", "result", _read_result),
    "gestures": (r"(\S+) (\S+) (\S+)", "gestures Ayla P W", _read_gestures),
    "casts": (r"(\S+) ([LRB]H2?|FIRE) (\S.*?)(?: at (\S+))?", "casts Ayla LH Shield at Ayla", _read_cast),
    "hp": (r"(\S+) (-?\d{1,9})", "hp Ayla 15", _read_hp),
    "creature": (r"(\S+) (-?\d{1,9}) (\S+) (\S+)", "creature RedGoblin 1 Ayla Crom", _read_creature),
    "told": (r"(\d{1,9}) ([0-9a-f]+)", "told 6 0123456789abcdef", _read_told),
    "given": (r"([0-9a-f]+)", "given 0123456789abcdef", _read_given),
    **COMMITMENT_KEYS,
    "outcome": (r"(duel|melee) (\S+)", "outcome duel kill", _read_outcome),
    "winner": (r"(\S+)", "winner Ayla", _read_fate("winner")),
    "dead": (r"(\S+)", "dead Crom", _read_fate("dead")),
    "surrendered": (r"(\S+)", "surrendered Crom", _read_fate("surrendered")),
    "sharing": (r"(\S+)", "sharing Crom", _read_fate("sharing")),
    "absent": (r"(\S+)", "absent Crom", _read_fate("absent")),
    "by": (r"(\S+)", "by Ayla", _read_by),
    "in": (r"(\S+)", "in 8", _read_in),
}
"""keyword → (what may follow it, the whole line as an example, its reader)"""


# -- the whole --------------------------------------------------------------------------------------------------------


def _check_head(reader: RecordReader) -> None:
    if "record" not in reader.head:
        reader.reject("no_record", say("There is no record here."), f"record {FORMAT}")
    if "ruleset" not in reader.head:
        reader.reject("no_ruleset", say("There is no line that names the ruleset."), "ruleset firetop-standard 1")
    if len(reader.mages) < 2:
        reader.reject("no_mages", say("A battle needs at least two mages, with a line for each."), "mage Ayla")
    if not reader.outcome and (any(reader.fates.values()) or reader.ended):
        reader.reject("no_outcome", say("Name the winners and the fallen after the outcome."), "outcome duel kill")
    if ("terms" in reader.head) != ("commitment" in reader.head):
        reader.reject("half_a_proof", say("Terms and commitment belong together."), f"commitment {A_HASH}")


def _build(reader: RecordReader) -> Record:
    head, fates = reader.head, reader.fates
    outcome = None
    if reader.outcome:
        kind, reason = reader.outcome
        winners, *others = (tuple(fates[fate]) for fate in FATES)
        dead, surrendered, sharing, absent = others
        by, turn = reader.ended.get("by", ""), reader.ended.get("turn", "")
        outcome = Outcome(kind, winners, reason, dead, surrendered, sharing, absent, by, turn)
    proof = None
    if "commitment" in head and "terms" in head:
        proof = Proof(
            head["commitment"], head["terms"], tuple(reader.earlier), dict(reader.former_names), tuple(reader.void)
        )
    return Record(
        ruleset=head["ruleset"],
        edition=head["edition"],
        mages=tuple(reader.mages),
        turns=tuple(map(_build_turn, reader.turns)),
        number=head.get("number"),
        users={mage: user for mage, user in reader.mages.items() if user is not None},
        seed=head.get("seed"),
        opening=None if reader.opening is None else tuple(reader.opening),
        start=head.get("start"),
        outcome=outcome,
        proof=proof,
    )


def _build_turn(turn: TurnBeingRead) -> RecordedTurn:
    result = Result(turn.gestures, turn.hp, tuple(turn.casts), tuple(turn.creatures), turn.told, turn.given)
    return RecordedTurn(
        label=turn.label,
        seq=turn.seq,
        stages=tuple({mage: tuple(lines) for mage, lines in stage.items()} for stage in turn.stages),
        throws=None if turn.throws is None else tuple(turn.throws),
        attempt=turn.attempt,
        result=result if turn.has_result or result != Result() else None,
        seals=build_seals(turn) if any(turn.seals) else (),
    )
