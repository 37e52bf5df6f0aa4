"""What hooks are told about: the choices of each, in the order of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from notifications.kinds import NoticeKind
from notifications.matrix import HOOK, SUBJECTS
from notifications.models import Hook

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TURNS, LAST, DEADLINES, STARTS, ENDS, SEEKS, LINES = "turns", "last", "deadlines", "starts", "ends", "seeks", "lines"
LEAGUE = "league"
_OF_SUBJECTS = {name: subject.title for name, subject in SUBJECTS.items() if subject.key(HOOK)}
# Of a user's own: the subjects of the matrix, and that only their orders are missing.
OWN_EVENTS: dict[str, StrOrPromise] = {TURNS: _OF_SUBJECTS[TURNS], LAST: _("Only your move is missing")} | _OF_SUBJECTS
EVENTS: dict[str, dict[str, StrOrPromise]] = {
    Hook.Scope.USER: OWN_EVENTS,
    Hook.Scope.BATTLE: {
        TURNS: _("A turn is over"),
        LAST: _("One move is missing"),
        ENDS: _("The battle is over"),
    },
    Hook.Scope.SITE: {
        STARTS: _("A battle between people begins"),
        ENDS: _("A battle between people ends"),
        LEAGUE: _("A season or cup begins or ends"),
        LINES: _("Announcements"),
    },
}
# What a new one is told about.
# The matrix says no to seeks, unless the user has asked for them.
USUAL = {
    Hook.Scope.USER: [TURNS, DEADLINES, ENDS, SEEKS, LEAGUE],
    Hook.Scope.BATTLE: [TURNS, ENDS],
    Hook.Scope.SITE: [STARTS, ENDS, LINES, LEAGUE],
}
# What the webhook of the API is told about: everything that a program reads as events.
OF_PROGRAMS = list(_OF_SUBJECTS)


def wants_event(hook: Hook, kind: NoticeKind) -> bool:
    """Return whether the hook has chosen notices of this kind. Programs get those too that cannot be chosen."""
    if hook.format == Hook.Format.JSON and not kind.event and not kind.posts:
        return False
    return kind.hook_event in hook.events or (not kind.hook_event and hook.format == Hook.Format.JSON)
