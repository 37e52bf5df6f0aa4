"""What somebody sees at an address where nothing is."""

import pytest


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize("path", ["/nothing/", "/battles/999999/", "/mailbox/999999/"])
def test_the_houses_own_page_with_and_without_debug(client, db, settings, debug, path):
    settings.DEBUG = debug
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()
    assert "URLconf" not in answer.content.decode()


def test_programs_are_told_in_their_own_language(client, db, settings):
    settings.DEBUG = True
    answer = client.get("/api/battles/999999/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
