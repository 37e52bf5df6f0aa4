"""The stream of events: one connection for all battles, ids and links only, and it resumes after an interruption."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.live.event_stream import EventFeed
from accounts.live.token_streams import MOST_OF_A_USER, TokenStreams, wants_stream
from accounts.models import ApiToken, Engagement
from accounts.services.leave import close_user
from accounts.services.tokens import issue_api_token, revoke_api_token
from duels.models import Battle
from moderation.services.merge_users import merge_users
from notifications.events import MOST_AT_ONCE
from notifications.models import Notice
from notifications.services.outbox import write_notice
from tests.accounts.streams import Stream, no_page
from tests.duels.janitors import make_janitor
from tests.duels.sockets import run
from tests.scenes import NOW, make_mage, make_user

MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.django_db(transaction=True)


def token_of(user, **more):
    return issue_api_token(user=user, name="test", now=timezone.now(), **more)


def test_a_turn_wakes_both_players_once_without_details(duel):
    froodal, bung = (token_of(duel.user(name))[1] for name in ("Froodal", "Bung"))

    async def story():
        app = TokenStreams(no_page, EventFeed)
        streams = [Stream(app, froodal), Stream(app, bung)]
        assert [await each.open() for each in streams] == [200, 200]
        for each in streams:  # what is over when the stream begins is not told
            await each.wire.receive_output(5)
        await sync_to_async(duel.order)("Froodal", "P/D")
        assert await streams[1].is_silent()  # orders are a secret, and so is that they were given
        await sync_to_async(duel.order)("Bung", "F/F")
        told = [await each.event() for each in streams]
        for data in told:
            assert {**data, "id": "", "at": ""} == {
                "id": "",
                "at": "",
                "type": "turn_resolved",
                "battle": duel.number,
                "challenge": None,
                "url": f"/api/v1/battles/{duel.number}/",
            }
        assert told[0]["id"] != told[1]["id"]
        assert all([await each.is_silent() for each in streams])
        for each in streams:
            await each.close()
        assert not app.open

    run(story(), seconds=40)


def test_an_interrupted_stream_resumes_where_it_was(duel):
    froodal = token_of(duel.user("Froodal"))[1]

    async def story():
        app = TokenStreams(no_page, EventFeed)
        stream = Stream(app, froodal)
        await sync_to_async(make_older)()
        await stream.open()
        await sync_to_async(duel.turn)("P/D", "F/F")
        first = await stream.event()
        await stream.close()
        stream = Stream(app, froodal, last=first["id"])
        await sync_to_async(write_message)(duel.user("Froodal"), "while away")
        await stream.open()
        later = await stream.event()
        assert (first["type"], later["type"]) == ("turn_resolved", "message")
        # A sweep asks the clock once; what it does last is stored much later than its time says.
        await sync_to_async(write_message)(duel.user("Froodal"), "late", -MINUTE)
        assert (await stream.event())["type"] == "message"
        assert await stream.is_silent()
        await stream.close()

    run(story(), seconds=40)


def test_a_stream_that_breaks_off_before_its_first_event_misses_nothing(duel):
    """Programs that have had no event yet go on from the id that the stream began with."""

    async def story():
        app = TokenStreams(no_page, EventFeed)
        for user in (duel.user("Froodal"), await sync_to_async(make_user)("Newcomer")):
            text = (await sync_to_async(token_of)(user))[1]
            stream = Stream(app, text)
            await stream.open()
            place = await stream.place()
            assert await stream.is_silent()  # nothing that happened before
            await stream.close()
            await sync_to_async(write_message)(user, "while away")
            stream = Stream(app, text, last=place)
            await stream.open()
            assert (await stream.event())["type"] == "message"
            assert await stream.is_silent()
            await stream.close()

    write_message(duel.user("Froodal"), "first")
    write_message(duel.user("Froodal"), "second")
    make_older()
    run(story(), seconds=40)


def make_older():
    """Put what has been stored so far into the past: the last seconds before an event are told again."""
    Notice.objects.update(stored_at=F("stored_at") - MINUTE)


def write_message(user, text, later=MINUTE):
    write_notice(key=f"message:{text}:{user.pk}", user=user, kind="message", facts={"text": text}, now=NOW + later)


def test_a_message_event_does_not_contain_its_text(duel):
    user = duel.user("Froodal")
    headers = {"Authorization": f"Bearer {token_of(user)[1]}"}
    write_message(user, "meet me at dawn")
    write_notice(key="x", user=user, kind="account_changed", facts={"what": "password"}, now=NOW + MINUTE)
    answer = Client().get("/api/v1/events/", headers=headers)
    assert [event["type"] for event in answer.json()["events"]] == ["battle_started", "message"]
    assert b"dawn" not in answer.content and b"password" not in answer.content


def test_nobody_reads_the_events_of_another(duel):
    make_mage("Stranger")
    write_message(duel.user("Froodal"), "hello")
    for name, types in (("Froodal", ["battle_started", "message"]), ("Bung", ["battle_started"])):
        headers = {"Authorization": f"Bearer {token_of(duel.user(name))[1]}"}
        assert [e["type"] for e in Client().get("/api/v1/events/", headers=headers).json()["events"]] == types
    assert Client().get("/api/v1/events/").status_code == 401


def test_a_program_that_polls_gets_what_is_new(duel):
    headers = {"Authorization": f"Bearer {token_of(duel.user('Froodal'))[1]}"}
    make_older()
    (first,) = Client().get("/api/v1/events/", headers=headers).json()["events"]
    path = f"/api/v1/events/?after={first['id']}"
    assert Client().get(path, headers=headers).json()["events"] == []
    write_message(duel.user("Froodal"), "hello")
    assert [e["type"] for e in Client().get(path, headers=headers).json()["events"]] == ["message"]


def test_whoever_polls_gets_every_event_once_however_many_come_at_a_time(duel):
    user = duel.user("Froodal")
    headers = {"Authorization": f"Bearer {token_of(user)[1]}"}
    for number in range(MOST_AT_ONCE + 20):
        write_message(user, str(number))
    make_older()

    def ask(after):
        return Client().get("/api/v1/events/", {"after": after}, headers=headers).json()

    first = ask("")
    second = ask(first["next"])
    ids = [event["id"] for event in first["events"] + second["events"]]
    assert len(ids) == len(set(ids)) == MOST_AT_ONCE + 21
    assert (first["more"], second["more"]) == (True, False)
    third = ask(second["next"])
    assert third["events"] == []
    # After an event's id alone, the last seconds before it come again, but all newer ones come too.
    assert ask(ids[MOST_AT_ONCE - 1])["events"][-1]["id"] == ids[-1]
    # Its transaction ended after the last answer.
    write_message(user, "late")
    Notice.objects.filter(facts__text="late").update(stored_at=timezone.now() - timedelta(seconds=4))
    assert len(ask(third["next"])["events"]) == 1


def revoke(user, token):
    revoke_api_token(user=user, token_id=token.pk)


def narrow(user, token):
    token.scopes = ""
    token.save(update_fields=["scopes"])


def change_password(user, _token):
    user.set_password("another one entirely")
    user.save()


def close_account(user, _token):
    user.mages.update(died_at=NOW)
    Engagement.objects.filter(mage__user=user).delete()
    Battle.objects.update(status=Battle.Status.ANNULLED, finished_at=NOW)
    close_user(user=user, now=NOW)


def merge(user, _token):
    merge_users(kept=make_user("Kept"), merged=user, by=make_janitor(), reason="one person", now=NOW)


@pytest.mark.parametrize("act", [revoke, narrow, change_password, close_account, merge])
def test_a_stream_ends_at_once_with_the_rights_of_its_token(duel, act):
    user = duel.user("Froodal")
    token, text = token_of(user)

    async def story():
        stream = Stream(TokenStreams(no_page, EventFeed), text)
        await stream.open()
        await stream.wire.receive_output(5)
        assert await stream.is_silent(0.2)  # it has read, and waits
        await sync_to_async(act)(user, token)
        assert await stream.wire.receive_output(3) == {"type": "http.response.body", "body": b""}
        await stream.wire.wait(5)

    run(story(), seconds=40)


def test_a_stream_delivers_nothing_after_its_token_lost_its_rights_unnoticed(duel):
    user = duel.user("Froodal")
    token, text = token_of(user)

    async def story():
        stream = Stream(TokenStreams(no_page, EventFeed), text)
        await stream.open()
        await stream.wire.receive_output(5)
        await sync_to_async(ApiToken.objects.filter(pk=token.pk).update)(scopes="")
        await sync_to_async(duel.turn)("P/D", "F/F")
        assert await stream.wire.receive_output(5) == {"type": "http.response.body", "body": b""}
        await stream.wire.wait(5)

    run(story(), seconds=40)


def test_a_database_that_goes_away_ends_the_stream_cleanly(duel, monkeypatch):
    text = token_of(duel.user("Froodal"))[1]

    def fail(**_):
        raise OperationalError("the connection is lost")

    async def story():
        stream = Stream(TokenStreams(no_page, EventFeed), text)
        await stream.open()
        await stream.wire.receive_output(5)
        assert await stream.is_silent(0.2)
        monkeypatch.setattr("accounts.live.event_stream.list_events", fail)
        await sync_to_async(duel.turn)("P/D", "F/F")
        assert await stream.wire.receive_output(5) == {"type": "http.response.body", "body": b""}
        await stream.wire.wait(5)

    run(story(), seconds=40)


def test_streams_are_refused_without_a_good_token_and_beyond_the_most(duel):
    text, other = (token_of(duel.user("Froodal"))[1] for _ in range(2))

    async def story():
        app = TokenStreams(no_page, EventFeed)
        assert await Stream(app, "fm_nonsense").open() == 401
        assert await Stream(app, text, last="7").open() == 400
        streams = [Stream(app, (text, other)[n % 2]) for n in range(MOST_OF_A_USER + 1)]
        assert [await each.open() for each in streams] == [200] * MOST_OF_A_USER + [429]
        for each in streams[:-1]:
            await each.close()
        again = Stream(app, text)
        assert await again.open() == 200
        await again.close()

    run(story(), seconds=40)


def test_a_silent_stream_shows_that_it_lives(duel):
    text = token_of(duel.user("Froodal"))[1]

    async def story():
        stream = Stream(TokenStreams(no_page, EventFeed, beat_seconds=0.1), text)
        await stream.open()
        await stream.wire.receive_output(5)
        assert (await stream.wire.receive_output(5))["body"].startswith(b":")
        await stream.close()

    run(story(), seconds=40)


@pytest.mark.parametrize(
    ("accept", "wanted"), [(b"text/event-stream", True), (b"*/*", True), (b"", True), (b"application/json", False)]
)
def test_the_address_answers_with_json_too(settings, accept, wanted):
    settings.FM_HTTPS = False
    scope = {"type": "http", "method": "GET", "path": "/api/v1/events/", "headers": [(b"accept", accept)]}
    assert wants_stream(scope, EventFeed) is wanted
    assert not wants_stream({**scope, "path": "/api/v1/me/"}, EventFeed)
    settings.FM_HTTPS = True
    assert not wants_stream(scope, EventFeed)
