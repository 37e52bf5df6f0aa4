"""The table of the kinds of notices: each has an email, and a preference that exists."""

import pytest

from email_gateway.compose.composers import composes
from email_gateway.compose.notices import COMPOSERS
from notifications.kinds import KINDS
from notifications.models import Notice
from notifications.preferences import PREFERENCES
from notifications.services.outbox import write_notice
from tests.scenes import NOW


def test_every_kind_has_an_email_unless_it_is_only_news_or_for_hooks():
    assert set(COMPOSERS) == {kind.name for kind in KINDS.values() if not kind.is_only_news and not kind.posts}


def test_every_preference_of_a_kind_exists():
    assert {key for kind in KINDS.values() for key in (kind.preference, kind.page)} - {""} < set(PREFERENCES)


def test_only_a_kind_for_devices_can_be_urgent_there():
    assert [kind.name for kind in KINDS.values() if kind.is_urgent and not kind.push] == []


def test_a_kind_has_one_composer():
    with pytest.raises(ValueError, match="login_code"):
        composes("login_code")(lambda kind, facts, user: None)
    with pytest.raises(KeyError):
        composes("no_such_kind")(lambda kind, facts, user: None)


@pytest.mark.django_db
def test_a_notice_of_an_unknown_kind_is_not_written(django_user_model):
    user = django_user_model.objects.create(username="Anna")
    with pytest.raises(KeyError):
        write_notice(key="x", user=user, kind="no_such_kind", facts={}, now=NOW)
    assert not Notice.objects.exists()
