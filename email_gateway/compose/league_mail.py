"""Emails about the league: the draw, a wish for a time bank, a lost place, the end of a season."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from duels.names import listed
from email_gateway.compose.composers import composes
from email_gateway.compose.site_mail import write_site_mail
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from league.selectors.seasons import find_open_season, find_place
from league.selectors.tables import read_table
from league.words import describe_end, name_league, write_league
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

Facts = Mapping[str, Any]


def describe_draw(facts: Facts, user: User) -> tuple[str, list[str]]:
    league = name_league(facts["tier"])
    begin = write_moment(datetime.fromisoformat(facts["begins_at"]), zone_of(user))
    return _("You are in %(league)s") % {"league": league}, [
        _("Season %(season)s begins on %(moment)s. %(mage)s meets %(mages)s in %(league)s, one more each week.")
        % {**facts, "moment": begin, "league": league, "mages": listed(facts["mages"])},
        _("A duel is played at a turn a day. If you want a time bank in one, say so on the page before round 1."),
    ]


def describe_wish(facts: Facts, user: User) -> tuple[str, list[str]]:
    return _("%(other)s wants a time bank in your league duel") % facts, [
        _("If you want it, too, the duel of round %(round)s has one. Otherwise it is played at a turn a day.") % facts
    ]


def describe_lost_place(facts: Facts, user: User) -> tuple[str, list[str]]:
    return _("You have lost your place in %(league)s") % {"league": name_league(facts["tier"])}, [
        _(
            "You forfeited two league duels this season, and that costs the place. Ratings stay as they are. You may "
            "sign up again for the next season; new mages begin in the lowest league."
        )
    ]


def describe_season(facts: Facts, user: User) -> tuple[str, list[str]]:
    parts = [describe_end(facts)]
    if facts["champion"]:
        parts.append(_("%(champion)s is the champion of the season.") % facts)
    if facts["plays_on"]:
        parts.append(_("The next season begins in a week. You stay in the league unless you leave."))
    return _("Season %(season)s of the league is over") % facts, parts


WORDS: dict[str, Callable[[Facts, User], tuple[str, list[str]]]] = {
    "league_drawn": describe_draw,
    "league_bank": describe_wish,
    "league_place_lost": describe_lost_place,
    "league_over": describe_season,
}


@composes(*WORDS)
def compose_league(kind: str, facts: Facts, user: User) -> Mail:
    """Return the email about what happens to a user in the league; it leads to their table."""
    subject, parts = WORDS[kind](facts, user)
    page = link_to("league:group", facts["season"], facts["tier"])
    return write_site_mail(subject, parts, user=user, stops="mail_league", button=(_("See the table"), page))


def write_own_table(user: User) -> tuple[str, str] | None:
    """Return a heading and the table of the league in which `user` plays in a season that runs; None if in none."""
    season = find_open_season()
    if season is None or season.started_at is None:
        return None
    place = find_place(user, season)
    if place is None or place.group is None or place.left_at is not None:
        return None
    facts = {"league": name_league(place.group.tier), "round": season.round}
    return _("%(league)s, round %(round)s of 7") % facts, write_league(read_table(place.group))
