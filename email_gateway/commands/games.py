"""GAMES and CHALLENGES: the battles and the open challenges as lists (firetop-server 7.4)."""

import textwrap
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import User
from accounts.selectors.absence import find_users_away_by_name
from challenges.selectors.lists import list_open_challenges
from challenges.shown import ShownChallenge
from duels.names import list_result_names, listed
from duels.selectors.battle_lists import (
    ShownBattle,
    list_battles_by_number,
    list_finished_battles,
    list_running_battles,
)
from email_gateway.commands.words import read_numbers, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from email_gateway.text.layout import WIDTH

MOST_ROWS = 100
MOST_NUMBERS = 50
CLAUSE = "FM-ORDINF-7"
STATES = {"surrendered": gettext_lazy("OUT"), "absent": gettext_lazy("never moved"), "dead": gettext_lazy("Dead")}


def handle_games(talk: Conversation, rest: str) -> list[str]:
    """GAMES {numbers}: all battles, or these."""
    if not split_words(rest.replace(",", " ")):
        talk.report("games", partial(write_all_games, talk))
        return []
    numbers, sentences = read_numbers("GAMES", rest, most=MOST_NUMBERS, clause=CLAUSE)
    rows = list_battles_by_number(numbers)
    missing = [str(number) for number in numbers if number not in {row.number for row in rows}]
    sentences += [_("There is no battle %(numbers)s.") % {"numbers": listed(missing, "or")}] if missing else []
    if not rows:
        raise OrderRejected(" ".join(sentences), nearest="GAMES", clause=CLAUSE)
    talk.report(f"games {numbers}", partial(write_games, talk, rows))
    return sentences


def write_all_games(talk: Conversation) -> str:
    running = list_running_battles(limit=MOST_ROWS + 1)
    return write_games(talk, [*running[:MOST_ROWS], *list_finished_battles(limit=MOST_ROWS)], more=running[MOST_ROWS:])


def write_games(talk: Conversation, rows: list[ShownBattle], more: list[ShownBattle] | None = None) -> str:
    away = find_users_away_by_name(now=talk.request.now)
    running = [line for row in rows if not row.battle.is_over for line in write_running(row, away)]
    over = [line for row in rows if row.battle.is_over for line in write_finished(row)]
    game, turn = pgettext("column", "Game"), pgettext("column", "Turn")
    head = f"{game:>4}  {turn:>4}"
    tables = [
        [_("Battles in progress"), "", *([f"  {head}", *running] if running else ["  " + _("None.")])],
        [_("Past history"), "", *(over or ["  " + _("None.")])],
    ]
    if more:
        tables.append([_("There are more battles: %(link)s") % {"link": link_to("battles")}])
    return "\n\n".join("\n".join(table) for table in tables)


def write_running(row: ShownBattle, away: frozenset[str]) -> list[str]:
    """Write a battle, two mages to a line, like the classic server."""
    mages = [describe(row, place, away) for place in range(len(row.mages))]
    pairs = [" vs ".join(mages[start : start + 2]) for start in range(0, len(mages), 2)]
    lines = [f"  {row.number:>4}  {row.label:>4}  {pairs[0]}"]
    return lines + [f"{'':14}vs {pair}" for pair in pairs[1:]]


def describe(row: ShownBattle, place: int, away: frozenset[str]) -> str:
    name, user = row.mages[place], row.users[place]
    state = str(STATES.get(row.standings[place], ""))
    if not state and name in row.asked and name not in row.waiting_for:
        state = _("orders in")
    elif not state and user in away:
        state = _("on vacation")
    owner = name_owner(row, name, user)
    return f"{name} ({owner}) ({state})" if state else f"{name} ({owner})"


def name_owner(row: ShownBattle, name: str, user: str) -> str:
    return _("%(user)s, a bot") % {"user": user} if name in row.bots else user


def write_finished(row: ShownBattle) -> list[str]:
    mages = listed([f"{name} ({name_owner(row, name, user)})" for name, user in zip(row.mages, row.users, strict=True)])
    winners = list_result_names(row.battle.result, "winners")
    sharing = list_result_names(row.battle.result, "sharing")
    end = pgettext("end of a battle", "nobody won")
    if winners:
        end = pgettext("end of a battle", "%(mages)s won") % {"mages": listed(winners)}
    elif sharing:
        end = pgettext("end of a battle", "a draw between %(mages)s") % {"mages": listed(sharing)}
    elif row.agreed:
        end = pgettext("end of a battle", "a draw, agreed")
    message = _("Duel of %(mages)s: turn %(turn)s, %(end)s.")
    if row.kind == "melee":
        message = _("Melee of %(mages)s: turn %(turn)s, %(end)s.")
    message = f"{row.number}  {message % {'mages': mages, 'turn': row.label, 'end': end}}"
    first, *others = textwrap.wrap(message, WIDTH - 4, break_long_words=False)
    return [f"  {first}", *(f"    {line}" for line in others)]


def handle_challenges(talk: Conversation, rest: str) -> list[str]:
    """CHALLENGES: every open challenge. Anyone may see them."""
    talk.report("challenges", partial(write_challenges, talk.state.user))
    return []


def write_challenges(viewer: User | None) -> str:
    rows = list_open_challenges(viewer=viewer)
    tables = [
        write_rows(_("Open challenges"), [row for row in rows if row.seating.is_open_to_all]),
        write_rows(_("Challenges by invitation"), [row for row in rows if not row.seating.is_open_to_all]),
    ]
    return "\n\n".join(tables)


def write_rows(heading: str, rows: list[ShownChallenge]) -> str:
    if not rows:
        return f"{heading}\n\n  " + _("None.")
    number, joined, limit = pgettext("column", "Number"), pgettext("column", "Joined"), pgettext("column", "Limit")
    challenger, user = _("Challenger"), _("User")
    table = [f"{number:>6}  {challenger:<20}  {user:<20}  {joined:>6}  {limit:>5}"]
    for row in rows:
        count, most = len(row.seating.joined), row.seating.limit or "-"
        table.append(f"{row.number:>6}  {row.challenger:<20}  {row.challenger_user:<20}  {count:>6}  {most:>5}")
        table.append(f"{'':>6}  {row.words.terms}")
        if row.seating.invited:
            waiting = _("not answered yet: %(mages)s") % {"mages": ", ".join(row.seating.invited)}
            table.append(f"{'':>6}  {waiting}")
        if row.comment:
            table.append(f'{"":>6}  "{row.comment}"')
    return f"{heading}\n\n" + "\n".join(table)
