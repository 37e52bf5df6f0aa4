"""Hooks in every format: what arrives at a chat, a phone and a program, once, and never more than others may know."""

import re
import socket
from datetime import timedelta
from importlib import import_module

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.conf import settings as site
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.test import override_settings

from accounts.models import User
from accounts.post_events import post_due_event
from challenges.services.retire_mages import leave_site
from duels.services.draws import accept_draw, offer_draw, refuse_draw
from duels.services.open_hooks import note_hooks_of_battle, remove_hooks_of_old_battles
from fm_site.pages.export import export_user
from notifications import hook_calls
from notifications.errors import InvalidHook, NotificationRefused
from notifications.hook_calls import CallFailed, call
from notifications.hook_events import OF_PROGRAMS
from notifications.hook_formats import HookMessage, check_target, write_message
from notifications.models import Delivery, Hook, Notice
from notifications.selectors.hooks import find_webhook
from notifications.services.deliveries import LEASE
from notifications.services.hooks import add_hook
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from operations.encryption import seal, unseal
from tests.duels.fights import start_fight
from tests.hook_receivers import CHATS, RECEIVERS, Discord, Matrix
from tests.scenes import DAY, HOUR, NOW, log_in, make_mage, make_user
from tests.services.second_factors import prove_lately

pytestmark = pytest.mark.django_db
OWN = ["turns", "last", "deadlines", "ends"]
CORPUS = [
    "@everyone @here <@1190000000000000001> <@&7> <#5> </play:3>",
    "<!channel> <!here> <@U024BE7LH> <https://evil.example|free mages> &lt;!channel&gt;",
    "[free](https://evil.example) **bold** __under__ ~~gone~~ ||spoiler|| `code`",
    "# Heading\n> quote\n- list\n1. one\n```\nblock\n```",
    "@room @anna:matrix.example #duels:matrix.example <b>bold</b> <script>alert(1)</script>",
    "pay\u202egnp\u200b! \u2066x\u2069 \ufeffy \u200f\u05d0\u05d1",
    "\\@everyone \\\\<@1> \\[a\\](https://evil.example)",
    "_" * 20,
    "x" * 5000,
    "*" * 5000,
]


@pytest.fixture
def receive(settings):
    """Return a function that starts a receiver, which ends with the test."""
    settings.FM_WEBHOOKS_TO_LOOPBACK = True
    running = []

    def start(kind):
        running.append(kind())
        return running[-1]

    yield start
    for receiver in running:
        receiver.close()


@pytest.fixture(params=RECEIVERS, ids=lambda kind: kind.format)
def receiver(request, receive):
    return receive(request.param)


@pytest.fixture(params=CHATS, ids=lambda kind: kind.format)
def chat(request, receive):
    return receive(request.param)


@pytest.fixture
def fight():
    return start_fight(make_mage("Froodal", "Anna"), make_mage("Bung", "Boris"))


def hook_to(receiver, user, events=OWN, **more):
    details = {"scope": "user", "form": receiver.format, "name": "Mine", "now": NOW, **receiver.target}
    hook, receiver.secret = add_hook(user=user, events=events, **{**details, **more})
    return hook


def post_all(now=NOW):
    while post_due_event(now=now):
        pass


def lines(receiver):
    return [shown.split("\n") for shown in receiver.shown]


def test_a_duel_as_its_players_hook_tells_it(chat, fight):
    anna = fight.user("Froodal")
    hook_to(chat, anna)
    title = f"Duel {fight.number}: Froodal against Bung"
    fight.mages["Froodal"].user = anna
    fight.order("Bung", "F/F")
    post_all()
    assert lines(chat) == [[title, "Turn 1: only your move is missing.", "Waiting for Froodal."]]
    fight.order("Froodal", "W/W")
    post_all()
    assert lines(chat)[1:] == [[title, "Turn 2: it's your move.", "Waiting for Froodal and Bung."]]
    fight.order("Froodal", "W/W")
    post_all()
    assert len(chat.shown) == 2  # it is not their move
    fight.order("Bung", "P/P")
    post_all()
    assert lines(chat)[2:] == [[title, "It is over. Won by Froodal."]] and not chat.refused


def test_no_room_hears_of_an_offer_of_a_draw_and_a_program_hears_only_that_something_changed(receive, fight):
    fight.turns([("D/-", "D/-")] * 4)
    room, program = receive(CHATS[0]), receive(RECEIVERS[-1])
    hook_to(room, fight.user("Bung"))
    hook_to(program, fight.user("Bung"))
    offer_draw(combatant=fight.combatant("Froodal"), now=NOW)
    post_all()
    assert room.shown == []
    assert program.shown == [f"battle_changed {fight.number} None /api/v1/battles/{fight.number}/"]
    refuse_draw(combatant=fight.combatant("Bung"), now=NOW)
    offer_draw(combatant=fight.combatant("Bung"), now=NOW)
    accept_draw(combatant=fight.combatant("Froodal"), now=NOW)
    post_all()
    assert lines(room)[0][1] == "It is over. Draw, agreed in turn 5."


def test_a_program_gets_the_same_events_signed(receive, fight):
    program = receive(RECEIVERS[-1])
    hook_to(program, fight.user("Froodal"))
    fight.turn("F/F", "W/W")
    fight.order("Bung", "F/F")
    post_all()
    url = f"/api/v1/battles/{fight.number}/"
    assert program.shown == [f"{kind} {fight.number} None {url}" for kind in ("turn_resolved", "last_missing")]
    assert not program.refused


def test_a_deadline_that_is_near_is_told_while_it_matters(chat, fight):
    from duels.services.notify import notify_users

    hook_to(chat, fight.user("Froodal"))
    notify_users([fight.user("Froodal")], "deadline_alarm", fight.battle, fight.key(), "1", now=NOW)
    post_all()
    assert lines(chat)[0][1] == "Turn 1: your time is running out."
    notify_users([fight.user("Froodal")], "deadline_final", fight.battle, fight.key(), "1", now=NOW)
    fight.order("Froodal", "W/W")
    post_all()
    assert len(chat.shown) == 1
    assert Delivery.objects.order_by("-pk").first().reason == "settled"


def test_names_and_texts_neither_mention_nor_format(chat):
    for number, text in enumerate(CORPUS):
        message = HookMessage(text, f"{site.FM_SITE_URL}/battles/1/")
        target = check_target(chat.format, **chat.target)
        request = write_message(chat.format, target, message, mark=f"m{number}")
        call(request.url, request.body, request.headers, method=request.method)
    assert not chat.refused and len(chat.shown) == len(CORPUS)
    everything = "\n".join(chat.shown)
    assert "@" not in everything and "://" not in everything and "[U+202E]" in everything


SECRET = [("F/F", "W/W"), ("W/W\nSAY I have a plan", "D/S"), ("S/D", "S/W")]
INVISIBLE = [("P/-", "-/-"), ("P/-", "-/-"), ("W/W", "-/-"), ("S/S", "-/-")]


@pytest.mark.parametrize("start", [[], INVISIBLE], ids=["seen", "invisible"])
def test_two_worlds_that_differ_in_secrets_sound_the_same(receiver, start):
    """Whatever the opponent orders, and what an invisible mage does, no format says another word. It leads to a room
    that the opponent may read, so it says nothing of one's own orders either."""
    worlds = []
    for texts in SECRET[0], SECRET[1], SECRET[2]:
        receiver.shown.clear()
        with transaction.atomic():
            fight = start_fight(make_mage("Froodal", "Anna"), make_mage("Bung", "Boris"))
            fight.turns(start)
            hook_to(receiver, fight.user("Bung"))
            fight.mages["Bung"].refresh_from_db()
            fight.order("Froodal", texts[0], ready=False)
            fight.order("Froodal", texts[0])
            post_all()
            fight.order("Bung", texts[1])
            post_all()
            transaction.set_rollback(True)
        worlds.append([re.sub(rf"\b{fight.number}\b", "N", shown) for shown in receiver.shown])
        if hasattr(receiver, "known"):
            receiver.known.clear()
    assert len(worlds[0]) == 2 and worlds[0] == worlds[1] == worlds[2] and not receiver.refused


def test_a_worker_that_dies_while_sending_sends_nothing_twice(receiver, fight, monkeypatch):
    """Matrix knows a message again by its number, a program by its id. To the others it is not sent again unasked."""
    hook_to(receiver, fight.user("Froodal"))
    fight.turn("F/F", "W/W")

    class Killed(BaseException):
        pass

    def call_and_die(*args, **more):
        call(*args, **more)
        raise Killed

    monkeypatch.setattr("accounts.post_events.call", call_and_die)
    with pytest.raises(Killed):
        post_due_event(now=NOW)
    monkeypatch.undo()
    later = NOW + LEASE + timedelta(minutes=1)
    post_all(later)
    delivery = Delivery.objects.filter(hook__isnull=False).get()
    ids = set(receiver.calls)
    if receiver.format in ("matrix", "json"):
        assert len(receiver.calls) == 2 and len(ids) == 1 and delivery.state == "sent"
        assert receiver.format == "json" or len(receiver.shown) == 1
    else:
        assert len(receiver.calls) == 1 and (delivery.state, delivery.attempts) == ("failed", 2)
        assert "may have arrived" in delivery.error and Hook.objects.get().failures == 0


def test_a_task_that_comes_twice_sends_once(receiver, fight):
    hook_to(receiver, fight.user("Froodal"))
    fight.turn("F/F", "W/W")
    assert [post_due_event(now=NOW) for _ in range(3)] == [True, False, False]
    assert len(receiver.shown) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_send_each_message_once(receive):
    from tests.notifications.test_outbox_race import at_once

    discord = receive(Discord)
    users = [make_user(f"U{number}") for number in range(4)]
    for user in users:
        hook_to(discord, user)
    fight = start_fight(*(make_mage(f"M{number}", user) for number, user in enumerate(users)))

    def send():
        for _ in range(20):
            post_due_event(now=NOW)
        connection.close()

    at_once(send)
    post_all(NOW + timedelta(minutes=1))
    assert fight.number and len(discord.shown) == len(users) and not discord.refused


def test_no_redirect_is_followed_and_failures_are_told_apart(receiver, fight):
    hook = hook_to(receiver, fight.user("Froodal"))
    receiver.answers = [302]
    fight.turn("F/F", "W/W")
    post_all()
    hook.refresh_from_db()
    assert len(receiver.calls) == 1 and (hook.failures, hook.error) == (1, "answered 302")
    post_all(NOW + timedelta(minutes=1))
    hook.refresh_from_db()
    assert len(receiver.shown) == 1 and hook.failures == 0


PRIVATE = ["https://10.1.2.3{}", "https://[::1]{}", "https://169.254.169.254{}", "https://2130706433{}"]


@pytest.mark.parametrize("kind", RECEIVERS, ids=lambda kind: kind.format)
def test_no_format_calls_a_private_address(kind, fight, settings, monkeypatch):
    settings.FM_WEBHOOKS_TO_LOOPBACK = False
    path = kind.path if kind.format != "matrix" else ""
    for address in [*PRIVATE, "http://hooks.example{}", "https://a:b@hooks.example{}"]:
        with pytest.raises(InvalidHook):
            check_target(kind.format, url=address.format(path), token=kind.token, room=kind.room)
    # A name that is public when it is entered and private when it is called (DNS rebinding): it is looked up once for
    # each call, and the connection goes to what was checked.
    hook_to_name = {"url": f"https://hooks.example{path}", "token": kind.token, "room": kind.room}
    add_hook(user=fight.user("Froodal"), scope="user", form=kind.format, name="x", events=OWN, now=NOW, **hook_to_name)
    looked_up, connected = [], []

    def look_up(host, port, **_more):
        looked_up.append(host)
        return [(2, 1, 6, "", ("127.0.0.1" if len(looked_up) > 1 else "10.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(hook_calls.socket, "create_connection", lambda place, *_: connected.append(place))
    fight.turn("F/F", "W/W")
    post_all()
    assert looked_up == ["hooks.example"] and connected == []
    assert Hook.objects.get().error == "the address is not public"
    with pytest.raises(CallFailed):
        call(f"https://hooks.example{path}", b"{}", {})
    assert connected == []


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("matrix", {"url": "https://matrix.example", "room": "#duels:matrix.example", "token": "x"}),
        ("matrix", {"url": "https://matrix.example", "room": "!a/../b:x y", "token": "x"}),
        ("matrix", {"url": "https://matrix.example/_matrix", "room": "!a:matrix.example", "token": "x"}),
        ("matrix", {"url": "https://matrix.example", "room": "!a:matrix.example"}),
        ("matrix", {"url": "https://matrix.example", "room": "!a:matrix.example", "token": "x\r\nHost: evil"}),
        ("ntfy", {"url": "https://ntfy.sh/"}),
        ("ntfy", {"url": "https://ntfy.sh/a/b"}),
        ("ntfy", {"url": "https://ntfy.sh/a?auth=1"}),
        ("ntfy", {"url": "https://ntfy.sh/anna", "token": "a b"}),
    ],
)
def test_what_a_format_cannot_use_is_refused(form, fields):
    with pytest.raises(InvalidHook):
        check_target(form, **fields)


def test_addresses_and_tokens_are_sealed_not_exported_and_dropped_at_closing(receive):
    matrix, eve = receive(Matrix), make_user("Eve")
    hook = hook_to(matrix, eve)
    (row,) = Hook.objects.values()
    for secret in (matrix.site, matrix.token, matrix.room):
        assert secret not in str(row)
    exported = export_user(eve, now=NOW)
    assert [(each["name"], each["format"]) for each in exported["hooks"]] == [("Mine", "matrix")]
    assert matrix.token not in str(exported) and matrix.site not in str(exported) and hook.sealed not in str(exported)
    leave_site(user=eve, now=NOW)
    assert not Hook.objects.exists()


def test_a_user_has_five_places(receive):
    discord, eve = receive(Discord), make_user("Eve")
    for _ in range(5):
        hook_to(discord, eve)
    with pytest.raises(NotificationRefused):
        hook_to(discord, eve)
    assert Hook.objects.count() == 5


def test_the_matrix_turns_a_subject_off_for_all_hooks_and_each_hook_for_itself(receive, fight):
    one, two, anna = receive(Discord), receive(Matrix), fight.user("Froodal")
    hook_to(one, anna)
    hook_to(two, anna, events=["ends"])
    fight.turn("F/F", "W/W")
    post_all()
    assert (len(one.shown), len(two.shown)) == (1, 0)
    set_preference(user=anna, key="hook_turns", value="no")
    fight.turn("F/F", "W/W")
    post_all(NOW + HOUR)
    assert (len(one.shown), len(two.shown)) == (1, 0)


def test_without_hooks_no_notice_says_that_one_move_is_missing(fight):
    fight.turn("F/F", "W/W")
    assert not Notice.objects.filter(kind="last_missing").exists()


# -- of a battle ------------------------------------------------------------------------------------------------------


def battle_hook_to(receiver, fight, user, events=("turns", "last", "ends")):
    hook = hook_to(receiver, user, events, scope="battle", battle=fight.number)
    note_hooks_of_battle(number=fight.number)
    fight.battle.refresh_from_db()
    return hook


def test_a_battle_as_its_hook_tells_it_to_spectators(chat, fight):
    battle_hook_to(chat, fight, fight.user("Froodal"))
    title = f"Duel {fight.number}: Froodal against Bung"
    fight.order("Froodal", "F/F", ready=False)
    post_all()
    assert chat.shown == []  # who is at work is nobody's business
    fight.order("Froodal", "F/F")
    post_all()
    assert lines(chat) == [[title, "Turn 1: one move is missing.", "Waiting for Bung."]]
    fight.order("Bung", "W/W")
    post_all()
    assert lines(chat)[1:] == [[title, "Turn 1 is over.", "Waiting for Froodal and Bung."]]
    fight.turn("W/W", "P/P")
    post_all()
    assert lines(chat)[-1] == [title, "It is over. Won by Froodal."] and len(chat.shown) == 3 and not chat.refused


@pytest.mark.parametrize("start", [[], INVISIBLE], ids=["seen", "invisible"])
def test_two_worlds_sound_the_same_to_a_battles_hook(receiver, start):
    worlds = []
    for froodals, bungs in SECRET[:2]:
        receiver.shown.clear()
        getattr(receiver, "known", {}).clear()
        with transaction.atomic():
            fight = start_fight(make_mage("Froodal", "Anna"), make_mage("Bung", "Boris"))
            fight.turns(start)
            battle_hook_to(receiver, fight, fight.user("Bung"))
            fight.order("Froodal", froodals)
            fight.order("Froodal", bungs)  # they think again
            post_all()
            fight.order("Bung", bungs)
            post_all()
            transaction.set_rollback(True)
        worlds.append([re.sub(rf"\b{fight.number}\b", "N", shown) for shown in receiver.shown])
    assert len(worlds[0]) == 2 and worlds[0] == worlds[1] and not receiver.refused


def test_the_players_of_a_battle_add_and_remove_its_hooks_and_nobody_else(receive, fight):
    discord, page = receive(Discord), f"/battles/{fight.number}/hooks/"
    anna, boris, eve = log_in(fight.user("Froodal")), log_in(fight.user("Bung")), log_in(make_user("Eve"))
    prove_lately(anna, fight.user("Froodal"))
    form = {"format": "discord", "name": "#arena", "url": discord.url, "events": ["turns", "ends"]}
    assert anna.post(page, form).status_code == 200
    hook = Hook.objects.get()
    assert (hook.scope, hook.battle, hook.user) == ("battle", fight.number, fight.user("Froodal"))
    assert not User.objects.get(pk=hook.user_id).has_webhook
    shown = boris.get(page).content.decode()
    assert "#arena" in shown and discord.url not in shown
    for address in (page, f"{page}{hook.pk}/"):
        assert eve.get(address).status_code == eve.post(address, {"act": "remove"}).status_code == 404
    assert log_in(None).get(page).status_code == 302
    assert boris.get(f"/accounts/hooks/{hook.pk}/").status_code == 404
    fight.turn("F/F", "W/W")
    post_all()
    assert len(discord.shown) == 1
    assert boris.post(f"{page}{hook.pk}/", {"act": "remove"}).status_code == 302
    fight.battle.refresh_from_db()
    assert not Hook.objects.exists() and not fight.battle.has_hooks
    fight.turn("P/P", "W/W")
    assert anna.post(page, form).status_code == 200 and not Hook.objects.exists()
    assert not Notice.objects.filter(kind="open_end").exists()


def test_a_week_after_the_end_the_hooks_of_a_battle_are_gone(receive, fight):
    discord = receive(Discord)
    battle_hook_to(discord, fight, fight.user("Froodal"))
    own = hook_to(discord, fight.user("Froodal"))
    assert remove_hooks_of_old_battles(now=NOW + 30 * DAY) == 0
    fight.turn("F/F", "P/P")
    assert remove_hooks_of_old_battles(now=NOW + 6 * DAY) == 0
    assert remove_hooks_of_old_battles(now=NOW + 8 * DAY) == 1 and Hook.objects.get() == own


def test_webhooks_of_before_are_hooks_without_loss(settings):
    """The address, the secret, the choice of events, failures, and what waits to be sent."""
    anna, boris = make_user("Anna"), make_user("Boris")
    write_notice(key="m", user=anna, kind="message", facts={}, now=NOW)
    waiting = Delivery.objects.create(
        notice=Notice.objects.get(), user=anna, channel="webhook", message_id="<m>", due_at=NOW
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE accounts_webhook (id integer, user_id bigint, url text, sealed_secret text, error text,"
            " created_at timestamp with time zone, answered_at timestamp with time zone, failures integer,"
            " failing_since timestamp with time zone, retry_at timestamp with time zone, off_at timestamp with time"
            " zone)"
        )
    with override_settings(MIGRATION_MODULES={}):
        before = MigrationLoader(None).project_state(("accounts", "0024_webhooks_become_hooks")).apps
    rows = before.get_model("accounts", "Webhook").objects
    rows.create(
        id=1,
        user_id=anna.pk,
        url="https://a.example/x",
        sealed_secret=seal({"secret": "whsec_1"}),
        created_at=NOW,
        failures=2,
        failing_since=NOW,
        retry_at=NOW + HOUR,
        error="answered 500",
    )
    lost = Fernet(Fernet.generate_key()).encrypt(b"{}").decode()
    rows.create(id=2, user_id=boris.pk, url="https://b.example/", sealed_secret=lost, created_at=NOW, off_at=NOW)
    import_module("accounts.migrations.0024_webhooks_become_hooks").move_webhooks(before, None)
    of_anna, of_boris = Hook.objects.get(user=anna), Hook.objects.get(user=boris)
    assert unseal(of_anna.sealed) == {"url": "https://a.example/x", "secret": "whsec_1"}
    # Leagues came later, and hooks of before don't get what their owners haven't chosen.
    assert [*of_anna.events, "league"] == OF_PROGRAMS
    add_hook(
        user=anna,
        scope="user",
        form="json",
        name="later",
        url="https://a.example/y",
        events=OF_PROGRAMS,
        now=NOW + HOUR,
    )
    import_module("notifications.migrations.0011_webhook_of_the_api").mark_webhooks(apps, None)
    assert (find_webhook(anna), find_webhook(boris)) == (of_anna, of_boris)
    assert (of_anna.failures, of_anna.failing_since, of_anna.retry_at) == (2, NOW, NOW + HOUR)
    assert unseal(of_boris.sealed) == {"url": "https://b.example/"} and of_boris.off_at == NOW
    waiting.refresh_from_db()
    assert waiting.hook == of_anna
