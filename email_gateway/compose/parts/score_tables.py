"""The honour rolls as tables: the active mages, the retired and the remembered."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from email_gateway.links import link_to
from ladder.selectors.ladders import list_honour_roll, list_retired
from ladder.selectors.ratings import list_remembered
from ladder.selectors.scores import MageSummary

MOST_ROWS = 200


def write_scores(kind: str) -> str:
    """Return the honour roll of one kind as a table, then the retired mages with the scores they keep."""
    head = _("Duel scores") if kind == "duel" else _("Melee scores")
    active = write_table(*list_honour_roll(kind, limit=MOST_ROWS))
    retired = write_table(*list_retired(kind, limit=MOST_ROWS))
    tables = [f"{head} {active}" if active else (f"{head}\n\n  " + _("No mages yet."))]
    tables += [_("Retired, with the scores they keep") + f" {retired}"] if retired else []
    return "\n\n".join(tables) + write_remembered(kind)


def write_table(rows: list[MageSummary], in_all: int) -> str:
    """Return how many mages there are, and those listed below; blank for none."""
    if not rows:
        return ""
    mages = max(8, *(len(row.mage.name) for row in rows))
    users = max(8, *(len(row.user_name) for row in rows))
    count = ngettext("%(count)s mage", "%(count)s mages", in_all) % {"count": in_all}
    table = [f"({count})", ""]
    duel, melee = pgettext("score", "Duel"), pgettext("score", "Melee")
    wide = max(5, len(duel)), max(5, len(melee))
    mage, user = _("Mage"), _("User")
    head = f"{mage:<{mages}}  {user:<{users}}  {duel:>{wide[0]}}  {melee:>{wide[1]}}"
    table += [(f"{head}  " + pgettext("column", "Doing"))]
    table += [
        f"{row.mage.name:<{mages}}  {row.user_name:<{users}}  {row.duel:>{wide[0]}}  {row.melee:>{wide[1]}}  "
        f"{write_doing(row)}"
        for row in rows
    ]
    more = in_all - len(rows)
    if more > 0:
        table.append(_("and %(count)s more: %(link)s") % {"count": more, "link": link_to("ladder")})
    return "\n".join(table)


def write_remembered(kind: str) -> str:
    """Return the dead with the scores that died with them, the ten highest; empty if nobody died."""
    dead = list(list_remembered(kind))
    if not dead:
        return ""
    mages = max(8, *(len(each.mage.name) for each in dead))
    users = max(8, *(len(str(each.mage.user)) for each in dead))
    table = [f"{each.mage.name:<{mages}}  {each.mage.user!s:<{users}}  {each.score:>5}" for each in dead]
    return "\n".join(["", "", _("Remembered, with the scores that died with them"), "", *table])


def write_doing(row: MageSummary) -> str:
    if row.mage.is_retired:
        return _("retired")
    if row.number is None:
        return _("free")
    if row.status == "challenge":
        return _("challenge %(number)s") % {"number": row.number}
    return _("battle %(number)s") % {"number": row.number}
