"""The pages at an unknown address, and after a form that is out of date."""

import pytest
from django.test import Client

from accounts.models import User


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("path", ["/nothing/", "/battles/999999/", "/mailbox/999999/"])
def test_our_own_page_is_shown_with_and_without_debug(client, db, settings, debug, path):
    settings.DEBUG = debug
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()
    assert "URLconf" not in answer.content.decode()


def test_programs_get_a_problem_as_json(client, db, settings):
    settings.DEBUG = True
    answer = client.get("/api/battles/999999/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("debug", [True, False])
def test_a_form_from_before_a_login_in_another_tab_leads_to_our_own_page(db, settings, debug):
    settings.DEBUG = debug
    client = Client(enforce_csrf_checks=True)
    client.get("/play/")
    answer = client.post("/play/", {"strength": "Apprentice", "csrfmiddlewaretoken": "a" * 64})
    assert answer.status_code == 403
    assert "<h1>This page was out of date</h1>" in answer.text and "CSRF" not in answer.text
    assert not User.objects.filter(is_guest=True).exists()
