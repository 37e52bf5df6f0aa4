"""Two changes to one account at the same time, with real threads on PostgreSQL."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import count

import pytest
from django.db import transaction
from django.urls import reverse

from accounts.errors import InvalidName, MageUnavailable, StillHasMages
from accounts.models import Mage, Message, User
from accounts.services.leave import close_user
from accounts.services.mages import register_mage
from accounts.services.messages import leave_threads
from accounts.services.rename import rename_user
from challenges.services.retire_mages import leave_site, quit_mage
from moderation.errors import ModerationRefused
from moderation.selectors.journal import mark_journal
from moderation.services.merge_users import merge_users
from tests.duels.janitors import WHY, make_janitor
from tests.races import at_once
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.plugin import LONG

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TRIES = 100 if LONG else 6
NAMES = (f"Ann{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}{'x' * (n // 676)}" for n in count())


def each_try() -> Iterator[tuple[User, User]]:
    """A new user for each try, read twice, as two requests do."""
    for _ in range(TRIES):
        user = make_user(next(NAMES))
        yield user, User.objects.get(pk=user.pk)


def find_errors(results: list[object], *expected: type[Exception]) -> list[object]:
    return [each for each in results if isinstance(each, Exception) and not isinstance(each, expected)]


def find_ownerless() -> list[Mage]:
    """Return the living mages whose account is closed."""
    return list(Mage.objects.filter(user__is_active=False, died_at=None))


def test_a_closed_account_has_no_living_mage():
    for user, again in each_try():
        results = at_once(
            partial(close_user, user=user, now=NOW), partial(register_mage, user=again, name=next(NAMES), now=NOW)
        )
        assert find_errors(results, InvalidName, StillHasMages) == []
        assert find_ownerless() == []


def test_a_merged_account_has_no_living_mage_and_leaving_meets_no_deadlock():
    janitor = make_janitor()
    for user, again in each_try():
        kept, third = make_user(next(NAMES)), User.objects.get(pk=user.pk)
        mages = [make_mage(next(NAMES), user) for _ in range(3)]
        results = at_once(
            partial(merge_users, kept=kept, merged=user, by=janitor, reason=WHY, now=NOW),
            partial(register_mage, user=again, name=next(NAMES), now=NOW),
            partial(leave_site, user=third, now=NOW),
            partial(quit_mage, mage=mages[-1], now=NOW),
        )
        assert find_errors(results, InvalidName, ModerationRefused, MageUnavailable, StillHasMages) == []
        assert find_ownerless() == []


def test_a_user_is_renamed_once():
    later = NOW + timedelta(days=50)
    for user, again in each_try():
        results = at_once(*(partial(rename_user, user=each, name=next(NAMES), now=later) for each in (user, again)))
        assert [each.code for each in results if not isinstance(each, str)] == ["renamed_lately"]


def test_two_janitors_who_act_on_a_user_at_the_same_moment_learn_of_each_other():
    desks = [log_in(make_janitor(name)) for name in ("Jane", "Rolf")]
    for user, _ in each_try():
        make_mage(next(NAMES), user)
        seen, address = mark_journal(user), reverse("admin:accounts_user_act", args=[user.pk, "warn"])
        acts = [partial(desk.post, address, {"seen": seen, "reason": f"{WHY} {n}"}) for n, desk in enumerate(desks)]
        statuses = sorted(answer.status_code for answer in at_once(*acts))
        assert statuses == [302, 422]


def test_two_who_delete_all_their_messages_at_once_leave_none():
    def leave(user: User) -> None:
        with transaction.atomic():
            leave_threads(user=user)

    for one, _ in each_try():
        other = make_user(next(NAMES))
        for n in range(20):
            for writer, reader in ((one, other), (other, one)):
                Message.objects.create(writer=writer, reader=reader, text="Hail", once=f"{n}", written_at=NOW)
        results = at_once(lambda: leave(one), lambda: leave(other))  # noqa: B023
        assert find_errors(results) == [] and not Message.objects.exists()
