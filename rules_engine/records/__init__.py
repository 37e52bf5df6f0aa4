"""Battles as records: recorded, written, read, replayed, shown and described (docs/game-record.md).

`Record` is a battle as plain values; `write_record` and `parse_record` convert it to and from text. `play_record` turns
it into a `Chronicle`, the battle as it was played, and `rebuild_chronicle` makes one from stored pieces; `show_battle`,
`describe_battle` and `transcribe_battle` take either. `import_battle` reads a battle from any text that shows one.
"""

from __future__ import annotations

from rules_engine.errors import InvalidRecord, RecordDeparts
from rules_engine.records.check_proof import list_commitments
from rules_engine.records.chronicle import Chronicle, PlayedTurn, find_result
from rules_engine.records.commitments import SALT_BYTES, Place, Proof, Seal, commit_battle, write_terms
from rules_engine.records.describe import describe_battle
from rules_engine.records.exchange import FORMS, Imported, import_battle, write_imported, write_json
from rules_engine.records.fates import FATES, JudgedCast, judge_casts
from rules_engine.records.feats import FEATS, Feat, find_feats
from rules_engine.records.openings import PAIRS, list_first_pairs, turn_alike
from rules_engine.records.parse import parse_record
from rules_engine.records.play import play_record, play_stages, play_turns
from rules_engine.records.record import Creature, Record, RecordedCast, RecordedTurn, Result
from rules_engine.records.recorder import complete_record, write_down
from rules_engine.records.show import show_battle
from rules_engine.records.stored_battle import StoredBattle, StoredStage, StoredTurn, build_record, rebuild_chronicle
from rules_engine.records.transcript import transcribe_battle
from rules_engine.records.verify import Mismatch, verify_record, verify_stored
from rules_engine.records.write import write_record

__all__ = [
    "FATES",
    "FEATS",
    "FORMS",
    "PAIRS",
    "SALT_BYTES",
    "Chronicle",
    "Creature",
    "Feat",
    "Imported",
    "InvalidRecord",
    "JudgedCast",
    "Mismatch",
    "Place",
    "PlayedTurn",
    "Proof",
    "Record",
    "RecordDeparts",
    "RecordedCast",
    "RecordedTurn",
    "Result",
    "Seal",
    "StoredBattle",
    "StoredStage",
    "StoredTurn",
    "build_record",
    "commit_battle",
    "complete_record",
    "describe_battle",
    "find_feats",
    "find_result",
    "import_battle",
    "judge_casts",
    "list_commitments",
    "list_first_pairs",
    "parse_record",
    "play_record",
    "play_stages",
    "play_turns",
    "rebuild_chronicle",
    "show_battle",
    "transcribe_battle",
    "turn_alike",
    "verify_record",
    "verify_stored",
    "write_down",
    "write_imported",
    "write_json",
    "write_record",
    "write_terms",
]
