"""The API of cups."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from league.models import Cup, Place
from tests.league.cups import DAY, begin, enter, finish, make_cup, user_of
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db
EIGHT = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn", "Gala", "Hild")


def as_program(user):
    return Client(headers={"Authorization": f"Bearer {issue_api_token(user=user, name='t', now=NOW)[1]}"})


def test_a_program_joins_and_leaves_and_reads_what_is_open():
    cup = make_cup(begins_at=timezone.now() + 3 * DAY)
    mage = make_mage("Ayla")
    make_mage("Borin")
    program = as_program(mage.user)
    where = f"/api/v1/cups/{cup.pk}/"
    joined = program.post(f"{where}join/", {"mage": "Ayla"}, content_type="application/json")
    assert (joined.status_code, joined.json()) == (200, {"mage": "Ayla"})
    assert (program.get(where).json()["entrants"], program.get(where).json()["mine"]) == (["Ayla"], "Ayla")
    assert Client().get("/api/v1/cups/").json()["open"][0]["state"] == "open"
    refused = program.post(f"{where}join/", {"mage": "Borin"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_mage")
    empty = {"data": {}, "content_type": "application/json"}
    assert program.post(f"{where}leave/", **empty).json() == {"mage": None}
    assert program.post(f"{where}leave/", **empty).status_code == 409
    assert not Place.objects.exists()
    assert program.post("/api/v1/cups/7777/leave/", **empty).status_code == 404


def test_a_bracket_and_a_table_are_read_as_pages_show_them():
    cup = make_cup()
    enter(cup, *EIGHT)
    cup = begin(cup)
    finish(cup, "Ayla", "Ayla", "Hild", now=cup.begins_at)
    shown = as_program(user_of("Dain")).get(f"/api/v1/cups/{cup.pk}/").json()
    assert (shown["state"], [each["title"] for each in shown["rounds"]]) == (
        "running",
        ["Quarter-finals", "Semi-finals", "Final"],
    )
    board = shown["rounds"][0]["boards"][1]
    assert ([side["mage"] for side in board["sides"]], board["your_move"]) == (["Dain", "Esme"], True)
    evening = make_cup(Cup.Kind.EVENING)
    enter(evening, "Ida", "Jon", "Kay", "Lil", "Max", "Ned")
    begin(evening)
    shown = Client().get(f"/api/v1/cups/{evening.pk}/").json()
    assert len(shown["table"]) == 6 and shown["round_ends_at"] and shown["rounds"][0]["state"] == "now"
    assert not any(board["your_move"] for board in shown["rounds"][0]["boards"])


def test_events_lead_a_program_to_the_cup():
    cup = make_cup()
    enter(cup, *EIGHT)
    begin(cup)
    read = as_program(user_of("Ayla")).get("/api/v1/events/", headers={"Accept": "application/json"})
    events = [(event["type"], event["url"].rpartition("/api/")[2]) for event in read.json()["events"]]
    assert ("league_changed", f"v1/cups/{cup.pk}/") in events
