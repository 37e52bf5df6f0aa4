"""From a new account to a battle, on the real stack, without scripts: with pages and their forms."""

import itertools

import pytest

from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = pytest.mark.journey
PASSWORD = "three-tall-towers-27"
numbers = itertools.count(1)


def newcomer(stack: Stack, mage: str) -> WebPlayer:
    """Someone who just signed up and registered this mage."""
    player = WebPlayer(stack.url)
    name = f"{mage}_of_{next(numbers)}"
    signed_up = player.sign_up(name, email=f"{name}@example.org", password=PASSWORD)
    assert signed_up.status == 200, signed_up.html
    assert player.register_mage(mage).status == 200
    return player


def test_a_newcomer_challenges_another_who_accepts_and_both_are_in_the_battle(stack: Stack) -> None:
    merlyn, crom = newcomer(stack, "Merlyn"), newcomer(stack, "Crom")
    number = merlyn.make_challenge("Merlyn", against="crom", comment="A turn a day")

    waiting = crom.read("/challenges/")
    assert "Merlyn challenges Crom" in waiting.html
    battle = crom.answer(number, "accept")

    assert battle.address == f"/battles/{number}/"
    for player in (merlyn, crom):
        page = player.read(f"/battles/{number}/")
        assert page.status == 200
        assert "Merlyn" in page.html and "Crom" in page.html
        assert any(form.method == "post" and "LH" in form.offered for form in page.forms), "there is nothing to order"


def test_an_open_challenge_is_joined_from_the_list_until_it_is_full(stack: Stack) -> None:
    oakhelm, zarquon, dawn = (newcomer(stack, name) for name in ("Oakhelm", "Zarquon", "Dawn"))
    number = oakhelm.make_challenge("Oakhelm", limit="3")

    joined = zarquon.press("/challenges/", f"/challenges/{number}/accept/")
    assert joined.address == f"/challenges/{number}/"
    assert "Zarquon has joined challenge" in joined.html
    assert dawn.press("/challenges/", f"/challenges/{number}/accept/").address == f"/battles/{number}/"
    stranger = WebPlayer(stack.url).read(f"/challenges/{number}/")
    assert (stranger.status, stranger.address) == (200, f"/battles/{number}/")


def test_a_stranger_reads_the_challenge_logs_in_and_comes_back_to_it(stack: Stack) -> None:
    ulf, pip = newcomer(stack, "Ulf"), newcomer(stack, "Pip")
    number = ulf.make_challenge("Ulf")
    page = f"/challenges/{number}/"
    stranger = WebPlayer(stack.url)
    assert "Log in to join." in stranger.read(page).html
    assert f"/accounts/login/?next={page}" in stranger.read(page).html

    arrived = stranger.log_in(pip.name, PASSWORD, f"/accounts/login/?next={page}")
    assert arrived.address == page
    assert arrived.find_form(f"{page}accept/").fields["mage"] == "Pip"

    assert ulf.answer(number, "withdraw").address == page
    too_late = stranger.send(arrived, arrived.find_form(f"{page}accept/"))
    assert f"Challenge {number} was withdrawn." in too_late.html
