"""The pages of the league: who stands where, what is running, and what each reader may do there."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.former_users import make_former_name
from accounts.models import Block, Mage, User
from accounts.services.mages import kill_mage, register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.vacations import start_vacation
from fm_site.pages.export import export_user
from league.models import Entry, Group, Pairing, Place
from league.rules.round_robin import list_pairs
from tests.html import flat
from tests.league.world import League
from tests.scenes import DAY, HOUR, NOW, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
EIGHT = ("Ada", "Bela", "Cora", "Dana", "Edda", "Fred", "Gero", "Hilda")


@pytest.fixture
def league(db):
    """A league whose clock began ten weeks ago: pages ask the real one."""
    return League(now=timezone.now() - 70 * DAY)


def show(path, user=None):
    answer = log_in(user).get(path)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", flat(answer)))


def test_a_league_is_told_from_its_first_entrant_to_its_hall_of_fame(league):
    assert "Nobody has signed up yet. With four mages, a season begins by itself." in show("/league/")
    league.enter(*EIGHT[:4])
    league.run()
    assert "Sign up until" in show("/league/")
    ada = league.user("Ada")
    assert "Ada is in." in show("/league/", ada)
    league.go_to(league.season.draws_at)
    group = "/league/1/1/"
    page = show(group, ada)
    assert "Until then each pair can choose a time bank." in page and "I want a time bank" in page
    league.begin_season()
    first = next(each for each in league.duels_of("Ada") if each.round == 1)
    other = league.other(first, "Ada").mage.name
    page = show(group, ada)
    assert f"{other} Turn 1: your move" in page and "Play turn 1" in page and "0 of 3 played" in page
    assert "Time used: Ada" in page
    league.win(first, "Ada")
    league.run()
    page = show(group, ada)
    assert f"You beat {other} in turn 1." in page and "1 of 3 played" in page
    assert "Ada leads with 1 of 1." in show("/league/") and "Place 1 of 4." in show("/league/", ada)
    league.go_to(league.season.ends_at)
    page = show(group, ada)
    assert "This table is final." in page and "Undecided against" in page
    assert "Season 1: Ada" in show("/league/hall/") and "1 title" in show("/league/hall/")
    assert "Won by Ada with" in show("/league/1/")
    assert "Ada: place 1 in League 1." in show("/league/", ada)
    assert "Champion" in show("/users/Ada_user/") and "You play from" in show("/league/", ada)
    feed = log_in(None).get("/feeds/league.atom").content.decode()
    assert "Season 1: Ada" in feed and f"League 1, round 1: Ada beat {other}" in feed


def post(user, path, **sent):
    return log_in(user).post(path, sent)


def test_a_user_joins_names_a_mage_chooses_the_pace_and_leaves(league):
    league.enter(*EIGHT[:4])
    gwen, other = make_user("Gwen"), league.user("Ada")
    mage = register_mage(user=gwen, name="Gwendolin", now=league.now)
    assert "Register your mage" not in show("/league/join/", gwen)
    assert post(gwen, "/league/join/", mage="Ada").status_code == 422
    assert post(gwen, "/league/join/", mage="Gwendolin").status_code == 302
    assert "in the league already" in flat(post(gwen, "/league/join/", mage="Gwendolin"))
    later = register_mage(user=gwen, name="Galadwen", now=league.now)
    post(gwen, "/league/mage/", mage="Ada")
    assert Entry.objects.get(user=gwen).mage == mage
    post(gwen, "/league/mage/", mage="Galadwen")
    assert Entry.objects.get(user=gwen).mage == later
    league.run()
    league.go_to(league.season.draws_at)
    season = league.season
    season.begins_at = timezone.now() + DAY
    season.save()
    duel = next(
        each
        for each in Pairing.objects.exclude(second=None)
        if gwen in (each.first.user, each.second and each.second.user)
    )
    address = f"/league/duels/{duel.pk}/bank/"
    stranger = make_user("Sly")
    assert "You do not play in this duel" in flat(log_in(stranger).post(address, {"wish": "yes"}, follow=True))
    rival = next(each.user for each in (duel.first, duel.second) if each.user != gwen)
    assert "has it if your opponent wants it" in flat(log_in(gwen).post(address, follow=True))
    assert "wants a time bank." in show("/league/1/1/", rival)
    assert "You both want the time bank" in flat(log_in(rival).post(address, follow=True))
    assert "Leaving costs nothing" in show("/league/leave/", gwen)
    assert "You are not in the league." in show("/league/leave/", stranger)
    assert post(stranger, "/league/leave/").status_code == 422
    post(gwen, "/league/leave/")
    assert not Entry.objects.filter(user=gwen, left_at=None).exists()
    assert Entry.objects.filter(user=other, left_at=None).exists()


def test_what_leaving_costs_is_said_before_and_the_table_says_who_left_or_is_away(league):
    league.enter(*EIGHT)
    league.begin_season()
    league.begin_round(2)
    ada = league.user("Ada")
    page = show("/league/leave/", ada)
    assert "0 of your 7 duels are finished." in page and "all your results leave the table" in page
    assert "Your 2 running duels end at once." in page and "This costs nothing." in page
    post(ada, "/league/leave/", at_once="1")
    start_vacation(user=league.user("Bela"), days=9, now=timezone.now())
    page = show("/league/1/1/")
    assert "left, results don't count" in page and "on vacation until" in page
    kill_mage(mage=league.mages["Cora"], now=league.now)
    assert "Cora is out of play." in show("/league/", league.user("Cora"))


def test_someone_who_closed_their_account_has_left_the_table_without_their_name(league):
    league.enter(*EIGHT[:4])
    league.begin_season()
    ada = league.user("Ada")
    assert export_user(ada, now=league.now)["league"][0]["mage"] == "Ada"
    assert export_user(ada, now=league.now)["places"][0]["rank"] is None
    User.objects.filter(pk=ada.pk).update(is_active=False, username=make_former_name(ada.pk))
    for said in (show("/league/1/1/"), show("/league/1/1/", league.user("Bela"))):
        assert "a user who has left" in said
    league.run()
    page = log_in(None).get("/league/1/1/").content.decode()
    assert "left, results don't count" in show("/league/1/1/")
    assert "former_user" not in page and "Ada_user" not in page
    assert log_in(None).get("/api/v1/leagues/1/").json()["places"][-1]["user"] == "a user who has left"


def test_two_with_a_block_between_them_are_told_so_at_sign_up(league):
    league.enter(*EIGHT[:3])
    dana = make_user("Dana_user")
    register_mage(user=dana, name="Dana", now=league.now)
    Block.objects.create(user=league.user("Ada"), blocked=dana, created_at=league.now)
    said = "There is a block between you and"
    assert f"{said} Ada_user" in show("/league/join/", dana)
    post(dana, "/league/join/", mage="Dana")
    assert f"{said} Ada_user" in show("/league/", dana) and f"{said} Dana_user" in show("/league/", league.user("Ada"))
    assert said not in show("/league/", league.user("Bela"))
    league.mages["Dana"] = dana.mages.get()
    league.begin_season()
    league.begin_round(7)
    assert "No talk, because of a block." in show("/league/1/1/", dana)


def test_tables_and_clocks_tell_nothing_of_sealed_orders(league, monkeypatch):
    """Whatever Bela orders, and however often, every other reader gets the same bytes."""
    league.enter(*EIGHT[:4])
    league.begin_season()
    duel = next(each for each in league.duels_of("Bela") if each.battle_id)
    rival = league.other(duel, "Bela").user
    place = next(each for each in (duel.first, duel.second) if each and each.user_id == league.user("Bela").pk)
    worlds = []
    for hours, orders in enumerate(("LH P\nRH S", "LH W\nRH D", "SAY Hear me.\nLH S\nRH S"), 1):
        league.now = league.season.begins_at + HOUR * hours
        league.order(duel, place, orders)
        monkeypatch.setattr("django.utils.timezone.now", lambda: league.season.begins_at + 9 * HOUR)
        paths = ("/league/", "/league/1/1/", "/league/1/", "/api/v1/leagues/1/", "/feeds/league.atom")
        pages = [flat(log_in(reader).get(path)) for reader in (None, rival) for path in paths]
        worlds.append([re.sub(r'csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"', "", page) for page in pages])
    assert worlds[0] == worlds[1] == worlds[2]
    assert "Time used" in worlds[0][1]


def test_a_page_costs_the_same_with_few_rows_and_with_many(league, lasting_cache):
    league.enter(*EIGHT)
    league.begin_season()
    counts = {}
    for rows in ("few", "many"):
        if rows == "many":
            add_groups(league.season, 49)
            league.begin_round(7)
        for path in ("/league/", "/league/1/1/", "/league/1/", "/api/v1/leagues/", "/api/v1/leagues/1/"):
            client = log_in(league.user("Ada"))
            client.get(path)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            counts[path, rows] = len(queries)
    for path, _rows in counts:
        assert counts[path, "many"] <= counts[path, "few"], (path, counts)


def add_groups(season, count):
    """Add so many groups of eight places, whose users and mages are one each."""
    users = User.objects.bulk_create(User(username=f"crowd{n}", created_at=NOW) for n in range(count * 8))
    mages = Mage.objects.bulk_create(
        Mage(user=user, name=f"Mage{n}", created_at=NOW, last_active_at=NOW) for n, user in enumerate(users)
    )
    for tier in range(2, count + 2):
        group = Group.objects.create(season=season, tier=tier)
        own = mages[(tier - 2) * 8 : (tier - 1) * 8]
        places = Place.objects.bulk_create(
            Place(group=group, user=mage.user, mage=mage, slot=slot, signed_up_at=NOW)
            for slot, mage in enumerate(own, 1)
        )
        Pairing.objects.bulk_create(
            Pairing(
                group=group,
                round=number,
                board=board,
                first=places[one - 1],
                second=places[other - 1],
                result="draw",
                decided_by="battle",
                decided_at=NOW,
            )
            for number in range(1, 8)
            for board, (one, other) in enumerate(list_pairs(number), 1)
        )


def test_a_program_reads_leagues_joins_and_leaves(league):
    league.enter(*EIGHT[:4])
    league.begin_season()
    gwen = make_user("Gwen")
    register_mage(user=gwen, name="Gwendolin", now=league.now)
    token = issue_api_token(user=gwen, name="bot", now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {token}"}

    def call(method, path, **body):
        more = {"data": body, "content_type": "application/json"} if method == "post" else {}
        return getattr(log_in(None), method)(f"/api/v1/leagues/{path}", headers=headers, **more)

    told = call("get", "").json()
    assert told["season"]["round"] == 1 and told["mine"] is None and len(told["leagues"][0]["places"]) == 4
    duel = next(each for each in call("get", "1/").json()["duels"] if each["battle"])
    assert duel["result"] is None and duel["first_used"] is not None
    assert call("get", "9/").status_code == call("get", "?season=7").status_code == 404
    assert call("post", "join/", mage="Ada").status_code == 403
    assert call("post", "join/", mage="gwendolin").json()["mage"] == "Gwendolin"
    assert call("post", "join/", mage="Gwendolin").status_code == 409
    assert call("get", "").json()["mine"] == "Gwendolin"
    assert call("post", "leave/", at_once=True).json() == {"mage": None, "begins_at": None}
    assert call("post", "leave/").status_code == 409
