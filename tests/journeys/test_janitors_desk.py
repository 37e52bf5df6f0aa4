"""A janitor in a real browser: looks into a stuck battle, rewinds a turn, excuses the absentee, notifies everyone."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.letterbox import Mailbox, MailPlayer
from tests.journeys.page_list import PASSWORD, send_orders, start_duel
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.axe import list_faults
from tests.services.second_factors import read_code
from tests.services.stack import ROOT, Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]

KEEPER, KEEPERS_PASSWORD = "Keeper_of_desk", "seven-slow-snails-41"


def join(stack: Stack, mailbox: Mailbox, name: str, mage: str) -> tuple[WebPlayer, MailPlayer]:
    """Someone who plays on the site, whose address is confirmed."""
    player, letters = WebPlayer(stack.url), MailPlayer(mailbox, f"{name.lower()}@example.org")
    player.sign_up(name, email=letters.address, password=PASSWORD)
    player.register_mage(mage)
    link = re.compile(r"http\S+?(/accounts/confirm-email/\S+)")
    letter = letters.wait_for(lambda one: bool(link.search(one.text)), "the link that confirms the address")
    found = link.search(letter.text)
    assert found
    page = player.read(found[1])
    player.send(
        page, next(form for form in page.forms if form.method == "post" and not form.action.endswith("logout/"))
    )
    return player, letters


def make_janitor(stack: Stack, secrets: Secrets) -> None:
    password = secrets.note("password", KEEPERS_PASSWORD)
    command = [sys.executable, str(ROOT / "manage.py"), "createsuperuser", "--noinput", "--username", KEEPER]
    environment = {**stack.environment, "DJANGO_SUPERUSER_PASSWORD": password}
    subprocess.run([*command, "--email", "keeper@example.org"], env=environment, check=True, capture_output=True)


def break_battle(data_dir: Path, number: int, absentee: str) -> None:
    """Create what no player can: the rules failed in the open turn, and a mage ran out of time."""
    with closing(sqlite3.connect(data_dir / "db.sqlite3", timeout=20)) as rows:
        rows.execute(
            "UPDATE duels_battle SET status = 'stuck', stuck_reference = 'ab12cd34', stuck_release = 'old' "
            "WHERE number = ?",
            [number],
        )
        rows.execute(
            "INSERT INTO duels_missedturn (combatant_id, user_id, stage_id, missed_at, excuse) "
            "SELECT fighter.id, mage.user_id, stage.id, stage.opened_at, '' FROM duels_combatant fighter "
            "JOIN accounts_mage mage ON mage.id = fighter.mage_id JOIN duels_battle battle "
            "ON battle.id = fighter.battle_id JOIN duels_stage stage ON stage.battle_id = battle.id "
            "WHERE battle.number = ? AND mage.name = ? AND stage.closed_at IS NULL",
            [number, absentee],
        )
        rows.commit()


class Desk:
    """The janitor's browser."""

    def __init__(self, page: Any, stack: Stack, secrets: Secrets) -> None:
        self.page, self.stack, self.secrets = page, stack, secrets

    def log_in(self) -> None:
        self.page.goto(f"{self.stack.url}/accounts/login/?next=/admin/desk/")
        self.page.locator("[name=login]").fill(KEEPER)
        self.page.locator("[name=password]").fill(KEEPERS_PASSWORD)
        self.page.locator("[name=password]").press("Enter")
        self.page.get_by_role("link", name="Set up an authenticator app").click()
        self.page.wait_for_url("**/totp/activate/")
        alternative = self.page.locator("img.qr").first.get_attribute("alt")
        secret = self.secrets.note("second factor", str(alternative))
        self.page.locator("[name=code]").fill(read_code(secret))
        self.page.locator("[name=code]").press("Enter")
        self.page.wait_for_url("**/recovery-codes/")
        self.page.goto(f"{self.stack.url}/admin/desk/")

    def begin(self, act: str) -> None:
        self.page.get_by_role("link", name=act, exact=True).click()

    def finish(self, button: str, reason: str) -> None:
        self.page.get_by_label("Reason:", exact=True).fill(reason)
        self.page.get_by_role("button", name=button, exact=True).click()

    def look(self, mage: str) -> str:
        self.begin("Look through a mage's eyes")
        self.page.get_by_label("Through the eyes of").select_option(mage)
        self.finish("Look", "Which turn went wrong?")
        told = str(self.page.locator("main").inner_text())
        self.page.get_by_role("link", name="Back to the desk").click()
        return told

    def told(self) -> str:
        return str(self.page.locator(".messagelist").inner_text())


def test_a_janitor_repairs_a_battle_and_both_players_see_it(
    stack: Stack, mailbox: Mailbox, secrets_used: Secrets, new_browser_page: Callable[..., Any]
) -> None:
    present, presents_letters = join(stack, mailbox, "Here_for_desk", "Hereward")
    absent, absents_letters = join(stack, mailbox, "Away_for_desk", "Awayward")
    number = start_duel(present, "Hereward", absent, "Awayward")
    for player in (present, absent):
        send_orders(player, number, LH="S", RH="W")
    send_orders(present, number, LH="D", RH="P")
    break_battle(stack.data_dir, number, "Awayward")
    make_janitor(stack, secrets_used)

    desk = Desk(new_browser_page(viewport={"width": 1280, "height": 900}), stack, secrets_used)
    desk.log_in()
    faults = list_faults(desk.page)
    desk.page.get_by_role("link", name=f"Duel {number}", exact=True).first.click()
    faults += list_faults(desk.page)
    assert "LH D, RH P" in desk.look("Hereward")
    seen = desk.look("Awayward")
    assert "Awayward has no orders" in seen and "RH P" not in seen

    desk.begin("Ask for consent")
    desk.page.get_by_label("Back to the start of").select_option("1")
    desk.finish("Ask the players", "The first turn counted a mail twice.")
    for player in (present, absent):
        player.press(f"/battles/{number}/", f"/battles/{number}/consent/", agrees="yes")
    desk.begin("Rewind turns")
    faults += list_faults(desk.page)
    desk.page.get_by_label("Back to the start of").select_option("1")
    desk.finish("Rewind", "The first turn counted a mail twice.")
    assert "The battle is back at turn 1" in desk.told()

    desk.begin("Excuse a missed turn")
    desk.finish("Excuse", "The battle was stuck.")
    assert "Awayward is excused" in desk.told()

    desk.page.get_by_role("link", name="Desk", exact=True).first.click()
    desk.begin("Make an announcement")
    desk.page.locator("[name=text]").fill("The mail works again.")
    desk.page.locator("[name=until_0]").fill("2099-01-01")
    desk.page.locator("[name=until_1]").fill("12:00")
    desk.page.get_by_role("button", name="Announce", exact=True).click()
    desk.page.wait_for_url("**/admin/operations/announcement/")

    for player, letters in ((present, presents_letters), (absent, absents_letters)):
        page = player.read(f"/battles/{number}/").html
        assert "Turns 1 to 2 were undone" in page and "counted a mail twice" in page
        assert "Awayward is excused for turn 2" in page and "The mail works again." in page
        assert "eyes of" not in page, "looks are shown after the end"
        letter = letters.wait_for(lambda one: "were undone" in " ".join(one.text.split()), "word of it")
        assert "counted a mail twice" in " ".join(letter.text.split())
    for player in (present, absent):
        send_orders(player, number, LH="P", RH="P")
    assert present.read(f"/battles/{number}/").html.count("through the eyes of") == 2

    # Other journeys share this site.
    desk.page.locator("[name=_selected_action]").first.check()
    desk.page.locator("select[name=action]").select_option(label="Remove from all pages")
    desk.page.get_by_role("button", name="Go", exact=True).click()
    assert "1 removed from all pages" in desk.told()
    assert "The mail works again." not in present.read(f"/battles/{number}/").html
    assert faults == []
