"""The rule book's promise to a newcomer who has only email: from NEWUSER to the first turn of a duel."""

import re

from challenges.models import Challenge
from duels.models import Battle
from tests.email_gateway.challengers import login
from tests.email_gateway.world import MailWorld, body, reply_address


def sign_on(world: MailWorld, name: str, mage: str) -> str:
    """Someone signs on by email and registers a mage; the answer to REGISTER."""
    [mail] = world.send(f"NEWUSER {name} three-black-moths\nEND", sender=f"{name.lower()}@example.org")
    world.ask("CONFIRM", to=reply_address(mail), sender=f"{name.lower()}@example.org")
    return world.ask(login(name, f"REGISTER {mage}\nEND"), sender=f"{name.lower()}@example.org")


def test_a_duel_begins_with_four_kinds_of_email(world: MailWorld):
    """FM-INTRO-1, FM-INTRO-2, FM-INTRO-3, FM-INTRO-5, FM-INTRO-7, FM-EXAMPLE-1."""
    assert "Froodal is registered" in sign_on(world, "Frode", "Froodal")
    assert "Bung is registered" in sign_on(world, "Bill", "Bung")
    _, notice = world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung\nEND"), sender="frode@example.org")
    assert notice["To"] == "bill@example.org"
    [number] = re.findall(r"ACCEPT (\d+) Bung", body(notice))
    mails = world.send(login("Bill", f"ACCEPT {number} Bung\nEND"), sender="bill@example.org")
    told = {mail["To"] for mail in mails if f"[FM {number}]" in mail["Subject"]}
    assert told == {"frode@example.org", "bill@example.org"}
    battle = Battle.objects.get(number=int(number))
    assert set(battle.combatants.values_list("mage__user__username", "mage__name")) == {
        ("Frode", "Froodal"),
        ("Bill", "Bung"),
    }
    for user, mage in (("Frode", "Froodal"), ("Bill", "Bung")):
        orders = login(user, f"GAME {number} {mage}\nLH S\nRH W\nEND")
        assert "OK" in world.ask(orders, sender=f"{user.lower()}@example.org")
    battle.refresh_from_db()
    assert battle.turns.count() == 2, "turn 1 is played, and turn 2 is open"


def test_the_scores_of_all_mages_come_with_register_and_at_any_time(world: MailWorld):
    """FM-INTRO-6, FM-INTRO-8, FM-ORDINF-1: with what each mage is doing."""
    sign_on(world, "Frode", "Froodal")
    registered = sign_on(world, "Bill", "Bung")
    assert re.search(r"Froodal +Frode +0 +0 +free", registered) and re.search(r"Bung +Bill +0 +0 +free", registered)
    before = world.ask(login("Bill", "SCORES"), sender="bill@example.org")
    assert len(re.findall(r"Froodal +Frode +0 +0 +free", before)) == 2, "in the list of duels and of melees"
    world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung"), sender="frode@example.org")
    number = Challenge.objects.get().number
    world.send(login("Bill", f"ACCEPT {number} Bung"), sender="bill@example.org")
    assert re.search(
        rf"Bung +Bill +0 +0 +battle {number}", world.ask(login("Bill", "SCORES"), sender="bill@example.org")
    )


def test_the_first_report_shows_the_bows_and_who_must_send_orders(world: MailWorld):
    """FM-EXAMPLE-2, FM-EXAMPLE-3, FM-EXAMPLE-13, FM-ORDMOVE-34."""
    sign_on(world, "Frode", "Froodal")
    sign_on(world, "Bill", "Bung")
    world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung"), sender="frode@example.org")
    number = Challenge.objects.get().number
    reports = {
        mail["To"]: mail
        for mail in world.send(login("Bill", f"ACCEPT {number} Bung"), sender="bill@example.org")
        if mail["Subject"].startswith(f"[FM {number}]")
    }
    for address, mine, other in (("frode@example.org", "Froodal", "Bung"), ("bill@example.org", "Bung", "Froodal")):
        mail, text = reports[address], body(reports[address])
        assert mail["From"].startswith("Firetop Mountain") and "Froodal v Bung" in mail["Subject"]
        assert f"Duel {number}, Froodal against Bung" in text and "The duel has begun." in text
        status = text.partition(f"Standard Duel Status for {mine} (game {number}, turn 1):")[2]
        assert re.search(rf"{mine} \(\w+\) HP: 15 State: thinking \(orders\)\n\n  Left:  B\n  Right: B\n", status)
        assert re.search(rf"{other} \(\w+\) HP: 15 State: thinking\n\n  Left:  B\n  Right: B\n", status)
