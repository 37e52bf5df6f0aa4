"""A user's home page: what waits for them, what happened, and one best next step."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import apnumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Mage, User
from accounts.selectors.absence import find_vacation
from accounts.selectors.users import read_mages_of
from challenges.own_mages import name_free_mages
from challenges.selectors.bots import list_bots
from challenges.selectors.hosting import find_host_to_ask
from challenges.selectors.lists import Involved, list_challenges_involving
from challenges.selectors.state import count_missing_votes
from duels.errors import UnreadableBattle
from duels.names import listed
from duels.selectors.battle_lists import OwedBattle, OwnBattles, ShownBattle, list_own_battles, list_running_battles
from duels.selectors.glance import glance_at_battle
from duels.selectors.result_news import ResultNews, count_unseen, list_unseen_results
from duels.waiting_for_reader import WaitingForReader, cache_waiting
from fm_site.pages.at_home import AtHome, find_what_is_at_home
from fm_site.pages.cup_rows import read_cup_rows
from fm_site.pages.front import show_front
from fm_site.pages.league_rows import read_league_row
from fm_site.pages.news import SHOWN_AT_HOME, NewsList, list_fitting, read_news
from fm_site.pages.next_card import BEADS, NextCard, build_next_card
from fm_site.pages.result_words import call_results, describe_result
from fm_site.pages.while_waiting import list_pastimes
from league.selectors.current_places import CurrentPlaces, read_current_places
from notifications.selectors.notices import preferences_of, wants_mail, zone_of
from pictures.selectors.small_boards import SmallBoard, read_small_boards
from studies.lesson_path import find_next_lesson, read_path
from studies.progress import learning_of
from studies.puzzle_names import name_puzzle
from studies.selectors.puzzle_streak import show_streak
from studies.selectors.puzzles import recall_daily_puzzle

SHOWN_FINISHED = 5
SHOWN_RUNNING = 3
# More names of those who are choosing would be a list.
MOST_CHOOSING = 3


@require_safe
@never_cache
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the front page to strangers, and to users the battles waiting for them, most urgent first."""
    if not request.user.is_authenticated:
        return show_front(request)
    return render(request, "home.html", build_home(request, request.user, timezone.now()))


def build_home(request: HttpRequest, user: User, now: datetime) -> dict[str, Any]:
    """Return what a user's home page shows (templates/home.html)."""
    own = list_own_battles(user, finished=SHOWN_FINISHED)
    waiting = [row for row in own.running if row.owes]
    results = _read_results(request, user, waiting)
    at_home = find_what_is_at_home(user, now=now)
    involved = list_challenges_involving(user=user) if at_home.has_seat else Involved()
    votes = count_missing_votes(user=user) if involved.taken_part_in else {}
    # Users with something to do see neither their mages nor other battles.
    mages = [] if waiting else read_mages_of(user)
    path = None if own.running or own.finished or results else read_path(request)
    call = _home_call(len(waiting), len(involved.waiting), sum(votes.values()))
    if not call:
        is_welcome = path is not None and not involved.taken_part_in
        call = _welcome(user) if is_welcome else _("Nothing is waiting for you")
    is_free = not waiting and not involved.waiting
    is_resting = is_free and not (results or path or user.is_guest)
    places = read_current_places(user) if at_home.has_place else CurrentPlaces()
    return {
        "nav_current": "home",
        "call": call_results(results) if results else call,
        "results": [describe_result(each) for each in results],
        "waits": bool(results or waiting),
        "in_battle": bool(own.running),
        "finished": own.finished,
        **_show_battles(request, user, own.running, waiting, now),
        "challenges": involved.waiting,
        "seats": involved.taken_part_in,
        "votes": votes,
        **_reach_by(user, at_home),
        "mages": mages,
        # Newcomers meet the arms of their mage.
        "own_mage": mages[0] if path and len(mages) == 1 and not user.is_guest else None,
        "path": path,
        "next_lesson": None if path else find_next_lesson(request),
        "bots": list_bots() if path else [],
        **_suggest(user, own, mages, may_match=is_free, has_results=bool(results), now=now),
        **_show_puzzle(request, user, own, is_new=path is not None, is_resting=is_resting, now=now),
        "boards": [] if waiting else _list_boards(user),
        "league_row": read_league_row(places.league, own.running),
        "cup_rows": read_cup_rows(places.cups, own.running),
        "news": _read_news(request, user, now) if at_home.has_news else None,
        "vacation": find_vacation(user, now=now) if at_home.is_on_vacation else None,
    }


def _read_results(request: HttpRequest, user: User, waiting: list[ShownBattle]) -> list[ResultNews]:
    """Return the results that the user has not seen, and keep what waits for them for the mark in the header."""
    owed = tuple(OwedBattle(row.number, row.kind) for row in waiting)
    to_do = WaitingForReader(owed, *count_unseen(user))
    cache_waiting(request, to_do)
    return list_unseen_results(user) if to_do.results else []


def _show_battles(
    request: HttpRequest, user: User, running: list[ShownBattle], waiting: list[ShownBattle], now: datetime
) -> dict[str, Any]:
    """Return the running battles: the one at the top, the others that wait for the user, and those that do not."""
    first = _next_card(user, waiting[0], now) if waiting else None
    thinking = [row for row in running if not row.owes]
    return {
        "next_battle": first,
        "next_emblem": waiting[0].emblem if waiting else "",
        "waiting": waiting[1:] if first else waiting,
        "thinking": thinking,
        "choosing": _name_choosing(thinking),
        "is_notified": user.has_push and preferences_of(user)["push_turns"] != "no",
    }


def _reach_by(user: User, at_home: AtHome) -> dict[str, Any]:
    """Return whether emails tell the user of their turns, and if none can, why."""
    reach = find_reach(at_home)
    return {
        "unreachable": reach,
        "is_mailed": reach == "" and not user.is_email_stopped and wants_mail(user, "turn_resolved"),
    }


def _suggest(
    user: User, own: OwnBattles, mages: list[Mage], *, may_match: bool, has_results: bool, now: datetime
) -> dict[str, Any]:
    """Return the best next step, with a duel that fits and a host to ask where there are any."""
    free = name_free_mages(mages)
    step = choose_step(
        is_guest=user.is_guest,
        is_new=not own.finished and not has_results,
        has_mage=bool(mages),
        has_free_mage=bool(free),
    )
    # Who has fought a person is no newcomer.
    may_be_new = bool(free) and not user.is_guest and all(row.practice for row in (*own.running, *own.finished))
    return {
        "free_mages": free,
        "step": step,
        "fitting": next(iter(list_fitting(user, now=now)), None) if may_match and step.name == "match" else None,
        "host": find_host_to_ask(user, now=now) if may_be_new else None,
    }


def _show_puzzle(
    request: HttpRequest, user: User, own: OwnBattles, *, is_new: bool, is_resting: bool, now: datetime
) -> dict[str, Any]:
    """Return the puzzle of the day with the user's streak, and, for users at rest, what else to do meanwhile."""
    puzzle = recall_daily_puzzle(today=now.date())
    streak = show_streak(learning_of(request).first_tries, now=now)
    playing = {row.number for row in own.running}
    return {
        "daily": puzzle,
        "daily_title": name_puzzle(puzzle.kind) if puzzle else "",
        # Newcomers learn first; guests have no streak.
        "streak": streak if puzzle and not is_new and not user.is_guest else None,
        "pastimes": list_pastimes(user, puzzle=puzzle, streak=streak, playing=playing, finished=own.finished, now=now)
        if is_resting
        else [],
    }


def _list_boards(user: User) -> list[SmallBoard]:
    """Return the boards of the newest running battles, as the user sees them."""
    running = list_running_battles(user, limit=SHOWN_RUNNING, of_people=True)
    return list(read_small_boards(running).values())


def _name_choosing(battles: Iterable[ShownBattle]) -> str:
    """Return who is choosing: "Wanda and Marrowick are choosing."; "" if they are too many to name."""
    names = list(dict.fromkeys(name for row in battles for name in row.waiting_for))
    if not 0 < len(names) <= MOST_CHOOSING:
        return ""
    return ngettext("%(names)s is choosing.", "%(names)s are choosing.", len(names)) % {"names": listed(names)}


@dataclass(frozen=True)
class Step:
    """The suggested next step of a user with nothing waiting."""

    name: str
    title: str
    words: str
    button: str
    url: str


def choose_step(*, is_guest: bool, is_new: bool, has_mage: bool, has_free_mage: bool) -> Step:
    """Return the best next step of a user with nothing waiting; `is_new`: none of their battles is over."""
    if is_new and not is_guest and not has_mage:
        return Step(
            "mage",
            _("Register your mage"),
            _("You need a mage to fight battles. Registering one takes a minute."),
            _("Register your mage"),
            reverse("accounts:register_mage"),
        )
    if is_new or is_guest:
        message = _("Bots answer at once, and you have nothing to lose.")
        return Step("play", _("Play a bot"), message, _("Play a bot now"), reverse("play"))
    if has_free_mage:
        return Step("match", _("Find an opponent"), _("One of your mages is free."), "", "")
    if has_mage:
        title, message = (
            _("Another mage"),
            _("Each of your mages fights one battle at a time. Another one can fight now."),
        )
    else:
        title, message = _("Begin again"), _("You have no living mage. Name the next one, and play at once.")
    return Step("mage", title, message, _("Register a mage"), reverse("accounts:register_mage"))


def find_reach(at_home: AtHome) -> str:
    """Return why a user cannot be reminded by email: "no address", "unconfirmed", or "" if they can."""
    if at_home.has_confirmed_address:
        return ""
    return "unconfirmed" if at_home.has_address else "no address"


def _read_news(request: HttpRequest, user: User, now: datetime) -> NewsList | None:
    """Return the newest news of the user, or of the part they ask for; None if they are told of none."""
    news = read_news(request, user, most=SHOWN_AT_HOME, now=now)
    return news if news.lines or request.GET else None


def _next_card(user: User, row: ShownBattle, now: datetime) -> NextCard | None:
    """Return the battle at the top of the home page; None if its rules are not available."""
    try:
        glance = glance_at_battle(row, turns=BEADS + 1)
        return build_next_card(glance, zone=zone_of(user), now=now, has_draft=row.has_draft)
    except UnreadableBattle:
        return None


def _home_call(battles: int, challenges: int, votes: int) -> str:
    """Return the heading for what waits: battles first, then challenges, then proposals; "" if nothing does."""
    if battles:
        return _count_waiting(
            battles,
            _("One battle is waiting for you"),
            ngettext("%(count)s battle is waiting for you", "%(count)s battles are waiting for you", battles),
        )
    if challenges:
        return _count_waiting(
            challenges,
            _("One challenge is waiting for your answer"),
            ngettext(
                "%(count)s challenge is waiting for your answer",
                "%(count)s challenges are waiting for your answer",
                challenges,
            ),
        )
    if votes:
        return _count_waiting(
            votes,
            _("One proposal is waiting for your vote"),
            ngettext(
                "%(count)s proposal is waiting for your vote", "%(count)s proposals are waiting for your vote", votes
            ),
        )
    return ""


def _welcome(user: Any) -> str:
    return _("Welcome") if user.is_guest else _("Welcome, %(name)s") % {"name": user.username}


def _count_waiting(count: int, one: str, many: str) -> str:
    """Return the sentence for this number, with small numbers as words."""
    if count == 1:
        return one
    return many % {"count": capfirst(str(apnumber(count)))}
