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
    ],
)
def test_no_password_is_kept_or_said_back_however_it_is_spelt(line):
    assert "hunter2hunter" not in scrub_text(line)
    assert "hunter2hunter" not in show_line(line)


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
