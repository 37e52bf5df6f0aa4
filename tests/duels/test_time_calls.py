"""The API's calls about time do what the page's buttons and the email orders do, with the same refusals."""

from datetime import timedelta
from types import MappingProxyType

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Vacation
from accounts.services.tokens import issue_api_token
from accounts.services.vacations import start_vacation
from duels.models import ClockStop, Combatant, Deadline
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from moderation.services.reports import make_report, warn_user
from tests.duels.fights import Fight
from tests.duels.janitors import make_janitor
from tests.scenes import make_mage, make_user

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
# Every call of this kind, with a body that would do.
ACTS = MappingProxyType(
    {
        "time/take": {},
        "time/give": {"to": "Bung"},
        "pause": {"minutes": 1440},
        "here": {},
        "call-off": {},
        "claim": {},
        "stand-in": {},
    }
)


class Caller:
    def __init__(self, user, *, scopes=("read", "play")):
        token = issue_api_token(user=user, name="test", scopes=list(scopes), now=timezone.now())[1]
        self.headers = {"Authorization": f"Bearer {token}"}

    def __call__(self, method, path, body=None, *, expect=200):
        more = {} if method == "get" else {"data": body or {}, "content_type": "application/json"}
        answer = getattr(Client(), method)(f"/api/v1/{path}", headers=self.headers, **more)
        assert answer.status_code == expect, answer.content
        return answer.json()


def begin(now, *names, **terms):
    """Begin a battle now: calls ask the clock themselves."""
    mages = [make_mage(name) for name in names]
    battle = start_battle(number=take_number(), terms=Terms(**terms), mages=mages, now=now)
    return Fight(battle, {mage.name: mage for mage in mages})


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def duel(now):
    return begin(now, "Froodal", "Bung")


@pytest.fixture
def froodal(duel):
    return Caller(duel.user("Froodal"))


def be_away(duel, name, now):
    """Let a player go on vacation for so long that the others may choose."""
    start_vacation(user=duel.user(name), days=20, now=now - 16 * DAY)
    Deadline.objects.update(running_since=now - 17 * DAY, settled_at=now - 17 * DAY)
    sweep_deadlines(now=now)
    ClockStop.objects.filter(reason="vacation").update(since=now - 16 * DAY, long_at=now - 2 * DAY)


def test_extra_time_is_taken_twice_and_given(duel, froodal):
    path = f"battles/{duel.number}/time/"
    before = froodal("get", path)
    assert (before["extensions_left"], before["may_give_to"], before["paused"]) == (2, ["Bung"], False)
    first = froodal("post", path + "take/")
    assert first["mage"] == "Froodal" and first["ends_at"]
    assert froodal("post", path + "take/")["ends_at"] > first["ends_at"]
    refusal = froodal("post", path + "take/", expect=409)
    assert (refusal["code"], refusal["reason"]) == ("refused", "no_more_extensions")
    assert froodal("post", path + "give/", {"to": "bung", "days": 3})["mage"] == "Bung"
    assert froodal("post", path + "give/", {"to": "Bung", "days": 15}, expect=409)["reason"] == "wrong_days"
    assert froodal("post", path + "give/", {"to": "Froodal"}, expect=409)["reason"] == "nothing_to_extend"


def test_a_pause_begins_when_both_ask_for_one_and_ends_when_both_ask(duel, froodal):
    bung, path = Caller(duel.user("Bung")), f"battles/{duel.number}/"
    assert froodal("post", path + "pause/", {"minutes": 2880}) == {"done": False}
    assert bung("get", path + "time/")["wishes"] == [{"mage": "Froodal", "minutes": 2880}]
    assert bung("post", path + "pause/", {"minutes": 1440}) == {"done": True}
    told = bung("get", path + "time/")
    assert told["paused"] and told["paused_until"]
    for caller, done in ((froodal, False), (bung, True)):
        assert caller("post", path + "pause/", {"minutes": 0}) == {"done": done}
    assert froodal("post", path + "pause/", {"minutes": 43201}, expect=400)["code"] == "body"


def test_a_player_says_that_they_are_here_in_a_live_battle(now):
    live = begin(now, "Ayla", "Borin", pace="live3")
    ayla, borin = Caller(live.user("Ayla")), Caller(live.user("Borin"))
    path = f"battles/{live.number}/"
    assert ayla("post", path + "here/") == {"missing": ["Borin"]}
    assert borin("get", path + "time/")["missing"] == ["Borin"]
    assert borin("post", path + "here/") == {"missing": []}


@pytest.mark.parametrize("act", ["call-off", "claim", "stand-in"])
def test_nothing_is_chosen_about_a_player_who_is_present(duel, froodal, act):
    path = f"battles/{duel.number}/"
    assert {froodal("get", path + "time/")[name] for name in ("call_off", "claim", "stand_in")} == {None}
    reason = froodal("post", f"{path}{act}/", expect=409)["reason"]
    refusals = {"stand-in": "no_seat_to_offer", "call-off": "first_turn_waits", "claim": "not_late_enough"}
    assert reason == refusals[act]


@pytest.mark.parametrize("act", ["call-off", "claim", "stand-in"])
def test_a_player_who_is_present_chooses_about_one_who_is_absent(duel, froodal, act, now):
    for name, text in (("Froodal", "S/D"), ("Bung", "W/F")):
        duel.order(name, text, now=now)
    be_away(duel, "Bung", now)
    path = f"battles/{duel.number}/"
    choices = froodal("get", path + "time/")
    assert choices[act.replace("-", "_")] == {"absent": ["Bung"], "agreed": [], "missing": [], "you": False}
    assert froodal("post", f"{path}{act}/", {"agrees": False})["done"] is False
    assert froodal("post", f"{path}{act}/")["done"] is True
    duel.battle.refresh_from_db()
    assert duel.battle.is_over is (act != "stand-in")
    if act == "claim":
        assert duel.battle.result["winners"] == ["Froodal"]
    if act == "stand-in":
        assert Combatant.objects.get(mage__name="Bung").stand_in


@pytest.mark.parametrize(("act", "body"), ACTS.items(), ids=list(ACTS))
class TestTheWrongPerson:
    def test_a_stranger_has_to_log_in(self, duel, act, body):
        path = f"/api/v1/battles/{duel.number}/{act}/"
        assert Client().post(path, body, content_type="application/json").status_code == 401

    def test_another_user_has_no_mage_there(self, duel, act, body):
        carl = Caller(make_user("Carl"))
        assert carl("post", f"battles/{duel.number}/{act}/", body, expect=403)["code"] == "not_your_mage"
        named = {**body, "mage": "Froodal"}
        assert carl("post", f"battles/{duel.number}/{act}/", named, expect=403)["code"] == "not_your_mage"

    def test_a_token_that_only_reads_does_nothing(self, duel, act, body):
        reader = Caller(duel.user("Froodal"), scopes=["read"])
        assert reader("post", f"battles/{duel.number}/{act}/", body, expect=403)["code"] == "scope"

    def test_a_user_with_a_warning_acknowledges_it_first(self, duel, act, body, now):
        user = duel.user("Froodal")
        caller = Caller(user)
        make_report(reporter=duel.user("Bung"), text="Rude.", about_user=user, now=now)
        warn_user(user=user, by=make_janitor(), text="Be polite.", now=now)
        assert caller("post", f"battles/{duel.number}/{act}/", body, expect=403)["code"] == "held"

    def test_there_is_no_such_battle(self, duel, act, body):
        assert Caller(duel.user("Froodal"))("post", f"battles/999/{act}/", body, expect=404)["code"] == "no_battle"


def test_only_players_read_what_they_can_do_about_time(duel):
    path = f"battles/{duel.number}/time/"
    assert Client().get(f"/api/v1/{path}").status_code == 401
    assert Caller(make_user("Carl"))("get", path, expect=403)["code"] == "not_your_mage"


class TestVacations:
    def test_a_vacation_begins_changes_and_ends(self, duel, froodal, now):
        before = froodal("get", "vacation/")
        assert before == {"until": None, "days_left": 35, "longest": before["longest"]}
        away = froodal("put", "vacation/", {"days": 10})
        assert timezone.datetime.fromisoformat(away["until"]) - now - 10 * DAY < timedelta(minutes=1)
        assert away["days_left"] <= 35
        assert froodal("put", "vacation/", {"days": 5})["until"] < away["until"]
        assert froodal("delete", "vacation/")["until"] is None
        assert froodal("delete", "vacation/")["until"] is None
        assert Vacation.objects.get().ended_at is not None

    def test_it_has_the_limits_of_the_page(self, froodal):
        refusal = froodal("put", "vacation/", {"days": 36}, expect=409)
        assert refusal["code"] == "refused" and "35" in refusal["detail"]
        assert froodal("put", "vacation/", {"days": 0}, expect=400)["code"] == "body"
        assert not Vacation.objects.exists()

    def test_it_needs_a_token_that_plays_and_no_warning(self, duel, now):
        user = duel.user("Froodal")
        assert Client().get("/api/v1/vacation/").status_code == 401
        for method in ("put", "delete"):
            reader = Caller(user, scopes=["read"])
            assert reader(method, "vacation/", {"days": 3}, expect=403)["code"] == "scope"
        caller = Caller(user)
        make_report(reporter=duel.user("Bung"), text="Rude.", about_user=user, now=now)
        warn_user(user=user, by=make_janitor(), text="Be polite.", now=now)
        assert caller("put", "vacation/", {"days": 3}, expect=403)["code"] == "held"
        assert not Vacation.objects.exists()
