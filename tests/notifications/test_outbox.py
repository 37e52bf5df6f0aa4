"""Notices are written once; emails are sent, skipped or given up once, and then lose their secrets."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from notifications.models import Delivery, Notice, SkipReason
from notifications.selectors.notices import address_for_delivery, facts_with_secrets
from notifications.services.deliveries import (
    BACKOFF,
    LEASE,
    claim_due_deliveries,
    claim_email,
    forget_copies,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
    prune_notices,
    queue_delivery,
)
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from operations.encryption import InvalidToken, seal, seal_bytes, unseal, unseal_bytes
from tests.scenes import NOW


def tell(user, key="battle:3:1:1:anna", kind="turn_resolved", **more):
    return write_notice(key=key, user=user, kind=kind, facts={"battle": 3}, now=NOW, **more)


def answer(user):
    return queue_delivery(mail="{}", subject="Your orders", address="Anna@example.org", user=user, now=NOW)


# The kinds of deliveries: a notice, or the answer to an email. Claims, leases and retries are the same for both.
BOTH = pytest.mark.parametrize("write", [tell, answer])


def claim(now=NOW):
    ((delivery,),) = claim_due_deliveries(now=now)
    return delivery


def test_a_notice_is_written_once_per_key(anna):
    assert tell(anna).kind == "turn_resolved"
    assert tell(anna) is None
    assert (Notice.objects.count(), Delivery.objects.count()) == (1, 1)


def test_one_is_written_with_three_queries_in_a_savepoint(anna, django_assert_num_queries, monkeypatch):
    # The queries for writing the email are not counted here.
    monkeypatch.setattr("notifications.services.freeze_mails.render_mail", lambda notice, facts: "")
    with django_assert_num_queries(2 + 3):
        tell(anna)


def test_a_notice_to_an_unverified_address_is_kept_but_not_emailed(boris):
    assert tell(boris) is not None
    assert not Delivery.objects.exists()


def test_an_unverified_address_gets_its_confirmation(boris):
    tell(boris, kind="confirm_address", address="boris@example.org", secrets={"link": "https://…/key"})
    assert address_for_delivery(claim()) == "boris@example.org"


def test_a_battle_report_goes_to_no_other_address(anna):
    tell(anna, address="somebody@example.net")
    assert address_for_delivery(claim()) == "anna@example.org"


def test_a_user_who_wants_no_email_about_turns_still_gets_codes(anna):
    set_preference(user=anna, key="mail_turns", value="no")
    tell(anna)
    assert not Delivery.objects.exists()
    tell(anna, key="code", kind="login_code", address=anna.email, secrets={"code": "123456"})
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize("choice", ["yes", "digest"])
def test_a_site_restored_from_a_backup_repeats_no_message_id(anna, choice):
    set_preference(user=anna, key="mail_turns", value=choice)
    ids = set()
    for _ in range(2):
        tell(anna)
        ids.add(claim(NOW + timedelta(days=1)).message_id)
        Notice.objects.all().delete()  # the backup is from before
    assert len(ids) == 2


def test_what_comes_after_the_daily_email_has_left_is_another_email(anna):
    set_preference(user=anna, key="mail_turns", value="digest")
    tell(anna, key="one")
    due = Delivery.objects.get().due_at
    first = claim(due)
    tell(anna, key="two")  # its turn was played before, and took long to commit
    late = claim(due + timedelta(seconds=1))
    again = [(one.message_id, one.pk) for (one,) in claim_due_deliveries(now=due + 2 * LEASE)]
    assert again == [(first.message_id, first.pk), (late.message_id, late.pk)] and first.message_id != late.message_id


@BOTH
def test_a_claimed_email_is_claimed_by_nobody_else(anna, write):
    write(anna)
    assert claim().attempts == 1
    assert claim_due_deliveries(now=NOW) == []


@BOTH
def test_the_email_of_a_worker_who_dies_is_claimed_again_under_the_same_message_id(anna, write):
    write(anna)
    lost = claim()
    assert claim_due_deliveries(now=NOW + LEASE - timedelta(seconds=1)) == []
    found = claim(NOW + LEASE)
    assert (found.pk, found.message_id, found.attempts) == (lost.pk, lost.message_id, 2)


@BOTH
def test_a_sent_email_is_not_due_again(anna, write):
    write(anna)
    mark_delivery_sent(delivery=claim(), now=NOW)
    assert claim_due_deliveries(now=NOW + timedelta(days=400)) == []
    assert Delivery.objects.get().sent_at == NOW


@BOTH
def test_a_sent_email_stays_sent_when_a_slow_worker_reports_a_failure(anna, write):
    write(anna)
    late = claim()
    mark_delivery_sent(delivery=claim(NOW + LEASE), now=NOW + LEASE)
    mark_delivery_failed(delivery=late, error="too late", now=NOW + LEASE, permanent=True)
    assert Delivery.objects.get().state == "sent"


@BOTH
def test_a_failed_email_is_retried_with_growing_delays_and_then_given_up(anna, write):
    write(anna)
    now = NOW
    for pause in BACKOFF:
        mark_delivery_failed(delivery=claim(now), error="421 busy", now=now)
        assert claim_due_deliveries(now=now + pause - timedelta(seconds=1)) == []
        now += pause
    mark_delivery_failed(delivery=claim(now), error="421 busy", now=now)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.error, delivery.attempts) == ("failed", "421 busy", len(BACKOFF) + 1)


@BOTH
def test_a_permanent_failure_ends_it_at_once(anna, write):
    write(anna)
    mark_delivery_failed(delivery=claim(), error="550 unknown", now=NOW, permanent=True)
    assert Delivery.objects.get().state == "failed"


@BOTH
@pytest.mark.parametrize("reason", SkipReason)
def test_a_skipped_email_says_why_and_is_not_due_again(anna, write, reason):
    write(anna)
    mark_delivery_skipped(delivery=claim(), reason=reason)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.reason, delivery.error, delivery.sent_at) == ("skipped", reason, "", None)
    assert delivery.outcome == reason.label
    assert claim_due_deliveries(now=NOW + timedelta(days=400)) == []


def test_a_sent_email_stays_sent_when_a_slow_worker_skips_it(anna):
    tell(anna)
    late = claim()
    mark_delivery_sent(delivery=claim(NOW + LEASE), now=NOW + LEASE)
    mark_delivery_skipped(delivery=late, reason=SkipReason.SEEN)
    assert (Delivery.objects.get().state, Delivery.objects.get().reason) == ("sent", "")


@pytest.mark.parametrize(
    "ended",
    [
        {"state": "skipped", "sealed_mail": ""},
        {"state": "skipped", "sealed_mail": "", "reason": "dull"},
        {"state": "failed", "sealed_mail": "", "reason": "seen"},
        {"state": "sent"},
        {"address": ""},
        {"sealed_mail": ""},
    ],
    ids=str,
)
def test_the_database_rejects_an_answer_in_an_impossible_state(anna, ended):
    answer(anna)
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.update(**ended)


def test_an_answer_is_sealed_until_it_is_sent_and_kept_unless_it_is_secret(anna):
    for text in ("Turn 3.", ""):
        row = queue_delivery(mail="Turn 3.", subject="Orders", address="Anna@example.org", user=anna, now=NOW)
        assert "Turn 3." not in str(Delivery.objects.filter(pk=row.pk).values().get())
        mark_delivery_sent(delivery=claim(), now=NOW, address="anna@example.org", subject="Orders", text=text)
        row.refresh_from_db()
        assert (row.text, row.sealed_mail, row.address) == (text, "", "anna@example.org")


def test_texts_of_emails_and_targets_of_notices_are_deleted_after_a_month(anna):
    tell(anna)
    answer(anna)
    for (delivery,) in claim_due_deliveries(now=NOW):
        mark_delivery_sent(delivery=delivery, now=NOW, address=anna.email, subject="Turn 3", text="t", web_text="w")
    assert forget_copies(now=NOW + timedelta(days=30)) == 0
    assert forget_copies(now=NOW + timedelta(days=31)) == 2
    told, answered = Delivery.objects.order_by("pk")
    assert (told.text, told.web_text, told.address, told.subject) == ("", "", "", "")
    assert (answered.text, answered.web_text, answered.address, answered.subject) == ("", "", anna.email, "Turn 3")


def test_old_answers_are_deleted_but_not_while_they_wait(anna):
    waits, sent = answer(anna), answer(anna)
    Delivery.objects.filter(pk=sent.pk).update(state="sent", sealed_mail="")
    assert prune_notices(now=NOW + timedelta(days=180)) == 0
    assert prune_notices(now=NOW + timedelta(days=181)) == 1
    assert Delivery.objects.get() == waits


@pytest.mark.parametrize("how", ["sent", "skipped", "failed"])
def test_secrets_are_sealed_in_the_row_and_deleted_when_the_email_ends(anna, how):
    tell(anna, kind="login_code", address=anna.email, secrets={"code": "QX7-Z42"})
    stored = Notice.objects.values().get()
    assert "QX7-Z42" not in str(stored)
    delivery = claim()
    assert facts_with_secrets(delivery.notice) == {"battle": 3, "code": "QX7-Z42"}
    if how == "sent":
        mark_delivery_sent(delivery=delivery, now=NOW)
    elif how == "skipped":
        mark_delivery_skipped(delivery=delivery, reason=SkipReason.SETTLED)
    else:
        mark_delivery_failed(delivery=delivery, error="550", now=NOW, permanent=True)
    assert Notice.objects.get().sealed == ""


def test_a_failure_that_will_be_retried_keeps_the_secret(anna):
    tell(anna, kind="login_code", address=anna.email, secrets={"code": "QX7-Z42"})
    mark_delivery_failed(delivery=claim(), error="421", now=NOW)
    assert facts_with_secrets(claim(NOW + BACKOFF[0]).notice)["code"] == "QX7-Z42"


def test_an_email_is_claimed_by_its_message_id_once(anna):
    tell(anna)
    message_id = Delivery.objects.get().message_id
    assert len(claim_email(message_id=message_id, now=NOW)) == 1
    assert claim_email(message_id=message_id, now=NOW) == []


def test_an_inactive_user_gets_no_email(anna):
    tell(anna)
    anna.is_active = False
    anna.save()
    assert address_for_delivery(claim()) is None


@given(st.dictionaries(st.text(), st.text()), st.binary())
def test_sealed_text_can_be_opened(facts, raw):
    assert unseal(seal(facts)) == facts
    assert unseal_bytes(seal_bytes(raw)) == raw


def test_seals_survive_a_new_secret_key_if_the_old_one_is_listed(settings):
    sealed = seal({"code": "1"})
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert unseal(sealed) == {"code": "1"}
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        unseal(sealed)
