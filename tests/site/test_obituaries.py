"""Obituaries: how a mage died, its last words, its life, and a line each by people who fought it."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Mage, ObituaryLine
from accounts.services.ties import block_user, unblock_user
from accounts.services.users import create_guest
from challenges.services.retire_mages import leave_site
from duels.models import ChatLine, TurnEvent
from duels.selectors.ending import TurnThatMattered
from duels.services.chat import write_chat_line
from fm_site.pages.export import export_user
from moderation.models import JournalEntry, Report
from moderation.services.reports import lift_sanction, suspend_user
from studies.selectors.obituaries import find_last_words
from studies.services.obituaries import remove_obituary_line, write_obituary_line
from studies.tasks import count_finished_battles
from tests.duels.fights import changed_state, start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.refusals import refused
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.site.test_hostile_requests import VALUES

pytestmark = [pytest.mark.django_db, pytest.mark.once]
END = "/mages/Brunhild/end/"
LINES = f"{END}lines/"
LINE = "The only mage who ever thanked me for a Paralysis."


def read(client=None, address=END):
    return flat((client or Client()).get(address).content.decode())


def dead():
    return Mage.objects.get(name="Brunhild")


def die_by_missile(*orders, victim="Brunhild", killer="Moldavar"):
    """Return the duel in which the victim dies of a Magic Missile in turn 2."""
    fight = start_fight(make_mage(victim, "Hilde"), make_mage(killer, "Mo"))
    with changed_state(fight.battle) as state:
        state.wizards[victim].hp = 1
    first, second = orders or (("-/-", "S/-"), ("-/-", "D/-"))
    fight.turns([first, second])
    assert fight.battle.is_over
    return fight


@pytest.fixture
def fight():
    return die_by_missile()


def test_it_says_who_when_how_and_from_which_series(fight):
    page = read()
    assert "<h1>Brunhild</h1>" in page and 'href="/users/Hilde/">Hilde</a>\'s mage.' in page.replace("&#x27;", "'")
    assert ">4 May 2031</time> to <time" in page
    killed = f'Killed in turn 2 of <a href="/battles/{fight.number}/">Duel {fight.number}</a> by Moldavar'
    assert killed in page and "Magic Missile." in page
    series = page[page.index("death-series") :]
    assert '<span class="vh">S, 1</span>' in series and '<span class="vh">D, 2</span>' in series
    assert f'href="/battles/{fight.number}/replay/">Watch the last battle' in page
    assert "What could have saved" not in page, "no analysis is done"
    assert "Nobody has written about Brunhild yet." in page


def test_a_mage_who_killed_itself_or_died_without_a_blow_is_described_as_such():
    die_by_missile(("S/-", "-/-"), ("D/-\nTARGET LH Brunhild", "-/-"))
    assert "by their own Magic Missile." in read()


def test_what_could_have_saved_it_comes_from_the_analysis(fight, monkeypatch):
    asked = []

    def find(**about):
        asked.append(about)
        return (
            TurnThatMattered(1, "1", "Brunhild waited. A Shield would have held.", 0.5, 0.1, "??"),
            TurnThatMattered(2, "2", "Moldavar played D.", 0.1, 0.3, ""),
        )

    monkeypatch.setattr("fm_site.pages.mage_end.find_turns_that_mattered", find)
    page = read()
    assert 'href="#saved">What could have saved Brunhild</a>' in page
    assert "Turn 1: Brunhild waited. A Shield would have held." in page
    assert f'href="/battles/{fight.number}/analysis/?turn=1"' in page
    assert asked[0]["you"] is False and asked[0]["number"] == fight.number


def test_last_words_are_what_everyone_heard():
    fight = die_by_missile(("-/-\nSAY I had a Fire Storm for you.", "S/-"), ("-/-", "D/-\nSAY Ha."))
    assert "“I had a Fire Storm for you.”" in read()
    # Afterwards is not before the end, and spectators' talk is not the mage's.
    write_chat_line(
        battle=fight.battle, user=fight.user("Brunhild"), text="Well played", once="1" * 16, now=timezone.now()
    )
    assert "Well played" not in read()


def test_words_in_the_players_room_are_secret_while_the_battle_runs():
    """This holds for every reader: the room is closed to others until the end, and a mage may die before that."""
    fight = start_fight(make_mage("Brunhild", "Hilde"), make_mage("Moldavar", "Mo"))
    write_chat_line(battle=fight.battle, user=fight.user("Brunhild"), text="Farewell", once="1" * 16, now=NOW)
    about = {"battle": fight.number, "mage": dead(), "now": NOW}
    for reader in (AnonymousUser(), make_user("Olga"), fight.user("Moldavar")):
        assert find_last_words(reader=reader, **about) == ""
    with changed_state(fight.battle) as state:
        state.wizards["Brunhild"].hp = 1
    fight.turns([("-/-", "S/-"), ("-/-", "D/-")])
    assert find_last_words(reader=AnonymousUser(), **about) == "Farewell" and "“Farewell”" in read()


def test_what_only_some_could_hear_is_no_last_word(fight):
    turn = fight.battle.turns.order_by("seq").first()
    event = TurnEvent.objects.filter(turn=turn).first()
    TurnEvent.objects.create(
        battle=fight.battle,
        turn=turn,
        n=event.n + 900,
        stage=event.stage,
        kind="says",
        clause=event.clause,
        facts={"who": "Brunhild", "text": "psst"},
        audience=["Brunhild"],
    )
    assert "psst" not in read()
    TurnEvent.objects.filter(n=event.n + 900).update(audience=None)
    assert "“psst”" in read()


def test_words_of_the_chat_before_the_end_are_last_words(fight):
    hilde = fight.user("Brunhild")
    ChatLine.objects.create(
        battle=fight.battle, user=hilde, room="players", text="Farewell", once="x", created_at=fight.battle.finished_at
    )
    ChatLine.objects.create(
        battle=fight.battle, user=hilde, room="spectators", text="psst", once="y", created_at=fight.battle.finished_at
    )
    assert "“Farewell”" in read() and "psst" not in read()
    reader = make_user("Reader")
    block_user(user=reader, blocked=hilde, now=NOW)
    assert "Farewell" not in read(log_in(reader))
    ChatLine.objects.update(removed_at=NOW)
    assert "Farewell" not in read()


def test_a_life_lists_trophies_and_the_killed():
    victims = [make_mage(name, name + "s") for name in ("Sieglinde", "Wanda")]
    brunhild = make_mage("Brunhild", "Hilde")
    for victim in victims:
        won = start_fight(brunhild, victim)
        with changed_state(won.battle) as state:
            state.wizards[victim.name].hp = 1
        won.turns([("S/-", "-/-"), ("D/-", "-/-")])
        assert won.battle.is_over
    last = start_fight(brunhild, make_mage("Moldavar", "Mo"))
    with changed_state(last.battle) as state:
        state.wizards["Brunhild"].hp = 1
    last.turns([("-/-", "S/-"), ("-/-", "D/-")])
    count_finished_battles()
    page = read()
    assert "Killed Sieglinde" in page and "Killed Wanda" in page and "<dt>Killed</dt><dd>2</dd>" in page
    assert "Won unhurt" in page and page.index("Killed Sieglinde") < page.index("Killed Wanda")


def test_one_line_each_by_people_who_fought_the_mage(fight):
    mo = log_in(fight.user("Moldavar"))
    assert "Add a line" in read(mo)
    for other in (Client(), log_in(make_user("Olga")), log_in(fight.user("Brunhild")), log_in(create_guest(now=NOW))):
        assert "Add a line" not in read(other)
    answer = mo.post(LINES, {"text": f"  {LINE}\n"})
    assert (answer.status_code, answer["Location"]) == (302, f"{END}#lines")
    assert mo.post(LINES, {"text": LINE}).status_code == 302, "a click may arrive twice"
    page = read()
    assert "Remembered by 1 person" in page and LINE in page and 'href="/users/Mo/"' in page
    again = mo.post(LINES, {"text": "And another"})
    assert again.status_code == 422 and "You have written a line on Brunhild already." in flat(again.content.decode())
    assert ObituaryLine.objects.get().text == LINE and "Add a line" not in read(mo)


def test_nobody_else_writes(fight):
    brunhild = dead()
    for name, code in (("Olga", "never_fought"), ("Hilde", "never_fought")):
        user = fight.user("Brunhild") if name == "Hilde" else make_user(name)
        with refused(code):
            write_obituary_line(mage=brunhild, writer=user, text="x", now=NOW)
        assert log_in(user).post(LINES, {"text": "x"}).status_code == 422
    with refused("guest"):
        write_obituary_line(mage=brunhild, writer=create_guest(now=NOW), text="x", now=NOW)
    with refused("not_dead"):
        write_obituary_line(mage=Mage.objects.get(name="Moldavar"), writer=fight.user("Brunhild"), text="x", now=NOW)
    assert Client().post(LINES, {"text": "x"})["Location"].startswith("/accounts/login/")
    assert not ObituaryLine.objects.exists()


@pytest.mark.parametrize("blocker", ["Moldavar", "Brunhild"])
def test_a_block_either_way_keeps_people_from_writing(fight, blocker):
    other = "Brunhild" if blocker == "Moldavar" else "Moldavar"
    mo = fight.user("Moldavar")
    block_user(user=fight.user(blocker), blocked=fight.user(other), now=NOW)
    assert "Add a line" not in read(log_in(mo))
    with refused("block_between"):
        write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    unblock_user(user=fight.user(blocker), blocked=fight.user(other))
    write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    # A reader who blocks the writer does not see it; strangers do.
    block_user(user=fight.user("Brunhild"), blocked=mo, now=NOW)
    assert LINE not in read(log_in(fight.user("Brunhild"))) and LINE in read()


def test_suspended_users_do_not_write_and_their_lines_are_not_shown(fight):
    mo, jane = fight.user("Moldavar"), make_janitor("Jane")
    write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    sanction = suspend_user(user=mo, by=jane, reason="Spam.", ends_at=None, now=timezone.now())
    assert LINE not in read() and LINE not in read(log_in(mo))
    assert log_in(mo).post(LINES, {"text": "x"}).status_code == 403
    lift_sanction(sanction=sanction, by=jane, why="Enough.", now=timezone.now())
    assert LINE in read()


def test_the_mages_user_removes_any_line_for_good_and_the_writer_their_own(fight):
    mo, hilde = fight.user("Moldavar"), fight.user("Brunhild")
    line = write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    remove = f"{LINES}{line.pk}/remove/"
    assert log_in(make_user("Olga")).post(remove).status_code == 403 and LINE in read()
    assert log_in(mo).post(remove).status_code == 302 and not ObituaryLine.objects.exists()
    line = write_obituary_line(mage=dead(), writer=mo, text="Ha ha", now=NOW)
    assert "Ha ha" in read(log_in(hilde))
    assert log_in(hilde).post(f"{LINES}{line.pk}/remove/").status_code == 302
    assert log_in(hilde).post(f"{LINES}{line.pk}/remove/").status_code == 404, "it is gone"
    assert "Ha ha" not in read() and "Add a line" not in read(log_in(mo))
    with refused("has_written"):
        write_obituary_line(mage=dead(), writer=mo, text="Again", now=NOW)
    # The row is there, and its writer does not get it out of the way.
    assert not remove_obituary_line(line=line, by=mo, now=NOW) and ObituaryLine.objects.count() == 1


def test_a_janitor_takes_a_line_down_with_an_entry_in_the_journal_and_can_undo_it(fight):
    mo = fight.user("Moldavar")
    line = write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    jane = log_in(make_janitor("Jane"))
    act = f"/admin/accounts/user/{mo.pk}/act/"
    assert f"{act}take-down/?address={END}%23line-{line.pk}" in read(jane)
    form = jane.get(f"{act}take-down/?address={END}%23line-{line.pk}").content.decode()
    assert f"{END}#line-{line.pk}" in form
    sent = {"address": f"{END}#line-{line.pk}", "reason": "Rude."}
    assert jane.post(f"{act}take-down/", sent).status_code == 302
    assert LINE not in read()
    entry = JournalEntry.objects.get(user=mo)
    assert LINE not in json.dumps(entry.facts)
    assert "What Mo wrote about Brunhild is taken down." in read(jane, f"/admin/accounts/user/{mo.pk}/change/")
    assert jane.post(f"{act}take-down/", sent).status_code == 422
    # Someone else's line is not theirs.
    other = make_user("Olga")
    assert jane.post(f"/admin/accounts/user/{other.pk}/act/take-down/", sent).status_code == 422
    assert jane.post(f"{act}undo/", {"entry": entry.pk, "reason": "A mistake."}).status_code == 302
    assert LINE in read()


def test_a_report_quotes_the_line(fight):
    line = write_obituary_line(mage=dead(), writer=fight.user("Moldavar"), text=LINE, now=NOW)
    olga = log_in(make_user("Olga"))
    report = f"/reports/new/?obituary={line.pk}"
    assert report in read(olga) and LINE in read(olga, report)
    assert olga.post(report, {"about": "Mo", "text": "Rude."}).status_code == 302
    made = Report.objects.get()
    assert made.about_user == fight.user("Moldavar") and made.text.startswith(
        f"Line {line.pk} about Brunhild: “{LINE}”"
    )
    ObituaryLine.objects.update(removed_at=NOW)
    for gone in (report, "/reports/new/?obituary=4711", "/reports/new/?obituary=²", "/reports/new/?obituary="):
        assert "blockquote" not in read(olga, gone)


def test_140_characters_fit_and_no_hostile_text_breaks_the_page(fight):
    mo = log_in(fight.user("Moldavar"))
    for value in (*VALUES, "</p><script>alert(1)</script>", "{% load x %}"):
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        status = mo.post(LINES, {"text": text}).status_code
        assert status in ((400,) if "\0" in text else (302, 422)), text[:40]
        page = Client().get(END)
        assert page.status_code == 200 and "<script>alert" not in page.content.decode()
        ObituaryLine.objects.all().delete()
        cache.clear()
    refusal = mo.post(LINES, {"text": "x" * 141})
    assert refusal.status_code == 422 and "at most 140 characters" in flat(refusal.content.decode())
    assert "x" * 141 in refusal.content.decode(), "typed text is kept"
    assert mo.post(LINES, {"text": "\u202e" + "x" * 132}).status_code == 302
    assert ObituaryLine.objects.get().text == "[U+202E]" + "x" * 132


def test_twenty_lines_a_day(fight):
    mo = fight.user("Moldavar")
    for _ in range(20):
        write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
        ObituaryLine.objects.all().delete()
    with refused("too_fast"):
        write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)


def test_lines_are_exported_and_go_with_their_writer(fight):
    mo = fight.user("Moldavar")
    write_obituary_line(mage=dead(), writer=mo, text=LINE, now=NOW)
    assert export_user(mo, now=NOW)["obituary_lines"] == [
        {"mage": "Brunhild", "text": LINE, "written_at": NOW, "removed_at": None}
    ]
    assert export_user(fight.user("Brunhild"), now=NOW)["obituary_lines"] == []
    leave_site(user=fight.user("Brunhild"), now=NOW)
    page = read()
    assert LINE in page and "A mage of a user who has left" in page and "Hilde" not in page
    leave_site(user=mo, now=NOW)
    assert not ObituaryLine.objects.exists() and LINE not in read()
