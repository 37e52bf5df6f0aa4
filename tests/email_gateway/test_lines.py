"""Which lines of an email may be orders."""

from hypothesis import given
from hypothesis import strategies as st

from email_gateway.text.lines import COMMENT, MARKED, MOST_LINES, QUOTED, SIGNATURE, TOO_LATE, split_lines
from email_gateway.text.quotes import strip_marks


def orders(text: str) -> list[str]:
    return [line.text for line in split_lines(text) if line.text and not line.ignored]


def reasons(text: str) -> list[str | None]:
    return [line.ignored for line in split_lines(text) if line.text]


def test_quoted_lines_are_no_orders_but_a_stab_is():
    assert orders("LH P\n> LH W\n>RH W\n>/D\n-/>\n> /P") == ["LH P", ">/D", "-/>", "> /P"]


def test_a_quoted_stab_keeps_its_knife():
    assert strip_marks("> >/D") == (">/D", 1) and strip_marks(">>LH W") == ("LH W", 2)
    assert strip_marks("> /P") == ("> /P", 0)


def test_an_answer_above_the_quoted_email_is_read():
    assert orders("LH P\nRH D\n\nOn Mon, 3 Nov 2025 at 10:00, Firetop <fm@x> wrote:\n> TURN 8\n> LH W") == [
        "LH P",
        "RH D",
    ]


def test_an_answer_below_the_quoted_email_is_read():
    assert orders("On Monday, Firetop wrote:\n> TURN 8\n> LH W\n\nLH P\nRH D") == ["LH P", "RH D"]


def test_the_line_that_names_the_writer_may_be_broken_in_two():
    text = "W/P\n\nOn Mon, 3 Nov 2025 at 10:00, Firetop Mountain <fm@example.org>\nwrote:\n\n> LH W"
    assert orders(text) == ["W/P"]


def test_outlooks_quotes_without_marks_are_not_read():
    header = "From: Firetop Mountain\nSent: Monday\nTo: Wil\nSubject: Duel 12\n\nLH W\nRH W"
    assert orders("LH P\n\n" + header) == ["LH P"]
    assert orders("LH P\n\n-----Original Message-----\nLH W") == ["LH P"]
    assert orders("LH P\n\nAm 3. November schrieb Firetop:\n\nLH W") == ["LH P"]


def test_a_line_above_the_headers_of_a_quote_begins_no_signature():
    header = "Von: Firetop <fm@x>\nGesendet: Montag, 3. November 2025 10:00\nAn: Wil\nBetreff: Duell 12\n\nLH W"
    for gap in ("\n", "\n\n"):
        text = f"LH P\n\n{'_' * 32}{gap}{header}"
        assert orders(text) == ["LH P"] and set(reasons(text)[1:]) == {QUOTED}, gap
    assert reasons(f"LH P\n\n-- \nWil\n\n{header}")[1:3] == [SIGNATURE, SIGNATURE]


def test_a_signature_ends_the_orders():
    for mark in ("-- ", "--", "--Wil", "__________", "Sent from my phone", "Von meinem iPhone gesendet"):
        assert orders(f"LH P\n{mark}\nRH W") == ["LH P"], mark
        assert reasons(f"LH P\n{mark}\nRH W")[1:] == [SIGNATURE, SIGNATURE], mark


def test_other_lines_that_begin_with_a_mark_are_named_as_such():
    assert reasons("* My hands hurt\n# RH P\n; a comment\n-LH P") == [MARKED, MARKED, COMMENT, MARKED]
    assert reasons("> LH P") == [QUOTED]


def test_an_order_is_read_without_the_marks_of_lists_and_bold_text():
    for row in ("- LH P", "* LH P", "• LH P", "1. LH P", "2) LH P", "*LH P*", "**LH P**", "  - *LH P*", "`LH P`"):
        assert orders(row) == ["LH P"], row
    for row in ("*LH:* P", "*LH*: P", "LH: *P*", "- *LH:* *P*", "__LH:__ _P_"):
        assert orders(row)[0].replace(":", "") == "LH P", row
    assert orders("LH *>*\n*W*/P\nTARGET *RH* a_F_b\nSAY a *P* and _W_") == [
        "LH >",
        "W/P",
        "TARGET RH a_F_b",
        "SAY a *P* and _W_",
    ]
    assert orders("* W/P\n* ACCEPT 12 Bung\n3. left P") == ["W/P", "ACCEPT 12 Bung", "left P"]
    assert orders("1. Target practice\n- / P\n- Time flies") == ["1. Target practice", "- / P"]


def test_an_arrow_between_hand_and_gesture_is_read_whatever_a_mail_program_makes_of_it():
    assert orders("LH \u2192 W\nright hand\u21d2 P\nLH \xe0 > RH \uf0e0 -") == [
        "LH = W",
        "right hand = P",
        "LH = > RH = -",
    ]
    assert orders("SAY LH \u2192 W\nTARGET LH \xe0") == ["SAY LH \u2192 W", "TARGET LH \xe0"]


def test_an_email_without_end_is_read_up_to_a_named_limit():
    lines = [line for line in split_lines("LH P\n" * (MOST_LINES + 500)) if line.text]
    assert len(lines) == MOST_LINES + 1
    assert lines[-1].ignored == TOO_LATE


@given(st.text(alphabet="LHRP>-_ \n/wrote:OnSentFrm;*\t\u200b—", max_size=200))
def test_every_line_has_its_number_and_one_verdict(text):
    lines = split_lines(text)
    assert [line.number for line in lines] == list(range(1, text.count("\n") + 2))
