"""A new password revokes what the old one may have created; creating a token needs a recent log-in."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.services.mail_passwords import check_mail_password, set_mail_password
from accounts.services.tokens import issue_api_token
from email_gateway.compose.notices import compose_notice
from moderation.services.user_actions import remove_second_factor
from notifications.models import Notice
from notifications.selectors.notices import facts_with_secrets
from tests.accounts.conftest import PASSWORD
from tests.accounts.tokens import get_user_for_token
from tests.services.second_factors import give_second_factor, prove_lately, record_proof

NEW = "seven-salt-stairs"
MAIL_PASSWORD = "wizard7tower"
CHOSEN = {"name": "bot", "scope": "play", "days": "30"}
MESSAGE = "1 API token was revoked. The mail password was switched off."


@pytest.fixture
def armed(anna_with_password):
    """Anna with a password, a token and a mail password, and the token's text."""
    now = timezone.now()
    set_mail_password(user=anna_with_password, raw=MAIL_PASSWORD, now=now)
    return anna_with_password, issue_api_token(user=anna_with_password, name="bot", now=now)[1]


def works(user, text):
    fresh = User.objects.get(pk=user.pk)
    return get_user_for_token(text=text, now=timezone.now()) is not None, check_mail_password(
        user=fresh, raw=MAIL_PASSWORD
    )


def mail_about_change(user):
    notice = Notice.objects.filter(kind="account_changed", user=user).latest("pk")
    return compose_notice(kind=notice.kind, facts=notice.facts, user=user).text


def test_a_new_password_revokes_tokens_and_says_so_on_the_page_and_by_email(client, armed):
    anna, text = armed
    assert works(anna, text) == (True, True)
    client.force_login(anna)
    address = reverse("account_change_password")
    assert "revokes your API tokens" in client.get(address).content.decode()
    changed = client.post(address, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}, follow=True)
    assert works(anna, text) == (False, False)
    assert MESSAGE in changed.content.decode()
    assert MESSAGE in " ".join(mail_about_change(anna).split())


def test_a_rejected_change_revokes_nothing(client, armed):
    anna, text = armed
    client.force_login(anna)
    client.post(reverse("account_change_password"), {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert works(anna, text) == (True, True)


def test_a_reset_by_emailed_code_revokes(client, armed):
    anna, text = armed
    client.post(reverse("account_reset_password"), {"email": anna.email})
    notice = Notice.objects.get(kind="password_reset")
    code = facts_with_secrets(notice)["code"]
    client.post(reverse("account_confirm_password_reset_code"), {"code": code})
    done = client.post(reverse("account_complete_password_reset"), {"password1": NEW, "password2": NEW}, follow=True)
    assert works(anna, text) == (False, False)
    assert MESSAGE in done.content.decode()
    assert MESSAGE in " ".join(mail_about_change(anna).split())


def test_a_password_set_by_the_operator_revokes(armed):
    anna, text = armed
    anna.set_password(NEW)
    anna.save()
    assert works(anna, text) == (False, False)


def test_only_the_users_own_tokens_are_revoked(armed, boris):
    anna, _ = armed
    _, of_boris = issue_api_token(user=boris, name="bot", now=timezone.now())
    anna.set_password(NEW)
    anna.save()
    assert get_user_for_token(text=of_boris, now=timezone.now()) == boris


def test_rehashing_a_password_revokes_nothing(client, armed, settings):
    anna, text = armed
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]
    assert client.login(username="Anna", password=PASSWORD)
    assert User.objects.get(pk=anna.pk).password.startswith("pbkdf2")
    assert get_user_for_token(text=text, now=timezone.now()) == anna


def test_a_lost_second_factor_that_a_superuser_removes_revokes(armed):
    anna, text = armed
    give_second_factor(anna)
    assert remove_second_factor(user=anna, now=timezone.now())
    assert works(anna, text) == (False, False)
    assert MESSAGE in " ".join(mail_about_change(anna).split())


def test_a_token_is_created_only_after_the_password(client, anna_with_password):
    client.force_login(anna_with_password)
    address = reverse("accounts:tokens")
    asked = client.post(address, CHOSEN)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert not ApiToken.objects.exists()
    assert "fm_" not in client.post(asked["Location"], {"password": "wrong"}).content.decode()
    made = client.post(asked["Location"], {"password": PASSWORD, "next": address}, follow=True).content.decode()
    assert ApiToken.objects.get().start in made


def test_a_log_in_by_code_counts_as_recent(client, anna):
    client.force_login(anna)
    address = reverse("accounts:tokens")
    for seconds_ago, status in ((3600, 422), (10, 200)):
        record_proof(client, anna, {"method": "code", "reauthenticated": False}, seconds_ago=seconds_ago)
        assert client.post(address, CHOSEN).status_code == status
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(("scope", "scopes"), [("read", "read"), ("play", "read play")])
def test_a_token_says_what_it_may_do_until_when_and_when_it_was_used(client, anna, scope, scopes):
    client.force_login(anna)
    prove_lately(client, anna)
    client.post(reverse("accounts:tokens"), CHOSEN | {"scope": scope})
    token = ApiToken.objects.get()
    assert (token.scopes, (token.expires_at - token.created_at).days) == (scopes, 30)
    page = client.get(reverse("accounts:tokens")).content.decode()
    assert token.may in page and "never used" in page and "expires" in page
    ApiToken.objects.update(expires_at=timezone.now())
    assert "<b>expired</b>" in client.get(reverse("accounts:tokens")).content.decode()


@pytest.mark.parametrize("wrong", [{"scope": "admin"}, {"days": "99999"}, {"days": ""}, {"name": " "}])
def test_a_token_of_an_unknown_kind_is_rejected(client, anna, wrong):
    client.force_login(anna)
    prove_lately(client, anna)
    assert client.post(reverse("accounts:tokens"), CHOSEN | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_token_needs_known_scopes(anna):
    for scopes in ([], ["admin"], ["read", "admin"]):
        with pytest.raises(ValueError, match="unknown scopes"):
            issue_api_token(user=anna, name="bot", scopes=scopes, now=timezone.now())
