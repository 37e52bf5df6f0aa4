"""Analyses of battles that are over: asked once, continued after a kill, and no help in a running battle."""

from datetime import timedelta

import pytest
from django.test import Client

from duels.models import Battle
from rules_engine.bots.analyse import analyse_turn
from rules_engine.bots.findings import EDITION, percent
from studies import tasks
from studies.models import AnalysedTurn, Analysis
from studies.selectors.turning_points import find_turns_that_mattered
from studies.services import analyses
from studies.services.analyses import DEEP_WINDOW, LEASE, MOST_DEEP, MOST_TRIES, analyse_next_turn, ask_for_analysis
from tests.duels.fights import start_fight
from tests.html import flat
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.studies.fights import fight_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("shallow")]


def finish(now=NOW):
    while analyse_next_turn(now=now):
        pass


def read_facts():
    return list(AnalysedTurn.objects.order_by("seq").values_list("seq", "facts"))


def test_a_player_asks_watches_and_reads(ended):
    address, bung = f"/battles/{ended.number}/analysis/", log_in(ended.user("Bung"))
    assert "Analyse this battle" in bung.get(address).content.decode()
    assert bung.post(address)["Location"] == f"{address}?by=Magus"
    assert "0 of 5 turns are done" in bung.get(address).content.decode()
    assert sum(iter(tasks.analyse_battles, 0)) == 5
    page = Client().get(address).content.decode()
    assert "Turn 5 decides it." in page and "Bung showed both palms, which is a surrender, with a " in page
    assert "Accuracy" in page and "What both should mix" in page and "Skill and luck in this turn" in page
    assert "FM-SURR-1" in page and f'href="/battles/{ended.number}/what-if/5/"' in page
    assert Analysis.objects.get().summary["decided"] == 5
    assert "Analysed by the Magus." in page
    for seq in range(1, 6):
        link = f'href="{address}?by=Magus&amp;turn={seq}" id="graph-{seq}" aria-label="Turn {seq}, chance of Froodal '
        assert link in page
        turn = Client().get(address, {"turn": seq}).content.decode()
        assert f"<h2>Turn {seq}</h2>" in turn and "Froodal played" in turn and "Bung played" in turn
    for unknown in ("9" * 5000, "6", "-1", "five"):
        assert "<h2>Turn 5</h2>" in Client().get(address, {"turn": unknown}).content.decode()
    mine = bung.get(address, {"turn": 5, "fragment": "turn"}).content.decode()
    assert "You played" in mine and "Turn 5, your chance " in mine and "<!doctype" not in mine


def test_the_archmage_analyses_too_and_each_analysis_says_whose_it_is(ended, monkeypatch):
    thought = []

    def think(*about, strength, **named):
        thought.append(strength)
        return analyse_turn(*about, strength=strength, **named)

    monkeypatch.setattr(analyses, "analyse_turn", think)
    address, bung = f"/battles/{ended.number}/analysis/", log_in(ended.user("Bung"))
    bung.post(address)
    by_archmage = f"{address}?by=Archmage"
    assert "The Archmage looks at every turn" in bung.get(by_archmage).content.decode()
    assert bung.post(by_archmage, {"by": "Archmage"})["Location"] == by_archmage
    assert "0 of 5 turns are done" in bung.get(by_archmage).content.decode()
    finish()
    assert sorted(thought) == ["Archmage"] * 5 + ["Magus"] * 5
    assert "Analysed by the Archmage." in Client().get(by_archmage).content.decode()
    assert "Analysed by the Magus." in Client().get(address).content.decode()
    by_bot = {each.strength: [turn.facts for turn in each.turns.all()] for each in Analysis.objects.all()}
    assert sorted(by_bot) == ["Archmage", "Magus"]
    Analysis.objects.filter(strength="Archmage").delete()
    bung.post(address, {"by": "Archmage"})
    finish()
    assert [turn.facts for turn in Analysis.objects.get(strength="Archmage").turns.all()] == by_bot["Archmage"]


def test_the_archmage_works_on_one_battle_at_a_time_for_a_user_and_on_a_few_a_day(ended):
    user, battles = ended.user("Froodal"), [Battle.objects.get(number=ended.number)]
    battles += [fight_to_the_end(f"Red{n}", f"Blue{n}").battle for n in range(MOST_DEEP)]

    def ask(battle, now=NOW):
        return ask_for_analysis(battle=battle, user=user, now=now, strength="Archmage")

    first = ask(battles[0])
    assert ask(battles[0]) == first
    with refused("archmage_busy", match="still analysing"):
        ask(battles[1])
    ask_for_analysis(battle=battles[1], user=user, now=NOW)
    Analysis.objects.update(done_at=NOW)
    for battle in battles[1:-1]:
        ask(battle)
        Analysis.objects.update(done_at=NOW)
    with refused("archmage_too_often", match="within a day"):
        ask(battles[-1])
    assert ask(battles[-1], NOW + DEEP_WINDOW)


def test_the_archmage_is_offered_for_duels_alone(db):
    fight = start_fight(*map(make_mage, ("Ayla", "Borin", "Crom")))
    fight.turn("P/P", "P/P", "-/-")
    address = f"/battles/{fight.number}/analysis/"
    page = log_in(fight.user("Ayla")).get(address).content.decode()
    assert "Analyse this battle" in page and "Archmage" not in page
    refused = log_in(fight.user("Ayla")).post(address, {"by": "Archmage"})
    assert refused.status_code == 409 and "duels only" in refused.content.decode()


def test_asking_again_changes_nothing(ended):
    user, battle = ended.user("Froodal"), Battle.objects.get(number=ended.number)
    first = ask_for_analysis(battle=battle, user=user, now=NOW)
    assert ask_for_analysis(battle=battle, user=make_user("Olga"), now=NOW) == first
    finish()
    facts = read_facts()
    done = Analysis.objects.get()
    assert ask_for_analysis(battle=battle, user=user, now=NOW) == first and not analyse_next_turn(now=NOW)
    assert (read_facts(), Analysis.objects.get().done_at) == (facts, done.done_at)
    Analysis.objects.all().delete()
    ask_for_analysis(battle=battle, user=user, now=NOW)
    finish()
    assert read_facts() == facts and Analysis.objects.get().summary == done.summary


@pytest.mark.parametrize("killed_at", [0, 2, 4])
def test_a_worker_that_is_killed_half_way_is_followed_by_another(ended, killed_at, monkeypatch):
    battle = Battle.objects.get(number=ended.number)
    ask_for_analysis(battle=battle, user=ended.user("Froodal"), now=NOW)
    for _turn in range(killed_at):
        analyse_next_turn(now=NOW)

    def die(*args, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(analyses, "analyse_turn", die)
        analyse_next_turn(now=NOW)
    assert not analyse_next_turn(now=NOW), "the lease is not over"
    finish(NOW + LEASE + timedelta(seconds=1))
    assert [seq for seq, _ in read_facts()] == [1, 2, 3, 4, 5] and Analysis.objects.get().done_at


def test_an_analysis_that_always_fails_is_abandoned(ended, monkeypatch):
    ask_for_analysis(battle=Battle.objects.get(number=ended.number), user=ended.user("Froodal"), now=NOW)
    monkeypatch.setattr(analyses, "analyse_turn", lambda *args, **named: 1 / 0)
    for time in range(MOST_TRIES + 1):
        assert analyse_next_turn(now=NOW + 2 * time * LEASE)
    assert not analyse_next_turn(now=NOW + 99 * LEASE)
    page = Client().get(f"/battles/{ended.number}/analysis/").content.decode()
    assert "could not be analysed" in page


def test_a_running_battle_is_not_analysed(ended):
    fight = start_fight(make_mage("Second"), make_mage("Third"))
    fight.turn("S/W", "P/S")
    address = f"/battles/{fight.number}/analysis/"
    for who in (Client(), log_in(fight.user("Second")), log_in(make_user("Olga"))):
        assert who.get(address).status_code == 409
    assert log_in(fight.user("Second")).post(address).status_code == 409
    assert Client().post(f"/battles/{ended.number}/analysis/")["Location"].startswith("/accounts/login/")
    assert not Analysis.objects.exists()


def test_a_turn_like_or_one_turn_from_a_running_battle_of_the_reader_is_withheld(ended):
    """The opening of the battle that is over is played again by Froodal: its analysis would be advice."""
    ask_for_analysis(battle=Battle.objects.get(number=ended.number), user=ended.user("Froodal"), now=NOW)
    finish()
    again = start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    address = f"/battles/{ended.number}/analysis/"

    def withheld(who):
        pages = {seq: who.get(address, {"turn": seq}).content.decode() for seq in range(1, 6)}
        return [seq for seq, page in pages.items() if "is hidden because" in page]

    froodal = log_in(ended.user("Froodal"))
    assert withheld(froodal) == [1, 2] and withheld(Client()) == []
    again.turns([("S/W", "P/S"), ("D/W", "W/S")])
    assert withheld(froodal) == [2, 3, 4]
    page = froodal.get(address).content.decode()
    assert "Accuracy" not in page and 'class="mattered"' not in page
    hidden = froodal.get(address, {"turn": 3}).content.decode()
    assert "played" not in hidden.split('class="turn-panel"')[1].split("<footer")[0]
    # The chance before a hidden turn is the one after the turn before it.
    assert "→" not in froodal.get(address, {"turn": 1}).content.decode().split("panel-head")[1].split("</div>")[0]
    again.turn("W/W", "W/W")
    assert 3 in withheld(froodal) and withheld(log_in(ended.user("Bung"))) == []


def test_the_end_names_the_turns_that_mattered_once_an_analysis_knows_them(ended):
    address, froodal, bung = f"/battles/{ended.number}/", log_in(ended.user("Froodal")), log_in(ended.user("Bung"))

    def read_page(who):
        return flat(who.get(address).content.decode())

    coming, told = "We are still analysing the battle.", "Three turns that mattered"
    assert told not in read_page(froodal) and coming in read_page(froodal)
    ask_for_analysis(battle=Battle.objects.get(number=ended.number), user=ended.user("Froodal"), now=NOW)
    assert told not in read_page(froodal) and coming in read_page(froodal)
    finish()
    before = dict(read_facts())[5]["chances"]
    for who, mage, sentence, end in (
        (froodal, "Froodal", "Bung showed both palms, which is a surrender.", "100%"),
        (bung, "Bung", "You showed both palms, which is a surrender.", "0%"),
    ):
        page = read_page(who)
        assert told in page and coming not in page and sentence in page
        assert f'{percent(before[mage])} <span aria-hidden="true">→</span>' in page and f"<b>{end}</b>" in page
        assert f'href="{address}analysis/?turn=5"' in page
    found = find_turns_that_mattered(number=ended.number, user=ended.user("Bung"), mage="Bung")
    mistakes = [turn.seq for turn in found if turn.mark == "??"]
    assert ("Solve turn" in read_page(bung)) == bool(mistakes) and "Solve turn" not in read_page(froodal)
    if mistakes:
        assert f'href="{address}mistakes/{mistakes[0]}/"' in read_page(bung)
    # Spectators don't get a player's ending. A player in a battle with the same opening gets no hint for it.
    assert told not in read_page(Client())
    start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    assert told not in read_page(froodal) and told in read_page(bung)


def test_an_analysis_of_an_older_edition_still_shows_and_is_made_anew_once_when_asked_for(ended):
    battle, user = Battle.objects.get(number=ended.number), ended.user("Froodal")
    ask_for_analysis(battle=battle, user=user, now=NOW)
    finish()
    fresh, summary = read_facts(), Analysis.objects.get().summary
    # What an analysis of the first edition said.
    for row in AnalysedTurn.objects.all():
        facts = {name: value for name, value in row.facts.items() if name not in ("mixes", "rolls")}
        old = ("gestures", "spells", "chance", "best", "faced", "better", "better_spells")
        facts["moves"] = {mage: {name: move[name] for name in old} for mage, move in facts["moves"].items()}
        AnalysedTurn.objects.filter(pk=row.pk).update(facts=facts)
    Analysis.objects.update(summary={"decided": 5, "gain": 0.5, "accuracy": {"Froodal": 99, "Bung": 80}})
    address, bung = f"/battles/{ended.number}/analysis/", log_in(ended.user("Bung"))
    page = bung.get(address).content.decode()
    assert (
        "Froodal <b>96</b>" in page
        and "Bung <b>58</b>" in page
        and "Analyse again" in page
        and "Bung showed both palms" in page
    )
    assert len(find_turns_that_mattered(number=ended.number, user=user, mage="Froodal")) == 3
    bung.post(address)
    again = Analysis.objects.get()
    assert (again.done_at, again.asked_by, again.turns.count()) == (None, ended.user("Bung"), 0)
    analyse_next_turn(now=NOW)
    bung.post(address)
    assert again.turns.count() == 1, "asking again begins nothing"
    finish()
    assert (read_facts(), Analysis.objects.get().summary) == (fresh, summary) and summary["edition"] == EDITION
    bung.post(address)
    assert Analysis.objects.get().done_at == NOW and again.turns.count() == 5


def test_three_turns_that_mattered_are_told_to_each_player_once_the_analysis_is_done(ended):
    def ask(mage, user=None):
        return find_turns_that_mattered(number=ended.number, user=user or ended.user(mage), mage=mage)

    assert ask("Froodal") is None
    battle = Battle.objects.get(number=ended.number)
    ask_for_analysis(battle=battle, user=ended.user("Froodal"), now=NOW)
    analyse_next_turn(now=NOW)
    assert ask("Froodal") is None, "half of an analysis"
    finish()
    mine, theirs = ask("Froodal"), ask("Bung")
    assert len(mine) == len(theirs) == 3
    assert [turn.seq for turn in mine] == sorted(turn.seq for turn in mine)
    last = theirs[-1]
    assert (last.seq, last.sentence, last.after) == (5, "You showed both palms, which is a surrender.", 0.0)
    assert last.mark == "??" and mine[-1].sentence == "Bung showed both palms, which is a surrender."
    assert mine[-1].after == 1.0 and mine[-1].before == pytest.approx(1 - last.before, abs=0.002)
    # Froodal begins again like this: nothing is told that could help.
    start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    assert ask("Froodal") == () and len(ask("Bung")) == 3


def test_the_replay_has_the_graph_once_the_battle_is_over_and_analysed(ended):
    address = f"/battles/{ended.number}/replay/2/"

    def read_page(who):
        return who.get(address).content.decode()

    froodal, graph, columns = log_in(ended.user("Froodal")), 'class="chance-graph"', 'class="turn-columns"'
    assert columns in read_page(froodal) and graph not in read_page(froodal)
    ask_for_analysis(battle=Battle.objects.get(number=ended.number), user=ended.user("Froodal"), now=NOW)
    finish()
    page = read_page(froodal)
    assert graph in page and columns not in page and "Replay: you against Bung" in page
    assert f'href="{address}" id="graph-2" aria-label="Turn 2, your chance ' in page
    assert 'aria-label="Turn 2, chance of Froodal ' in read_page(Client())
    # It begins again like this: the chances of these turns would help.
    start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    assert 'id="graph-2" aria-label="Turn 2"' in read_page(froodal)
    # Reopened, it is a battle like any other that runs.
    Battle.objects.filter(number=ended.number).update(status="running", finished_at=None)
    assert graph not in read_page(froodal) and graph not in read_page(Client())


def test_an_analysis_of_a_battle_that_is_reopened_is_dropped(ended):
    ask_for_analysis(battle=Battle.objects.get(number=ended.number), user=ended.user("Froodal"), now=NOW)
    analyse_next_turn(now=NOW)
    Battle.objects.update(status="running", finished_at=None)
    assert Client().get(f"/battles/{ended.number}/analysis/").status_code == 409
    finish()
    assert not Analysis.objects.exists() and not AnalysedTurn.objects.exists()


def test_a_user_with_waiting_analyses_cannot_request_more():
    user = make_user("Olga")
    # Of one turn each, which is soon analysed.
    fights = [start_fight(make_mage(f"Red{n}"), make_mage(f"Blue{n}")) for n in range(4)]
    for fight in fights:
        fight.turn("-/-", "P/P")
    *asked, next_one = [fight.battle for fight in fights]
    for battle in asked:
        ask_for_analysis(battle=battle, user=user, now=NOW)
    refused = log_in(user).post(f"/battles/{next_one.number}/analysis/")
    assert refused.status_code == 409 and "still waiting" in refused.content.decode()
    finish()
    assert log_in(user).post(f"/battles/{next_one.number}/analysis/").status_code == 302
