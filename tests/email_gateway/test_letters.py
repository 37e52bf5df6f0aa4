"""What is read out of the bytes of a mail."""

import base64
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from email_gateway.reading.flowed import unwrap_flowed
from email_gateway.reading.letters import Letter, parse_mail, read_letter
from email_gateway.reading.webtext import read_web_text


def read(raw: bytes) -> Letter:
    return read_letter(parse_mail(raw))


def test_a_plain_mail_is_read_as_it_stands():
    letter = read(
        b"From: Wil <WIL@example.org>\r\nSubject: FM Orders\r\nMessage-ID: <1@example.org>\r\n\r\nLH P\r\nRH D\r\n"
    )
    assert (letter.subject, letter.sender, letter.message_id) == ("FM Orders", "wil@example.org", "<1@example.org>")
    assert letter.text == "LH P\nRH D\n"
    assert letter.source == "plain"


def test_the_plain_part_counts_when_there_is_an_html_part_too():
    mail = EmailMessage()
    mail.set_content("LH P")
    mail.add_alternative("<p>LH W</p>", subtype="html")
    assert read(mail.as_bytes()).text.strip() == "LH P"


def test_an_empty_plain_part_gives_way_to_html():
    mail = EmailMessage()
    mail.set_content(" \n\n")
    mail.add_alternative("<div>LH W</div><div>RH&nbsp;P</div>", subtype="html")
    letter = read(mail.as_bytes())
    assert (letter.text, letter.source) == ("LH W\nRH P", "html")


def test_attachments_and_attached_mails_are_not_read():
    mail = EmailMessage()
    mail.set_content("LH P")
    mail.add_attachment("LH W", filename="orders.txt")
    inner = EmailMessage()
    inner.set_content("LH C")
    mail.add_attachment(inner)
    assert read(mail.as_bytes()).text.strip() == "LH P"


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
def test_every_encoding_and_charset_gives_the_same_text(encoding, charset):
    mail = EmailMessage()
    mail.set_content("SAY déjà vu = naïve\n", charset=charset, cte=encoding)
    assert read(mail.as_bytes()).text.strip() == "SAY déjà vu = naïve"


def test_a_mail_in_utf_16_is_read():
    body = base64.b64encode("LH P\nSAY déjà".encode("utf-16"))
    head = b"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n"
    assert read(head + body).text == "LH P\nSAY déjà"


def test_a_charset_that_lies_or_does_not_exist_loses_no_order():
    for charset in (b"utf-8", b"x-unknown", b"punycode", b"zip", b""):
        raw = b"Content-Type: text/plain; charset=" + charset + b"\n\nLH P\nSAY caf\xe9\nRH D\n"
        assert [line[:4].strip() for line in read(raw).text.split("\n") if line] == ["LH P", "SAY", "RH D"]


def test_nothing_that_a_database_refuses_comes_out():
    text = read(b"Subject: a\x00b \xff\xfe\nContent-Type: text/plain; charset=utf-7\n\nLH\x00 P +2AA-\n")
    assert "\0" not in text.subject + text.text
    (text.subject + text.text).encode("utf-8")


def test_the_subject_is_decoded_and_stays_on_one_line():
    assert read(b"Subject: =?utf-8?q?FM_SCORES?=\n =?utf-8?q?_duel?=\n\n").subject == "FM SCORES duel"


def test_softly_broken_lines_are_joined_and_the_signature_mark_is_not():
    assert unwrap_flowed("SAY one \ntwo\nLH P\n-- \nme") == "SAY one two\nLH P\n-- \nme"
    assert unwrap_flowed("> SAY one \n> two\nLH P") == "> SAY one two\nLH P"
    assert unwrap_flowed("SAY won \nder", delete_space=True) == "SAY wonder"


def test_html_becomes_one_line_for_each_block():
    head = "<html><head><style>p{}</style><title>x</title></head><body>"
    source = head + "<p>LH&nbsp;P<br>RH D</p><table><tr><td>TURN</td><td>8</td></tr></table>"
    assert read_web_text(source).split("\n") == ["LH P", "RH D", "TURN 8"]


def test_what_mail_programs_quote_in_html_is_marked_as_quoted():
    source = '<div>LH P</div><div class="gmail_quote">On Monday we wrote:<blockquote>LH W</blockquote></div>'
    assert read_web_text(source).split("\n")[0] == "LH P"
    assert all(line.startswith(">") for line in read_web_text(source).split("\n")[1:])


def test_deep_and_wide_mails_end():
    deep = (
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 500
    )
    assert read(deep).source == "none"
    assert len(read(b"\n" + b"x" * 3_000_000).text) <= 200_000
    assert read_web_text("<div>" * 20_000 + "LH P").endswith("LH P")


PIECES = st.sampled_from(
    [
        b"Content-Type: multipart/mixed; boundary=b\n",
        b"--b\n",
        b"--b--\n",
        b"\n",
        b"Content-Type: text/html\n",
        b"<p>LH P",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: quoted-printable\n",
        b"=?utf-8?b?/w==?=",
        b"Subject: ",
        b'Content-Type: text/plain; charset="utf-16"; format=flowed\n',
        b"charset*0*=utf-8''%ff\n",
        b"From: <<>\n",
        b"<![CDATA[",
        b"<!-",
        b"Content-Disposition: attachment; filename*=a''%zz\n",
        b"Content-Type: ;;;=\n",
        b"\xff\xfe\x00",
        b"LH P\n",
        b"=E9=\n",
        b"> ",
    ]
)


@given(st.lists(PIECES | st.binary(max_size=40), max_size=30))
def test_no_bytes_make_the_reader_fail(pieces):
    letter = read(b"".join(pieces))
    assert letter.source in ("plain", "html", "none")
    letter.text.encode("utf-8")
    assert "\n" not in letter.subject
