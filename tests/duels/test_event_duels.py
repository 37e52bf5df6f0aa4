"""Duels of leagues and cups: their mages stay free, their time is counted, and their table can end them."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import Engagement
from accounts.services.mages import engage_mage
from accounts.services.ties import block_user
from accounts.services.vacations import start_vacation
from duels.errors import CannotChat, DuelRefused, IllegalOrders
from duels.models import Battle, Combatant
from duels.selectors.chat import get_chat_for_reader
from duels.selectors.time_used import read_times_used
from duels.services.chat import write_chat_line
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.deadlines import excuse_missed_turn, process_deadlines
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from duels.services.end_for_event import end_for_event
from ladder.models import Placing, ScoredBattle, ScoreEntry
from ladder.stakes import CUP, EVENING, LEAGUE, OFFERED_STAKES
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.undo import undo_battle_entry
from notifications.models import Notice
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, log_in, make_mage

HOUR = timedelta(hours=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def event_duel(db: None) -> Fight:
    """Froodal against Bung in the league, a day a turn."""
    return start_fight(make_mage("Froodal"), make_mage("Bung"), stakes=LEAGUE, pace="day")


def times(fight: Fight, hours: float) -> dict[str, float]:
    """Return the hours that each mage has used, that many hours after noon."""
    found = read_times_used([fight.number], NOW + hours * HOUR)[fight.number]
    return {name: length / HOUR for name, length in found.items()}


def counted(fight: Fight) -> dict[str, tuple[float, int]]:
    rows = Combatant.objects.filter(battle=fight.battle).select_related("mage")
    return {row.mage.name: (row.time_used / HOUR, row.late_turns) for row in rows}


@pytest.mark.parametrize("stakes", [LEAGUE, CUP, EVENING])
def test_a_mage_stays_free_in_such_a_duel_and_can_be_in_another_battle(stakes):
    one, two = make_mage("Ayla"), make_mage("Borin")
    engage_mage(mage=one, kind="challenge", number=7)
    start_fight(one, two, stakes=stakes)
    assert list(Engagement.objects.values_list("mage__name", "kind", "number")) == [("Ayla", "challenge", 7)]
    assert stakes not in OFFERED_STAKES


def test_the_end_of_such_a_duel_frees_no_mage_from_another_battle(event_duel):
    engage_mage(mage=event_duel.mages["Froodal"], kind="battle", number=event_duel.number + 5)
    event_duel.turn("P/P", "W/S")
    assert event_duel.battle.is_over
    assert list(Engagement.objects.values_list("number", flat=True)) == [event_duel.number + 5]


class TestEndingForTheEvent:
    def test_it_ends_without_a_winner_and_unrated_and_only_once(self, event_duel):
        event_duel.turn("W/S", "P/D")
        assert end_for_event(battle_number=event_duel.number, now=NOW + HOUR)
        assert not end_for_event(battle_number=event_duel.number, now=NOW + 2 * HOUR)
        battle = Battle.objects.get(pk=event_duel.battle.pk)
        assert (battle.status, battle.result["winners"]) == ("finished", [])
        assert (battle.result["reason"], battle.finished_at) == ("ended_by_league", NOW + HOUR)
        assert ScoredBattle.objects.get(number=battle.number).practice
        assert not ScoreEntry.objects.exists()
        assert not Placing.objects.filter(won=True).exists()
        ends = Notice.objects.filter(kind="battle_finished")
        assert sorted(ends.values_list("user__username", flat=True)) == ["Bung_user", "Froodal_user"]

    def test_orders_that_are_ready_on_both_sides_are_played_first(self, event_duel):
        """The turn could not be resolved when the last orders came."""
        event_duel.order("Froodal", "P/P")
        event_duel.order("Bung", "W/S", ready=False)
        event_duel.combatant("Bung").sheets.update(ready=True, submitted_at=NOW)
        assert not end_for_event(battle_number=event_duel.number, now=NOW + HOUR)
        event_duel.battle.refresh_from_db()
        assert event_duel.battle.result["winners"] == ["Bung"]

    def test_no_other_battle_can_be_ended_like_this(self, duel):
        with pytest.raises(ValueError, match="no league or cup"):
            end_for_event(battle_number=duel.number, now=NOW)


class TestTimeUsed:
    def test_each_player_s_time_runs_until_their_orders_are_ready(self, event_duel):
        event_duel.order("Froodal", "W/S", now=NOW + HOUR)
        assert times(event_duel, 3) == {"Froodal": 1, "Bung": 3}
        event_duel.order("Bung", "P/D", now=NOW + 4 * HOUR)
        assert times(event_duel, 4) == {"Froodal": 1, "Bung": 4}
        event_duel.order("Froodal", "W/S", now=NOW + 6 * HOUR)
        event_duel.order("Bung", "P/D", now=NOW + 7 * HOUR)
        assert counted(event_duel) == {"Froodal": (3, 0), "Bung": (7, 0)}

    def test_withdrawn_orders_let_the_time_run_on_and_replaced_ones_cost_nothing(self, event_duel):
        event_duel.order("Froodal", "W/S", now=NOW + HOUR)
        event_duel.order("Froodal", "P/D", now=NOW + 5 * HOUR)
        assert times(event_duel, 6)["Froodal"] == 1
        event_duel.order("Froodal", "", ready=False, replace=True, now=NOW + 6 * HOUR)
        assert times(event_duel, 8)["Froodal"] == 3
        event_duel.order("Froodal", "W/S", now=NOW + 8 * HOUR)
        event_duel.order("Bung", "P/D", now=NOW + 9 * HOUR)
        assert counted(event_duel) == {"Froodal": (3, 0), "Bung": (9, 0)}

    def test_a_pause_is_nobody_s_time(self, event_duel):
        for name in event_duel.names:
            ask_pause(combatant=event_duel.combatant(name), days=1, now=NOW + HOUR)
        for name in event_duel.names:
            event_duel.order(name, "W/S", now=NOW + 27 * HOUR)
        assert counted(event_duel) == {"Froodal": (3, 0), "Bung": (3, 0)}

    def test_a_turn_is_late_once_the_final_notice_is_sent(self, event_duel):
        event_duel.order("Froodal", "W/S", now=NOW + HOUR)
        process_deadlines(battle_id=event_duel.battle.pk, now=NOW + 17 * HOUR)
        assert counted(event_duel)["Bung"] == (0, 0)
        process_deadlines(battle_id=event_duel.battle.pk, now=NOW + 18 * HOUR)
        assert counted(event_duel) == {"Froodal": (0, 0), "Bung": (0, 1)}
        event_duel.order("Bung", "P/D", now=NOW + 20 * HOUR)
        assert counted(event_duel) == {"Froodal": (1, 0), "Bung": (20, 1)}
        missed = event_duel.combatant("Bung").missed.get()
        excuse_missed_turn(missed=missed, reason="Storm", now=NOW + 21 * HOUR)
        assert counted(event_duel)["Bung"] == (20, 0)

    def test_the_time_of_a_forfeit_counts_on_both_sides(self, event_duel):
        event_duel.stir()
        event_duel.order("Froodal", "W/S", now=NOW + HOUR)
        for hours in (18, 25):
            process_deadlines(battle_id=event_duel.battle.pk, now=NOW + hours * HOUR)
        event_duel.battle.refresh_from_db()
        assert event_duel.battle.result["winners"] == ["Froodal"]
        assert counted(event_duel) == {"Froodal": (1, 0), "Bung": (24, 1)}

    def test_the_last_turn_counts_when_the_event_ends_the_duel(self, event_duel):
        event_duel.order("Froodal", "W/S", now=NOW + HOUR)
        end_for_event(battle_number=event_duel.number, now=NOW + 5 * HOUR)
        assert counted(event_duel) == {"Froodal": (1, 0), "Bung": (5, 0)}
        assert times(event_duel, 50) == {"Froodal": 1, "Bung": 5}

    def test_turns_that_a_janitor_takes_back_do_not_count(self, event_duel, janitor):
        for hours in (2, 4):
            event_duel.order("Froodal", "W/S", now=NOW + hours * HOUR)
            event_duel.order("Bung", "P/D", now=NOW + (hours + 1) * HOUR)
        assert counted(event_duel) == {"Froodal": (3, 0), "Bung": (5, 0)}
        event_duel.order("Bung", "P/D", now=NOW + 9 * HOUR)
        again = {"battle": event_duel.battle, "by": janitor, "reason": "A fault", "without_consent": "A fault"}
        entry = rewind_battle(**again, seq=2, now=NOW + 10 * HOUR)
        assert counted(event_duel) == {"Froodal": (2, 0), "Bung": (3, 0)}
        assert times(event_duel, 11) == {"Froodal": 3, "Bung": 4}
        undo_battle_entry(entry=entry, by=janitor, reason="A slip", now=NOW + 12 * HOUR)
        assert counted(event_duel) == {"Froodal": (3, 0), "Bung": (5, 0)}

    def test_no_other_battle_counts_time(self, duel):
        duel.turn("W/S", "P/D")
        assert read_times_used([duel.number], NOW + HOUR) == {}


class TestShownTimes:
    """The page and the API show both times from turn 1."""

    @pytest.fixture
    def running(self, monkeypatch: pytest.MonkeyPatch) -> Fight:
        """A duel that began three hours ago; Froodal's orders came an hour later."""
        began = timezone.now() - 3 * HOUR - timedelta(seconds=5)
        monkeypatch.setattr("tests.duels.fights.NOW", began)
        fight = start_fight(make_mage("Froodal"), make_mage("Bung"), stakes=LEAGUE, pace="day")
        fight.order("Froodal", "W/S", now=began + HOUR)
        return fight

    @pytest.mark.parametrize("reader", ["Froodal", "Bung", "Cormac"])
    def test_the_page_shows_both_to_everyone(self, running, reader):
        user = running.user(reader) if reader in running.names else make_mage(reader).user
        page = log_in(user).get(f"/battles/{running.number}/").content.decode()
        plain = " ".join(strip_tags(page[page.index("Time used so far") :]).split())
        assert plain.startswith("Time used so far, in all turns: Froodal: 1 hour Bung: 3 hours")

    def test_programs_read_both(self, running):
        used = log_in(running.user("Bung")).get(f"/api/v1/battles/{running.number}/time/").json()["used"]
        assert [(each["mage"], each["seconds"] // 3600, each["late_turns"]) for each in used] == [
            ("Froodal", 1, 0),
            ("Bung", 3, 0),
        ]

    def test_other_battles_show_none(self, duel):
        browser = log_in(duel.user("Bung"))
        assert "Time used so far" not in browser.get(f"/battles/{duel.number}/").content.decode()
        assert browser.get(f"/api/v1/battles/{duel.number}/time/").json()["used"] == []

    def test_they_tell_nothing_of_sealed_orders(self, running):
        """Two worlds: in the other one Froodal replaces the orders, and Bung writes some without making them ready."""
        reader = make_mage("Cormac").user

        def look() -> tuple[object, ...]:
            used = read_times_used([running.number], timezone.now().replace(microsecond=0))
            page = log_in(reader).get(f"/battles/{running.number}/").content.decode()
            shown = page[page.index("Time used so far") :].split("</ul>")[0]
            return [round(each / timedelta(minutes=1)) for each in used[running.number].values()], shown

        before = look()
        running.order("Froodal", "P/P", now=timezone.now())
        running.order("Bung", "D/D", now=timezone.now(), ready=False)
        assert look() == before


class TestSilence:
    """A league pairs two users despite a block between them: nothing that one says reaches the other, ever."""

    @pytest.fixture
    def silent(self, db: None) -> Fight:
        fight = start_fight(make_mage("Froodal"), make_mage("Bung"), stakes=LEAGUE, pace="day", chat=False)
        block_user(user=fight.user("Bung"), blocked=fight.user("Froodal"), now=NOW)
        return fight

    @pytest.mark.parametrize("is_over", [False, True])
    @pytest.mark.parametrize("words", [{"text": "Hello"}, {"phrase": "gg"}])
    def test_the_chat_and_its_phrases_stay_closed(self, silent, is_over, words):
        if is_over:
            silent.turn("P/P", "W/S")
        with pytest.raises(CannotChat, match="neither now nor when it is over"):
            write_chat_line(battle=silent.battle, user=silent.user("Froodal"), once="1", now=NOW, **words)
        chat = get_chat_for_reader(number=silent.number, user=silent.user("Froodal"), now=NOW)
        assert chat.refusal and chat.phrases == ()
        answer = log_in(silent.user("Froodal")).post(
            f"/api/v1/battles/{silent.number}/chat/", {"text": "Hello"}, content_type="application/json"
        )
        assert answer.status_code == 409

    def test_no_mage_speaks_with_its_orders(self, silent):
        with pytest.raises(IllegalOrders, match="no chat"):
            silent.order("Froodal", "W/S\nSAY Hello")
        page = log_in(silent.user("Froodal")).get(f"/battles/{silent.number}/").content.decode()
        assert 'name="say"' not in page

    def test_the_end_offers_neither_a_message_nor_a_rematch(self, silent):
        silent.turn("P/P", "W/S")
        for name in silent.names:
            page = log_in(silent.user(name)).get(f"/battles/{silent.number}/").content.decode()
            assert "/rematch/" not in page and "/messages/" not in page and "/inbox/Bung" not in page

    def test_in_a_duel_with_talk_everything_is_there(self, event_duel):
        page = log_in(event_duel.user("Froodal")).get(f"/battles/{event_duel.number}/").content.decode()
        assert 'name="say"' in page
        write_chat_line(battle=event_duel.battle, user=event_duel.user("Froodal"), once="1", now=NOW, text="Hello")
        event_duel.turn("P/P", "W/S")
        page = log_in(event_duel.user("Froodal")).get(f"/battles/{event_duel.number}/").content.decode()
        assert "/rematch/" in page


class TestAbsence:
    """An absence can be claimed, as anywhere; but the table needs a result from those who play."""

    @pytest.fixture
    def deserted(self, event_duel: Fight) -> Fight:
        event_duel.turn("W/S", "P/D")
        start_vacation(user=event_duel.user("Bung"), days=35, now=NOW)
        process_deadlines(battle_id=event_duel.battle.pk, now=NOW + HOUR)
        return event_duel

    def test_it_is_neither_called_off_nor_left_to_a_bot(self, deserted):
        later = NOW + timedelta(days=34)
        mine = deserted.combatant("Froodal")
        with pytest.raises(DuelRefused, match="claim it"):
            call_off_battle(combatant=mine, now=later)
        with pytest.raises(DuelRefused, match="No bot plays"):
            offer_seat(combatant=mine, now=later)

    def test_it_can_be_claimed(self, deserted):
        later = NOW + timedelta(days=34)
        deserted.order("Froodal", "W/S", now=later)
        claim_battle(combatant=deserted.combatant("Froodal"), now=later)
        deserted.battle.refresh_from_db()
        assert deserted.battle.result["winners"] == ["Froodal"]
        assert counted(deserted)["Bung"][0] <= 1
