"""Records for other programs: as JSON, and from any text that describes a battle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from rules_engine.errors import InvalidRecord, OrdersRejected, Problem, RecordDeparts, RulesError
from rules_engine.outcome import write_outcome
from rules_engine.records.foreign.pasted_text import BREAKING, make_plain, split_as_pasted, unwrap_table
from rules_engine.records.foreign.read_tables import TABLE_HEAD, SeenBattle, check_mages, read_table, read_warlocks_page
from rules_engine.records.foreign.rebuild import rebuild_by_nearest
from rules_engine.records.parse import parse_record
from rules_engine.records.record import FORMAT, Record
from rules_engine.records.recorder import complete_record
from rules_engine.records.verify import verify_record
from rules_engine.records.write import write_record
from rules_engine.rules import Ruleset
from rules_engine.rulesets import EDITIONS, RULESETS
from rules_engine.text import say, say_count

TEXT, JSON, TABLE, WARLOCKS = "text", "json", "table", "warlocks"
FORMS = (TEXT, JSON, TABLE, WARLOCKS)
MOST_CHARACTERS, MOST_TURNS = 400_000, 150


@dataclass(frozen=True, slots=True)
class Imported:
    """A battle that was read and played: its record, the format of the text, and the rules' differences from it."""

    record: Record
    form: str
    doubts: tuple[Problem, ...] = ()


def write_json(record: Record) -> str:
    """Return the record as JSON, with the keywords of the text as keys; `import_battle` reads it back as an equal
    record."""
    mages = [{"name": mage, **({"user": record.users[mage]} if mage in record.users else {})} for mage in record.mages]
    data = {
        "record": FORMAT,
        "battle": record.number,
        "ruleset": record.ruleset,
        "edition": record.edition,
        "mages": mages,
        "seed": record.seed,
        "throws": record.opening,
        "start": record.start,
        "turns": [_write_turn(record, place) for place in range(len(record.turns))],
        "outcome": write_outcome(record.outcome),
    }
    return json.dumps({key: value for key, value in data.items() if value is not None}, indent=1) + "\n"


def _write_turn(record: Record, place: int) -> dict[str, Any]:
    turn = record.turns[place]
    data: dict[str, Any] = {"turn": turn.label, "seq": turn.seq, "attempt": turn.attempt, "throws": turn.throws}
    data["stages"] = [{mage: list(lines) for mage, lines in stage.items()} for stage in turn.stages]
    if (result := turn.result) is not None:
        data["result"] = {
            "gestures": {mage: list(hands) for mage, hands in result.gestures.items()},
            "casts": [
                {"mage": cast.mage, "hand": cast.hand, "spell": cast.spell, "target": cast.target}
                for cast in result.casts
            ],
            "hp": dict(result.hp),
            "creatures": [
                {"name": each.name, "hp": each.hp, "controller": each.controller, "target": each.target}
                for each in result.creatures
            ],
            "told": None if result.told is None else list(result.told),
            "given": result.given,
        }
    return {key: value for key, value in data.items() if value is not None}


def import_battle(text: str, *, form: str = "", ruleset: str = "") -> Imported:
    """Read a battle in any of the formats ("" detects it) and play it by the current rules.

    `ruleset` is for tables, which name none; without it those of the nearest family are tried. What mail programs and
    browsers add to a text when it is copied is ignored. Raises InvalidRecord with every problem: its line, the text
    there, and the nearest valid form, if there is one.
    """
    if len(text) > MOST_CHARACTERS:
        words = say("The text has {number} characters. Shorten it to {most}.", number=len(text), most=MOST_CHARACTERS)
        raise _rejection("too_long", words)
    text = split_as_pasted(text)
    plain = make_plain(text)
    problems: InvalidRecord | None = None
    # The last has other lines than the text that was pasted, so its problems would have the wrong lines.
    for each in dict.fromkeys((text, plain, make_plain(BREAKING.sub("\n", text)))):
        try:
            return _import(each, form, ruleset)
        except InvalidRecord as error:
            problems = error if problems is None or each == plain else problems
    assert problems is not None
    raise problems


def _import(text: str, form: str, ruleset: str) -> Imported:
    form = form or _find_form(text)
    if form in (TABLE, WARLOCKS):
        return _rebuild(_read_table(text) if form == TABLE else read_warlocks_page(text), form, ruleset)
    lines, places = _write_lines(text) if form == JSON else (text, {})
    try:
        draft = _drop_proof(parse_record(lines, free_orders=True))
        _check_size(draft.mages, len(draft.turns))
        _check_ruleset(draft, lines)
        return _complete(draft, lines, form)
    except InvalidRecord as error:
        raise InvalidRecord(tuple(_place(problem, places) for problem in error.problems)) from error


def _read_table(text: str) -> SeenBattle:
    """Read a SHOW table, even with broken lines. Problems are those of the table as it was pasted."""
    try:
        seen = read_table(text)
        check_mages(seen.mages)
    except InvalidRecord as error:
        try:
            return read_table(unwrap_table(text))
        except InvalidRecord:
            raise error from None
    return seen


def _drop_proof(record: Record) -> Record:
    """Return the record without commitments: they belong to the site where the battle was played."""
    return replace(record, proof=None, turns=tuple(replace(turn, seals=()) for turn in record.turns))


def _rejection(code: str, message: str, nearest: str | None = None) -> InvalidRecord:
    return InvalidRecord((Problem(1, "", code, message, nearest),))


def _find_form(text: str) -> str:
    start = text.lstrip("\ufeff \t\r\n")
    first = next((line.strip() for line in start.split("\n") if line.strip() and not line.startswith("#")), "")
    if first.startswith("{"):
        return JSON
    if first.startswith("record"):
        return TEXT
    if TABLE_HEAD in text:
        return TABLE
    if " bows." in text or "\nTurn 1" in text.replace("\n   ", "\n"):
        return WARLOCKS
    words = say(
        "This is not a record, JSON record, SHOW table or Warlocks page. Paste one of these from its first line."
    )
    raise InvalidRecord((Problem(1, first[:80], "unknown_form", words, "record 1"),))


def _check_size(mages: tuple[str, ...], turns: int) -> None:
    if not 1 <= turns <= MOST_TURNS:
        words = say_count(
            "There is one turn. A battle here has 1 to {most}.",
            "There are {number} turns. A battle here has 1 to {most}.",
            turns,
            most=MOST_TURNS,
        )
        raise _rejection("turns", words)
    check_mages(mages)


def _check_ruleset(draft: Record, lines: str) -> None:
    """Raise InvalidRecord for a ruleset or an edition that this site does not have, with its line."""
    if (draft.ruleset, draft.edition) in EDITIONS:
        return
    number, line = next(
        (number, line.strip())
        for number, line in enumerate(lines.split("\n"), start=1)
        if line.split()[:1] == ["ruleset"]
    )
    if draft.ruleset in RULESETS:
        newest = RULESETS[draft.ruleset].edition
        words = say("{ruleset} has no edition {edition}.", ruleset=draft.ruleset, edition=draft.edition)
        near: str | None = f"ruleset {draft.ruleset} {newest}"
    else:
        words = say("There is no ruleset {name}.", name=draft.ruleset[:40])
        near = next((f"ruleset {name}" for name in get_close_matches(draft.ruleset, RULESETS, n=1)), None)
    raise InvalidRecord((Problem(number, line, "ruleset", words, near),))


def _rebuild(seen: SeenBattle, form: str, ruleset: str) -> Imported:
    _check_size(seen.mages, len(seen.turns))
    if ruleset and ruleset not in RULESETS:
        near = get_close_matches(ruleset, RULESETS, n=1)
        raise _rejection("ruleset", say("There is no ruleset {name}.", name=ruleset), near[0] if near else None)
    families = [[RULESETS[ruleset]]] if ruleset else _list_families("warlocks" if form == WARLOCKS else "")
    try:
        made = rebuild_by_nearest(seen.mages, seen.turns, families)
    except ValueError as error:
        raise _rejection("mages", str(error)) from error
    return Imported(made.record, form, made.doubts)


def _list_families(only: str = "") -> list[list[Ruleset]]:
    """Return the rulesets of each family, or of one; the family that most tables come from first."""
    families: dict[str, list[Ruleset]] = {"firetop": []}
    for name, ruleset in RULESETS.items():
        families.setdefault(name.partition("-")[0], []).append(ruleset)
    return [rulesets for family, rulesets in families.items() if only in ("", family)]


def _complete(draft: Record, lines: str, form: str) -> Imported:
    """Play a record or a draft, and compare a record's results."""
    if draft.start is not None:
        raise _rejection("start", say("A record that begins in the middle of a battle cannot be imported."))
    labels = _find_lines(lines)
    try:
        record = complete_record(draft)
    except OrdersRejected as error:
        raise InvalidRecord(error.problems) from error
    except InvalidRecord as error:
        raise InvalidRecord(tuple(_find_turn(problem, labels, lines) for problem in error.problems)) from error
    except RecordDeparts as error:
        words = str(error)
        raise InvalidRecord((Problem(labels.get(error.turn, 1), f"turn {error.turn}", "departs", words),)) from error
    except (RulesError, KeyError, ValueError, TypeError) as error:
        raise _rejection("departs", str(error)) from error
    doubts = []
    if any(turn.result for turn in draft.turns):
        canonical = replace(
            draft,
            turns=tuple(
                replace(turn, stages=made.stages, throws=made.throws, result=turn.result)
                for turn, made in zip(draft.turns, record.turns, strict=False)
            ),
        )
        doubts = [
            Problem(labels.get(each.turn, 1), f"turn {each.turn}", "differs", str(each))
            for each in verify_record(canonical, events=False)
            if each.what not in ("orders and rolls", "outcome")
        ]
    return Imported(record, form, tuple(doubts))


def _find_lines(lines: str) -> dict[str, int]:
    """Return turn → its line."""
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines.split("\n"), start=1):
        words = line.split()
        if len(words) > 1 and words[0] == "turn":
            line_of.setdefault(words[1], number)
    return line_of


def _find_turn(problem: Problem, labels: Mapping[str, int], lines: str) -> Problem:
    """Return a problem of an order, with the line of that order."""
    label = problem.message.partition(",")[0].removeprefix("turn ")
    first = labels.get(label, 1)
    for number, line in enumerate(lines.split("\n")[first:], start=first + 1):
        if line.split()[:1] == ["turn"]:
            break
        if line.strip() == problem.text.strip():
            return replace(problem, line=number)
    return replace(problem, line=first)


# -- JSON -------------------------------------------------------------------------------------------------------------


def _write_lines(text: str) -> tuple[str, dict[int, str]]:
    """Return the text form of JSON, and the place in the JSON of each of its lines: one reader checks both forms."""
    try:
        data = _load_first(text)
    except RecursionError as error:
        raise _rejection("json", say("This JSON is nested too deeply.")) from error
    except json.JSONDecodeError as error:
        written = text.split("\n")[error.lineno - 1].strip()[:80]
        words = say("This is not JSON. Correct it at column {column} of this line.", column=error.colno)
        raise InvalidRecord((Problem(error.lineno, written, "json", words),)) from error
    except ValueError as error:
        raise _rejection("json", say("We cannot read this JSON.")) from error
    lines, places = [], {}
    try:
        for place, line in _list_lines(data):
            lines.append(" ".join(line.split("\n")))
            places[len(lines)] = place
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        key, where = json.dumps(str(error.args[0])), places.get(len(lines), "")
        if not where:
            words = say("This JSON is not a record. A record is an object and begins like the example.")
        elif isinstance(error, KeyError):
            words = say("This JSON is not a record: {key} is missing after {place}.", key=key, place=where)
        else:
            words = say("This JSON is not a record: a value after {place} has the wrong type.", place=where)
        raise _rejection(
            "json", words, '{"record": 1, "ruleset": "firetop-standard", "mages": [], "turns": []}'
        ) from error
    return "\n".join(lines), places


def _load_first(text: str) -> Any:
    """Return the JSON at the beginning, unless the text below it may be JSON too. Raises what json.loads does."""
    data, end = json.JSONDecoder().raw_decode(text.lstrip(), 0)
    below = text.lstrip()[end:]
    return json.loads(text) if re.search(r"[{}\[\]]", below) else data


def _list_lines(data: Any) -> Iterator[tuple[str, str]]:
    yield "record", f"record {data['record']}"
    if data.get("battle") is not None:
        yield "battle", f"battle {data['battle']}"
    yield "ruleset", f"ruleset {data['ruleset']}" + (f" {data['edition']}" if "edition" in data else "")
    for n, mage in enumerate(data["mages"]):
        yield f"mages[{n}]", f"mage {mage['name']}" + (f" {mage['user']}" if mage.get("user") else "")
    if data.get("seed") is not None:
        yield "seed", f"seed {json.dumps(data['seed'])}"
    yield from _list_throws("throws", data.get("throws"))
    if data.get("start") is not None:
        yield "start", "start " + json.dumps(data["start"], separators=(",", ":"))
    for n, turn in enumerate(data["turns"]):
        yield from _list_turn(f"turns[{n}]", turn)
    if data.get("outcome"):
        ending = data["outcome"]
        yield "outcome", f"outcome {ending['type']} {ending['reason']}"
        for key, word in (
            ("winners", "winner"),
            ("dead", "dead"),
            ("surrendered", "surrendered"),
            ("sharing", "sharing"),
            ("absent", "absent"),
        ):
            for mage in ending.get(key, ()):
                yield f"outcome.{key}", f"{word} {mage}"
        for key, word in (("by", "by"), ("turn", "in")):
            if ending.get(key):
                yield f"outcome.{key}", f"{word} {ending[key]}"


def _list_throws(place: str, throws: Any) -> Iterator[tuple[str, str]]:
    if throws is None:
        return
    for n, each in enumerate(throws):
        yield f"{place}[{n}]", "throw " + " ".join(json.dumps(each[key]) for key in ("purpose", "who", "picked"))
    if not throws:
        yield place, "no throws"


def _list_turn(place: str, turn: Any) -> Iterator[tuple[str, str]]:
    seq = f" seq {turn['seq']}" if "seq" in turn else ""
    yield place, f"turn {turn['turn']}{seq}" + (f" attempt {turn['attempt']}" if turn.get("attempt") else "")
    yield from _list_throws(f"{place}.throws", turn.get("throws"))
    for n, stage in enumerate(turn["stages"]):
        if n:
            yield f"{place}.stages[{n}]", "answers"
        for mage, orders in stage.items():
            yield f"{place}.stages[{n}].{mage}", f"orders {mage}"
            if not isinstance(orders, list):  # the letters of a text are no orders
                raise TypeError(orders)
            for m, line in enumerate(orders):
                yield f"{place}.stages[{n}].{mage}[{m}]", f"  {line}"
    result = turn.get("result")
    if result is None:
        return
    yield f"{place}.result", "result"
    for mage, (left, right) in result.get("gestures", {}).items():
        yield f"{place}.result.gestures.{mage}", f"gestures {mage} {left} {right}"
    for n, cast in enumerate(result.get("casts", ())):
        at = f" at {cast['target']}" if cast.get("target") else ""
        yield f"{place}.result.casts[{n}]", f"casts {cast['mage']} {cast['hand']} {cast['spell']}{at}"
    for mage, points in result.get("hp", {}).items():
        yield f"{place}.result.hp.{mage}", f"hp {mage} {points}"
    for n, one in enumerate(result.get("creatures", ())):
        words = f"creature {one['name']} {one['hp']} {one['controller']} {one['target']}"
        yield f"{place}.result.creatures[{n}]", words
    if result.get("told"):
        yield f"{place}.result.told", f"told {result['told'][0]} {result['told'][1]}"
    if result.get("given"):
        yield f"{place}.result.given", f"given {result['given']}"


def _place(problem: Problem, places: Mapping[int, str]) -> Problem:
    """Return a problem of JSON, with its place there before what is written."""
    if not places:
        return problem
    return replace(problem, text=f"{places.get(problem.line, '')}: {problem.text}".strip(": "))


def write_imported(record: Record) -> str:
    """Return the record as text without another site's battle number and users."""
    return write_record(replace(record, number=None, users={}))
