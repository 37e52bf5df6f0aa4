"""STATS: statistics of the site, in their classic groups (firetop-server 7.8)."""

from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext as _

from accounts.selectors.users import list_mages_by_activity, list_users_by_activity
from duels.names import listed
from email_gateway.commands.words import find_nearest, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from ladder.selectors.statistics import list_spell_figures
from studies.selectors.site_figures import read_site_figures

MOST_ROWS = 200
CLAUSE = "FM-ORDINF-23"


def handle_stats(talk: Conversation, rest: str) -> list[str]:
    """STATS {groups}: these groups, or all."""
    words = split_words(rest.replace(",", " "))
    known = {name.casefold(): name for name in GROUPS}
    unknown = list(dict.fromkeys(word for word in words if word.casefold() not in known))
    if unknown:
        found = find_nearest(unknown[0], [name.upper() for name in GROUPS])
        nearest = f"STATS {known[found.casefold()]}" if found else f"STATS {' '.join(GROUPS)}"
        reason = _("There is no group %(names)s.") % {"names": listed(unknown, "or")}
        raise OrderRejected(reason, nearest=nearest, clause=CLAUSE)
    for name in dict.fromkeys(known[word.casefold()] for word in words) or GROUPS:
        talk.report(f"stats {name}", partial(GROUPS[name], talk))
    return []


def write_info(talk: Conversation) -> str:
    figures = read_site_figures()
    rows = {
        _("Users"): figures.users,
        _("Living mages"): figures.mages,
        _("Battles in progress"): figures.going_on,
        _("Duels fought"): figures.duels,
        _("Melees fought"): figures.melees,
    }
    table = [f"  {name:<22}{count:>8}" for name, count in rows.items()]
    site = _("The site: %(link)s") % {"link": link_to("home")}
    return "\n".join([_("Info: the mountain in numbers"), "", *table, f"  {site}"])


def write_spell_use(talk: Conversation) -> str:
    """Write how often spells were cast in finished battles."""
    rows = sorted(list_spell_figures(), key=lambda row: (row.cast, row.spell))
    table = [f"  {row.spell:<26}{row.cast:>8}" for row in rows]
    return "\n".join([_("SpellUse: spells cast in battles that are over"), "", *(table or ["  " + _("None yet.")])])


def write_user_activity(talk: Conversation) -> str:
    users = list_users_by_activity(limit=MOST_ROWS)
    rows = [(user.username, (talk.request.now - user.last_active_at).days) for user in users]
    return write_days(_("UserActive: days since a user was active"), rows)


def write_mage_activity(talk: Conversation) -> str:
    mages = list_mages_by_activity(limit=MOST_ROWS)
    rows = [(mage.name, (talk.request.now - mage.last_active_at).days) for mage in mages]
    return write_days(_("WizActive: days since a mage was active"), rows)


def write_days(title: str, rows: list[tuple[str, int]]) -> str:
    table = [f"  {name:<26}{max(days, 0):>8}" for name, days in sorted(rows, key=lambda row: (row[1], row[0]))]
    return "\n".join([title, "", *(table or ["  " + _("Nobody.")])])


GROUPS: dict[str, Callable[[Conversation], str]] = {
    "Info": write_info,
    "SpellUse": write_spell_use,
    "UserActive": write_user_activity,
    "WizActive": write_mage_activity,
}
