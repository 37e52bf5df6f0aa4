"""The weekly round robin of users' bots: who may enter, how it is played, and what it changes."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import Sanction, User
from challenges.services.retire_mages import leave_site
from duels.models import Battle
from duels.services.clocks.deadlines import process_deadlines
from ladder.models import CountedBattle, LadderPlace, ScoreEntry, UserRating
from ladder.tasks import sweep_unrated_battles
from league.errors import CupRefused
from league.models import Cup, Pairing, Place
from league.selectors.cups import list_next_cups, list_past_cups
from league.selectors.round_robins import read_bot_groups
from league.services.cup_places import join_cup, leave_cup
from league.services.evenings import BREAK
from league.services.run_cups import advance_cup, make_next_cups
from moderation.services.merge_users import merge_users
from notifications.models import Hook, Notice
from operations.models import SitePolicy
from tests.bots import bring_bots
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.league.cups import (
    DAY,
    MINUTE,
    begin,
    enter,
    find_game,
    find_place,
    finish,
    list_boards,
    list_names,
    make_bot,
    make_cup,
    order,
    user_of,
)
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
ROBIN = Cup.Kind.ROUND_ROBIN
FIVE = ("Ada", "Bix", "Cog", "Dot", "Eve")
By = Pairing.DecidedBy
RATED = {"kind": "bots", "deviation": 80, "volatility": 0.06, "elo": 100_000, "battles": 9, "day": NOW.date()}


def play_round(cup, now, *, silent=()):
    """Let the bot of the lower name win each duel of the round, unless one of `silent`, who never answers, is in it."""
    for game in cup.pairings.filter(round=cup.round, decided_at=None).select_related("first__mage", "second__mage"):
        names = list_names(game)
        if set(names) & set(silent):
            for name in set(names) - set(silent):
                finish(cup, name, name, now=now)
            process_deadlines(battle_id=game.battle_id, now=now + 4 * MINUTE)
            process_deadlines(battle_id=game.battle_id, now=now + 8 * MINUTE)
        else:
            finish(cup, min(names), *names, now=now)


def play_on(cup, now, **more):
    """Play all rounds; return when the last one ended."""
    while True:
        cup.refresh_from_db()
        if cup.is_over:
            return now
        play_round(cup, now, **more)
        now += 10 * MINUTE
        advance_cup(cup_id=cup.pk, now=now)
        now += BREAK
        advance_cup(cup_id=cup.pk, now=now)


def refusal(mage, cup, now=NOW):
    with pytest.raises(CupRefused) as refused:
        join_cup(user=User.objects.get(pk=mage.user_id), cup_id=cup.pk, mage=mage, now=now)
    return refused.value.code


def test_five_bots_all_meet_and_only_the_ratings_with_bots_change():
    cup = make_cup(ROBIN)
    enter(cup, *FIVE)
    cup = begin(cup)
    play_on(cup, cup.begins_at)
    met = [frozenset(pair) for number in range(1, 6) for pair in list_boards(cup, number)]
    assert len(met) == len(set(met)) == 10
    cup.refresh_from_db()
    assert cup.round == 5
    [group] = read_bot_groups(cup)
    assert [(line.place.mage.name, line.row.points, line.place.rank) for line in group.lines] == [
        (name, 4 - place, place + 1) for place, name in enumerate(FIVE)
    ]
    assert group.lines[1].cells == ("L", "self", "W", "W", "W")
    sweep_unrated_battles()
    rated = UserRating.objects.filter(user__username__in=[f"{name}_user" for name in FIVE])
    assert set(rated.values_list("kind", "battles")) == {("bots", 4)}
    best = rated.order_by("-rating").values_list("user__username", flat=True)
    assert (best[0], best[4]) == ("Ada_user", "Eve_user")
    assert not ScoreEntry.objects.exists() and not LadderPlace.objects.exists()
    assert not CountedBattle.objects.filter(counts=True).exists()
    assert not Battle.objects.exclude(terms__stakes="round-robin", terms__pace="live3").exists()
    for mage in user_of("Ada").mages.all():
        assert mage.is_alive and not hasattr(mage, "engagement")
    assert Notice.objects.filter(kind="cup_over").count() == 5


def test_only_a_user_s_bot_enters_and_only_people_join_the_other_cups():
    robin, knockout = make_cup(ROBIN), make_cup()
    bring_bots(now=NOW)
    person, bot = make_mage("Ayla"), make_bot("Ada")
    site_s = User.objects.get(bot_strength="Magus").mages.first()
    assert (refusal(person, robin), refusal(bot, knockout)) == ("person", "bot")
    assert (refusal(site_s, robin), refusal(site_s, knockout)) == ("bot", "bot")
    place = join_cup(user=bot.user, cup_id=robin.pk, mage=bot, now=NOW)
    assert join_cup(user=bot.user, cup_id=robin.pk, mage=bot, now=NOW).pk == place.pk, "once, however often it asks"
    assert refusal(make_bot("Bix"), robin, now=robin.begins_at) == "begun"


def test_a_bot_of_a_suspended_or_closed_owner_stays_out():
    cup = make_cup(ROBIN)
    held, closed = make_bot("Bix"), make_bot("Cog")
    enter(cup, *FIVE[:1], "Fay", "Gus", "Hob")
    Sanction.objects.create(user=held.user, reason="Enough", imposed_by=make_janitor(), starts_at=NOW)
    assert refusal(held, cup) == "suspended"
    Sanction.objects.update(ends_at=NOW + MINUTE)
    join_cup(user=held.user, cup_id=cup.pk, mage=held, now=NOW + MINUTE)
    leave_cup(user=held.user, cup_id=cup.pk, now=NOW + MINUTE)
    leave_site(user=closed.user, now=NOW)
    assert refusal(closed, cup) == "closed"
    leave_site(user=user_of("Hob"), now=NOW)
    assert begin(cup).is_cancelled, "three are too few"


def test_an_owner_has_one_bot_in_it():
    cup = make_cup(ROBIN)
    first, second, other = make_bot("Ada"), make_bot("Bix"), make_bot("Cog")
    for mage, address in ((first, "me+ada@example.org"), (second, "Me@example.org"), (other, "you@example.org")):
        EmailAddress.objects.update_or_create(user=mage.user, defaults={"email": address, "verified": True})
    join_cup(user=first.user, cup_id=cup.pk, mage=first, now=NOW)
    assert refusal(second, cup) == "one_bot"
    join_cup(user=other.user, cup_id=cup.pk, mage=other, now=NOW)
    leave_cup(user=first.user, cup_id=cup.pk, now=NOW)
    join_cup(user=second.user, cup_id=cup.pk, mage=second, now=NOW)
    assert set(cup.places.values_list("mage__name", flat=True)) == {"Bix", "Cog"}


def test_accounts_of_one_person_that_are_merged_keep_one_place():
    cup = make_cup(ROBIN)
    enter(cup, *FIVE, "Fay")
    merge = {"by": make_janitor(), "reason": "One person", "now": NOW}
    merge_users(kept=user_of("Ada"), merged=user_of("Fay"), **merge)
    cup = begin(cup)
    assert sorted(cup.places.values_list("mage__name", flat=True)) == list(FIVE)
    game = find_game(cup, "Bix")
    other = next(name for name in list_names(game) if name != "Bix")
    merge_users(kept=user_of(other), merged=user_of("Bix"), **merge)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + MINUTE)
    game.refresh_from_db()
    assert (game.decided_by, Battle.objects.get(pk=game.battle_id).is_over) == (By.LEFT, True)
    assert find_place(cup, "Bix").is_void


def test_a_bot_that_never_answers_is_out_after_two_duels_and_counts_for_nobody():
    cup = make_cup(ROBIN)
    enter(cup, *FIVE, "Fay")
    cup = begin(cup)
    play_on(cup, cup.begins_at, silent=("Ada",))
    place = find_place(cup, "Ada")
    assert (place.left_for, place.is_void, place.rank) == (Place.LeftFor.FORFEITS, True, None)
    assert cup.pairings.filter(first=place).count() + cup.pairings.filter(second=place).count() == 2
    assert find_place(cup, "Bix").rank == 1
    [group] = read_bot_groups(cup)
    assert group.lines[-1].place == place and set(group.lines[-1].cells) == {"", "self"}
    told = Notice.objects.get(user=place.user, kind="cup_out")
    assert told.facts["why"] == Place.LeftFor.FORFEITS


def test_one_that_leaves_late_loses_the_duels_that_are_left():
    cup = make_cup(ROBIN)
    enter(cup, *FIVE[:4])
    cup = begin(cup)
    now = cup.begins_at
    for _ in range(2):
        play_round(cup, now)
        now += 10 * MINUTE
        advance_cup(cup_id=cup.pk, now=now)
        now += BREAK
        advance_cup(cup_id=cup.pk, now=now)
        cup.refresh_from_db()
    leave_cup(user=user_of("Ada"), cup_id=cup.pk, now=now)
    play_on(cup, now)
    lost = find_game(cup, "Ada")
    assert (lost.round, lost.decided_by) == (3, By.LEFT)
    [group] = read_bot_groups(cup)
    assert [line.place.mage.name for line in group.lines][-1] == "Ada", "it has left"
    assert len(group.lines[-1].row.results) == 3, "and its results count"


def test_a_duel_longer_than_its_round_is_settled_by_the_time_used():
    cup = make_cup(ROBIN)
    enter(cup, *FIVE[:4])
    cup = begin(cup)
    for game in cup.pairings.select_related("first__mage", "second__mage", "battle"):
        assert not game.battle.clock_stops.exists(), "nobody has to say that they are here"
        order(game.battle, game.first.mage.name, "W/S", cup.begins_at + MINUTE)
        process_deadlines(battle_id=game.battle_id, now=cup.begins_at + 3 * MINUTE)
        order(game.battle, game.second.mage.name, "W/S", cup.begins_at + 3 * MINUTE)
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 35 * MINUTE - timedelta(seconds=1))
    assert not cup.pairings.exclude(decided_at=None).exists()
    advance_cup(cup_id=cup.pk, now=cup.begins_at + 35 * MINUTE)
    stored = cup.pairings.values_list("decided_by", "first_late", "second_late")
    assert set(stored) == {(By.TIME, 0, 1)}, "late turns count in the table (league-points)"
    assert cup.pairings.filter(first_used__gt=timedelta(0), second_used__gt=timedelta(0)).count() == len(stored)


def test_ten_bots_play_in_two_groups_and_the_first_group_has_the_winner():
    names = [f"Bot{number}" for number in range(10)]
    cup = make_cup(ROBIN)
    enter(cup, *names)
    for number, name in enumerate(names):
        UserRating.objects.create(user=user_of(name), rating=1500 + number, **RATED)
    cup = begin(cup)
    first, _second = read_bot_groups(cup)
    assert {line.place.mage.name for line in first.lines} == set(names[5:])
    play_on(cup, cup.begins_at)
    assert find_place(cup, "Bot5").rank == 1
    assert find_place(cup, "Bot0").rank == 6
    words = flat(Client().get(f"/cups/{cup.pk}/"))
    assert "Table of group 2" in words and "Won by" in flat(Client().get("/cups/"))
    table = Client().get(f"/api/v1/cups/{cup.pk}/").json()["table"]
    assert [(line["mage"], line["group"], line["points"]) for line in table][::5] == [
        ("Bot5", 1, 4.0),
        ("Bot0", 2, 4.0),
    ]


def test_too_few_bots_are_told_and_a_week_without_any_is_no_news():
    Hook.objects.create(
        user=make_user("Clara"),
        scope="site",
        place="site/1",
        format="ntfy",
        name="s",
        events=["league"],
        created_at=NOW,
    )
    cup, empty = make_cup(ROBIN), make_cup(ROBIN, key="empty")
    enter(cup, *FIVE[:3])
    for each in (cup, empty):
        advance_cup(cup_id=each.pk, now=each.begins_at - DAY)
    assert Notice.objects.filter(kind="cup_cancelled", facts__entrants=3).count() == 3
    assert Notice.objects.filter(kind="open_cup").count() == 1
    assert [past.cup.pk for past in list_past_cups(limit=9)] == [cup.pk]
    assert not list_past_cups(limit=9, of_bots=False)


def test_the_schedule_makes_one_each_week_at_the_policy_s_hour():
    SitePolicy.objects.create(
        round_robin_weekday=3, round_robin_hour=6, set_by=make_janitor(), set_at=NOW, why="When few are here"
    )
    make_next_cups(now=NOW)
    make_next_cups(now=NOW)
    cup = Cup.objects.get(kind=ROBIN)
    assert (cup.begins_at.isoweekday(), cup.begins_at.hour, cup.has_bots) == (3, 6, False)
    enter(cup, *FIVE[:4])
    begin(cup)
    make_next_cups(now=cup.begins_at + MINUTE)
    assert [each.cup.begins_at for each in list_next_cups(None, now=cup.begins_at) if each.cup.is_round_robin] == [
        cup.begins_at + 7 * DAY
    ]


def test_an_owner_enters_and_withdraws_by_the_page_and_people_read_who_plays():
    cup = make_cup(ROBIN, begins_at=timezone.now() + 3 * DAY)
    bot = make_bot("Ada")
    browser = log_in(bot.user)
    assert "Join<span" in flat(browser.get("/cups/"))
    browser.post(f"/cups/{cup.pk}/join/", {"mage": "Ada"})
    assert "Ada is in." in flat(browser.get(f"/cups/{cup.pk}/"))
    person = log_in(make_mage("Ayla").user)
    words = flat(person.get(f"/cups/{cup.pk}/"))
    assert "About bot accounts" in words and "/users/Ada_user/" not in words and "Join<span" not in words
    person.post(f"/cups/{cup.pk}/join/", {"mage": "Ayla"})
    assert "Only bots of users can enter a round robin of bots." in flat(person.get(f"/cups/{cup.pk}/"))
    browser.post(f"/cups/{cup.pk}/leave/")
    assert not Place.objects.exists()


def test_an_account_that_has_become_a_bot_does_not_play_among_people():
    cup = make_cup()
    enter(cup, "Ayla", "Borin", "Cade", "Dain", "Esme", "Finn")
    User.objects.filter(pk=user_of("Finn").pk).update(is_bot=True)
    assert begin(cup).places.count() == 5
