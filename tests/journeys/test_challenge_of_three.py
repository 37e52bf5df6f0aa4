"""One challenge of three players up to the first turn: on the web, by email, and switching between them."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.by_mail import join_by_mail
from tests.journeys.letterbox import Letter, Mailbox, MailPlayer
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]

ALDWIN, BRIDA, CYNERIC = "Aldwin", "Brida", "Cyneric"


class Switcher:
    """Cyneric's user, who has signed up on the web, verified an address, and uses both."""

    def __init__(self, stack: Stack, mailbox: Mailbox, secrets: Secrets) -> None:
        self.web = WebPlayer(stack.url)
        self.mail = MailPlayer(mailbox, "sven@example.org")
        self.web.sign_up("Sven", email=self.mail.address, password=secrets.note("password", "nine-blue-ladders-sven"))
        confirm = self.mail.wait_for(lambda letter: "confirm your address" in letter.text, "confirmation")
        link = re.search(r"http\S+/(\S+)/$", confirm.text, re.M)
        assert link
        secrets.note("link", link[1])
        page = self.web.read(link[0].removeprefix(stack.url))
        self.web.send(page, next(form for form in page.forms if "/confirm-email/" in form.action))
        self.web.register_mage(CYNERIC)


def make_challenge(wanda: BrowserPlayer) -> int:
    """Fill in the form: a melee of four, for the two named and anyone else."""
    wanda.open("/challenges/new/")
    page = wanda.page
    wanda.choose_card("Melee")
    page.get_by_label("Against").fill(f"{BRIDA}, {CYNERIC}")
    page.get_by_label("Number of mages").fill("4")
    page.get_by_text("More terms").click()
    page.get_by_label("Anyone else may join too").check()
    page.get_by_role("button", name="Create challenge").click()
    page.wait_for_url(re.compile(r"/challenges/\d+/$"))
    return int(page.url.rstrip("/").rpartition("/")[2])


def notice(player: MailPlayer, subject: str) -> Letter:
    return player.wait_for(lambda letter: letter.subject == subject, subject)


def assert_ok(letter: Letter, *sentences: str) -> None:
    text = " ".join(letter.text.split())
    assert (
        "line is rejected" not in text
        and "lines are rejected" not in text
        and all(sentence in text for sentence in sentences)
    ), letter.text


def test_three_settle_a_challenge_and_begin_to_fight(
    stack: Stack, mailbox: Mailbox, secrets_used: Secrets, new_browser_page: Callable[..., Any]
) -> None:
    petra = join_by_mail(mailbox, "Petra", BRIDA)
    sven = Switcher(stack, mailbox, secrets_used)
    wanda = BrowserPlayer(new_browser_page(), stack.url, secrets_used)
    wanda.sign_up("Wanda", email="wanda@example.org", password="six-green-spoons-wanda")
    wanda.register_mage(ALDWIN)
    page = wanda.page

    number = make_challenge(wanda)
    wanda.mark_page()
    head = f"Challenge {number}: "
    invitation = notice(petra, f"{head}{ALDWIN} challenges {BRIDA}")
    assert_ok(petra.order("ACCEPT", to=invitation.reply_to), f"{BRIDA} has joined challenge {number}.")
    assert f"{CYNERIC} has joined" in sven.web.answer(number, "accept").html
    page.get_by_role("button", name="Start battle").or_(page.get_by_role("button", name="Propose to start")).wait_for()
    assert not wanda.was_reloaded()

    # A proposal by email, asked of one on the open page and of one by email, opposed here and adopted there.
    invited = notice(sven.mail, f"{head}{ALDWIN} challenges {CYNERIC}")
    proposed = sven.mail.order("CHANGEGAME SPELLBOOK Classic, COMMENT A turn a day", to=invited.reply_to)
    assert_ok(proposed, "Change 1 of challenge", "standard spells → classic spells", "4 points")
    page.get_by_role("button", name="Oppose change 1").click()
    page.get_by_role("button", name="Accept instead").wait_for()
    wanda.mark_page()
    asked = notice(petra, f"{head}{CYNERIC} proposes change 1")
    assert_ok(petra.order("ACCEPT CHANGE 1", to=asked.reply_to), f"Change 1 by {CYNERIC} is adopted:")
    page.get_by_text("“A turn a day”", exact=True).wait_for()
    assert "classic spells" in page.locator("#challenge").inner_text() and not wanda.was_reloaded()
    adopted = notice(sven.mail, f"{head}Change 1 is adopted")
    assert "Comment: “A turn a day”" in " ".join(adopted.text.split())

    # A proposal on the web, opposed by email and adopted by a click, which begins the battle.
    assert "Change 2" in sven.web.answer(number, "start").html
    start = notice(petra, f"{head}{CYNERIC} proposes change 2")
    assert_ok(petra.order("OPPOSE CHANGE 2", to=start.reply_to), f"{BRIDA} opposes change 2.", f"For: {CYNERIC}")
    page.get_by_role("button", name="Accept change 2").click()
    wanda.follow(number)

    begin_to_fight(number, wanda, petra, sven)
    assert wanda.faults == []


def begin_to_fight(number: int, wanda: BrowserPlayer, petra: MailPlayer, sven: Switcher) -> None:
    """The first turn: by click, in answer to the first report, and on the page without scripts."""
    wanda.play("W", "P")
    wanda.wait_until_sealed()
    begun = petra.wait_for(lambda letter: letter.subject.startswith(f"[FM {number}] "), "first report")
    assert "Classic Melee Status" in begun.text
    assert_ok(petra.order("D/P", "END", to=begun.reply_to), f"{BRIDA}'s orders for turn 1 are in.")
    page = sven.web.read(f"/battles/{number}/")
    form = next(form for form in page.forms if form.method == "post" and "LH" in form.offered)
    sven.web.send(page, form, LH="S", RH="F", act="ready")
    report = petra.report_of(number, 1)
    for mage in (ALDWIN, BRIDA, CYNERIC):
        assert report.hit_points(mage) == 15
    # A player who sees the turn on the page gets no email about it.
    assert "Turn 1" in sven.web.read(f"/battles/{number}/").html
    wanda.page.wait_for_selector("#story h2:text-is('Turn 1')")
