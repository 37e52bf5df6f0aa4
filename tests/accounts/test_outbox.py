"""Notices are written once, their mails sent until they are sent, their secrets forgotten then."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fm_site.notifications.models import Delivery, Notice
from fm_site.notifications.selectors import address_for_delivery, facts_with_secrets
from fm_site.notifications.services import (
    claim_due_deliveries,
    claim_email,
    mark_delivery_failed,
    mark_delivery_sent,
    set_preference,
    write_notice,
)
from fm_site.notifications.services.deliveries import BACKOFF, LEASE
from fm_site.operations.sealing import InvalidToken, seal, seal_bytes, unseal, unseal_bytes
from tests.accounts.conftest import NOW


def tell(user, key="battle:3:1:1:anna", kind="turn_resolved", **more):
    return write_notice(key=key, user=user, kind=kind, facts={"battle": 3}, now=NOW, **more)


def claim(now=NOW):
    ((delivery,),) = claim_due_deliveries(now=now)
    return delivery


def test_a_notice_is_written_once_per_key(anna):
    assert tell(anna).kind == "turn_resolved"
    assert tell(anna) is None
    assert (Notice.objects.count(), Delivery.objects.count()) == (1, 1)


def test_one_is_written_with_three_queries_in_a_savepoint(anna, django_assert_num_queries, monkeypatch):
    # What writing the mail asks is not counted here.
    monkeypatch.setattr("fm_site.notifications.services.outbox.write_out", lambda notice, facts: "")
    with django_assert_num_queries(2 + 3):
        tell(anna)


def test_an_unverified_address_gets_no_notice_but_the_notice_is_kept(boris):
    assert tell(boris) is not None
    assert not Delivery.objects.exists()


def test_an_unverified_address_gets_its_confirmation(boris):
    tell(boris, kind="confirm_address", address="boris@example.org", secrets={"link": "https://…/key"})
    assert address_for_delivery(claim()) == "boris@example.org"


def test_a_battle_report_never_goes_to_an_address_handed_in(anna):
    tell(anna, address="somebody@example.net")
    assert address_for_delivery(claim()) == "anna@example.org"


def test_who_wants_no_mail_about_turns_gets_none_but_still_his_codes(anna):
    set_preference(user=anna, key="mail_turns", value="no")
    tell(anna)
    assert not Delivery.objects.exists()
    tell(anna, key="code", kind="login_code", address=anna.email, secrets={"code": "123456"})
    assert Delivery.objects.count() == 1


def test_the_message_id_depends_on_the_key_alone_and_does_not_show_it(anna, boris):
    first = Delivery.objects.get(notice=tell(anna, key="one"))
    second = Delivery.objects.get(notice=tell(anna, key="two"))
    again = first.message_id
    Notice.objects.all().delete()
    assert Delivery.objects.get(notice=tell(anna, key="one")).message_id == again
    assert first.message_id != second.message_id
    assert "one" not in first.message_id


def test_a_claimed_delivery_is_nobody_elses(anna):
    tell(anna)
    assert claim().attempts == 1
    assert claim_due_deliveries(now=NOW) == []


def test_a_postman_who_dies_loses_his_claim_and_the_mail_keeps_its_id(anna):
    tell(anna)
    lost = claim()
    assert claim_due_deliveries(now=NOW + LEASE - timedelta(seconds=1)) == []
    found = claim(NOW + LEASE)
    assert (found.pk, found.message_id, found.attempts) == (lost.pk, lost.message_id, 2)


def test_a_sent_mail_is_not_due_again(anna):
    tell(anna)
    mark_delivery_sent(delivery=claim(), now=NOW)
    assert claim_due_deliveries(now=NOW + timedelta(days=400)) == []
    assert Delivery.objects.get().sent_at == NOW


def test_what_was_sent_stays_sent_when_a_late_postman_reports_a_failure(anna):
    tell(anna)
    late = claim()
    mark_delivery_sent(delivery=claim(NOW + LEASE), now=NOW + LEASE)
    mark_delivery_failed(delivery=late, error="too late", now=NOW + LEASE, permanent=True)
    assert Delivery.objects.get().state == "sent"


def test_failures_are_tried_again_ever_later_and_given_up_in_the_end(anna):
    tell(anna)
    now = NOW
    for pause in BACKOFF:
        mark_delivery_failed(delivery=claim(now), error="421 busy", now=now)
        assert claim_due_deliveries(now=now + pause - timedelta(seconds=1)) == []
        now += pause
    mark_delivery_failed(delivery=claim(now), error="421 busy", now=now)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.error, delivery.attempts) == ("failed", "421 busy", len(BACKOFF) + 1)


def test_a_permanent_failure_ends_it_at_once(anna):
    tell(anna)
    mark_delivery_failed(delivery=claim(), error="550 unknown", now=NOW, permanent=True)
    assert Delivery.objects.get().state == "failed"


@pytest.mark.parametrize("how", ["sent", "failed"])
def test_secrets_are_sealed_in_the_row_and_gone_when_the_mail_is_done(anna, how):
    tell(anna, kind="login_code", address=anna.email, secrets={"code": "QX7-Z42"})
    stored = Notice.objects.values().get()
    assert "QX7-Z42" not in str(stored)
    delivery = claim()
    assert facts_with_secrets(delivery.notice) == {"battle": 3, "code": "QX7-Z42"}
    if how == "sent":
        mark_delivery_sent(delivery=delivery, now=NOW)
    else:
        mark_delivery_failed(delivery=delivery, error="550", now=NOW, permanent=True)
    assert Notice.objects.get().sealed == ""


def test_a_failure_that_will_be_tried_again_keeps_the_secret(anna):
    tell(anna, kind="login_code", address=anna.email, secrets={"code": "QX7-Z42"})
    mark_delivery_failed(delivery=claim(), error="421", now=NOW)
    assert facts_with_secrets(claim(NOW + BACKOFF[0]).notice)["code"] == "QX7-Z42"


def test_an_email_is_claimed_by_its_message_id_once(anna):
    tell(anna)
    message_id = Delivery.objects.get().message_id
    assert len(claim_email(message_id=message_id, now=NOW)) == 1
    assert claim_email(message_id=message_id, now=NOW) == []


def test_a_user_who_was_switched_off_gets_no_mail(anna):
    tell(anna)
    anna.is_active = False
    anna.save()
    assert address_for_delivery(claim()) is None


@given(st.dictionaries(st.text(), st.text()), st.binary())
def test_what_is_sealed_comes_back(facts, raw):
    assert unseal(seal(facts)) == facts
    assert unseal_bytes(seal_bytes(raw)) == raw


def test_seals_survive_a_new_secret_key_while_the_old_one_is_named(settings):
    sealed = seal({"code": "1"})
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert unseal(sealed) == {"code": "1"}
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        unseal(sealed)
