"""The client plays on a running site: problems, busy servers, lost answers, broken streams, and a token that stays
secret."""

import asyncio
import logging
import threading
from itertools import islice

import httpx
import pytest
from django.utils import timezone
from firetop_client import AsyncFiretop, ClientError, Firetop, Problem, UnexpectedAnswer, Unreachable
from firetop_client.wire import MessageReader, Reconnection, check_address, make_headers, read_answer

from accounts.services.tokens import issue_api_token
from challenges.models import Challenge
from tests.duels.fights import start_fight
from tests.packages.weather import open_site
from tests.scenes import make_mage, make_user
from tests.services.stack import find_free_ports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site():
    with open_site() as running:
        yield running


def token_of(user):
    return issue_api_token(user=user, name="client", scopes=["read", "play"], now=timezone.now())[1]


@pytest.fixture
def players(site, duel):
    with (
        Firetop(site.url, token_of(duel.user("Froodal"))) as froodal,
        Firetop(site.url, token_of(duel.user("Bung"))) as bung,
    ):
        yield froodal, bung


def give(client, number, orders):
    return client.give_orders(client.read_battle(number), orders)


def test_two_programs_play_a_duel_and_follow_it_to_its_end(players, duel):
    froodal, bung = players
    n = duel.number
    assert froodal.read_me().mages[0].busy_with == "battle"
    seen = []

    def watch():
        seen.extend(bung.follow_battle(n))

    watching = threading.Thread(target=watch)
    watching.start()
    battle = froodal.read_battle(n)
    assert battle.owes_orders and (str(battle.key), battle.is_over) == ("1.0.0", False)
    assert froodal.give_orders(battle, ["LH S", "RH W"]).outcome == "ready"
    with Firetop(froodal.url, token_of(duel.user("Bung"))) as other:
        assert give(other, n, "P/D").outcome == "resolved"
        with pytest.raises(Problem) as late:
            froodal.give_orders(battle, "S/W")
        assert (late.value.status, late.value.code) == (409, "stale")
        assert late.value.more["now"]["key"] == {"seq": 2, "attempt": 0, "stage": 0}
        with pytest.raises(Problem) as wrong:
            give(other, n, "LH Q\nDANCE")
        assert [each.line for each in wrong.value.problems] == [1, 2]
        for each in wrong.value.problems:
            assert each.message in str(wrong.value) and f"line {each.line}" in str(wrong.value)
        assert give(froodal, n, "S/S").outcome == "ready"
        other.surrender(n)
    watching.join(60)
    assert not watching.is_alive() and seen[-1].is_over and seen[-1].result
    assert seen[0].turn == "1" and len(seen) == len({repr(battle) for battle in seen})
    assert froodal.read_record(n)
    # 202: no worker runs in this test.
    assert froodal.request_analysis(n).battle == n


def test_a_call_whose_answer_is_lost_has_one_effect_and_a_busy_site_is_asked_again(site):
    with Firetop(site.url, token_of(make_mage("Caller").user)) as client:
        site.weather.coming.extend(["lost", 503])
        made = client.create_challenge(mage="Caller", pace="day", stakes="friendly")
        assert list(Challenge.objects.values_list("number", flat=True)) == [made.challenge]
        times, _paths, headers = zip(*site.weather.asked, strict=True)
        assert len(times) == 3 and len({each["idempotency-key"] for each in headers}) == 1
        assert times[2] - times[1] >= 1  # Retry-After
        site.weather.coming.extend([429] * 9)
        client.patience = 2.5
        with pytest.raises(Problem) as busy:
            client.read_me()
        assert busy.value.status == 429
        (port,) = find_free_ports(1)
        with pytest.raises(Unreachable), Firetop(f"http://127.0.0.1:{port}", patience=0.1) as nowhere:
            nowhere.read_bots()


def test_a_broken_stream_goes_on_where_it_was(site, players, duel):
    froodal, bung = players
    begin = froodal.list_own_events().events[-1].id
    site.weather.path = "/api/v1/events/"
    site.weather.coming.extend(["break", 503, "break"])
    site.weather.asked.clear()

    def play():
        for _ in range(3):
            give(froodal, duel.number, "S/S")
            give(bung, duel.number, "D/D")

    playing = threading.Thread(target=play)
    playing.start()
    with Firetop(site.url, token_of(duel.user("Froodal"))) as listening:
        events = list(islice(listening.events(after=begin), 3))
    playing.join(60)
    assert [event.type for event in events] == ["turn_resolved"] * 3 and len({event.id for event in events}) == 3
    times, _paths, headers = zip(*site.weather.asked, strict=True)
    # The busy site told nothing, and was asked again when it wanted.
    assert headers[0]["last-event-id"] == begin and headers[1]["last-event-id"] in {event.id for event in events}
    assert headers[2]["last-event-id"] == headers[1]["last-event-id"] and times[2] - times[1] >= 1


def test_the_client_for_asyncio_plays_and_listens_at_the_same_time(site, duel):
    tokens = [token_of(duel.user(name)) for name in ("Froodal", "Bung")]

    async def story():
        async with AsyncFiretop(site.url, tokens[0]) as froodal, AsyncFiretop(site.url, tokens[1]) as bung:
            site.weather.path = f"/api/v1/battles/{duel.number}/stream/"
            site.weather.coming.append("break")
            turns = []
            async for battle in froodal.turns(duel.number):
                turns.append(battle.turn)
                await froodal.give_orders(battle, "P/P" if battle.turn == "3" else "S/W")
                other = await bung.read_battle(duel.number)
                await bung.give_orders(other, "F/F")
            assert turns == ["1", "2", "3"] and (await froodal.read_battle(duel.number)).is_over
            with pytest.raises(Problem, match="no_battle"):
                await bung.read_battle(4711)
            with pytest.raises(Problem, match="no_battle"):
                async for _state in bung.follow_battle(4711):
                    pass

    asyncio.run(asyncio.wait_for(story(), 60))


def test_the_token_is_in_no_log_text_or_error(site, duel, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    secret = token_of(duel.user("Froodal"))
    told = []
    with Firetop(site.url, secret) as client:
        told += [repr(client), str(vars(client)), repr(client._http.headers)]
        client.read_me()
        with pytest.raises(Problem) as refused:
            client.read_battle(4711)
        told += [repr(refused.value), str(refused.value), str(vars(refused.value))]
        next(client.follow_battle(duel.number))
    with Firetop(site.url, f"{secret}x") as wrong, pytest.raises(Problem, match="401 token") as unknown:
        next(wrong.events())
    told += [repr(unknown.value), caplog.text, *capsys.readouterr()]
    assert "httpcore" in caplog.text and not [text for text in told if secret in text]


@pytest.mark.parametrize(
    "url",
    [
        "http://site.example",
        "site.example",
        "ftp://site.example",
        "",
        "https://site.example:port",
        "https://site.example:99999",
        "https://[site.example",
        "https://site example",
        "https://me:fm_secret@site.example",
        "https://site.example/?next=1",
        "https://site.example/#top",
        "https://site.example/api/v1/",
    ],
)
def test_a_token_is_sent_only_to_a_site_and_never_in_the_clear(url):
    with pytest.raises(ClientError, match="https://") as wrong:
        check_address(url)
    assert "fm_secret" not in str(wrong.value)


def test_a_token_is_stripped_and_one_that_cannot_be_sent_is_not_shown():
    assert make_headers("fm_secret\n", "")["Authorization"] == "Bearer fm_secret"
    for token in ("fm_\nsecret", "fm_sécret", "fm_ secret"):
        with pytest.raises(ClientError, match="token") as wrong:
            Firetop("https://site.example", token)
        assert "cret" not in repr(wrong.value) and wrong.value.__context__ is None


def test_a_client_that_was_closed_says_so():
    client = Firetop("https://site.example")
    client.close()
    for call in (client.read_me, lambda: next(client.events())):
        with pytest.raises(ClientError, match="closed"):
            call()


def test_a_redirected_call_has_not_been_made():
    moved = httpx.Response(301, headers={"Location": "https://new.example/"})
    with pytest.raises(UnexpectedAnswer, match=r"https://new\.example/"):
        read_answer(None, moved)


def test_each_mage_of_a_user_gets_their_turn(site):
    owner = make_user("Twomages")
    fight = start_fight(make_mage("Ayla", owner), make_mage("Borin", owner))
    token = token_of(owner)

    async def ask_both():
        async with AsyncFiretop(site.url, token) as client:
            asked = []
            async for battle in client.turns(fight.number):
                asked.append((battle.orders.mage, battle.turn))
                if len(asked) == 3:
                    return asked
                await client.give_orders(battle, "S/W")

    asked = []
    with Firetop(site.url, token) as client:
        for battle in client.turns(fight.number):
            asked.append((battle.orders.mage, battle.turn))
            if len(asked) == 3:
                break
            client.give_orders(battle, "S/W")
    assert asked == [("Ayla", "1"), ("Borin", "1"), ("Ayla", "2")]
    assert asyncio.run(asyncio.wait_for(ask_both(), 60)) == [("Ayla", "2"), ("Borin", "2"), ("Ayla", "3")]


def test_messages_are_read_from_any_pieces():
    text = "retry: 2000\r\n: hello\n\nid: 1\nevent: state\ndata: a\u2028\x85b\ndata:c\n\n"
    text += ": still here\n\nid: 2\ndata: d\n\n"
    for size in (1, 3, 1000):
        reader = MessageReader()
        parts = [text.encode()[at : at + size] for at in range(0, len(text.encode()), size)]
        found = [message for part in parts for message in reader.feed(part)]
        assert [(each.id, each.event, each.data) for each in found] == [
            ("1", "state", "a\u2028\x85b\nc"),
            ("2", "message", "d"),
        ]
        assert reader.retry == 2.0 and reader.last == "2"


def test_a_stream_goes_on_from_an_id_that_came_without_a_message():
    place, reader = Reconnection(""), MessageReader()
    assert not list(reader.feed(b"retry: 2000\nid: 7\n: hello\n\n"))
    place.note(reader)
    assert place.headers()["Last-Event-ID"] == "7" and place.pauses.first == 2.0
