"""Emails about a draw: the offer, with both answers, its refusal, and the end."""

import pytest

from duels.models import Combatant
from duels.services.draws import accept_draw, offer_draw, refuse_draw
from email_gateway.compose.notices import compose_notice
from email_gateway.errors import NothingToSend
from notifications.models import Notice
from tests.duels.fights import Fight, start_fight
from tests.duels.test_draws import play_to
from tests.email_gateway.world import PASSWORD, MailWorld, body, write_mail
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel() -> Fight:
    fight = play_to(start_fight(make_mage("Froodal"), make_mage("Bung")), 5)
    offer_draw(combatant=fight.combatant("Froodal"), now=NOW)
    return fight


def mail(fight: Fight, name: str, kind: str):
    notice = Notice.objects.filter(user=fight.user(name), kind=kind).last()
    return compose_notice(kind=kind, facts=notice.facts, user=fight.user(name))


def test_an_offer_comes_with_both_answers(duel):
    both = mail(duel, "Bung", "draw_offered")
    assert both.subject.endswith("Froodal v Bung") or "Froodal offers a draw" in both.text
    told = " ".join(both.text.split())
    assert "Froodal offers you a draw. If you accept before the turn resolves, the duel is over and nobody wins" in told
    assert f"DRAW {duel.number} YES" in told and f"DRAW {duel.number} NO" in told
    assert "Accept the draw" in both.html


def test_an_offer_that_is_gone_is_not_sent(duel):
    refuse_draw(combatant=duel.combatant("Froodal"), now=NOW)
    with pytest.raises(NothingToSend):
        mail(duel, "Bung", "draw_offered")
    play_to(duel, 10)
    offer_draw(combatant=duel.combatant("Froodal"), now=NOW)
    accept_draw(combatant=duel.combatant("Bung"), now=NOW)
    with pytest.raises(NothingToSend):
        mail(duel, "Bung", "draw_offered")


def test_a_refusal_is_told_to_who_offered(duel):
    refuse_draw(combatant=duel.combatant("Bung"), now=NOW)
    assert "Bung declines your offer of a draw. The battle continues." in mail(duel, "Froodal", "draw_declined").text
    play_to(duel, 6)
    with pytest.raises(NothingToSend):
        mail(duel, "Froodal", "draw_declined")


def test_the_end_is_told_to_both_as_a_draw_on_which_they_agreed(duel):
    accept_draw(combatant=duel.combatant("Bung"), now=NOW)
    for name in duel.names:
        both = mail(duel, name, "battle_finished")
        assert "The end: Draw, agreed in turn 5" in both.text and "agreed in turn 5" in both.html


def test_an_email_counts_for_the_turn_in_which_it_arrived(world: MailWorld):
    """One that waits while its turn resolves offers no draw in the next one, where everything may be different."""
    froodal, bung = world.mage("Froodal"), world.mage("Bung")
    battle = world.begin(froodal, bung)
    for _ in range(5):
        for mage in (froodal, bung):
            world.order(battle, mage, "D/-")
    world.take(write_mail(f"USER Froodals {PASSWORD}\nDRAW {battle.number}\n"))
    for mage in (froodal, bung):
        world.order(battle, mage, "D/-")
    world.process()
    answer = next(mail for mail in world.new_mails() if mail["Auto-Submitted"] == "auto-replied")
    assert "Turn 6 is over. Duel" in " ".join(body(answer).split())
    assert not Combatant.objects.exclude(draw_offered_in="").exists()
