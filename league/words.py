"""What pages, emails and programs say about leagues: names, points, and tables as text."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Place
from league.selectors.leaving import CostOfLeaving
from league.selectors.tables import GroupTable

# The columns of a table as text.
RANK, NAME, PLAYED = 2, 22, 6


def name_league(tier: int) -> str:
    """Return the name of a group: "League 2"."""
    return _("League %(tier)s") % {"tier": tier}


def explain_movement(tier: int, tiers: int, movers: int) -> str:
    """Return who goes up and down from a league in which `movers` (one or two) do; "" if it is the only one."""
    above, below = {"league": name_league(tier - 1)}, {"league": name_league(tier + 1)}
    if movers == 1:
        up, down = _("The first one goes up to %(league)s.") % above, _("The last one goes down to %(league)s.") % below
    else:
        up, down = _("The first two go up to %(league)s.") % above, _("The last two go down to %(league)s.") % below
    return " ".join([*([up] if tier > 1 else []), *([down] if tier < tiers else [])])


def describe_end(facts: Mapping[str, Any]) -> str:
    """Return how a season ended for one user, in a sentence or two."""
    league = name_league(facts["tier"])
    slots = {"season": facts["season"], "league": league, "rank": facts["rank"], "places": facts["places"]}
    if facts["rank"] is None:
        return _("Season %(season)s is over. Your results in %(league)s don't count, because you left.") % slots
    words = _("Season %(season)s is over: place %(rank)s of %(places)s in %(league)s.") % slots
    if facts["movement"] == "up":
        return f"{words} " + _("You go up to %(league)s.") % {"league": name_league(facts["tier"] - 1)}
    if facts["movement"] == "down":
        return f"{words} " + _("You go down to %(league)s.") % {"league": name_league(facts["tier"] + 1)}
    return words


def describe_cost_of_leaving(cost: CostOfLeaving) -> list[str]:
    """Return what it costs to leave a season that has begun, at once, in sentences."""
    facts = {"finished": cost.finished, "duels": cost.duels, "lost": cost.lost, "running": cost.running}
    sentences = [_("%(finished)s of your %(duels)s duels are finished.") % facts]
    if cost.loses_results:
        sentences.append(
            _("That is fewer than half, so all your results leave the table, for your opponents too. Ratings stay.")
        )
    elif cost.lost:
        lost = ngettext(
            "You lose the one that is left, without playing it. That changes no rating.",
            "You lose the %(lost)s that are left, without playing them. That changes no rating.",
            cost.lost,
        )
        sentences.append(lost % facts)
    if cost.running:
        ends = ngettext("Your running duel ends at once.", "Your %(running)s running duels end at once.", cost.running)
        sentences.append(ends % facts)
    comes_back = _(
        "Nobody takes your place before the next season. If you sign up again, you begin in the lowest league."
    )
    return [*sentences, comes_back]


def write_points(points: Fraction) -> str:
    """Return points as people write them: "4½", "½", "0"."""
    whole, rest = divmod(points, 1)
    return f"{whole or ''}½" if rest else str(whole)


def write_league(table: GroupTable) -> str:
    """Return the table of a group for emails, at most 72 columns wide."""
    rows = sorted(table.rows, key=lambda row: (row.rank is None, row.rank or 0))
    zones = {Place.Movement.UP: _("up"), Place.Movement.DOWN: _("down")}
    return write_table(
        [
            (
                row.rank,
                row.place.mage.name,
                row.row.played,
                row.row.points,
                _("left") if row.place.left_at else str(zones.get(row.zone, "")),
            )
            for row in rows
        ]
    )


def write_table(rows: Sequence[tuple[int | None, str, int, Fraction, str]]) -> str:
    """Return a table for emails, at most 72 columns wide, from rank, name, duels played, points and zone of each row;
    someone without a rank has left."""
    heads = (
        "#".rjust(RANK),
        _("Mage")[:NAME].ljust(NAME),
        _("Duels")[:PLAYED].rjust(PLAYED),
        _("Points").rjust(PLAYED),
    )
    lines = ["  ".join(heads).rstrip()]
    for rank, name, played, earned, zone in rows:
        cells = (
            str(rank or "-").rjust(RANK),
            name[:NAME].ljust(NAME),
            str(played).rjust(PLAYED),
            write_points(earned).rjust(PLAYED),
            zone,
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
