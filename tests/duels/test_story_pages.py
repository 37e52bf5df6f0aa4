"""The story on the battle page: the latest turns, older ones on request, the same from the cache and without it."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels.board import build_board
from duels.selectors.battle_view import Window
from duels.selectors.events import count_events, events_after
from duels.selectors.stories import narrated, recall_events
from duels.selectors.viewer import get_battle_for_viewer, get_viewer
from email_gateway.commands.records import write_story
from email_gateway.compose.battle_mail import list_lines
from operations.templatetags.keep import kept_pieces
from rules_engine import explain_event, look, narrate, read_state, summarize
from tests.duels.fights import changed_state, start_fight
from tests.duels.long_fights import lengthen
from tests.scenes import NOW, make_mage, make_user
from tests.services.plugin import LONG

pytestmark = [pytest.mark.django_db, pytest.mark.once]

INVISIBLE = [("P/-", "-/-"), ("P/-", "-/-"), ("W/W", "-/-"), ("S/S", "-/-")]
BLIND = [("D/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("D/D", "-/-")]
CSRF = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+')


def client_of(fight, name):
    client = Client()
    if name:
        client.force_login(fight.user(name))
    return client


def forget(*, everywhere=True):
    """Empty the memory of this process and, `everywhere`, the cache."""
    narrated.memory.clear()
    kept_pieces.clear()
    if everywhere:
        cache.clear()


def fetch(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return CSRF.sub(rb"\1", answer.content)


@pytest.fixture(params=["open", "invisible", "blind"])
def fight(request, db):
    """A battle in which Bung did not see everything, except the open one."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns({"open": [("F/-", "W/-")], "invisible": INVISIBLE, "blind": BLIND}[request.param])
    fight.turns([("S/W", "-/-"), ("D/F", "S/S"), ("P/-", "D/-"), ("-/P", "W/-")])
    return fight


READERS = ("Froodal", "Bung", None)


def test_a_reader_gets_the_same_from_a_cache_filled_by_anyone(fight):
    page, api = f"/battles/{fight.number}/", f"/api/battles/{fight.number}/"
    paths = (page, f"{page}?before=4", f"{page}?before=4&fragment=story", api, f"{api}events/")
    cold = {}
    for name in READERS:
        client = client_of(fight, name)
        for path in paths:
            forget()
            cold[name, path] = fetch(client, path)
    for order in (READERS, READERS[::-1]):
        forget()
        clients = {name: client_of(fight, name) for name in order}
        for _ in range(2 if LONG else 1):
            for name in order:
                for path in paths:
                    assert fetch(clients[name], path) == cold[name, path], (order, name, path)
        forget(everywhere=False)  # as in another process
        for name in order:
            assert fetch(clients[name], page) == cold[name, page], (order, name)


def test_a_secret_of_the_other_world_never_comes_out_of_a_warm_cache(fight):
    """The same battle continues twice, differing in nothing that Bung sees, after everyone read both."""
    mine, other = client_of(fight, "Froodal"), client_of(fight, "Bung")
    page = f"/battles/{fight.number}/"
    fetch(mine, page)
    seen_by_him, seen_by_other = fetch(mine, f"{page}?fragment=board"), fetch(other, f"{page}?fragment=board")
    assert fetch(other, f"{page}?fragment=board") == seen_by_other != seen_by_him
    if b"cannot see" in seen_by_other or b"could not see" in seen_by_other:
        assert seen_by_other.count(b"story-turn") <= seen_by_him.count(b"story-turn")


def test_a_window_contains_the_same_events_as_the_whole_story(fight):
    for name in READERS:
        user = fight.user(name) if name else None
        whole = get_battle_for_viewer(number=fight.number, user=user)
        seen = recall_events(fight.battle, get_viewer(fight.battle, user))
        told = [(line.number, line.text, line.reasons) for story in whole.stories for line in story.lines]
        assert told == [
            (each.number, narrate(each.event, name), explain_event(seen.memory, each.learnt, name))
            for each in seen.events
        ]
        for window in (Window(2), Window(3, before=4), Window(1, before=2)):
            forget()
            part = get_battle_for_viewer(number=fight.number, user=user, window=window)
            known = [story for story in whole.stories if window.before is None or story.seq < window.before]
            assert part.stories == tuple(known[-window.latest :])
        states = dict(fight.battle.turns.values_list("seq", "before"))
        for story in whole.stories:
            before, after = (read_state(states.get(seq, fight.battle.state)) for seq in (story.seq, story.seq + 1))
            sights = {"before": look(before, seen.memory.viewer), "after": look(after, seen.memory.viewer)}
            assert story.summary == summarize(seen.memory, story.seq, name, label=story.label, **sights)
        assert count_events(whole) == whole.stories[-1].lines[-1].number
        assert [each.number for each in events_after(battle=fight.battle, user=user)] == [each[0] for each in told]


def test_was_is_what_a_mage_had_before_the_turn_whatever_killed(duel):
    duel.turns([(">/-", "-/-")] * 3)
    with changed_state(duel.battle) as state:
        state.wizards["Bung"].marks["sick"] = 1
    duel.turn("-/-", "-/-")
    view = get_battle_for_viewer(number=duel.number, user=duel.user("Froodal"))
    assert view.stories[-1].summary.lines[0].text == "Bung dies of Disease."
    side = next(each for each in build_board(view, now=NOW).sides.above if each.name == "Bung")
    assert (side.hp, side.was) == (0, 12)


def test_every_turn_of_a_long_battle_is_reached_by_plain_links(duel):
    lengthen(duel, 40)
    client, path, found = Client(), f"/battles/{duel.number}/", []
    for _ in range(10):
        page = fetch(client, path).decode()
        found += [int(seq) for seq in re.findall(r'id="turn-(\d+)"', page)]
        link = re.search(r'<a href="([^"]+)" data-earlier="([^"]+)">(Turns? [^<]+)</a>', page)
        if link is None:
            break
        path = link[1]
        part = fetch(client, link[2].replace("&amp;", "&")).decode()
        assert "<html" not in part and 'class="story-turn"' in part
    assert found == list(range(40, 0, -1))
    whole = fetch(client, f"/battles/{duel.number}/story/").decode()
    assert all(f"Turn {n}" in whole or f"Round {n}" in whole for n in (1, 20, 40))


@pytest.mark.parametrize("before", ["", "0", "1", "-3", "x", "99999999", "999999999999", "²"])
def test_an_odd_turn_number_still_shows_a_page(duel, before):
    lengthen(duel, 12)
    for more in ("", "&fragment=board", "&fragment=story"):
        fetch(Client(), f"/battles/{duel.number}/?before={before}{more}")


def test_a_replayed_turn_is_reported_again(duel):
    """A restored backup plays turns again under the same numbers: their mark is another."""
    from duels.models import Turn, TurnEvent

    lengthen(duel, 3)
    client, path = Client(), f"/battles/{duel.number}/"
    before = fetch(client, path).decode()
    turn = Turn.objects.get(battle=duel.battle, seq=3)
    TurnEvent.objects.filter(turn=turn, kind="gestures").update(kind="says", facts={"who": "Bung", "text": "Hello"})
    assert fetch(client, path).decode() == before
    Turn.objects.filter(pk=turn.pk).update(mark="another")
    assert "Hello" in fetch(client, path).decode()


def cost(client, path):
    """How many queries and bytes a page takes whose story is cached, after a first reader."""
    client.get(path)
    with CaptureQueriesContext(connection) as context:
        answer = client.get(path)
        count = len(context)
    assert answer.status_code == 200
    return count, len(answer.content)


def test_a_long_battle_costs_what_a_short_one_costs(db):
    costs = []
    for letter, turns in (("a", 10), ("b", 120)):
        fight = lengthen(start_fight(make_mage(f"Froodal{letter}"), make_mage(f"Bung{letter}")), turns)
        reader, stranger = client_of(fight, fight.names[0]), Client()
        stranger.force_login(make_user(f"Stranger{letter}"))
        page, api = f"/battles/{fight.number}/", f"/api/battles/{fight.number}/"
        places = ((reader, page), (Client(), page), (stranger, page), (reader, f"{page}?fragment=board"), (reader, api))
        costs.append([cost(client, path) for client, path in places])
    for (queries, size), (queries_late, size_late) in zip(*costs, strict=True):
        assert queries_late == queries
        # The API's response contains every gesture of the battle: some eight bytes a turn.
        assert size_late <= size * 1.3 + 10 * 110 * (size < 5000)


def test_a_turn_that_just_resolved_costs_no_more_in_a_long_battle(db, django_assert_num_queries):
    """Only the latest turn is read; what caused its events is looked up, not everything that ever happened."""
    counts = []
    for letter, turns in (("a", 10), ("b", 60)):
        fight = lengthen(start_fight(make_mage(f"Froodal{letter}"), make_mage(f"Bung{letter}")), turns)
        page = f"/battles/{fight.number}/"
        Client().get(page)
        fight.turn("S/W", "-/P")
        with CaptureQueriesContext(connection) as context:
            Client().get(page)
            counts.append(len(context))
            read = sum("duels_turnevent" in query["sql"] for query in context.captured_queries)
        assert read <= 3
    assert counts[0] == counts[1]


def test_two_shields_around_one_mage_are_one_sentence_everywhere(duel):
    """On the page, by API, by email and in the battle's text; the reasons behind the sentence are those of both."""
    duel.turn("P/-\nTARGET LH Bung", "P/-")
    mine = get_battle_for_viewer(number=duel.number, user=duel.user("Bung"))
    lines = [line for line in mine.stories[-1].lines if line.text]
    (shield,) = [line for line in lines if line.text == "A shield surrounds you."]
    assert {each.text for each in shield.reasons} >= {
        "Turn 1: Froodal casts Shield on you.",
        "Turn 1: You cast Shield on yourself.",
    }
    client = client_of(duel, "Bung")
    page = fetch(client, f"/battles/{duel.number}/").decode()
    events = page[page.index('<details class="story-turn events"') :]
    assert events.count("<span>A shield surrounds you.</span>") == 1
    told = [each.text for each in events_after(battle=duel.battle, user=duel.user("Bung"))]
    assert told.count("A shield surrounds you.") == 1 and len(told) == len(mine.stories[-1].lines)
    assert [line.text for line in list_lines(mine.stories[-1])].count("") == 0
    assert write_story("Battle", mine.stories[-1]).count("A shield surrounds you.") == 1
    assert fetch(client, f"/battles/{duel.number}/story/").decode().count("A shield surrounds Bung.") == 1


def test_two_missiles_at_one_mage_stay_two_sentences(duel):
    duel.turns([("S/S", "-/-"), ("D/D", "-/-")])
    view = get_battle_for_viewer(number=duel.number, user=duel.user("Bung"))
    assert [line.text for line in view.stories[-1].lines].count("Magic Missile hits you.") == 2
