"""Two seasons of a league in which everything happens that may happen; a script that knows only the results counts the
tables again. Nine players take part here; in the long run seventeen, and two worker processes do the work, of which
one is killed again and again."""

import random
from collections.abc import Callable
from datetime import datetime

import pytest

from accounts.models import Block
from accounts.services.mages import kill_mage, register_mage
from ladder.models import BattleSide
from league.models import Entry, Pairing, Place, Season
from league.selectors.tables import read_tables
from league.services.entries import leave, sign_up, wish_bank
from league.services.run import process_league
from tests.league.recount import Played, move, rank
from tests.league.workers import Workers
from tests.league.world import QUIET, League
from tests.scenes import DAY, HOUR

pytestmark = pytest.mark.django_db
LETTERS = "abcdefghijklmnopq"


class Story:
    """The two seasons. `go` lets time pass up to a moment, while workers do what is due."""

    def __init__(self, league: League, go: Callable[[datetime], None], players: int) -> None:
        self.league, self.go = league, go
        self.chance = random.Random(players)
        self.names = [f"Mage{letter}" for letter in LETTERS[:players]]
        self.absent: set[str] = set()
        self.results: dict[int, Played] = {}
        self.gone: dict[str, bool] = {}

    # What the script knows of a season: who has a place in which league, and in which order they signed up.
    def read_leagues(self, season: Season) -> list[list[str]]:
        places = Place.objects.filter(group__season=season).order_by("group__tier", "signed_up_at", "pk")
        leagues: dict[int, list[str]] = {}
        for place in places.select_related("group", "user"):
            leagues.setdefault(place.group.tier, []).append(self.name(place))
        return list(leagues.values())

    def name(self, place: Place) -> str:
        return place.user.username.removesuffix("_user")

    def pair(self, pairing: Pairing) -> tuple[str, str]:
        return self.name(pairing.first), self.name(pairing.second)

    def list_running(self) -> list[Pairing]:
        found = Pairing.objects.filter(battle__finished_at=None, battle__isnull=False, decided_at=None)
        return list(found.select_related("first__user", "second__user", "battle").order_by("round", "group", "board"))

    def play(self, besides: Pairing | None = None) -> None:
        """Everyone ends their duels but the absent, who do not move, and one pair that plays on."""
        for pairing in self.list_running():
            one, other = self.pair(pairing)
            if pairing.pk == getattr(besides, "pk", None):
                continue
            if self.absent & {one, other}:
                self.wait_for_absent(pairing, one, other)
                continue
            winner = self.chance.choice([one, other, one, other, ""])
            if winner:
                self.league.win(pairing, winner)
            else:
                self.league.draw(pairing)
            self.results[pairing.pk] = Played(one, other, winner)

    def wait_for_absent(self, pairing: Pairing, one: str, other: str) -> None:
        present = {one, other} - self.absent
        for place in (pairing.first, pairing.second):
            if self.name(place) in present and pairing.pk not in self.results:
                self.league.order(pairing, place, QUIET)
        self.results[pairing.pk] = Played(one, other, "".join(present), lost_by_both=not present)

    def depart(self, name: str) -> None:
        """Note that someone leaves now, and what follows from it for their duels."""
        done, duels = self.count_finished(name)
        self.gone[name] = 2 * done < duels
        for each in self.list_duels(name):
            if each.decided_at is None:
                self.results[each.pk] = Played(*self.pair(each), winner=self.opponent(each, name))

    def list_duels(self, name: str) -> list[Pairing]:
        found = Pairing.objects.filter(group__season__closed_at=None, second__isnull=False)
        found = found.select_related("first__user", "second__user").order_by("round")
        return [each for each in found if name in self.pair(each)]

    def opponent(self, pairing: Pairing, name: str) -> str:
        one, other = self.pair(pairing)
        return other if one == name else one

    def check(self, season: Season) -> dict[str, int]:
        """Compare the tables with those of the script; return who goes up and down."""
        season.refresh_from_db()
        assert season.closed_at is not None
        leagues = self.read_leagues(season)
        results = []
        for pairing in Pairing.objects.filter(group__season=season, pk__in=self.results):
            told = self.results[pairing.pk]
            late = (pairing.first_late, pairing.second_late)
            results.append(Played(told.one, told.other, told.winner, told.lost_by_both, late))
        void = [name for name, is_void in self.gone.items() if is_void]
        counted = [rank(names, results, void) for names in leagues]
        shown = [
            [self.name(row.place) for row in table.rows if row.place.rank is not None] for table in read_tables(season)
        ]
        assert shown == counted
        playing = {entry.user.username.removesuffix("_user") for entry in Entry.objects.filter(left_at=None)}
        wanted = move(counted, [len(names) for names in leagues], playing - set(self.gone))
        words = {"up": -1, "stay": 0, "down": 1}
        places = Place.objects.filter(group__season=season).exclude(movement="").select_related("user")
        assert {self.name(place): words[place.movement] for place in places} == wanted
        return wanted

    def first_season(self) -> Season:
        league = self.league
        league.enter(*self.names)
        process_league(now=league.now)
        season = league.season
        self.go(season.draws_at)
        season.refresh_from_db()
        top, *_rest, low = self.read_leagues(season)
        mortal, blocked, lazy, *_ = top
        self.absent = {top[-1], low[-1]}
        late_leaver, early_leaver = low[0], top[-2]
        Block.objects.create(user=league.user(mortal), blocked=league.user(blocked), created_at=league.now)
        stalled = [each for each in self.list_duels(lazy) if self.opponent(each, lazy) in (mortal, blocked)][-1]
        for name in self.pair(stalled):
            wish_bank(user=league.user(name), pairing=stalled.pk, wishes=True, now=league.now)
        for number in range(1, 8):
            self.go(season.begin_of_round(number))
            if number == 2:
                league.enter("Newa", "Newb")
                assert {league.place(name).joined_in_round for name in ("Newa", "Newb")} == {3}
                register_mage(user=league.user(mortal), name="Heir", now=league.now)
                kill_mage(mage=league.mages[mortal], now=league.now)
            if league.again(stalled).battle is not None:
                self.stall(stalled, lazy)
            self.play(besides=stalled)
            for name in (early_leaver, late_leaver):
                self.leave_if_ripe(name, name == late_leaver)
            while self.list_running() and league.now < season.begin_of_round(number + 1) - 2 * DAY:
                self.go(league.now + 36 * HOUR)
                self.note_lost_places()
                if league.again(stalled).battle is not None:
                    self.stall(stalled, lazy)
        while league.now < season.ends_at - 2 * DAY:
            self.stall(stalled, lazy)
            self.go(league.now + 36 * HOUR)
        self.results[stalled.pk] = Played(*self.pair(stalled), winner=self.opponent(stalled, lazy))
        self.go(season.ends_at)
        self.check_stalled(league.again(stalled), lazy)
        assert self.gone.keys() >= {early_leaver, late_leaver, *self.absent}
        assert (self.gone[early_leaver], self.gone[late_leaver]) == (True, False)
        self.check_duels_of_season_one(season, mortal, blocked)
        return season

    def check_stalled(self, pairing: Pairing, lazy: str) -> None:
        """The lazy one has used nearly all the time; the duel has ended without a winner, and changes no rating."""
        used = {
            self.name(pairing.first): pairing.first_used,
            pairing.second and self.name(pairing.second): pairing.second_used,
        }
        assert pairing.decided_by == "time"
        assert used[lazy] > 10 * DAY > 2 * DAY > used[self.opponent(pairing, lazy)]
        assert pairing.battle.result["winners"] == []
        assert not BattleSide.objects.filter(number=pairing.battle.number, counts=True).exists()

    def stall(self, pairing: Pairing, lazy: str) -> None:
        """A turn of the duel that does not end: the lazy one has kept the other waiting since the last one."""
        pairing = self.league.again(pairing)
        order = sorted((pairing.first, pairing.second), key=lambda place: self.name(place) != lazy)
        for place in order:
            self.league.order(pairing, place, QUIET)
        # The next turn: the other answers at once.
        self.league.order(self.league.again(pairing), order[1], QUIET)

    def leave_if_ripe(self, name: str, is_late: bool) -> None:
        """Let someone leave after their first duel, or as soon as half of their duels are finished."""
        self.league.run()
        self.note_lost_places()
        done, duels = self.count_finished(name)
        if name not in self.gone and (2 * done >= duels if is_late else done):
            self.depart(name)
            leave(user=self.league.user(name), at_once=True, now=self.league.now)
            assert self.league.place(name).is_void == self.gone[name]

    def count_finished(self, name: str) -> tuple[int, int]:
        """Return how many duels of someone are finished, and how many they have, without those that do not count."""
        mine = [each for each in self.list_duels(name) if not self.gone.get(self.opponent(each, name))]
        return sum(each.decided_at is not None for each in mine), len(mine)

    def note_lost_places(self) -> None:
        """Note who has lost their place, and what follows for their duels."""
        for place in Place.objects.filter(left_for="forfeits", group__season__closed_at=None).select_related("user"):
            name = self.name(place)
            if name not in self.gone:
                assert name in self.absent
                self.gone[name] = place.is_void
                missed = [each for each in self.list_duels(name) if each.decided_by == "forfeit"]
                assert len(missed) == 2
                if not place.is_void:
                    for each in self.list_duels(name):
                        if each.decided_by == "left" and not self.gone.get(self.opponent(each, name)):
                            self.results[each.pk] = Played(*self.pair(each), winner=self.opponent(each, name))

    def check_duels_of_season_one(self, season: Season, mortal: str, blocked: str) -> None:
        user = self.league.user(mortal)
        fought = Pairing.objects.filter(group__season=season, battle__combatants__mage__user=user).order_by("round")
        mages = [each.battle.combatants.get(mage__user=user).mage.name for each in fought]
        assert mages == sorted(mages, reverse=True) and set(mages) == {mortal, "Heir"}
        silent = Pairing.objects.filter(group__season=season, battle__terms__chat=False)
        assert [set(self.pair(each)) for each in silent.select_related("first__user", "second__user")] == [
            {mortal, blocked}
        ]

    def second_season(self, moved: dict[str, int], first: Season) -> Season:
        league = self.league
        season = league.season
        # Who lost their place may come back, as a newcomer.
        again = sorted(self.absent)
        for name in again:
            sign_up(user=league.user(name), mage=league.mages[name], now=league.now)
        self.absent.clear()
        tiers = {self.name(place): place.group.tier for place in Place.objects.filter(group__season=first)}
        assert season.begins_at == first.begins_at + 70 * DAY
        self.go(season.draws_at)
        season.refresh_from_db()
        leagues = self.read_leagues(season)
        now = {name: tier for tier, names in enumerate(leagues, 1) for name in names}
        assert set(now) == {*moved, *again}
        assert all(now[name] < tiers[name] for name, movement in moved.items() if movement < 0)
        assert {now[name] for name in again} <= {len(leagues), len(leagues) - 1}
        self.gone.clear()
        for number in range(1, 8):
            self.go(season.begin_of_round(number))
            self.play()
        self.go(season.ends_at)
        return season


def play_two_seasons(league: League, go: Callable[[datetime], None], players: int) -> None:
    story = Story(league, go, players)
    first = story.first_season()
    moved = story.check(first)
    assert -1 in moved.values()
    assert {-1, 1} <= set(story.check(story.second_season(moved, first)).values())
    numbers = Pairing.objects.filter(battle__isnull=False).values_list("battle__number", flat=True)
    assert len(numbers) == len(set(numbers))


@pytest.mark.once
def test_the_tables_of_two_seasons_follow_from_the_results():
    league = League()

    def go(moment: datetime) -> None:
        is_running = Pairing.objects.filter(decided_at=None, battle__isnull=False).exists()
        league.go_to(moment, step=18 * HOUR if is_running else 7 * DAY, clocks=is_running)

    play_two_seasons(league, go, players=9)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_league_of_seventeen_plays_two_seasons_under_workers_that_are_killed(tmp_path):
    league = League()
    with Workers(tmp_path / "clock", league) as workers:
        play_two_seasons(league, workers.go, players=17)
        assert workers.killed > 20
