"""The user's data as one JSON file for them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.urls import reverse

from accounts.models import (
    AbsenceWarning,
    AccountWarning,
    ApiToken,
    CalendarLink,
    Host,
    Mage,
    Name,
    PushDevice,
    Sanction,
    Trace,
    User,
    Vacation,
)
from accounts.selectors.messages import list_messages_of
from accounts.selectors.private_notes import list_private_notes_by
from accounts.selectors.ties import list_blocked_by, list_users_followed_by
from accounts.selectors.users import list_addresses_of
from challenges.models import Follower, HostedDuel, InviteLink, SeekAlert
from challenges.selectors.room import list_room_lines_by, list_room_mutes_of
from duels.models import ChatLine, ChatMute, Combatant, MissedTurn, OrderSheet, Subscription
from email_gateway.models import InboundMail
from ladder.models import UserRating
from league.models import Entry, Place
from moderation.models import Consent
from moderation.selectors.reports import list_reports_by
from notifications.models import Hook, Notice
from notifications.selectors.notices import preferences_of
from studies.models import (
    Collection,
    DailyTry,
    LearnedStep,
    Note,
    OwnMistake,
    PuzzleSkill,
    PuzzleTry,
    SolvedPuzzle,
    Study,
)
from studies.selectors.obituaries import list_lines_by


def export_user(user: User, *, now: datetime) -> dict[str, Any]:
    """Return all stored data of `user`: no other user's address, and nothing sealed (codes)."""
    return {
        "site": settings.FM_SITE_URL,
        "written_at": now,
        **_write_account(user),
        **_write_play(user),
        **_write_words(user),
        **_write_studies(user),
        **_write_desk(user),
    }


def _write_account(user: User) -> dict[str, Any]:
    """Return what identifies the user, how they log in, and what they chose."""
    return {
        "user": _row(
            user,
            "username",
            "email",
            "about",
            "language",
            "theme",
            "is_bot",
            "is_guest",
            "browser_id_allowed",
            "browser_id_answered_at",
            "created_at",
            "last_active_at",
        ),
        "addresses": [_row(each, "email", "verified", "primary") for each in list_addresses_of(user)],
        "names": [_row(each, "written", "kind", "created_at") for each in Name.objects.filter(owner=user)],
        "settings": preferences_of(user),
        "vacations": [_row(each, "starts_at", "until", "ended_at") for each in Vacation.objects.filter(user=user)],
        "calendar_links": [_row(each, "made_at") for each in CalendarLink.objects.filter(user=user)],
        # That they exist, not where they are.
        "hooks": [
            _row(each, "scope", "battle", "format", "name", "events", "created_at")
            for each in Hook.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [_row(each, "name", "created_at", "expires_at") for each in ApiToken.objects.filter(user=user)],
        "logins": [
            _row(each, "ip", "user_agent", "created_at", "last_seen_at")
            for each in UserSession.objects.filter(user=user).order_by("pk")
        ],
        "devices": [
            _row(each, "user_agent", "created_at") for each in PushDevice.objects.filter(user=user).order_by("pk")
        ],
        # The rest of a trace is a keyed hash.
        "traces": [_row(each, "kind", "last_on") for each in Trace.objects.filter(user=user).order_by("pk")],
        "emails_received": [
            _row(each, "received_at", "size") for each in InboundMail.objects.filter(user=user).order_by("pk")
        ],
        "notices": [
            _row(each, "kind", "facts", "created_at")
            for each in Notice.objects.filter(user=user).order_by("pk").iterator()
        ],
    }


def _write_play(user: User) -> dict[str, Any]:
    """Return their mages, battles, orders and results."""
    return {
        "mages": [
            _row(
                each,
                "name",
                "created_at",
                "retired_at",
                "died_at",
                "has_left",
                "arms_text",
                "arms_number",
                "arms_edition",
            )
            for each in Mage.objects.filter(user=user).order_by("pk")
        ],
        "battles": list(_list_battles(user)),
        "missed_turns": [
            {"battle": each.combatant.battle.number} | _row(each, "missed_at", "never_moved", "excused_at", "excuse")
            for each in MissedTurn.objects.filter(user=user).select_related("combatant__battle").order_by("pk")
        ],
        "ratings": [
            _row(each, "kind", "rating", "deviation", "elo", "battles", "day")
            for each in UserRating.objects.filter(user=user).order_by("kind")
        ],
        "orders": [
            {
                "battle": sheet.combatant.battle.number,
                "mage": sheet.combatant.mage.name,
                "turn": sheet.stage.turn.label,
                **_row(sheet, "text", "draft", "via", "submitted_at"),
            }
            for sheet in OrderSheet.objects.filter(combatant__mage__user=user)
            .exclude(text="", draft="")
            .select_related("combatant__battle", "combatant__mage", "stage__turn")
            .order_by("pk")
        ],
        "league": [
            _row(each, "signed_up_at", "left_at", "left_for") | {"mage": each.mage.name}
            for each in Entry.objects.filter(user=user).select_related("mage").order_by("pk")
        ],
        "places": [
            {"mage": each.mage.name, "in": str(each.group or each.cup)}
            | _row(each, "signed_up_at", "joined_in_round", "left_at", "left_for", "rank", "movement")
            for each in Place.objects.filter(user=user).select_related("mage", "group__season", "cup").order_by("pk")
        ],
        "hosting": [_row(each, "offered_at", "marked_at", "asked_at") for each in Host.objects.filter(user=user)],
        "hosts_asked": [
            _row(each, "asked_at") | {"challenge": each.challenge.number, "host": each.host.username}
            for each in HostedDuel.objects.filter(newcomer=user).select_related("challenge", "host")
        ],
        "invite_links": [
            {"challenge": each.challenge.number} | _row(each, "state", "created_at", "expires_at")
            for each in InviteLink.objects.filter(made_by=user).select_related("challenge").order_by("pk")
        ],
        "told_of_duels_again_from": SeekAlert.objects.filter(user=user).values_list("next_at", flat=True).first(),
    }


def _write_words(user: User) -> dict[str, Any]:
    """Return what they wrote, and whom they follow, block or mute."""
    return {
        "chat": [
            {"battle": line.battle.number, **_row(line, "room", "text", "phrase", "created_at")}
            for line in ChatLine.objects.filter(user=user).select_related("battle").order_by("pk")
        ],
        "chat_mutes": [
            each.muted.username for each in ChatMute.objects.filter(user=user).select_related("muted").order_by("pk")
        ],
        "battle_notes": [
            {"battle": each.combatant.battle.number} | _row(each, "label", "text", "written_at")
            for each in Note.objects.filter(combatant__mage__user=user)
            .select_related("combatant__battle")
            .order_by("pk")
        ],
        "room_lines": [_row(each, "text", "via", "written_at", "removed_at") for each in list_room_lines_by(user)],
        "messages": [
            {"from": each.writer.username, "to": each.reader.username}
            | _row(each, "text", "channel", "battle", "turn", "written_at")
            for each in list_messages_of(user).select_related("writer", "reader").order_by("pk").iterator()
        ],
        "blocks": [each.username for each in list_blocked_by(user)],
        "obituary_lines": [
            {"mage": each.mage.name} | _row(each, "text", "written_at", "removed_at") for each in list_lines_by(user)
        ],
        "private_notes": [
            {"user": each.about_user and each.about_user.username, "battle": each.about_battle}
            | _row(each, "text", "written_at")
            for each in list_private_notes_by(user)
        ],
        "follows": {
            "users": [each.username for each in list_users_followed_by(user)],
            "battles": list(Subscription.objects.filter(user=user).values_list("battle__number", flat=True)),
            "challenges": list(Follower.objects.filter(user=user).values_list("challenge__number", flat=True)),
        },
    }


def _write_studies(user: User) -> dict[str, Any]:
    """Return their studies, and what they learned and solved."""
    return {
        "studies": list(_list_studies(user)),
        "collections": list(_list_collections(user)),
        "puzzle_rating": [_row(each, "rating", "deviation", "tries") for each in PuzzleSkill.objects.filter(user=user)],
        "own_mistakes": [
            {"battle": each.battle.number} | _row(each, "label", "week", "tried_at", "solved_at")
            for each in OwnMistake.objects.filter(user=user).select_related("battle").order_by("pk")
        ],
        "first_puzzle_tries": [
            _row(each, "puzzle_id", "solved", "tried_at", "rating_before", "rating_after")
            for each in PuzzleTry.objects.filter(user=user).order_by("pk")
        ],
        "puzzles_of_the_day": [
            _row(each, "day", "puzzle_id", "solved", "tried_at")
            for each in DailyTry.objects.filter(user=user).order_by("day")
        ],
        "solved_puzzles": [
            _row(each, "puzzle_id", "solved_at", "is_merged")
            for each in SolvedPuzzle.objects.filter(user=user).order_by("pk")
        ],
        "learned_steps": [
            _row(each, "name", "learned_at", "is_merged")
            for each in LearnedStep.objects.filter(user=user).order_by("pk")
        ],
    }


def _write_desk(user: User) -> dict[str, Any]:
    """Return their dealings with the janitors."""
    return {
        "absence_warnings": [
            _row(each, "kind", "warned_at", "due_at", "ended_at")
            for each in AbsenceWarning.objects.filter(user=user).order_by("pk")
        ],
        "answers_to_janitors": [
            _row(each, "agrees", "answered_at") for each in Consent.objects.filter(user=user).order_by("pk")
        ],
        "reports": [_row(each, "subject", "text", "created_at", "answer") for each in list_reports_by(user)],
        "warnings": [_row(each, "text", "given_at") for each in AccountWarning.objects.filter(user=user)],
        "suspensions": [_row(each, "reason", "starts_at", "ends_at") for each in Sanction.objects.filter(user=user)],
        "lobby_mutes": [_row(each, "reason", "muted_at", "ends_at") for each in list_room_mutes_of(user)],
    }


def _list_studies(user: User) -> Iterable[dict[str, Any]]:
    for study in Study.objects.filter(owner=user).select_related("battle").order_by("pk"):
        named = study.branches.exclude(name="", comment="").order_by("number")
        # A copy has the words of another player.
        is_open = study.is_open_to_owner
        yield {
            **_row(study, "access", "created_at"),
            "title": study.title if is_open else "",
            "branches": list(named.values("number", "label", "name", "comment")) if is_open else [],
            "page": settings.FM_SITE_URL + reverse("studies:study", args=[study.slug]),
        }


def _list_collections(user: User) -> Iterable[dict[str, Any]]:
    for each in Collection.objects.filter(owner=user).order_by("pk"):
        entries = each.entries.select_related("battle", "study").order_by("pk")
        yield {
            **_row(each, "name", "words", "access", "created_at"),
            "entries": [
                {"battle": entry.battle and entry.battle.number, "study": entry.study and entry.study.slug}
                | _row(entry, "words", "added_at")
                for entry in entries
            ],
        }


def _list_battles(user: User) -> Iterable[dict[str, Any]]:
    fought = Combatant.objects.filter(mage__user=user).select_related("battle", "mage").order_by("battle__number")
    for each in fought:
        yield {
            "number": each.battle.number,
            "mage": each.mage.name,
            "standing": each.standing,
            # Counted only in duels of leagues and cups.
            "time_used": each.time_used,
            "late_turns": each.late_turns,
            "started_at": each.battle.started_at,
            "finished_at": each.battle.finished_at,
            "page": settings.FM_SITE_URL + reverse("duels:battle", args=[each.battle.number]),
        }


def _row(row: object, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
