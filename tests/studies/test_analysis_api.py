"""Analyses, hints and the thoughts of bots by API: what their pages show, to the same readers."""

import json

import pytest
from django.test import Client

from accounts.services.tokens import issue_api_token
from duels.models import Battle
from studies.models import Analysis
from studies.services.analyses import MOST_TRIES, analyse_next_turn
from tests.duels.fights import start_fight
from tests.duels.test_fair_play import OTHERS, PLAYED, end, practise
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("shallow")]


class Program:
    """The calls about one battle, with a token of `user`, or none."""

    def __init__(self, number, user=None, scopes=("play", "read")):
        token = issue_api_token(user=user, name="t", now=NOW, scopes=scopes)[1] if user else ""
        self.client = Client(headers={"Authorization": f"Bearer {token}"} if user else {})
        self.where = f"/api/v1/battles/{number}/"

    def get(self, call, **query):
        return self.client.get(f"{self.where}{call}/", query)

    def post(self, call, **sent):
        return self.client.post(f"{self.where}{call}/", json.dumps(sent), content_type="application/json")


@pytest.fixture
def played(duel):
    duel.turns(PLAYED)
    return duel


def finish():
    while analyse_next_turn(now=NOW):
        pass


def test_a_program_asks_waits_and_reads_the_same_as_the_page(ended):
    bung, stranger = Program(ended.number, ended.user("Bung")), Program(ended.number)
    missing = stranger.get("analysis")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_analysed")
    assert stranger.post("analysis").status_code == 401
    for _ in range(2):
        waiting = bung.post("analysis", by="Magus")
        assert waiting.status_code == 202
        told = {"battle": ended.number, "by": "Magus", "state": "waiting", "turns_done": 0, "turns_in_all": 5}
        assert waiting.json() == told | {"outdated": False, "decided": None, "turns": [], "totals": []}
    assert analyse_next_turn(now=NOW)
    assert (stranger.get("analysis").status_code, stranger.get("analysis").json()["turns_done"]) == (202, 1)
    finish()
    answer = stranger.get("analysis")
    read = answer.json()
    assert (answer.status_code, bung.post("analysis").json()) == (200, read)
    assert (read["state"], read["decided"], len(read["turns"])) == ("done", "5", 5)
    last = read["turns"][-1]
    bungs = next(each for each in last["mages"] if each["mage"] == "Bung")
    assert (bungs["move"]["gestures"], bungs["after"]) == ("P/P", 0.0)
    assert any(finding["kind"] == "surrender" and "both palms" in finding["text"] for finding in last["findings"])
    for turn in read["turns"]:
        for each in turn["mages"]:
            assert each["skill"] + each["luck"] == pytest.approx(each["after"] - each["before"], abs=0.0021)
            assert sum(move["share"] for move in each["mix"]) == pytest.approx(1, abs=0.2)
            assert all(move["move"].startswith(move["gestures"]) and move["orders"] for move in each["mix"])
    for total in read["totals"]:
        curve = [each for turn in read["turns"] for each in turn["mages"] if each["mage"] == total["mage"]]
        assert total["skill"] + total["luck"] == pytest.approx(curve[-1]["after"] - curve[0]["before"], abs=0.01)
    page = flat(Client().get(f"/battles/{ended.number}/analysis/"))
    assert "The whole battle, in points of chance" in page
    assert f">{round(100 * read['totals'][0]['skill']) or 0:+d}".replace("-", "−").replace("+0", "0") in page


def test_a_running_battle_has_no_analysis_and_one_near_the_reader_s_own_is_withheld(ended):
    Program(ended.number, ended.user("Froodal")).post("analysis")
    finish()
    again = start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    running = Program(again.number, again.user("Third"))
    assert [running.get("analysis").status_code, running.post("analysis").status_code] == [409, 409]
    own, stranger = Program(ended.number, ended.user("Froodal")), Program(ended.number)
    read = own.get("analysis").json()
    assert [turn["withheld"] for turn in read["turns"]] == [again.number, again.number, None, None, None]
    assert (
        read["turns"][0]["mages"] == read["turns"][0]["findings"] == read["turns"][0]["rolls"] == read["totals"] == []
    )
    again.turns([("S/W", "P/S"), ("D/W", "W/S")])
    read = own.get("analysis").json()
    assert [bool(turn["withheld"]) for turn in read["turns"]] == [False, True, True, True, False]
    assert {each["after"] for each in read["turns"][0]["mages"]} == {None}, "that is the chance before a hidden turn"
    assert {each["luck"] for each in read["turns"][0]["mages"]} == {None}
    assert not any(turn["withheld"] for turn in stranger.get("analysis").json()["turns"])


def test_an_analysis_that_failed_and_one_of_an_unknown_bot_are_refused(ended):
    bung = Program(ended.number, ended.user("Bung"))
    assert bung.post("analysis", by="Warder").status_code == 400
    assert bung.get("analysis", by="Warder").status_code == 400
    bung.post("analysis")
    Analysis.objects.update(tries=MOST_TRIES)
    finish()
    assert (bung.get("analysis").status_code, bung.get("analysis").json()["code"]) == (409, "refused")
    assert Program(ended.number, ended.user("Bung"), scopes=["read"]).post("analysis").status_code == 403


def test_too_many_requests_are_counted_with_those_of_the_page(ended):
    bung = ended.user("Bung")
    browser, program = log_in(bung), Program(ended.number, bung)
    for _ in range(10):
        assert browser.post(f"/battles/{ended.number}/analysis/").status_code == 302
        assert program.post("analysis").status_code == 202
    refused = program.post("analysis")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many") and int(refused["Retry-After"])
    assert browser.post(f"/battles/{ended.number}/analysis/").status_code == 429


def test_a_player_in_practice_gets_the_hints_of_the_page(played):
    duel, user = played, played.user("Froodal")
    melee = practise(user, OTHERS)
    own, other = Program(melee.number, user), Program(melee.number, duel.user("Bung"))
    answer = own.post("hint", mage="Mirror")
    assert answer.status_code == 200, answer.content
    hints = answer.json()["hints"]
    page = flat(log_in(user).post(f"/battles/{melee.number}/hint/", {"mage": "Mirror"}))
    assert len(hints) == 3 and all(each["text"].split(". It")[0] in page for each in hints)
    assert all(each["orders"][:2] and 0 <= each["chance"] <= 1 for each in hints)
    assert other.post("hint", mage="Mirror").status_code == 403
    assert Program(melee.number).post("hint").status_code == 401
    assert Program(melee.number, user, scopes=["read"]).post("hint").status_code == 403
    assert Program(duel.number, user).post("hint").status_code == 409, "not practice"
    assert Program(7777, user).post("hint").status_code == 404


def test_no_hint_and_no_thought_where_practice_mirrors_a_running_duel(played):
    user = played.user("Froodal")
    melee = practise(user, PLAYED)
    own = Program(melee.number, user)
    for answer in (own.post("hint", mage="Mirror"), own.get("thoughts")):
        assert answer.status_code == 409
        assert f"too similar to your battle {played.number}" in answer.json()["detail"]


def test_thoughts_are_for_players_in_practice_and_for_everyone_after_the_end(played):
    user = played.user("Froodal")
    melee = practise(user, OTHERS)
    own, stranger = Program(melee.number, user), Program(melee.number)
    assert own.get("thoughts").status_code == 200
    for other in (stranger, Program(melee.number, make_user("Olga"))):
        assert other.get("thoughts").status_code == 409
    end(melee)
    told = stranger.get("thoughts").json()["thoughts"]
    page = flat(Client().get(f"/battles/{melee.number}/bots/"))
    bot = Battle.objects.get(number=melee.number).combatants.get(mage__user__is_bot=True).mage.name
    assert [each["mage"] for each in told] == [bot] and f"{bot} in turn {told[0]['turn']}" in page
    assert Program(7777).get("thoughts").status_code == 404
