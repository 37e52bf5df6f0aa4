"""manage.py make_classics: write the annotated battles that come with the program (studies/classics/)."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.core.management.base import BaseCommand

from rules_engine import KeyedDice, Sheet, advance, get_ruleset, new_duel
from rules_engine.bots import choose_orders
from rules_engine.bots.analyse import analyse_turn
from rules_engine.bots.findings import BLUNDERS, MISSED_KILL, UNREAD_THREAT, WASTED, summarise
from rules_engine.records import (
    Record,
    RecordedTurn,
    complete_record,
    judge_casts,
    parse_record,
    play_record,
    write_record,
)
from studies.classic_words import THEMES
from studies.selectors.classics import FOLDER

PAIRS = (
    ("Magus", "Warder"),
    ("Magus", "Magus"),
    ("Warder", "Warder"),
    ("Warder", "Journeyman"),
    ("Journeyman", "Journeyman"),
)
MOST_TURNS, FEWEST, LEAST_TO_SAY = 45, 7, 4
STORMS = {"Fire Storm", "Ice Storm", "Fire Elemental", "Ice Elemental"}
MIND = {"Paralysis", "Amnesia", "Fear", "Confusion", "Charm Person", "Charm Monster"}
SUMMONS = {"Summon Goblin", "Summon Ogre", "Summon Troll", "Summon Giant"}


@dataclass(frozen=True)
class Candidate:
    """A battle and the findings of its analysis."""

    record: Record
    facts: list[dict[str, Any]]
    summary: dict[str, Any]

    def count(self, *kinds: str) -> int:
        return sum(each["kind"] in kinds for facts in self.facts for each in facts["findings"])

    def cast(self, spells: set[str]) -> int:
        chronicle = play_record(self.record)
        return sum(each.spell in spells and each.fate == "worked" for each in judge_casts(chronicle))

    @property
    def lowest(self) -> float:
        """The winner's lowest chance."""
        winner = self.record.outcome.winners[0] if self.record.outcome and self.record.outcome.winners else ""
        return min((float(facts["chances"].get(winner, 1.0)) for facts in self.facts), default=1.0)


SCORES: dict[str, Callable[[Candidate], float]] = {
    "missed-kill": lambda each: each.count(MISSED_KILL) - 0.3 * each.count(*BLUNDERS),
    "unread-threat": lambda each: each.count(UNREAD_THREAT) - 0.02 * len(each.facts),
    "from-behind": lambda each: -100 * each.lowest - 0.5 * len(each.facts),
    "few-mistakes": lambda each: min(each.summary["accuracy"].values(), default=0) - 0.5 * len(each.facts),
    "storms": lambda each: each.cast(STORMS),
    "creatures": lambda each: each.cast(SUMMONS) - 0.05 * len(each.facts),
    "minds": lambda each: each.cast(MIND) - 0.05 * len(each.facts),
    "wasted": lambda each: each.count(WASTED) - 0.1 * len(each.facts),
    "quick": lambda each: -len(each.facts),
    "long": lambda each: len(each.facts),
}


class Command(BaseCommand):
    help = "Play battles between bots, analyse them, and write the ten most instructive ones; analyse the others again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--games", type=int, default=40, help="how many battles to choose from; 0: analyse all again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write one file for each battle."""
        for slug in THEMES:
            path = FOLDER / f"{slug}.json"
            if path.exists() and not (options["games"] and slug in SCORES):
                write(slug, analyse(complete_record(parse_record(json.loads(path.read_text())["record"]))))
        if not options["games"]:
            return
        candidates = [each for each in map(self.play, range(options["games"])) if each]
        for slug, score in SCORES.items():
            best = max(candidates, key=score)
            candidates.remove(best)
            write(slug, best)
            self.stdout.write(f"{slug}: {len(best.facts)} turns")

    def play(self, number: int) -> Candidate | None:
        """Play a battle; None if it is too long, too short, without a winner, or gives little to comment on."""
        record = play_bots(number)
        won = record.outcome is not None and record.outcome.winners
        if not (won and FEWEST <= len(record.turns) <= MOST_TURNS):
            return None
        made = analyse(record)
        return made if sum(bool(facts["findings"]) for facts in made.facts) >= LEAST_TO_SAY else None


def play_bots(number: int) -> Record:
    """Return a battle between bots. The same number gives the same battle."""
    seed, mages = f"classic {number}", ("Ayla", "Crom")
    strengths = dict(zip(mages, PAIRS[number % len(PAIRS)], strict=True))
    state = new_duel(get_ruleset("firetop-standard"), mages, dice=KeyedDice(seed, 0, 0))
    turns: list[tuple[str, int, list[dict[str, tuple[str, ...]]]]] = []
    while not state.over and state.seq <= MOST_TURNS + 1:
        lines = {name: tuple(answer(state, name, strengths[name], seed)) for name in state.owing}
        if not state.stage:
            turns.append((state.label, state.seq, []))
        turns[-1][2].append(lines)
        sheets = {name: Sheet.from_lines(written) for name, written in lines.items()}
        state = advance(state, sheets, KeyedDice(seed, state.seq, 0)).state
    recorded = tuple(RecordedTurn(label, seq, tuple(stages)) for label, seq, stages in turns)
    return complete_record(Record("firetop-standard", state.ruleset.edition, mages, recorded, seed=seed))


def answer(state: Any, mage: str, strength: str, seed: str) -> Iterator[str]:
    yield from choose_orders(
        state, mage=mage, strength=strength, seed=f"{seed} {state.seq} {state.stage} {mage}", may_surrender=False
    )


def analyse(record: Record) -> Candidate:
    facts = []
    for turn, written in zip(play_record(record).turns, record.turns, strict=True):
        orders = {mage: Sheet.from_lines(lines) for mage, lines in written.stages[0].items()}
        facts.append(analyse_turn(turn, orders, seed="classics"))
    return Candidate(record, facts, summarise(facts, record.outcome.winners if record.outcome else ()))


def write(slug: str, made: Candidate) -> None:
    """Write the battle and the findings, without the results, which the rules reproduce."""
    bare = replace(made.record, seed=None, turns=tuple(replace(turn, result=None) for turn in made.record.turns))
    found = {str(facts["seq"]): {"chances": facts["chances"], "findings": facts["findings"]} for facts in made.facts}
    data = {"record": write_record(bare), "summary": made.summary, "turns": found}
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{slug}.json").write_text(json.dumps(data, indent=0, sort_keys=True) + "\n", encoding="utf-8")
