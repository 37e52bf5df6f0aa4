"""Quick phrases of the chat: each reader gets them in their own language, and they follow every rule of a line."""

import json
import re

import pytest
from django.core.cache import cache
from django.utils.functional import lazy
from django.utils.translation import get_language

from accounts.languages import in_language_of
from accounts.models import User
from accounts.services.ties import block_user
from duels.models import ChatLine
from duels.phrases import AFTER, DURING, PHRASES
from duels.selectors.chat import get_chat_for_reader
from duels.services.chat import PER_MINUTE, mute_in_chat, write_chat_line
from email_gateway.compose.battle_mail import compose_battle_mail
from moderation.services.reports import warn_user
from notifications.models import Notice
from studies.selectors.obituaries import find_last_words
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
ONCE = "0123456789abcdef"


@pytest.fixture(autouse=True)
def bare_throttles():
    cache.clear()


def send(client, duel, **fields):
    return client.post(f"/battles/{duel.number}/chat/", {"once": ONCE, **fields})


def test_the_page_offers_phrases_as_buttons_and_one_press_writes_one_line(duel):
    client, address = log_in(duel.user("Froodal")), f"/battles/{duel.number}/chat/"
    offered = re.findall(r'name="phrase" value="(\w+)"', client.get(address).content.decode())
    assert tuple(offered) == DURING
    for _click in range(2):
        assert send(client, duel, phrase="good_luck")["Location"] == f"{address}#end"
    line = ChatLine.objects.get()
    assert (line.text, line.phrase) == ("", "good_luck")
    assert "Good luck" in log_in(duel.user("Bung")).get(f"{address}?fragment=chat").content.decode()
    # A text with the same words and mark is a line of its own.
    send(client, duel, text="good_luck")
    assert ChatLine.objects.count() == 2


def test_other_phrases_fit_after_the_end(duel):
    duel.order("Bung", "P/P", confirmed=True)
    duel.order("Froodal", "D/W")
    page = log_in(duel.user("Bung")).get(f"/battles/{duel.number}/chat/").content.decode()
    assert tuple(re.findall(r'name="phrase" value="(\w+)"', page)) == AFTER
    assert "phrase" not in log_in(None).get(f"/battles/{duel.number}/chat/").content.decode()


def well_played():
    """The stored line is the same; the catalogue of this test has one entry."""
    return "Gut gespielt" if get_language() == "de" else "Well played"


def test_each_reader_gets_a_phrase_in_their_own_language(duel, monkeypatch):
    """On the page, by API, in an email and as last words."""
    monkeypatch.setattr("duels.models.chat.PHRASES", {**PHRASES, "well_played": lazy(well_played, str)()})
    froodal, bung = duel.user("Froodal"), duel.user("Bung")
    bung.language = "de"
    bung.save(update_fields=["language"])
    write_chat_line(battle=duel.battle, user=froodal, phrase="well_played", once=ONCE, now=NOW)
    for user, words in ((froodal, "Well played"), (bung, "Gut gespielt")):
        client = log_in(user)
        assert words in client.get(f"/battles/{duel.number}/chat/?fragment=chat").content.decode()
        (line,) = client.get(f"/api/v1/battles/{duel.number}/chat/").json()["lines"]
        assert (line["phrase"], line["text"]) == ("well_played", words)
    duel.turn("P/-", "W/-")
    facts = Notice.objects.get(kind="turn_resolved", user=bung, facts__seq=1).facts
    with in_language_of(bung):
        mail = compose_battle_mail("turn_resolved", facts, bung)
    assert "Froodal: Gut gespielt" in mail.text and "Gut gespielt" in mail.html
    duel.order("Froodal", "P/P", confirmed=True)
    duel.order("Bung", "D/W")
    with in_language_of(bung):
        last = find_last_words(battle=duel.number, mage=duel.mages["Froodal"], reader=bung, now=NOW)
    assert last == "Gut gespielt"


def test_a_phrase_follows_every_rule_of_a_line(duel):
    froodal, bung, fan = duel.user("Froodal"), duel.user("Bung"), make_user("Fanny")
    with refused("no_such_phrase"):
        write_chat_line(battle=duel.battle, user=froodal, phrase="rude", once=ONCE, now=NOW)
    with refused("no_such_phrase"):
        write_chat_line(battle=duel.battle, user=froodal, text="and", phrase="hello", once=ONCE, now=NOW)
    for number in range(PER_MINUTE.limit):
        write_chat_line(battle=duel.battle, user=froodal, phrase="hello", once=f"{number:x}", now=NOW)
    with refused("too_fast"):
        write_chat_line(battle=duel.battle, user=froodal, phrase="hello", once="f" * 16, now=NOW)
    mute_in_chat(user=bung, muted=froodal, now=NOW)
    assert get_chat_for_reader(number=duel.number, user=bung, now=NOW).lines == ()
    assert get_chat_for_reader(number=duel.number, user=fan, now=NOW).lines == ()  # the players' room
    block_user(user=fan, blocked=bung, now=NOW)
    jane = User.objects.create_superuser("Jane", "jane@example.org", "not so secret")
    warn_user(user=bung, by=jane, text="Mind your words.", now=NOW)
    with refused("held"):
        write_chat_line(battle=duel.battle, user=bung, phrase="hello", once=ONCE, now=NOW)
    quiet = start_fight(make_mage("Ottokar"), make_mage("Ulf"), chat=False)
    with refused("no_talking"):
        write_chat_line(battle=quiet.battle, user=quiet.user("Ulf"), phrase="hello", once=ONCE, now=NOW)
    assert get_chat_for_reader(number=quiet.number, user=quiet.user("Ulf"), now=NOW).phrases == ()


def test_programs_read_which_phrases_fit_and_send_one(duel):
    client, address = log_in(duel.user("Froodal")), f"/api/v1/battles/{duel.number}/chat/"

    def post(**body):
        return client.post(address, json.dumps(body), content_type="application/json")

    assert [each["key"] for each in client.get(address).json()["phrases"]] == list(DURING)
    assert post(phrase="take_your_time").json()["lines"][0]["text"] == "Take your time"
    for body in ({"phrase": "rude"}, {"phrase": "hello", "text": "hi"}, {}):
        assert post(**body).status_code == 409
    assert ChatLine.objects.count() == 1


def test_a_reported_phrase_is_quoted_in_words(duel):
    line = write_chat_line(battle=duel.battle, user=duel.user("Bung"), phrase="that_was_close", once=ONCE, now=NOW)
    page = log_in(duel.user("Froodal")).get(f"/reports/new/?line={line.pk}").content.decode()
    assert "That was close" in page
