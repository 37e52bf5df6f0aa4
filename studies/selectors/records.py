"""Battles as text: SHOW, DESCRIBE, and the record that can be replayed.

While a battle is running, SHOW and DESCRIBE are the same for every reader, players included, and contain only what all
players have learned (engine 9.4, 9.5). The record, with orders and dice, is not available until the end. After the end
nothing is hidden.
"""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext as _

from duels.errors import NothingRecorded, RecordSealed, UnreadableBattle
from duels.models import Battle
from duels.selectors.journal import JournalNote, list_journal_for_anyone
from duels.selectors.proof import read_proof_after_end, read_seals_after_end
from duels.selectors.viewer import find_battle
from rules_engine import UnknownRuleset, UnknownState
from rules_engine.glossary import use_pronouns
from rules_engine.records import (
    Chronicle,
    Proof,
    Record,
    StoredBattle,
    build_record,
    describe_battle,
    rebuild_chronicle,
    show_battle,
    transcribe_battle,
    write_record,
)
from studies.selectors.stored_battle import read_stored_battle


def get_table_for_anyone(*, number: int) -> str:
    """Return SHOW of a battle. Raises BattleNotFound, UnreadableBattle."""
    return _read(number, lambda battle, stored: show_battle(_open_at_end(battle, rebuild_chronicle(stored))))


def get_story_for_anyone(*, number: int) -> str:
    """Return DESCRIBE of a battle, followed by the janitors' journal. Raises BattleNotFound, UnreadableBattle."""
    return _read(
        number,
        lambda battle, stored: describe_battle(_open_at_end(battle, rebuild_chronicle(stored))) + write_journal(battle),
    )


def get_transcript_for_anyone(*, number: int) -> str:
    """Return the transcript of a battle. Raises BattleNotFound, UnreadableBattle."""
    return _read(number, lambda battle, stored: transcribe_battle(_open_at_end(battle, rebuild_chronicle(stored))))


def get_record_after_end(*, number: int, write: Callable[[Record], str] = write_record) -> str:
    """Return the record of a finished battle, with all its secrets, as text or converted by `write`.

    Raises BattleNotFound, RecordSealed, NothingRecorded, UnreadableBattle.
    """
    return _read(number, lambda battle, stored: write(_open_record(battle, stored)))


def write_journal(battle: Battle) -> str:
    """Return the janitors' journal as paragraphs, each after an empty line; "" if it is empty."""
    entries = list_journal_for_anyone(battle)
    return "".join(f"\n{_head_entry(each)}\n{_write_entry(each)}\n" for each in entries)


def _head_entry(entry: JournalNote) -> str:
    if entry.by is None:
        return _("In Round %(turn)s:") % {"turn": entry.label}
    return _("In Round %(turn)s, a janitor (%(by)s):") % {"turn": entry.label, "by": entry.by}


def _write_entry(entry: JournalNote) -> str:
    lines = [_("%(text)s Reason: %(reason)s") % {"text": entry.text, "reason": entry.reason}]
    if entry.undone_at:
        lines.append(_("Undone by %(by)s: %(reason)s") % {"by": entry.undone_by, "reason": entry.undone_reason})
    return "\n".join(lines)


def _open_record(battle: Battle, stored: StoredBattle) -> Record:
    if not battle.is_over:
        raise RecordSealed("record_sealed", number=battle.number)
    if not stored.turns:
        raise NothingRecorded("nothing_recorded", number=battle.number)
    proof = read_proof_after_end(battle)
    return build_record(stored if proof is None else _open_proof(battle, stored, proof))


def _open_proof(battle: Battle, stored: StoredBattle, proof: Proof) -> StoredBattle:
    seals = read_seals_after_end(battle)
    turns = [
        replace(
            turn,
            stages=[
                replace(stage, seals=seals.get((turn.seq, turn.attempt, number), {}))
                for number, stage in enumerate(turn.stages)
            ],
        )
        for turn in stored.turns
    ]
    return replace(stored, turns=turns, seed=battle.seed, proof=proof)


def _read(number: int, write: Callable[[Battle, StoredBattle], str]) -> str:
    battle = find_battle(number=number)
    try:
        with use_pronouns(battle.pronouns):
            return write(battle, read_stored_battle(battle))
    except (UnknownRuleset, UnknownState) as error:
        raise UnreadableBattle(number, battle.ruleset, battle.edition) from error


def _open_at_end(battle: Battle, chronicle: Chronicle) -> Chronicle:
    return replace(chronicle, open_to_all=battle.is_over)
