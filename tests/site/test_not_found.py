"""The page at an unknown address."""

import pytest


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
