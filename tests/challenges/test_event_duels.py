"""What a running duel of a league or cup means for its mage and its user: hardly anything, except that nobody is
closed or removed for inactivity meanwhile."""

import pytest

from accounts.errors import MageBusy, MageUnavailable, StillFighting
from accounts.models import Engagement, Mage, User
from accounts.selectors.absence import list_users_to_check
from accounts.selectors.engagements import (
    find_battles_of_mages,
    find_duels_besides,
    find_shared_battle,
    find_users_in_play,
    list_battles_of,
    list_users_in_battle_with,
)
from accounts.services.absence import sweep_absent_users
from accounts.services.mages import kill_mage
from challenges.services.answers import accept_challenge
from challenges.services.retire_mages import leave_site, quit_mage, retire_mage, sweep_idle_mages
from duels.models import Battle
from duels.selectors.result_news import find_death
from duels.services.clocks.deadlines import process_deadlines
from moderation.selectors.conflicts import find_conflict
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import DAY, NOW, log_in, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def fight(db: None) -> Fight:
    """Froodal against Bung in the league."""
    return start_fight(make_mage("Froodal"), make_mage("Bung"), stakes="league", pace="bank")


def fresh(mage: Mage) -> Mage:
    return Mage.objects.select_related("user", "engagement").get(pk=mage.pk)


def test_a_mage_in_such_a_duel_can_challenge_accept_and_fight_besides(fight):
    froodal, bung = fight.mages.values()
    challenge = make_challenge(froodal, bung)
    outcome = accept_challenge(number=challenge.number, mage=bung, terms_key=challenge.terms_key, now=NOW)
    assert outcome.has_started
    mages = [fresh(froodal), fresh(bung)]
    both = [fight.number, outcome.number]
    assert find_battles_of_mages(mages) == {mage.pk: both for mage in mages}
    assert find_duels_besides(mages) == {mage.pk: [fight.number] for mage in mages}
    assert list_battles_of(froodal.user) == both
    with pytest.raises(MageBusy):
        retire_mage(mage=froodal, now=NOW)


def test_home_the_mages_page_and_the_api_list_every_battle(fight):
    froodal, other = fight.mages["Froodal"], make_mage("Cormac")
    second = start_fight(froodal, other)
    browser = log_in(froodal.user)
    for page in ("/", "/accounts/mages/", "/mages/Froodal/"):
        text = browser.get(page).content.decode()
        assert all(f"/battles/{number}/" in text for number in (fight.number, second.number)), page
    mage = browser.get("/api/v1/me/").json()["mages"][0]
    assert (mage["busy_with"], mage["number"], mage["duels"]) == ("battle", second.number, [fight.number])


@pytest.mark.parametrize("leave", [retire_mage, quit_mage])
def test_a_mage_can_retire_or_leave_and_the_duel_goes_on_under_its_name(fight, leave):
    froodal = fight.mages["Froodal"]
    assert "still send the orders" in log_in(froodal.user).get("/mages/Froodal/leave/").content.decode()
    leave(mage=froodal, now=NOW)
    assert not fresh(froodal).is_alive
    fight.turn("W/S", "P/D")
    fight.turn("P/P", "W/S")
    assert fight.battle.result["winners"] == ["Bung"]


class TestDeathElsewhere:
    @pytest.fixture(autouse=True)
    def _killed(self, fight: Fight) -> None:
        kill_mage(mage=fight.mages["Froodal"], now=NOW)

    def test_orders_are_accepted_by_page_and_api(self, fight):
        browser = log_in(fight.user("Froodal"))
        page = browser.get(f"/battles/{fight.number}/")
        assert page.status_code == 200
        sent = {"orders": "W/S", "ready": True, "mage": "Froodal"}
        answer = browser.post(f"/api/v1/battles/{fight.number}/orders/", sent, content_type="application/json")
        assert answer.status_code == 200, answer.content
        assert fight.order("Bung", "P/D").outcome == "resolved"

    def test_home_still_lists_the_duel(self, fight):
        assert f"/battles/{fight.number}/" in log_in(fight.user("Froodal")).get("/").content.decode()

    def test_a_death_in_the_duel_is_never_told_as_the_one_that_killed_the_mage(self, fight):
        fight.stir()
        for days in (10, 11, 12):
            process_deadlines(battle_id=fight.battle.pk, now=NOW + days * DAY)
        fight.battle.refresh_from_db()
        assert fight.combatant("Froodal").standing == "dead"
        assert find_death(fresh(fight.mages["Froodal"])) is None
        assert Notice.objects.get(kind="own_result", user=fight.user("Froodal")).facts["dead"] == []
        browser = log_in(fight.user("Froodal"))
        pages = [browser.get(path).content.decode() for path in ("/", f"/battles/{fight.number}/")]
        assert "The death was not real. No score was at stake." in pages[0]
        assert "Nobody dies for good in a league or cup." in pages[1]
        assert not any("mage lives" in page or "Froodal lives" in page for page in pages)

    def test_the_account_is_neither_closed_nor_counted_as_inactive(self, fight):
        user = fight.user("Froodal")
        with pytest.raises(StillFighting, match=f"battle {fight.number}"):
            leave_site(user=user, now=NOW)
        User.objects.filter(pk=user.pk).update(idle_check_at=NOW)
        assert [each.has_mages for each in list_users_to_check(now=NOW + DAY, limit=10) if each.user == user] == [True]
        for days in range(1, 500, 20):
            sweep_absent_users(now=NOW + days * DAY)
        assert User.objects.get(pk=user.pk).is_active


def test_the_page_that_closes_an_account_names_the_duel(fight):
    user = fight.user("Froodal")
    page = log_in(user).get("/accounts/close/").content.decode()
    assert f"/battles/{fight.number}/" in page and "leave that" in page
    with pytest.raises(StillFighting):
        leave_site(user=user, now=NOW)
    assert fresh(fight.mages["Froodal"]).is_alive


def test_inactivity_never_removes_a_mage_in_such_a_duel(fight):
    Battle.objects.filter(pk=fight.battle.pk).update(status="running")
    assert find_users_in_play([each.user_id for each in fight.mages.values()]) == {
        each.user_id for each in fight.mages.values()
    }
    for days in range(1, 200, 5):
        sweep_idle_mages(now=NOW + days * DAY)
    assert all(fresh(mage).is_alive and not fresh(mage).is_retired for mage in fight.mages.values())


def test_a_mage_who_died_meanwhile_starts_no_further_duel(fight):
    kill_mage(mage=fight.mages["Froodal"], now=NOW)
    with pytest.raises(MageUnavailable, match="Froodal is dead"):
        start_fight(fight.mages["Froodal"], make_mage("Cormac"), stakes="league")
    assert Battle.objects.count() == 1


def test_its_players_are_opponents_to_janitors(fight):
    froodal, bung = (mage.user for mage in fight.mages.values())
    assert find_shared_battle(froodal, bung) == fight.number
    assert list(list_users_in_battle_with(froodal)) == [bung]
    assert find_conflict(user=bung, by=froodal) is not None
    assert list_users_in_battle_with(make_mage("Cormac").user).count() == 0


class TestJanitors:
    """What a janitor does to a duel of a league leaves alone what its mages are in besides, and the other way round."""

    @pytest.fixture
    def again(self, fight: Fight) -> dict[str, object]:
        """The league's duel is over, and Froodal is in a battle with Cormac."""
        fight.turn("P/P", "W/S")
        self.other = start_fight(fight.mages["Froodal"], make_mage("Cormac"), stakes="friendly")
        return {"battle": fight.battle, "by": make_janitor(), "reason": "A fault", "now": NOW + DAY}

    def engaged(self) -> list[tuple[str, int]]:
        rows = Engagement.objects.order_by("mage__name").values_list("mage__name", "number")
        return [row for row in rows if row[1] != self.other.number]

    def test_a_rewound_duel_runs_again_beside_the_other_battle(self, fight, again):
        entry = rewind_battle(**again, seq=1, without_consent="A fault")
        assert list_battles_of(fight.user("Froodal")) == [fight.number, self.other.number]
        assert self.engaged() == []
        self.other.turn("P/P", "W/S")
        fight.battle.refresh_from_db()
        undo_battle_entry(entry=entry, by=again["by"], reason="A mistake", now=NOW + 2 * DAY)
        assert list_battles_of(fight.user("Froodal")) == [] and Engagement.objects.count() == 0

    def test_an_annulled_duel_frees_nobody_from_the_other_battle(self, fight, again):
        annul_battle(**again)
        assert fresh(fight.mages["Froodal"]).busy_with.number == self.other.number

    def test_a_result_with_a_death_kills_nobody(self, fight, again):
        set_result(**again, winners=["Bung"], dead=["Froodal"])
        assert fresh(fight.mages["Froodal"]).is_alive

    def test_the_other_battle_can_be_rewound_while_a_duel_of_the_league_runs(self, fight):
        other = start_fight(fight.mages["Froodal"], make_mage("Cormac"), stakes="friendly")
        other.turn("P/P", "W/S")
        rewind_battle(
            battle=other.battle, seq=1, by=make_janitor(), reason="A fault", now=NOW + DAY, without_consent="A fault"
        )
        assert fresh(fight.mages["Froodal"]).busy_with.number == other.number
