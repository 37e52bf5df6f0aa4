"""What stands below complete orders: closings never refuse them, and what is an order there still counts."""

import os
from email import policy
from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from duels.models import OrderSheet
from email_gateway.addresses import make_turn_address
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.replies import LANGUAGES, STYLES
from tests.email_gateway.test_orders import lines_of
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, whole_body, write_mail

BILL = "bill@example.org"
CLOSINGS = [
    row.replace("|", "\n")
    for row in Path(__file__).with_name("closings.txt").read_text().splitlines()
    if row and not row.startswith("#")
]
PARTS = 4
IS_LONG = bool(os.environ.get("FM_TEST_LONG"))


def sheet_of(duel: MailedDuel) -> list[str]:
    return [line for line in lines_of(duel.battle, duel.bung) if line != "END"]


def clear(duel: MailedDuel) -> None:
    OrderSheet.objects.filter(combatant__mage=duel.bung).update(lines=[], draft="", ready=False)


def address_of(duel: MailedDuel) -> str:
    return make_turn_address(user_id=duel.bung.user_id, battle=duel.number, seq=1, attempt=0)


def ask(duel: MailedDuel, text: str) -> str:
    clear(duel)
    duel.world.wait(minutes=1)
    return duel.world.ask(write_mail(text, sender=BILL), sender=BILL, to=address_of(duel))


def try_all(duel: MailedDuel, texts: list[str], sheet: list[str]) -> list[str]:
    wrong = []
    for text in texts:
        answer = ask(duel, text)
        if sheet_of(duel) != sheet:
            wrong.append(f"{text!r}: {sheet_of(duel)}\n{answer[:400]}")
    return wrong


@pytest.mark.parametrize("part", range(PARTS))
def test_no_closing_refuses_the_gestures_above_it(duel: MailedDuel, part: int):
    forms = ["LH F\nRH S\n\n{}\n", "F/S\n\n{}", "Hi,\n\nleft F\nright S\n\nThanks!\n\n{}\n", "LH F RH S\n\n{}\n\n"]
    mine = CLOSINGS if IS_LONG else CLOSINGS[part :: 3 * PARTS]
    wrong = try_all(duel, [forms[part].format(closing) for closing in mine], ["LH F", "RH S"])
    assert not wrong, f"{len(wrong)} of {len(mine)}\n" + "\n".join(wrong)


def test_a_closing_is_listed_as_not_read(duel: MailedDuel):
    answer = ask(duel, "LH F\nRH S\n\nBest,\nFred\n")
    assert "(lines 4 to 5 are not read: not an order)" in answer and "rejected" not in answer


def test_a_footer_directly_below_the_orders_is_one_too(duel: MailedDuel):
    footers = [row for row in CLOSINGS if "Phone" in row or "Outlook" in row]
    assert len(footers) > 30
    texts = [f"LH F\nRH S\n{row}" for row in (footers if IS_LONG else footers[::3])]
    assert not (wrong := try_all(duel, texts, ["LH F", "RH S"])), wrong


def test_a_sentence_about_an_email_hides_no_orders_below_it(duel: MailedDuel):
    texts = [
        f"{sentence}\n\nLH F\nRH S"
        for sentence in (
            "Sorry, I sent the last one from my iPhone.",
            "Sent it from Outlook too early, sorry",
            "Get Outlook!",
        )
    ]
    assert not (wrong := try_all(duel, texts, ["LH F", "RH S"])), wrong


def write_web(text: str, form: str) -> str:
    rows = text.split("\n")
    if form == "breaks":
        return "<br>".join(map(escape, rows))
    if form == "blocks":
        return "".join(f"<div>{escape(row) or '<br>'}</div>" for row in rows)
    if form == "word":
        return "".join(f'<p class="MsoNormal">{escape(row) or "&nbsp;"}</p>' for row in rows)
    return "".join(f"<p>{'<br>'.join(map(escape, part.split(chr(10))))}</p>" for part in text.split("\n\n"))


@pytest.mark.parametrize("form", ["breaks", "blocks", "word", "paragraphs"])
def test_html_has_the_same_closings(duel: MailedDuel, form: str):
    wrong = []
    for closing in ("Inviato da iPhone", "Best,\nFred", "Thanks\nC", "Ready!", "DS", "Chris D", "Tim"):
        clear(duel)
        mail = EmailMessage()
        mail["From"], mail["Message-ID"] = BILL, f"<{form}{abs(hash(closing))}@example.org>"
        mail.set_content(write_web(f"LH F\nRH S\n\n{closing}", form), subtype="html")
        answer = duel.world.ask(mail.as_bytes(policy=policy.SMTP), sender=BILL, to=address_of(duel))
        if sheet_of(duel) != ["LH F", "RH S"]:
            wrong.append(f"{closing!r}: {answer[:300]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "signature",
    [
        '<div class="gmail_signature" data-smartmail="gmail_signature">Fred</div>',
        '<div id="composer_signature"><div>Fred</div></div>',
        '<div id="AppleMailSignature" dir="ltr">Fred</div>',
        '<div class="protonmail_signature_block"><div>Fred</div></div>',
        '<div id="ms-outlook-mobile-signature">Chris D</div>',
        '<div class="moz-signature">DS</div>',
    ],
)
def test_a_signature_that_html_sets_off_needs_no_blank_line(duel: MailedDuel, signature: str):
    clear(duel)
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = BILL, "<signature@example.org>"
    mail.set_content(f"<div>LH F</div><div>RH S</div>{signature}", subtype="html")
    answer = duel.world.ask(mail.as_bytes(policy=policy.SMTP), sender=BILL, to=address_of(duel))
    assert sheet_of(duel) == ["LH F", "RH S"], answer


def test_orders_in_the_last_paragraph_count(duel: MailedDuel):
    for orders, sheet in {
        "LH F\nRH S\n\nTARGET RH Bung\nTim": None,
        "LH F\nRH S\n\nTARGET RH Bung\n\nTim": ["LH F", "RH S", "TARGET RH Bung"],
        "LH F\nRH S\n\ntarget rh bung": ["LH F", "RH S", "TARGET RH Bung"],
        "LH F\nRH S\n\nSAY Tim": ["LH F", "RH S", "SAY Tim"],
        "LH F\nRH S\n\nsay good luck\n\nFred": ["LH F", "RH S", "SAY good luck"],
        "LH F\n\nRH S\n\nDS": ["LH F", "RH S"],
        "C": ["LH C", "RH C"],
        "Hi\n\nC\n\nTim": ["LH C", "RH C"],
        "Hi Fred,\n\nF/S\n\nCheers": ["LH F", "RH S"],
        "LH F\n\nRH S": ["LH F", "RH S"],
        "Fred,\n\nLH F\nRH S\n\nTim": ["LH F", "RH S"],
        "Fred\nDS\n\nLH F\nRH S": ["LH F", "RH S"],
        "LH F\n\nFred\n\nRH S": ["LH F", "RH S"],
        "Tim here.\n\nLH F\nRH S\n\nTARGET LH nobody\n\nInviato da iPhone": ["LH F", "RH S", "TARGET LH nobody"],
    }.items():
        answer = ask(duel, orders)
        if sheet is not None:
            assert sheet_of(duel) == sheet, f"{orders!r}: {answer}"


@pytest.mark.parametrize(
    "orders",
    [
        "LH F\nRH S\n\nTARGT LH Bung",
        "LH F\nRH S\n\nTARGT LH Bnug",
        "LH F\nRH S\n\nTRAGET Bung RH",
        "LH F\nRH S\n\nchoos Shield",
        "LH F\nRH S\n\nPARALIZE LH Froodal\nTim",
        "LH F\nRH S\n\nTURNN 1",
        "LH F\nRH S\n\nLG D",
        "LH F\nRH S\n\nleft hand palm",
        "LH F\nRH S\n\nLinke Hand: Welle",
        "Linke Hand: Welle\nRH S",
        "LH F\nRH S\n\ntarget Bnug lh",
        "LH F\nRH S\n\nFIRE",
        "LH F\nRH S\n\nSURRENDER",
        "LH F\nRH S\n\nW/P",
        "LH F\n\nDS",
        "LH F\n\nC",
        "LH F\n\nChris D",
        "DS",
        "CD",
        "LH F\nRX S",
        "LH F\nRH S\nTARGT RH Bung",
    ],
)
def test_misspelt_orders_and_orders_that_are_not_allowed_still_refuse_the_rest(duel: MailedDuel, orders: str):
    answer = ask(duel, orders)
    assert sheet_of(duel) == [] and "rejected" in answer, answer


def test_a_misspelt_information_order_among_the_commands_refuses_only_itself(duel: MailedDuel):
    for line in ("Tim", "Lisa", "INVITO 12", "SCORSE"):
        answer = ask(duel, f"LH F\n{line}\nRH S")
        assert sheet_of(duel) == ["LH F", "RH S"], answer


def test_a_closing_below_an_answer_to_a_question_is_one_too(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    battle = world.begin(froodal, bung, ruleset="waving-hands")
    for mine, other in (("F/-", "-/-"), ("F/-", "-/-")):
        world.order(battle, bung, mine)
        world.order(battle, froodal, other)
        battle.refresh_from_db()
    world.order(battle, bung, "F/-\nTARGET LH Froodal")
    world.order(battle, froodal, "-/-")
    mails = [mail for mail in world.new_mails() if mail["To"] == BILL]
    asked = mails[-1]
    if "PARALYZE" not in str(asked.get_body(("plain",)).get_content()):
        pytest.fail(f"the turn did not stop: {asked['Subject']}")
    answer = world.ask(
        write_mail("PARALYZE RH Froodal\n\nCheers\nDS\n", sender=BILL), sender=BILL, to=reply_address(asked)
    )
    assert "rejected" not in answer and "PARALYZE RH Froodal" in answer


def test_a_sentence_above_the_gestures_that_begins_like_an_order_refuses_nothing(duel: MailedDuel):
    for sentence in ("Join me next time", "Turn 3 will be all mine", "Help me please", "Cut it out!"):
        answer = ask(duel, f"{sentence}\n\nLH F\nRH S")
        assert sheet_of(duel) == ["LH F", "RH S"] and "rejected" not in answer, answer
    for order in ("HELP scores", "join league nosuch", "scores duel"):
        answer = ask(duel, f"{order}\n\nLH F\nRH S")
        assert sheet_of(duel) == ["LH F", "RH S"] and "not read" not in answer, answer


CLOSING_NAMES = ("Viele Grüße\nFred", "Tim", "Fred", "fred", "Jules", "Tim Smith", "Quin", "Join me next time", "DS")


def test_a_name_below_orders_for_no_mage_is_no_order(duel: MailedDuel):
    for order in ("SCORES duel", f"TIME {duel.number}", "HELP TIME"):
        for name in CLOSING_NAMES:
            answer = duel.world.ask(f"USER Bill {PASSWORD}\n{order}\n\n{name}\n", sender=BILL)
            assert "There is no order" not in answer and "USER Bill" in answer, answer
    for name in CLOSING_NAMES:
        if name in ("fred", "DS"):  # may be FIRE, or gestures
            continue
        duel.world.wait(minutes=1)
        answer = duel.world.ask(write_mail(f"Draw\n\n{name}", sender=BILL), sender=BILL, to=address_of(duel))
        assert "draw from turn 5 on" in answer and "1 line is rejected" in answer, answer


@pytest.mark.parametrize("line", ["GAMSE", "scorse", "REGSTER Merlyn", "GIEV 12 Bung", "TARGT LH Bung", "PASWORD"])
def test_a_misspelt_order_below_others_is_still_rejected(duel: MailedDuel, line: str):
    answer = duel.world.ask(f"USER Bill {PASSWORD}\nSCORES duel\n\n{line}\n", sender=BILL)
    assert "There is no order" in answer and "Nearest:" in answer, answer


def test_a_name_above_a_quote_with_gestures_filled_in_refuses_nothing(world: MailWorld):
    froodal, bung = world.mage("Froodal", world.user("Frode")), world.mage("Bung", world.user("Bill"))
    duel = MailedDuel(world, world.begin(froodal, bung), froodal, bung)
    [asked] = [mail for mail in world.new_mails() if mail["To"] == BILL and "LH ?" in body(mail)]
    for name in ("Fred", "DS", "Chris D", "Firetop"):
        quote = whole_body(asked).replace("LH ?", "LH F").replace("RH ?", "RH S")
        text = STYLES["gmail"](f"Best,\n\n{name}", quote, LANGUAGES[0])
        clear(duel)
        answer = world.ask(
            write_mail(text, sender=BILL, In_Reply_To=str(asked["Message-ID"])), sender=BILL, to=reply_address(asked)
        )
        assert sheet_of(duel) == ["LH F", "RH S"], answer


def test_closings_do_no_harm_with_a_user_line(duel: MailedDuel):
    text = f"USER Bill {PASSWORD}\nGAME {duel.number} Bung\nLH F\nRH S\n\nBest,\nFred\n"
    clear(duel)
    answer = duel.world.ask(text, sender=BILL)
    assert sheet_of(duel) == ["LH F", "RH S"], answer


def test_the_line_that_says_who_wrote_the_quote_is_no_order(duel: MailedDuel):
    for wrote in (
        "Firetop Mountain wrote:", "Firetop Mountain schrieb:", "Firetop Mountain a écrit :", "Firetop Mountain skrev:",
        "Firetop Mountain:", "Firetop Mountain kirjoitti:",
    ):  # fmt: skip
        for text in (f"{wrote}\n| === Reply above this line ===\n| Hello\n\nLH F\nRH S\n",
                     f"LH F\nRH S\n{wrote}\n> === Reply above this line ===\n> Hello\n",
                     f"LH F\nRH S\n\n{wrote}\n\n  Turn 1: your move\n"):  # fmt: skip
            answer = ask(duel, text)
            assert sheet_of(duel) == ["LH F", "RH S"] and "FIRE" not in answer, answer


def test_the_bare_labels_of_notes_are_no_orders(duel: MailedDuel):
    head = (
        "        Firetop Mountain\n        <fm@localhost>\n        04.05.2031 12:00           To\n"
        "                                   Bill <bill@example.org>\n                                   {cc}\n\n"
        "                                   Subject\n                                   [FM 1] Froodal v Bung\n"
    )
    for cc in ("cc", "Cc", "bcc"):
        answer = ask(duel, f"LH F\nRH S\n\n{head.format(cc=cc)}\n=== Reply above this line ===\n\nHello\n")
        assert sheet_of(duel) == ["LH F", "RH S"] and "rejected" not in answer, answer
        answer = ask(duel, f"{head.format(cc=cc)}\nLH F\nRH S\n")
        assert sheet_of(duel) == ["LH F", "RH S"], answer
    assert "rejected" in ask(duel, "CC")
