"""Mage commands by email: blocks, turns, reply addresses."""

import re

import pytest

from accounts.models import Mage
from challenges.models import Challenge
from duels.models import Battle, OrderSheet
from duels.selectors.stage_keys import key_of
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import save_draft
from email_gateway.addresses import make_challenge_address, make_turn_address
from moderation.models import Report
from notifications.models import Delivery
from tests.duels.fights import charm_for_good
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail

BILL = "bill@example.org"


def sheet_of(battle: Battle, mage: Mage) -> OrderSheet:
    return OrderSheet.objects.get(combatant__mage=mage, stage__battle=battle, stage__closed_at=None)


def reports(world: MailWorld) -> dict[str, object]:
    """The newest mail to each address."""
    return {str(mail["To"]): mail for mail in world.new_mails()}


def bill(text: str) -> str:
    return f"USER Bill {PASSWORD}\n{text}"


@pytest.mark.parametrize("order", ["GAME {n} Bung", "move {n} bung", "MAGE Bung", "GAME {n}"])
def test_a_block_begins_with_game_move_or_mage(duel: MailedDuel, order):
    answer = duel.world.ask(bill(f"{order.format(n=duel.number)}\nLH P\nRH D\nEND"))
    assert "Bung's orders for turn 1 are in." in answer
    sheet = sheet_of(duel.battle, duel.bung)
    assert (sheet.lines, sheet.ready, sheet.via) == (["LH P", "RH D"], True, "mail")


@pytest.mark.parametrize(
    "orders", ["LH P RH D", "P/D", "left P, right D", "lh p ; look\nrh d", "P/D; shield", "LH \u2192 P\nright \xe0 D"]
)
def test_short_forms_mean_the_same(duel: MailedDuel, orders):
    duel.world.ask(bill(f"GAME {duel.number} Bung\n{orders}"))
    sheet = sheet_of(duel.battle, duel.bung)
    assert sheet.ready and sheet.lines == ["LH P", "RH D"]


@pytest.mark.parametrize("orders", ["C; both", "C ;both", "c"])
def test_a_clap_may_have_a_comment(duel: MailedDuel, orders):
    duel.world.ask(bill(f"GAME {duel.number} Bung\n{orders}"))
    assert sheet_of(duel.battle, duel.bung).lines == ["LH C", "RH C"]


def test_no_password_or_reply_address_is_shown_to_others(duel: MailedDuel):
    """However an email passes words on: those of a mage, of a challenge, and of a report."""
    to = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    duel.world.mage("Wystan", duel.bung.user)
    said = f"{PASSWORD} or {to}"
    orders = [f"NEWGAME Wystan OPEN, COMMENT {said}", f"REPORT Froodal {said}", f"GAME {duel.number} Bung", "P/D"]
    answer = duel.world.ask(bill("\n".join([*orders, f"SAY {said}"])))
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D", "SAY ***** or *****"]
    assert Challenge.objects.get().comment == Report.objects.get().text == "***** or *****"
    assert PASSWORD not in answer


def test_the_end_of_the_email_ends_the_orders(duel: MailedDuel):
    duel.world.ask(bill(f"GAME {duel.number} Bung\nLH P\nRH D\n-- \nBill"))
    assert sheet_of(duel.battle, duel.bung).ready


def test_a_line_that_only_lacks_its_other_hand_is_not_said_to_stand_beside_rejected_ones(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nRH F\nEND"))
    assert "Not processed, for the reason given below." in answer and "There is no gesture for LH." in answer
    assert "other lines" not in answer


@pytest.mark.parametrize("line", ["LH F; RH S", "GAME {n} Bung; LH S; RH S", "TURN 1; lh s", "SCORES DUEL; GAMES"])
def test_an_order_in_the_comment_of_an_accepted_line_is_mentioned(duel: MailedDuel, line: str):
    duel.world.ask(bill(f"GAME {duel.number} Bung\nW/P"))
    line = line.format(n=duel.number)
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\n{line}\nRH P"))
    assert f"{line:<40} OK\n > Text after a ; is a comment. Put each order on a line of its own." in answer


def test_a_comment_without_an_order_is_not_mentioned(duel: MailedDuel):
    lines = "LH W ; fire next turn\nRH P ; no hurry; he snapped\nSAY ho; RH P\nREPORT Froodal he wrote: LH W; RH P"
    assert "is a comment" not in duel.world.ask(bill(f"GAME {duel.number} Bung ; left as before\n{lines}"))


@pytest.mark.parametrize("length", [500, 501, 9000])
def test_speech_is_heard_whole_or_rejected(duel: MailedDuel, length: int):
    said = "x" * (length - 4) + " end"
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nP/D\nSAY {said}"))
    lines = sheet_of(duel.battle, duel.bung).lines
    assert lines == (["LH P", "RH D", f"SAY {said}"] if length == 500 else [])
    assert ("SAY takes at most 500 characters." in answer) == (length > 500)


def test_lines_below_one_that_is_too_long_are_not_orders_for_the_mage_above(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nP/D\nGAME {duel.number} {'Bung ' * 900}\nLH W"))
    assert "A line can have at most 4000 characters." in answer
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


def test_a_block_counts_whole_or_not_at_all(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nLH P\nRH Q\nTARGT RH Froodal\nEND"))
    assert "Q is not a gesture" in answer and "Nearest: TARGET" in answer
    assert answer.count("Not processed, because other lines of these orders are rejected.") == 2
    assert sheet_of(duel.battle, duel.bung).lines == []


@pytest.mark.parametrize("orders", ["LH P", "LH P\nEND", "SAY hello\nEND"])
def test_both_hands_or_none(duel: MailedDuel, orders):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\n{orders}"))
    assert "There is no gesture for RH." in answer
    assert not sheet_of(duel.battle, duel.bung).ready


def test_game_alone_asks_for_the_state_of_the_battle(duel: MailedDuel):
    for orders in ("END", ""):
        answer = duel.world.ask(bill(f"GAME {duel.number} Bung\n{orders}"))
        assert "No orders for Bung. This is the state of the battle." in answer
        assert f"Standard Duel Status for Bung (game {duel.number}, turn 1):" in answer
    assert not sheet_of(duel.battle, duel.bung).ready


def test_later_emails_replace_and_clear_empties(duel: MailedDuel):
    world = duel.world
    world.ask(bill(f"GAME {duel.number} Bung\nP/D\nSAY one"))
    world.ask(bill(f"GAME {duel.number} Bung\nRH W"))
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH W", "SAY one"]
    world.ask(bill(f"GAME {duel.number} Bung\nCLEAR\nW/W"))
    assert sheet_of(duel.battle, duel.bung).lines == ["LH W", "RH W"]


@pytest.mark.parametrize("text", ["CLEAR", "clear\nEND"])
def test_clear_alone_deletes_the_orders(duel: MailedDuel, text):
    duel.world.ask(bill(f"GAME {duel.number} Bung\nP/D"))
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\n{text}"))
    assert "Bung has no orders for turn 1 now." in answer and "rejected" not in answer
    assert (sheet_of(duel.battle, duel.bung).lines, sheet_of(duel.battle, duel.bung).ready) == ([], False)


def test_surrender_is_a_gesture_and_no_word(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nLH W\nRH P\nSURRENDER"))
    assert "To surrender, play two palms." in answer and "Nearest: P/P" in answer
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_lines_before_game_have_no_mage(duel: MailedDuel):
    """FM-ORDGEN-14."""
    answer = duel.world.ask(bill("LH P\nTURN 1\nSAY hello"))
    assert answer.count("needs a GAME line before it.") == 3


def test_one_mage_has_orders_in_an_email_and_may_be_named_twice(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nLH P\nMAGE Bung\nRH D"))
    assert "rejected" not in answer and sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("GAME {n} Ulf", "Send another email for this one. [FM-ORDGEN-15]"),
        ("MAGE Nobody", "No mage is called Nobody."),
        ("GMAE {n} Ulf", 'There is no order "GMAE".'),
    ],
)
def test_lines_below_another_mage_are_not_orders_for_the_first(duel: MailedDuel, second, reason):
    world = duel.world
    other = world.duel(world.mage("Ulf", duel.bung.user), world.mage("Crom"))
    text = f"GAME {duel.number} Bung\nP/D\n{second}\nSAY Bung will die\nLH W\nWHY\nEND"
    answer = world.ask(bill(text.format(n=other.number)))
    assert reason in answer.replace("\n > ", " ") and "4 lines are rejected." in answer
    assert answer.count("Not processed: the line above that names the mage is rejected.") == 3
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"] and sheet_of(duel.battle, duel.bung).ready


def test_a_mage_may_be_named_after_a_rejected_one(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bnug\nW/W\nGAME {duel.number} Bung\nP/D"))
    assert "2 lines are rejected." in answer and sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


@pytest.mark.parametrize(
    ("turns", "nearest"), [("TURN 7", "TURN 1"), ("TURN", "TURN <turn>"), ("TURN 1\nTURN 2", "TURN 1")]
)
def test_a_wrong_turn_is_rejected_at_its_line(duel: MailedDuel, turns, nearest):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\n{turns}\nP/D"))
    assert re.search(rf"^TURN ?\d?\n > .*\n > Nearest: {nearest}$", answer, re.M)
    assert "P/D\n > We don't know which turn they are for.\n\n2 lines are rejected." in answer


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("GAME {n} Froodal", "You have no mage called Froodal in battle {n}."),
        ("GAME {n} Nobody", "You have no mage called Nobody in battle {n}."),
        ("GAME 99999 Bung", "There is no battle 99999."),
        ("GAME Bung", "GAME needs a battle's number and a mage's name."),
        ("MAGE Froodal", "Froodal is not your mage."),
        ("MAGE Bungo", "No mage is called Bungo."),
    ],
)
def test_someone_elses_mage_cannot_be_ordered_about(duel: MailedDuel, order, reason):
    answer = duel.world.ask(bill(f"{order.format(n=duel.number)}\nLH P\nRH D\nEND"))
    assert reason.format(n=duel.number) in answer.replace("\n > ", " ")
    assert answer.count("We don't know which mage they are for.") == 3
    assert not OrderSheet.objects.filter(ready=True).exists()


def test_someone_elses_mage_is_rejected_like_an_unknown_one(duel: MailedDuel):
    known, unknown = (
        duel.world.ask(bill(f"GAME {duel.number} {name}\nP/D")).replace(name, "?") for name in ("Froodal", "Frodeal")
    )
    assert known == unknown


@pytest.mark.parametrize(
    ("line", "nearest"),
    [("W\\P", "W/P"), ("wp", "W/P"), ("left hand: wave", "LH W"), ("RIHGT P", "RH P"), ("LJ W", "LH W")],
)
def test_gestures_that_are_nearly_orders_are_refused_with_what_they_nearly_are(duel: MailedDuel, line, nearest):
    answer = duel.world.ask(bill(f"GAME #{duel.number} Bung\n{line}\nPS"))
    assert f" > Nearest: {nearest}\n" in answer and "1 line is rejected. 1 line is not read." in answer


def test_greetings_and_footers_do_not_spoil_the_orders(duel: MailedDuel):
    answer = duel.world.ask(bill(f"Hello Frode!\nGAME {duel.number} Bung\nP/D\n\nHave a nice day\nBill"))
    assert "are in" in answer and "(lines 6 to 7 are not read: not an order)" in answer
    assert sheet_of(duel.battle, duel.bung).ready
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nD/P\n\nPlease consider the environment before printing."))
    assert "are in" in answer and "(line 5 is not read: not an order)" in answer


def test_the_same_email_may_have_other_orders(duel: MailedDuel):
    answer = duel.world.ask(bill(f"REGISTER Gandalf\nGAME {duel.number} Bung\nP/D\nSCORES duel\nEND"))
    assert "Gandalf is registered" in answer and "Duel scores" in answer and "are in" in answer


# --- turns -----------------------------------------------------------------------------------------------------------


def play(duel: MailedDuel, froodal: str = "W/W", bung: str = "F/S") -> None:
    duel.world.order(duel.battle, duel.froodal, froodal)
    duel.world.order(duel.battle, duel.bung, bung)
    duel.reload()


def test_turn_names_what_the_orders_are_for(duel: MailedDuel):
    play(duel)
    for turn in ("2", "2/2"):
        assert "orders for turn 2" in duel.world.ask(bill(f"GAME {duel.number} Bung\nTURN {turn}\nP/D"))
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nTURN 1\nW/W"))
    assert "Turn 1 is over." in answer and f"(game {duel.number}, turn 2):" in answer
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


def test_orders_that_come_again_after_their_turn_were_played(duel: MailedDuel):
    orders = f"GAME {duel.number} Bung\nTURN 1\nP/D\nEND"
    duel.world.ask(bill(orders))
    duel.world.order(duel.battle, duel.froodal, "W/W")
    answer = duel.world.ask(bill(orders))
    assert "We already had Bung's orders for turn 1, and that turn is over." in answer and "rejected" not in answer
    assert not sheet_of(duel.battle, duel.bung).lines


def test_a_nonexistent_turn_is_rejected(duel: MailedDuel):
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung\nTURN 9T\nP/D"))
    assert 'There is no turn "9T"' in answer
    assert not sheet_of(duel.battle, duel.bung).ready


def test_an_email_counts_for_the_turn_that_was_open_when_it_arrived(duel: MailedDuel):
    duel.world.take(write_mail(bill(f"GAME {duel.number} Bung\nP/D")))
    duel.world.wait(seconds=5)
    play(duel)
    duel.world.new_mails()
    duel.world.process()
    [answer] = [body(mail) for mail in duel.world.new_mails()]
    assert "Turn 1 is over." in answer and "Nothing has changed" in answer
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_an_email_that_arrives_while_the_turn_resolves_does_not_count_for_the_next(duel: MailedDuel):
    """The last orders came in before the email, but nobody could see yet what came of them."""
    begun = duel.world.now
    duel.world.wait(seconds=2)
    duel.world.take(write_mail(bill(f"GAME {duel.number} Bung\nP/D")))
    came, duel.world.now = duel.world.now, begun
    play(duel)
    duel.world.now = came
    duel.world.new_mails()
    duel.world.process()
    [answer] = [body(mail) for mail in duel.world.new_mails()]
    assert "Turn 1 is over." in answer and sheet_of(duel.battle, duel.bung).lines == []


def test_the_last_orders_resolve_the_turn_and_both_players_are_notified_once(duel: MailedDuel):
    duel.world.order(duel.battle, duel.froodal, "W/P")
    mails = duel.world.send(bill(f"GAME {duel.number} Bung\nP/D\nSCORES duel"), sender=BILL)
    told = {mail["To"]: mail for mail in mails}
    assert len(mails) == len(told) == 2
    assert {mail["Subject"] for mail in mails} == {f"[FM {duel.number}] Froodal v Bung"}
    answer, report = body(told[BILL]), body(told["frode@example.org"])
    assert "They were the last, and the turn has resolved" in " ".join(answer.split())
    assert answer.index("P/D") < answer.index("Duel scores") < answer.index("\nTurn 2: your move\n")
    for text in (answer, report):
        assert text.count("\nTurn 1. ") == 1 and "Duel Status" in text and "\n  LH " in text
    assert told[BILL]["Auto-Submitted"] == "auto-replied" and reply_address(told[BILL]).startswith("t-")
    assert "P/D" in body(told[BILL], "html") and 'role="presentation"' in body(told[BILL], "html")
    assert not Delivery.objects.exclude(state="sent").exists()
    # The next report answers the email that told of this turn.
    play(duel)
    [after] = [mail for mail in duel.world.new_mails() if mail["To"] == BILL]
    assert after["In-Reply-To"] == told[BILL]["Message-ID"]


def test_a_turn_that_others_play_is_reported_as_usual(duel: MailedDuel):
    """Even to a user who has just been answered: the answer knew nothing of it."""
    duel.world.ask(bill(f"GAME {duel.number} Bung\nP/D"), sender=BILL)
    duel.world.order(duel.battle, duel.froodal, "W/P")
    reported = duel.world.new_mails()
    assert sorted(mail["To"] for mail in reported) == [BILL, "frode@example.org"]
    assert {mail["Auto-Submitted"] for mail in reported} == {"auto-generated"}


# --- reply addresses -------------------------------------------------------------------------------------------------


def test_a_reply_address_needs_no_password_and_no_game_line(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    answer = duel.world.ask("P/D\nSAY hello", sender=BILL, to=reply_address(report))
    assert "Bung's orders for turn 2 are in." in answer
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D", "SAY hello"]


def test_a_draft_on_the_site_is_not_taken_for_orders(duel: MailedDuel):
    combatant = get_combatant_for_user(number=duel.number, user=duel.bung.user)
    save_draft(combatant=combatant, text="P/D", stage=key_of(duel.battle))
    answer = duel.world.ask(bill(f"GAME {duel.number} Bung"))
    assert "  LH ?\n  RH ?" in answer


def test_an_answer_may_keep_the_block_of_the_report(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    quoted = "\n".join(f"> {line}" for line in body(report).split("\n"))
    text = f"GAME {duel.number} Bung\nTURN 2\nLH P\nRH D\nEND\n\nOn Monday, Firetop Mountain wrote:\n{quoted}"
    assert "are in" in duel.world.ask(text, sender=BILL, to=reply_address(report))


def test_a_report_that_comes_back_unquoted_orders_nothing(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    duel.world.ask(f"What do I have to do?\n\n{body(report)}", sender=BILL, to=reply_address(report))
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_an_expired_address_only_returns_the_current_status(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    play(duel)
    duel.world.new_mails()
    for text in ("P/D", ""):
        answer = duel.world.ask(text, sender=BILL, to=reply_address(report))
        assert f"(game {duel.number}, turn 3):" in answer
        assert sheet_of(duel.battle, duel.bung).lines == []


@pytest.mark.parametrize("text", ["TURN 3\nP/D", "GAME {n} Bung\nTURN 3\nP/D\nEND", "MAGE Bung\nTURN 3\nP/D"])
def test_an_expired_address_does_nothing_whatever_turn_the_email_names(duel: MailedDuel, text):
    play(duel)
    report = reports(duel.world)[BILL]
    play(duel)
    duel.world.new_mails()
    answer = duel.world.ask(text.format(n=duel.number), sender=BILL, to=reply_address(report))
    told = answer.replace("\n > ", " ")
    assert "This reply address is only for turn 2. That turn is over. For turn 3, reply to the newest email" in told
    assert "Nearest: USER <name> <mail password>" in told and "Nearest: TURN 2" not in told
    assert f"(game {duel.number}, turn 3):" in answer
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_the_address_of_the_open_turn_names_that_turn(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    answer = duel.world.ask("TURN 1\nP/D", sender=BILL, to=reply_address(report))
    assert "This reply address is only for turn 2.\n > Nearest: TURN 2" in answer


def test_an_expired_address_works_with_the_mail_password(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    play(duel)
    duel.world.new_mails()
    duel.world.ask(bill(f"GAME {duel.number} Bung\nTURN 3\nP/D"), sender=BILL, to=reply_address(report))
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


def test_the_address_of_a_challenge_does_not_reach_into_its_battle(duel: MailedDuel):
    address = make_challenge_address(user_id=duel.bung.user_id, number=duel.number)
    for text in (f"GAME {duel.number} Bung\nP/D", "MAGE Bung\nP/D"):
        answer = duel.world.ask(text, sender=BILL, to=address)
        assert f"This reply address is only for challenge {duel.number}." in answer.replace("\n > ", " ")
        assert sheet_of(duel.battle, duel.bung).lines == []


def test_the_owner_of_a_reply_address_gets_the_answer(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    mails = duel.world.send("P/D", sender="thief@example.net", to=reply_address(report))
    assert [mail["To"] for mail in mails] == [BILL]


def test_a_reply_address_allows_nothing_beyond_its_battle(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    answer = duel.world.ask(
        "REGISTER Gandalf\nGAME 99999 Bung\nNEWGAME Bung OPEN", sender=BILL, to=reply_address(report)
    )
    assert "REGISTER needs a USER line" in answer and "NEWGAME needs a USER line" in answer
    assert f"This reply address is only for battle {duel.number}." in answer.replace("\n > ", " ")


def test_a_reply_address_and_another_users_password_do_not_mix(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    answer = duel.world.ask(f"USER Frode {PASSWORD}\nREGISTER Gandalf", sender=BILL, to=reply_address(report))
    assert "belongs to another user" in answer and "Not processed" in answer
    assert not Mage.objects.filter(name="Gandalf").exists()


def test_a_user_line_that_contradicts_the_reply_address_stops_the_email(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    for text in (f"P/D\nUSER Frode {PASSWORD}", f"USER Frode {PASSWORD}\nP/D", "LH P\nRH D\nuser: Nobody secret-words"):
        answer = duel.world.ask(text, sender=BILL, to=reply_address(report))
        assert "We processed none of these orders" in answer and PASSWORD not in answer
        assert sheet_of(duel.battle, duel.bung).lines == []
    assert "are in" in duel.world.ask(f"USER Bill {PASSWORD}\nP/D", sender=BILL, to=reply_address(report))


def test_a_surrender_from_elsewhere_waits_for_confirm(duel: MailedDuel):
    mails = duel.world.send(bill(f"GAME {duel.number} Bung\nP/P"), sender="wil@example.org")
    assert [mail["To"] for mail in mails] == [BILL]
    assert "CONFIRM" in body(mails[0]) and sheet_of(duel.battle, duel.bung).lines == []
    to = reply_address(mails[0])
    assert "from the address that was asked" in duel.world.ask("CONFIRM", to=to)
    assert "None of our" not in duel.world.ask("no, thanks", sender=BILL, to=to)
    assert sheet_of(duel.battle, duel.bung).lines == []
    assert "Bung's orders in battle" in duel.world.ask("CONFIRM", sender=BILL, to=to)
    assert sheet_of(duel.battle, duel.bung).ready
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH P"]


def test_a_warning_about_the_mail_password_is_only_for_those_whose_password_was_used(duel: MailedDuel):
    address = make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)
    for text, to, is_warned in (("P/P", address, False), (bill(f"GAME {duel.number} Bung\nP/P"), "fm@localhost", True)):
        [asked] = duel.world.send(text, sender="wil@example.org", to=to)
        assert asked["Subject"] == "Reply to confirm your orders"
        assert ("mail password" in " ".join(body(asked).split())) == is_warned


def test_a_surrender_can_be_spread_over_two_emails(duel: MailedDuel):
    duel.world.send(bill(f"GAME {duel.number} Bung\nP/D"))
    mails = duel.world.send(bill(f"GAME {duel.number} Bung\nRH P"))
    assert "CONFIRM" in body(mails[0])
    assert sheet_of(duel.battle, duel.bung).lines == ["LH P", "RH D"]


def test_a_closed_account_cannot_give_orders(duel: MailedDuel):
    play(duel)
    report = reports(duel.world)[BILL]
    duel.bung.user.is_active = False
    duel.bung.user.save()
    duel.world.send("P/D", sender=BILL, to=reply_address(report))
    assert sheet_of(duel.battle, duel.bung).lines == []


def test_a_user_without_a_verified_address_can_give_orders_but_gets_no_email(world: MailWorld):
    mage = world.mage("Bung", world.user("Bill", verified=False))
    battle = world.duel(world.mage("Froodal", world.user("Frode")), mage)
    assert world.send(bill(f"GAME {battle.number} Bung\nP/D")) == []
    assert sheet_of(battle, mage).ready


# --- the end ---------------------------------------------------------------------------------------------------------


def test_the_last_report_names_the_winner_and_the_scores(duel: MailedDuel):
    mails = []
    duel.world.order(duel.battle, duel.froodal, "W/W")
    mails = duel.world.send(bill(f"GAME {duel.number} Bung\nP/P"), sender=BILL)
    [report] = [mail for mail in mails if mail["To"] == BILL]
    assert report["Subject"] == f"[FM {duel.number}] Froodal v Bung"
    text = body(report)
    assert f"\nThe end: Froodal won\nDuel {duel.number}, " in text
    assert "State: OUT" in text and "State: Victorious" in text and "Duel scores" in text
    assert f"SHOW {duel.number} sends the whole battle" in text and "CHALLENGES lists open" in text
    assert "Status for" not in text
    answer = duel.world.ask("P/D", sender=BILL, to=reply_address(report))
    assert "GAME" in answer
    old = duel.world.ask(bill(f"GAME {duel.number} Bung\nP/D"))
    assert f"Duel {duel.number} is over." in old


def test_the_last_report_of_a_friendly_duel_has_no_scores(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung, stakes="friendly")
    world.order(battle, froodal, "W/W")
    mails = world.send(bill(f"GAME {battle.number} Bung\nP/P"), sender=BILL)
    text = body(next(mail for mail in mails if mail["To"] == BILL))
    assert "The end: Froodal won" in text and "scores" not in text.lower()
    # Mail programs take a sign that follows a link for a part of it.
    links = re.findall(r"https?://\S+", text)
    assert any("/proof/" in link for link in links) and [link for link in links if link[-1] in ".,:;)"] == []


def test_a_hastened_mage_in_waving_hands_emails_both_pairs_of_gestures(world: MailWorld):
    froodal, bung = (world.mage(name, world.user(user)) for name, user in (("Froodal", "Frode"), ("Bung", "Bill")))
    battle = world.duel(froodal, bung, ruleset="waving-hands")
    for hands in ("P/-", "W/-", "P/-", "W/-", "W/-", "C/C"):
        world.order(battle, froodal, "-/-")
        world.order(battle, bung, hands)
    report = body(reports(world)[BILL])
    assert "LH2 ?\n" in report and "RH2 ?\n" in report
    answer = world.ask(bill(f"GAME {battle.number} Bung\nTURN 7\nS/-\nLH2 D\nRH2 W\nTARGET LH2 Froodal"))
    assert "Bung's orders for turn 7 are in." in answer
    assert sheet_of(battle, bung).lines == ["LH S", "RH -", "LH2 D", "RH2 W", "TARGET LH2 Froodal"]


@pytest.mark.parametrize("stakes", ["very-friendly", "ladder"])
def test_an_email_that_asks_to_confirm_suicide_says_if_the_death_is_not_real(world: MailWorld, stakes):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.duel(froodal, bung, ruleset="warlocks", stakes=stakes)
    charm_for_good(battle, "Bung", by="Froodal")
    asked = " ".join(world.ask(bill(f"GAME {battle.number} Bung\nLH W\nRH -\nSUICIDE")).split())
    assert "Bung dies by their own hand once you confirm it." in asked
    assert ("The death is not real: Bung lives on." in asked) == (stakes == "very-friendly")


def test_the_report_of_a_turn_says_only_of_those_who_died_in_it_that_they_live_on(world: MailWorld):
    froodal, bung, ulf = world.mage("Froodal", world.user("Frode")), world.mage("Bung"), world.mage("Ulf")
    battle = world.duel(froodal, bung, ulf, stakes="very-friendly", hit_points=(15, 1, 1))
    said = {}
    for victim in ("Bung", "Ulf"):
        for orders in ("LH S\nRH W", f"LH D\nRH F\nTARGET LH {victim}"):
            world.new_mails()
            for mage in (froodal, bung, ulf) if victim == "Bung" else (froodal, ulf):
                world.order(battle, mage, orders if mage is froodal else "-/-")
        said[victim] = " ".join(body(reports(world)["frode@example.org"]).split())
    assert "The death is not real: Bung lives on." in said["Bung"]
    assert "The death is not real: Ulf lives on." in said["Ulf"] and "Bung lives on" not in said["Ulf"]
