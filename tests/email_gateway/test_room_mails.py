"""The lobby's room as a mailing list: who gets which lines when, and what a reply does."""

import contextlib
from email.message import EmailMessage

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from accounts.models import User
from accounts.services.ties import block_user
from challenges.errors import RoomRefused
from challenges.models import ROOM_LINE_LENGTH, RoomLine
from challenges.selectors.room import read_room
from challenges.services.room import PER_MINUTE, take_down_line, write_line
from challenges.services.room_mails import DELAY, tell_of_talk
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from email_gateway.models import InboundMail
from moderation.services.reports import suspend_user
from notifications.models import Delivery, Notice
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import set_preference
from tests.duels.janitors import make_janitor
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.replies import LANGUAGES, STYLES
from tests.email_gateway.test_stopping import stop_page
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, whole_body, write_mail
from tests.site.test_hostile_requests import VALUES

FRODE, BILL, HARRY = "frode@example.org", "bill@example.org", "harry@example.org"


class Room:
    """The room with Frode and Bill, who have fought, and Harry, who only reads: Bill and Harry get it by email."""

    def __init__(self, world: MailWorld, frode: User, bill: User, harry: User) -> None:
        self.world, self.frode, self.bill, self.harry = world, frode, bill, harry

    def say(self, writer: User, text: str) -> RoomLine:
        once = str(RoomLine.objects.count())
        return write_line(writer=writer, text=text, via=RoomLine.Via.PAGE, once=once, now=self.world.now)

    def pass_time(self, **span: float) -> list[EmailMessage]:
        """Return the emails that go out once this time has passed; by default all that waits goes out."""
        self.world.wait(**(span or {"seconds": DELAY.total_seconds()}))
        tell_of_talk(now=self.world.now)
        return self.world.new_mails()

    def reply(self, mail: EmailMessage, text: str | bytes, *, sender: str = BILL, **headers: str):
        names = {"References": str(mail["Message-ID"]), "In_Reply_To": str(mail["Message-ID"]), **headers}
        raw = text if isinstance(text, bytes) else write_mail(text, sender=sender, subject="Re: Talk", **names)
        return self.world.send(raw, sender=sender, to=reply_address(mail))

    @property
    def lines(self) -> list[str]:
        return [line.text for line in read_room(reader=None, now=self.world.now).lines]


@pytest.fixture
def room(duel: MailedDuel) -> Room:
    cache.clear()
    duel.world.order(duel.battle, duel.froodal, "W/W")
    bung = get_combatant_for_user(number=duel.number, user=duel.bung.user, mage_name="Bung")
    submit_orders(combatant=bung, text="P/P", via="web", now=duel.world.now, ready=True, confirmed=True)
    assert duel.reload().is_over
    duel.world.pass_over_mails()
    room = Room(duel.world, duel.froodal.user, duel.bung.user, duel.world.user("Harry"))
    for user in (room.bill, room.harry):
        set_preference(user=user, key="mail_talk", value="yes")
    return room


def recipients(mails: list[EmailMessage]) -> list[str]:
    return [str(mail["To"]) for mail in mails]


def answer_of(mails: list[EmailMessage]) -> EmailMessage:
    [answer] = [mail for mail in mails if mail["Auto-Submitted"] == "auto-replied"]
    return answer


def test_a_line_goes_out_after_two_minutes_to_those_who_want_it_and_not_to_its_writer_alone(room: Room):
    room.say(room.frode, "Anyone for a <b>duel</b>?")
    assert room.pass_time(seconds=100) == []
    mails = room.pass_time(seconds=30)
    assert sorted(recipients(mails)) == [BILL, HARRY]
    text = body(mails[0])
    assert "Frode, " in text and "  | Anyone for a <b>duel</b>?" in text and "@example.org" not in text
    assert "&lt;b&gt;duel" in body(mails[0], "html")
    room.say(room.bill, "Me, tomorrow")
    assert recipients(room.pass_time()) == [HARRY], "nobody gets only their own lines"


def test_lines_of_two_minutes_are_one_email_and_removed_ones_are_in_none(room: Room):
    rude = room.say(room.frode, "something rude")
    room.say(room.frode, "Hello")
    room.say(room.bill, "Hello Frode")
    take_down_line(line=rude, by=room.frode, now=room.world.now)
    [to_harry] = [mail for mail in room.pass_time() if mail["To"] == HARRY]
    assert "rude" not in whole_body(to_harry) + whole_body(to_harry, "html")
    assert "Hello Frode" in body(to_harry)
    last = room.say(room.frode, "a second thought")
    take_down_line(line=last, by=room.frode, now=room.world.now)
    assert room.pass_time() == []
    room.say(room.frode, "one")
    room.pass_time(seconds=125)
    room.say(room.frode, "two")
    assert room.pass_time(seconds=60) == [], "an evening of talk is not an email a line"
    assert len(room.pass_time(seconds=120)) == 2


def test_a_daily_email_has_all_lines_of_the_day_and_can_be_answered(room: Room):
    set_preference(user=room.bill, key="mail_talk", value="digest")
    for text in ("in the morning", "at noon", "removed at night"):
        line = room.say(room.frode, text)
        assert recipients(room.pass_time(hours=1)) == [HARRY]
    take_down_line(line=line, by=room.frode, now=room.world.now)
    mails = [mail for mail in room.pass_time(days=1) if mail["To"] == BILL]
    assert len(mails) == 1 and "at night" not in body(mails[0])
    assert "in the morning" in body(mails[0]) and "at noon" in body(mails[0])
    room.reply(mails[0], "Late, but here")
    assert room.lines[-1] == "Late, but here"


@pytest.mark.parametrize("when", ["before it is written", "while it waits", "while the daily email waits"])
@pytest.mark.parametrize("who", ["reader", "writer"])
def test_no_line_is_emailed_across_a_block_whoever_blocks(room: Room, who: str, when: str):
    set_preference(user=room.bill, key="mail_talk", value="digest" if "daily" in when else "yes")
    pair = {"user": room.bill, "blocked": room.frode} if who == "reader" else {"user": room.frode, "blocked": room.bill}
    if when == "before it is written":
        block_user(**pair, now=room.world.now)
    room.say(room.frode, "not for Bill")
    if when == "while it waits":
        block_user(**pair, now=room.world.now)
    assert recipients(room.pass_time()) == [HARRY]
    if "daily" in when:
        block_user(**pair, now=room.world.now)
        assert recipients(room.pass_time(days=1)) == []


def test_lines_of_a_suspended_user_are_not_emailed(room: Room):
    room.say(room.frode, "insults")
    jane = make_janitor()
    suspend_user(user=room.frode, by=jane, reason="Insults.", ends_at=None, now=room.world.now)
    room.world.pass_over_mails()
    assert room.pass_time() == []


def test_nobody_gets_a_line_twice_although_workers_die_or_work_at_once(room: Room, monkeypatch):
    room.say(room.frode, "Hello")
    room.world.wait(minutes=3)

    def die(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt), transaction.atomic():
        patched.setattr("challenges.services.room_mails.write_notices", die)
        tell_of_talk(now=room.world.now)
    assert tell_of_talk(now=room.world.now) == 1
    RoomLine.objects.update(told_at=None)  # as another worker, which read them before, would see them
    tell_of_talk(now=room.world.now)
    assert Notice.objects.filter(kind="room_talk").count() == 2
    assert sorted(recipients(room.world.new_mails())) == [BILL, HARRY]


def test_its_headers_are_those_of_a_list_and_one_post_ends_it(room: Room):
    room.say(room.frode, "one")
    first = next(mail for mail in room.pass_time() if mail["To"] == BILL)
    room.say(room.frode, "two")
    second = next(mail for mail in room.pass_time() if mail["To"] == BILL)
    for mail in (first, second):
        assert mail["List-Id"] == "<talk.localhost>" and mail["Precedence"] == "list"
        assert mail["List-Post"] == f"<mailto:{reply_address(mail)}>"
        assert mail["Auto-Submitted"] == "auto-generated" and "Frode" not in str(mail["From"])
    assert first["In-Reply-To"] == second["In-Reply-To"] and first["Subject"] == second["Subject"]
    asked = Client().get(stop_page(first))
    assert "the talk in the lobby" in asked.content.decode()
    for _ in range(2):
        assert Client().post(stop_page(first), {"List-Unsubscribe": "One-Click"}).status_code == 200
    room.say(room.frode, "three")
    assert recipients(room.pass_time()) == [HARRY]


def test_a_reply_is_a_line_and_is_confirmed(room: Room):
    room.say(room.frode, "Anyone for a duel?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    answer = answer_of(room.reply(mail, "Me,\ntomorrow.\n\n-- \nBill, 5 Main Street"))
    assert room.lines == ["Anyone for a duel?", "Me, tomorrow."]
    assert RoomLine.objects.last().via == "mail"  # type: ignore[union-attr]
    assert answer["To"] == BILL and "  | Me, tomorrow." in body(answer) and "NEWUSER" not in body(answer)
    # The answer can be answered, too.
    room.reply(answer, "At eight")
    assert room.lines[-1] == "At eight"


# The reader of replies is the one of messages, which test_message_replies.py tries with every style.
@pytest.mark.parametrize(
    "style",
    [name if place % 6 == 0 else pytest.param(name, marks=pytest.mark.slow) for place, name in enumerate(STYLES)],
)
def test_only_ones_own_words_are_a_line_however_a_program_quotes(room: Room, style: str):
    room.say(room.frode, "Anyone for a duel?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    for language in LANGUAGES[::12]:
        cache.clear()
        raw = STYLES[style]("Me, tomorrow", whole_body(mail).rstrip(), language)
        room.reply(mail, raw)
        line = RoomLine.objects.last()
        assert line is not None and line.text.startswith("Me, tomorrow"), language.code
        assert "Anyone" not in line.text and "Firetop" not in line.text


def test_what_is_no_line_comes_back_whole_with_the_reason(room: Room):
    room.say(room.frode, "Anyone?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    long = "\n".join(f"row {number} of a long story" for number in range(1500))
    answer = answer_of(room.reply(mail, long))
    assert f"at most {ROOM_LINE_LENGTH} characters" in " ".join(body(answer).split())
    assert all(f"  | row {number} of a long story" in body(answer) for number in (0, 999, 1000, 1499))
    answer = answer_of(room.reply(answer, "A short one"))
    assert room.lines == ["Anyone?", "A short one"]
    answer = answer_of(room.reply(mail, "\n> Anyone?\n"))
    assert "Enter something to say" in body(answer) and len(room.lines) == 2


def test_the_rules_of_the_page_hold_for_replies(room: Room):
    room.say(room.frode, "Anyone?")
    mails = {str(mail["To"]): mail for mail in room.pass_time()}
    answer = answer_of(room.reply(mails[HARRY], "Me", sender=HARRY))
    assert "battle" in body(answer) and "  | Me" in body(answer), "Harry has not fought"
    for number in range(PER_MINUTE.limit):
        room.reply(mails[BILL], f"line {number}")
    answer = answer_of(room.reply(mails[BILL], "one more"))
    assert "very fast" in body(answer) and "  | one more" in body(answer)
    cache.clear()
    suspend_user(user=room.bill, by=make_janitor(), reason="Spam.", ends_at=None, now=room.world.now)
    answer = answer_of(room.reply(mails[BILL], "let me"))
    assert "suspended" in body(answer) and "  | let me" in body(answer)
    assert len(room.lines) == 1 + PER_MINUTE.limit


AUTOMATIC = [
    {"Auto_Submitted": "auto-replied"},
    {"Precedence": "bulk"},
    {"X_Autoreply": "yes"},
    {"Subject": "Automatic reply: Talk in the lobby"},
    {"List_Id": "<other.example.org>"},
]


@pytest.mark.parametrize("headers", AUTOMATIC)
def test_an_automatic_reply_is_neither_a_line_nor_answered(room: Room, headers: dict[str, str]):
    """Two machines would never stop, so nothing comes back; janitors find the email at their desk."""
    room.say(room.frode, "Anyone?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    assert room.reply(mail, "I am away until Monday.", **headers) == []
    assert room.lines == ["Anyone?"]
    assert InboundMail.objects.get().state == "automatic"
    # Our own email comes back from a mailbox that forwards to us.
    forwarded = mail.as_bytes()
    assert room.world.send(forwarded, sender=BILL, to=reply_address(mail)) == []
    assert room.lines == ["Anyone?"]


def test_the_same_email_twice_is_one_line_with_and_without_a_message_id(room: Room):
    room.say(room.frode, "Anyone?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    raw = write_mail("Me", sender=BILL, References=str(mail["Message-ID"]))
    bare = raw.replace(b"Message-ID: ", b"X-Was: ").replace(b"Me\r\n", b"Me too\r\n")
    for each in (raw, raw, bare, bare):
        room.reply(mail, each)
    assert room.lines == ["Anyone?", "Me", "Me too"]


def test_no_password_and_no_reply_address_reaches_the_room(room: Room):
    room.say(room.frode, "Anyone?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    room.reply(mail, f"USER Bill {PASSWORD}\nSCORES")
    assert room.lines == ["Anyone?"]
    room.reply(mail, f"my address is {reply_address(mail)}")
    assert reply_address(mail) not in room.lines[-1] and "my address is" in room.lines[-1]
    strangers = room.reply(mail, "Not Bill", sender="eve@example.org")
    assert recipients(strangers) == [BILL] and "eve@example.org" in body(strangers[0])


def test_the_choice_is_made_by_email(room: Room):
    room.say(room.frode, "Anyone?")
    [mail] = [mail for mail in room.pass_time() if mail["To"] == BILL]
    room.reply(mail, "NOTICES TALK EMAIL DAILY")
    assert preferences_of(room.bill)["mail_talk"] == "digest"
    answer = answer_of(room.reply(mail, "NOTICES TURNS EMAIL OFF"))
    assert "USER" in body(answer) and preferences_of(room.bill)["mail_turns"] == "yes"
    answer = answer_of(room.reply(mail, "unsubscribe"))
    assert "no longer" in body(answer) and preferences_of(room.bill)["mail_talk"] == "no"
    room.world.ask(f"USER Frode {PASSWORD}\nNOTICES TALK EMAIL ON", sender=FRODE)
    assert preferences_of(room.frode)["mail_talk"] == "yes"
    assert room.lines == ["Anyone?"] and not Delivery.objects.filter(state="failed").exists()


def test_the_lobby_is_read_and_written_without_an_email_of_it(room: Room):
    room.say(room.frode, "Anyone?")
    block_user(user=room.harry, blocked=room.frode, now=room.world.now)
    order = "LOBBY SAY\nMe, and this goes on\nin a second row.\nEND LOBBY\nLOBBY\n"
    told = room.world.ask(f"USER Bill {PASSWORD}\n{order}", sender=BILL)
    assert "  | Anyone?" in told and "  | Me, and this goes on in a second row." in told
    assert room.lines == ["Anyone?", "Me, and this goes on in a second row."]
    told = room.world.ask(f"USER Bill {PASSWORD}\nLOBBY SAY\n{'a long story ' * 30}\nthe end\nEND LOBBY", sender=BILL)
    told = " ".join(told.replace("  | ", "").split())
    assert f"at most {ROOM_LINE_LENGTH} characters" in told and ("a long story " * 30 + "the end") in told
    told = room.world.ask(f"USER Harry {PASSWORD}\nLOBBY", sender=HARRY)
    assert "  | Anyone?" not in told and "Me, and this" in told
    assert len(room.lines) == 2 and "USER" in room.world.ask("LOBBY SAY\nhello\nEND LOBBY", sender="eve@example.org")


MARKUP = (
    "</p><script>alert(1)</script>",
    "{% load x %}",
    "[a duel](https://evil.example/)",
    "https://evil.example/ <a href='https://evil.example/'>duel</a>",
    "Subject: moths\r\nBcc: eve@example.org",
    "=== Reply above this line ===",
    "On Sunday, Firetop Mountain wrote:",
)


def test_no_hostile_line_breaks_an_email_or_what_a_reply_to_it_says(room: Room):
    written = 0
    for value in (*VALUES, *MARKUP):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        cache.clear()
        with contextlib.suppress(RoomRefused):
            if "\0" not in text:  # which no form and no email lets through
                written += room.say(room.frode, text).pk > 0
    mails = [mail for mail in room.pass_time() if mail["To"] == BILL]
    assert len(mails) == 1 and written > len(MARKUP)
    [mail] = mails
    html = whole_body(mail, "html")
    assert "<script" not in html and 'href="https://evil' not in html and "href='https://evil" not in html
    assert mail["Bcc"] is None and mail["Subject"].startswith("Talk in the lobby, ")
    quoted = "\n".join(f"> {row}" for row in whole_body(mail).split("\n"))
    room.reply(mail, f"Calm down.\n\nOn Sunday, Firetop Mountain wrote:\n{quoted}")
    assert room.lines[-1] == "Calm down."
