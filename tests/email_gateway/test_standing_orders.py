"""REPORT and ACKNOWLEDGE, and emails from warned or suspended users: their orders do not count, and they hear why."""

from datetime import timedelta

import pytest

from accounts.models import User
from challenges.models import Challenge
from duels.models import ClockStop, Combatant, OrderSheet
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.pauses import ask_pause
from moderation.models import Report
from moderation.services.reports import lift_sanction, suspend_user, warn_user
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, body, reply_address

pytestmark = pytest.mark.once
FRODE = f"USER Frode {PASSWORD}\n"


@pytest.fixture
def keeper(duel: MailedDuel) -> User:
    return User.objects.create_superuser("Keeper")


def count_orders() -> int:
    return OrderSheet.objects.filter(ready=True).count()


def test_a_warning_holds_orders_back_until_it_is_acknowledged(duel: MailedDuel, keeper: User):
    warn_user(user=duel.froodal.user, by=keeper, text="No insults.", now=duel.world.now)
    orders = f"GAME {duel.battle.number} Froodal\nW/P\nEND"
    answer = duel.world.ask(FRODE + orders)
    assert "A janitor has warned you. “No insults.”" in answer and count_orders() == 0
    both = duel.world.ask(f"{FRODE}ACKNOWLEDGE\n{orders}")
    assert "The warning is acknowledged." in both and count_orders() == 1


def test_an_email_ends_a_battle_with_a_long_absent_opponent(duel: MailedDuel):
    world, number = duel.world, duel.battle.number
    assert "Until the first turn resolves" in world.ask(f"{FRODE}CALLOFF {number}")
    for mage in (duel.froodal, duel.bung):
        world.order(duel.battle, mage, "W/P")
    assert "once another player has been absent" in world.ask(f"{FRODE}CALLOFF {number}")
    bung = Combatant.objects.get(battle=duel.battle, mage=duel.bung)
    gone = world.now - timedelta(days=36)
    User.objects.filter(pk=duel.bung.user_id).update(mail_fails_since=gone, last_active_at=gone)
    ClockStop.objects.create(battle=duel.battle, combatant=bung, reason="bounce", since=gone)
    assert "Usage: CALLOFF <battle> {NO}" in world.ask(f"{FRODE}CALLOFF {number} perhaps")
    assert f"You no longer agree to end battle {number}." in world.ask(f"{FRODE}CALLOFF {number} NO")
    told = world.ask(f"{FRODE}CALLOFF {number}")
    assert f"Battle {number} is over. No score changes and nobody dies." in told
    assert duel.reload().result["reason"] == "called_off"


def test_an_order_that_an_email_offers_is_accepted_in_answer_to_it(duel: MailedDuel):
    world, number = duel.world, duel.battle.number
    ask_pause(combatant=get_combatant_for_user(number=number, user=duel.bung.user), days=2, now=world.now)
    [offer] = world.new_mails()
    assert f"(by email: PAUSE {number} 2)" in body(offer)
    frode, here = "frode@example.org", reply_address(offer)
    assert "This reply address is only for battle" in world.ask(f"PAUSE {number + 1} 2", sender=frode, to=here)
    assert f"Battle {number} is paused." in world.ask(f"PAUSE {number} 2", sender=frode, to=here)
    world.order(duel.battle, duel.froodal, "W/P")
    world.order(duel.battle, duel.bung, "W/P")
    late = world.ask(f"PAUSE {number} 0\nTIME {number}\nGIVE {number} Bung", sender=frode, to=here)
    assert late.count("This reply address is only for turn 1.") == 3
    assert "3 lines are rejected." in late


def test_in_answer_to_an_email_about_a_turn_the_number_of_the_battle_may_be_left_out(duel: MailedDuel):
    world, number = duel.world, duel.battle.number
    ask_pause(combatant=get_combatant_for_user(number=number, user=duel.bung.user), days=2, now=world.now)
    [offer] = world.new_mails()
    frode, here = "frode@example.org", reply_address(offer)

    def ask(text: str) -> str:
        return world.ask(text, sender=frode, to=here).replace("\n > ", " ")

    assert "Froodal has more time in battle" in ask("TIME")
    assert f"You have no mage called Bung in battle {number}." in ask("TIME Bung")
    assert "draw from turn 5 on" in ask("DRAW")
    drawn = ask("DRAW near, fool!")
    assert "Usage: DRAW {YES | NO}" in drawn and "Nearest: DRAW\n" in drawn
    assert "Nearest: TIME\n" in ask("Time for lunch!")
    assert "Nearest: GIVE Bung\n" in ask("Give me a moment")
    assert "Nearest: GIVE <battle> <mage> {days}" in ask(f"GIVE {number + 1} me a moment")
    unknown = ask("GIVE Bong 2")
    assert "Bong is not in this battle." in unknown and f"Nearest: GIVE {number} Bung 2\n" in unknown
    assert f"Nearest: GIVE {number} Bung\n" in ask("GIVE Zed")
    assert "Until the first turn resolves, you can call the battle off" in ask("CALLOFF NO")
    assert "A bot can take over only" in ask("STANDIN")
    assert not {"Usage:", "before it."} & set(ask("CLAIM").split())
    # One number may be the battle or the days.
    assert f"Nearest: PAUSE {number} {number + 7}" in ask(f"PAUSE {number + 7}")
    assert f"Nearest: PAUSE {number} <days>" in ask(f"PAUSE {number}")
    assert f"Battle {number} is paused." in ask(f"PAUSE #{number} 2")
    assert "TIME needs a USER line before it." in world.ask("TIME", sender=frode)


def test_an_email_lets_a_bot_play_for_an_opponent_who_left(duel: MailedDuel):
    world, number = duel.world, duel.battle.number
    bung = Combatant.objects.get(battle=duel.battle, mage=duel.bung)
    assert "A bot can take over only for a player who has been absent" in world.ask(f"{FRODE}STANDIN {number}")
    gone = world.now - timedelta(days=36)
    User.objects.filter(pk=duel.bung.user_id).update(mail_fails_since=gone, last_active_at=gone)
    ClockStop.objects.create(battle=duel.battle, combatant=bung, reason="bounce", since=gone)
    assert "Usage: STANDIN <battle> {NO}" in world.ask(f"{FRODE}STANDIN {number} perhaps")
    assert f"You no longer agree to let a bot play in battle {number}." in world.ask(f"{FRODE}STANDIN {number} NO")
    assert f"A bot is now playing in battle {number}" in world.ask(f"{FRODE}STANDIN {number}")
    bung.refresh_from_db()
    assert bung.stand_in == "Warder" and duel.reload().practice


def test_an_email_claims_a_battle_whose_other_player_is_absent(duel: MailedDuel):
    world, number = duel.world, duel.battle.number
    assert "once another player has been absent" in world.ask(f"{FRODE}CLAIM {number}")
    for mage in (duel.froodal, duel.bung):
        world.order(duel.battle, mage, "W/P")
    bung = Combatant.objects.get(battle=duel.battle, mage=duel.bung)
    gone = world.now - timedelta(days=36)
    User.objects.filter(pk=duel.bung.user_id).update(mail_fails_since=gone, last_active_at=gone)
    ClockStop.objects.create(battle=duel.battle, combatant=bung, reason="bounce", since=gone)
    assert "Usage: CLAIM <battle> {NO}" in world.ask(f"{FRODE}CLAIM {number} perhaps")
    assert f"You no longer agree to claim battle {number}." in world.ask(f"{FRODE}CLAIM {number} NO")
    assert f"Battle {number} is claimed." in world.ask(f"{FRODE}CLAIM {number}")
    assert duel.reload().result["winners"] == ["Froodal"]


def test_a_suspended_user_may_ask_and_leave_but_neither_play_nor_write(duel: MailedDuel, keeper: User):
    world, number = duel.world, duel.battle.number
    sanction = suspend_user(
        user=duel.froodal.user, by=keeper, reason="Three insults.", ends_at=world.now + timedelta(days=3), now=world.now
    )
    told = world.ask(f"{FRODE}REGISTER Third\nNEWGAME Froodal OPEN\nMESSAGE Froodal Bung\nREGISTER Fourth\nEND MESSAGE")
    assert told.count("You are suspended until") == 3 and "postmaster@localhost" in told
    assert not Challenge.objects.filter(status="open").exists()
    clocks = world.ask(f"{FRODE}TIME {number}\nGIVE {number} Bung\nPAUSE {number} 3\nCALLOFF {number}\nCLAIM {number}")
    assert clocks.count("You are suspended until") == 5
    answer = world.ask(f"{FRODE}GAME {number} Froodal\nW/P\nEND")
    assert "You are suspended until" in answer and count_orders() == 0
    status = world.ask(f"{FRODE}GAME {number} Froodal\nEND\nSCORES")
    assert "suspended" not in status
    lift_sanction(sanction=sanction, by=keeper, why="Served.", now=world.now)
    world.ask(f"{FRODE}GAME {number} Froodal\nW/P\nEND")
    assert count_orders() == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("REPORT Bung never answers", "The janitors have your report"),
        ("REPORT 12345 is stuck", "There is no battle 12345."),
        ("REPORT Bumg is rude", "Nearest: REPORT Bung …"),
        ("REPORT Bung", "followed by what happened"),
        (f"REPORT Bung {'never ' * 400}", "This has 2399 characters. Shorten it to 2000."),
        ("ACKNOWLEDGE", "You have no warnings."),
        ("Acknowledge.", "You have no warnings."),
        ("ACKNOWLEDGE it", "Put ACKNOWLEDGE on a line of its own."),
    ],
)
def test_reports_by_email_are_accepted_or_rejected_with_a_message(duel: MailedDuel, line: str, told: str):
    answer = duel.world.ask(FRODE + line)
    assert told in " ".join(answer.split())
    assert Report.objects.count() == ("have your report" in told)


def test_reports_need_a_known_sender(duel: MailedDuel):
    assert "needs a USER line" in duel.world.ask("REPORT Bung is rude\nACKNOWLEDGE")
    assert not Report.objects.exists()
