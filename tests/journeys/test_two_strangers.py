"""Two strangers meet in the lobby, fight, and write to each other by their mail programs; then one blocks the other,
and no channel leads around that. Two browsers and two mail programs on the real stack."""

import re
import time
from typing import Any

import pytest

from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.by_mail import fight_by_mail, join_by_mail, order_as
from tests.journeys.letterbox import Letter, Mailbox, MailPlayer
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.axe import list_faults
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
BLOCK = re.compile(r"there is a block|you (have blocked|block) ", re.I)


def log_in_by_code(browser: Any, size: dict[str, int], player: MailPlayer, secrets: Secrets) -> BrowserPlayer:
    """Let someone who knows only emails into the site: with a code that comes by email."""
    visitor = BrowserPlayer(browser.new_context(viewport=size).new_page(), player.stack.url, secrets)
    visitor.open("/accounts/login/code/")
    visitor.page.locator("[name=email]").fill(player.address)
    visitor.page.locator("[name=email]").press("Enter")
    letter = player.wait_for(lambda each: each.subject.startswith("Your login code"), "code")
    found = re.search(r"^  (\S{6,})$", letter.text, re.M)
    assert found, letter.text
    visitor.page.locator("[name=code]").fill(secrets.note("code", found[1]))
    visitor.page.locator("[name=code]").press("Enter")
    visitor.page.wait_for_url(lambda address: "/login/" not in address)
    return visitor


def is_message(letter: Letter) -> bool:
    return letter.subject.startswith("A message from")


def meet(wendel: MailPlayer, yorick: BrowserPlayer) -> int:
    """Wendel, who plays by email, looks for a duel; Yorick sees it come in the lobby and joins; return the number."""
    yorick.open("/lobby/")
    yorick.mark_page()
    order_as(wendel, "NEWGAME Wend OPEN, LIMIT 2, FRIENDLY")
    seek = yorick.page.locator("[data-part=seeks] li", has_text="Wend")
    seek.wait_for()
    assert not yorick.was_reloaded() and list_faults(yorick.page) == []
    seek.get_by_role("button").click()
    yorick.page.wait_for_url(re.compile(r"/battles/\d+/"))
    found = re.search(r"/battles/(\d+)/", yorick.page.url)
    assert found
    return int(found[1])


def fight(number: int, wendel: MailPlayer, yorick: BrowserPlayer) -> None:
    """One turn by email and in the browser: Yorick surrenders."""
    order_as(wendel, f"GAME {number} Wend", "D/W")
    yorick.play("P", "P")
    yorick.page.wait_for_selector("[name=confirmed]", state="attached")
    yorick.ready()
    yorick.page.get_by_role("heading", name="Wend wins").wait_for()


def talk(wendel: MailPlayer, other: BrowserPlayer) -> None:
    """In the room, one by email and one on the page."""
    other.open("/lobby/")
    order_as(wendel, "LOBBY SAY", "Well fought, Yorick.", "END LOBBY")
    other.page.locator("[data-part=lines] li", has_text="Well fought, Yorick.").get_by_text("by email").wait_for()
    other.page.fill("#talk-text", "I had a plan.")
    other.page.click(".talk-form button")
    other.page.locator("[data-part=lines] .mine", has_text="I had a plan.").wait_for()
    assert "  | I had a plan." in order_as(wendel, "LOBBY").text


def write_letters(wendel: MailPlayer, yorick: MailPlayer) -> tuple[Letter, Letter]:
    """They answer each other with Reply; return the last letter that each got."""
    order_as(wendel, "MESSAGE Wend Yorick", "Shall we play again?", "END MESSAGE")
    asked = yorick.wait_for(is_message, "message")
    assert "Shall we play again?" in asked.text and wendel.address not in asked.text
    yorick.order("With pleasure.\n\nOn Sunday, Firetop Mountain wrote:\n> Shall we play again?", to=asked.reply_to)
    agreed = wendel.wait_for(is_message, "reply")
    assert "With pleasure." in agreed.text and yorick.address not in agreed.text
    wendel.order("Tomorrow, then.", to=agreed.reply_to)
    settled = yorick.wait_for(lambda letter: "Tomorrow, then." in letter.text, "second message")
    return agreed, settled


def test_two_strangers_meet_fight_write_and_part(
    stack: Stack, mailbox: Mailbox, secrets_used: Secrets, browser: Any
) -> None:
    wendel, yorick = join_by_mail(mailbox, "Wendel", "Wend"), join_by_mail(mailbox, "Yorick", "Yor")
    at_desk = log_in_by_code(browser, DESKTOP, wendel, secrets_used)
    on_phone = log_in_by_code(browser, PHONE, yorick, secrets_used)
    fight(meet(wendel, on_phone), wendel, on_phone)
    talk(wendel, on_phone)
    agreed, settled = write_letters(wendel, yorick)
    on_phone.open("/inbox/Wendel/")
    thread = on_phone.page.inner_text("main")
    assert all(words in thread for words in ("Shall we play again?", "With pleasure.", "Tomorrow, then."))

    on_phone.page.get_by_role("button", name="Block").click()
    on_phone.page.get_by_text("Unblock").wait_for()
    before = len(yorick.collect()), len(wendel.collect())

    # Letters, both ways, by Reply, by order and on the page: nothing arrives, and both are told that there is a block.
    for player, letter, mage, name in ((wendel, agreed, "Wend", "Yorick"), (yorick, settled, "Yor", "Wendel")):
        assert BLOCK.search(" ".join(player.order("But why?", to=letter.reply_to).text.split()))
        told = order_as(player, f"MESSAGE {mage} {name}", "Answer me.", "END MESSAGE").text
        assert BLOCK.search(" ".join(told.split()))
        # Challenges by name.
        told = order_as(player, f"NEWGAME {mage} CHALLENGE {'Yor' if mage == 'Wend' else 'Wend'}").text
        assert BLOCK.search(" ".join(told.split())), told
    for visitor, name in ((at_desk, "Yorick"), (on_phone, "Wendel")):
        visitor.open(f"/inbox/{name}/")
        assert BLOCK.search(visitor.page.inner_text("main")) and not visitor.page.locator(".thread-form").count()
        visitor.open(f"/users/{name}/")
        assert BLOCK.search(visitor.page.inner_text("main"))
        assert not visitor.page.get_by_role("button", name="Follow").count()

    # An open challenge can be seen, but not joined: in the lobby, and by email.
    told = order_as(wendel, "NEWGAME Wend OPEN, LIMIT 2, FRIENDLY").text
    found = re.search(r"[Cc]hallenge (\d+)", told)
    assert found, told
    assert BLOCK.search(" ".join(order_as(yorick, f"ACCEPT {found[1]} Yor").text.split()))
    on_phone.open("/lobby/")
    seek = on_phone.page.locator("[data-part=seeks] li", has_text="Wend")
    if seek.count():
        seek.get_by_role("button").click()
        on_phone.page.wait_for_load_state()
        assert "/battles/" not in on_phone.page.url and BLOCK.search(on_phone.page.inner_text("body"))

    # The room stays public: only the one who blocks no longer sees the other's lines.
    order_as(wendel, "LOBBY SAY", "Is anyone else here?", "END LOBBY")
    order_as(yorick, "LOBBY SAY", "I am still here.", "END LOBBY")
    visitor = WebPlayer(stack.url).read("/lobby/").html
    assert "Is anyone else here?" in visitor and "I am still here." in visitor
    on_phone.open("/lobby/")
    on_phone.page.locator("[data-part=lines] .mine", has_text="I am still here.").wait_for()
    shown = on_phone.page.inner_text("[data-part=lines]")
    assert "Is anyone else here?" not in shown and "Well fought" not in shown
    assert "Is anyone else here?" not in order_as(yorick, "LOBBY").text
    at_desk.open("/lobby/")
    at_desk.page.locator("[data-part=lines] li", has_text="I am still here.").wait_for()
    # Nor does presence say more to the other than to anyone.
    assert "Wendel" not in on_phone.page.inner_text("[data-part=here]")

    for player, count, other in ((yorick, before[0], "Wend"), (wendel, before[1], "Yor")):
        fresh = [letter for letter in player.collect()[count:] if letter.automatic != "auto-replied"]
        assert not any(is_message(letter) or f"{other} challenges" in letter.text for letter in fresh)
    assert at_desk.faults == [] and on_phone.faults == []
    for visitor_page in (at_desk.page, on_phone.page):
        visitor_page.context.close()


@pytest.mark.slow
def test_the_room_is_a_mailing_list(stack: Stack, mailbox: Mailbox) -> None:
    """By email alone, on the real clock: a line leaves after two minutes, and the answer to it is a line."""
    wilma, yrsa = join_by_mail(mailbox, "Wilma", "Wil"), join_by_mail(mailbox, "Yrsa", "Yrs")
    number = fight_by_mail(wilma, "Wil", yrsa, "Yrs")
    order_as(wilma, f"GAME {number} Wil", "D/W")
    order_as(yrsa, f"GAME {number} Yrs", "P/P")
    wilma.wait_for(lambda letter: "Wil wins" in letter.text or "surrender" in letter.text, "end of the duel")
    order_as(yrsa, "NOTICES TALK EMAIL ON")
    order_as(wilma, "LOBBY SAY", "Who reads this by email?", "END LOBBY")
    written = time.monotonic()
    while not (mails := [each for each in yrsa.collect() if each.subject.startswith("Talk in the lobby")]):
        assert time.monotonic() < written + 240, stack.read_log()[-4000:]
        time.sleep(1)
    assert time.monotonic() > written + 115 and "Who reads this by email?" in mails[0].text
    yrsa.order("I do.\n\nOn Sunday, Firetop Mountain wrote:\n> Who reads this by email?", to=mails[0].reply_to)
    assert "  | I do." in order_as(wilma, "LOBBY").text
