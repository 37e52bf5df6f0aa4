"""INFO and USERS: mages and users, without anybody's address (firetop-server 7.6, 7.7)."""

from functools import partial

from accounts.models import Mage, User
from accounts.selectors import find_mage, find_nearest_name, find_user, find_users_away, list_users_by_activity
from duels.selectors import read_reliability
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from ladder.selectors import MageSummary, Record, ShownRating, describe_mages, describe_users, find_ratings

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
    """Return the mages and users that a line names, and what to say of names that are nobody's. Raises OrderRejected
    where all are."""
    words = list(dict.fromkeys(split_words(rest.replace(",", " "))))
    if len(words) > MOST_NAMES:
        raise OrderRejected(f"{order} takes {MOST_NAMES} names at most.", nearest=order, clause=CLAUSE)
    mages: list[Mage] = []
    users: list[User] = []
    unknown: list[str] = []
    for word in words:
        mage, user = find_mage(word), find_user(word)
        mages += [mage] if mage else []
        users += [user] if user and not mage else []
        unknown += [] if mage or user else [word]
    if not unknown:
        return mages, users, []
    nearest = find_nearest_name(unknown[0])
    reason = f"Nobody is called {' or '.join(unknown)}."
    if not mages and not users:
        raise OrderRejected(reason, nearest=f"{order} {nearest}" if nearest else order, clause=CLAUSE)
    return mages, users, [f"{reason} Did you mean {nearest}?" if nearest else reason]


def write_info(talk: Conversation, mages: list[Mage], users: list[User]) -> str:
    """Write each mage, then each user once: those named, and the owners of the mages."""
    away = find_users_away(now=talk.asked.now)
    everybody = list({user.pk: user for user in [*users, *(mage.user for mage in mages)]}.values())
    ratings = find_ratings(everybody, today=talk.asked.now.date())
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
    return "\n\n".join(blocks) or "There are no users."


def write_mage_block(row: MageSummary) -> str:
    scores = [f"Duel score:       {row.duel}", f"Melee score:      {row.melee}"]
    if not row.mage.is_alive:  # the scores died with the mage
        scores = [f"Score at death:   {row.duel} duel, {row.melee} melee"]
    return "\n".join(
        [
            f"Mage:             {row.mage.name}",
            *scores,
            f"Battles fought:   {row.battles}",
            f"Status:           {describe_status(row)}",
            f"Owner:            {row.user_name}{' (bot)' if row.mage.user.is_bot else ''}",
            f"Page:             {link_to('mage', row.mage.name)}",
        ]
    )


def describe_status(row: MageSummary) -> str:
    if not row.mage.is_alive:
        return "dead"
    if row.mage.is_retired:
        return "retired"
    return "free" if row.number is None else f"in {row.status} {row.number}"


def write_user_block(
    record: Record, mages: list[MageSummary], away: frozenset[int], ratings: Ratings, kept: str
) -> str:
    listed = ", ".join(f"{row.mage.name} ({row.duel} {row.melee} {describe_status(row)})" for row in mages)
    return "\n".join(
        [
            f"User:             {write_user_name(record.user, away)}",
            f"Duel scores:      {record.duel} in {record.duels} duels",
            f"Melee scores:     {record.melee} in {record.melees} melees",
            *write_ratings(record.user, ratings),
            *([] if record.user.is_bot else [f"Turns in time:    {kept}"]),
            f"Mages:            {record.mages_now} now, {record.mages_ever} ever",
            *([f"  {listed}"] if listed else []),
            f"Page:             {link_to('user', record.user.username)}",
        ]
    )


def write_ratings(user: User, ratings: Ratings) -> list[str]:
    """Write the ratings that the user has, as their page shows them."""
    lines = []
    for kind, title in (("duel", "Duel rating:"), ("melee", "Melee rating:")):
        standing = ratings.get((user.pk, kind))
        if standing:
            sure = ", provisional" if standing.is_provisional else ""
            lines.append(f"{title:<17} {standing.rating}, within {standing.deviation}{sure}")
    return lines


def write_users(talk: Conversation, users: list[User]) -> str:
    away = find_users_away(now=talk.asked.now)
    rows = [f"{'User':<34}  {'Duels':>9}  {'Melees':>9}  {'Mages':>9}"]
    for record in describe_users(users):
        duels, melees = f"{record.duel}/{record.duels}", f"{record.melee}/{record.melees}"
        mages = f"{record.mages_now}/{record.mages_ever}"
        rows.append(f"{write_user_name(record.user, away):<34}  {duels:>9}  {melees:>9}  {mages:>9}")
    return "\n".join(["Users: score/battles, mages now/ever", "", *rows])


def write_user_name(user: User, away: frozenset[int]) -> str:
    if user.is_bot:
        return f"{user.username} (bot)"
    return f"{user.username} (on vacation)" if user.pk in away else user.username
