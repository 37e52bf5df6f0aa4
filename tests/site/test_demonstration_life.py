"""Life in the demonstration: true, loaded once or not at all, played on gently, and never without DEBUG."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from accounts.models import Engagement, Mage, Message, User
from accounts.services.bots import ensure_bots
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from challenges.models import Challenge, RoomLine
from duels.models import Battle, Combatant, Deadline, OrderSheet
from duels.services.clocks.battle_clocks import count_times_used
from fm_site.demonstration import life
from fm_site.demonstration.cast import FINISHED, LEAGUE, RUNNING
from fm_site.demonstration.playing import play_on
from fm_site.demonstration.records import FILE, read_texts, record_battle
from fm_site.demonstration.removal import remove_demonstration
from fm_site.demonstration.tasks import play_on as background_task
from fm_site.schedule import BEAT_SCHEDULE
from ladder.models import CountDue, CountedBattle, MageRecord, ScoredBattle, UserRating
from ladder.services.janitor_reports import report_disagreements
from ladder.services.refresh_ladders import refresh_ladders
from league.models import Cup, Pairing, Place, Season
from league.services.run import process_league
from notifications.models import Delivery, Notice
from rules_engine.records import parse_record, play_record
from studies.selectors.records import get_record_after_end
from studies.services.puzzles import add_committed_puzzles
from studies.services.replay_checks import find_replay_differences
from studies.tasks import count_finished_battles
from tests.services.saved_scenes import save_scene

pytestmark = pytest.mark.django_db
NOW = timezone.now()
ENDED = len(FINISHED) + sum(not fought.turns for fought in LEAGUE)
# Together they took two and a half seconds of processor time on a busy machine; three seconds are the limit.
# The cups are a tenth of them.
MOST_STATEMENTS = 5500


def prepare():
    ensure_bots(now=NOW)
    add_committed_puzzles()


@pytest.fixture
def site(settings):
    """An empty site, ready for the demonstration."""
    settings.DEBUG = settings.FM_DEMO = True
    prepare()
    return settings


def load():
    prepare()
    with override_settings(DEBUG=True, FM_DEMO=True), CaptureQueriesContext(connection) as statements:
        call_command("load_demonstration")
    return SimpleNamespace(statements=len(statements))


saved_life = save_scene(load)


@pytest.fixture
def lively(db, settings, saved_life):
    settings.DEBUG = settings.FM_DEMO = True
    return saved_life.begin()


def count_rows():
    models = (User, Mage, Battle, OrderSheet, Challenge, RoomLine, Engagement, CountedBattle, Notice, UserRating)
    return {model.__name__: model._default_manager.count() for model in models}


def test_the_recorded_battles_are_small_and_hold_what_the_cast_says():
    assert FILE.stat().st_size < 300_000
    records = {key: parse_record(text) for key, text in read_texts().items()}
    cast = {fought.key: fought for fought in (*FINISHED, *RUNNING, *LEAGUE)}
    assert records.keys() == cast.keys()
    assert len(FINISHED) == 30
    assert len({record.ruleset for record in records.values()}) >= 4
    for key, record in records.items():
        assert record.mages == cast[key].mages
        assert play_record(record).outcome == record.outcome


def test_the_command_records_the_same_battle_each_time():
    fought = next(each for each in FINISHED if each.key == "06")
    text = record_battle(fought)
    play_record(parse_record(text))
    assert record_battle(fought) == text
    # The file may come from earlier bots, who played otherwise, but not from other mages or rules.
    assert text.splitlines()[:2] == read_texts()["06"].splitlines()[:2]


def test_one_start_gives_a_mountain_with_life_and_a_second_start_changes_nothing(lively, client):
    assert lively.statements < MOST_STATEMENTS
    assert Battle.objects.filter(status=Battle.Status.FINISHED).count() == ENDED
    assert 25 <= Mage.objects.filter(user__is_bot=False).count() <= 35
    assert Mage.objects.filter(died_at__isnull=False).count() == 3
    assert RoomLine.objects.count() >= 5
    assert Challenge.objects.filter(status=Challenge.Status.OPEN, bot_pace="").count() == 4
    # What is rated and recorded is what the services count.
    count_finished_battles()
    assert not CountDue.objects.exists()
    assert not ScoredBattle.objects.filter(is_rated=False).exists()
    assert CountedBattle.objects.count() == ENDED
    assert MageRecord.objects.filter(mage__name="Emberlin", kind="duel", ruleset="").exists()
    assert report_disagreements(now=NOW) == 0
    for battle in Battle.objects.filter(status=Battle.Status.FINISHED)[::10]:
        assert find_replay_differences(battle=battle) == ()
        play_record(parse_record(get_record_after_end(number=battle.number)))
    # A duel and a melee wait for each who logs in, and not just for today.
    for name in ("Anna", "Boris"):
        owed = OrderSheet.objects.filter(combatant__mage__user__username=name, ready=False, stage__closed_at=None)
        assert set(owed.values_list("stage__battle__kind", flat=True)) == {"duel", "melee"}
        soon = timezone.now() + timedelta(days=4)
        assert not Deadline.objects.filter(combatant__mage__user__username=name, due_at__lt=soon).exists()
    for address in ("/users/Katya/", "/mages/Cinderwick/"):
        assert "ade up for the demonstration" in client.get(address).content.decode()
    assert "This is a demonstration" in client.get("/").content.decode()
    assert Message.objects.filter(reader__username="Anna", is_unread=True).count() == 1
    # Nobody else is sent anything by email.
    assert not Delivery.objects.filter(notice__user__in=User.objects.exclude(username__in=["Anna", "Boris"])).exists()
    check_league(client)
    before = count_rows()
    call_command("load_demonstration")
    assert count_rows() == before


def check_league(client):
    """The league is in its fifth round, nothing is due there, and a duel waits for each who logs in."""
    season = Season.objects.get()
    assert (season.round, season.groups.count(), Place.objects.filter(cup=None).count()) == (5, 2, 12)
    league = Pairing.objects.filter(cup=None)
    assert not league.filter(round__lte=5, battle=None, second__isnull=False).exists()
    assert process_league(now=timezone.now()) == 0
    used = Combatant.objects.filter(battle__terms__stakes="league").order_by("pk").values_list("pk", "time_used")
    before = dict(used)
    for battle in Battle.objects.filter(terms__stakes="league"):
        count_times_used(battle)
    assert dict(used.all()) == before, "what is stored is what follows from the clocks"
    for name in ("Anna", "Boris"):
        place = Place.objects.get(user__username=name, cup=None)
        client.force_login(place.user)
        page = client.get(f"/league/1/{place.group.tier}/").content.decode()
        assert "Play turn" in page and re.search(r"Time used: \w+ \d+ days", page) and "round 5 of 7" in page
        assert f"/league/1/{place.group.tier}/" in client.get("/").content.decode()

    cup = Cup.objects.get(started_at__isnull=False)
    page = client.get(f"/cups/{cup.pk}/").content.decode()
    assert "Quarter-finals" in page and page.count("turn 1") == 4
    assert [each.places.count() for each in Cup.objects.filter(started_at=None).order_by("kind")] == [4, 5, 0]


def test_a_start_that_is_killed_half_way_leaves_nothing_half_done(site, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(life, "_talk", die)
        with pytest.raises(KeyboardInterrupt):
            call_command("load_demonstration")
    assert Battle.objects.count() == 1
    call_command("load_demonstration")
    assert Battle.objects.filter(status=Battle.Status.FINISHED).count() == ENDED


@pytest.mark.parametrize(("debug", "demo"), [(True, False), (False, False)])
def test_without_debug_or_with_fm_demo_0_there_is_nobody(site, debug, demo):
    site.DEBUG, site.FM_DEMO = debug, demo
    call_command("load_demonstration")
    assert background_task() == 0
    assert not User.objects.filter(is_bot=False).exists()
    assert not Battle.objects.exists()
    assert "fm_site.demonstration.tasks.play_on" not in BEAT_SCHEDULE


def test_its_people_answer_in_the_background_and_begin_a_duel(lively):
    later = timezone.now() + timedelta(minutes=2)
    number = Battle.objects.latest("number").number
    before = Battle.objects.filter(status=Battle.Status.RUNNING).values_list("number", "seq")
    played = dict(before)
    assert play_on(now=later) >= 2
    now = dict(Battle.objects.filter(status=Battle.Status.RUNNING).values_list("number", "seq"))
    assert [each for each in played if now.get(each, 99) > played[each]]
    # Those who log in choose for themselves.
    assert OrderSheet.objects.filter(combatant__mage__name="Larkspire", ready=False, stage__closed_at=None).exists()
    Battle.objects.filter(combatants__mage__name="Nettlebrook").update(status="annulled", finished_at=later)
    play_on(now=later)
    assert Battle.objects.filter(number__gt=number).exists()


def test_one_command_removes_it_and_leaves_everyone_else(lively):
    cedric = create_user(name="Cedric", email="cedric@example.org", now=NOW)
    mage = register_mage(user=cedric, name="Froodal", now=NOW)
    battle = Battle.objects.filter(status=Battle.Status.FINISHED).first()
    Combatant.objects.create(battle=battle, mage=mage, position=9)
    assert remove_demonstration() > 15
    refresh_ladders(now=NOW)
    assert not Battle.objects.exists()
    assert User.objects.filter(is_bot=False).get() == cedric
    assert Mage.objects.filter(user=cedric).get() == mage
    assert not ScoredBattle.objects.exists()
    assert not Season.objects.exists()
    assert not UserRating.objects.exists()
