"""The inbox: messages between users as threads, for the two alone, and once."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib import import_module
from threading import Barrier

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Message, Sanction, User
from accounts.services.hold import mark_held
from accounts.services.messages import delete_thread, send_message
from accounts.services.ties import block_user, unblock_user
from accounts.services.users import create_guest
from challenges.services.retire_mages import leave_site
from duels.services.chat import write_chat_line
from email_gateway.compose.notices import compose_notice
from fm_site.pages.export import export_user
from moderation.journal_words import describe_entry
from moderation.models import JournalEntry, Report
from moderation.services.merge_users import merge_users
from notifications.models import Delivery, Notice
from notifications.push_texts import make_push
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from operations import presence
from operations.errors import Refused
from tests.duels.fights import start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.refusals import refused
from tests.scenes import DAY, NOW, log_in, make_mage, make_user
from tests.site.test_hostile_requests import VALUES

pytestmark = pytest.mark.django_db
WORDS = "Again some day? I have an idea for the Troll."


@pytest.fixture
def anna():
    return make_user("Anna")


@pytest.fixture
def otto():
    user = make_mage("Ottokar", "Otto").user
    EmailAddress.objects.create(user=user, email="otto@example.org", verified=True, primary=True)
    return user


def send(writer, reader, text=WORDS, **more):
    more = {"once": f"{Message.objects.count():016x}", "now": timezone.now(), **more}
    return send_message(writer=writer, reader=reader, text=text, **more)


def post(client, text=WORDS, to="Otto", once="0" * 16, **more):
    return client.post(f"/inbox/{to}/", {"text": text, "once": once, **more})


def test_a_message_is_sent_once_and_read_in_the_thread_and_the_writer_sees_it_too(anna, otto):
    client = log_in(anna)
    for _click in range(2):
        assert post(client)["Location"].startswith("/inbox/Otto/#m")
    assert client.post("/messages/new/", {"to": "ottokar", "text": WORDS, "once": "0" * 16}).status_code == 302
    assert Message.objects.count() == Notice.objects.filter(kind="message").count() == 1
    assert Delivery.objects.filter(notice__kind="message").count() == 1
    page = flat(client.get("/inbox/Otto/"))
    assert WORDS in page and "plays Ottokar" in page and "Otto gets it here and by email." in page
    assert f"You: {WORDS}" in page
    reader = log_in(otto)
    assert 'class="count ink">1<' in flat(reader.get("/rules/"))
    assert WORDS in flat(reader.get("/inbox/"))
    assert Message.objects.get().is_unread  # the list marks nothing
    reader.head("/inbox/Anna/")
    assert Message.objects.get().is_unread
    assert "Anna wrote to you: Again" in flat(reader.get("/news/panel/"))
    reader.get("/inbox/Anna/")
    assert not Message.objects.get().is_unread and not Notice.objects.get(kind="message").is_unseen
    assert 'class="count ink"' not in flat(reader.get("/inbox/"))


def test_a_line_of_the_news_and_a_notification_lead_to_the_thread(anna, otto):
    send(anna, otto)
    line = Notice.objects.get(kind="message")
    push = make_push(line)
    assert (push.path, push.title, push.text) == ("/inbox/Anna/", "You have a message", "It is in your inbox.")
    assert log_in(otto).get(f"/news/{line.pk}/")["Location"] == "/inbox/Anna/"


def test_who_is_neither_of_the_two_finds_nothing_in_any_place(anna, otto):
    send(anna, otto)
    for user in (make_user("Clara"), make_janitor(), create_guest(now=NOW), None):
        client = log_in(user)
        for address in ("/", "/inbox/", "/inbox/Otto/", "/inbox/Anna/", "/messages/new/?to=Otto", "/news/"):
            assert "Troll" not in flat(client.get(address, follow=True)), (user, address)
        for name in ("Otto", "Anna"):
            client.post(f"/inbox/{name}/delete/", {"up_to": "999"})
    kept = Message.objects.get()
    assert kept.is_kept_by_writer and kept.is_kept_by_reader


@pytest.mark.parametrize("who", ["writer", "reader"])
def test_a_block_ends_the_thread_both_ways_says_so_and_its_end_brings_it_back(anna, otto, who):
    send(anna, otto)
    one, other = (anna, otto) if who == "writer" else (otto, anna)
    block_user(user=one, blocked=other, now=NOW)
    mine, theirs = log_in(one), log_in(other)
    own = f"You have blocked {other}. Neither of you can write to or challenge the other."
    told = f"You cannot write to {one}: there is a block between you."
    for client, name, words in ((mine, other.username, own), (theirs, one.username, told)):
        page = flat(client.get(f"/inbox/{name}/"))
        assert words in page and "<textarea" not in page and WORDS in page
        answer = post(client, to=name, text="Still here")
        assert answer.status_code == 422 and words in flat(answer)
        answer = client.post("/messages/new/", {"to": name, "text": "Still here", "once": "1" * 16})
        assert answer.status_code == 422 and words in flat(answer)
    # Its thread is not in the list of the one who blocks, and counts no more.
    assert "Again some day" not in flat(mine.get("/inbox/")) and "Again some day" in flat(theirs.get("/inbox/"))
    assert 'class="count ink"' not in flat(mine.get("/rules/"))
    unblock_user(user=one, blocked=other)
    assert post(theirs, to=one.username, text="Still here").status_code == 302


def test_whoever_may_not_write_is_refused_by_every_page(anna, otto):
    guest = create_guest(now=NOW)
    suspended = make_user("Sven")
    Sanction.objects.create(user=suspended, reason="Enough", imposed_by=make_janitor(), starts_at=NOW)
    mark_held(user=suspended)
    bot = make_user("Rob")
    User.objects.filter(pk=bot.pk).update(is_bot=True)
    for user in (guest, suspended, bot):
        client = log_in(user)
        post(client)
        client.post("/messages/new/", {"to": "Otto", "text": WORDS, "once": "0" * 16})
        assert not Message.objects.exists(), user
    # A suspended user still reads.
    send(otto, suspended)
    assert WORDS in flat(log_in(suspended).get("/inbox/Otto/"))
    set_preference(user=otto, key="bots_write", value="yes")
    assert post(log_in(bot)).status_code == 302


def test_nobody_writes_to_themselves_a_guest_a_bot_of_the_site_or_one_who_has_left(anna):
    guest, gone, bot = create_guest(now=NOW), make_user("Gone"), make_user("Grim")
    User.objects.filter(pk=bot.pk).update(is_bot=True, bot_strength="good")
    leave_site(user=gone, now=NOW)
    for code, user in (("writes_to_self", anna), ("cannot_write", guest), ("cannot_write", bot)):
        user.refresh_from_db()
        with refused(code):
            send(anna, user)
        assert log_in(anna).get(f"/inbox/{user.username}/").status_code == 404
    gone.refresh_from_db()
    with refused("writes_to_nobody"):
        send(anna, gone)


def test_first_messages_go_to_five_strangers_a_day_and_to_any_number_one_knows(anna, otto):
    others = [make_user(f"User{letter}") for letter in "abcdef"]
    *five, sixth = others
    for user in five:
        send(anna, user, now=NOW)
    with refused("too_many_strangers"):
        send(anna, sixth, now=NOW)
    send(anna, five[0], "More", now=NOW)  # no longer the first
    send(sixth, anna, now=NOW)
    send(anna, sixth, now=NOW)  # they have written
    rival = start_fight(make_mage("Froodal", anna), make_mage("Bung")).user("Bung")
    send(anna, rival, now=NOW)  # they have fought
    with refused("too_many_strangers"):
        send(anna, otto, now=NOW + DAY - timedelta(seconds=1))
    send(anna, otto, now=NOW + DAY)


def test_a_text_is_kept_in_the_form_and_refused_if_it_is_too_long(anna, otto):
    client = log_in(anna)
    assert post(client, "x\r\n" * 199 + "y").status_code == 302  # a new line counts once
    for number, text in enumerate(("x" * 2001, "x\n" * 201, " \n ")):
        answer = post(client, text, once=f"{number + 1:016x}")
        assert answer.status_code == 422
        assert text.strip()[:50] in answer.content.decode()
    assert Message.objects.count() == 1


@pytest.mark.once
# In the short run, test_hostile_texts.py tries the page of a conversation.
@pytest.mark.parametrize("place", [pytest.param("/inbox/Otto/", marks=pytest.mark.slow), "/messages/new/"])
def test_hostile_texts_harm_nothing_and_are_shown_as_text(anna, otto, place):
    client = log_in(anna)
    evil = ["<script>alert(1)</script>", "{% csrf_token %}", "[x](javascript:alert(1))", "\u202eevil", *VALUES]
    for number, value in enumerate(evil):
        form = {"to": "Otto", "text": value, "once": f"{number:016x}"}
        assert client.post(place, form).status_code in (302, 400, 422), value
        assert client.post(place, {"to": value, "text": "x", "once": value, "battle": value}).status_code < 500
        assert client.get(place, {"battle": value, "turn": value, "before": value, "to": value}).status_code < 500
    page = log_in(otto).get("/inbox/Anna/").content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page and "\u202e" not in page


def test_messages_stay_until_both_have_deleted_them(anna, otto):
    first, second = send(anna, otto, "One"), send(otto, anna, "Two")
    client = log_in(anna)
    assert client.post("/inbox/Otto/delete/", {"up_to": first.pk}).status_code == 302
    page = flat(client.get("/inbox/Otto/"))
    assert ">Two<" in page and ">One<" not in page
    client.post("/inbox/Otto/delete/", {"up_to": second.pk})
    assert "Two" not in flat(client.get("/inbox/")) and "Two" in flat(log_in(otto).get("/inbox/Anna/"))
    assert not Notice.objects.filter(kind="message", user=anna).exists()  # nor is it in the news
    delete_thread(user=otto, other=anna, up_to=second.pk)
    assert not Message.objects.exists() and not Notice.objects.filter(kind="message").exists()


def test_the_words_of_a_user_who_leaves_stay_without_their_name_until_the_other_deletes_them(anna, otto):
    send(anna, otto)
    send(otto, anna, "Gladly")
    leave_site(user=anna, now=NOW)
    client = log_in(otto)
    former = User.objects.get(pk=anna.pk).username
    for address in ("/inbox/", f"/inbox/{former}/", "/news/"):
        page = flat(client.get(address))
        assert "idea for the Troll" in page and "Anna" not in page, address
        assert "user who has left" in page, address
    assert "<textarea" not in flat(client.get(f"/inbox/{former}/"))
    assert post(client, to=former).status_code == 422
    client.post(f"/inbox/{former}/delete/", {"up_to": "9999"})
    assert not Message.objects.exists()


def test_the_export_has_what_a_user_wrote_and_got_and_has_not_deleted(anna, otto):
    send(anna, otto, "One")
    last = send(otto, anna, "Two")
    send(otto, make_user("Clara"), "Three")
    told = export_user(anna, now=NOW)["messages"]
    assert [(each["from"], each["to"], each["text"]) for each in told] == [
        ("Anna", "Otto", "One"),
        ("Otto", "Anna", "Two"),
    ]
    assert json.dumps(told, default=str)
    delete_thread(user=anna, other=otto, up_to=last.pk)
    assert export_user(anna, now=NOW)["messages"] == []


def test_messages_move_with_a_merged_account_but_for_those_between_the_two(anna, otto):
    second = make_user("Anna2")
    send(second, otto)
    send(second, anna, "To myself")
    merge_users(kept=anna, merged=second, by=make_janitor(), reason="One person", now=NOW)
    assert set(Message.objects.filter(reader=otto).values_list("writer", flat=True)) == {anna.pk}
    assert Message.objects.count() == 2


def test_a_message_sent_from_a_battle_leads_to_its_turn(anna, otto):
    fight = start_fight(make_mage("Froodal", anna), make_mage("Bung", otto))
    client, place = log_in(anna), f"/inbox/Otto/?battle={fight.number}"
    assert f"About Duel {fight.number}" in flat(client.get(place))  # before its first turn is over
    post(client, "Good luck", once="a" * 16, battle=fight.number)
    mail = compose_notice(kind="message", facts=Notice.objects.get(kind="message").facts, user=otto)
    assert f"/battles/{fight.number}/" in mail.text and "replay" not in mail.text
    fight.turn("P/D", "S/W")
    by_mage = client.get(f"/inbox/bung/?battle={fight.number}")
    assert by_mage["Location"] == place
    page = flat(client.get(place))
    assert f"About Duel {fight.number}, turn 1" in page
    turn = re.search(r'name="turn" value="(\d+)"', page)[1]
    post(client, battle=fight.number, turn=turn)
    post(client, "And once more", once="1" * 16, battle=fight.number, turn=999)
    post(client, "Of no battle", once="2" * 16, battle=99999, turn=1)
    thread = flat(log_in(otto).get("/inbox/Anna/"))
    assert thread.count(f'href="/battles/{fight.number}/replay/{turn}/"') == 1  # once for both
    mail = compose_notice(kind="message", facts=Message.objects.get(text=WORDS).notice.facts, user=otto)
    assert f"/battles/{fight.number}/replay/{turn}/" in mail.text
    assert Message.objects.get(text="Of no battle").battle is None


def test_the_end_of_a_battle_and_its_chat_lead_to_the_thread_with_the_battle(anna, otto):
    fight = start_fight(make_mage("Froodal", anna), make_mage("Bung", otto))
    write_chat_line(battle=fight.battle, user=otto, text="Well met", once="1", now=NOW)
    client = log_in(anna)
    assert f'href="/inbox/Otto/?battle={fight.number}"' in flat(client.get(f"/battles/{fight.number}/chat/"))
    fight.turn("P/P", "-/-")
    assert f'href="/inbox/Bung/?battle={fight.number}"' in flat(client.get(f"/battles/{fight.number}/"))
    assert "/inbox/" not in flat(log_in(make_user("Clara")).get(f"/battles/{fight.number}/")).partition("<main")[2]


def test_a_thread_says_that_the_other_is_here_only_if_they_show_it_and_there_is_no_block(anna, otto):
    store = presence._connect(presence.settings.REDIS_URL)
    store.flushdb()
    start_fight(make_mage("Froodal", anna), make_mage("Bung", otto))
    client = log_in(anna)
    assert "here now" not in flat(client.get("/inbox/Otto/"))
    presence.see_people([otto.pk])
    assert "here now, plays" in flat(client.get("/inbox/Otto/"))
    set_preference(user=otto, key="presence", value="no")
    assert "here now" not in flat(client.get("/inbox/Otto/"))
    set_preference(user=otto, key="presence", value="yes")
    block_user(user=otto, blocked=anna, now=NOW)
    assert "here now" not in flat(client.get("/inbox/Otto/"))
    store.flushdb()


def test_the_list_and_a_thread_cost_the_same_with_more_rows(anna, otto):
    client = log_in(anna)

    def count():
        queries = []
        for address in ("/inbox/", "/inbox/Otto/"):
            with CaptureQueriesContext(connection) as found:
                client.get(address)
            queries.append(len(found))
        return queries

    send(otto, anna)
    client.get("/inbox/Otto/")
    few = count()
    for number in range(12):
        send(make_mage(f"Mage{'abcdefghijkl'[number]}").user, anna, now=NOW)
        send(anna, otto, f"{number}", once=f"many {number}", now=NOW)
    assert count() == few


def test_messages_of_the_last_180_days_are_moved_in_with_what_was_unread(anna, otto):
    mage = make_mage("Annabel", anna)
    now = timezone.now()
    for key, days, text in (("old", 181, "Long ago"), ("new", 2, "Lately")):
        facts = {"mage": mage.name, "named": ["Ottokar"], "text": text}
        write_notice(key=key, user=otto, kind="message", facts=facts, about=[anna.pk], now=now - days * DAY)
    write_notice(key="x", user=otto, kind="message", facts={"mage": "Nobody", "named": [], "text": "?"}, now=now)
    import_module("accounts.migrations.0027_messages_of_the_last_180_days").move_in(apps, None)
    [message] = Message.objects.all()
    assert (message.writer, message.reader, message.text, message.is_unread) == (anna, otto, "Lately", True)
    assert (now - message.written_at).days == 2
    client = log_in(otto)
    assert "Lately" in flat(client.get("/inbox/Anna/")) and "Long ago" in flat(client.get("/news/"))
    assert not Notice.objects.get(key="new").is_unseen


def test_a_report_shows_a_janitor_the_reported_thread_alone_until_then_and_the_journal_says_who_read_it(anna, otto):
    clara, janitor = make_user("Clara"), make_janitor()
    send(otto, anna, "You are a coward", now=NOW)
    send(otto, clara, "Between us two", now=NOW)
    send(anna, clara, "He is rude", now=NOW)
    client = log_in(anna)
    assert "/reports/new/?messages_of=Otto" in flat(client.get("/inbox/Otto/"))
    assert "all messages between you and Otto until now" in flat(client.get("/reports/new/?messages_of=Otto"))
    form = {"about": "Otto", "text": "He insults me"}
    for _click in range(2):
        assert client.post("/reports/new/?messages_of=Otto", form).status_code == 302
    send(otto, anna, "And later still", now=NOW)
    # Who has no messages with a user reports no messages.
    log_in(make_user("Dora")).post("/reports/new/?messages_of=Otto", form)
    report, other = Report.objects.order_by("pk")
    assert report.messages_to is not None and other.messages_to is None

    def read(user, report):
        action = {"action": "read_messages", "_selected_action": report.pk}
        return flat(log_in(user).post("/admin/moderation/report/", action, follow=True))

    for user in (otto, clara, make_janitor("Rita", reads_only=True)):
        assert "coward" not in read(user, report)
    assert not JournalEntry.objects.exists()
    assert "You are a coward" not in flat(log_in(janitor).get(f"/admin/moderation/report/{report.pk}/change/"))
    page = read(janitor, report)
    assert "You are a coward" in page
    assert not any(words in page for words in ("Between us two", "He is rude", "And later still"))
    entry = JournalEntry.objects.get()
    assert (entry.kind, entry.user, entry.by, entry.report) == ("looked", otto, janitor, report)
    assert f"read the messages with Otto that report {report.pk} is about" in describe_entry(entry.kind, entry.facts)
    assert "This report is not about messages." in read(janitor, other)
    assert JournalEntry.objects.count() == 1
    # A janitor whom the report is about sees nothing of it.
    User.objects.filter(pk=otto.pk).update(is_staff=True)
    otto.groups.set(janitor.groups.all())
    assert "coward" not in read(otto, report)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_send_one_message_and_no_sixth_stranger_is_reached():
    writer, reader = make_user("Wil"), make_user("Rita")

    def at_once(actions):
        together = Barrier(len(actions))

        def run(action):
            try:
                together.wait(timeout=10)
                return action()
            except Refused as error:
                return error.code
            finally:
                connection.close()

        with ThreadPoolExecutor(len(actions)) as pool:
            return list(pool.map(run, actions))

    sent = at_once([lambda: send_message(writer=writer, reader=reader, text=WORDS, once="1", now=NOW)] * 4)
    assert len({each.pk for each in sent}) == 1 and Notice.objects.filter(kind="message").count() == 1
    others = [make_user(f"Stranger_{letter}") for letter in "abcdef"]
    told = at_once(
        [lambda user=user: send_message(writer=writer, reader=user, text=WORDS, once="1", now=NOW) for user in others]
    )
    assert told.count("too_many_strangers") == 2
