"""Rated battles with bots: a separate rating, counted once, undone with the result, and no effect among people."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.mages import register_mage
from accounts.services.users import create_guest, create_guest_mage, create_user
from challenges.services.play_now import play_bot
from duels.errors import NoHint
from duels.models import Battle
from duels.selectors.battle_lists import list_finished_battles
from duels.selectors.reliability import read_reliability
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.models import (
    BattleSide,
    EndingFigure,
    Feat,
    Ladder,
    LadderPlace,
    MageRecord,
    Opening,
    Pairing,
    RatingEntry,
    Remembrance,
    ScoreEntry,
    SpellFigure,
    UserRating,
)
from ladder.pool import find_start, list_pool_results
from ladder.selectors.bots import BotRating
from ladder.selectors.ladders import list_honour_roll
from ladder.selectors.ratings import find_rating
from ladder.services.rate_battles import rate_battles, rebuild_ratings
from ladder.services.revise_results import annul_result, correct_result, reopen_result, restore_result
from ladder.tasks import refresh_places, sweep_unrated_battles
from studies.selectors.bot_thoughts import list_hints
from studies.tasks import count_finished_battles
from tests.bots import bring_bots
from tests.challenges.test_play_bot import answer
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage

pytestmark = pytest.mark.once


def give_up(battle, mage, now=NOW):
    """Cast a Shield, then surrender."""
    for text in ("LH P\nRH W\nEND", "LH P\nRH P\nEND"):
        combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
        submit_orders(combatant=combatant, text=text, via="web", now=now)
        answer(now)
    battle.refresh_from_db()


def lose_rated(mage, strength="Warder", now=NOW):
    """A rated duel that the person gives up in the second turn."""
    battle = play_bot(mage=mage, strength=strength, rated=True, now=now)
    give_up(battle, mage, now)
    assert battle.status == Battle.Status.FINISHED
    return battle


def among_people():
    """Everything that the ladder keeps about people."""
    tables = (ScoreEntry, MageRecord, Opening, EndingFigure, SpellFigure, Pairing, Feat, Remembrance)
    kept = [table.objects.values() for table in tables]
    rated = [table.objects.exclude(kind="bots").values() for table in (UserRating, RatingEntry)]
    # Without their keys, because records are rewritten.
    return [
        sorted(repr(sorted((row | dict.fromkeys({"id", "battle_id"} & row.keys(), 0)).items())) for row in rows)
        for rows in (*kept, *rated)
    ]


def fight_of_people(one, other):
    number = take_number()
    battle = start_battle(number=number, terms=Terms(), mages=[one, other], now=NOW)
    for mage, text in ((one, "LH D\nRH S\nEND"), (other, "LH P\nRH P\nEND")):
        submit_orders(
            combatant=get_combatant_for_user(number=number, user=mage.user, mage_name=mage.name),
            text=text,
            via="web",
            now=NOW,
        )
    battle.refresh_from_db()
    assert battle.is_over


def test_a_rated_duel_changes_the_rating_with_bots_and_nothing_among_people(bots):
    mage, other = make_mage("Froodal"), make_mage("Bung")
    fight_of_people(mage, other)
    count_finished_battles()
    sweep_unrated_battles()
    before = among_people()
    assert before[0] and before[-1]
    battle = lose_rated(mage)
    assert not battle.practice and battle.company == "mixed"
    count_finished_battles()
    assert sweep_unrated_battles() == 1
    assert among_people() == before
    warder = User.objects.get(bot_strength="Warder")
    assert find_rating(mage.user, "bots", today=NOW.date()).rating < 1500
    assert find_rating(warder, "bots", today=NOW.date()).rating > 1500
    assert find_rating(warder, "duel", today=NOW.date()) is None
    assert read_reliability([mage.user.pk])[mage.user.pk].asked == 1, "only the battle among people"
    # It is still one of the person's battles.
    assert BattleSide.objects.filter(user=mage.user, number=battle.number, result="lost").exists()


def test_practice_with_a_bot_changes_no_rating(bots):
    mage = make_mage("Froodal")
    battle = play_bot(mage=mage, strength="Warder", now=NOW)
    give_up(battle, mage)
    assert battle.is_over and battle.practice
    assert sweep_unrated_battles() == 1
    assert not UserRating.objects.exists()


def test_a_result_counts_once_however_often_the_sweep_comes(bots):
    lose_rated(make_mage("Froodal"))
    assert [rate_battles(kind="bots") for _ in range(3)] == [1, 0, 0]
    assert RatingEntry.objects.filter(kind="bots").count() == 2


def test_the_rating_follows_every_change_of_the_result(bots):
    mage = make_mage("Froodal")
    first = lose_rated(mage)
    last = lose_rated(mage, "Magus", NOW + timedelta(days=3))
    sweep_unrated_battles()
    rows = list(RatingEntry.objects.order_by("battle", "user").values("user", "rating", "deviation", "battle"))
    assert annul_result(battle=first.number, now=NOW)
    sweep_unrated_battles()
    assert set(RatingEntry.objects.values_list("battle", flat=True)) == {last.number}
    assert find_rating(mage.user, "bots", today=NOW.date()).battles == 1
    assert restore_result(battle=first.number, now=NOW)
    sweep_unrated_battles()
    assert rows == list(RatingEntry.objects.order_by("battle", "user").values("user", "rating", "deviation", "battle"))
    assert correct_result(battle=first.number, winners=[mage], dead=[], now=NOW)
    sweep_unrated_battles()
    assert RatingEntry.objects.get(battle=first.number, user=mage.user).score == 1
    # The battle is rewound: it is not over, and has no result.
    assert reopen_result(battle=first.number, now=NOW) and reopen_result(battle=last.number, now=NOW)
    sweep_unrated_battles()
    assert not RatingEntry.objects.exists() and not UserRating.objects.exists()
    assert rebuild_ratings(kind="bots").battles == 0


def test_a_result_that_is_counted_late_is_rated_in_its_place(bots):
    mage, other = make_mage("Froodal"), make_mage("Bung")
    early = play_bot(mage=mage, strength="Warder", rated=True, now=NOW)
    lose_rated(other, now=NOW + timedelta(days=2))
    sweep_unrated_battles()
    give_up(early, mage)
    assert sweep_unrated_battles() == 2
    stored = list(RatingEntry.objects.order_by("battle", "user").values_list("rating", "deviation"))
    rebuild_ratings(kind="bots")
    assert list(RatingEntry.objects.order_by("battle", "user").values_list("rating", "deviation")) == stored


def test_rated_play_has_one_ruleset_no_hints_and_no_guests(bots):
    mage = make_mage("Froodal")
    with refused("rated_ruleset"):
        play_bot(mage=mage, strength="Warder", ruleset="warlocks", rated=True, now=NOW)
    for special in ({"hit_points": (15, 5)}, {"bots_surrender": False}):
        with refused("rated_handicap"):
            play_bot(mage=mage, strength="Warder", rated=True, now=NOW, **special)
    guest = create_guest(now=NOW)
    with refused("rated_guest"):
        play_bot(mage=create_guest_mage(user=guest, now=NOW), strength="Warder", rated=True, now=NOW)
    assert not Battle.objects.exists()
    battle = play_bot(mage=mage, strength="Warder", rated=True, now=NOW)
    with pytest.raises(NoHint):
        list_hints(combatant=get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name))


def test_only_a_duel_with_a_bot_is_rated_with_bots(bots):
    people = [make_mage(name) for name in ("Froodal", "Bung", "Crom")]
    bot = User.objects.get(bot_strength="Magus").mages.first()
    rated = Terms(stakes="bots")
    duel = start_battle(number=take_number(), terms=rated, mages=people[:2], now=NOW)
    assert duel.terms["stakes"] == "very-friendly" and not duel.practice
    melee = start_battle(number=take_number(), terms=rated, mages=[people[2], bot, *User.objects.get(
        bot_strength="Warder").mages.all()[:1]], now=NOW)  # fmt: skip
    assert melee.terms["stakes"] == "very-friendly" and melee.practice


def test_bots_are_on_no_ladder_of_people(bots):
    make_mage("Froodal")
    refresh_places()
    assert set(LadderPlace.objects.values_list("mage__name", flat=True)) == {"Froodal"}
    assert Ladder.objects.get(kind="duel", ruleset="", retired=False).mages == 1
    rows, count = list_honour_roll("duel", limit=10)
    assert [row.mage.name for row in rows] == ["Froodal"] and count == 1


def test_battles_among_bots_are_on_no_list_of_people(bots):
    mages = [User.objects.get(bot_strength=name).mages.first() for name in ("Magus", "Warder")]
    battle = start_battle(number=take_number(), terms=Terms(stakes="bots", pace="own"), mages=mages, now=NOW)
    assert battle.company == "bots" and not battle.practice
    for path in ("/", "/battles/"):
        assert mages[0].name not in Client().get(path).content.decode()
    assert Client().get(f"/battles/{battle.number}/").status_code == 200
    assert not list_finished_battles()


@pytest.fixture
def player(bots):
    user = create_user(name="Anna", now=timezone.now())
    register_mage(user=user, name="Emberlin", now=timezone.now())
    client = log_in(user)
    return client


def test_the_page_offers_rated_play_to_users_only(player):
    assert 'name="rated"' in player.get("/play/").content.decode()
    assert 'name="rated"' not in Client().get("/play/").content.decode()
    response = player.post("/play/", {"strength": "Warder", "rated": "yes"})
    battle = Battle.objects.get()
    assert not battle.practice and battle.terms["stakes"] == "bots"
    text = player.get(response["Location"]).content.decode()
    assert "rated, with bots" in text and "What would the Magus consider?" not in text


def test_a_visitors_rated_battle_is_rejected_and_leaves_nothing(bots):
    response = Client().post("/play/", {"strength": "Warder", "rated": "yes"})
    assert response.status_code == 422 and "Sign up" in response.content.decode()
    assert not Battle.objects.exists() and not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"rated": True}, 201),
        ({"rated": True, "ruleset": "warlocks"}, 409),
        ({"rated": True, "bot_hit_points": 3}, 409),
        ({"rated": "yes"}, 400),
        ({"rated": False, "ruleset": "warlocks"}, 201),
        ({"rated": False, "pace": "own"}, 201),
        ({"ruleset": "firetop-server"}, 422),
        ({"strength": ""}, 400),
    ],
)
def test_the_api_accepts_rated(player, sent, status):
    response = player.post("/api/play/", json.dumps({"strength": "Warder"} | sent), content_type="application/json")
    assert response.status_code == status, response.content
    battle = Battle.objects.first()
    if status == 201:
        assert battle.practice is not sent["rated"]
        shown = player.get(f"/api/battles/{battle.number}/").json()
        assert shown["stakes"] == ("bots" if sent["rated"] else "friendly")
    else:
        assert battle is None


def test_the_strength_page_shows_ratings_with_their_ranges_and_how_they_were_measured(player):
    battle = play_bot(
        mage=User.objects.get(username="Anna").mages.get(), strength="Warder", rated=True, now=timezone.now()
    )
    give_up(battle, User.objects.get(username="Anna").mages.get(), timezone.now())
    sweep_unrated_battles()
    text = player.get("/bots/").content.decode()
    shown = player.get("/api/bots/").json()
    bots = {bot["name"]: bot for bot in shown["bots"]}
    assert list(bots) == ["Archmage", "Magus", "Warder", "Journeyman", "Apprentice"]
    warder = bots.pop("Warder")
    start = find_start("Warder")
    assert (warder["place"], warder["battles"], warder["about"]) == (3, 1, True) and warder["rating"] > start.rating
    assert warder["margin"] <= 118, "it was known before its first duel"
    assert f"± {warder['margin']}" in text and "Your rating with bots is" in text and "?strength=Warder" in text
    assert f'about <b class="display">{warder["rating"]}</b>' in text
    for name, bot in bots.items():
        assert (bot["rating"], bot["margin"], bot["about"]) == (find_start(name).rating, 118, True)
    assert shown["battles"] == {"among_bots": 0, "with_people": 1}
    assert [match["stronger"] for match in shown["matches"]] == ["Archmage", "Magus", "Warder", "Journeyman"]
    assert all(f"{match['share']} %" in text and match["share"] > 75 for match in shown["matches"])
    stranger = Client().get("/bots/").content.decode()
    assert "Your rating" not in stranger and "Anna" not in stranger
    assert "Wie stark sind die Bots?" in Client(headers={"accept-language": "de"}).get("/bots/").content.decode()
    assert "Rating with bots" in player.get("/users/Warder/").content.decode()
    assert 'href="/bots/"' in player.get("/users/Warder/").content.decode()
    assert 'href="/bots/"' in player.get("/play/").content.decode()


def test_the_strength_page_of_a_site_without_bots_and_without_battles(db):
    assert "There are no bots" in Client().get("/bots/").content.decode()
    bring_bots(now=NOW)
    page = Client().get("/bots/").content.decode()
    for result in list_pool_results():
        assert f"{result.share} " in page and f"±&nbsp;{result.margin}" in page
    assert [bot["place"] for bot in Client().get("/api/bots/").json()["bots"]] == [1, 2, 3, 4, 5]


def test_a_bot_is_rated_from_its_start_again_after_everything_is_rebuilt(player):
    mage = User.objects.get(username="Anna").mages.get()
    give_up(play_bot(mage=mage, strength="Magus", rated=True, now=timezone.now()), mage, timezone.now())
    sweep_unrated_battles()
    rows = dict(UserRating.objects.filter(kind="bots").values_list("user__username", "rating"))
    assert set(rows) == {"Anna", "Magus"} and abs(rows["Magus"] - find_start("Magus").rating) < 20
    assert not rebuild_ratings(kind="bots").changed_users
    assert dict(UserRating.objects.filter(kind="bots").values_list("user__username", "rating")) == rows


def test_a_rating_is_about_right_until_a_bot_has_played_twenty_rated_duels():
    assert BotRating("Magus", "Magus", 1800, 100, 19).is_about
    assert not BotRating("Magus", "Magus", 1800, 90, 20).is_about
    assert not BotRating("Clockwork", "", 1800, 400, 3).is_about
