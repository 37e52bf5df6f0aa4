"""Check that the figures of a dump follow from its battles, by replaying, scoring and rating all of them again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ladder.rating import RatedBattle, RatingState, find_kind, is_rated, rate
from ladder.scoring import ScoreChange, penalize, settle
from ladder.stakes import STAKES
from rules_engine import Outcome, RulesError, write_outcome
from rules_engine.records import Chronicle, parse_record, play_record, verify_record
from studies.dump.files import SUMS, hash_file, read_lines

Battle = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """An inconsistency in the dump: the battle or file, the field, its value there, and the recalculated value."""

    where: str
    what: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}: the dump says {self.stored}, recalculation gives {self.computed}"


def check_dump(folder: Path) -> tuple[int, list[Fault]]:
    """Check the dump in `folder`; return how many battles it has, and every fault."""
    faults = list(_check_sums(folder))
    files = sorted(folder.glob("battles-*.jsonl.gz"))
    battles = sorted(
        (battle for file in files for battle in read_lines(file)), key=lambda each: (each["ended_at"], each["battle"])
    )
    for battle in battles:
        faults += _check_record(battle)
    faults += _check_scores(battles)
    faults += _check_ratings(battles)
    return len(battles), faults


def _check_sums(folder: Path) -> Iterator[Fault]:
    for line in (folder / SUMS).read_text().splitlines():
        wanted, name = line.split("  ", 1)
        path = folder / name
        found = hash_file(path) if path.is_file() else "no file"
        if found != wanted:
            yield Fault(name, "SHA-256", wanted, found)


def _check_record(battle: Battle) -> Iterator[Fault]:
    where = f"battle {battle['battle']}"
    if battle["record"] is None:
        return
    try:
        record = parse_record(battle["record"])
        for mismatch in verify_record(record):
            if battle["corrected"] and mismatch.what == "outcome":
                continue
            yield Fault(where, f"turn {mismatch.turn}, {mismatch.what}", mismatch.recorded, mismatch.played)
        played = play_record(record)
    except RulesError as error:
        yield Fault(where, "record", "a battle", str(error))
        return
    written = write_outcome(record.outcome)
    if written != battle["result"]:
        yield Fault(where, "result", str(battle["result"]), str(written))
    if not battle["corrected"] and record.outcome is not None:
        yield from _check_end(battle, played, record.outcome, where)


def _check_end(battle: Battle, played: Chronicle, outcome: Outcome, where: str) -> Iterator[Fault]:
    for what, names in (("won", outcome.winners), ("died", outcome.dead)):
        stored = sorted(each["mage"] for each in battle["mages"] if each[what])
        if stored != sorted(names):
            yield Fault(where, what, ", ".join(stored), ", ".join(sorted(names)))
    paid = sorted(_find_payers(played)) if _has_scores(battle) else []
    if paid != battle["paid"]:
        yield Fault(where, "paid for a surrender", ", ".join(battle["paid"]), ", ".join(paid))


def _find_payers(played: Chronicle) -> Iterator[str]:
    """Yield the mages who surrendered while the battle continued or someone won (firetop-server 5.2)."""
    for turn in played.turns:
        if len(turn.after.out) < len(played.mages):
            for name in set(turn.after.out) - set(turn.before.out):
                if turn.after.wizards[name].hp > 0:
                    yield name


def _has_scores(battle: Battle) -> bool:
    return not battle["practice"] and STAKES[battle["stakes"]].scores


def _check_scores(battles: Iterable[Battle]) -> Iterator[Fault]:
    scores: dict[tuple[str, str], int] = defaultdict(int)
    for battle in battles:
        kind, names = battle["kind"], [each["mage"] for each in battle["mages"]]
        now = {name: scores[kind, name] for name in names}
        starting = dict(now)
        changes = [penalize(name, now[name]) for name in battle["paid"]]
        now.update({change.mage: change.after for change in changes})
        settled = settle(
            players=names,
            winners={each["mage"] for each in battle["mages"] if each["won"]},
            dead={each["mage"] for each in battle["mages"] if each["died"]},
            sharing=(battle["result"] or {}).get("sharing", ()),
            scores=now,
            starting=starting,
            stakes=battle["stakes"],
            practice=battle["practice"],
            practice_deaths_are_real=battle["deadly"],
        )
        now.update({change.mage: change.after for change in settled.changes})
        scores.update({(kind, name): score for name, score in now.items()})
        stored = sorted(map(_say, battle["scores"]))
        out = sorted(_say(write_change(change)) for change in (*changes, *settled.changes))
        if stored != out:
            yield Fault(f"battle {battle['battle']}", "scores", "; ".join(stored), "; ".join(out))


def _say(change: dict[str, Any]) -> str:
    return "{mage} {reason}: {before} to {after}".format(**change)


def write_change(change: ScoreChange) -> dict[str, Any]:
    """Return a battle's change of one score, as stored in the dump."""
    return {"mage": change.mage, "reason": change.reason, "before": change.before, "after": change.after}


def _check_ratings(battles: Iterable[Battle]) -> Iterator[Fault]:
    ratings: dict[str, dict[int, RatingState]] = defaultdict(dict)
    for battle in battles:
        out: dict[str, list[float | int | None]] = {}
        result = _read_result(battle)
        if not battle["practice"] and STAKES[battle["stakes"]].is_rated and is_rated(result):
            after = rate(result, ratings[result.kind])
            ratings[result.kind] |= after
            out = {str(user): write_rating(each) for user, each in after.items()}
        if out != battle["ratings"]:
            yield Fault(f"battle {battle['battle']}", "ratings", str(battle["ratings"]), str(out))


def write_rating(rating: RatingState) -> list[float | int | None]:
    """Return rating, deviation, volatility and Elo, as stored in the dump."""
    return [rating.rating, rating.deviation, rating.volatility, rating.elo]


def _read_result(battle: Battle) -> RatedBattle:
    won = frozenset(each["user_id"] for each in battle["mages"] if each["won"])
    return RatedBattle(
        number=battle["battle"],
        kind=find_kind(battle["kind"], battle["stakes"]),
        ended_at=datetime.fromisoformat(battle["ended_at"]),
        winners=won,
        others=frozenset(each["user_id"] for each in battle["mages"]) - won,
    )
