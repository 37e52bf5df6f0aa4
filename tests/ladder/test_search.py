"""The search over all battles that are over: it finds exactly what matches, newest first, and says what is wrong."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.test import Client

from accounts.models import User
from ladder.models import BattleSide, CountedBattle, Feat, SpellUse
from ladder.selectors.search import BattleSearch, Person, search_battles
from ladder.services.count_requests import ask_for_count
from notifications.services.preferences import set_preference
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user
from tests.site.crowds import copy_battle

pytestmark = pytest.mark.django_db
RULESETS, ENDINGS, RESULTS = (
    ("firetop-standard", "warlocks"),
    ("kill", "surrender", "called_off"),
    ("won", "lost", "drew"),
)
SPELLS, FEATS, OPENINGS = ("Shield", "Finger of Death", "Fireball"), ("unhurt", "giant"), ("SWPD", "SWPP", "WPPF", "")


@dataclass
class Fact:
    """A counted battle as this test remembers it."""

    number: int
    ruleset: str
    kind: str
    ending: str
    turns: int
    with_bots: bool
    ended: object
    sides: list


@dataclass
class SideFact:
    mage: object
    result: str
    opening: str
    worked: dict
    feats: set


def make_records(seed, mages, count):
    """Write random battles into the records, and return what was written."""
    dice, facts = random.Random(seed), []
    for number in range(1, count + 1):
        fact = Fact(
            number, dice.choice(RULESETS), dice.choice(("duel", "melee")), dice.choice(ENDINGS), dice.randint(1, 9),
            dice.random() < 0.3, NOW + timedelta(hours=dice.randint(1, 50)), [],
        )  # fmt: skip
        battle = CountedBattle.objects.create(
            number=number, kind=fact.kind, counts=True, ruleset=fact.ruleset, edition=1, turns=fact.turns,
            ending=fact.ending, started_at=NOW, finished_at=fact.ended, with_bots=fact.with_bots,
        )  # fmt: skip
        for mage in dice.sample(mages, 2 if fact.kind == "duel" else 3):
            spells = {spell: dice.randint(0, 1) for spell in SPELLS if dice.random() < 0.4}
            feats = {feat for feat in FEATS if dice.random() < 0.2}
            one = SideFact(mage, dice.choice(RESULTS), dice.choice(OPENINGS), spells, feats)
            side = BattleSide.objects.create(
                battle=battle, mage=mage, user=mage.user, number=number, kind=fact.kind, counts=True,
                ruleset=fact.ruleset, finished_at=battle.finished_at, result=one.result, end="lived", hit_points=3,
                opening=one.opening,
            )  # fmt: skip
            for spell, worked in spells.items():
                SpellUse.objects.create(side=side, number=number, spell=spell, cast=1, worked=worked, failed=1 - worked)
            for feat in feats:
                Feat.objects.create(battle=battle, mage=mage, kind=feat, turn="3")
            fact.sides.append(one)
        facts.append(fact)
    return facts


def is_person(side, person):
    return side.mage.pk == person.mage_id or (person.user_id is not None and side.mage.user_id == person.user_id)


def matches(fact, wanted):
    """The same search, told in Python."""
    if any(value and value != getattr(fact, name) for name, value in (
        ("ruleset", wanted.ruleset), ("kind", wanted.kind), ("ending", wanted.ending)
    )):  # fmt: skip
        return False
    if not (wanted.shortest or 0) <= fact.turns <= (wanted.longest or 99):
        return False
    if wanted.with_bots not in (None, fact.with_bots):
        return False
    if not (wanted.since or fact.ended) <= fact.ended < (wanted.until or fact.ended + timedelta(1)):
        return False
    if wanted.against and not any(is_person(side, wanted.against) for side in fact.sides):
        return False
    theirs = [side for side in fact.sides if wanted.who is None or is_person(side, wanted.who)]
    if wanted.feat and not any(wanted.feat in side.feats for side in theirs):
        return False
    return any(
        side.result == (wanted.result or side.result)
        and side.opening.startswith(wanted.opening)
        and (not wanted.spell or side.worked.get(wanted.spell, -1) >= int(wanted.worked))
        for side in theirs
    )


def draw_search(dice, mages):
    def sometimes(values, chance=0.35):
        return dice.choice(values) if dice.random() < chance else ""

    people = [Person(mage_id=mage.pk) for mage in mages] + [Person(user_id=mage.user_id) for mage in mages]
    spell = sometimes(SPELLS)
    return BattleSearch(
        who=sometimes(people) or None, against=sometimes(people, 0.2) or None, result=sometimes(RESULTS, 0.2),
        ruleset=sometimes(RULESETS, 0.2), kind=sometimes(("duel", "melee"), 0.2),
        opening=sometimes(("SW", "SWPP", "W")),
        spell=spell, worked=bool(spell) and dice.random() < 0.5, feat=sometimes(FEATS, 0.2),
        ending=sometimes(ENDINGS, 0.2), shortest=sometimes((2, 5), 0.2) or None, longest=sometimes((4, 8), 0.2) or None,
        with_bots=dice.choice((None, None, None, True, False)),
        since=sometimes((NOW + timedelta(hours=20), NOW + timedelta(hours=30)), 0.2) or None,
        until=sometimes((NOW + timedelta(hours=25), NOW + timedelta(hours=40)), 0.2) or None,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_exactly_what_matches_in_pages_newest_first(seed):
    mages = [make_mage(name) for name in ("Froodal", "Bung", "Crom", "Zex")]
    mages.append(make_mage("Anselm", user=mages[0].user))
    facts, dice, found_any = make_records(seed, mages, 40), random.Random(seed), 0
    for _ in range(60):
        wanted = draw_search(dice, mages)
        expected = [fact.number for fact in reversed(facts) if matches(fact, wanted)]
        found, last = [], None
        while True:
            page = search_battles(wanted, older_than=last, limit=3)
            found += page.numbers
            if not page.has_more:
                break
            assert len(page.numbers) == 3
            last = page.numbers[-1]
        assert found == expected, wanted
        found_any += bool(found)
    assert found_any > 20


@pytest.mark.postgres
def test_it_takes_a_few_statements_however_much_is_asked(django_assert_num_queries):
    """A savepoint and its end, the plan's mode and back, how rare the opening is, and the search."""
    mages = [make_mage(name) for name in ("Froodal", "Bung", "Crom")]
    make_records(1, mages, 5)
    with django_assert_num_queries(6):
        search_battles(BattleSearch(who=Person(mage_id=mages[0].pk), spell="Shield", feat="giant", opening="SW"))


def look(query, user=None):
    client = Client()
    if user:
        client.force_login(user)
    return client.get(f"/battles/search/?{query}")


def test_a_battle_is_found_once_it_is_counted_and_no_longer_when_it_is_taken_out():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("F/-", "W/-")])
    link = f"/battles/{fight.number}/"
    assert link not in look("who=Froodal").content.decode()
    fight.order("Froodal", "LH P\nRH P")
    fight.order("Bung", "LH -\nRH -")
    count_finished_battles()
    assert link in look("who=Froodal").content.decode()
    assert link in look("who=Froodal_user&against=bung&ending=surrender").content.decode()
    assert link in look("who=Bung&result=won&opening=W-").content.decode()
    assert link not in look("who=Bung&result=lost").content.decode()
    CountedBattle.objects.all().delete()
    assert link not in look("who=Froodal").content.decode()
    ask_for_count(battle=fight.number)
    count_finished_battles()
    assert link in look("who=Froodal").content.decode()


def test_days_begin_and_end_in_the_readers_time_zone():
    """NOW is late in the evening of UTC, so that it is already the next day in Tokyo."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("P/P", "W/-")
    late = datetime(2026, 3, 1, 20, tzinfo=UTC)
    count_finished_battles()
    CountedBattle.objects.update(finished_at=late)
    link, reader = f"/battles/{fight.number}/", make_user("Olga")
    assert link in look("since=2026-03-01&until=2026-03-01").content.decode()
    assert link not in look("until=2026-02-28").content.decode() + look("since=2026-03-02").content.decode()
    set_preference(user=reader, key="time_zone", value="Asia/Tokyo")
    assert link in look("since=2026-03-02&until=2026-03-02", reader).content.decode()
    assert link not in look("until=2026-03-01", reader).content.decode()


def test_bots_are_distinguished_from_people():
    bot = make_mage("Clank")
    User.objects.filter(pk=bot.user_id).update(is_bot=True)
    fight, other = start_fight(make_mage("Froodal"), bot), start_fight(make_mage("Bung"), make_mage("Crom"))
    fight.turn("P/P", "W/-")
    other.turn("P/P", "W/-")
    count_finished_battles()
    link, people = f'/battles/{fight.number}/"', f'/battles/{other.number}/"'
    for query, is_there in (("", True), ("bots=with", True), ("bots=without", False)):
        page = look(query + "&kind=duel").content.decode()
        assert (link in page, people in page) == (is_there, query != "bots=with")


def call(query):
    return Client().get(f"/api/v1/battles/search/?{query}")


def test_a_program_finds_what_the_page_finds():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("P/P", "W/-")
    count_finished_battles()
    told = call("who=Froodal&ending=surrender&worked=false").json()
    assert told["before"] is None
    (found,) = told["battles"]
    assert (found["battle"], found["winners"], found["turn"]) == (fight.number, ["Bung"], "1")
    assert call(f"before={fight.number}").json() == {"battles": [], "before": None}


def test_a_program_gets_pages_of_fifty():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("P/P", "W/-")
    count_finished_battles()
    fights = [fight.battle, *copy_battle(fight.battle, 51)]
    counted, sides = CountedBattle.objects.get(), list(BattleSide.objects.all())
    for battle in fights[1:]:
        counted.pk, counted.number = None, battle.number
        counted.save(force_insert=True)
        for side in sides:
            side.pk, side.battle, side.number = None, counted, battle.number
            side.save(force_insert=True)
    first = call("who=Bung").json()
    second = call(f"who=Bung&before={first['before']}").json()
    numbers = [each["battle"] for each in first["battles"] + second["battles"]]
    assert (len(first["battles"]), second["before"]) == (50, None)
    assert numbers == sorted((battle.number for battle in fights), reverse=True)


def test_an_api_error_names_each_wrong_parameter():
    answer = call("who=nobody&shortest=0&opening=SWP&since=x")
    assert answer.status_code == 400 and answer.json()["code"] == "parameter"
    assert {each["place"] for each in answer.json()["problems"]} == {"who", "shortest", "opening", "since"}
    assert call("before=x").status_code == 400


@pytest.mark.parametrize(
    ("query", "nearest", "words"),
    [
        ("who=Frodal", "Froodal", "No user or mage is called Frodal. Did you mean Froodal?"),
        ("kind=duels", "duel", '"kind" cannot be "duels". Did you mean duel?'),
        ("bots=zzz", None, '"bots" cannot be "zzz". Choose from: with, without.'),
        ("spell=Fier", None, '"spell" cannot be "Fier". There are none.'),
    ],
)
def test_an_api_error_names_the_nearest_value(query, nearest, words):
    make_mage("Froodal")
    (problem,) = call(query).json()["problems"]
    assert (problem["nearest"], problem["message"]) == (nearest, words)


def test_a_running_battle_is_never_found():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("F/-", "W/-")])
    count_finished_battles()
    assert f"/battles/{fight.number}/" not in look("who=Froodal").content.decode()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("who=Frodal", "No user or mage is called Frodal."),
        ("who=Frodal", "Froodal"),
        ("against=nobody+at+all", "No user or mage is called nobody at all."),
        ("opening=SWP", "is not an opening"),
        ("spell=Fier", "Select a valid choice"),
        ("ruleset=chess", "Select a valid choice"),
        ("shortest=0", "greater than or equal to 1"),
        ("shortest=9&longest=3", "less than the minimum number of turns"),
        ("since=yesterday", "Enter a date like 2026-11-23."),
        ("until=9999-12-31", "less than or equal to"),
        ("since=2026-11-23&until=2026-11-22", "before the start date"),
        ("bots=some", "Select a valid choice"),
        ("worked=on", "Choose the spell that worked."),
        ("who=" + "x" * 200, "at most 100 characters"),
    ],
)
def test_problems_are_shown_at_their_fields_and_nothing_is_searched(query, words):
    make_mage("Froodal")
    answer = look(query)
    assert answer.status_code == 422 and words in answer.content.decode()


def test_an_empty_page_says_what_to_do():
    make_mage("Froodal")
    assert "No battles match. Clear a field" in look("who=Froodal").content.decode()
    assert "There are no older battles that match." in look("who=Froodal&before=7").content.decode()


def test_the_link_to_older_battles_keeps_what_was_asked(monkeypatch):
    mages = [make_mage(name) for name in ("Froodal", "Bung", "Crom")]
    make_records(1, mages, 9)
    CountedBattle.objects.update(kind="duel")
    monkeypatch.setattr("studies.views.search.search_battles", partial(search_battles, limit=1))
    assert look("who=Froodal&kind=duel").context["older"].startswith("who=Froodal&kind=duel&before=")
