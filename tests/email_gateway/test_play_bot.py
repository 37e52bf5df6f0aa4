"""PLAY: someone who has only email plays a duel against a bot to its end."""

from datetime import timedelta

import pytest

from duels.models import Battle
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.services.bot_orders import give_bot_orders
from notifications.models import Notice
from rules_engine.bots import choose_orders, see
from tests.bots import bring_bots
from tests.email_gateway.world import PASSWORD, MailWorld, body

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bots(world: MailWorld):
    bring_bots(now=world.now)


def answer(world: MailWorld) -> int:
    return sum(give_bot_orders(sheet=each, now=world.now) for each in list_sheets_due_from_bots(now=world.now))


def login(text: str) -> str:
    return f"USER Wil {PASSWORD}\n{text}"


def test_an_email_only_user_plays_the_warder_to_the_end(world: MailWorld):
    world.mage("Merlyn", world.user("Wil"))
    mails = world.send(login("PLAY Warder"))
    assert any("has begun: Merlyn against a bot" in body(mail) for mail in mails)
    assert any("is a bot." in body(mail) for mail in mails)
    assert "(Warder, a bot)" in world.ask("GAMES")
    battle = Battle.objects.get()
    assert battle.practice and battle.ruleset == "firetop-standard"
    for _ in range(200):
        assert answer(world) <= 1
        battle.refresh_from_db()
        if battle.is_over:
            break
        state = read_battle_state(battle)
        if "Merlyn" not in state.owing:
            continue
        lines = choose_orders(see(state, "Merlyn"), mage="Merlyn", strength="Apprentice", seed="person")
        mails = world.send(login("\n".join([f"GAME {battle.number} Merlyn", *lines, "END"])))
        assert all("Wil" not in str(mail["To"]) for mail in mails)
        assert mails and all(mail["To"] and "wil@example.org" in mail["To"] for mail in mails)
        world.wait(minutes=1)
    assert battle.is_over
    assert not Notice.objects.filter(user__is_bot=True).exists()


def test_an_invalid_play_is_rejected_with_the_nearest_form(world: MailWorld):
    user = world.user("Wil")
    assert "REGISTER <mage>" in world.ask(login("PLAY Warder"))
    assert "Nearest: PLAY Warder" in world.ask(login("PLAY Wader"))
    world.mage("Merlyn", user)
    assert "PLAY Apprentice" in world.ask(login("PLAY"))
    assert "PLAY Warder" in world.ask(login("PLAY Wader"))
    assert "Nearest: PLAY Warder Merlyn fast" in world.ask(login("PLAY Wader Merlyn fast"))
    assert "Nearest: PLAY Warder Merlyn" in world.ask(login("PLAY Warder Merlin"))
    assert "Nearest: PLAY Warder fast Merlyn HP 6 6" in world.ask(login("PLAY Warder fast Merlin HP 6 6"))
    assert "one mage" in world.ask(login("PLAY Warder Merlyn Gandalf"))
    assert not Battle.objects.exists()
    world.wait(minutes=1)
    assert "has begun" in world.ask(login("PLAY magus, Merlyn, warlocks, fast"))
    battle = Battle.objects.get()
    assert (battle.ruleset, battle.terms["pace"]) == ("warlocks", "fast")
    assert "Merlyn is in battle" in world.ask(login("PLAY Warder Merlyn"))
    assert world.now < battle.started_at + timedelta(hours=1)


def test_play_takes_a_handicap_and_bots_that_never_surrender(world: MailWorld):
    world.mage("Merlyn", world.user("Wil"))
    assert "HITPOINTS 15 10" in world.ask(login("PLAY Warder HITPOINTS 9"))
    assert "Did you mean 15?" in world.ask(login("PLAY Warder HITPOINTS 15 99"))
    assert not Battle.objects.exists()
    world.wait(minutes=1)
    mails = world.send(login("PLAY Warder, hitpoints 15 9, nosurrender, Merlyn"))
    text = " ".join(" ".join(map(body, mails)).split())
    assert "has begun" in text and "starts with 9 hit points." in text
    battle = Battle.objects.get()
    assert battle.terms["hit_points"] == [15, 9] and battle.terms["bots_surrender"] is False


def test_help_and_info_describe_bots(world: MailWorld):
    assert "PLAY <bot>" in world.ask("HELP PLAY")
    assert "Warder (bot)" in world.ask("INFO Warder")
