"""The replay: every turn on the real board, through the eyes that the reader may use, and no others."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.duels.fights import start_fight
from tests.duels.long_fights import lengthen
from tests.scenes import make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]

CSRF = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')
BLIND = [("D/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("D/D", "-/-")]


def client_of(fight, name):
    client = Client()
    if name == "stranger":
        client.force_login(make_user("Stranger"))
    elif name:
        client.force_login(fight.user(name))
    return client


def read(client, fight, seq, **query):
    answer = client.get(f"/battles/{fight.number}/replay/{seq}/", query)
    assert answer.status_code == 200, answer.content
    return CSRF.sub("", answer.content.decode())


def points_of(page, mage):
    return int(re.search(rf'id="mage-{mage}-hp"[^>]*>\s*<b>(\d+)</b>', page)[1])


@pytest.fixture
def struck(duel):
    """Froodal's missile hits Bung in turn 2; turn 3 is played, and turn 4 is open."""
    duel.turns([("S/W", "-/-"), ("D/W\nTARGET LH Bung", "-/F"), ("F/F", "W/-")])
    return duel


def end(fight):
    fight.turn("P/P", "-/-")
    assert fight.battle.is_over
    return fight


def test_each_turn_shows_the_board_as_it_left_it(struck):
    anybody = Client()
    assert [points_of(read(anybody, struck, seq), "Bung") for seq in (1, 2, 3)] == [15, 14, 14]
    first = read(anybody, struck, 1)
    assert "Turn 1: snap" in first and "Turn 2: digit" not in first


def test_a_turn_tells_what_was_left_after_it_not_at_the_end(struck):
    struck.turn("D/D", "-/-")
    struck.turn("W/>", "-/-")
    end(struck)
    assert "Bung has 14." in read(Client(), struck, 2)
    assert points_of(read(Client(), struck, 5), "Bung") < 14


def test_the_steps_of_a_turn_lead_from_the_points_before_to_those_after(struck):
    page = read(Client(), struck, 2)
    assert 'data-step="orders" data-points="Froodal:15 Bung:15"' in page
    line = re.search(r'data-points="([^"]*)">\s*(<a[^>]*>Bung loses 1 hit point to Magic Missile)', page)
    assert line[1] == "Froodal:15 Bung:14"
    assert 'href="#mage-Bung-hp"' in line[2] and 'id="mage-Bung-hp"' in page


def test_the_replay_begins_with_the_first_turn_and_has_none_that_is_not_over(struck):
    anybody = Client()
    assert anybody.get(f"/battles/{struck.number}/replay/").headers["Location"] == f"/battles/{struck.number}/replay/1/"
    for seq in (0, 4, 99):
        assert anybody.get(f"/battles/{struck.number}/replay/{seq}/").status_code == 404
    assert anybody.get("/battles/987654/replay/1/").status_code == 404


def test_a_battle_without_a_turn_has_no_replay(duel):
    page = f"/battles/{duel.number}/"
    assert Client().get(f"{page}replay/").headers["Location"] == page
    assert "replay" not in Client().get(page).content.decode()


def test_every_turn_of_the_story_leads_to_its_replay(struck):
    page = Client().get(f"/battles/{struck.number}/").content.decode()
    for seq in (1, 2, 3):
        assert f'href="/battles/{struck.number}/replay/{seq}/"' in page
    assert f"/battles/{struck.number}/replay/4/" not in page
    end(struck)
    assert f'href="/battles/{struck.number}/replay/"' in Client().get("/battles/").content.decode()
    winner = client_of(struck, "Bung").get(f"/battles/{struck.number}/").content.decode()
    assert "Watch the replay" in winner


def test_while_the_battle_runs_nobody_can_choose_a_viewpoint(struck):
    for name in ("Froodal", "Bung", "stranger", None):
        client = client_of(struck, name)
        plain = read(client, struck, 2)
        assert "See it as" not in plain
        for eyes in ("Froodal", "Bung", "all-seeing", "looking-on", "nonsense"):
            assert read(client, struck, 2, eyes=eyes) == plain


def test_orders_of_a_running_battle_are_shown_to_their_owner_alone(struck):
    assert "TARGET LH Bung" in read(client_of(struck, "Froodal"), struck, 2)
    for name in ("Bung", "stranger", None):
        assert "TARGET" not in read(client_of(struck, name), struck, 2)
    assert "D/W" not in read(Client(), struck, 2)


def test_after_the_end_everyone_can_choose_any_viewpoint(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([*BLIND, ("S/W", "-/-"), ("D/F", "F/S")])
    fight.turn("P/P", "-/-")
    anybody = Client()
    everything = read(anybody, fight, 6)
    assert "S/W" in everything and points_of(everything, "Froodal") == 15
    assert f'href="/battles/{fight.number}/replay/6/?eyes=Bung"' in everything
    blinded = read(anybody, fight, 6, eyes="Bung")
    assert "hit points hidden" in blinded and "S/W" not in blinded and "Turn 6: not seen" in blinded
    assert "S/W" in read(anybody, fight, 6, eyes="Froodal")
    looking_on = read(anybody, fight, 6, eyes="looking-on")
    assert "You cannot see these orders." in looking_on and "Turn 6: not seen" in looking_on
    own = read(client_of(fight, "Bung"), fight, 6)
    assert "You</a>" in own and "S/W" in own


def test_turns_taken_back_are_not_in_the_replay(struck):
    struck.battle.turns.filter(seq=3).update(taken_back_by=1)
    assert Client().get(f"/battles/{struck.number}/replay/3/").status_code == 404


def test_a_turn_costs_as_many_queries_early_as_late_in_a_long_battle(db):
    mages = [make_mage(name) for name in ("Ayla", "Borin", "Cormac", "Dagna", "Elof", "Fria")]
    fight = lengthen(start_fight(*mages), 60)
    counts, client = [], Client()
    for seq in (20, 30, 60):
        read(client, fight, seq)  # the second reading has the stories from the cache
        with CaptureQueriesContext(connection) as asked:
            page = read(client, fight, seq)
        counts.append(len(asked))
        assert len(page.encode()) < 200_000
    assert len(set(counts)) == 1 and counts[0] <= 8
