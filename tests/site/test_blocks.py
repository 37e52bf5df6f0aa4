"""What a block does, on every channel of the page that says so, both ways; and what a suspension does to the same ones.

To add a channel: a row in accounts/block_effects.py and an attempt here.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from accounts.block_effects import CHANNELS, Effect
from accounts.models import Block, Follow, Mage, User
from accounts.selectors.news import list_news
from accounts.services.hosts import mark_host, offer_to_host
from accounts.services.mail_passwords import set_mail_password
from accounts.services.ties import block_user
from accounts.services.tokens import issue_api_token
from accounts.services.users import set_about
from challenges.models import Challenge, RoomLine, Seat
from challenges.selectors.fitting import list_fitting_duels
from challenges.selectors.lobby import read_lobby
from challenges.selectors.room import read_room
from challenges.selectors.seeks import SHORTEST_WAIT
from challenges.services.invite_links import make_invite_link
from challenges.services.quick_match import find_quick_match
from challenges.services.room import write_line
from challenges.services.room_mails import DELAY, tell_of_talk
from challenges.services.tell_of_seeks import tell_of_seeks
from duels.selectors.chat import get_chat_for_reader
from duels.services.chat import write_chat_line
from email_gateway.compose.notices import compose_notice
from moderation.services.reports import suspend_user
from notifications.models import Notice
from notifications.services.preferences import set_preference
from operations.errors import Refused
from operations.presence import see_people
from studies.services.obituaries import write_obituary_line
from tests.challenges.conftest import make_challenge
from tests.duels.fights import Fight, changed_state, start_fight
from tests.duels.janitors import make_janitor
from tests.email_gateway.world import PASSWORD, MailWorld, body
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TOLD = re.compile("[Tt]here is a block between|You (?:have blocked|block) [A-Z]")
WORDS = "The moths are out tonight."


@dataclass
class Pair:
    """Two users and what they need to meet: `writer` tries to reach `reader`."""

    writer: Mage
    reader: Mage

    @property
    def users(self) -> tuple[User, User]:
        return self.writer.user, self.reader.user

    def spare(self, mage: Mage) -> Mage:
        """Another free mage of the same user."""
        return make_mage(f"{mage.name}{Mage.objects.count()}", mage.user)


@dataclass(frozen=True)
class Outcome:
    """Whether the attempt reached the other, and what whoever tried was told, if they were refused."""

    reached: bool
    told: str = ""


Attempt = Callable[[Pair], Outcome]
ATTEMPTS: dict[str, list[Attempt]] = {}


def tries(channel: str) -> Callable[[Attempt], Attempt]:
    def note(attempt: Attempt) -> Attempt:
        ATTEMPTS.setdefault(channel, []).append(attempt)
        return attempt

    return note


@contextmanager
def refusals(told: list[str]) -> Iterator[None]:
    """Note what is refused, and why."""
    try:
        yield
    except Refused as error:
        told.append(str(error))


def told_on(page: str) -> str:
    found = TOLD.search(page)
    return found[0] if found else ""


def post(by: Mage, address: str, **form: str) -> str:
    """Send a form as the mage's user; return what it says about a block."""
    return told_on(flat(log_in(by.user).post(address, form, follow=True).text))


def call(mage: Mage, path: str, **body: object) -> str:
    """Make a call about challenges as the mage's user; return what it says about a block."""
    token = issue_api_token(user=mage.user, name="test", scopes=["play"], now=timezone.now())[1]
    answer = Client().post(
        f"/api/v1/challenges/{path}",
        {"mage": mage.name, **body},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    return told_on(answer.text)


def fight_of(pair: Pair) -> Fight:
    return start_fight(pair.writer, pair.reader)


@tries("message")
def by_the_page(pair: Pair) -> Outcome:
    EmailAddress.objects.get_or_create(user=pair.reader.user, email="r@example.org", verified=True, primary=True)
    form = {"mage": pair.writer.name, "to": pair.reader.name, "text": WORDS, "once": "0" * 16}
    answer = log_in(pair.writer.user).post("/messages/new/", form, follow=True)
    is_told = Notice.objects.filter(kind="message", user=pair.reader.user).exists()
    return Outcome(is_told, told_on(flat(answer.text)))


@tries("message")
def in_the_inbox(pair: Pair) -> Outcome:
    told = post(pair.writer, f"/inbox/{pair.reader.user.username}/", text=WORDS, once="0" * 16)
    shown = flat(log_in(pair.reader.user).get(f"/inbox/{pair.writer.user.username}/").text)
    return Outcome(WORDS in shown, told)


@tries("message")
def by_email(pair: Pair) -> Outcome:
    return Outcome(*write_by_email(pair, f"MESSAGE {pair.writer.name} {pair.reader.name}", "message"))


@tries("message")
def announced_by_email(pair: Pair) -> Outcome:
    return Outcome(*write_by_email(pair, f"ANNOUNCE {fight_of(pair).number}", "announcement"))


def write_by_email(pair: Pair, order: str, kind: str) -> tuple[bool, str]:
    """Send an email of the writer's; return whether the reader was told, and what the answer says about a block."""
    user = pair.writer.user
    address = EmailAddress.objects.create(user=user, email="w@example.org", verified=True, primary=True).email
    set_mail_password(user=user, raw=PASSWORD, now=NOW)
    word = order.split()[0]
    mails = MailWorld().send(f"USER {user.username} {PASSWORD}\n{order}\n{WORDS}\nEND {word}", sender=address)
    answer = " ".join(" ".join(body(mail) for mail in mails if mail["To"] == address).split())
    return Notice.objects.filter(kind=kind, user=pair.reader.user).exists(), told_on(answer)


@tries("challenge")
def by_name(pair: Pair) -> Outcome:
    told = call(pair.writer, "", against=[pair.reader.name])
    return Outcome(Seat.objects.filter(mage=pair.reader).exists(), told)


@tries("challenge")
def to_a_rematch(pair: Pair) -> Outcome:
    fight = fight_of(pair)
    fight.turn("P/P", "-/-")
    told = post(pair.writer, f"/challenges/rematch/{fight.number}/")
    return Outcome(Seat.objects.filter(mage=pair.reader).exists(), told)


@tries("join")
def an_open_one(pair: Pair) -> Outcome:
    challenge = make_challenge(pair.reader, limit=3)
    told = call(pair.writer, f"{challenge.number}/accept/")
    return Outcome(Seat.objects.filter(challenge=challenge, mage=pair.writer).exists(), told)


@tries("join")
def by_a_link(pair: Pair) -> Outcome:
    challenge = make_challenge(pair.reader, open_to_all=False, by_link=True, limit=3, now=timezone.now())
    _, token = make_invite_link(number=challenge.number, mage=pair.reader, now=timezone.now())
    told = post(pair.writer, f"/challenges/join/{token}/", mage=pair.writer.name)
    return Outcome(Seat.objects.filter(challenge=challenge, mage=pair.writer).exists(), told)


@tries("join")
def with_one_press_in_the_lobby(pair: Pair) -> Outcome:
    challenge = make_challenge(pair.reader, limit=3)
    told = post(pair.writer, "/lobby/join/", seek=f"{challenge.number}.{challenge.terms_key}", mage=pair.writer.name)
    return Outcome(Seat.objects.filter(challenge=challenge, mage=pair.writer).exists(), told)


@tries("follow")
def by_their_page(pair: Pair) -> Outcome:
    answer = log_in(pair.writer.user).post(f"/users/{pair.reader.user.username}/follow/", follow=True)
    return Outcome(Follow.objects.filter(user=pair.writer.user).exists(), told_on(flat(answer.text)))


@tries("obituary")
def on_a_mage_of_theirs(pair: Pair) -> Outcome:
    fight, told = fight_of(pair), []
    with changed_state(fight.battle) as state:
        state.wizards[pair.reader.name].hp = 1
    fight.turn(">/-", "-/-")
    page = flat(log_in(pair.writer.user).get(f"/mages/{pair.reader.name}/end/").text)
    with refusals(told):
        pair.reader.refresh_from_db()
        write_obituary_line(mage=pair.reader, writer=pair.writer.user, text=WORDS, now=NOW)
    if told and not told[0].startswith("You are suspended"):
        assert told[0] in page, "the page says it before they try"
    shown = flat(log_in(pair.reader.user).get(f"/mages/{pair.reader.name}/end/").text)
    return Outcome(WORDS in shown, "".join(told))


@tries("quick_match")
def by_chance(pair: Pair) -> Outcome:
    waiting = find_quick_match(mage=pair.reader, now=NOW)
    told = call(pair.writer, "find-opponent/")
    return Outcome(Seat.objects.filter(challenge__number=waiting.number, mage=pair.writer).exists(), told)


@tries("quick_match")
def all_free_mages(pair: Pair) -> Outcome:
    told = post(pair.writer, "/challenges/new/", mage=pair.writer.name, everyone="on", openness="one")
    return Outcome(Seat.objects.filter(mage=pair.reader).exists(), told)


@tries("suggestion")
def duels_that_fit(pair: Pair) -> Outcome:
    told = call(pair.writer, "")
    number = Challenge.objects.filter(challenger=pair.writer).values_list("number", flat=True).first()
    fitting = {each.duel.number for each in list_fitting_duels(pair.reader.user, today=NOW.date())}
    return Outcome(number in fitting, told)


@tries("suggestion")
def told_that_someone_looks_for_a_duel(pair: Pair) -> Outcome:
    for key, value in (("mail_seeks", "yes"), ("seek_live", "any"), ("seek_day", "any"), ("seek_slow", "any")):
        set_preference(user=pair.reader.user, key=key, value=value)
    told = call(pair.writer, "find-opponent/")
    Challenge.objects.update(created_at=NOW)
    tell_of_seeks(now=NOW + SHORTEST_WAIT)
    return Outcome(Notice.objects.filter(kind="seek_opened", user=pair.reader.user).exists(), told)


@tries("suggestion")
def seeks_in_the_lobby(pair: Pair) -> Outcome:
    told = call(pair.writer, "")
    shown = read_lobby(now=timezone.now()).show_to(pair.reader.user)
    return Outcome(pair.writer.user in [seek.user for seek in shown.seeks], told)


@tries("host")
def asked_by_a_newcomer(pair: Pair) -> Outcome:
    offer_to_host(user=pair.reader.user, now=NOW)
    mark_host(user=pair.reader.user, now=NOW)
    User.objects.update(last_active_at=timezone.now())
    told = post(pair.writer, "/challenges/host/", mage=pair.writer.name)
    return Outcome(Seat.objects.filter(mage=pair.reader).exists(), told)


@tries("here")
def among_the_people_here(pair: Pair) -> Outcome:
    Mage.objects.update(last_active_at=timezone.now())
    start_fight(pair.spare(pair.writer), make_mage("Ottokar")).turn("P/P", "-/-")
    see_people([pair.writer.user_id])
    shown = read_lobby(now=timezone.now()).show_to(pair.reader.user)
    return Outcome(pair.writer.user in [each.user for each in shown.here])


@tries("news")
def of_a_result(pair: Pair) -> Outcome:
    follow_user_quietly(pair.reader.user, pair.writer.user)
    start_fight(pair.spare(pair.writer), make_mage("Ottokar")).turn("P/P", "-/-")
    return Outcome(list_news(pair.reader.user.pk).filter(kind__contains="result").exists())


@tries("chat")
def in_a_battle(pair: Pair) -> Outcome:
    fight, told = fight_of(pair), []
    with refusals(told):
        write_chat_line(battle=fight.battle, user=pair.writer.user, text=WORDS, once="0" * 16, now=NOW)
    shown = get_chat_for_reader(number=fight.number, user=pair.reader.user, now=NOW)
    mine = get_chat_for_reader(number=fight.number, user=pair.writer.user, now=NOW)
    # The room of a few is no place to talk to nobody: both are told, and neither is told who blocks.
    assert shown.apart == ((pair.writer.name,) if Block.objects.exists() else ())
    assert mine.apart == ((pair.reader.name,) if Block.objects.exists() else ())
    assert ("There is a block between you and" in shown.block_words) == Block.objects.exists()
    return Outcome(WORDS in [line.text for line in shown.lines], "".join(told))


@tries("room")
def in_the_lobby(pair: Pair) -> Outcome:
    told: list[str] = []
    EmailAddress.objects.get_or_create(user=pair.writer.user, email="w@example.org", verified=True, primary=True)
    start_fight(pair.spare(pair.writer), make_mage("Ottokar")).turn("P/P", "-/-")
    with refusals(told):
        write_line(writer=pair.writer.user, text=WORDS, via=RoomLine.Via.PAGE, once="0" * 16, now=NOW)
    return Outcome(WORDS in [line.text for line in read_room(reader=pair.reader.user, now=NOW).lines], "".join(told))


@tries("room_mail")
def in_an_email_of_the_lobby(pair: Pair) -> Outcome:
    EmailAddress.objects.create(user=pair.reader.user, email="r@example.org", verified=True, primary=True)
    set_preference(user=pair.reader.user, key="mail_talk", value="yes")
    told = in_the_lobby(pair).told
    tell_of_talk(now=NOW + DELAY)
    notice = Notice.objects.filter(kind="room_talk", user=pair.reader.user).first()
    mail = compose_notice(kind=notice.kind, facts=notice.facts, user=notice.user).text if notice is not None else ""
    return Outcome(WORDS in mail, told)


@tries("about")
def about_oneself(pair: Pair) -> Outcome:
    set_about(user=pair.writer.user, text=WORDS)
    return Outcome(WORDS in log_in(pair.reader.user).get(f"/users/{pair.writer.user.username}/").text)


@tries("obituary_line")
def on_another_mage(pair: Pair) -> Outcome:
    third, told = make_mage("Brunhild", "Hilde"), []
    fight = start_fight(third, pair.writer)
    with changed_state(fight.battle) as state:
        state.wizards["Brunhild"].hp = 1
    fight.turn("-/-", ">/-")
    third.refresh_from_db()
    with refusals(told):
        write_obituary_line(mage=third, writer=pair.writer.user, text=WORDS, now=NOW)
    return Outcome(WORDS in flat(log_in(pair.reader.user).get("/mages/Brunhild/end/").text), "".join(told))


@tries("orders")
def what_a_mage_says(pair: Pair) -> Outcome:
    fight = fight_of(pair)
    fight.order(pair.writer.name, f"LH W\nRH P\nSAY {WORDS}")
    fight.order(pair.reader.name, "LH S\nRH P")
    return Outcome(WORDS in flat(log_in(pair.reader.user).get(f"/battles/{fight.number}/").text))


@tries("records")
def what_is_public(pair: Pair) -> Outcome:
    fight_of(pair).turn("P/P", "-/-")
    client = log_in(pair.reader.user)
    pages = [f"/users/{pair.writer.user.username}/", f"/mages/{pair.writer.name}/", "/ladder/"]
    return Outcome(all(client.get(page).status_code == 200 for page in pages))


def follow_user_quietly(user: User, followed: User) -> None:
    """Follow, as from before there was a block."""
    Follow.objects.get_or_create(user=user, followed=followed, defaults={"created_at": NOW})


@pytest.fixture
def pair(settings) -> Pair:
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    return Pair(make_mage("Froodal", "Frode"), make_mage("Bung", "Bill"))


EACH = [
    pytest.param(channel.key, channel.effect, attempt, id=f"{channel.key}: {attempt.__name__}")
    for channel in CHANNELS
    for attempt in ATTEMPTS.get(channel.key, ())
]


def test_every_channel_on_the_page_is_tried_here():
    assert set(ATTEMPTS) == {channel.key for channel in CHANNELS}


@pytest.mark.parametrize(("key", "effect", "attempt"), EACH)
def test_without_a_block_it_arrives(pair, key, effect, attempt):
    assert attempt(pair) == Outcome(reached=True)


@pytest.mark.parametrize("blocker", ["writer", "reader"])
@pytest.mark.parametrize(("key", "effect", "attempt"), EACH)
def test_a_block_does_what_its_page_says_and_is_nowhere_denied(pair, key, effect, attempt, blocker):
    one, other = pair.users if blocker == "writer" else pair.users[::-1]
    block_user(user=one, blocked=other, now=NOW)
    outcome = attempt(pair)
    if effect == Effect.REFUSED:
        assert not outcome.reached and TOLD.search(outcome.told), outcome
    else:
        assert outcome.told == ""
        is_shown = {Effect.LEFT_OUT: False, Effect.HIDDEN: blocker == "writer", Effect.STAYS: True}[effect]
        assert outcome.reached == is_shown


@pytest.mark.parametrize(("key", "effect", "attempt"), [each for each in EACH if each.values[1] != Effect.STAYS])
def test_a_suspended_user_has_no_way_round_by_any_channel(pair, key, effect, attempt):
    suspend_user(user=pair.writer.user, by=make_janitor("Jane"), reason="Spam.", ends_at=None, now=timezone.now())
    assert not attempt(pair).reached


def test_a_duel_that_a_suspended_user_left_open_finds_nobody(pair):
    find_quick_match(mage=pair.writer, now=NOW)
    suspend_user(user=pair.writer.user, by=make_janitor("Jane"), reason="Spam.", ends_at=None, now=timezone.now())
    assert find_quick_match(mage=pair.reader, now=NOW).status == "open"


def test_the_page_of_a_user_says_the_same_to_both_and_only_the_one_who_blocks_can_end_it(pair):
    writer, reader = pair.users
    block_user(user=writer, blocked=reader, now=NOW)
    page = flat(log_in(writer).get(f"/users/{reader.username}/").text)
    assert f"You have blocked {reader.username}. Neither of you can write to or challenge the other." in page
    assert "Unblock" in page
    page = flat(log_in(reader).get(f"/users/{writer.username}/").text)
    assert "There is a block between you. Neither of you can write to or challenge the other." in page
    assert "Unblock" not in page
    for one, other in (pair.users, pair.users[::-1]):
        for address in (f"/users/{other.username}/", f"/mages/{pair.writer.name}/"):
            page = log_in(one).get(address).text
            assert "?against=" not in page and f"/users/{other.username}/follow/" not in page, address


def test_the_page_about_blocks_lists_every_channel_and_is_for_everyone():
    page = flat(Client().get("/blocks/").text)
    assert [channel.key for channel in CHANNELS if escape(str(channel.words)) not in page] == []
