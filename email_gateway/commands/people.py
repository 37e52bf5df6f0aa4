"""INFO and USERS: mages and users, without addresses (firetop-server 7.6, 7.7)."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts.models import Mage, User
from accounts.names import capitalize
from accounts.selectors.absence import find_users_away
from accounts.selectors.names import find_mage, find_nearest_name, find_renamed_user, find_user
from accounts.selectors.users import list_users_by_activity
from duels.names import listed
from duels.selectors.reliability import read_reliability
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from ladder.selectors.ratings import ShownRating, find_ratings
from ladder.selectors.scores import MageSummary, UserRecord, describe_mages, describe_users
from operations.text.suggestions import suggest

MOST_NAMES = 50
MOST_USERS = 200
CLAUSE = "FM-ORDINF-10"

Ratings = dict[tuple[int, str], ShownRating]


def handle_info(talk: Conversation, rest: str) -> list[str]:
    """INFO {names}: these mages and users, or all users."""
    mages, users, missing = read_names("INFO", rest)
    if not mages and not users:
        users = list_users_by_activity(limit=MOST_USERS)
    talk.report(f"info {rest.casefold()}", partial(write_info, talk, mages, users))
    return missing


def handle_users(talk: Conversation, rest: str) -> list[str]:
    """USERS {names}: a table of these users, of the users of these mages, or of all."""
    mages, users, missing = read_names("USERS", rest)
    users = [*users, *(mage.user for mage in mages)] or list_users_by_activity(limit=MOST_USERS)
    talk.report(f"users {rest.casefold()}", partial(write_users, talk, users))
    return missing


def read_names(order: str, rest: str) -> tuple[list[Mage], list[User], list[str]]:
    """Return the mages and users that a line names, and remarks on those with another name now and on unknown ones.
    Raises OrderRejected if all are unknown."""
    words = list(dict.fromkeys(split_words(rest.replace(",", " "))))
    if len(words) > MOST_NAMES:
        raise OrderRejected(
            _("%(order)s takes %(count)s names at most.") % {"order": order, "count": MOST_NAMES},
            nearest=order,
            clause=CLAUSE,
        )
    mages: list[Mage] = []
    users: list[User] = []
    unknown: list[str] = []
    renamed: list[str] = []
    for word in words:
        mage, user = find_mage(word), find_user(word)
        if mage is None and user is None and (user := find_renamed_user(word)) is not None:
            renamed.append(_("%(old)s is now called %(new)s.") % {"old": capitalize(word), "new": user.username})
        mages += [mage] if mage else []
        users += [user] if user and not mage else []
        unknown += [] if mage or user else [word]
    if not unknown:
        return mages, users, renamed
    nearest = find_nearest_name(unknown[0])
    reason = _("Nobody is called %(names)s.") % {"names": listed(unknown, "or")}
    if not mages and not users:
        raise OrderRejected(reason, nearest=f"{order} {nearest}" if nearest else order, clause=CLAUSE)
    return mages, users, [*renamed, suggest(reason, nearest)]


def write_info(talk: Conversation, mages: list[Mage], users: list[User]) -> str:
    """Write each mage, then each user once: those named, and the owners of the mages."""
    away = find_users_away(now=talk.request.now)
    owners = [mage.user for mage in mages if mage.user.is_active]
    everybody = list({user.pk: user for user in [*users, *owners]}.values())
    ratings = find_ratings(everybody, today=talk.request.now.date())
    kept = {pk: each.words for pk, each in read_reliability(user.pk for user in everybody).items()}
    blocks = [write_mage_block(row) for row in describe_mages(mages)]
    own = describe_mages(Mage.objects.filter(user__in=everybody, died_at=None))
    blocks += [
        write_user_block(
            record,
            [row for row in own if row.mage.user_id == record.user.pk],
            away,
            ratings,
            kept[record.user.pk],
        )
        for record in describe_users(everybody)
    ]
    return "\n\n".join(blocks) or _("There are no users.")


def write_mage_block(row: MageSummary) -> str:
    scores: list[tuple[str, object]] = [(_("Duel score"), row.duel), (_("Melee score"), row.melee)]
    if not row.mage.is_alive:  # the scores died or left with the mage
        message = _("%(duel)s duel, %(melee)s melee") % {"duel": row.duel, "melee": row.melee}
        scores = [(_("Score on leaving") if row.mage.has_left else _("Score at death"), message)]
    return write_facts(
        (_("Mage"), row.mage.name),
        *scores,
        (_("Battles fought"), row.battles),
        (_("Status"), describe_status(row)),
        (_("Owner"), _("%(user)s (bot)") % {"user": row.user_name} if row.mage.user.is_bot else row.user_name),
        (_("Page"), link_to("mage", row.mage.name)),
    )


def write_facts(*rows: tuple[str, object]) -> str:
    """Return labels and values in two columns."""
    return "\n".join(f"{f'{label}:':<17} {value}" for label, value in rows)


def describe_status(row: MageSummary) -> str:
    if not row.mage.is_alive:
        return _("has left the mountain") if row.mage.has_left else pgettext("mage", "dead")
    if row.mage.is_retired:
        return _("retired")
    if row.number is None:
        return _("free")
    if row.status == "challenge":
        return _("in challenge %(number)s") % {"number": row.number}
    return _("in battle %(number)s") % {"number": row.number}


def write_user_block(
    record: UserRecord, mages: list[MageSummary], away: frozenset[int], ratings: Ratings, kept: str
) -> str:
    own = ", ".join(f"{row.mage.name} ({row.duel} {row.melee} {describe_status(row)})" for row in mages)
    duels = ngettext("%(score)s in %(count)s duel", "%(score)s in %(count)s duels", record.duels)
    melees = ngettext("%(score)s in %(count)s melee", "%(score)s in %(count)s melees", record.melees)
    counted = _("%(now)s now, %(ever)s ever") % {"now": record.mages_now, "ever": record.mages_ever}
    facts = write_facts(
        (_("User"), write_user_name(record.user, away)),
        (_("Duel scores"), duels % {"score": record.duel, "count": record.duels}),
        (_("Melee scores"), melees % {"score": record.melee, "count": record.melees}),
        *list_ratings(record.user, ratings),
        *([] if record.user.is_bot else [(_("Turns on time"), kept)]),
        (_("Mages"), counted),
    )
    page = write_facts((_("Page"), link_to("user", record.user.username)))
    return "\n".join([facts, *([f"  {own}"] if own else []), page])


def list_ratings(user: User, ratings: Ratings) -> list[tuple[str, object]]:
    """Return the ratings that the user has, as their page shows them."""
    rows: list[tuple[str, object]] = []
    titles = {"duel": _("Duel rating"), "melee": _("Melee rating"), "bots": _("Bot rating")}
    for kind, title in titles.items():
        shown = ratings.get((user.pk, kind))
        if shown:
            message = _("%(rating)s, give or take %(deviation)s")
            if shown.is_provisional:
                message = _("%(rating)s, give or take %(deviation)s, provisional")
            rows.append((title, message % {"rating": shown.rating, "deviation": shown.deviation}))
    return rows


def write_users(talk: Conversation, users: list[User]) -> str:
    away = find_users_away(now=talk.request.now)
    head = _("User"), _("Duels"), _("Melees"), _("Mages")
    rows = ["{:<34}  {:>9}  {:>9}  {:>9}".format(*head)]
    for record in describe_users(users):
        duels, melees = f"{record.duel}/{record.duels}", f"{record.melee}/{record.melees}"
        mages = f"{record.mages_now}/{record.mages_ever}"
        rows.append(f"{write_user_name(record.user, away):<34}  {duels:>9}  {melees:>9}  {mages:>9}")
    return "\n".join([_("Users: score/battles, mages now/ever"), "", *rows])


def write_user_name(user: User, away: frozenset[int]) -> str:
    if user.is_bot:
        return _("%(user)s (bot)") % {"user": user.username}
    return _("%(user)s (on vacation)") % {"user": user.username} if user.pk in away else str(user)


ORDERS: tuple[Order, ...] = (
    Order(
        "INFO",
        "INFO {names}",
        "anyone",
        "ladder.selectors.scores.describe_mages",
        gettext_lazy(
            "Describes mages and users: scores, battles, and where they fight now. Without names it "
            "describes all users."
        ),
        "FM-ORDINF-10",
        handle_info,
        example="INFO Gandalf Harry",
    ),
    Order(
        "USERS",
        "USERS {names}",
        "anyone",
        "ladder.selectors.scores.describe_users",
        gettext_lazy("Lists users as a table: scores, battles, mages."),
        "FM-ORDINF-10",
        handle_users,
        example="USERS Harry",
    ),
)
