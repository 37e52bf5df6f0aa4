"""The example game of document 000 on the real stack: browser against email, all by email, all on the web.

The names differ from game to game because a name, once registered, is never given to another user.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.html import flat
from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.by_mail import fight_by_mail, join_by_mail, order_as
from tests.journeys.example_game import GAME, STRINGS, Turn
from tests.journeys.letterbox import Letter, Mailbox, MailPlayer
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.plugin import LONG
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]

OpenPage = Callable[..., Any]


def join_on_the_web(stack: Stack, secrets: Secrets, new_page: OpenPage, user: str, mage: str) -> BrowserPlayer:
    player = BrowserPlayer(new_page(), stack.url, secrets)
    player.sign_up(user, email=f"{user.lower()}@example.org", password=f"four-grey-owls-{user}")
    player.register_mage(mage)
    return player


def order_by_mail(
    player: MailPlayer, number: int, mage: str, turn: Turn, gestures: tuple[str, str], *more: str
) -> Letter:
    """Send the classic orders of one turn with the mail password."""
    left, right = gestures
    return order_as(player, f"GAME {number} {mage}", f"TURN {turn.number}", f"LH {left}", f"RH {right}", *more, "END")


def answer_report(player: MailPlayer, number: int, turn: Turn, gestures: tuple[str, str], *more: str) -> Letter:
    """Send the orders of one turn to the signed address that came with the turn before."""
    left, right = gestures
    before = player.report_of(number, turn.number - 1)
    return player.order(f"LH {left}", f"RH {right}", *more, "END", to=before.reply_to)


def order_by_click(player: BrowserPlayer, gestures: tuple[str, str], paralyzed: str, foe: str) -> None:
    player.choose(*gestures)
    if paralyzed:
        player.answer(f"PARALYZE {foe}", f"PARALYZE {paralyzed} {foe}")
    player.ready()
    if gestures.count("C") == 1:  # the page asks whether that is meant
        player.page.locator("#ready", has_text="Play it anyway").click()


def assert_won(stack: Stack, winner: str, loser: str, number: int) -> None:
    """The duel score of the winner rose by one, from nothing; the loser is dead."""
    victor = flat(WebPlayer(stack.url).read(f"/mages/{winner}/").html)
    assert "<dt>Duel score</dt><dd>1</dd>" in victor
    assert "<dt>Melee score</dt><dd>0</dd>" in victor
    assert "Dead since" in WebPlayer(stack.url).read(f"/mages/{loser}/").html
    battle = WebPlayer(stack.url).read(f"/battles/{number}/").html
    assert f"Outright victory to {winner}" in battle
    assert f"{loser} is dead" in battle


def test_a_battle_in_a_browser_against_email(
    stack: Stack, mailbox: Mailbox, secrets_used: Secrets, new_browser_page: OpenPage
) -> None:
    bill = join_by_mail(mailbox, "Bill", "Bung")
    frode = join_on_the_web(stack, secrets_used, new_browser_page, "Frode", "Froodal")
    number = frode.challenge("Froodal", against="Bung", stakes="ladder")
    invitation = bill.wait_for(lambda letter: "Froodal" in letter.text and "challenge" in letter.text, "invitation")
    accepted = bill.order(f"ACCEPT {number} Bung", to=invitation.reply_to)
    assert "OK" in accepted.text
    frode.follow(number)
    frode.mark_page()

    for turn in GAME:
        frode.wait_for_turn(turn.number)
        order_by_click(frode, turn.froodal, turn.paralyzed, "Bung")
        frode.wait_until_sealed()
        report = order_by_mail(bill, number, "Bung", turn, turn.bung)
        frode.page.wait_for_selector(f"#story h2:text-is('Turn {turn.number}')")
        shown = frode.hit_points("Froodal"), frode.hit_points("Bung")
        assert f"\nTurn {turn.number}. " in report.text
        assert (report.hit_points("Froodal"), report.hit_points("Bung")) == turn.hit_points, report.text
        assert shown == turn.hit_points
        assert not frode.was_reloaded()

    assert frode.page.locator("#call").inner_text() == "You beat Bung"
    assert_won(stack, "Froodal", "Bung", number)
    assert frode.faults == []


def test_a_battle_by_email_only(stack: Stack, mailbox: Mailbox) -> None:
    """The first turns with the mail password, the others in answer to the report of the turn before.

    At the short count its first turns: against a browser it is played to its end.
    """
    runa = join_by_mail(mailbox, "Runa", "Froodal_by_mail")
    brom = join_by_mail(mailbox, "Brom", "Bung_by_mail")
    number = fight_by_mail(runa, "Froodal_by_mail", brom, "Bung_by_mail")

    for turn in GAME if LONG else GAME[:5]:
        more = (f"PARALYZE {turn.paralyzed} Bung_by_mail",) if turn.paralyzed else ()
        if turn.number < 3:
            order_by_mail(runa, number, "Froodal_by_mail", turn, turn.froodal, *more)
            order_by_mail(brom, number, "Bung_by_mail", turn, turn.bung)
        else:
            answer_report(runa, number, turn, turn.froodal, *more)
            answer_report(brom, number, turn, turn.bung)
        for player in (runa, brom):
            report = player.report_of(number, turn.number)
            points = (report.hit_points("Froodal_by_mail"), report.hit_points("Bung_by_mail"))
            assert points == turn.hit_points, report.text

    for mage, (left, right) in STRINGS.items():
        block = report.text.partition(f" {mage}_by_mail (")[2]
        read = dict(re.findall(r"  (Left|Right): +(\S+)\n", block)[:2])
        assert left.startswith(read["Left"]) and right.startswith(read["Right"])
        assert not LONG or read == {"Left": left, "Right": right}
    if LONG:
        assert_won(stack, "Froodal_by_mail", "Bung_by_mail", number)


@pytest.mark.slow
def test_a_battle_on_the_web_only(stack: Stack, secrets_used: Secrets, new_browser_page: OpenPage) -> None:
    """In two browsers; at the short count its first turns."""
    freya = join_on_the_web(stack, secrets_used, new_browser_page, "Freya", "Froodal_on_web")
    bodil = join_on_the_web(stack, secrets_used, new_browser_page, "Bodil", "Bung_on_web")
    number = freya.challenge("Froodal_on_web", against="Bung_on_web", stakes="ladder")
    bodil.accept(number)
    freya.follow(number)
    for player in (freya, bodil):
        player.mark_page()

    for turn in GAME if LONG else GAME[:4]:
        for player in (freya, bodil):
            player.wait_for_turn(turn.number)
        order_by_click(freya, turn.froodal, turn.paralyzed, "Bung_on_web")
        freya.wait_until_sealed()
        order_by_click(bodil, turn.bung, "", "")
        for player in (freya, bodil):
            player.page.wait_for_selector(f"#story h2:text-is('Turn {turn.number}')")
            shown = player.hit_points("Froodal_on_web"), player.hit_points("Bung_on_web")
            assert shown == turn.hit_points
            assert not player.was_reloaded()

    if LONG:
        assert_won(stack, "Froodal_on_web", "Bung_on_web", number)
    assert freya.faults == [] and bodil.faults == []
