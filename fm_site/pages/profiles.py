"""The pages of users and mages. They never show an email address, and of a battle in progress only its small board, as
the reader may see it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.bots import describe_bot, find_bot_mage
from accounts.models import Mage, User
from accounts.requests import get_mage_or_404
from accounts.selectors.engagements import find_battles_of_mages, find_shared_battle
from accounts.selectors.hosts import find_hosts
from accounts.selectors.names import find_nearest_name, find_renamed_user, find_user
from accounts.selectors.private_notes import find_private_note
from accounts.selectors.ties import Ties, read_ties
from accounts.selectors.users import read_about
from duels.paces import DAY, HOUR, MINUTE, span
from duels.selectors.battle_lists import find_last_position
from duels.selectors.draws import name_agreed_draws
from duels.selectors.reliability import recall_answer_time, recall_reliability
from duels.terms import Terms, name_ruleset
from fm_site.pages.league_rows import read_league_record
from fm_site.pages.profile_cards import make_mage_card, make_profile_card
from ladder.charts import draw_rating
from ladder.models import BattleSide, RatingKind
from ladder.selectors.ladders import find_best_rank_of, list_places_of
from ladder.selectors.profiles import (
    OpeningHabit,
    Profile,
    Rivalry,
    list_forms,
    list_latest_sides,
    read_mage_profile,
    read_rivalry,
    read_user_profile,
)
from ladder.selectors.ratings import ShownRating, find_ratings, list_rating_entries
from ladder.selectors.scores import MageSummary, describe_mages
from league.selectors.cups import list_places_won
from operations.text.suggestions import suggest
from operations.web.numbers import read_number
from pictures.selectors.small_boards import SmallBoard, list_boards_numbered
from studies.openings import list_steps
from studies.selectors.puzzle_streak import find_longest_streak

BATTLES_SHOWN = 20
MOST_ENTRIES = 400


@dataclass(frozen=True)
class BattleLine:
    """A finished battle in the list of a user or mage: their side, and the names of the others. `agreed` is the draw on
    which the players agreed, in words."""

    side: BattleSide
    others: tuple[str, ...]
    agreed: str = ""


@require_safe
def show_user(request: HttpRequest, name: str) -> HttpResponse:
    """Show the records of a user; `?before=` shows older battles."""
    user = find_user(name) or find_renamed_user(name)
    if user is None or not user.is_active or user.is_guest:
        raise Http404(suggest(_("No user is called %(name)s.") % {"name": name[:20]}, find_nearest_name(name)))
    if user.username != name:
        # Not permanently: they can return to an earlier name.
        return redirect("user", user.username)
    now = timezone.now()
    mages = describe_mages(Mage.objects.filter(user=user))
    rated = find_ratings([user], today=now.date())
    ratings = [
        (kind, rating, draw_rating(list_rating_entries(user, kind).order_by("-ended_at", "-battle")[:MOST_ENTRIES]))
        for kind in RatingKind
        if (rating := rated.get((user.pk, kind.value))) is not None
    ]
    ties = _read_ties(request, user)
    forms = list_forms(row.mage.pk for row in mages if row.mage.is_alive)
    living = [row for row in mages if row.mage.is_alive]
    profile = read_user_profile(user)
    described = _describe(request, profile, user=user)
    figures = _list_figures(
        living, [(kind, rating) for kind, rating, _chart in ratings], profile, find_best_rank_of(user)
    )
    context = {
        "owner": user,
        "kept": "" if user.is_bot else recall_reliability([user.pk])[user.pk].words,
        "is_host": not user.is_bot and bool(find_hosts([user.pk])),
        "answers": "" if user.is_bot else _describe_answers(user),
        "about": "" if ties.blocks else read_about(user, now=now),
        "bot_words": describe_bot(user.bot_strength) or _("A bot that a user wrote"),
        "days_since": (now - user.last_active_at).days,
        "ratings": ratings,
        "figures": figures,
        "living": [(row, forms.get(row.mage.pk, "")) for row in living],
        "portraits": [(row.mage, find_bot_mage(row.mage.name)) for row in living] if user.bot_strength else [],
        "dead": [row for row in mages if not row.mage.is_alive and not row.mage.has_left],
        "left": [row for row in mages if row.mage.has_left],
        "boards": _list_boards(request, living),
        "challenged": next((row.mage.name for row in living if _may_be_challenged(row)), ""),
        "longest_streak": 0 if user.is_bot else find_longest_streak(user, now=now),
        "named": user.username,
        "league": None if user.is_bot else read_league_record(user),
        "cups_won": list_places_won(user),
        "ties": ties,
        "meetings": _read_meetings(request, user),
        **_read_note(request, user),
        "card": make_profile_card(
            name=user.username,
            facts=" ".join(f"{title}: {number}." for title, number in figures),
            path=reverse("user", args=[user.username]),
            latest=described["latest"],
        ),
        **described,
    }
    return render(request, "profiles/user.html", context)


@require_safe
def show_mage(request: HttpRequest, name: str) -> HttpResponse:
    """Show the records of a mage, alive or dead; `?before=` shows older battles."""
    mage = get_mage_or_404(name, suggests=True)
    if mage.name != name:
        return redirect("mage", mage.name, permanent=True)
    is_person = not mage.user.is_bot
    summary = describe_mages([mage])[0]
    described = _describe(request, read_mage_profile(mage), mage=mage)
    context = {
        "mage": mage,
        "owner": mage.user if mage.user.is_active and not mage.user.is_guest else None,
        "kept": recall_reliability([mage.user_id])[mage.user_id].words if is_person and mage.user.is_active else "",
        "portrait": find_bot_mage(mage.name) if mage.user.bot_strength else None,
        "summary": summary,
        "challenged": mage.name if mage.is_alive and _may_be_challenged(summary) else "",
        "named": mage.name,
        "ties": _read_ties(request, mage.user),
        "meetings": _read_meetings(request, mage.user) if mage.user.is_active else None,
        **_read_note(request, mage.user),
        "card": make_mage_card(summary, described["latest"]),
        "places": list_places_of(mage) if mage.is_alive else [],
        "boards": _list_boards(request, [summary]),
        "form": list_forms([mage.pk]).get(mage.pk, ""),
        "chart": draw_rating(
            list_rating_entries(mage.user, RatingKind.DUEL)
            .filter(battle__in=BattleSide.objects.filter(mage=mage).values("number"))
            .order_by("-ended_at", "-battle")[:MOST_ENTRIES]
        ),
        **described,
    }
    return render(request, "profiles/mage.html", context)


def _list_boards(request: HttpRequest, mages: Iterable[MageSummary]) -> list[SmallBoard]:
    """Return the boards of the battles that these mages are in, as the reader sees them."""
    numbers = {number for found in find_battles_of_mages([row.mage for row in mages]).values() for number in found}
    return list_boards_numbered(numbers, request.user if isinstance(request.user, User) else None)


def _describe(request: HttpRequest, profile: Profile, *, user: User | None = None, mage: Mage | None = None) -> Any:
    before = read_number(request, "before") or 0
    sides = list_latest_sides(user=user, mage=mage, before=before, limit=BATTLES_SHOWN + 1)
    shown = sides[:BATTLES_SHOWN]
    agreed = name_agreed_draws(side.battle for side in shown)
    return {
        "profile": profile,
        "rulesets": [(name_ruleset(row.ruleset), row) for row in profile.rulesets],
        "openings": [(_name_rules(row), row, list_steps(row.name)) for row in profile.openings],
        "battles": [BattleLine(side, name_others(side), agreed.get(side.number, "")) for side in shown],
        "older": shown[-1].number if len(sides) > BATTLES_SHOWN else None,
        "is_older": bool(before),
        "latest": find_last_position(shown[0].number) if shown and not before else None,
    }


def _name_rules(opening: OpeningHabit) -> str:
    """Return the kind and the ruleset of the battles with an opening; "" for duels by the standard rules."""
    kind = [_("Melee")] if opening.kind == "melee" else []
    ruleset = [name_ruleset(opening.ruleset)] if opening.ruleset != Terms().ruleset else []
    return ", ".join(kind + ruleset)


def _list_figures(
    living: list[MageSummary], ratings: list[tuple[RatingKind, ShownRating]], profile: Profile, rank: int | None
) -> list[tuple[str, int]]:
    """Return the few numbers at the top of a user's page, with their titles; none for a user without battles."""
    titles = {
        RatingKind.DUEL: _("Duel rating"),
        RatingKind.MELEE: _("Melee rating"),
        RatingKind.BOTS: _("Rating with bots"),
    }
    figures = [(titles[kind], rating.rating) for kind, rating in ratings]
    best = max((row.duel for row in living), default=0)
    battles = sum(row.battles for row in profile.records)
    figures += [(_("Best duel score"), best)] if best else []
    figures += [(_("Best rank"), rank)] if rank else []
    return [*figures, (_("Battles that count"), battles)] if figures or battles else []


def _describe_answers(user: User) -> str:
    """Return how fast and how reliably `user` answers: "Answers in about 4 hours, 100% of turns on time."; "" for new
    users, and for those who play only live battles."""
    percent, usual = recall_reliability([user.pk])[user.pk].percent, recall_answer_time(user.pk)
    if usual is None or percent is None:
        return ""
    facts = {"time": span(_round_roughly(usual)), "n": percent}
    return _("Answers in about %(time)s, %(n)s%% of turns on time.") % facts


def _round_roughly(length: timedelta) -> timedelta:
    """Return a length of time in whole minutes below an hour, hours below two days, or days."""
    unit = MINUTE if length < HOUR else HOUR if length < 2 * DAY else DAY
    return max(1, round(length / unit)) * unit


def _read_meetings(request: HttpRequest, owner: User) -> tuple[Rivalry | None, int | None]:
    """Return the reader's results against the owner of the page, and the battle in which both are now."""
    if not isinstance(request.user, User) or request.user.pk == owner.pk:
        return None, None
    return read_rivalry(request.user, owner), find_shared_battle(request.user, owner)


def _read_note(request: HttpRequest, owner: User) -> dict[str, Any]:
    """Return the reader's private note on the owner of the page."""
    reader = request.user
    if not isinstance(reader, User) or reader.is_guest or reader.pk == owner.pk:
        return {}
    if owner.is_guest or not owner.is_active:
        return {}
    return {"may_note": True, "note": find_private_note(reader, about_user=owner)}


def _may_be_challenged(row: MageSummary) -> bool:
    """Return whether a challenge can name the mage: they are alive, free, not retired, and no bot of the site."""
    return not row.mage.is_retired and row.number is None and not row.mage.user.is_bot


def _read_ties(request: HttpRequest, owner: User) -> Ties:
    """Return what is between the reader and the owner of the page."""
    if not isinstance(request.user, User) or request.user.pk == owner.pk or owner.bot_strength:
        return Ties()
    return read_ties(request.user, owner)


def name_others(side: BattleSide) -> tuple[str, ...]:
    return tuple(sorted(other.mage.name for other in side.battle.sides.all() if other.mage_id != side.mage_id))
