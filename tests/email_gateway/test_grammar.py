"""Every order in every documented form, as people type it: odd case and spacing, comments, commas, several numbers."""

import re

import pytest
from django.db import transaction

from accounts.models import Mage
from accounts.services.mages import kill_mage
from email_gateway.commands.table import TABLE
from tests.email_gateway.world import PASSWORD, MailWorld, body
from tests.services.plugin import LONG

pytestmark = pytest.mark.once

FRODE = "frode@example.org"
# Emails that a user may send at once, with the text of the answer; {d} is a duel, {c} a challenge of Froodal's.
ALONE = [
    ("SCORES", "Duel scores"),
    ("SCORES duel", "Duel scores"),
    ("SCORES MELEE", "Melee scores"),
    ("SCORES all", "Melee scores"),
    ("STANDINGS", "Duel scores"),
    ("GAMES", "Battles in progress"),
    ("GAMES {d}", "Battles in progress"),
    ("GAMES {d} 99999", "There is no battle 99999"),
    ("GAMES 99999, {d}", "There is no battle 99999"),
    ("GAMES {d} twelve", '"twelve" is not a number'),
    ("GAMES #{d}", "Battles in progress"),
    ("LIST", "Battles in progress"),
    ("LIST {d}", "Battles in progress"),
    ("CHALLENGES", "Challenge"),
    ("INFO", "User:"),
    ("INFO Bung", "Mage:"),
    ("INFO Bung, Frode", "Mage:"),
    ("INFO Bung Nobody_here", "Nobody is called Nobody_here"),
    ("USERS", "Users:"),
    ("USERS Frode Nobody_here", "Nobody is called Nobody_here"),
    ("STATS", "SpellUse"),
    ("STATS SpellUse", "SpellUse"),
    ("SHOW {d}", "between"),
    ("SHOW {d} 99999", "no battle or challenge 99999"),
    ("SHOW {c}", "Challenge Status"),
    ("DESCRIBE {d} 99999", "no battle or challenge 99999"),
    ("SUBSCRIBE {d} 99999", "no battle or challenge 99999"),
    ("UNSUBSCRIBE {d} 99999", "no battle or challenge 99999"),
    ("UNSUBSCRIBE", "You don't follow any battles"),
    ("RULES", "Rules:"),
    ("RULES standard", "Rules:"),
    ("RULES Classic", "Rules:"),
    ("RULES warlocks", "Rules:"),
    ("RULES {d}", "Rules:"),
    ("RULES PARTS", "art"),
    ("RULES PART 2", "art 2"),
    ("SPELLS", "once in a battle"),
    ("SPELLS standard", "Spells:"),
    ("SPELLS {d}", "Spells:"),
    ("FAQ", "Frequently asked"),
    ("HELP", "Orders"),
    ("HELP NEWGAME", "NEWGAME <mage>"),
    ("TEST_COMMAND", "Your email arrived"),
    ("RESEND", ""),
    ("RESEND 2", ""),
    ("NOTICES", "TURNS"),
    ("LOBBY", "Nobody has written anything"),
    ("LEAGUE", "No season of the league runs now"),
    ("LEAGUE 2", "No season of the league runs now"),
    ("JOIN LEAGUE Ulf", "Ulf is in the league"),
    ("VACATION 3", "You are on vacation until"),
    ("REGISTER Merlyn", "Merlyn is registered"),
    ("REGISTER Merlyn", "Duel scores"),
    ("REGISTER Circe she", "Circe is registered"),
    ("REGISTER Circe:f", "Circe is registered"),
    ("PRONOUN Ulf it", "reports refer to Ulf as"),
    ("RETIRE Ulf", "Ulf"),
    ("QUIT Ulf", "Ulf leaves"),
    ("NEWGAME Ulf OPEN", "is created"),
    ("NEWGAME Ulf CHALLENGE Bolg", "is created"),
    ("NEWGAME Ulf, challenge Bolg, limit 2", "is created"),
    ("NEWGAME Ulf CHALLENGE Bolg EXCLUDE Snag", "Snag cannot join anyway"),
    ("NEWGAME Ulf EXCLUDE Snag, CHALLENGE Bolg", "is created"),
    ("NEWGAME Ulf CHALLENGE Bolg Snag EXCLUDE Snag", "is created"),
    ("NEWGAME Ulf OPEN EXCLUDE Snag", "is created"),
    ("CHANGEGAME {c} Azog WEEKENDS", "{c}"),
    ("WITHDRAW {c} Azog", "withdrawn"),
    ("GAME {d} Froodal", "No orders for Froodal"),
    ("MOVE {d} Froodal", "No orders for Froodal"),
    ("MAGE Froodal", "No orders for Froodal"),
    ("TIME {d} Froodal", ""),
    ("PAUSE {d} 3", ""),
    ("REPORT {d} nothing moves", ""),
    ("REPORT", ""),
    ("CUT", "no END CUT"),
]


def put_together(world: MailWorld) -> dict[str, int]:
    """A duel of Froodal's, a challenge of Azog's, and mages who are free."""
    frode, bill = world.user("Frode"), world.user("Bill")
    froodal, bung = world.mage("Froodal", frode), world.mage("Bung", bill)
    battle = world.duel(froodal, bung)
    for name, user in (("Ulf", frode), ("Azog", frode), ("Bolg", bill), ("Snag", bill)):
        world.mage(name, user)
    made = " ".join(world.ask(f"USER Frode {PASSWORD}\nNEWGAME Azog OPEN 0, LIMIT 5", sender=FRODE).split())
    return {"d": battle.number, "c": int(re.search(r"Challenge (\d+) is created", made)[1])}


def disguise(line: str, place: int) -> str:
    """Write a line with careless case, spacing and comments."""
    words = line.split(" ")
    return [
        f"{line} ; please",
        f"   {words[0].lower()}   {'  '.join(words[1:])}  ;and a comment: ACCEPT 1",
        f"\t{words[0].capitalize()}\t{' '.join(words[1:])}",
        f"{words[0].lower()}: {' '.join(words[1:])}" if words[1:] else f"{words[0]};",
    ][place % 4]


@pytest.mark.once
@pytest.mark.parametrize("part", range(2))
def test_every_documented_form_is_understood(world: MailWorld, part: int):
    numbers = put_together(world)
    wrong = []
    # Every form is tried once, plain or disguised; ./run test long tries each of them both ways.
    forms = ALONE if LONG else ALONE[part::2]
    for place, (form, told) in enumerate(forms):
        line = form.format(**numbers)
        written = disguise(line, place) if part else line
        with transaction.atomic():
            mails = world.send(f"USER Frode {PASSWORD}\n{written}\n", sender=FRODE)
            text = " ".join(" ".join(map(body, mails)).replace(" > ", " ").split())
            if told.format(**numbers) not in text or "There is no order" in text or "line is rejected" in text:
                wrong.append(f"{written!r}: {text[:300]}")
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


def test_the_forms_tried_are_those_of_the_table():
    tried = {form.split(" ")[0] for form, _ in ALONE}
    elsewhere = {
        "NEWUSER", "USER", "PASSWORD", "ADDRESS", "CONFIRM", "CHANGEUSER", "ACCEPT", "DECLINE", "OPPOSE", "INVITE",
        "REVOKE", "REPLAY", "MESSAGE", "ANNOUNCE", "ACKNOWLEDGE", "GIVE", "CALLOFF", "CLAIM", "STANDIN", "DRAW", "PLAY",
        "LEAVE",
    }  # fmt: skip
    assert {order.name for order in TABLE if order.who != "mage"} == (tried & {o.name for o in TABLE}) | elsewhere


def test_retired_mages_stand_in_the_scores_and_the_dead_have_none(world: MailWorld, client):
    froodal, bung, ulf = (world.mage(name) for name in ("Froodal", "Bung", "Ulf"))
    Mage.objects.filter(pk=bung.pk).update(retired_at=world.now)
    kill_mage(mage=ulf, now=world.now)
    scores = world.ask("SCORES duel")
    assert "Duel scores (1 mage)" in scores and "Retired, with the scores they keep (1 mage)" in scores
    assert "Bung" in scores and "retired" in scores
    info = world.ask("INFO Ulf")
    assert "Duel score:" not in info.partition("User:")[0] and "Score at death:" in info
    page = client.get("/mages/Ulf/").content.decode()
    assert "Duel score" not in page and "Score at death" in page
    assert froodal.is_alive


def test_a_misspelt_name_of_an_order_leads_to_that_name(world: MailWorld):
    world.user("Frode")
    answer = world.ask(f"USER Frode {PASSWORD}\nLISTE", sender=FRODE)
    assert "Nearest: LIST {numbers}" in answer
    assert "Nearest: STANDINGS" in world.ask(f"USER Frode {PASSWORD}\nSTANDNIGS", sender=FRODE)


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("UNSUBSCRIBE all", "UNSUBSCRIBE"),
        ("NOTICES turns off", "NOTICES TURNS EMAIL OFF"),
        ("NOTICES turns by email", "NOTICES TURNS EMAIL DAILY"),
        ("NOTICES all off", "NOTICES TURNS EMAIL OFF"),
    ],
)
def test_a_rejected_choice_has_the_nearest_one(world: MailWorld, line: str, nearest: str):
    world.user("Frode")
    answer = world.ask(f"USER Frode {PASSWORD}\n{line}\n", sender=FRODE)
    assert f" > Nearest: {nearest}\n" in answer
