"""Reads everything in the records, for comparison."""

from typing import Any

from django.db import models

from ladder.models import (
    BattleSide,
    CountedBattle,
    EndingFigure,
    Feat,
    MageRecord,
    Opening,
    OpeningReply,
    Pairing,
    SpellFigure,
    SpellUse,
)

RECORDS: tuple[type[models.Model], ...] = (
    CountedBattle,
    BattleSide,
    SpellUse,
    Feat,
    SpellFigure,
    EndingFigure,
    Opening,
    OpeningReply,
    MageRecord,
    Pairing,
)
OWN_NUMBERS = {"id", "battle_id", "side_id"}


def read_records() -> dict[str, list[str]]:
    """Return every row of the records without automatic numbers."""
    return {model.__name__: sorted(write_row(row) for row in model._default_manager.values()) for model in RECORDS}


def write_row(row: dict[str, Any]) -> str:
    return str(sorted((name, str(value)) for name, value in row.items() if name not in OWN_NUMBERS))
