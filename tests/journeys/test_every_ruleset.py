"""Every ruleset on the real stack: chosen in a challenge on the web or by email, fought in a browser against email.

ruleset_games.py describes each of them. The two players are the same for all.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from duels.terms import list_offers
from rules_engine import RULESETS
from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.by_mail import join_by_mail, order_as, password_of
from tests.journeys.letterbox import Mailbox, MailPlayer
from tests.journeys.ruleset_games import GAMES, Asked, Game, Step
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
PLAYED = [name for name in GAMES if RULESETS[name].offered]
# By the form with its choices, by an order, and with a question that stops a turn; the others only in the long run.
OFTEN = ("warlocks-parafdf-maladroit", "firetop-nomonsters", "waving-hands")
SELDOM = sorted(set(PLAYED) - set(OFTEN))


class Pair(NamedTuple):
    """Aelfric in a browser, Hild by email, and a visitor who reads."""

    aelfric: BrowserPlayer
    hild: MailPlayer
    stranger: WebPlayer


@pytest.fixture(scope="module")
def pair(stack: Stack, mailbox: Mailbox, secrets_used: Secrets, browser: Any) -> Iterator[Pair]:
    context = browser.new_context()
    aelfric = BrowserPlayer(context.new_page(), stack.url, secrets_used)
    aelfric.sign_up("Aelf", email="aelf@example.org", password="four-grey-owls-Aelf")
    aelfric.register_mage("Aelfric")
    yield Pair(aelfric, join_by_mail(mailbox, "Hilda", "Hild"), WebPlayer(stack.url))
    context.close()


def begin(pair: Pair, game: Game) -> int:
    """Choose the ruleset by web or by email, accept by the other, and return the number of the battle."""
    if game.fields:
        number = pair.aelfric.challenge("Aelfric", "Hild", **game.fields)
        assert "has begun" in order_as(pair.hild, f"ACCEPT {number} Hild").text
        pair.aelfric.follow(number)
        return number
    made = order_as(pair.hild, f"NEWGAME Hild CHALLENGE Aelfric, {game.words}, FRIENDLY").text
    number = int(made.partition("Challenge ")[2].split()[0])
    pair.aelfric.accept(number)
    return number


def play(pair: Pair, number: int, turn: int, step: Step) -> None:
    pair.aelfric.wait_for_turn(turn)
    pair.aelfric.choose(*step.aelfric)
    for slot, line in step.chosen.items():
        pair.aelfric.answer(slot, line)
    pair.aelfric.ready()
    pair.aelfric.wait_until_sealed()
    send_orders(pair.hild, number, step.hild)
    for asked in step.asked:
        answer(pair, number, turn, asked)


def send_orders(hild: MailPlayer, number: int, text: str) -> None:
    """Send orders and do not wait for their answer: the turn that they complete shows that they were taken."""
    hild.send(f"USER Hilda {password_of('Hilda')}\nGAME {number} Hild\n{text}\nEND\n")


def answer(pair: Pair, number: int, turn: int, asked: Asked) -> None:
    if asked.who == "Hild":
        form = asked.line.rpartition(" ")[0]
        pair.hild.wait_for(lambda letter: f"[FM {number}]" in letter.subject and form in letter.text, "question")
        send_orders(pair.hild, number, asked.line)
        return
    pair.aelfric.page.wait_for_selector(f"#state[data-stage='{turn}.0.1'][data-waits=yes]", state="attached")
    pair.aelfric.answer(asked.slot, asked.line)
    pair.aelfric.ready()


def test_every_family_that_is_offered_has_its_battle() -> None:
    """The standard book has the example game of document 000 (test_froodal_and_bung.py)."""
    families = {RULESETS[name].family or name for name in PLAYED}
    assert families | {"firetop-standard"} == {offer.name for offer in list_offers()}


@pytest.mark.parametrize("ruleset", [*OFTEN, *(pytest.param(name, marks=pytest.mark.slow) for name in SELDOM)])
def test_a_battle_in_a_browser_against_mail(pair: Pair, ruleset: str) -> None:
    game = GAMES[ruleset]
    number = begin(pair, game)
    for turn, step in enumerate(game.steps, start=1):
        play(pair, number, turn, step)
    pair.aelfric.wait_for_turn(len(game.steps) + 1)
    battle = json.loads(pair.stranger.read(f"/api/battles/{number}/").html)
    mages = {mage["name"]: mage for mage in battle["mages"]}
    assert battle["ruleset"] == ruleset
    assert (mages["Aelfric"]["hp"], mages["Hild"]["hp"]) == game.hit_points
    assert [monster["kind"] for monster in battle["monsters"]] == list(game.creatures)
    for name, strings in game.strings.items():
        assert (mages[name]["left"][1:], mages[name]["right"][1:]) == strings, name

    play(pair, number, len(game.steps) + 1, Step(("-", "-"), "P/P", asked=game.asked_at_surrender))
    pair.aelfric.page.wait_for_selector("#state[data-state=over]", state="attached")
    assert pair.aelfric.page.locator("#call").inner_text() == "You beat Hild"
    record = pair.stranger.read(f"/battles/{number}/record.txt").html
    assert f"ruleset {ruleset} {RULESETS[ruleset].edition}" in record
    assert record.rstrip().endswith("surrendered Hild")
    assert pair.aelfric.faults == []
