"""The battles of the demonstration as records: played by the bots once, and kept in a file (docs/game-record.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fm_site.demonstration.cast import FINISHED, LEAGUE, MORE_MAGES, PEOPLE, RUNNING, SKILLS, Fought
from studies.recording import record_battle_of_bots, write_recorded

FILE = Path(__file__).with_name("battles.json")
SHORTEST, LONGEST, SEEDS = 6, 30, 100
# In a melee the stronger bots take too long.
IN_MELEE = "Journeyman"


@cache
def read_texts() -> dict[str, str]:
    """Return the recorded battles by their keys in the cast."""
    texts: dict[str, str] = json.loads(FILE.read_text())
    return texts


def record_battles() -> str:
    """Play every battle of the cast and return the contents of the file; the same cast gives the same file."""
    return json.dumps({fought.key: record_battle(fought) for fought in (*FINISHED, *RUNNING, *LEAGUE)}, indent=0) + "\n"


def record_battle(fought: Fought) -> str:
    """Return the record of the first battle, by seed, that ended as the cast says and is neither short nor long."""
    strengths = _read_skills() if len(fought.mages) == 2 else dict.fromkeys(fought.mages, IN_MELEE)
    for number in range(SEEDS):
        record = record_battle_of_bots(
            mages=fought.mages,
            strengths=strengths,
            ruleset=fought.ruleset,
            seed=f"demonstration {fought.key} {number}",
            # Of a running battle, one turn more: the orders of those who have chosen already.
            turns=fought.turns + 1 if fought.turns else LONGEST,
            fearful=fought.stakes == "ladder" and not fought.dies,
            ends=not fought.turns,
        )
        if record is None:
            continue
        text = write_recorded(record)
        if fought.turns:
            return text
        assert record.outcome is not None
        # Where deaths are real, only those die who are meant to.
        dead = (fought.dies,) if fought.dies else ()
        is_meant = fought.stakes != "ladder" or record.outcome.dead == dead
        if len(record.turns) >= SHORTEST and record.outcome.winners and is_meant:
            return text
    raise LookupError(f"no seed gives battle {fought.key}")


def _read_skills() -> dict[str, str]:
    return SKILLS | dict(_list_skills())


def _list_skills() -> Iterator[tuple[str, str]]:
    for mages in (*MORE_MAGES.values(), *(person.mages for person in PEOPLE)):
        yield from ((mage.name, mage.skill) for mage in mages)
