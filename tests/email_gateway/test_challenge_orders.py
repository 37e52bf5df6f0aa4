"""Orders on challenges, in whole emails: grammar, answers and results."""

import re
from zoneinfo import ZoneInfo

import pytest

from challenges.models import Challenge, InviteLink, Proposal, Seat, Vote
from challenges.services.invite_links import LINK_LIFE, join_by_link
from challenges.services.proposals import propose_change
from duels.models import Battle
from email_gateway.addresses import make_challenge_address
from email_gateway.models import InboundMail
from notifications.models import Delivery
from operations.text.dates import write_moment
from tests.email_gateway.challengers import USERS, flat, login, make, refuse_all, say, state_of
from tests.email_gateway.world import MailWorld, body, reply_address, write_mail

# --- NEWGAME ---------------------------------------------------------------------------------------------------------


def test_newgame_takes_every_option(world: MailWorld, mages):
    """FM-ORDNEW-1: several options in one line, with commas or without."""
    options = "challenge Bung, open 2, exclude Ulf limit 3, spellbook Classic, friendly final notalk auth comment hello"
    challenge = make(world, mages, options)
    assert (challenge.mages_per_user, challenge.limit, challenge.comment) == (2, 3, "hello")
    assert challenge.authoritarian
    terms = challenge.terms
    assert (terms["ruleset"], terms["stakes"], terms["orders_final"], terms["chat"]) == (
        "firetop-classic",
        "friendly",
        True,
        False,
    )
    assert (state_of("Bung"), state_of("Ulf")) == ("invited", "excluded")


@pytest.mark.parametrize(
    "options",
    [
        "challenge Bung, pace slow,\nfriendly, limit 2",
        "challenge Bung, pace slow\nfriendly, limit 2",
        "challenge Bung, pace slow,\n\nfriendly\nlimit 2",
        "limit 2, challenge Bung,\nUlf, pace slow, friendly",
        "limit 2, pace slow, notalk, weekends, replaceable, challenge Bung\nUlf friendly",
    ],
)
def test_options_may_be_broken_into_lines(world: MailWorld, mages, options: str):
    challenge = make(world, mages, options)
    assert (challenge.terms["stakes"], challenge.terms["pace"], challenge.limit) == ("friendly", "slow", 2)


def test_a_broken_comment_is_joined(world: MailWorld, mages):
    said = "I have been training for this one since the last snow,\nand I am ready"
    assert make(world, mages, f"OPEN, COMMENT {said}").comment == said.replace("\n", " ")


@pytest.mark.parametrize(
    "below", ["\nThank you", "\nSCORES", ",\nSCORES", "\n\nAll the best", ",\n\nBill", " ; see,\nthank you"]
)
def test_what_is_no_option_does_not_continue_a_challenge(world: MailWorld, mages, below: str):
    assert "is created." in world.ask(login("Frode", f"NEWGAME Froodal OPEN{below}"))


def test_a_changed_challenge_takes_broken_options(world: MailWorld, mages):
    challenge = make(world, mages, "OPEN LIMIT 4")
    answer = say(world, "Froodal", f"CHANGEGAME {challenge.number} Froodal limit 3,\nfriendly")
    assert f"CHANGEGAME {challenge.number} Froodal limit 3, friendly OK" in answer
    challenge.refresh_from_db()
    assert (challenge.limit, challenge.terms["stakes"]) == (3, "friendly")


def test_the_last_option_of_a_long_line_counts(world: MailWorld, mages):
    assert make(world, mages, f"CHALLENGE Bung {', LIMIT 2' * 100}, FRIENDLY").terms["stakes"] == "friendly"


def test_a_line_that_is_too_long_is_rejected_whole(world: MailWorld, mages):
    long = f"NEWGAME Froodal CHALLENGE Bung {', LIMIT 2' * 450}, FRIENDLY"
    text = f"MESSAGE Froodal {'Bung ' * 900}\nREGISTER Third\nEND MESSAGE"
    answer = world.ask(login("Frode", f"{long}\n{text}\nSCORES"))
    assert answer.count("A line can have at most 4000 characters.") == 2 and "Duel scores" in answer
    assert "the text of MESSAGE, which is rejected" in answer
    assert len(max(answer.split("\n"), key=len)) < 100
    assert not Challenge.objects.exists()


def test_the_standard_book_is_what_nobody_has_to_name(world: MailWorld, mages):
    """FM-ORDNEW-15."""
    assert make(world, mages, "OPEN").terms["ruleset"] == "firetop-standard"


def test_all_calls_everyone_and_opens_the_challenge(world: MailWorld, mages):
    """FM-ORDNEW-9: each user has one email, which says that everyone is challenged."""
    mails = world.send(login("Frode", "NEWGAME Froodal ALL, EXCLUDE Crom"))
    told = {mail["To"]: mail for mail in mails if mail["Auto-Submitted"] == "auto-generated"}
    assert set(told) == {"bill@example.org", "urs@example.org"}
    assert told["bill@example.org"]["Subject"].endswith(": Froodal challenges everyone")
    assert Challenge.objects.get().mages_per_user == 1


def test_all_and_then_closed_waits_for_everyone(world: MailWorld, mages):
    """FM-ORDNEW-9, FM-ORDNEW-10."""
    challenge = make(world, mages, "ALL CLOSED")
    assert challenge.mages_per_user is None
    assert {state_of(name) for name in ("Bung", "Ulf", "Crom")} == {"invited"}


def test_a_mage_named_and_then_excluded_is_not_challenged(world: MailWorld, mages):
    make(world, mages, "CHALLENGE Bung Ulf, EXCLUDE bung")
    assert list(Seat.objects.filter(state="invited").values_list("mage__name", flat=True)) == ["Ulf"]
    assert not Seat.objects.filter(state="excluded").exists()


def test_an_impossible_newgame_is_rejected_with_the_reason(world: MailWorld, mages):
    """FM-ORDNEW-12 among them."""
    reasons = {
        "OPEN LIMIT 1": "The limit must be at least 2, including the challenger. [FM-ORDNEW-1] "
        "Nearest: NEWGAME Froodal OPEN LIMIT 2",
        "OPEN EXCLUDE Froodal": "is the challenger and cannot be excluded.",
        "CHALLENGE Bung Bung": "Bung is named twice.",
        "OPEN, LIMT 3": 'NEWGAME has no option "LIMT". Did you mean LIMIT? [FM-ORDNEW-1] '
        "Nearest: NEWGAME Froodal OPEN, LIMIT 3",
        "OPEN, LIMT, OPNE 2 COMMENT limt": "LIMIT needs a number of mages after it.",
        "OPNE, FREINDLY, COMMENT opne": "Nearest: NEWGAME Froodal OPEN, FRIENDLY, COMMENT opne",
        "OPEN START": "START is only for CHANGEGAME.",
        "CHALLENGE Bung, LIMITED, 3": "No mage is called LIMITED. Did you mean LIMIT?",
        "LIMIT 4": "Name the mages you challenge (CHALLENGE <mages>), or say OPEN.",
    }
    lines = {f"NEWGAME Froodal {options}": reason for options, reason in reasons.items()}
    told = refuse_all(world, "Frode", list(lines))
    for line, reason in lines.items():
        assert reason in told[line] and "[FM-ORDNEW-1]" in told[line]
    assert not Challenge.objects.exists()


def test_a_closed_challenge_excludes_nobody_and_says_so(world: MailWorld, mages):
    """FM-ORDNEW-8: it is useful with OPEN, and no mistake without."""
    answer = say(world, "Froodal", "NEWGAME Froodal CHALLENGE Bung, EXCLUDE Ulf")
    assert "Ulf cannot join anyway." in answer
    assert state_of("Bung") == "invited"


def test_every_problem_of_a_line_is_named(world: MailWorld, mages):
    answer = say(world, "Froodal", "NEWGAME Froodal CHALLENGE Bungg, EXCLUDE Ulff, SPELLBOOK Red, LIMIT")
    for reason in ("Did you mean Bung?", "Did you mean Ulf?", 'no ruleset "Red"', "LIMIT needs a number"):
        assert reason in answer


# --- ACCEPT, DECLINE -------------------------------------------------------------------------------------------------


def test_accept_takes_a_number_and_a_mage_and_no_password(world: MailWorld, mages):
    """FM-ORDACC-9: words after the mage are rejected, not taken for a password."""
    number = make(world, mages, "OPEN").number
    answer = say(world, "Bung", f"ACCEPT {number} Bung three-black-moths")
    assert f'ACCEPT does not take "*****". [FM-ORDACC-1] Nearest: ACCEPT {number} Bung' in answer
    assert "Bung has joined challenge" in say(world, "Bung", f"ACCEPT {number}, Bung ; gladly")


@pytest.mark.parametrize("text", ["Accept.", "ACCEPT!", "ACCEPT {n} Bung.", "ACCEPT #{n}, Bung!"])
def test_marks_after_the_words_of_an_acceptance_do_not_matter(world: MailWorld, mages, text):
    number = make(world, mages, "CHALLENGE Bung Ulf").number
    here = make_challenge_address(user_id=mages["Bung"].user_id, number=number)
    told = world.ask(text.format(n=number), sender="bill@example.org", to=here)
    assert f"Bung has joined challenge {number}." in told


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("ACCEPT please", "ACCEPT {n} Bung"),
        ("ACCEPT {n} Zed", "ACCEPT {n} Bung"),
        ("ACCEPT {n} Froodal CHANGE 2", "ACCEPT {n} Bung CHANGE 2"),
        ("ACCEPT {n} Bung <--", "ACCEPT {n} Bung"),
        ("ACCEPT {n} Bung friendly", "ACCEPT {n} Bung"),
        ("ACCEPT {n} Bung chnge 2", "ACCEPT {n} Bung CHANGE 2"),
        ("WITHDRAW {n} Bung chnge 2", "WITHDRAW {n} Bung CHANGE 2"),
        ("DECLINE sorry!", "DECLINE {n} Bung"),
        ("DECLINE {n} Bung, xyzzy.", "DECLINE {n} Bung"),
    ],
)
def test_a_rejected_answer_to_a_challenge_has_the_nearest_one(world: MailWorld, mages, text, nearest):
    number = make(world, mages, "CHALLENGE Bung Ulf").number
    here = make_challenge_address(user_id=mages["Bung"].user_id, number=number)
    told = world.ask(text.format(n=number), sender="bill@example.org", to=here)
    assert f" > Nearest: {nearest.format(n=number)}\n" in told


def test_the_last_acceptance_begins_the_battle_and_the_challenger_is_notified(world: MailWorld, mages):
    """FM-ORDNEW-2, FM-CHAL-3, FM-ORDACC-1."""
    number = make(world, mages, "CHALLENGE Bung").number
    mails = world.send(login("Bill", f"ACCEPT {number} Bung"))
    assert f"Battle {number} has begun." in body(mails[0])
    [told] = [mail for mail in mails if mail["To"] == "frode@example.org"]
    assert told["Subject"] == f"[FM {number}] Froodal v Bung" and "has begun" in body(told)


def test_decline_refuses_and_gives_a_seat_back(world: MailWorld, mages):
    """FM-ORDACC-4, FM-ORDACC-5."""
    number = make(world, mages, "CHALLENGE Bung Ulf, OPEN", "Ulf").number
    for name in ("Bung", "Ulf"):
        assert f"{name} declines challenge {number}." in say(world, name, f"DECLINE {number} {name}")
        assert state_of(name) == "declined"
    assert "so there is nothing to decline" in say(world, "Crom", f"DECLINE {number} Crom")
    assert "Withdraw the challenge instead." in say(world, "Froodal", f"DECLINE {number} Froodal")


def test_a_reason_to_decline_reaches_the_challenger(world: MailWorld, mages):
    number = make(world, mages, "CHALLENGE Bung").number
    told = refuse_all(world, "Bill", [f"DECLINE {number} Bung PACES"])
    assert told[f"DECLINE {number} Bung PACES"].endswith(f"Nearest: DECLINE {number} Bung PACE")
    mails = world.send(login("Bill", f"DECLINE {number} Bung pace"))
    [mail] = [mail for mail in mails if mail["To"] == "frode@example.org"]
    assert f"Bung declines challenge {number}. They want another pace." in flat(body(mail))


def test_a_challenger_left_alone_reads_what_they_can_do(world: MailWorld, mages):
    number = make(world, mages, "CHALLENGE Bung").number
    mails = world.send(login("Bill", f"DECLINE {number} Bung"))
    [told] = [mail for mail in mails if mail["To"] == "frode@example.org"]
    assert f"CHANGEGAME {number} Froodal OPEN lets anyone in" in flat(body(told))
    assert "OK" in say(world, "Froodal", f"CHANGEGAME {number} Froodal OPEN")
    assert Challenge.objects.get().mages_per_user == 1


# --- CHANGEGAME, votes -----------------------------------------------------------------------------------------------


def test_changegame_of_a_lone_challenger_holds_at_once(world: MailWorld, mages):
    """FM-ORDCHG-1, FM-ORDCHG-6."""
    challenge = make(world, mages, "OPEN LIMIT 4")
    answer = say(world, "Froodal", f"CHANGEGAME {challenge.number} Froodal nolimit, spellbook Classic, comment Quick")
    assert "The challenge is changed: comment none → “Quick”, standard spells → classic spells" in answer
    challenge.refresh_from_db()
    assert (challenge.limit, challenge.comment) == (None, "Quick")
    assert challenge.terms["ruleset"] == "firetop-classic"


def test_a_change_is_proposed_voted_on_and_adopted(world: MailWorld, mages):
    """FM-ORDACC-2, FM-ORDCHG-10, FM-ORDCHG-13: those who have joined are asked, the status tells who said what."""
    number = make(world, mages, "OPEN LIMIT 4", "Bung", "Ulf").number
    mails = world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 5, ADD crom"))
    asked = [mail for mail in mails if mail["Auto-Submitted"] == "auto-generated"]
    assert {mail["To"] for mail in asked} == {"frode@example.org", "urs@example.org"}
    for mail in asked:
        assert mail["Subject"] == f"Challenge {number}: Bung proposes change 1"
        assert "limit 4 → 5" in body(mail) and "invite Crom" in body(mail)
    assert "For: Bung (2 points)" in flat(body(asked[0]))
    assert "No vote: Froodal and Ulf" in flat(body(asked[0]))

    mails = world.send(login("Urs", f"ACCEPT {number} Ulf CHANGE 1"))
    assert "Ulf accepts change 1." in body(mails[0])
    assert "Change 1 by Bung is adopted: limit 4 → 5, invite Crom." in flat(body(mails[0]))
    told = {mail["To"]: str(mail["Subject"]) for mail in mails[1:]}
    assert told == {
        "frode@example.org": f"Challenge {number}: Change 1 is adopted",
        "bill@example.org": f"Challenge {number}: Change 1 is adopted",
        "cora@example.org": f"Challenge {number}: Froodal challenges Crom",
    }
    assert Challenge.objects.get().limit == 5


def test_a_change_is_opposed_and_rejected(world: MailWorld, mages):
    """FM-ORDACC-6."""
    number = make(world, mages, "OPEN LIMIT 4", "Bung", "Ulf").number
    world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 5"))
    assert "Ulf opposes change 1." in say(world, "Ulf", f"OPPOSE {number} Ulf CHANGE 1")
    mails = world.send(login("Frode", f"OPPOSE {number} Froodal, change 1"))
    assert "Change 1 by Bung is rejected: limit 4 → 5." in body(mails[0])
    assert {str(mail["Subject"]) for mail in mails[1:]} == {f"Challenge {number}: Change 1 is rejected"}
    assert "Change 1 of challenge" in say(world, "Ulf", f"ACCEPT {number} Ulf CHANGE 1"), "it is decided"


def test_one_line_votes_on_several_changes_all_or_none(world: MailWorld, mages):
    """FM-ORDACC-2, FM-ORDACC-6: each vote is answered, and each that cannot be is named."""
    number = make(world, mages, "OPEN LIMIT 5", "Bung", "Ulf", "Crom").number
    for options in ("LIMIT 6", "NOTALK", "FINAL"):
        world.send(login("Bill", f"CHANGEGAME {number} Bung {options}"))
    line = f"OPPOSE {number} Ulf CHANGE 1, 7 change 9"
    told = flat(refuse_all(world, "Urs", [line])[line])
    assert "has no change 7" in told and "has no change 9" in told
    assert not Vote.objects.filter(mage__name="Ulf").exists()
    said = say(world, "Ulf", f"OPPOSE {number} Ulf CHANGE 1, CHANGE 2")
    assert "Ulf opposes change 1. Ulf opposes change 2." in said
    assert "Crom accepts change 3. Crom accepts change 2." in say(world, "Crom", f"ACCEPT {number} Crom changes 3 2, 3")
    assert dict(Vote.objects.filter(mage__name="Crom").values_list("proposal__number", "in_favour")) == {
        2: True,
        3: True,
    }
    refuse_all(world, "Bill", [f"WITHDRAW {number} Bung CHANGE 1 CHANGE 2"])


def test_everything_is_a_yes_to_all_changes_present_and_to_come(world: MailWorld, mages):
    """FM-ORDACC-3; OPPOSE takes it back."""
    number = make(world, mages, "OPEN LIMIT 6", "Bung", "Ulf").number
    assert "Ulf accepts every change" in say(world, "Ulf", f"ACCEPT {number} Ulf EVERYTHING")
    assert "Change 1 by Bung is adopted" in say(world, "Bung", f"CHANGEGAME {number} Bung LIMIT 5")
    assert "Crom accepts every change" in say(world, "Crom", f"ACCEPT {number} Crom everything"), "it takes a seat too"
    assert state_of("Crom") == "joined"


def test_a_proposer_takes_a_change_back(world: MailWorld, mages):
    number = make(world, mages, "OPEN LIMIT 4", "Bung", "Ulf").number
    world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 5"))
    assert "Only Bung, who proposed change 1" in say(world, "Ulf", f"WITHDRAW {number} Ulf CHANGE 1")
    mails = world.send(login("Bill", f"WITHDRAW {number} Bung CHANGE 1"))
    assert "Bung withdraws change 1." in body(mails[0])
    assert {str(mail["Subject"]) for mail in mails[1:]} == {f"Challenge {number}: Change 1 is withdrawn"}
    assert Proposal.objects.get().state == "taken_back" and Challenge.objects.get().status == "open"


def test_start_begins_with_those_who_have_joined(world: MailWorld, mages):
    """FM-ORDNEW-14, FM-ORDCHG-4, FM-ORDCHG-5: others are out, other changes are off."""
    number = make(world, mages, "OPEN, CHALLENGE Crom", "Bung", "Ulf").number
    world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 9"))
    assert "is waiting for votes" in say(world, "Ulf", f"CHANGEGAME {number} Ulf START")
    mails = world.send(login("Frode", f"ACCEPT {number} Froodal CHANGE 2"))
    assert f"Battle {number} has begun." in body(mails[0])
    told = {mail["To"]: str(mail["Subject"]) for mail in mails[1:]}
    assert told["cora@example.org"] == f"Challenge {number}: The battle begins without Crom"
    assert Battle.objects.get().combatants.count() == 3
    assert not Vote.objects.filter(proposal__state="pending", proposal__challenge__status="open").exists()


def test_an_impossible_change_is_rejected_with_the_reason(world: MailWorld, mages):
    """FM-ORDCHG-3, FM-ORDCHG-7 among them."""
    number = make(world, mages, "OPEN LIMIT 4", "Bung", "Ulf").number
    reasons = {
        "": "Choose what to change.",
        " LIMIT 1": "The limit must be at least 2",
        " LIMIT 2": "3 mages have joined, so the limit must be at least 3.",
        " LIMIT 4": "already has these terms. Choose something to change.",
        " EXCLUDE Ulf": "has already joined and cannot be excluded.",
        " ADD Ulf": "Ulf has already joined.",
        " ADD Croom": "No mage is called Croom. Did you mean Crom?",
        " STRAT": f"Did you mean START? [FM-ORDCHG-1] Nearest: CHANGEGAME {number} Bung START",
        " LIMIT 5, SPELLBOOK": "SPELLBOOK needs a name after it.",
    }
    lines = {f"CHANGEGAME {number} Bung{options}": reason for options, reason in reasons.items()}
    told = refuse_all(world, "Bill", list(lines))
    for line, reason in lines.items():
        assert reason in told[line]
    assert not Proposal.objects.exists()


def test_in_an_authoritarian_challenge_the_challenger_decides(world: MailWorld, mages):
    """FM-ORDNEW-16, FM-ORDCHG-8, FM-ORDCHG-9, FM-ORDCHG-12."""
    number = make(world, mages, "OPEN AUTHORITARIAN", "Bung", "Ulf").number
    assert "Only Froodal can change" in say(world, "Bung", f"CHANGEGAME {number} Bung LIMIT 5")
    answer = say(world, "Froodal", f"CHANGEGAME {number} Froodal LIMIT 5, DEMOCRATIC")
    assert "limit none → 5, changes decided by the challenger → everyone who has joined." in flat(answer)
    assert "is waiting for votes" in say(world, "Bung", f"CHANGEGAME {number} Bung NOLIMIT")


NEAREST = {
    "ACCEPT {n} Bung CHANGE": "ACCEPT {n} Bung CHANGE <number>",
    "ACCEPT {n} Bung CHNAGE 1": "ACCEPT {n} Bung CHANGE 1",
    "OPPOSE {n} Bung": "OPPOSE {n} Bung CHANGE <number>",
    "OPPOSE {n} Bung EVERYTHING": "OPPOSE {n} Bung CHANGE <number>",
    "OPPOSE {n} Bung CHANGE one": "OPPOSE {n} Bung CHANGE <number>",
    "DECLINE {n} Bung CHANGE 1": "DECLINE {n} Bung",
    "WITHDRAW {n} Bung": "DECLINE {n} Bung",
    "WITHDRAW {n} Bung EVERYTHING": "WITHDRAW {n} Bung CHANGE <number>",
    "OPPOSE {n} Bugn CHANGE 1": "OPPOSE {n} Bung CHANGE 1",
    "CHANGEGAME {n} Bugn LIMIT 5": "CHANGEGAME {n} Bung LIMIT 5",
    "CHANGEGAM {n} Bung LIMIT 5": "CHANGEGAME <number> <mage> <options>",
    "ACCEPT {n}x Bung": "ACCEPT <number> <mage>",
    "CHANGEGAME": "CHANGEGAME <number> <mage>",
    "OPPOSE 99999 Bung CHANGE 1": "CHALLENGES",
    "CHANGEGAME 99999 START": "CHALLENGES",
}


def test_an_unknown_order_is_answered_with_the_nearest_form(world: MailWorld, mages):
    number = make(world, mages, "OPEN LIMIT 4", "Bung", "Ulf").number
    propose_change(number=number, mage=mages["Ulf"], change={"limit": 5}, now=world.now)
    told = refuse_all(world, "Bill", [line.format(n=number) for line in NEAREST])
    for line, nearest in NEAREST.items():
        assert told[line.format(n=number)].endswith(f"Nearest: {nearest.format(n=number)}")
    assert Vote.objects.count() == 1 and state_of("Bung") == "joined"


# --- INVITE ----------------------------------------------------------------------------------------------------------


def test_invite_sends_a_link_of_which_no_copy_is_kept(world: MailWorld, mages):
    number = make(world, mages, "OPEN LIMIT 3").number
    answer = world.ask(login("Frode", f"INVITE {number} Froodal"))
    [link] = re.findall(r"^  http\S+/challenges/join/(\S+)/$", answer, re.M)
    assert join_by_link(token=link, mage=mages["Bung"], now=world.now).status == "open"
    assert state_of("Bung") == "joined"
    sent = Delivery.objects.filter(notice=None).latest("pk")
    assert (sent.state, sent.sealed_mail, sent.text, sent.web_text) == ("sent", "", "", "")
    assert link not in str(list(InboundMail.objects.values_list("scrubbed")))


def test_links_are_the_challengers_to_give(world: MailWorld, mages):
    number = make(world, mages, "OPEN LIMIT 4", "Bung").number
    told = refuse_all(
        world, "Bill", [f"INVITE {number} Bung", f"INVITE {number} Bung Crom", "INVITE", f"REVOKE {number} Bung"]
    )
    assert f"Nearest: CHANGEGAME {number} Bung ADD Crom" in told[f"INVITE {number} Bung Crom"]
    assert f"Only Froodal can create links to challenge {number}." in told[f"REVOKE {number} Bung"]
    assert not InviteLink.objects.exists()


def test_a_link_is_revoked_by_its_number_which_the_answers_contain(world: MailWorld, mages):
    """And the last one lets the battle begin that waited for it."""
    number = make(world, mages, "CHALLENGE Bung").number
    head, until = f"{number} Froodal", write_moment(world.now + LINK_LIFE, ZoneInfo("UTC"))
    told = refuse_all(world, "Frode", [f"REVOKE {head}", f"REVOKE {number} Bung"])
    assert f"Nearest: INVITE {head}" in told[f"REVOKE {head}"]
    said = [say(world, "Froodal", f"INVITE {head}") for _ in range(3)]
    assert f"One link works: link 1 until {until}. REVOKE {head} 1 revokes it." in said[0]
    assert f"link 2 until {until}, link 3 until {until}. REVOKE {head} 1 revokes the first." in said[2]
    told = refuse_all(world, "Frode", [f"REVOKE {head}", f"REVOKE {head} 4", f"REVOKE {head} first"])
    assert all(f"Nearest: REVOKE {head} 1" in each and "link 3 until" in each for each in told.values())
    assert "Link 1 to challenge" in say(world, "Froodal", f"REVOKE {head} 1")
    told = refuse_all(world, "Frode", [f"REVOKE {head} 1"])
    assert 'There is no working link "1".' in flat(told[f"REVOKE {head} 1"])
    left = say(world, "Froodal", f"REVOKE {head} link 3")
    assert "Link 3 to challenge" in left and f"INVITE {head} REVOKE {head} WITHDRAW {head}" in left
    say(world, "Bung", f"ACCEPT {number} Bung")
    last = say(world, "Froodal", f"REVOKE {head}")
    assert f"Link 2 to challenge {number} no longer works. Battle {number} has begun." in last


# --- replies ---------------------------------------------------------------------------------------------------------


def test_in_a_reply_the_number_and_the_mage_may_be_left_out(world: MailWorld, mages):
    challenge = make(world, mages, "CHALLENGE Bung Ulf, OPEN, LIMIT 5")
    world.send(login("Cora", f"ACCEPT {challenge.number} Crom"))
    home = {
        name: reply_address(world.send(login(USERS[name], f"ACCEPT {challenge.number} {name}"))[0])
        for name in ("Bung", "Ulf")
    }

    def reply(name: str, text: str) -> str:
        return flat(world.ask(text, sender="anywhere@example.net", to=home[name]))

    assert "Change 1 of challenge" in reply("Bung", "LIMIT 4? I would like that.\nCHANGEGAME LIMIT 4")
    assert "Ulf opposes change 1." in reply("Ulf", "OPPOSE CHANGE 1")
    assert "Ulf accepts change 1." in reply("Ulf", "accept change 1")
    assert "Change 2 of challenge" in reply("Ulf", "CHANGEGAME START")
    assert "Bung accepts every change" in reply("Bung", "ACCEPT EVERYTHING")
    assert "Ulf withdraws change 2." in reply("Ulf", "WITHDRAW CHANGE 2")
    assert "Ulf declines" in reply("Ulf", "DECLINE")
    joined = reply("Ulf", "Accept\n\nViele Grüße\nTim")
    assert "Ulf has joined challenge" in joined and "rejected" not in joined


def test_a_reply_without_an_order_gets_the_state_of_the_challenge(world: MailWorld, mages):
    mails = world.send(login("Frode", "NEWGAME Froodal CHALLENGE Bung"))
    number = Challenge.objects.get().number
    [notice] = [mail for mail in mails if mail["To"] == "bill@example.org"]
    answer = world.ask("Let me think about it.", to=reply_address(notice))
    assert f"Duel Challenge Status for Bung (challenge {number}):" in answer and f"ACCEPT {number} Bung" in answer
    assert state_of("Bung") == "invited"


def test_one_email_may_answer_several_challenges(world: MailWorld, mages):
    second = world.mage("Bang", mages["Bung"].user)
    world.send(login("Frode", f"NEWGAME Froodal OPEN CHALLENGE {second.name}"))
    world.send(login("Urs", "NEWGAME Ulf OPEN CHALLENGE Bung"))
    one, two = Challenge.objects.order_by("number").values_list("number", flat=True)
    [mail, *_] = world.send(login("Bill", f"ACCEPT {one} Bang\nACCEPT {two} Bung"))
    assert mail["Subject"] == "Results of Firetop Mountain orders", "it belongs to neither alone"
    assert f"(challenge {one}):" in body(mail) and f"(challenge {two}):" in body(mail)
    assert reply_address(mail) == "fm@localhost"


def test_the_user_says_which_of_several_mages(world: MailWorld, mages):
    number = make(world, mages, "OPEN 0").number
    world.mage("Bang", mages["Bung"].user)
    answer = say(world, "Bung", f"ACCEPT {number}")
    assert f"Name one of your mages: Bang or Bung. [FM-ORDACC-1] Nearest: ACCEPT {number} <mage>" in answer


def test_the_same_email_five_times_acts_once(world: MailWorld, mages):
    number = make(world, mages, "OPEN LIMIT 6", "Bung", "Ulf").number
    raw = write_mail(login("Bill", f"CHANGEGAME {number} Bung LIMIT 5"))
    answers = [mail for _ in range(5) for mail in world.send(raw) if mail["Auto-Submitted"] == "auto-replied"]
    assert len(answers) == 1 and Proposal.objects.count() == 1
    assert Challenge.objects.get().changes_proposed == 1
