"""The honour rolls as tables: the active mages, the retired and the remembered."""

from email_gateway.links import link_to
from ladder.selectors import MageSummary, list_honour_roll, list_remembered, list_retired

MOST_ROWS = 200


def write_scores(kind: str) -> str:
    """Return the honour roll of one kind as a table, then the retired mages with the scores they keep."""
    head = f"{kind.capitalize()} scores"
    active = write_table(*list_honour_roll(kind, limit=MOST_ROWS))
    retired = write_table(*list_retired(kind, limit=MOST_ROWS))
    tables = [f"{head} {active}" if active else f"{head}\n\n  No mage is registered."]
    tables += [f"Retired, with the scores they keep {retired}"] if retired else []
    return "\n\n".join(tables) + write_remembered(kind)


def write_table(rows: list[MageSummary], in_all: int) -> str:
    """Return how many mages there are, and those listed below; blank for none."""
    if not rows:
        return ""
    mages = max(8, *(len(row.mage.name) for row in rows))
    users = max(8, *(len(row.user_name) for row in rows))
    table = [f"({in_all} mage{'' if in_all == 1 else 's'})", ""]
    table += [f"{'Mage':<{mages}}  {'User':<{users}}  {'Duel':>5}  {'Melee':>5}  Doing"]
    table += [
        f"{row.mage.name:<{mages}}  {row.user_name:<{users}}  {row.duel:>5}  {row.melee:>5}  {write_doing(row)}"
        for row in rows
    ]
    more = in_all - len(rows)
    table += [f"and {more} more: {link_to('ladder')}"] if more > 0 else []
    return "\n".join(table)


def write_remembered(kind: str) -> str:
    """Return the dead with the scores that died with them, the ten highest; nothing where nobody died."""
    dead = list(list_remembered(kind))
    if not dead:
        return ""
    mages = max(8, *(len(each.mage.name) for each in dead))
    users = max(8, *(len(each.mage.user.username) for each in dead))
    table = [f"{each.mage.name:<{mages}}  {each.mage.user.username:<{users}}  {each.score:>5}" for each in dead]
    return "\n".join(["", "", "Remembered, with the scores that died with them", "", *table])


def write_doing(row: MageSummary) -> str:
    if row.mage.is_retired:
        return "retired"
    return "free" if row.number is None else f"{row.status} {row.number}"
