"""The final table of a group: ranks, and who goes up or down."""

from league.models import Entry, Group, Place
from league.selectors.tables import read_table


def write_final_table(*, group: Group) -> None:
    """Store the ranks of a group, and who goes up and down, as its results are now. Safe to call twice.

    A correction after the next season has been drawn changes ranks only. Those who do not play on go nowhere.
    """
    table = read_table(group)
    is_drawn = group.season.closed_at is not None and _is_next_drawn(group)
    playing = set(Entry.objects.filter(left_at=None).values_list("user_id", flat=True))
    for row in table.rows:
        place = row.place
        place.rank = row.row.rank
        if not is_drawn:
            plays_on = place.left_at is None and place.user_id in playing
            place.movement = row.zone if plays_on else ""
    Place.objects.bulk_update([row.place for row in table.rows], ["rank", "movement"])


def _is_next_drawn(group: Group) -> bool:
    later = Group.objects.filter(season__number__gt=group.season.number)
    return later.exists()
