"""Reading the bytes of an email."""

import base64
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from email_gateway.receive.read_letter import parse_headers, parse_mail, read_letter, unwrap_flowed
from email_gateway.scrub import scrub_text
from email_gateway.text.letter import Letter
from email_gateway.text.lines import split_lines
from email_gateway.text.webtext import read_web_text
from tests.cpu_time import count_loops

LONG_SPEECH = "SAY" + " so long" * 8


def read(raw: bytes) -> Letter:
    return read_letter(parse_mail(raw))


def test_a_plain_email_is_read_unchanged():
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


def test_the_same_text_above_as_html_is_not_read_twice():
    mail = EmailMessage()
    mail.set_content("<div>MESSAGE Bung</div><div>Hello</div>", subtype="html")
    mail.make_mixed()
    plain = EmailMessage()
    plain.set_content("MESSAGE Bung\nHello\n")
    mail.attach(plain)
    assert read(mail.as_bytes()).text == "MESSAGE Bung\nHello\n"


def test_an_empty_plain_part_gives_way_to_html():
    mail = EmailMessage()
    mail.set_content(" \n\n")
    mail.add_alternative("<div>LH W</div><div>RH&nbsp;P</div>", subtype="html")
    letter = read(mail.as_bytes())
    assert (letter.text, letter.source) == ("LH W\nRH P", "html")


def test_plain_text_that_a_mail_system_adds_below_html_hides_no_order():
    mail = EmailMessage()
    mail.set_content("<div>LH W</div><div>RH P</div>", subtype="html")
    mail.make_mixed()
    footer = EmailMessage()
    footer.set_content("Scanned for viruses.\n")
    mail.attach(footer)
    letter = read(mail.as_bytes())
    assert (letter.text, letter.source) == ("LH W\nRH P\nScanned for viruses.\n", "plain")


def test_html_is_not_read_beside_the_plain_text_that_says_the_same():
    for subtype in ("alternative", "mixed"):
        mail = EmailMessage()
        mail["Content-Type"] = f"multipart/{subtype}"
        plain, web = EmailMessage(), EmailMessage()
        plain.set_content("LH P")
        web.set_content("<p>LH P</p>", subtype="html")
        for part in (web, plain) if subtype == "alternative" else (plain, web):
            mail.attach(part)
        assert read(mail.as_bytes()).text.strip() == "LH P", subtype


def test_markdown_is_text():
    mail = EmailMessage()
    mail.set_content("LH P", subtype="markdown")
    assert read(mail.as_bytes()).text.strip() == "LH P"


def test_attachments_and_attached_emails_are_not_read():
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


@pytest.mark.parametrize("named", ["base64 ", "BASE64\t", "base64 (by a gateway)", "base64;", "Base64"])
def test_a_transfer_encoding_is_recognised_whatever_is_behind_its_name(named):
    body = base64.b64encode(b"LH P\nRH D")
    assert read(f"Content-Transfer-Encoding: {named}\n\n".encode() + body).text == "LH P\nRH D"


def test_a_file_that_has_only_a_name_is_an_attachment():
    head = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee file\n--b\nContent-Type: "
    assert read(head + b"application/octet-stream; name=orders.txt\n\nLH P\n--b--").has_attachment
    shown = read(head + b"text/plain; name=orders.txt\nContent-Disposition: inline\n\nLH P\n--b--")
    assert (shown.text, shown.has_attachment) == ("see file\nLH P", False)
    assert not read(head + b"image/png; name=logo.png\n\nx\n--b--").has_attachment


def test_an_email_in_utf_16_is_read():
    body = base64.b64encode("LH P\nSAY déjà".encode("utf-16"))
    head = b"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n"
    assert read(head + body).text == "LH P\nSAY déjà"


def test_a_charset_that_lies_or_does_not_exist_loses_no_order():
    for charset in (b"utf-8", b"x-unknown", b"punycode", b"zip", b""):
        raw = b"Content-Type: text/plain; charset=" + charset + b"\n\nLH P\nSAY caf\xe9\nRH D\n"
        assert [line[:4].strip() for line in read(raw).text.split("\n") if line] == ["LH P", "SAY", "RH D"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "ISO_8859-1", "latin1", "us-ascii", "windows-1252"])
def test_the_dashes_of_windows_are_read_whatever_charset_is_named(charset: str):
    raw = f"Subject: =?{charset}?q?It=92s?=\nContent-Type: text/plain; charset={charset}\n\n".encode()
    letter = read(raw + b"LH \x96\nSAY It\x92s d\xe9j\xe0")
    assert (letter.subject, letter.text) == ("It\u2019s", "LH \u2013\nSAY It\u2019s d\xe9j\xe0")


def test_nothing_that_a_database_refuses_comes_out():
    text = read(b"Subject: a\x00b \xff\xfe\nContent-Type: text/plain; charset=utf-7\n\nLH\x00 P +2AA-\n")
    assert "\0" not in text.subject + text.text
    (text.subject + text.text).encode("utf-8")


def test_the_subject_is_decoded_and_stays_on_one_line():
    assert read(b"Subject: =?utf-8?q?FM_SCORES?=\n =?utf-8?q?_duel?=\n\n").subject == "FM SCORES duel"


def test_softly_broken_lines_are_joined_and_the_signature_mark_is_not():
    assert unwrap_flowed(f"{LONG_SPEECH} \ntwo\nLH P\n-- \nme") == f"{LONG_SPEECH} two\nLH P\n-- \nme"
    assert unwrap_flowed(f"> {LONG_SPEECH} \n> two\nLH P") == f"> {LONG_SPEECH} two\nLH P"
    assert unwrap_flowed(f"{LONG_SPEECH}won \nder", delete_space=True) == f"{LONG_SPEECH}wonder"
    wide = "SAY " + "\u8a71" * 30  # each of these letters takes two columns
    assert unwrap_flowed(f"{wide} \n\u3059", delete_space=True) == f"{wide}\u3059"


@pytest.mark.parametrize(
    "text",
    [
        "SAY hello there \nTARGET RH Froodal",
        "LH W \nRH P",
        "GAME 1 Bung \nTURN 2 \nLH W",
        "SAY hello there \nGood luck",
        f"{LONG_SPEECH} \nTARGET RH Froodal",
        f"{LONG_SPEECH} \nw/p",
    ],
)
def test_a_typed_space_at_the_end_of_a_line_does_not_join_the_next(text: str):
    assert unwrap_flowed(text) == text


def test_spaces_at_the_end_of_every_line_break_none():
    assert unwrap_flowed("USER Wil x \nLH P \n\nRH D \n") == "USER Wil x \nLH P \n\nRH D \n"
    assert unwrap_flowed(f"SAY {'so ' * 20}\nlong \n") == f"SAY {'so ' * 20}long \n"


def test_unusual_line_breaks_break_lines():
    assert read("Subject: x\nContent-Type: text/plain; charset=utf-8\n\nLH P\u2028RH D\x0cEND".encode()).text == (
        "LH P\nRH D\nEND"
    )


def test_html_becomes_one_line_for_each_block():
    head = "<html><head><style>p{}</style><title>x</title></head><body>"
    source = head + "<p>LH&nbsp;P<br>RH D</p><table><tr><td>TURN</td><td>8</td></tr></table>"
    assert read_web_text(source).split("\n") == ["LH P", "RH D", "TURN 8"]


@pytest.mark.parametrize(
    "tag",
    ["del", "s", "strike", "span style='text-decoration: line-through'", "b style='text-decoration-line:line-through'"],
)
def test_what_is_crossed_out_is_not_read(tag: str):
    end = tag.split(" ")[0]
    source = (
        f"<p><{tag}><b>P/P</b></{end}></p><p>LH <{tag}>S</{end}> W</p><div><small>RH</small> <strong>F</strong></div>"
    )
    assert [" ".join(row.split()) for row in read_web_text(source).split("\n") if row] == ["LH W", "RH F"]


def test_quotes_of_mail_programs_in_html_are_marked():
    source = '<div>LH P</div><div class="gmail_quote">On Monday we wrote:<blockquote>LH W</blockquote></div>'
    assert read_web_text(source).split("\n")[0] == "LH P"
    assert all(line.startswith(">") for line in read_web_text(source).split("\n")[1:])


def test_broken_html_is_still_read():
    source = (
        "<!--[if mso]><p>LH W</p><![endif]--><p>LH P<!-- <p> --> <b <i>RH D</i></p><!--><p>SAY 1 < 2</p><!-- <p>FIRE"
    )
    assert read_web_text(source).split("\n") == ["LH P <b RH D", "", "SAY 1 < 2"]
    assert read_web_text(f'<p>LH P<img src="data:{"x" * 5000}"></p>') == "LH P"


def test_deeply_nested_and_wide_emails_are_limited():
    deep = (
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 500
    )
    assert read(deep).source == "none"
    assert len(read(b"\n" + b"x" * 3_000_000).text) <= 200_000
    assert read_web_text("<div>" * 20_000 + "LH P").endswith("LH P")


def nest(depth: int) -> bytes:
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))


HOSTILE = {
    "parts within parts": nest(200) + b"\n" * 1_000_000,
    "levels that are allowed": nest(19) + b"\n" * 1_900_000,
    "mails within mails": b"Content-Type: message/rfc822\n\n" * 60_000,
    "a row of parts": b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 300_000,
    "parameters without end": b'Content-Type: multipart/mixed; a="' + b"\n ".join([b";" * 900] * 2000) + b"\n\nhi",
    "parameters in pieces": b"Content-Type: text/plain" + b";\n charset*1*=a" * 100_000 + b"\n\nhi",
    "a coded subject": b"Subject: " + b"=?a?q?" * 300_000 + b"\n\nhi",
    "brackets in the sender": b"From: " + b"(" * 2000 + b"\n\nhi",
    "soft line ends": b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 600_000,
    **{
        f"HTML of {piece[:9]!r}": b"Content-Type: text/html\n\n" + b"<b>" * 500 + piece * (1_900_000 // len(piece))
        for piece in (
            *(b"<!--", b"</", b"<a ", b"<?", b"<", b'<a b="', b"a<br>", b"<![", b"<!DOCTYPE", b"&#"),
            *(
                b"<" + b'a b="' * 300 + b">",
                b"<" + b"a" * 1900 + b">",
                b"<!-->",
                b"<script>",
                b"<" + b"a=" * 900 + b">",
            ),
        )
    },
    "a character's number without end": b"Content-Type: text/html\n\n<p>LH P</p>&#" + b"9" * 1_900_000 + b";",
    "almost codes": b"\n" + b"A-" * 900_000,
    "almost addresses": b"\n" + b"a" * 1_900_000,
    "almost links": b"\n" + b"http://" * 200_000,
    "almost attributions": b"\n" + (b"On " + b"wrote " * 60 + b"\n") * 5000,
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_no_email_of_the_accepted_size_takes_long(raw):
    def read_all():
        parse_headers(raw)
        letter = read(raw)
        split_lines(letter.text)
        scrub_text(letter.text)

    # At most a third of it is usual; before the limits some took hours.
    assert count_loops(read_all) < 200


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


@pytest.mark.parametrize(
    "footer",
    ["\n_______\nmailing list footer\n", "_______________\nlist\nhttps://example.org/lists", "\nUnsubscribe\n"],
)
@pytest.mark.parametrize("encoded", ["TEggRg0KUkggUw0K\n", "TEggRgpS\nSCBTCg==\n", "TEggRgpS\n\nSCBTCg==\n"])
def test_base64_with_a_list_footer_below_it_is_the_text_alone(encoded: str, footer: str):
    letter = read(f"Content-Transfer-Encoding: base64\n\n{encoded}{footer}".encode())
    assert letter.text.split() == ["LH", "F", "RH", "S"]
