"""Writing notes."""

import datetime
from typing import Any

from django.db import transaction

from duels.models import Battle, Combatant
from operations.text.invisible_characters import mark_hidden
from studies.errors import StudyRefused
from studies.models import NOTE_LENGTH, Note


def write_note(*, combatant: Combatant, text: str, now: datetime.datetime) -> None:
    """Store a player's note on the present turn; it replaces their earlier one, and "" removes it.

    Raises StudyRefused when the battle is over.
    """
    with transaction.atomic():
        battle = Battle.objects.select_for_update().get(pk=combatant.battle_id)
        if battle.is_over:
            raise StudyRefused("notes_are_open")
        where: dict[str, Any] = {"combatant": combatant, "seq": battle.seq, "attempt": battle.attempt}
        words = mark_hidden(text.strip())[:NOTE_LENGTH]
        if words:
            kept = {"text": words, "label": battle.label, "written_at": now}
            Note.objects.update_or_create(**where, defaults=kept)
        else:
            Note.objects.filter(**where).delete()
