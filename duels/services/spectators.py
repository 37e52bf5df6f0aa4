"""How many people watched: the most pages of spectators that were open at once, kept with each battle."""

from duels.models import Battle
from duels.selectors.spectators import count_spectators


def note_spectators() -> int:
    """Remember how many watch the running battles, where it is more than ever before; return of how many."""
    running = Battle.objects.filter(finished_at=None).values_list("number", flat=True)
    return sum(
        Battle.objects.filter(number=number, most_spectators__lt=count).update(most_spectators=count)
        for number, count in count_spectators(running).items()
        if count
    )
