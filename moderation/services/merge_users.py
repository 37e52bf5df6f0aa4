"""Merging two accounts of one person, and undoing it.

operations.registry lists what moves: mages, names, preferences, blocks, what the user follows. What belongs to
the account itself stays with it. The ladder finds merges that it has not counted yet (`is_counted`), done or undone,
and recounts ratings and records.
"""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Model

from accounts.models import Engagement, User, UserMerge
from accounts.open_pages import publish_rights_changed
from accounts.services.hold import mark_held
from accounts.services.vacations import request_clock_update
from moderation.errors import ModerationRefused
from moderation.selectors.conflicts import explain_closing, find_conflict
from moderation.services.audit import log_janitor
from moderation.services.user_journal import lock_users
from notifications.selectors.notices import address_for_notices
from notifications.services.outbox import write_notice
from operations.registry import MOVES_WITH_USER, list_fields


def merge_users(*, kept: User, merged: User, by: User, reason: str, now: datetime) -> UserMerge:
    """Give `kept` what `merged` has and close `merged`; `undo_merge` reverses it. Rows that both have (such as a
    preference) stay with each. Raises ModerationRefused with every problem."""
    with transaction.atomic():
        lock_users(kept, merged)
        _check_mergeable(kept, merged, by, reason)
        merged_address = address_for_notices(merged)
        moved = {
            f"{model._meta.label}.{name}": _move(model, name, merged, kept)
            for model, name in list_fields(MOVES_WITH_USER)
        }
        User.objects.filter(pk=merged.pk).update(is_active=False)
        merge = UserMerge.objects.create(
            kept=kept,
            merged=merged,
            reason=reason.strip()[:300],
            moved={label: ids for label, ids in moved.items() if ids},
            merged_by=by,
            merged_at=now,
        )
        message = f"The account {merged} was merged into this one. Reason: {merge.reason}"
        log_janitor(by=by, about=kept, message=message, now=now)
        for user in (kept, merged):
            # Warnings and suspensions have moved.
            mark_held(user=user)
        _notify_user(merge, kept, "users_merged", by, reason, now)
        if merged_address:
            _notify_user(merge, merged, "merged_away", by, reason, now, address=merged_address)
        request_clock_update(user=kept, now=now)
    merged.is_active = False
    publish_rights_changed(user=merged.pk)
    return merge


def undo_merge(*, merge: UserMerge, by: User, reason: str, now: datetime) -> bool:
    """Give back what was moved and still exists, and reopen the account; anything newer stays with `kept`. Return
    whether the merge was active. Raises ModerationRefused without a reason, if `by` is in a battle with one of the two,
    and if `kept` is closed or itself merged: then what was moved is not theirs to give back."""
    problems = _list_problems(merge.kept, merge.merged, by, reason)
    if problems:
        raise ModerationRefused.together(problems)
    with transaction.atomic():
        lock_users(merge.kept, merge.merged)
        active = UserMerge.objects.filter(pk=merge.pk, undone_at=None)
        if not active.update(undone_at=now, undone_by=by, is_counted=False):
            return False
        if closing := explain_closing(User.objects.get(pk=merge.kept_id)):
            raise closing
        for model, name in list_fields(MOVES_WITH_USER):
            ids = merge.moved.get(f"{model._meta.label}.{name}", [])
            _update(model, name, ids, merge.kept, merge.merged)
        User.objects.filter(pk=merge.merged_id).update(is_active=True)
        merge.merged.is_active = True
        message = f"The account {merge.merged} was separated from this one. Reason: {reason.strip()}"
        log_janitor(by=by, about=merge.kept, message=message, now=now)
        for user in (merge.kept, merge.merged):
            mark_held(user=user)
            _notify_user(merge, user, "users_parted", by, reason, now)
            request_clock_update(user=user, now=now)
    return True


def _notify_user(
    merge: UserMerge, user: User, what: str, by: User, reason: str, now: datetime, *, address: str = ""
) -> None:
    names = {"kept": merge.kept.username, "merged": merge.merged.username}
    write_notice(
        key=f"account_changed:{user.pk}:{what}:{merge.pk}",
        user=user,
        kind="account_changed",
        facts={"what": what, "by": by.username, "reason": reason.strip(), **names},
        address=address,
        now=now,
    )


def _list_problems(kept: User, merged: User, by: User, reason: str) -> list[ModerationRefused]:
    """Return why the janitor may not do this: no reason, or a battle with one of the two."""
    problems = [] if reason.strip() else [ModerationRefused("no_reason")]
    conflicts = [find_conflict(user=user, by=by) for user in (kept, merged) if user.pk != by.pk]
    return problems + [conflict for conflict in conflicts if conflict]


def _check_mergeable(kept: User, merged: User, by: User, reason: str) -> None:
    users = list(User.objects.filter(pk__in=[kept.pk, merged.pk]))
    problems = _list_problems(kept, merged, by, reason)
    if kept.pk == merged.pk:
        problems.append(ModerationRefused("same_user"))
    problems += [ModerationRefused("is_janitor", name=user.username) for user in users if user.is_staff]
    problems += [problem for user in users if (problem := explain_closing(user))]
    if len({user.is_bot for user in users}) > 1:
        problems.append(ModerationRefused("bot_and_person"))
    if kept.pk != merged.pk:
        shared = sorted(_list_engagements(kept) & _list_engagements(merged))
        problems += [ModerationRefused(f"both_in_{kind}", number=number) for kind, number in shared]
    if problems:
        raise ModerationRefused.together(problems)


def _list_engagements(user: User) -> set[tuple[str, int]]:
    """Return the challenges and battles that engage the user's mages. A league or cup ends a duel between two users who
    become one."""
    return set(Engagement.objects.filter(mage__user=user).values_list("kind", "number"))


def _move(model: type[Model], name: str, old: User, new: User) -> list[int]:
    ids = list(model._default_manager.filter(**{name: old}).order_by("pk").values_list("pk", flat=True))
    return _update(model, name, ids, old, new)


def _update(model: type[Model], name: str, ids: list[int], old: User, new: User) -> list[int]:
    """Move these rows and return their ids: all at once, or one by one if `new` already has some of them."""
    rows = model._default_manager.filter(**{"pk__in": ids, name: old})
    try:
        with transaction.atomic():
            rows.update(**{name: new})
        return ids
    except IntegrityError:
        return [pk for pk in ids if _update_one(model, name, pk, old, new)]


def _update_one(model: type[Model], name: str, pk: int, old: User, new: User) -> bool:
    try:
        with transaction.atomic():
            return model._default_manager.filter(**{"pk": pk, name: old}).update(**{name: new}) == 1
    except IntegrityError:
        return False
