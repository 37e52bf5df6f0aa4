"""The stored text of an email has no secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from email_gateway.addresses import make_turn_address
from email_gateway.scrubbing import scrub_text
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
    ],
)
def test_no_password_is_kept_or_said_back_however_it_is_spelt(line):
    assert "hunter2hunter" not in scrub_text(line)
    assert "hunter2hunter" not in show_line(line)


def test_a_password_is_removed_wherever_else_it_appears():
    assert "moth-eaten" not in scrub_text("Hello, my password is moth-eaten\n\nUSER Wil moth-eaten\nEND")


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
