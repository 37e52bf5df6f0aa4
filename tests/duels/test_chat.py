"""The chat beside a battle: who reads which room when, who may write, and what it never tells."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from accounts.services.ties import block_user
from duels.errors import CannotChat
from duels.models import ChatLine
from duels.models.chat import LINE_LENGTH
from duels.selectors.chat import get_chat_for_reader
from duels.services.chat import PER_MINUTE, mute_in_chat, write_chat_line
from email_gateway.compose.battle_mail import compose_battle_mail
from moderation.models import Report
from moderation.services.battles.remove_line import remove_line
from moderation.services.battles.undo import undo_battle_entry
from moderation.services.reports import suspend_user, warn_user
from notifications.models import Notice
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.duels.sockets import run
from tests.duels.test_socket import watch
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db(transaction=True)
HIDDEN = "Lines of users you block or have muted are hidden."
ONCE = re.compile(r'value="[^"]*"')
SECRET, ASIDE = "the players know this", "the spectators know this"


@pytest.fixture(autouse=True)
def bare_throttles():
    cache.clear()


@pytest.fixture
def fan():
    return make_user("Fanny")


def say(duel, user, text, once=None, now=NOW):
    once = once or f"{ChatLine.objects.count():016x}"
    return write_chat_line(battle=duel.battle, user=user, text=text, once=once, now=now)


def end(duel):
    """Bung dies of surrender."""
    duel.order("Bung", "P/P", confirmed=True)
    duel.order("Froodal", "D/W")
    assert duel.battle.is_over
    return duel


READERS = [
    ("player", True, False),
    ("opponent", True, False),
    ("spectator", False, True),
    ("stranger", False, True),
    ("guest", False, True),
    ("janitor", False, True),
]


def find_reader(name, duel, fan):
    if name == "guest":
        return User.objects.create(username="Guest_7", is_guest=True, created_at=NOW, last_active_at=NOW)
    if name == "janitor":
        return User.objects.create_superuser("Jane", "jane@example.org", "not so secret")
    return {
        "player": duel.user("Froodal"), "opponent": duel.user("Bung"), "spectator": fan, "stranger": None
    }[name]  # fmt: skip


@pytest.mark.parametrize(("who", "sees_players", "sees_spectators"), READERS)
def test_each_role_reads_its_room_while_the_battle_runs_and_both_after_the_end(
    duel, fan, who, sees_players, sees_spectators
):
    say(duel, duel.user("Froodal"), SECRET)
    say(duel, fan, ASIDE)
    client = log_in(find_reader(who, duel, fan))
    pages = [f"/battles/{duel.number}/chat/", f"/battles/{duel.number}/chat/?fragment=chat"]
    for page in [*pages, f"{pages[0]}?before=99999"]:
        told = client.get(page).content.decode()
        assert (SECRET in told, ASIDE in told) == (sees_players, sees_spectators), page
    end(duel)
    for page in pages:
        told = client.get(page).content.decode()
        assert SECRET in told and ASIDE in told, page


def test_no_other_page_shows_a_line(duel, fan):
    say(duel, duel.user("Froodal"), SECRET)
    say(duel, fan, ASIDE)
    for client in (log_in(None), log_in(fan), log_in(duel.user("Bung"))):
        for page in ("", "?fragment=board", "table/", "story/", "transcript/"):
            told = client.get(f"/battles/{duel.number}/{page}").content.decode()
            assert SECRET not in told and ASIDE not in told
        assert SECRET not in client.get(f"/api/v1/battles/{duel.number}/").content.decode()


def test_the_chat_does_not_change_with_secret_orders(duel, fan):
    say(duel, duel.user("Froodal"), "hello")
    readers = [log_in(None), log_in(fan), log_in(duel.user("Bung"))]

    def read():
        pages = [client.get(f"/battles/{duel.number}/chat/?fragment=chat").content.decode() for client in readers]
        return [re.sub(r'value="[^"]+"', "", page) for page in pages]

    before = read()
    duel.order("Froodal", "P/D\nSAY not yet")
    assert read() == before


def test_a_line_is_written_once_however_often_the_click_arrives(duel):
    client = log_in(duel.user("Froodal"))
    form = {"text": "Good luck", "once": "0123456789abcdef"}
    address = f"/battles/{duel.number}/chat/"
    assert client.post(address, form)["Location"] == f"{address}#end"
    assert client.post(address, form).status_code == 302
    assert client.post(f"{address}?fragment=chat", form).status_code == 200
    assert [line.text for line in ChatLine.objects.all()] == ["Good luck"]
    # Another user's mark is their own.
    log_in(duel.user("Bung")).post(address, form)
    assert ChatLine.objects.count() == 2
    # The response got lost, and the line was changed before it was sent again.
    client.post(address, {**form, "text": "Good luck, have fun"})
    assert ChatLine.objects.latest("pk").text == "Good luck, have fun"


@pytest.mark.parametrize("text", ["", "   ", "x" * (LINE_LENGTH + 1)])
@pytest.mark.parametrize("once", ["0123456789abcdef"])
def test_an_empty_or_long_line_is_refused_and_stays_in_the_form(duel, text, once):
    answer = log_in(duel.user("Froodal")).post(f"/battles/{duel.number}/chat/", {"text": text, "once": once})
    assert answer.status_code == 422 and not ChatLine.objects.exists()
    assert text.strip() in answer.content.decode()


@pytest.mark.parametrize("once", ["", "zu lang " * 5, "../../x", "0" * 17])
def test_a_form_without_its_token_is_rejected(duel, once):
    answer = log_in(duel.user("Froodal")).post(f"/battles/{duel.number}/chat/", {"text": "hi", "once": once})
    assert answer.status_code == 422 and not ChatLine.objects.exists()


def test_hidden_signs_and_markup_are_shown_as_what_they_are(duel):
    say(duel, duel.user("Froodal"), "<b>bold</b> \u202eevil\nsecond line")
    told = log_in(duel.user("Bung")).get(f"/battles/{duel.number}/chat/").content.decode()
    assert "&lt;b&gt;bold&lt;/b&gt; [U+202E]evil second line" in told


def test_a_user_who_writes_too_fast_must_wait(duel):
    user = duel.user("Froodal")
    for number in range(PER_MINUTE.limit):
        say(duel, user, f"line {number}")
    with refused("too_fast", match="very fast"):
        say(duel, user, "one more", once="f" * 16)
    # The same click again is no new line, and no problem.
    assert say(duel, user, "line 0", once="0" * 16).text == "line 0"
    assert ChatLine.objects.count() == PER_MINUTE.limit
    say(duel, duel.user("Bung"), "others can")


def test_strangers_guests_and_bots_cannot_write(duel):
    form = {"text": "hi", "once": "0123456789abcdef"}
    address = f"/battles/{duel.number}/chat/"
    assert log_in(None).post(address, form)["Location"].startswith("/accounts/login/")
    guest = User.objects.create(username="Guest_7", is_guest=True, created_at=NOW, last_active_at=NOW)
    assert log_in(guest).post(address, form)["Location"] == "/keep/"
    assert log_in(guest).post(address, form, headers={"Sec-Fetch-Mode": "cors"}).status_code == 403
    for user in (guest, User.objects.create(username="Robot", is_bot=True, created_at=NOW, last_active_at=NOW)):
        with pytest.raises(CannotChat):
            say(duel, user, "hi")
    assert not ChatLine.objects.exists()


def test_suspended_or_warned_users_cannot_write(duel):
    jane = User.objects.create_superuser("Jane", "jane@example.org", "not so secret")
    now = timezone.now()
    suspend_user(user=duel.user("Froodal"), by=jane, reason="Insults.", ends_at=now + timedelta(days=3), now=now)
    warn_user(user=duel.user("Bung"), by=jane, text="Mind your words.", now=now)
    for name in duel.names:
        user = User.objects.get(username=f"{name}_user")
        log_in(user).post(f"/battles/{duel.number}/chat/", {"text": "hi", "once": "0123456789abcdef"})
        with pytest.raises(CannotChat):
            say(duel, user, "hi", now=now)
    assert not ChatLine.objects.exists()
    assert log_in(duel.user("Froodal")).get(f"/battles/{duel.number}/chat/").status_code == 200


def test_a_battle_without_talking_is_silent_for_its_players_until_the_end(fan):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"), chat=False)
    with refused("no_talking", match="no talking"):
        say(duel, duel.user("Froodal"), "psst")
    say(duel, fan, "spectators talk")
    end(duel)
    say(duel, duel.user("Froodal"), "at last")


def test_a_chat_closes_a_month_after_the_end(duel):
    end(duel)
    say(duel, duel.user("Bung"), "well played", now=NOW + timedelta(days=29))
    with refused("chat_closed", match="closed"):
        say(duel, duel.user("Bung"), "hello?", once="f" * 16, now=NOW + timedelta(days=31))


def test_nothing_vanishes_from_the_chat_of_a_user_whom_another_blocks(duel):
    """Their page stays as it was, and goes on: only the one who blocks no longer sees the other's lines."""
    froodal, bung = duel.user("Froodal"), duel.user("Bung")
    say(duel, bung, SECRET)
    say(duel, froodal, ASIDE)
    client, address = log_in(bung), f"/battles/{duel.number}/chat/"

    def read():
        return re.findall(r"data-line.*?</li>", client.get(address).content.decode(), re.S)

    before = [ONCE.sub("", line) for line in read()]
    block_user(user=froodal, blocked=bung, now=NOW)
    assert [ONCE.sub("", line) for line in read()] == before and len(before) == 2
    say(duel, froodal, "and goodbye")
    page = client.get(address).content.decode()
    assert "and goodbye" in page and HIDDEN not in page


def test_lines_of_muted_and_blocked_users_are_hidden(duel, fan):
    say(duel, duel.user("Bung"), SECRET)
    client, address = log_in(duel.user("Froodal")), f"/battles/{duel.number}/chat/"
    assert SECRET in client.get(address).content.decode()
    for _ in range(2):
        assert client.post(f"{address}mute/", {"name": "Bung_user"}).status_code == 302
    page = client.get(address).content.decode()
    assert SECRET not in page and "Unmute" in page
    assert SECRET in log_in(duel.user("Bung")).get(address).content.decode()  # they are not told
    client.post(f"{address}mute/", {"name": "Bung_user", "act": "stop"})
    assert SECRET in client.get(address).content.decode()
    assert HIDDEN not in client.get(address).content.decode()
    block_user(user=duel.user("Froodal"), blocked=duel.user("Bung"), now=NOW)
    page = client.get(address).content.decode()
    assert SECRET not in page and HIDDEN in page
    assert client.post(f"{address}mute/", {"name": "Froodal_user"}).status_code == 404
    assert log_in(None).post(f"{address}mute/", {"name": "Bung_user"}).status_code == 302


def test_a_line_is_reported_with_its_words_by_those_who_can_read_it(duel, fan):
    line = say(duel, duel.user("Bung"), SECRET)
    address = f"/reports/new/?line={line.pk}"
    assert SECRET not in log_in(fan).get(address).content.decode()
    client = log_in(duel.user("Froodal"))
    assert SECRET in client.get(address).content.decode()
    for _ in range(2):
        client.post(address, {"about": "Bung_user", "text": "Not nice."})
    report = Report.objects.get()
    assert (report.about_user, report.about_battle) == (duel.user("Bung"), duel.number)
    assert SECRET in report.text and "Not nice." in report.text


def test_a_turns_email_brings_players_what_was_written_since_the_turn_before(duel, fan):
    froodal, bung = duel.user("Froodal"), duel.user("Bung")
    for user in (froodal, bung):
        EmailAddress.objects.create(user=user, email=f"{user.pk}@example.org", verified=True, primary=True)
    say(duel, bung, "before turn one", now=NOW)
    say(duel, fan, ASIDE, now=NOW)
    say(duel, froodal, "my own words", now=NOW)
    duel.turn("P/-", "W/-")
    say(duel, bung, "before turn two", now=NOW + timedelta(minutes=1))
    for name in duel.names:
        duel.order(name, "-/P", now=NOW + timedelta(minutes=2))

    def read(user, seq):
        facts = Notice.objects.get(kind="turn_resolved", user=user, facts__seq=seq).facts
        return compose_battle_mail("turn_resolved", facts, user)

    first, second = read(froodal, 1), read(froodal, 2)
    assert "Bung: before turn one" in first.text and "before turn two" not in first.text
    assert "Bung: before turn two" in second.text and "before turn one" not in second.text
    assert "Bung: before turn one" in first.html
    assert "my own words" not in first.text and "my own words" in read(bung, 1).text
    assert ASIDE not in first.text + second.text
    # The text of an email stays, whatever is written later.
    say(duel, bung, "later", now=NOW + timedelta(minutes=9))
    assert read(froodal, 1).text == first.text


async def hears_of_a_line(socket, number):
    """Return whether the page is notified of a line, without its text; on a busy machine, it hears of the battle's
    start or end meanwhile."""
    while not await socket.receive_nothing():
        heard = await socket.receive_json()
        if heard == {"battle": number, "chat": True}:
            return True
        assert heard == {"battle": number, "changed": True}
    return False


SOCKETS = [("Froodal", True, False), ("Fanny", False, True), (None, False, True)]


@pytest.mark.parametrize(("who", "of_players", "of_spectators"), SOCKETS)
def test_pages_are_notified_only_of_their_own_room_and_without_the_text(duel, fan, who, of_players, of_spectators):
    user = None if who is None else fan if who == "Fanny" else duel.user(who)
    socket = watch(duel.number, user)

    async def hears(writer, text):
        await sync_to_async(say)(duel, writer, text)
        return await hears_of_a_line(socket, duel.number)

    async def story():
        assert await socket.connect()
        assert await hears(duel.user("Bung"), SECRET) == of_players
        assert await hears(fan, ASIDE) == of_spectators
        await socket.disconnect()

    run(story())


@pytest.mark.parametrize("act", ["block", "mute"])
def test_an_open_page_is_not_notified_of_lines_that_its_user_may_not_read(duel, fan, act):
    writer = duel.user("Bung")
    end(duel)
    socket = watch(duel.number, fan)

    def part():
        if act == "mute":
            mute_in_chat(user=fan, muted=writer, now=NOW)
        else:
            block_user(user=fan, blocked=writer, now=NOW)

    async def story():
        assert await socket.connect()
        await sync_to_async(part)()
        await sync_to_async(say)(duel, writer, SECRET)
        assert not await hears_of_a_line(socket, duel.number)
        await sync_to_async(say)(duel, duel.user("Froodal"), "for you")
        assert await hears_of_a_line(socket, duel.number)
        await socket.disconnect()

    run(story())


def test_after_the_end_every_page_is_notified_of_every_line(duel, fan):
    end(duel)
    socket = watch(duel.number, fan)

    async def story():
        assert await socket.connect()
        await sync_to_async(say)(duel, duel.user("Bung"), SECRET)
        assert await socket.receive_json() == {"battle": duel.number, "chat": True}
        await socket.disconnect()

    run(story())


def test_a_long_chat_is_read_in_parts(duel, monkeypatch):
    rows = [
        ChatLine(
            battle=duel.battle, user=duel.user("Bung"), room="players", text=f"n{n}", once=f"{n:016x}", created_at=NOW
        )
        for n in range(130)
    ]
    ChatLine.objects.bulk_create(rows)
    chat = get_chat_for_reader(number=duel.number, user=duel.user("Froodal"), now=NOW)
    assert (len(chat.lines), chat.lines[-1].text, chat.is_more) == (100, "n129", True)
    older = get_chat_for_reader(number=duel.number, user=duel.user("Froodal"), now=NOW, before=chat.lines[0].pk)
    assert (len(older.lines), older.lines[0].text, older.is_more) == (30, "n0", False)


def test_nobody_can_read_a_removed_line_until_it_is_restored(duel):
    froodal, bung, stranger = duel.user("Froodal"), duel.user("Bung"), make_user("Stranger")
    line = write_chat_line(battle=duel.battle, user=froodal, text=SECRET, once="1", now=NOW)
    janitor = make_janitor()
    entry = remove_line(line=line, by=janitor, reason=WHY, now=NOW)
    for user in (froodal, bung):
        (shown,) = get_chat_for_reader(number=duel.number, user=user, now=NOW).lines
        assert shown.removed and SECRET not in shown.text and "janitor removed" in shown.text
    client = log_in(bung)
    page = client.get(f"/battles/{duel.number}/chat/").content.decode()
    assert SECRET not in page and "A janitor removed this line." in page and f"line={line.pk}" not in page
    assert client.get(f"/reports/new/?line={line.pk}").status_code == 200
    assert SECRET not in client.get(f"/reports/new/?line={line.pk}").content.decode()
    with refused("already_removed"):
        remove_line(line=line, by=janitor, reason=WHY, now=NOW)
    for user in (stranger, froodal):
        with refused("not_a_janitor"):
            remove_line(line=line, by=user, reason=WHY, now=NOW)
    undo_battle_entry(entry=entry, by=janitor, reason=WHY, now=NOW)
    assert [each.text for each in get_chat_for_reader(number=duel.number, user=bung, now=NOW).lines] == [SECRET]
