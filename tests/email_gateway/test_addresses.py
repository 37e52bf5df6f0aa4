"""The mailboxes of this server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from email_gateway.addresses import (
    find_mailbox,
    is_own_address,
    make_challenge_address,
    make_newuser_address,
    make_turn_address,
    read_token,
)
from email_gateway.errors import UnknownMailbox
from email_gateway.scrub import hide_reply_addresses

BIG = st.integers(min_value=0, max_value=2**31)


@given(BIG, st.integers(min_value=0, max_value=2**40), BIG, st.integers(min_value=0, max_value=999))
def test_a_reply_address_says_what_it_was_made_for(user, battle, seq, attempt):
    address = make_turn_address(user_id=user, battle=battle, seq=seq, attempt=attempt)
    local = address.partition("@")[0]
    assert local == local.lower() and len(local) < 64
    token = find_mailbox(address.upper()).token
    assert token is not None and (token.kind, token.numbers) == ("turn", (user, battle, seq, attempt))


def test_one_kind_is_not_accepted_for_another():
    challenge = find_mailbox(make_challenge_address(user_id=3, number=12)).token
    assert challenge is not None and (challenge.kind, challenge.about) == ("challenge", 12)
    newuser = find_mailbox(make_newuser_address(request_id=5)).token
    assert newuser is not None and (newuser.kind, newuser.about) == ("newuser", 5)


@given(st.data())
def test_no_change_of_a_reply_address_is_taken(data):
    address = make_turn_address(user_id=3, battle=12, seq=8, attempt=0)
    local, _, domain = address.partition("@")
    place = data.draw(st.integers(min_value=0, max_value=len(local) - 1))
    letter = data.draw(
        st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-.").filter(lambda one: one != local[place])
    )
    changed = local[:place] + letter + local[place + 1 :]
    assert read_token(changed) is None
    with pytest.raises(UnknownMailbox):
        find_mailbox(f"{changed}@{domain}")


def test_a_reply_address_counts_with_a_detail_and_is_hidden_with_it():
    address = make_turn_address(user_id=3, battle=12, seq=8, attempt=0)
    local, _, domain = address.partition("@")
    for detailed in (f"{local}+phone@{domain}", f"fm+{local}@{domain}"):
        assert find_mailbox(detailed) == find_mailbox(address)
        assert hide_reply_addresses(f"to {detailed}, fm@{domain}") == f"to *****, fm@{domain}"


def test_another_secret_key_makes_other_addresses_and_an_old_one_still_counts(settings):
    address = make_turn_address(user_id=3, battle=12, seq=8, attempt=0)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key altogether"
    with pytest.raises(UnknownMailbox):
        find_mailbox(address)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert find_mailbox(address).token is not None


def test_mailboxes_are_known_in_any_case_with_or_without_a_detail(settings):
    settings.FM_MAIL_DOMAIN = "Fire.example"
    for address in ("fm@fire.example", "FM@FIRE.EXAMPLE", "fm+anything@fire.example", "orders@fire.example"):
        assert find_mailbox(address).kind == "orders"
    assert find_mailbox("bounces@fire.example").kind == "bounces"
    assert find_mailbox("postmaster@fire.example").kind == "postmaster"
    reply = make_challenge_address(user_id=3, number=12).partition("@")[0]
    assert find_mailbox(f"fm+{reply}@fire.example").token is not None


@pytest.mark.parametrize(
    "address", ["", "fm", "fm@", "@localhost", "root@localhost", "fm@elsewhere.example", "t-1-2-3-4-aaaa@localhost"]
)
def test_email_to_other_mailboxes_is_rejected(address):
    with pytest.raises(UnknownMailbox):
        find_mailbox(address)


def test_our_own_addresses_are_known_as_ours_even_when_forged():
    assert is_own_address("fm@localhost") and is_own_address("bounces@localhost")
    assert is_own_address("t-1-2-3-4-aaaaaaaaaaaaaaaaaaaa@localhost")
    assert not is_own_address("wil@localhost")
