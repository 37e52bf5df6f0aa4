"""Answers to unknown senders: none of their own text, no flood, and no secrets."""

import pytest

from email_gateway.compose.write_answer import SMALLEST_ANSWER
from email_gateway.models import InboundMail, LocalMail
from email_gateway.text.webtext import read_web_text
from operations.encryption import unseal_bytes
from tests.email_gateway.world import PASSWORD, MailWorld, body, reply_address, write_mail

LURES = [
    "INFO http://evil.example/win Cheap Pills",
    "SHOW http://evil.example/win",
    "USER Cheap http://evil.example/win",
    "NEWUSER http://evil.example/win Cheap-Pills-Here",
    "FROBNICATE http://evil.example/win",
    "GAME http://evil.example/win Cheap",
    "HELP http://evil.example/win",
    "RULES Cheap Pills http://evil.example/win",
    "SCORES Cheap",
    "ACCEPT 12 Cheap http://evil.example/win",
    "NEWGAME Cheap CHALLENGE Pills COMMENT http://evil.example/win",
    "CONFIRM http://evil.example/win",
    "REPORT Cheap http://evil.example/win",
    "USERS Cheap, Pills",
    "MESSAGE Cheap Pills\nBuy at http://evil.example/win\nEND MESSAGE",
    "http://evil.example/win",
    "Cheap Pills",
]


@pytest.mark.parametrize("line", LURES)
def test_no_word_or_link_of_a_stranger_comes_back(world: MailWorld, line):
    for subject in ("FM Orders", f"FM {line.splitlines()[0]}"):
        answers = world.send(write_mail(f"{line}\nSCORES\n", subject=subject))
        assert answers
        for mail in answers:
            said = f"{mail['Subject']} {body(mail)} {body(mail, 'html')}"
            assert not [word for word in ("evil", "Cheap", "Pills", "CHEAP") if word in said]


@pytest.mark.parametrize(
    "text", ["RULES", "HELP", "SCORES\nINFO\nUSERS\nSTATS\nFAQ\nSPELLS", "x", "\n".join(["HELP ACCEPT"] * 50)]
)
@pytest.mark.parametrize("head", [b"", b"Received: by mx.example.org\r\n" * 60])
def test_an_answer_has_at_most_ten_times_the_bytes_of_its_email(world: MailWorld, text, head):
    raw = head + b"From: <wil@example.org>\r\nSubject: FM Orders\r\nMessage-ID: <a@example.org>\r\n"
    raw += b"Date: Sun, 4 May 2031 12:00:00 +0000\r\nTo: fm@localhost\r\n\r\n" + text.encode() + b"\r\n"
    [mail] = world.send(raw)
    sent = len(world_bytes())
    assert sent <= max(10 * len(raw), SMALLEST_ANSWER)
    assert "read" in body(mail) or "OK" in body(mail)


def world_bytes() -> bytes:
    return bytes(unseal_bytes(bytes(LocalMail.objects.latest("pk").sealed)))


@pytest.mark.parametrize(
    "text",
    [
        f"USER Wil {PASSWORD}\nACCEPT 12 Merlyn {PASSWORD}",
        f"USER Wil\n{PASSWORD}\nSCORES",
        f"My password is {PASSWORD}\nINFO nobody_at_all",
        f"password: {PASSWORD}\nFROB",
        f"GAME 12 Froodal {PASSWORD}",
        f"LOGIN Wil {PASSWORD}",
        f"REGISTER Merlyn {PASSWORD}",
        f"> USER Wil {PASSWORD}\nHELP {PASSWORD}",
        f"mot de passe : {PASSWORD}\nWHO",
        f"USER Wil {PASSWORD}\nMESSAGE Merlyn Anna\nmine is {PASSWORD}\nEND MESSAGE",
    ],
)
def test_secrets_in_the_wrong_place_are_struck_out(world: MailWorld, text):
    mage = world.mage("Merlyn", world.user("Wil"))
    world.user("Anna")
    assert mage.name == "Merlyn"
    for mail in world.send(write_mail(text, subject="FM Orders")):
        assert PASSWORD not in body(mail) + body(mail, "html") + str(mail["Subject"])
    assert PASSWORD not in InboundMail.objects.get().scrubbed


def test_a_password_that_may_be_a_word_is_struck_out_wherever_its_email_is_repeated(world: MailWorld):
    word = "lanternfishes"
    wil = world.user("Wil", password=word)
    battle = world.duel(world.mage("Merlyn", wil), world.mage("Bung"))
    lines = [
        *("ACCEPT 12 Merlyn {}", "ACCEPT 12 {}", "INFO {}", "USERS {}", "HELP {}", "RULES {}", "SHOW {}", "REPLAY {}"),
        *("VACATION {}", "NOTICES {} EMAIL ON", "SUBSCRIBE {}", "PRONOUN Merlyn {}", "RETIRE {}", "LEAGUE {}"),
        *("FROB {}", "DRAW 1 {}", "NEWGAME Merlyn OPEN {}", "REPORT Bung {}", "CHANGEUSER {}", "SCORES {}"),
        *("MESSAGE Merlyn {}\nmine is {}\nEND MESSAGE", "REGISTER {}", "PLAY {} Merlyn"),
        *(
            f"GAME {battle.number} Merlyn",
            "LH {}",
            "RH W",
            "TARGET RH {}",
            "SAY {}",
            "TURN {}",
            "WHY {}",
            "MAGE {}",
            "{}",
        ),
    ]
    for orders in ("\n".join(lines), f"GAME {battle.number} Merlyn\nLH W\nRH P\nSAY {{}}", "\n".join(lines[:5])):
        mails = world.send(f"USER Wil {word}\n{orders.format(*[word] * orders.count('{}'))}")
        told = [f"{mail['Subject']}{body(mail)}{body(mail, 'html')}" for mail in mails if "wil@" in mail["To"]]
        assert "*****" in told[0] and word not in "".join(told)
    for mail in world.send(f"USER Wil wrong-{word}\nINFO wrong-{word}", sender="cat@example.org"):
        assert word not in f"{mail['Subject']}{body(mail)}{body(mail, 'html')}"


@pytest.mark.parametrize("word", ["password", "orders", "called", "Mountain"])
def test_a_password_that_is_a_word_of_ours_garbles_no_sentence_and_no_link(world: MailWorld, word):
    told = []
    for tried in (word, "lantern"):
        [mail] = world.send(f"USER Wil {tried}\nINFO Nobodyhere")
        told.append(f"{mail['Subject']}{body(mail)}{body(mail, 'html')}")
    assert told[0] == told[1] and "/accounts/mail-password/" in told[0]
    assert "Nobody is called [...]." in told[0]
    assert "This password is too short." in world.ask("NEWUSER Newbie short")


def test_a_token_of_the_api_is_struck_out(world: MailWorld):
    token = "fm_" + "a1B2c3D4" * 5
    world.user("Wil")
    mails = world.send(f"USER Wil {PASSWORD}\nINFO {token}\nADDRESS {token}")
    assert mails and token not in "".join(map(body, mails))
    assert token not in InboundMail.objects.get().scrubbed


HIDDEN = [
    '<p style="color:#fff">{}</p>',
    '<p style="color: white">{}</p>',
    '<font color="#FFFFFF">{}</font>',
    '<font color=white size=1>{}</font>',
    '<span style="font-size:1px">{}</span>',
    '<span style="font-size: 1pt; color:#000">{}</span>',
    '<span style="font-size:0.5px;">{}</span>',
    '<span style="font:1px Arial">{}</span>',
    '<div style="opacity:0">{}</div>',
    '<div style="max-height:0;overflow:hidden">{}</div>',
    '<div style="height:1px;overflow:hidden">{}</div>',
    '<div style="position:absolute;left:-9999px">{}</div>',
    '<div style="text-indent:-9999px">{}</div>',
    '<div style="color:rgb(254, 254, 254)">{}</div>',
    '<table bgcolor="#222222"><tr><td style="color:#222">{}</td></tr></table>',
    '<style>.gone {{ display:none }}</style><p class="gone">{}</p>',
    '<style>#faint{{color:#fffffe}}</style><p id="faint">{}</p>',
    '<style>@media all {{ .gone {{ display:none }} }}</style><p class="gone">{}</p>',
    '<p style="visibility:hidden">{}</p>',
    '<p hidden>{}</p>',
]  # fmt: skip


@pytest.mark.parametrize("html", HIDDEN)
def test_invisible_text_is_not_read(html):
    assert read_web_text(f"<p>SCORES</p>{html.format('QUIT')}<p>HELP</p>").split() == ["SCORES", "HELP"]


@pytest.mark.parametrize(
    "html",
    [
        '<p style="font-size:12px">{}</p>',
        '<p style="font-size:10.5pt;color:#1f497d">{}</p>',
        '<body style="background:#000;color:#fff"><p>{}</p></body>',
        '<td bgcolor="#223344"><font color="white">{}</font></td>',
        '<p style="opacity:1">{}</p>',
        '<p style="opacity:0.9;line-height:1.2">{}</p>',
        '<p style="height:100px;overflow:hidden">{}</p>',
        '<p style="font:11pt Calibri, sans-serif">{}</p>',
        '<style>.MsoNormal {{ margin:0cm; font-size:11.0pt }}</style><p class="MsoNormal">{}</p>',
        '<p style="color:#666">{}</p>',
        '<p style="margin-left:-1px">{}</p>',
        '<p style="border:1px solid #000; min-height:1px">{}</p>',
        '<p style="font-size:100%">{}</p>',
        "<style>@media (prefers-color-scheme: dark) {{ .page {{ color:#eee }} .x {{ color:#fff }} }}</style>"
        '<p class="page" style="background:#fff">{}</p>',
        '<style>@media print {{ .page {{ display:none }} }}</style><p class="page">{}</p>',
    ],
)
def test_visible_text_is_read(html):
    assert read_web_text(html.format("QUIT")).split() == ["QUIT"]


@pytest.mark.parametrize(("order", "done"), [("RETIRE", "retired"), ("QUIT", "for good")])
def test_a_mage_is_not_given_up_from_elsewhere_without_confirm(world: MailWorld, order, done):
    mage = world.mage("Merlyn", world.user("Wil"))
    [mail] = world.send(f"USER Wil {PASSWORD}\n{order} Merlyn", sender="mallory@example.org")
    assert mail["To"] == "wil@example.org" and "CONFIRM" in body(mail)
    mage.refresh_from_db()
    assert mage.is_alive and not mage.is_retired
    told = world.ask("CONFIRM", to=reply_address(mail))
    assert "for good" in told
    assert done


def test_twenty_answers_to_a_user_leave_a_wrong_password_its_answer(world: MailWorld):
    world.user("Wil")
    for _ in range(25):
        world.ask(f"USER Wil {PASSWORD}\nSCORES")
    assert "password" in world.ask("USER Wil three-white-moths\nSCORES")


def test_an_unknown_sender_still_gets_twenty_answers_an_hour(world: MailWorld):
    assert [len(world.send("SCORES")) for _ in range(22)] == [1] * 20 + [0] * 2
