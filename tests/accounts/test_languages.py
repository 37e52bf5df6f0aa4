"""Which language a reader gets, on pages, in the API and in emails."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import get_language

from accounts.languages import in_language_of
from accounts.models import User
from accounts.services.tokens import issue_api_token
from accounts.services.users import set_language
from email_gateway.compose import notices

pytestmark = pytest.mark.django_db
GERMAN = {"headers": {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}}


def language_of_page(client: Client, path: str = "/rules/", **more) -> str:
    response = client.get(path, **more)
    language = response.headers["Content-Language"]
    assert f'<html lang="{language}"' in response.content.decode()
    assert {"accept-language", "cookie"} <= {name.strip().lower() for name in response.headers["Vary"].split(",")}
    return language


def test_a_browser_gets_the_language_it_asks_for(client):
    assert language_of_page(client) == "en"
    assert language_of_page(client, **GERMAN) == "de"
    assert language_of_page(client, headers={"Accept-Language": "fr, xx;q=0.3, \x7f"}) == "en"
    assert language_of_page(client) == "en", "the language of one page must not stay for the next"


def test_a_language_chosen_in_the_footer_takes_precedence_and_keeps_the_page(client):
    assert 'name="next" value="/ladder/"' in client.get("/ladder/?sort=name").content.decode()
    form = {"language": "de", "next": "/ladder/"}
    chosen = client.post("/accounts/language/", form, headers={"Referer": "http://testserver/ladder/?sort=name"})
    assert (chosen.status_code, chosen.headers["Location"]) == (302, "/ladder/?sort=name")
    assert client.post("/accounts/language/", form).headers["Location"] == "/ladder/"
    assert language_of_page(client) == "de"
    client.post("/accounts/language/", {"language": "en", "next": "/"})
    assert language_of_page(client, **GERMAN) == "en"


def test_a_visitor_gets_no_cookie_before_they_choose(client):
    client.get("/rules/")
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies
    assert settings.CSRF_COOKIE_NAME not in client.cookies


@pytest.mark.parametrize("language", ["", "es", "xx", "../../etc", "de\0", "d" * 5000])
def test_an_unknown_language_changes_nothing(client, language):
    assert client.post("/accounts/language/", {"language": language}).status_code in (302, 400)
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


def test_an_odd_cookie_is_ignored(client):
    for text in ("es", "xx", "../de", "d" * 3000):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = text
        assert language_of_page(client) == "en"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "ladder", "javascript:alert(1)"])
def test_a_choice_redirects_to_no_other_site(client, target):
    form = {"language": "de", "next": target}
    assert client.post("/accounts/language/", form, headers={"Referer": target}).headers["Location"] == "/"
    doubled = {"Referer": "http://testserver//evil.example/"}
    assert client.post("/accounts/language/", form, headers=doubled).headers["Location"] == "/"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example"])
def test_another_site_cannot_choose(origin, anna):
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    answer = client.post("/accounts/language/", {"language": "de"}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert User.objects.get(pk=anna.pk).language == ""
    ours = client.post("/accounts/language/", {"language": "de"}, headers={"Origin": "http://testserver"})
    assert ours.status_code == 302
    assert User.objects.get(pk=anna.pk).language == "de"


def test_the_users_choice_counts_most(client, anna):
    set_language(user=anna, language="de")
    client.force_login(anna)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert language_of_page(client, headers={"Accept-Language": "en"}) == "de"
    anna.language = "xx"  # a language that the site no longer has
    anna.save()
    assert language_of_page(client) == "en"


def test_the_settings_offer_every_language(client, anna):
    client.force_login(anna)
    form = {
        name: field.initial or "" for name, field in client.get("/accounts/settings/").context["form"].fields.items()
    }
    form |= client.get("/accounts/settings/").context["form"].initial
    answer = client.post("/accounts/settings/", {**form, "language": "de"}, follow=True)
    assert User.objects.get(pk=anna.pk).language == "de"
    assert "Gespeichert." in answer.content.decode()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    answer = client.post("/accounts/settings/", {**form, "language": ""}, follow=True)
    assert User.objects.get(pk=anna.pk).language == ""
    assert "Settings saved." in answer.content.decode()
    assert client.post("/accounts/settings/", {**form, "language": "es"}).status_code == 422


def test_errors_are_in_the_language_too(client):
    answer = client.get("/no-such-page/", **GERMAN)
    assert (answer.status_code, answer.headers["Content-Language"]) == (404, "de")
    assert '<html lang="de"' in answer.content.decode()
    odd = client.get("/rules/", {"q": "a\0b"}, **GERMAN)
    assert (odd.status_code, odd.headers["Content-Language"]) == (400, "de")
    assert '<html lang="de"' in odd.content.decode()


def test_static_files_have_no_language(client):
    answer = client.get("/static/css/no-such-file.css", **GERMAN)
    assert "Accept-Language" not in answer.headers.get("Vary", "")


def test_the_api_answers_the_owner_of_a_token_in_their_language(client, anna):
    set_language(user=anna, language="de")
    _, text = issue_api_token(user=anna, name="bot", now=timezone.now())
    bearer = {"Authorization": f"Bearer {text}", "Accept-Language": "en"}
    assert client.get("/api/battles/1/", headers=bearer).headers["Content-Language"] == "de"
    assert client.get("/api/battles/1/", **GERMAN).headers["Content-Language"] == "de"
    assert client.get("/api/battles/1/").headers["Content-Language"] == "en"


def test_an_email_is_written_in_the_language_of_its_reader(anna, monkeypatch):
    seen = []
    monkeypatch.setitem(notices.COMPOSERS, "user_act", lambda *_: seen.append(get_language()))
    with translation.override("de"):  # the language of the person who causes the email
        notices.compose_notice(kind="user_act", facts={}, user=anna)
    set_language(user=anna, language="de")
    notices.compose_notice(kind="user_act", facts={}, user=anna)
    assert seen == ["en", "de"]


def test_a_context_without_a_user_is_the_sites_language():
    with translation.override("de"), in_language_of(None):
        assert get_language() == "en"


def test_a_user_who_signs_up_in_german_gets_german_emails(client):
    form = {"username": "Gerda", "email": "gerda@example.org", "password1": "ganz was Langes 7"}
    client.post("/accounts/signup/", form, **GERMAN)
    assert User.objects.get(username="Gerda").language == "de"
    Client().post("/accounts/signup/", form | {"username": "Gwen", "email": "gwen@example.org"})
    assert User.objects.get(username="Gwen").language == ""
