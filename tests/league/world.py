"""A league for tests: real users, mages, battles and rules, and a clock of its own."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from accounts.models import Mage, User
from duels.models import Battle
from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.sweep import sweep_absences, sweep_deadlines
from duels.services.orders import submit_orders
from league.models import Entry, Pairing, Place, Season
from league.selectors.seasons import find_open_season
from league.services.entries import sign_up
from league.services.run import process_league
from tests.scenes import NOW, make_mage

SURRENDER = "LH P\nRH P"
WAIT = "LH -\nRH -"
# What both play so that a duel goes on: nobody is ever hit.
QUIET = "LH W\nRH -"


@dataclass
class League:
    """The league at `now`, and what happens in it."""

    now: datetime = NOW
    mages: dict[str, Mage] = field(default_factory=dict)

    def enter(self, *names: str) -> list[Entry]:
        """Sign up a new user for each of these mages, each a second after the one before."""
        entries = []
        for name in names:
            self.mages[name] = mage = make_mage(name)
            self.now += timedelta(seconds=1)
            entries.append(sign_up(user=mage.user, mage=mage, now=self.now))
        return entries

    def user(self, name: str) -> User:
        return self.mages[name].user

    def run(self) -> int:
        return process_league(now=self.now)

    def go_to(self, moment: datetime, *, step: timedelta = timedelta(weeks=1), clocks: bool = False) -> None:
        """Let time pass, and the workers do what is due in the league. Only with `clocks` do players run out of it."""
        while self.now < moment:
            self.now = min(self.now + step, moment)
            if clocks:
                sweep_deadlines(now=self.now)
                sweep_absences(now=self.now)
            self.run()

    def begin_season(self) -> Season:
        """Let the season that comes next be drawn and begin."""
        self.run()
        season = self.season
        self.go_to(season.draws_at)
        self.go_to(self.season.begins_at)
        return self.season

    def begin_round(self, number: int) -> None:
        self.go_to(self.season.begin_of_round(number))
        assert self.season.round == number

    @property
    def season(self) -> Season:
        found = find_open_season()
        assert found is not None
        return found

    def place(self, name: str, season: Season | None = None) -> Place:
        places = Place.objects.select_related("group", "mage", "user")
        return places.get(user=self.user(name), group__season=season or self.season)

    def tier(self, name: str) -> int:
        group = self.place(name).group
        assert group is not None
        return group.tier

    def duel(self, one: str, other: str, season: Season | None = None) -> Pairing:
        """Return the duel of two users in a season."""
        pair = {self.user(one), self.user(other)}
        found = Pairing.objects.select_related("battle", "first__user", "second__user", "group")
        for pairing in found.filter(group__season=season or self.season, second__isnull=False):
            if {pairing.first.user, pairing.second and pairing.second.user} == pair:
                return pairing
        raise LookupError(f"{one} does not meet {other}")

    @staticmethod
    def again(pairing: Pairing) -> Pairing:
        """Return a duel as its row is now."""
        return Pairing.objects.select_related("battle", "first__user", "second__user").get(pk=pairing.pk)

    def list_round(self, number: int) -> list[Pairing]:
        found = Pairing.objects.select_related("first__mage", "second__mage")
        return list(found.filter(group__season=self.season, round=number, second__isnull=False))

    def duels_of(self, name: str) -> list[Pairing]:
        place = self.place(name)
        return [*place.pairings_as_first.all(), *place.pairings_as_second.all()]

    def other(self, pairing: Pairing, name: str) -> Place:
        """Return who meets that user."""
        places = [place for place in (pairing.first, pairing.second) if place and place.user_id != self.user(name).pk]
        return places[0]

    def order(self, pairing: Pairing, place: Place, text: str) -> None:
        battle = pairing.battle
        assert battle is not None
        mage = battle.combatants.get(mage__user=place.user_id).mage
        combatant = get_combatant_for_user(number=battle.number, user=place.user, mage_name=mage.name)
        submit_orders(combatant=combatant, text=text, via="web", now=self.now, ready=True)

    def play(self, pairing: Pairing, first: str, second: str) -> Battle:
        """Play a turn of a duel that has begun; return its battle."""
        pairing = self.again(pairing)
        assert pairing.second is not None and pairing.battle is not None
        self.order(pairing, pairing.first, first)
        self.order(pairing, pairing.second, second)
        pairing.battle.refresh_from_db()
        return pairing.battle

    def win(self, pairing: Pairing, name: str) -> None:
        """Let the other mage of a duel surrender."""
        is_first = pairing.first.user_id == self.user(name).pk
        battle = self.play(pairing, *((WAIT, SURRENDER) if is_first else (SURRENDER, WAIT)))
        assert battle.is_over

    def draw(self, pairing: Pairing) -> None:
        assert self.play(pairing, SURRENDER, SURRENDER).is_over
