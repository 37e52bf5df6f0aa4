"""The stored text of an email has no secrets."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from email_gateway.addresses import make_turn_address
from email_gateway.scrub import LINK, hide_key, scrub_text
from email_gateway.text.password_lines import show_line


@pytest.mark.parametrize(
    "line",
    [
        "USER Wil hunter2hunter",
        "user wil hunter2hunter",
        "  User: Wil hunter2hunter",
        "> USER Wil hunter2hunter",
        "USR Wil hunter2hunter",
        "USER Wil hunter2hunter ; my mage",
        "NEWUSER Wil hunter2hunter",
        "NEWUSR Wil hunter2hunter",
        "FM user Wil hunter2hunter",
        "Subject: FM USER Wil hunter2hunter",
        "PASSWORD hunter2hunter",
        "usser Wil   hunter2hunter",
        "USER Wil two hunter2hunter",
        "USER=Wil hunter2hunter",
        "ＵＳＥＲ Wil hunter2hunter",
        "ＰＡＳＳＷＯＲＤ： hunter2hunter",
        "U\u200bSER Wil hunter2hunter\u200b",
        "USER\tWil\thunter2hunter",
        "USER Wil\u00a0hunter2hunter",
        "1. USER Wil hunter2hunter",
        "• user Wil hunter2hunter",
        "“USER Wil hunter2hunter”",
        "# PASSWORD hunter2hunter",
        "Subject: Re: FM USER Wil hunter2hunter",
        "Hi, USER Wil hunter2hunter",
        "<USER> Wil hunter2hunter",
        "<USER>Wil hunter2hunter",
        "(USER) Wil hunter2hunter",
        "[user] Wil hunter2hunter",
        "{USER} Wil hunter2hunter",
        '"USER" Wil hunter2hunter',
        "“USER” Wil hunter2hunter",
        "«User» Wil hunter2hunter",
        "'USER' Wil hunter2hunter",
        "*USER* Wil hunter2hunter",
        "_USER_ Wil hunter2hunter",
        "`USER` Wil hunter2hunter",
        "> <USER> Wil hunter2hunter",
        "1. (USER) Wil hunter2hunter",
        "<USER> <Wil> <hunter2hunter>",
        "<NEWUSER> Wil hunter2hunter",
        "<PASSWORD> hunter2hunter",
        "(PASSWORD) hunter2hunter",
        "*PASSWORD*: hunter2hunter",
        "PASSWORD/hunter2hunter",
        "Passwort hunter2hunter",
        "PWD hunter2hunter",
        "mail password hunter2hunter",
        "<USER>: Wil hunter2hunter",
        "USER: <Wil> hunter2hunter",
        "USER Wil / hunter2hunter",
        "USER Wil/hunter2hunter",
        "USER Wil:hunter2hunter",
        "USER Wil,hunter2hunter",
        "USER Wil;hunter2hunter",
        "USER/Wil/hunter2hunter",
        "USER | Wil | hunter2hunter",
        "| USER | Wil | hunter2hunter |",
        "Hi, <USER> Wil hunter2hunter",
        "Subject: FM <USER> Wil hunter2hunter",
        "<b>USER</b> Wil hunter2hunter",
        "&lt;USER&gt; Wil hunter2hunter",
        "use Wil hunter2hunter",
        "Use Wil hunter2hunter please",
        "USR Wil hunterhunter please, hunter2hunter",
        "＜ＵＳＥＲ＞ Wil hunter2hunter",
    ],
)
def test_no_password_is_kept_or_said_back_however_it_is_spelt(line):
    assert "hunter2hunter" not in scrub_text(line)
    assert "hunter2hunter" not in show_line(line)


@pytest.mark.parametrize(
    "text",
    [
        "Use the shield first, the goblin comes next.",
        "Unser Kampf beginnt morgen, sagt Bung, und der Kampf wird lang.",
        "Pass me the salt, Bung, and the pepper.",
        "Newer players find the rules hard; the rules are fine.",
        "Used all my spells, all of them.",
        "Logging in takes a while, in fact too long.",
        "A user-friendly site, a friendly site.",
        "See the user's page, the page of Bung.",
        "USER <name> <mail password>",
        "PASSWORD <new mail password>",
        "CHANGEUSER <new name>",
        "Say <b>user</b> and <i>mage</i> to them, to them all.",
        "> ! PASSWORD needs one word. [FM-ORDUSR-5]",
    ],
)
def test_a_sentence_that_begins_almost_like_a_password_line_is_kept(text):
    assert scrub_text(text) == text
    assert show_line(text) == text


def test_the_words_of_a_sentence_are_not_removed_elsewhere():
    rest = "The interface is not slow, and another page rocks there."
    assert scrub_text(f"User interface is nice, the page rocks.\n{rest}").endswith(rest)
    assert scrub_text(f"The mail password is not your site password, and it is off.\n{rest}").endswith(rest)
    assert scrub_text(f"Use my page\n{rest}").endswith(rest)


def test_a_remark_of_an_answer_removes_nothing_from_the_rest_of_its_copy():
    text = "> USER needs a name and a mail password. [FM-ORDUSR-2]\n> That needs a USER line. [FM-ORDUSR-2]"
    assert scrub_text(text) == text


def test_a_password_that_a_mail_program_has_joined_to_our_remark_is_removed():
    line = "> USER Wil hunter2hunter USER needs a name. [FM-ORDUSR-2]"
    assert scrub_text(f"{line}\nhunter2hunter") == "> USER Wil ***** [FM-ORDUSR-2]\n*****"
    assert scrub_text("PASSWORD [FM-ORDUSR-2]") == "PASSWORD *****"


@pytest.mark.parametrize("mark", ["<USER>", "(USER)", '"USER"', "*user*"])
def test_a_password_below_its_decorated_keyword_is_removed(mark):
    assert "hunter2hunter" not in scrub_text(f"{mark} Wil\nhunter2hunter\nLH P")


@pytest.mark.parametrize(
    "line", ["USER Wil blackmoths thanks a lot", "PASSWORD blackmoths, please", "My password is blackmoths."]
)
def test_a_password_of_letters_only_is_removed_wherever_else_it_appears(line):
    assert "blackmoths" not in scrub_text(f"{line}\n\nIs blackmoths long enough?")


def test_a_password_in_brackets_is_removed_wherever_else_it_appears():
    assert "blackmoths" not in scrub_text("<USER> <Wil> <blackmoths>\n\nIs blackmoths long enough?")


def test_a_password_is_removed_wherever_else_it_appears():
    assert "moth-eaten" not in scrub_text("Hello, my password is moth-eaten\n\nUSER Wil moth-eaten\nEND")


def test_a_password_in_quotation_marks_is_removed_wherever_else_it_appears():
    assert "moth-eaten2" not in scrub_text("“USER Wil moth-eaten2”\n\nIs moth-eaten2 long enough?")


def test_a_text_full_of_beginnings_of_links_takes_linear_time():
    def measure(text: str) -> float:
        begun = time.process_time()
        assert LINK.sub(hide_key, text)
        return time.process_time() - begun

    assert measure("http://" * 20_000) < 20 * measure("http://" * 2_000) + 0.1


def test_the_last_part_of_a_link_that_may_be_a_key_is_struck_out():
    assert scrub_text("https://example.org/a/1234:abcdefgh/") == "https://example.org/a/*****/"
    assert scrub_text("<https://example.org/a/1234:abcdefgh/x>") == "<https://example.org/a/*****/x>"
    assert scrub_text("https://firetop-mountain.example.org/duels/") == "https://firetop-mountain.example.org/duels/"


def test_reply_addresses_links_and_codes_are_struck_out(settings):
    address = make_turn_address(user_id=7, battle=12, seq=8, attempt=0)
    link = "https://example.org/accounts/confirm-email/NDI:1abcDEF:xyz-123456789/"
    text = f"to {address}\n{link}\ncode 483920 or AB12-CD34 or KXRV-BDWQ\n"
    kept = scrub_text(text)
    for secret in (address, address.partition("@")[0], "1abcDEF", "483920", "AB12-CD34", "KXRV-BDWQ"):
        assert secret not in kept


def test_orders_are_kept_as_they_were():
    orders = "GAME 12 Bung\nTURN 8\nLH P\nRH D\nTARGET RH Froodal\nSAY user friendly spells\nEND"
    assert scrub_text(orders) == orders


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_can_be_scrubbed(text):
    assert isinstance(scrub_text(text), str)
