"""Players' notes: their own while the battle runs, everyone's once it is over. Janitors are no exception."""

from dataclasses import dataclass

from duels.models import Battle, Combatant
from duels.selectors.viewer import MaybeUser, list_own_combatants
from studies.models import Note


@dataclass(frozen=True)
class ShownNote:
    """The thoughts of a mage's player on a turn."""

    seq: int
    label: str
    mage: str
    text: str


def list_notes_for_reader(battle: Battle, user: MaybeUser) -> tuple[ShownNote, ...]:
    """Return the notes that this reader may see: all once the battle is over, before that only their own."""
    notes = Note.objects.filter(combatant__battle=battle)
    if not battle.is_over:
        mine = list_own_combatants(battle, user)
        if not mine:
            return ()
        notes = notes.filter(combatant__in=mine)
    rows = notes.order_by("seq", "attempt", "combatant__position")
    return tuple(ShownNote(*row) for row in rows.values_list("seq", "label", "combatant__mage__name", "text"))


def has_notes(battle: Battle) -> bool:
    """Return whether a battle that is over has notes, which everyone may then read."""
    return battle.is_over and Note.objects.filter(combatant__battle=battle).exists()


def find_note(combatant: Combatant, *, seq: int, attempt: int) -> str:
    """Return the note of the mage's own player on a turn, or ""."""
    notes = Note.objects.filter(combatant=combatant, seq=seq, attempt=attempt)
    return notes.values_list("text", flat=True).first() or ""
