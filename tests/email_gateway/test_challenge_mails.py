"""Emails about challenges: their readers, subjects and texts."""

import re
from email.message import EmailMessage

from challenges.models import Challenge
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.expire import expire_proposals
from challenges.services.proposals import propose_change, take_back_change
from challenges.services.votes import oppose_changes
from duels.terms import Terms
from notifications.models import Delivery
from notifications.services.preferences import set_preference
from tests.email_gateway.challengers import Mages, login, make
from tests.email_gateway.world import MailWorld, body, reply_address

HOSTILE = 'Come <script>alert(1)</script> & "all"\r\nBcc: x@example.net'


def subjects(mails: list[EmailMessage]) -> dict[str, str]:
    """Return who got which subject; nobody gets one twice."""
    told = {str(mail["To"]): str(mail["Subject"]) for mail in mails}
    assert len(told) == len(mails)
    return told


def create(world: MailWorld, mages: Mages, *invited: str, **asked: object) -> int:
    details = {"terms": Terms(), "open_to_all": not invited, "now": world.now, **asked}
    return create_challenge(challenger=mages["Froodal"], invited=[mages[name] for name in invited], **details).number


def test_a_user_gets_one_email_for_all_mages(world: MailWorld, mages: Mages):
    """FM-CHAL-2: the old server sent one for each mage (section 10, item 31)."""
    world.mage("Bang", mages["Bung"].user)
    mails = world.send(login("Frode", "NEWGAME Froodal OPEN 2, CHALLENGE Bung Bang Ulf, LIMIT 4"))
    [told] = [mail for mail in mails if mail["To"] == "bill@example.org"]
    assert str(told["Subject"]).endswith(": Froodal challenges Bung and Bang")
    assert "ACCEPT" in body(told) and "Status for Bung and Bang" in body(told)


def test_everyone_concerned_is_notified_of_every_event(world: MailWorld, mages: Mages):
    """Server rules 7.14: each event of a challenge, with the users who are notified and those who get an answer
    instead."""
    number = create(world, mages, "Bung", "Ulf", "Crom", open_to_all=True, limit=4)
    head = f"Challenge {number}: "
    bill, urs, cora, frode = (f"{name}@example.org" for name in ("bill", "urs", "cora", "frode"))
    assert subjects(world.new_mails()) == {
        bill: f"{head}Froodal challenges Bung",
        urs: f"{head}Froodal challenges Ulf",
        cora: f"{head}Froodal challenges Crom",
    }
    accept_challenge(number=number, mage=mages["Bung"], now=world.now)
    assert subjects(world.new_mails()) == dict.fromkeys((frode, urs, cora), f"{head}Bung accepts")
    accept_challenge(number=number, mage=mages["Ulf"], now=world.now)
    world.new_mails()
    decline_challenge(number=number, mage=mages["Crom"], now=world.now)
    assert subjects(world.new_mails()) == dict.fromkeys((frode, bill, urs), f"{head}Crom declines")

    propose_change(number=number, mage=mages["Bung"], change={"limit": 5}, now=world.now)
    assert subjects(world.new_mails()) == dict.fromkeys((frode, urs), f"{head}Bung proposes change 1")
    oppose_changes(number=number, mage=mages["Ulf"], changes=[1], now=world.now)
    assert world.new_mails() == [], "a vote that decides nothing is told to nobody"
    oppose_changes(number=number, mage=mages["Froodal"], changes=[1], now=world.now)
    assert subjects(world.new_mails()) == dict.fromkeys((bill, urs), f"{head}Change 1 is rejected")

    propose_change(number=number, mage=mages["Bung"], change={"add": ["Crom"]}, now=world.now)
    world.new_mails()
    accept_challenge(number=number, mage=mages["Ulf"], changes=[2], now=world.now)
    assert subjects(world.new_mails()) == {
        **dict.fromkeys((frode, bill), f"{head}Change 2 is adopted"),
        cora: f"{head}Froodal challenges Crom",
    }
    propose_change(number=number, mage=mages["Bung"], change={"exclude": ["Crom"]}, now=world.now)
    world.new_mails()
    accept_challenge(number=number, mage=mages["Froodal"], changes=[3], now=world.now)
    assert subjects(world.new_mails()) == {
        **dict.fromkeys((bill, urs), f"{head}Change 3 is adopted"),
        cora: f"{head}Crom is no longer invited",
    }
    propose_change(number=number, mage=mages["Bung"], change={"comment": "quick"}, now=world.now)
    take_back_change(number=number, mage=mages["Bung"], change=4, now=world.now)
    assert [str(mail["Subject"]) for mail in world.new_mails() if mail["To"] == urs] == [
        f"{head}Bung proposes change 4",
        f"{head}Change 4 is withdrawn",
    ]
    propose_change(number=number, mage=mages["Bung"], change={"comment": "slow"}, now=world.now)
    world.new_mails()
    world.wait(days=7, seconds=1)
    expire_proposals(now=world.now)
    expired = world.new_mails()
    assert subjects(expired) == dict.fromkeys((frode, bill, urs), f"{head}Change 5 expires")
    assert "It was not decided in time." in body(expired[0])
    withdraw_challenge(number=number, mage=mages["Froodal"], now=world.now)
    assert subjects(world.new_mails()) == dict.fromkeys((bill, urs), f"{head}Froodal withdraws it")
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}, "each kind of notice has its mail"


def test_mages_without_an_answer_are_notified_that_the_battle_begins_without_them(world: MailWorld, mages: Mages):
    """FM-ORDNEW-11, FM-CHAL-7: the others have the first report, and after each turn its result."""
    number = create(world, mages, "Bung", "Ulf", open_to_all=True, limit=2)
    world.new_mails()
    accept_challenge(number=number, mage=mages["Bung"], now=world.now)
    mails = world.new_mails()
    told = subjects(mails)
    assert told.pop("urs@example.org") == f"Challenge {number}: The battle begins without Ulf"
    assert set(told) == {"frode@example.org", "bill@example.org"}
    assert set(told.values()) == {f"[FM {number}] Froodal v Bung"}
    [without] = [mail for mail in mails if mail["To"] == "urs@example.org"]
    assert f"Challenge {number} has become a battle." in body(without)
    assert f"/battles/{number}/" in body(without) and "ACCEPT" not in body(without)


def test_a_round_waits_for_every_order_and_its_result_is_emailed(world: MailWorld, mages: Mages):
    """FM-CHAL-5, FM-CHAL-6, FM-CHAL-7: no clock plays a turn; who has given orders has none to give."""
    number = create(world, mages, "Bung")
    accept_challenge(number=number, mage=mages["Bung"], now=world.now)
    world.new_mails()
    first = world.ask(login("Bill", f"GAME {number} Bung\nW/P\nEND"))
    assert "Bung (Bill) HP: 15 State: orders in" in first and "Froodal (Frode) HP: 15 State: thinking" in first
    world.wait(days=10)
    assert world.new_mails() == []
    mails = world.send(login("Frode", f"GAME {number} Froodal\nD/P\nEND"))
    [report] = [mail for mail in mails if mail["To"] == "bill@example.org"]
    assert "turn 2: your move" in body(report).splitlines()[0].lower() and "\nTurn 1. " in body(report)


def test_emails_of_one_challenge_are_a_thread_and_answer_it(world: MailWorld, mages: Mages):
    number = make(world, mages, "OPEN LIMIT 5", "Bung", "Ulf").number
    mails = world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 4"))
    root = f"<challenge.{number}@localhost>"
    for mail in mails:
        assert root in mail["References"] and mail["In-Reply-To"]
        assert reply_address(mail).startswith("c-")
    notices = [mail for mail in mails if mail["Auto-Submitted"] == "auto-generated"]
    assert len({reply_address(mail) for mail in notices}) == len(notices) == 2, "each answers for one user"
    assert not [mail["List-Unsubscribe"] for mail in notices if "<http" not in mail["List-Unsubscribe"]]


def test_players_texts_reach_no_header_and_are_escaped(world: MailWorld, mages: Mages):
    number = create(world, mages, "Bung", comment=HOSTILE, open_to_all=True)
    accept_challenge(number=number, mage=mages["Bung"], now=world.now)
    accept_challenge(number=number, mage=mages["Ulf"], now=world.now)
    propose_change(number=number, mage=mages["Bung"], change={"comment": HOSTILE + "<b>"}, now=world.now)
    mails = world.new_mails()
    assert mails
    for mail in mails:
        assert "script" not in str(mail["Subject"]) and mail["Bcc"] is None
        assert "<script>" not in body(mail, "html") and "<b>" not in body(mail, "html")
    asked = [mail for mail in mails if "proposes" in mail["Subject"]]
    assert len(asked) == 2
    for mail in asked:
        assert "<script>alert(1)</script>" in " ".join(body(mail).split())
        assert "&lt;script&gt;" in body(mail, "html")


def test_no_email_shows_the_address_of_a_player(world: MailWorld, mages: Mages):
    number = make(world, mages, "OPEN LIMIT 5", "Bung", "Ulf").number
    mails = world.send(login("Bill", f"CHANGEGAME {number} Bung LIMIT 4\nSHOW {number}\nCHALLENGES"))
    assert mails
    for mail in mails:
        assert "example.org" not in body(mail) + body(mail, "html") + str(mail["Reply-To"]) + str(mail["From"])


def test_the_html_part_says_what_the_text_says(world: MailWorld, mages: Mages):
    number = make(world, mages, "OPEN LIMIT 5, COMMENT quick", "Bung", "Ulf").number
    propose_change(number=number, mage=mages["Bung"], change={"limit": 4, "stakes": "friendly"}, now=world.now)
    [mail, _] = world.new_mails()
    html, text = body(mail, "html"), " ".join(body(mail).split())
    # Only arms, which are in the message.
    assert re.sub(r'<img src="cid:arms-[^>]*>', "", html).count("src=") == 0 and "url(" not in html
    assert set(re.findall(r'href="(http[^"]+)"', html)) <= set(text.split())
    for cell in re.findall(r"<td[^>]*>([^<]+)</td>", html.partition("<h1")[2]):
        assert cell.strip() in text
    for line in ("limit 5 → 4", "stakes ladder → friendly", f"ACCEPT {number} Froodal CHANGE 1", "“quick”"):
        assert line in html and line in text


def test_a_setting_stops_the_emails_of_that_user_only(world: MailWorld, mages: Mages):
    set_preference(user=mages["Bung"].user, key="mail_challenges", value="no")
    number = create(world, mages, "Bung", "Ulf", open_to_all=True)
    assert set(subjects(world.new_mails())) == {"urs@example.org"}
    accept_challenge(number=number, mage=mages["Bung"], now=world.now)
    assert "Bung has a seat" not in str(subjects(world.new_mails()))


def test_an_invitation_that_comes_too_late_to_be_accepted_does_not_go_out(world: MailWorld, mages: Mages):
    number = create(world, mages, "Bung")
    withdraw_challenge(number=number, mage=mages["Froodal"], now=world.now)
    (withdrawn,) = world.new_mails()
    assert f"Froodal withdraws challenge {number}." in body(withdrawn) and "ACCEPT" not in body(withdrawn)
    assert reply_address(withdrawn) == "fm@localhost"


def test_the_email_names_a_challenger_who_decides_alone(world: MailWorld, mages: Mages):
    number = make(world, mages, "OPEN LIMIT 5", "Bung", "Ulf").number
    propose_change(number=number, mage=mages["Bung"], change={"limit": 4}, now=world.now)
    propose_change(number=number, mage=mages["Froodal"], change={"authoritarian": True}, now=world.now)
    world.new_mails()
    accept_challenge(number=number, mage=mages["Bung"], changes=[2], now=world.now)
    assert Challenge.objects.get().authoritarian
    [frode] = [mail for mail in world.new_mails() if mail["To"] == "frode@example.org"]
    text = " ".join(body(frode).split())
    assert "Changes: Froodal decides" in text and "Decides: Froodal" in text and "points" not in text
    assert f"ACCEPT {number} Froodal CHANGE 1" in text
