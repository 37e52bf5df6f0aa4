"""A league played by email alone: signing up, tables, duels, wishes, leaving, and what is refused."""

import pytest

from accounts.models import User
from league.models import Entry, Pairing, Place
from league.selectors.seasons import find_open_season
from league.services.run import process_league
from league.services.run_cups import make_next_cups
from notifications.services.preferences import set_preference
from tests.email_gateway.world import PASSWORD, MailWorld, body

NAMES = ("Ann", "Ben", "Cal", "Dee")

pytestmark = pytest.mark.django_db


class Post:
    """Four people who only have email, and their league."""

    def __init__(self, world: MailWorld) -> None:
        self.world = world
        for name in NAMES:
            self.world.mage(f"{name}mage", self.world.user(name))

    def ask(self, name: str, text: str) -> str:
        return self.world.ask(f"USER {name} {PASSWORD}\n{text}", sender=f"{name.lower()}@example.org")

    def run(self, *, until=None) -> None:
        if until is not None:
            self.world.now = until
        process_league(now=self.world.now)

    def begin(self) -> None:
        """Let everyone enter, and the season be drawn and begin."""
        for name in NAMES:
            self.ask(name, "JOIN LEAGUE")
        self.run()
        season = find_open_season()
        self.run(until=season.draws_at)
        self.run(until=season.begins_at)

    def battle_of(self, name: str) -> Pairing:
        running = Pairing.objects.filter(battle__isnull=False, decided_at=None)
        return next(each for each in running if name in (each.first.user.username, each.second.user.username))


@pytest.fixture
def post(world: MailWorld) -> Post:
    return Post(world)


def test_four_people_play_a_league_by_email_alone(post: Post):
    answer = post.ask("Ann", "JOIN LEAGUE\nLEAGUE")
    assert "Annmage is in the league." in answer
    assert "The season begins when there are four." in answer
    for name in NAMES[1:]:
        post.ask(name, "JOIN LEAGUE")
    post.run()
    season = find_open_season()
    post.run(until=season.draws_at)
    drawn = [mail for mail in post.world.new_mails() if "You are in League 1" in mail["Subject"]]
    assert len(drawn) == 4 and "meets" in body(drawn[0])
    post.run(until=season.begins_at)
    begun = [mail for mail in post.world.new_mails() if mail["Reply-To"]]
    assert len(begun) == 4, "one email to each about the duel that begins"

    table = post.ask("Ann", "LEAGUE")
    assert "League 1, season 1. Round 1 of 7." in table and "Points" in table
    assert "it waits for your orders" in table
    pairing = post.battle_of("Ann")
    number, loser = pairing.battle.number, pairing.second.user.username
    winner = pairing.first.user.username
    post.ask(loser, f"GAME {number}\nLH P\nRH P\nEND")
    post.ask(winner, f"GAME {number}\nLH W\nRH -\nEND")
    post.run()
    told = post.ask(winner, "LEAGUE")
    assert f"won against {loser}mage" in told
    assert f"lost to {winner}mage" in post.ask(loser, "LEAGUE 1")


def test_orders_without_a_battle_count_only_if_one_battle_waits_for_the_mage(post: Post):
    post.begin()
    for number in range(2, 8):
        post.run(until=find_open_season().begin_of_round(number))
    numbers = sorted(
        each.battle.number
        for each in Pairing.objects.filter(battle__isnull=False, decided_at=None)
        if "Ann" in (each.first.user.username, each.second.user.username)
    )
    assert len(numbers) >= 2
    answer = " ".join(post.ask("Ann", "MAGE Annmage\nLH W\nRH -\nEND").split())
    assert all(str(number) in answer for number in numbers) and "Name one of them" in answer
    assert "rejected" not in post.ask("Ann", f"GAME {numbers[0]}\nLH W\nRH -\nEND")
    for number in numbers[1:-1]:
        post.ask("Ann", f"GAME {number}\nLH W\nRH -\nEND")
    assert "rejected" not in post.ask("Ann", "MAGE Annmage\nLH W\nRH -\nEND"), "now only one waits"


def test_a_pair_agrees_on_a_time_bank(post: Post):
    for name in NAMES:
        post.ask(name, "JOIN LEAGUE")
    post.run()
    season = find_open_season()
    post.run(until=season.draws_at)
    assert "if they want it, too" in " ".join(post.ask("Ann", "LEAGUE BANK benmage").split())
    assert "You both want the time bank" in " ".join(post.ask("Ben", "LEAGUE BANK Annmage").split())
    assert "a turn a day" in " ".join(post.ask("Ben", "LEAGUE BANK Annmage NO").split())
    assert "to meet Benmage" in " ".join(post.ask("Ann", "LEAGUE BANK Nobody").split())
    post.ask("Ben", "LEAGUE BANK Annmage")
    post.run(until=season.begins_at)
    refused = " ".join(post.ask("Ann", "LEAGUE BANK Calmage").split())
    assert "The pace of this duel is settled" in refused or "no league duel with Calmage" in refused


def test_leaving_says_first_what_it_costs(post: Post):
    post.begin()
    said = " ".join(post.ask("Ann", "LEAVE LEAGUE NOW").split())
    assert "0 of your 3 duels are finished. That is fewer than half" in said
    assert "in the lowest league. Repeat" in said.replace("> ", "")
    assert "Nearest: LEAVE LEAGUE NOW YES" in said
    assert not Entry.objects.filter(left_at__isnull=False).exists()
    assert "You have left the league." in post.ask("Ann", "LEAVE LEAGUE NOW YES")
    place = Place.objects.get(user__username="Ann")
    assert place.left_at is not None and place.is_void
    assert "after this season" in " ".join(post.ask("Ben", "LEAVE LEAGUE").split())
    assert Place.objects.get(user__username="Ben").left_at is None
    assert "You are not in the league." in post.ask("Ben", "LEAVE LEAGUE")


def test_another_mage_plays_the_duels_to_come(post: Post):
    post.ask("Ann", "REGISTER Second")
    assert "Which mage? You have" in " ".join(post.ask("Ann", "JOIN LEAGUE").split())
    post.ask("Ann", "JOIN LEAGUE Annmage")
    assert "Second plays your league duels" in " ".join(post.ask("Ann", "LEAGUE MAGE Second").split())
    assert Entry.objects.get(user__username="Ann").mage.name == "Second"
    assert "Benmage" in post.ask("Ann", "LEAGUE MAGE Benmage")
    assert Entry.objects.get(user__username="Ann").mage.name == "Second"


@pytest.mark.parametrize(
    ("order", "nearest"),
    [
        ("JOIN", "JOIN LEAGUE"),
        ("JOIN LEAGE", "JOIN LEAGUE"),
        ("LEAVE CUPP", "LEAVE CUP"),
        ("JOIN CUP", "LEAGUE"),
        ("LEAVE EVENING", "LEAGUE"),
        ("LEAVE LEAGUE SOON", "LEAVE LEAGUE"),
        ("LEAGUE MAG Annmage", "LEAGUE MAGE <mage>"),
        ("JOIN LEAGUE Nobody", "JOIN LEAGUE Annmage"),
    ],
)
def test_what_is_not_understood_gets_the_nearest_form(post: Post, order, nearest):
    assert f"Nearest: {nearest}" in post.ask("Ann", order)


def test_nobody_joins_without_proof_and_a_second_email_changes_nothing(post: Post):
    assert "needs a USER line" in post.world.ask("JOIN LEAGUE", sender="ann@example.org")
    assert not Entry.objects.exists()
    post.ask("Ann", "JOIN LEAGUE")
    assert "You are in the league already, with Annmage." in " ".join(post.ask("Ann", "JOIN LEAGUE").split())
    assert Entry.objects.count() == 1
    assert "No season of the league runs now." in post.world.ask("LEAGUE", sender="stranger@example.org")


def test_the_daily_email_of_someone_in_a_league_has_its_table(post: Post):
    post.begin()
    pairing = post.battle_of("Ann")
    set_preference(user=pairing.first.user, key="mail_turns", value="digest")
    reader = pairing.first.user.username
    post.world.pass_over_mails()
    number = pairing.battle.number
    for name in (reader, pairing.second.user.username):
        post.ask(name, f"GAME {number}\nLH W\nRH -\nEND")
    post.world.wait(days=1)
    mails = [mail for mail in post.world.new_mails() if mail["To"] == f"{reader.lower()}@example.org"]
    [daily] = [mail for mail in mails if "League 1, round 1 of 7" in body(mail)]
    assert "Points" in body(daily) and "Points" in body(daily, "html")


def test_a_bot_enters_the_round_robin_of_bots_by_email_and_people_do_not(post: Post):
    make_next_cups(now=post.world.now)
    User.objects.filter(username="Ann").update(is_bot=True)
    answer = " ".join(post.ask("Ann", "JOIN ROBIN\nLEAGUE").split())
    assert "Annmage is in: Round robin of" in answer and "1 in. You are in." in answer
    refused = " ".join(post.ask("Ben", "JOIN ROBIN\nLEAGUE").split())
    assert "Only bots of users can enter" in refused and "Round robin of" not in refused
    assert "You have left: Round robin of" in " ".join(post.ask("Ann", "LEAVE ROBIN").split())
    assert not Place.objects.exists()
