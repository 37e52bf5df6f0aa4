"""A small request never gets a large answer: bad orders are answered with at most ten times their size."""

import json

import pytest

from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
# Every answer may have a few problems, each with its text.
FLOOR = 5_000

BAD = {
    "a letter a line": "\n".join("x" * 300),
    "empty commands": "\n".join(["LH"] * 1000),
    "targets of nobody": "\n".join(["TARGET LH Nobody"] * 500),
    "one long word": "x" * 15_000,
    "marks": "<&\">'" * 2500,
    "bidi": "\u202e\n" * 2000,
    "nothing but line ends": "\n" * 15_000,
    "gestures that are none": "\n".join(["LH ZZ", "RH QQ"] * 600),
    "many mages": "\n".join(f"MAGE M{number}" for number in range(1200)),
    "slashes": "/\n" * 5000,
    "ends": "END\n" * 3000,
    "say": "SAY\n" * 3000,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_bad_orders_get_an_answer_of_at_most_ten_times_their_size(text):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player = log_in(duel.user("Froodal"))
    body = json.dumps({"orders": text}, ensure_ascii=False).encode()
    answer = player.post(f"/api/battles/{duel.number}/orders/", body, content_type="application/json")
    assert answer.status_code in (200, 400, 413, 422), answer.content
    assert len(answer.content) <= 10 * len(body) + FLOOR, (len(body), len(answer.content))


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({f"k{number}": 1 for number in range(1400)}).encode(),
        json.dumps({"x" * 15_000: 1}).encode(),
        json.dumps({"\ud800" * 2000: 1}).encode(),
        b"[" + b"1," * 7000 + b"1]",
    ],
    ids=["many names", "a long name", "half characters", "a list"],
)
def test_a_body_of_the_wrong_shape_gets_an_answer_of_at_most_ten_times_its_size(body):
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player = log_in(duel.user("Froodal"))
    answer = player.post(f"/api/battles/{duel.number}/orders/", body, content_type="application/json")
    assert answer.status_code == 400
    assert len(answer.content) <= 10 * len(body) + FLOOR, (len(body), len(answer.content))


@pytest.mark.parametrize("name", ["a letter a line", "one long word", "marks", "slashes"])
def test_the_page_of_a_battle_does_not_grow_by_more_than_ten_times_the_orders(name):
    text = BAD[name]
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player = log_in(duel.user("Froodal"))
    usual = len(player.get(f"/battles/{duel.number}/").content)
    typed = {"line": text.replace("\n", ";"), "act": "ready"}
    answer = player.post(f"/battles/{duel.number}/", typed)
    assert answer.status_code in (302, 422)
    assert len(answer.content) <= usual + 10 * len(text.encode()) + FLOOR, (len(text), len(answer.content) - usual)


def test_real_mistakes_are_answered_problem_by_problem():
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player = log_in(duel.user("Froodal"))
    orders = "\n".join(f"LH Z{number}" for number in range(20))
    answer = player.post(f"/api/battles/{duel.number}/orders/", {"orders": orders}, content_type="application/json")
    assert len([each for each in answer.json()["problems"] if each["code"] != "more"]) == 20


def test_omitted_items_are_counted():
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    player = log_in(duel.user("Froodal"))
    answer = player.post(
        f"/api/battles/{duel.number}/orders/", {"orders": "/\n" * 5000}, content_type="application/json"
    ).json()
    last = answer["problems"][-1]
    assert last["code"] == "more" and last["message"] == f"{5000 - len(answer['problems']) + 1} more lines are wrong."
    assert answer["detail"].endswith(last["message"])
