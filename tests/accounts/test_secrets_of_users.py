"""Mail passwords and API tokens."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.contrib.sessions.models import Session

from accounts.errors import InvalidMailPassword
from accounts.models import ApiToken, User
from accounts.password_limits import MAIL_NAME, MAIL_SENDER, MAIL_SENDER_AND_NAME
from accounts.services.mail_passwords import check_mail_password, set_mail_password
from accounts.services.tokens import MOST_TOKENS, issue_api_token, revoke_api_token
from accounts.services.users import create_user
from accounts.sessions import SessionStore
from operations.errors import TooManyAttempts
from tests.accounts.conftest import PASSWORD
from tests.accounts.tokens import get_user_for_token
from tests.refusals import refused
from tests.scenes import NOW

GOOD = "wizard7tower"


def test_orders_with_a_password_are_off_until_one_is_set(anna):
    assert not check_mail_password(user=anna, raw="")
    assert not check_mail_password(user=anna, raw=GOOD)


def test_the_mail_password_is_kept_as_a_hash_and_recognised(anna):
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    anna.refresh_from_db()
    assert GOOD not in anna.mail_password
    assert check_mail_password(user=anna, raw=GOOD)
    assert not check_mail_password(user=anna, raw=GOOD.upper())


def test_an_empty_mail_password_switches_it_off(anna):
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    set_mail_password(user=anna, raw="", now=NOW)
    assert not check_mail_password(user=anna, raw=GOOD)
    assert not check_mail_password(user=anna, raw="")


@pytest.mark.parametrize("raw", [PASSWORD, "two words here", "semi;colon12", "pässwörter99", "short1", "password1"])
def test_an_unsuitable_mail_password_is_rejected_with_the_reason(anna_with_password, raw):
    anna = anna_with_password
    with pytest.raises(InvalidMailPassword) as caught:
        set_mail_password(user=anna, raw=raw, now=NOW)
    assert caught.value.problems
    assert User.objects.get(pk=anna.pk).mail_password == ""


def test_guessing_locks_out_its_sender_and_nobody_else(anna):
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    for number in range(MAIL_SENDER_AND_NAME.limit):
        assert not check_mail_password(user=anna, raw="wrong", sender=f"guesser+{number}@example.net")
    with pytest.raises(TooManyAttempts, match="15 minutes"):
        check_mail_password(user=anna, raw=GOOD, sender="Guesser@example.net")
    assert check_mail_password(user=anna, raw=GOOD, sender="anna@example.org")


@pytest.mark.parametrize("sender", ["anna+%s@example.org", "guesser%s@example.net", "anna@host%s.example.org"])
def test_a_name_has_one_limit_whatever_the_senders(anna, sender):
    """FM-ORDGEN-19. Anyone can write any sender, also the user's own with any detail."""
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    tried = 0
    for number in range(200):
        with suppress(TooManyAttempts):
            check_mail_password(user=anna, raw="wrong", sender=sender % number)
            tried += 1
    assert tried <= MAIL_NAME.limit
    with pytest.raises(TooManyAttempts):
        check_mail_password(user=anna, raw=GOOD, sender=sender % "x" if tried == MAIL_NAME.limit else sender % 0)


def test_a_lock_never_hits_an_email_that_is_proven_to_be_the_users(anna):
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    for number in range(MAIL_NAME.limit + 5):
        with suppress(TooManyAttempts):
            check_mail_password(user=anna, raw="wrong", sender=f"guesser{number}@example.net")
    assert check_mail_password(user=anna, raw=GOOD, sender="anna@example.org", is_proven=True)


def test_a_sender_who_goes_through_many_accounts_is_stopped_and_others_are_not(db):
    users = [create_user(name=f"User_{number}", now=NOW) for number in range(9)]
    for number in range(MAIL_SENDER.limit):
        check_mail_password(user=users[number % 8], raw="wrong", sender="Guesser@example.net")
    with pytest.raises(TooManyAttempts):
        check_mail_password(user=users[8], raw="wrong", sender="guesser@EXAMPLE.net")
    assert not check_mail_password(user=users[8], raw="wrong", sender="honest@example.net")


def test_an_inactive_user_gives_no_orders(anna):
    set_mail_password(user=anna, raw=GOOD, now=NOW)
    anna.is_active = False
    assert not check_mail_password(user=anna, raw=GOOD)


def test_a_token_is_recognised_and_not_stored(anna):
    _, text = issue_api_token(user=anna, name="bot", now=NOW)
    assert text not in str(ApiToken.objects.values().get())
    assert get_user_for_token(text=text, now=NOW) == anna
    assert get_user_for_token(text=text + "x", now=NOW) is None
    assert get_user_for_token(text="", now=NOW) is None


def test_a_user_has_a_limited_number_of_tokens_that_work(anna):
    (first, _text), *_ = [issue_api_token(user=anna, name="bot", now=NOW) for _ in range(MOST_TOKENS)]
    with refused("too_many_tokens"):
        issue_api_token(user=anna, name="bot", now=NOW)
    revoke_api_token(user=anna, token_id=first.pk)
    issue_api_token(user=anna, name="bot", now=NOW)
    issue_api_token(user=anna, name="bot", now=NOW + timedelta(days=91))


def test_the_use_of_a_token_is_noted_from_time_to_time(anna):
    token, text = issue_api_token(user=anna, name="bot", now=NOW)
    for minutes in (0, 30, 90):
        get_user_for_token(text=text, now=NOW + timedelta(minutes=minutes))
    token.refresh_from_db()
    assert token.last_used_at == NOW + timedelta(minutes=90)


def test_a_revoked_token_is_useless_and_only_its_owner_revokes_it(anna, boris):
    token, text = issue_api_token(user=anna, name="bot", now=NOW)
    assert not revoke_api_token(user=boris, token_id=token.pk)
    assert revoke_api_token(user=anna, token_id=token.pk)
    assert get_user_for_token(text=text, now=NOW) is None


def test_the_token_of_an_inactive_user_is_useless(anna):
    _, text = issue_api_token(user=anna, name="bot", now=NOW)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert get_user_for_token(text=text, now=NOW) is None


def test_a_session_is_encrypted_so_that_nobody_can_read_a_log_in_code(db):
    session = SessionStore()
    session["account_login"] = {"code": "ABC-DEF7"}
    session.save()
    stored = Session.objects.get().session_data
    assert "ABC-DEF7" not in stored and "ABC-DEF7" not in str(RowStore().decode(stored))
    assert SessionStore(session.session_key)["account_login"] == {"code": "ABC-DEF7"}


def test_a_session_that_cannot_be_decrypted_is_empty(db):
    session = SessionStore()
    session["seen"] = 1
    session.save()
    Session.objects.update(session_data="nothing of ours")
    assert dict(SessionStore(session.session_key).items()) == {}
