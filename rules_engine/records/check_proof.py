"""Checks whether a record fits the commitments that were published during the battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from rules_engine.orders import Sheet
from rules_engine.records.commitments import Place, Proof, Seal, commit_battle
from rules_engine.records.record import Record, RecordedTurn

BEGINNING = "the beginning"
Finding = tuple[str, str, str]
"""What differs, what the record says, and what it should be."""


def list_commitments(record: Record) -> Iterator[str]:
    """Yield every commitment in the record, in no particular order, also those of turns that no longer count."""
    if record.proof:
        yield record.proof.commitment
        yield from (commitment for _, commitment in record.proof.earlier)
        yield from (commitment for *_, commitment in record.proof.void)
    for turn in record.turns:
        for seals in turn.seals:
            for seal in seals.values():
                yield from (seal.closed, *seal.sets)


def check_beginning(record: Record) -> Iterator[Finding]:
    """Yield problems with the commitments to seed and terms."""
    proof = record.proof
    if proof is None:
        if any(seals for turn in record.turns for seals in turn.seals):
            yield "commitment to seed and terms", "nothing", "a commitment"
        return
    if record.seed is None or record.number is None:
        yield "seed", "nothing", "a seed and the number of the battle"
        return
    for seed, commitment in ((record.seed, proof.commitment), *proof.earlier):
        expected = commit_battle(
            number=record.number, seed=seed, ruleset=record.ruleset, edition=record.edition, terms=proof.terms
        )
        if expected != commitment:
            yield "commitment to seed and terms", commitment, expected


def check_seals(record: Record, turn: RecordedTurn) -> Iterator[Finding]:
    """Yield problems with the commitments to the orders of a turn."""
    if record.proof is None or record.number is None:
        return
    for stage, orders in enumerate(turn.stages):
        place = Place(record.number, turn.seq, turn.attempt, stage)
        seals = turn.seals[stage] if stage < len(turn.seals) else {}
        for mage in {**orders, **seals}:
            seal = seals.get(mage)
            if seal is None or mage not in orders:
                given = "orders without a commitment" if seal is None else "a commitment without orders"
                yield f"commitments of {mage}", given, "both"
            else:
                position = record.mages.index(mage) + 1
                yield from _check_seal(place, mage, position, orders[mage], seal, record.proof)


def _check_seal(
    place: Place, mage: str, position: int, lines: tuple[str, ...], seal: Seal, proof: Proof
) -> Iterator[Finding]:
    closing = place.commit_closing(position, seal.sets, seal.closing_salt)
    is_listed = closing == seal.closed
    if not Sheet.from_lines(lines).is_by_clock:
        if not seal.sets and (lines or seal.salt):
            yield f"commitments of {mage}", "nothing", "a commitment to the orders"
        texts = _list_old_texts(lines, proof.former_names)
        if seal.sets and all(place.commit_orders(position, text, seal.salt) != seal.sets[-1] for text in texts):
            what = "orders or their salt" if is_listed else "commitment to the orders"
            yield f"{what} of {mage}", seal.sets[-1], place.commit_orders(position, lines, seal.salt)
    elif seal.salt:
        yield f"salt of {mage}", seal.salt, "nothing: the mage ran out of time"
    if not is_listed:
        yield f"closing commitment of {mage}, its salt or its list", seal.closed, closing


def _list_old_texts(lines: tuple[str, ...], former_names: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield the lines as they are, and as they were before guests took the names they have now."""
    for chosen in product((False, True), repeat=len(former_names)):
        text = lines
        for is_old, (name, former) in zip(chosen, former_names.items(), strict=True):
            text = tuple(line.replace(name, former) for line in text) if is_old else text
        yield text
