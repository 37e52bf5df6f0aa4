"""The journal of the site's hooks."""

from datetime import datetime

from accounts.models import User
from moderation.models import JournalEntry
from moderation.services.journal import write_entry
from notifications.models import Hook

KINDS = {
    "add": JournalEntry.Kind.HOOK_ADDED,
    "change": JournalEntry.Kind.HOOK_CHANGED,
    "remove": JournalEntry.Kind.HOOK_REMOVED,
}


def note_site_hook(*, what: str, hook: Hook, by: User, reason: str, now: datetime) -> None:
    """Write a journal entry about what the janitor has just done with a hook of the site: "add", "change" or "remove".
    It has the hook's name and format, never its address. Call it in the same transaction."""
    facts = {"hook": hook.name, "format": hook.format, "events": hook.events}
    with write_entry(kind=KINDS[what], about=by, by=by, reason=reason, now=now, facts=facts):
        pass
