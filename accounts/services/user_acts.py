"""What janitors do to a user: another name, a vacation. Each with a reason, in the log, told to him, and undone."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.errors import CannotActOnUser
from accounts.janitors import is_janitor
from accounts.models import Mage, Name, User, UserAct, Vacation
from accounts.services.audit import log_janitor
from accounts.services.kept_rows import Watched, find_change, keep_rows, put_back
from accounts.services.outbox import write_notice
from accounts.services.renaming import rename_user
from accounts.services.vacations import end_vacation, start_vacation
from accounts.user_act_words import describe_user_act

MOST_DAYS_AWAY = 365


def rename_for_janitor(*, user: User, name: str, by: User, reason: str, now: datetime) -> UserAct:
    """Call `user` by another name, however lately he took his own. Raises InvalidName, NameTaken, CannotActOnUser."""

    def rename(facts: dict[str, Any]) -> None:
        facts["old"] = user.username
        facts["new"] = rename_user(user=user, name=name, now=now, again=True)

    return _act(UserAct.Kind.RENAMED, user, by, reason, now, rename)


def send_on_vacation(*, user: User, days: int, by: User, reason: str, now: datetime) -> UserAct:
    """Let `user` be away for `days`, up to a year: the players' limit does not bind a janitor. Raises InvalidVacation,
    CannotActOnUser."""

    def send(facts: dict[str, Any]) -> None:
        vacation = start_vacation(user=user, days=days, now=now, most=MOST_DAYS_AWAY)
        facts |= {"name": user.username, "until": f"{vacation.until:%Y-%m-%d}"}

    return _act(UserAct.Kind.SENT_AWAY, user, by, reason, now, send)


def call_back(*, user: User, by: User, reason: str, now: datetime) -> UserAct:
    """End the vacation of `user`. Raises CannotActOnUser, also when he is not away."""

    def call(facts: dict[str, Any]) -> None:
        if not end_vacation(user=user, now=now):
            raise CannotActOnUser([f"{user.username} is not away."])
        facts["name"] = user.username

    return _act(UserAct.Kind.CALLED_BACK, user, by, reason, now, call)


def undo_user_act(*, act: UserAct, by: User, reason: str, now: datetime) -> UserAct:
    """Make the rows what they were, as long as none has changed since; twice is once. A name that was given by it is
    given to nobody. Raises CannotActOnUser."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=act.user_id)
        refuse_unless_may_act_on(user, by, reason)
        act = UserAct.objects.select_for_update(of=("self",)).get(pk=act.pk)
        if act.is_undone:
            return act
        watched = tuple(_watch(act.kind, user))
        changed = find_change(watched, act.after)
        if changed is not None:
            raise CannotActOnUser([f"It can no longer be undone: {changed}."])
        put_back(watched, act.before, act.after)
        act.undone_by, act.undone_at, act.undone_reason = by, now, reason.strip()
        act.save(update_fields=["undone_by", "undone_at", "undone_reason"])
        _tell(act, user, by, f"Undone: {describe_user_act(act.kind, act.facts)}", act.undone_reason, now)
    return act


def refuse_unless_may_act_on(user: User, by: User, reason: str) -> None:
    """Raise CannotActOnUser with every problem: no janitor, himself, no reason."""
    problems = [] if is_janitor(by) else [f"{by.username} does not act for the house."]
    problems += ["Another janitor does that for you."] if user.pk == by.pk else []
    problems += [] if reason.strip() else ["Say why; the user reads it."]
    if problems:
        raise CannotActOnUser(problems)


def _act(
    kind: UserAct.Kind, user: User, by: User, reason: str, now: datetime, do: Callable[[dict[str, Any]], None]
) -> UserAct:
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        refuse_unless_may_act_on(user, by, reason)
        before, facts = keep_rows(_watch(kind, user)), dict[str, Any]()
        do(facts)
        act = UserAct.objects.create(
            user=user,
            kind=kind,
            by=by,
            reason=reason.strip(),
            facts=facts,
            before=before,
            after=keep_rows(_watch(kind, user)),
            made_at=now,
        )
        _tell(act, user, by, describe_user_act(kind, facts), act.reason, now)
    return act


def _watch(kind: str, user: User) -> Iterable[Watched]:
    if kind == UserAct.Kind.RENAMED:
        yield Watched(User.objects.filter(pk=user.pk), ("username",), "the user has another name again")
        yield Watched(Name.objects.filter(owner=user), words="another name was given since")
    else:
        yield Watched(Vacation.objects.filter(user=user), words="another vacation has begun or ended since")
        # When the house looks again whether they are idle follows from vacations.
        yield Watched(User.objects.filter(pk=user.pk), ("idle_look_at",), by_themselves=True)
        yield Watched(Mage.objects.filter(user=user), ("idle_look_at",), by_themselves=True)


def _tell(act: UserAct, user: User, by: User, text: str, reason: str, now: datetime) -> None:
    log_janitor(by=by, about=user, message=f"{text} Reason: {reason}", now=now)
    write_notice(
        key=f"user_act:{act.pk}{':undone' if act.is_undone else ''}",
        user=user,
        kind="user_act",
        facts={"text": text, "reason": reason, "by": by.username},
        now=now,
    )
