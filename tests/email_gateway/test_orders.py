"""Every order of the table, in a whole email: its answer and its result."""

import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Mage, User
from accounts.password_limits import MAIL_STRANGERS
from accounts.selectors.names import find_mage, find_user
from accounts.services import mail_passwords
from challenges.models import Challenge, Seat
from duels.models import Battle, OrderSheet
from email_gateway.addresses import make_turn_address
from email_gateway.commands.game_options import OPTIONS
from email_gateway.commands.line_forms import find_order
from email_gateway.commands.table import TABLE
from email_gateway.models import InboundMail, NewUserRequest
from ladder.models import Remembrance
from moderation.models import Report
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail


def login(name: str, text: str) -> str:
    return f"USER {name} {PASSWORD}\n{text}"


def lines_of(battle: Battle, mage: Mage) -> list[str]:
    return OrderSheet.objects.get(combatant__mage=mage, stage__battle=battle, stage__closed_at=None).lines


def test_every_entry_names_a_service_that_exists_and_says_how_it_is_written():
    """FM-ORDMOVE-1 among them."""
    for order in TABLE:
        module, _, name = order.service.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name)), order.name
        assert order.grammar.startswith(order.name)
        assert order.help.endswith(".")
        # No document knows an order for what one is told, and where.
        assert order.clause.startswith(("FM-ORD", "FM-SLOW", "FM-SURR", "WH-", "WL-")) or order.name == "NOTICES"
        assert find_order(order.name.lower()) is order
        assert (order.handle is None) == (order.who == "mage")


def test_no_name_means_two_orders():
    names = [name for order in TABLE for name in order.names]
    assert len(names) == len(set(names))


def test_help_lists_every_order(world: MailWorld):
    answer = world.ask("HELP\n" + "\n".join(f"HELP {order.name}" for order in TABLE))
    for order in TABLE:
        assert order.grammar in answer and order.clause in answer
    assert [line for line in answer.split("\n") if len(line) > 72] == []


# --- NEWUSER ---------------------------------------------------------------------------------------------------------


def test_newuser_does_nothing_before_its_email_is_answered(world: MailWorld):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    assert mail["To"] == "wil@example.org"
    assert find_user("Wil") is None
    assert "three-black-moths" not in body(mail)
    assert "You are Wil" not in world.ask("I did not ask for this", to=reply_address(mail))
    assert "You are Wil" not in world.ask("CONFIRM nothing, please", to=reply_address(mail))
    elsewhere = write_mail("CONFIRM", sender="mallory@example.org")
    assert "from the address that was asked" in world.ask(
        elsewhere, sender="mallory@example.org", to=reply_address(mail)
    )
    assert find_user("Wil") is None
    answer = world.ask("confirm", to=reply_address(mail))
    assert "You are now Wil." in answer
    assert "USER Wil <mail password>" in answer, "the next step is named"
    user = find_user("Wil")
    assert user is not None and user.emailaddress_set.get().verified
    assert "Merlyn is registered" in world.ask("USER Wil three-black-moths\nREGISTER Merlyn")


@pytest.mark.parametrize("line", ["CONFIRM.", "Confirm!", "confirm ,", "CONFIRM. ; yes"])
def test_confirm_may_have_a_mark_behind_it(world: MailWorld, line: str):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    assert "You are now Wil" in world.ask(line, to=reply_address(mail))


def test_the_confirming_email_may_contain_the_first_orders(world: MailWorld):
    [mail] = world.send("newuser wil three-black-moths")
    assert "Merlyn is registered" in world.ask("CONFIRM\nregister Merlyn", to=reply_address(mail))
    assert find_mage("Merlyn").user.username == "Wil"


def test_a_newuser_and_a_register_in_one_email_are_two_steps(world: MailWorld):
    """FM-EXAMPLE-12: the line is rejected with what it lacks, and may stand in the email that confirms."""
    [mail] = world.send("NEWUSER Wil three-black-moths\nREGISTER Merlyn")
    told = " ".join(body(mail).replace("\n > ", " ").split())
    assert "REGISTER needs your account, which exists once you reply with CONFIRM." in told
    assert "USER line before it" not in told and "USER <name>" not in told
    assert "Merlyn is registered" in world.ask("CONFIRM\nREGISTER Merlyn", to=reply_address(mail))


@pytest.mark.parametrize("name", ["Wil-l", "Wil.l", "Wíl"])
def test_names_are_plain_letters_and_digits_and_passwords_need_not_be(world: MailWorld, name):
    """FM-ORDGEN-12: names as it says. A mail password may have signs in it, which make it harder to guess."""
    assert "Use only letters a to z" in " ".join(world.ask(f"NEWUSER {name} three-black-moths").split())
    assert "with the one line CONFIRM" in world.ask("NEWUSER Wil three-black-moths!")


def test_confirming_twice_makes_one_user(world: MailWorld):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    world.ask("CONFIRM", to=reply_address(mail))
    assert "already exists" in world.ask("CONFIRM", to=reply_address(mail))
    assert User.objects.filter(username="Wil").count() == 1


def test_the_link_confirms_when_its_button_is_pressed_and_not_before(world: MailWorld, client):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    path = re.search(r"http://[^/\s]+(/mail/confirm/\S+)", body(mail))[1]
    assert "Confirm Wil" in client.get(path).content.decode()
    assert find_user("Wil") is None
    assert "Welcome, Wil" in client.post(path).content.decode()
    assert find_user("Wil") is not None
    assert "already exists" in client.post(path).content.decode()
    assert client.get(path[:-3] + "x/").status_code == 404


def test_a_confirmation_after_three_days_comes_too_late(world: MailWorld):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    world.wait(days=3, seconds=1)
    assert "has expired" in world.ask("CONFIRM", to=reply_address(mail))
    assert find_user("Wil") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("NEWUSER Wil", "NEWUSER needs a name and a mail password"),
        ("NEWUSER Wil heh", "too short"),
        ("NEWUSER 1st three-black-moths", "NEWUSER"),
        ("NEWUSER Open three-black-moths", "Open"),
        ("NEWUSER Taken three-black-moths", "is taken."),
    ],
)
def test_an_impossible_newuser_is_rejected_at_once(world: MailWorld, text, reason):
    world.user("Taken")
    answer = world.ask(text)
    assert reason in answer and "1 line is rejected." in answer
    assert not NewUserRequest.objects.exists()


def test_an_address_has_one_user_and_three_requests_a_day(world: MailWorld):
    world.user("Wil")
    assert "already belongs to a user" in world.ask("NEWUSER Will three-black-moths")
    for name in ("Ann", "Anne", "Anna"):
        world.ask(f"NEWUSER {name} three-black-moths", sender="ann@example.org")
    assert "already been requested" in world.ask("NEWUSER Annika three-black-moths", sender="ann@example.org")


def test_the_password_of_a_request_is_not_readable_and_goes_away(world: MailWorld):
    [mail] = world.send("NEWUSER Wil three-black-moths")
    request = NewUserRequest.objects.get()
    assert "moths" not in request.sealed
    world.ask("CONFIRM", to=reply_address(mail))
    request.refresh_from_db()
    assert request.sealed == ""


# --- USER ------------------------------------------------------------------------------------------------------------


def test_user_gives_the_orders_that_follow_and_is_answered_at_home(world: MailWorld):
    world.user("Wil")
    [mail] = world.send(login("wil", "REGISTER Merlyn"), sender="cafe@example.net")
    assert mail["To"] == "wil@example.org"
    assert find_mage("Merlyn") is not None


@pytest.mark.parametrize(
    "line",
    [
        "ＵＳＥＲ Wil three-black-moths",
        "USER\tWil\tthree-black-moths",
        "USER Wil\u00a0three-black-moths",
        "U\u200bSER Wil three-black-moths\u200b",
    ],
)
def test_user_is_read_however_it_is_typed_and_its_password_never_repeated(world: MailWorld, line):
    world.user("Wil")
    answer = world.ask(f"{line}\nREGISTER Merlyn", sender="wil@example.org")
    assert "Merlyn is registered" in answer and "three-black-moths" not in answer
    assert "three-black-moths" not in InboundMail.objects.get().scrubbed


@pytest.mark.parametrize("text", ["USER Wil wrong-password-1", "USER Nobody_here wrong-password-1"])
def test_a_wrong_password_is_refused_in_the_same_words_for_anyone(world: MailWorld, text):
    world.user("Wil")
    [mail] = world.send(f"{text}\nREGISTER Merlyn", sender="cafe@example.net")
    assert mail["To"] == "cafe@example.net"
    answer = body(mail)
    assert "No user has this name and mail password." in answer
    assert "REGISTER needs a user" in answer and "wrong-password-1" not in answer
    assert find_mage("Merlyn") is None


def test_orders_are_switched_off_until_there_is_a_mail_password(world: MailWorld):
    world.user("Wil", password="")
    assert "No user has this name and mail password." in world.ask("USER Wil three-black-moths")


def test_guessing_at_many_names_from_many_senders_is_bounded(world: MailWorld, monkeypatch):
    monkeypatch.setattr(mail_passwords, "MAIL_STRANGERS", replace(MAIL_STRANGERS, limit=5))
    names = [world.user(name).username for name in ("Wil", "Ann", "Bob")]
    answers = [world.ask(f"USER {names[n % 3]} wrong-guess", sender=f"x{n}@example.net") for n in range(6)]
    assert "your email waits" not in " ".join(answers[-2].split())
    assert "your email waits" in " ".join(answers[-1].split())
    assert "Too many attempts." in world.ask("USER nobody wrong-guess", sender="x7@example.net")
    assert "Merlyn is registered" in world.ask(login("Wil", "REGISTER Merlyn"))


def test_one_user_in_an_email(world: MailWorld):
    world.user("Wil")
    world.user("Ann")
    answer = world.ask(login("Wil", login("Ann", "REGISTER Merlyn")))
    assert "One USER line is enough" in answer
    assert find_mage("Merlyn").user.username == "Wil"


@pytest.mark.parametrize("text", ["USER Wil", "USER", "USER Wil two words"])
def test_user_takes_a_name_and_a_password(world: MailWorld, text):
    answer = world.ask(text)
    assert "USER needs a name and a mail password." in answer
    assert "words" not in answer


# --- REGISTER --------------------------------------------------------------------------------------------------------


def test_register_needs_a_user(world: MailWorld):
    assert "Nearest: USER <name> <mail password>" in world.ask("REGISTER Merlyn")


def test_a_taken_name_is_refused_with_a_free_one(world: MailWorld):
    world.user("Wil")
    world.mage("Merlyn")
    answer = world.ask(login("Wil", "REGISTER merlyn"))
    assert "The name Merlyn is taken." in answer and "Nearest: REGISTER Merlyn" in answer


def test_commas_and_colons_between_words_do_not_matter(world: MailWorld):
    froodal = world.mage("Froodal", world.user("Frode"))
    bung = world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung)
    lines = [f"GAME #{battle.number}, Bung:", "PRONOUN Bung, she", "REPORT Froodal: unfair", "ACKNOWLEDGE ; read"]
    answer = world.ask(login("Bill", "\n".join(lines)), sender="bill@example.org")
    assert "rejected" not in answer
    assert Mage.objects.get(name="Bung").pronoun == "she" and Report.objects.get().about_user == froodal.user


def test_registering_a_mage_twice_says_that_you_have_it(world: MailWorld):
    world.user("Wil")
    answer = world.ask(login("Wil", "REGISTER Merlyn\nREGISTER merlyn"))
    assert "Merlyn is registered" in answer and "You already have a mage called Merlyn." in answer


def test_register_takes_one_name_and_gives_it_a_capital(world: MailWorld):
    world.user("Wil")
    assert "REGISTER needs one name." in world.ask(login("Wil", "REGISTER"))
    assert "Merlyn is registered" in world.ask(login("Wil", "register merlyn ; at last"))


# --- challenges ------------------------------------------------------------------------------------------------------


def test_a_challenge_is_created_accepted_and_fought_by_email(world: MailWorld):
    froodal = world.mage("Froodal", world.user("Frode"))
    bung = world.mage("Bung", world.user("Bill"))
    answer, notice = world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung, COMMENT Come, if you dare; or not"))
    challenge = Challenge.objects.get()
    assert f"Challenge {challenge.number} is created." in body(answer)
    assert notice["To"] == "bill@example.org" and "Froodal challenges Bung" in notice["Subject"]
    assert f"ACCEPT {challenge.number} Bung" in body(notice)
    mails = world.send("ACCEPT", sender="bill@example.org", to=reply_address(notice))
    assert Battle.objects.get().number == challenge.number
    assert {mail["To"] for mail in mails} == {"frode@example.org", "bill@example.org"}
    assert "has begun" in body(next(mail for mail in mails if mail["Auto-Submitted"] == "auto-replied"))
    assert {froodal.name, bung.name} == set(Battle.objects.get().combatants.values_list("mage__name", flat=True))


def test_a_comment_ends_at_a_semicolon_as_it_always_did(world: MailWorld):
    world.mage("Froodal", world.user("Frode"))
    answer = world.ask(login("Frode", "NEWGAME Froodal OPEN COMMENT Come, if you dare; or not"))
    challenge = Challenge.objects.get()
    assert challenge.comment == "Come, if you dare"
    told = "A ; ends the line, so the comment is: Come, if you dare"
    assert told in " ".join(answer.split())
    answer = world.ask(login("Frode", f"CHANGEGAME {challenge.number} Froodal COMMENT Come; or stay"))
    assert "A ; ends the line, so the comment is: Come" in " ".join(answer.split())
    assert "ends the line" not in world.ask(login("Frode", f"CHANGEGAME {challenge.number} Froodal LIMIT 4 ; please"))


def test_newgame_takes_every_option(world: MailWorld):
    world.mage("Froodal", world.user("Frode"))
    world.ask(login("Frode", "NEWGAME Froodal open 2, limit 3, spellbook Classic, friendly, comment hello"))
    challenge = Challenge.objects.get()
    assert (challenge.mages_per_user, challenge.limit, challenge.comment) == (2, 3, "hello")
    assert challenge.terms["ruleset"] == "firetop-classic" and challenge.terms["stakes"] == "friendly"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("", "Name the mages you challenge"),
        ("CHALLENGE Bungg", "No mage is called Bungg. Did you mean Bung?"),
        ("OPNE", "Did you mean OPEN?"),
        ("OPEN, LIMIT 1", "at least 2"),
        ("CHALLENGE Froodal", "Froodal"),
        ("CHALLENGE Bung, LIMTI 3", "No mage is called LIMTI. Did you mean LIMIT?"),
    ],
)
def test_an_impossible_challenge_is_rejected_with_the_reason(world: MailWorld, options, reason):
    world.mage("Bung")
    world.mage("Froodal", world.user("Frode"))
    answer = world.ask(login("Frode", f"NEWGAME Froodal {options}"))
    assert reason in " ".join(answer.replace("\n >", " ").split())
    assert not Challenge.objects.exists()


def test_a_challenge_with_someone_elses_mage_is_rejected(world: MailWorld):
    world.mage("Bung")
    world.user("Frode")
    assert "Bung is not your mage." in world.ask(login("Frode", "NEWGAME Bung OPEN"))
    assert "No mage is called Bungg." in world.ask(login("Frode", "NEWGAME Bungg OPEN"))


def make_challenge(world: MailWorld, options: str = "CHALLENGE Bung Ulf") -> Challenge:
    for mage, user in (("Froodal", "Frode"), ("Bung", "Bill"), ("Ulf", "Urs")):
        world.mage(mage, world.user(user))
    world.send(login("Frode", f"NEWGAME Froodal {options}"))
    return Challenge.objects.get()


def test_accept_decline_and_withdraw_by_number(world: MailWorld):
    """FM-ORDACC-9: a number and a mage, no password."""
    number = make_challenge(world).number
    assert "Bung has joined challenge" in world.ask(login("Bill", f"ACCEPT {number} bung"))
    assert "Bung declines challenge" in world.ask(login("Bill", f"DECLINE {number} Bung"))
    assert Seat.objects.get(mage__name="Bung").state == "declined"
    assert "Only Froodal" in world.ask(login("Urs", f"WITHDRAW {number} Ulf"))
    told = world.ask(login("Frode", f"WITHDRAW {number} Froodal"))
    assert told.count(f"Challenge {number} is withdrawn.") == 1
    assert Challenge.objects.get().status == "withdrawn"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("ACCEPT", "ACCEPT needs a challenge's number and a mage's name."),
        ("ACCEPT 99999 Bung", "There is no challenge 99999."),
        ("ACCEPT {number} Froodal", "Froodal is not your mage."),
        ("ACCEPT {number} Bung CHANGE 2", "has no change 2 to vote on."),
        ("DECLINE 99999 Bung", "There is no challenge 99999."),
        ("WITHDRAW x Bung", "WITHDRAW needs a challenge's number and a mage's name."),
    ],
)
def test_impossible_answers_are_rejected_with_the_reason(world: MailWorld, order, reason):
    number = make_challenge(world).number
    assert reason in world.ask(login("Bill", order.format(number=number)))
    assert Seat.objects.get(mage__name="Bung").state == "invited"


def test_a_reply_about_a_challenge_answers_only_that_challenge(world: MailWorld):
    for mage, user in (("Froodal", "Frode"), ("Bung", "Bill"), ("Ulf", "Urs")):
        world.mage(mage, world.user(user))
    mails = world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung"))
    notice = next(mail for mail in mails if mail["To"] == "bill@example.org")
    other = Challenge.objects.get().number
    world.send(login("Urs", "NEWGAME Ulf OPEN"))
    number = Challenge.objects.exclude(number=other).get().number
    address = reply_address(notice)
    assert "is only for" in world.ask(f"ACCEPT {number} Bung", sender="bill@example.org", to=address)
    assert "REGISTER needs a USER line" in world.ask("REGISTER Gandalf", sender="bill@example.org", to=address)
    assert Seat.objects.get(mage__name="Bung").state == "invited"


def test_challenges_lists_what_anyone_may_see(world: MailWorld):
    number = make_challenge(world, "OPEN LIMIT 3 COMMENT Come all").number
    answer = world.ask("CHALLENGES", sender="stranger@example.net")
    assert str(number) in answer and "Froodal" in answer and '"Come all"' in answer


# --- information -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "kinds"),
    [
        ("SCORES", ["Duel scores", "Melee scores"]),
        ("STANDINGS melee", ["Melee scores"]),
        ("scores duel", ["Duel scores"]),
        ("SCORES all", ["Duel scores", "Melee scores"]),
    ],
)
def test_scores_come_with_the_answer(world: MailWorld, order, kinds):
    world.mage("Merlyn")
    answer = world.ask(order, sender="stranger@example.net")
    assert [kind for kind in ("Duel scores", "Melee scores") if kind in answer] == kinds
    assert "Merlyn" in answer


def test_scores_remember_the_dead_of_that_kind_of_battle(world: MailWorld):
    """FM-ORDINF-1; firetop-server 5.7."""
    dead = world.mage("Merlyn", world.user("Petra"))
    Remembrance.objects.create(mage=dead, kind="duel", battle=9, score=3, died_at=world.now)
    text = world.ask("SCORES duel")
    remembered = text.partition("Remembered, with the scores that died with them")[2]
    assert re.search(r"Merlyn +Petra +3", remembered)
    assert "Remembered" not in world.ask("SCORES melee")


def test_scores_of_something_else_are_refused(world: MailWorld):
    assert "SCORES takes DUEL, MELEE or ALL after it, or nothing." in world.ask("SCORES chess")


def test_help_of_something_else_names_the_nearest(world: MailWorld):
    assert "Nearest: HELP ACCEPT" in world.ask("HELP ACEPT")


@pytest.mark.parametrize("subject", ["FM scores duel", "TestFM SCORES duel"])
def test_an_order_may_stand_on_the_subject_line(world: MailWorld, subject):
    [mail] = world.send(write_mail("CHALLENGES", subject=subject))
    assert "Duel scores" in body(mail) and "Open challenges" in body(mail)


def test_help_may_stand_on_the_subject_line(world: MailWorld):
    [mail] = world.send(write_mail("", subject="Help!"))
    assert "Orders" in body(mail) and "NEWGAME" in body(mail)


# --- lines -----------------------------------------------------------------------------------------------------------


def test_every_line_is_processed_rejected_or_named_as_ignored(world: MailWorld):
    world.user("Wil")
    text = f"Dear referee,\n\nUSER Wil {PASSWORD}\nREGISTR Merlyn\nREGISTER Gandalf\n> quoted\n* mark\nEND\n"
    text += "SCORES\n-- \nWil"
    answer = world.ask(text)
    assert answer.split("\n\nGandalf")[0].split("\n") == [
        "(line 1 is not read: not an order)",
        "USER Wil *****                           OK",
        "REGISTR Merlyn",
        ' > There is no order "REGISTR".',
        " > Nearest: REGISTER <mage> {<pronoun>}",
        "REGISTER Gandalf                         OK",
        "(line 6 is not read: quoted from another email)",
        "(line 7 is not read: no order begins with this character)",
        "END",
        "(line 9 is not read: after END, so send another email)",
        "(lines 10 to 11 are not read: a signature)",
        "",
        "1 line is rejected. 2 lines are not read.",
    ]


def test_a_rejected_line_does_not_stop_others(world: MailWorld):
    world.user("Wil")
    world.ask(login("Wil", "REGISTER Open\nREGISTER Merlyn\nACCEPT x\nREGISTER Gandalf"))
    assert find_mage("Merlyn") and find_mage("Gandalf")


def test_an_email_may_have_a_hundred_orders_and_ask_for_each_report_once(world: MailWorld):
    world.mage("Merlyn")
    with CaptureQueriesContext(connection) as queries:
        answer = world.ask("SCORES duel\n" * 150)
    assert sum("score" in query["sql"] for query in queries) < 10
    assert answer.count("Duel scores") == 1
    assert "(lines 101 to 150 are not read: an email can have at most 100 orders)" in answer


def answer_turn(duel: MailedDuel, text: str) -> str:
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    return duel.world.ask(text, sender="bill@example.org", to=to)


@pytest.mark.parametrize("text", ["Hi, I am away next week.\nThanks, Bill", "wave\npalm"])
def test_an_answer_to_a_turn_without_an_order_says_how_to_write_one_and_shows_the_turn(duel: MailedDuel, text: str):
    answer = " ".join(answer_turn(duel, text).split())
    assert "We found no orders in your email. Each line has a hand and a gesture: LH W, and below it RH P." in answer
    assert "This is the state of the battle." in answer and "LH ?" in answer
    assert "NEWUSER" not in answer
    assert not OrderSheet.objects.exclude(lines=[]).exists()
    empty = " ".join(answer_turn(duel, "\n").split())
    assert "Each line has a hand and a gesture" in empty and "NEWUSER with" not in empty


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("LG W\nRH P", "LH W"),
        ("Left hand wave\nRight hand palm", "LH W"),
        ("left wave, right palm", "LH W"),
    ],
)
def test_a_misspelt_first_line_of_an_answer_to_a_turn_is_rejected_with_the_nearest_form(
    duel: MailedDuel, text: str, nearest: str
):
    answer = answer_turn(duel, text)
    assert f"> Nearest: {nearest}" in answer, answer
    assert "Bung's orders are unchanged." in answer


def test_hands_may_be_named_as_in_a_form(duel: MailedDuel):
    answer_turn(duel, "Left: W\nRight hand: p")
    assert lines_of(duel.battle, duel.bung) == ["LH W", "RH P"]


def test_a_polite_reply_to_a_challenge_is_answered_with_how_to_accept_it(world: MailWorld):
    for name, user in (("Froodal", "Frode"), ("Bung", "Bill")):
        world.mage(name, world.user(user))
    sent = world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung"), sender="frode@example.org")
    [mail] = [mail for mail in sent if mail["To"] == "bill@example.org"]
    answer = world.ask("Yes, I would love to!", sender="bill@example.org", to=reply_address(mail))
    assert "To answer the challenge, write ACCEPT or DECLINE" in answer and "NEWUSER with" not in answer


def test_an_email_without_an_order_gets_a_list_of_orders(world: MailWorld):
    answer = world.ask("Hello, is anybody there?\nI would like to play.")
    assert "We found no orders in your email." in answer and "NEWGAME" in answer
    assert InboundMail.objects.get().state == "processed"


def test_the_handbook_holds_every_entry_of_the_table():
    handbook = (Path(__file__).resolve().parent.parent.parent / "docs" / "mail.md").read_text()
    for order in TABLE:
        grammar = order.grammar.replace("|", "\\|")
        row = next(line for line in handbook.split("\n") if line.startswith(f"| `{grammar}`"))
        assert str(order.help) in row and row.endswith(f"| {order.clause} |")


def test_the_handbook_holds_every_option():
    handbook = (Path(__file__).resolve().parent.parent.parent / "docs" / "mail.md").read_text()
    for option in OPTIONS:
        row = next(line for line in handbook.split("\n") if line.startswith(f"| `{option.grammar}`"))
        assert str(option.help) in row and row.endswith(f"| {option.clause} |")
