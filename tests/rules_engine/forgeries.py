"""Forgeries of records: one fact of the text changed, to tell another story."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rules_engine import CALLED_OFF, Outcome, Sheet, read_state
from rules_engine.gestures import GESTURES
from rules_engine.records import (
    Place,
    Proof,
    Seal,
    StoredBattle,
    build_record,
    commit_battle,
    write_record,
    write_terms,
)
from tests.rules_engine.recorded_battles import store_battle

RULESETS = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks")
Forge = Callable[[list[str], int, random.Random], str]


def write_true_record(rng: random.Random, *, proven: bool = False) -> str:
    """The record of a battle played at random; `proven` with its seed and commitments."""
    seed = rng.randrange(40)
    stored = store_battle(2 * (seed // 2) if proven else seed, rng.choice(RULESETS), mages=rng.choice((2, 2, 3)))
    return write_record(build_record(prove(stored, str(2 * (seed // 2)), rng) if proven else stored))


def prove(stored: StoredBattle, seed: str, rng: random.Random) -> StoredBattle:
    """The battle with the commitments a site would have published: some orders replaced others. One that its turns
    don't end is called off, because a site opens the seed only at the end."""
    mages = list(stored.users)
    after = read_state(stored.after)
    ruleset = after.ruleset
    outcome = after.outcome or Outcome("duel" if len(mages) == 2 else "melee", (), CALLED_OFF, (), (), ())
    terms = write_terms({"pace": "classic", "ruleset": ruleset.name})
    assert stored.number is not None
    turns = []
    for turn in stored.turns:
        stages = []
        for number, stage in enumerate(turn.stages):
            place = Place(stored.number, turn.seq, turn.attempt, number)
            seals = {mage: seal(place, mages.index(mage) + 1, lines, rng) for mage, lines in stage.lines.items()}
            stages.append(replace(stage, seals=seals))
        turns.append(replace(turn, stages=stages))
    commitment = commit_battle(
        number=stored.number, seed=seed, ruleset=ruleset.name, edition=ruleset.edition, terms=terms
    )
    void = (("1", 1, 9, 0, mages[0], draw_hex(rng, 64)),)
    return replace(stored, turns=turns, outcome=outcome, seed=seed, proof=Proof(commitment, terms, void=void))


def seal(place: Place, position: int, lines: Sequence[str], rng: random.Random) -> Seal:
    salt, closing = draw_hex(rng, 32), draw_hex(rng, 32)
    lines = Sheet.from_lines(lines).lines()
    sets = [*(draw_hex(rng, 64) for _ in range(rng.randrange(3))), place.commit_orders(position, lines, salt)]
    return Seal(place.commit_closing(position, sets, closing), closing, tuple(sets), salt)


def draw_hex(rng: random.Random, digits: int) -> str:
    return f"{rng.getrandbits(4 * digits):0{digits}x}"


def forge(text: str, rng: random.Random) -> tuple[str, str]:
    """A text that differs from the record in one fact, and the lines that were there instead of others, in words."""
    lines = text.split("\n")
    while True:
        at = rng.randrange(len(lines))
        kind = next((kind for kind in FORGES if re.match(kind, lines[at])), None)
        if kind is None:
            continue
        false = rng.choice(FORGES[kind])(lines, at, rng)
        forged = [*lines[:at], *([false] if false else []), *lines[at + 1 :]]
        if forged != lines:
            return "\n".join(forged), f"{lines[at]!r} became {false!r}"


def change_gesture(lines: list[str], at: int, rng: random.Random) -> str:
    hand, gesture = lines[at].rsplit(" ", 1)
    return f"{hand} {rng.choice([each for each in GESTURES if each != gesture])}"


def change_number(lines: list[str], at: int, rng: random.Random) -> str:
    """One of the numbers of the line is another."""
    found = rng.choice(list(re.finditer(r"-?\d+", lines[at])))
    return f"{lines[at][: found.start()]}{int(found[0]) + rng.choice((-2, -1, 1, 2))}{lines[at][found.end() :]}"


def change_target(lines: list[str], at: int, rng: random.Random) -> str:
    """Someone else in place of the last name of the line."""
    names = [line.split()[1] for line in lines if line.startswith("mage ")]
    before, name = lines[at].rsplit(" ", 1)
    return f"{before} {rng.choice([each for each in names if each != name])}"


def change_letters(lines: list[str], at: int, rng: random.Random) -> str:
    """A gesture that was seen is another."""
    before, letters = lines[at].rsplit(" ", 1)
    return f"{before} {rng.choice([each for each in GESTURES if each != letters[0]])}{letters[1:]}"


def change_digit(lines: list[str], at: int, rng: random.Random) -> str:
    """One digit of a hash or salt is another."""
    found = rng.choice(list(re.finditer(r"[0-9a-f]{32,}", lines[at])))
    place = rng.randrange(*found.span())
    digit = rng.choice([each for each in "0123456789abcdef" if each != lines[at][place]])
    return f"{lines[at][:place]}{digit}{lines[at][place + 1 :]}"


def leave_out(lines: list[str], at: int, rng: random.Random) -> str:
    return ""


def change_words(lines: list[str], at: int, rng: random.Random) -> str:
    return f"{lines[at]} not"


def change_terms(lines: list[str], at: int, rng: random.Random) -> str:
    return lines[at].replace("classic", "quick")


# The forgeable parts of lines with this beginning.
FORGES: dict[str, tuple[Forge, ...]] = {
    r"throw .*\d$": (change_number, leave_out),
    r"  [LR]H .$": (change_gesture, leave_out),
    r"  TARGET ": (change_target, leave_out),
    r"  SAY ": (change_words, leave_out),
    r"  gestures ": (change_letters, leave_out),
    r"  casts .* at ": (change_target, leave_out),
    r"  casts ": (leave_out,),
    r"  hp ": (change_number, leave_out),
    r"  creature ": (change_number, change_target, leave_out),
    r"  told ": (change_number,),
    r"(commit|salt|closed) ": (change_digit, change_digit, leave_out),
    r"commitment ": (change_digit, leave_out),
    r"terms ": (change_terms, leave_out),
    r"seed ": (change_number, leave_out),
    r"turn ": (change_number,),
    r"(winner|dead|surrendered|sharing) ": (change_target, leave_out),
}
