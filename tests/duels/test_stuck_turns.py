"""A turn that the rules cannot resolve holds nobody hostage: who learns of it and when, and how it ends."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.models import Engagement, Mage
from duels import tasks
from duels.models import Battle, Combatant
from duels.selectors.viewer import get_battle_for_viewer
from duels.services import resolve, stuck_turns
from duels.services.followers import follow_battle
from duels.services.resolve import resolve_turn
from duels.services.stuck_turns import remind_of_stuck_battles
from email_gateway.compose.notices import compose_notice
from email_gateway.errors import NothingToSend
from ladder.models import RatingEntry, ScoreEntry
from moderation.models import JournalEntry
from moderation.services.battles.retry_turn import retry_turn
from moderation.services.battles.undo import undo_battle_entry
from moderation.services.battles.void_battle import void_battle
from notifications.models import Notice
from operations.services.policy import set_policy
from rules_engine import advance
from rules_engine.records import parse_record, verify_record
from studies.selectors.records import get_record_after_end, get_story_for_anyone
from studies.services.replay_checks import replay_battle
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, picture_rows
from tests.ladder.scores import score_of
from tests.refusals import refused
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def broken_rules(monkeypatch):
    """Rules that fail whenever a mage plays a clap, until the test repairs them."""

    def fail_at_claps(state, sheets, dice):
        if any(sheet.column == "CC" for sheet in sheets.values()):
            raise ZeroDivisionError("a spell that nobody thought of")
        return advance(state, sheets, dice)

    with monkeypatch.context() as broken:
        broken.setattr(resolve, "advance", fail_at_claps)
        broken.setattr(stuck_turns, "advance", fail_at_claps)
        yield broken


@pytest.fixture
def stuck(duel, janitor, broken_rules):
    duel.turn("P/D", "C/C")
    assert duel.battle.status == "stuck"
    return duel


def list_told(user, kind="battle_stuck"):
    return list(Notice.objects.filter(user=user, kind=kind).order_by("pk"))


class TestJanitors:
    def test_they_are_notified_at_once_and_again_every_24_hours_each_time_once(self, stuck, janitor):
        assert len(list_told(janitor)) == 1
        assert remind_of_stuck_battles(now=NOW + 24 * HOUR - MINUTE) == 0
        assert [remind_of_stuck_battles(now=NOW + 24 * HOUR) for _ in range(2)] == [1, 0]
        assert remind_of_stuck_battles(now=NOW + 48 * HOUR) == 1
        assert len(list_told(janitor)) == 3

    def test_of_a_live_battle_they_are_notified_again_after_30_minutes(self, janitor, broken_rules):
        fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live3")
        fight.turn("P/D", "C/C")
        assert remind_of_stuck_battles(now=NOW + 29 * MINUTE) == 0
        assert remind_of_stuck_battles(now=NOW + 30 * MINUTE) == 1
        assert remind_of_stuck_battles(now=NOW + 60 * MINUTE) == 0

    def test_both_times_are_the_sites_policy(self, duel, janitor, broken_rules):
        numbers = {"stuck_remind_hours": 6, "stuck_remind_live_minutes": 10}
        set_policy(by=janitor, why="We are awake.", numbers=numbers, now=NOW)
        live = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live3")
        for fight in (duel, live):
            fight.turn("P/D", "C/C")
        assert remind_of_stuck_battles(now=NOW + 10 * MINUTE) == 1
        assert remind_of_stuck_battles(now=NOW + 6 * HOUR) == 1

    def test_nobody_is_reminded_of_a_battle_that_goes_on_or_is_over(self, stuck, janitor, broken_rules):
        broken_rules.undo()
        assert resolve_turn(battle=stuck.battle, now=NOW).outcome == "resolved"
        assert remind_of_stuck_battles(now=NOW + 48 * HOUR) == 0
        assert Battle.objects.get().stuck_remind_at is None

    def test_they_are_reminded_of_a_battle_that_was_stuck_before_there_were_reminders(self, stuck, janitor):
        Battle.objects.update(stuck_at=None, stuck_remind_at=None)
        assert [remind_of_stuck_battles(now=NOW + MINUTE) for _ in range(2)] == [1, 0]
        assert len(list_told(janitor)) == 2

    def test_the_task_reminds_by_the_present_time(self, stuck, janitor):
        assert tasks.run_stuck_reminders() == 0
        Battle.objects.update(stuck_remind_at=NOW.replace(year=2020))
        assert tasks.run_stuck_reminders() == 1

    def test_the_email_leads_to_the_desk_and_names_no_orders(self, stuck, janitor):
        (notice,) = list_told(janitor)
        mail = compose_notice(kind=notice.kind, facts=notice.facts, user=janitor)
        assert mail.subject == f"Duel {stuck.number} is stuck in turn 1"
        assert stuck.battle.stuck_reference in mail.text
        assert reverse("admin:duels_battle_change", args=[stuck.battle.pk]) in mail.text
        assert "Froodal" not in mail.text and "Bung" not in mail.text
        remind_of_stuck_battles(now=NOW + 24 * HOUR)
        again = list_told(janitor)[1]
        mail = compose_notice(kind=again.kind, facts=again.facts, user=janitor)
        assert mail.subject == f"Duel {stuck.number} is still stuck in turn 1"


class TestTheJournal:
    def read(self, fight):
        return [
            (note.kind, note.by, note.text)
            for note in get_battle_for_viewer(number=fight.number, user=fight.user("Froodal")).journal
        ]

    def test_it_says_whose_orders_raised_the_error_but_not_which(self, stuck):
        ((kind, by, text),) = self.read(stuck)
        assert (kind, by) == ("stuck", None)
        assert text == ("The rules could not resolve turn 1 because of an error. It comes from the orders of Bung.")
        entry = JournalEntry.objects.get()
        assert entry.why == f"error {stuck.battle.stuck_reference}" and entry.author == "the site"
        assert "In Round 1:" in get_story_for_anyone(number=stuck.number)

    def test_several_mages_are_named_only_if_the_orders_of_each_are_needed_for_the_error(self, duel, broken_rules):
        duel.turn("C/C", "C/C")
        assert "It does not come from the orders of one mage." in self.read(duel)[0][2]

    def test_an_error_outside_the_rules_names_nobody(self, duel, monkeypatch):
        def fail(*_, **__):
            raise ValueError("after the events were written")

        monkeypatch.setattr(resolve, "store_remaining_mages", fail)
        duel.turn("P/D", "F/F")
        assert JournalEntry.objects.get().facts == {"turn": "1", "mages": []}

    def test_replaced_orders_leave_no_trace_in_it_while_the_turn_is_stuck(self, stuck):
        before = self.read(stuck)
        assert stuck.order("Froodal", "C/C").outcome == "stuck"
        assert stuck.order("Froodal", "P/D").outcome == "stuck"
        assert self.read(stuck) == before
        assert len(list_told(stuck.user("Bung"), "turn_stuck")) == 1


class TestThePlayers:
    def test_both_and_their_followers_are_notified_once(self, duel, broken_rules):
        follower = make_user("Fan")
        follow_battle(battle=duel.battle, user=follower, now=NOW)
        duel.turn("P/D", "C/C")
        duel.order("Bung", "C/C\nSAY again")
        told = Notice.objects.filter(kind="turn_stuck").values_list("user__username", flat=True)
        assert sorted(told) == ["Bung_user", "Fan", "Froodal_user"]

    def test_page_email_and_api_say_what_happened_and_when_and_what_comes_next(self, stuck, client):
        user = stuck.user("Froodal")
        client.force_login(user)
        page = " ".join(client.get(f"/battles/{stuck.number}/").content.decode().split())
        (notice,) = list_told(user, "turn_stuck")
        mail = " ".join(compose_notice(kind=notice.kind, facts=notice.facts, user=user).text.split())
        found = client.get(f"/api/v1/battles/{stuck.number}/").json()["stuck"]
        assert found["since"] == NOW.isoformat()
        assert found["janitors_reminded_at"] == (NOW + 24 * HOUR).isoformat()
        for text in (page.replace("&#x27;", "'"), mail, " ".join(found["text"])):
            for words in (
                "On Sunday 4 May 2031, 12:00 (UTC) we could not resolve turn 1 because of an error on our side "
                f"(reference {stuck.battle.stuck_reference})",
                "The janitors were notified at once, and are reminded on Monday 5 May 2031, 12:00 (UTC).",
                "If they can't, they void the battle: nobody wins, nobody dies, no score or rating changes",
                "You can also change your orders.",
            ):
                assert words in text
        assert "It comes from the orders of Bung." in page

    def test_spectators_read_the_same_but_have_no_orders_to_change(self, stuck, client):
        page = client.get(f"/battles/{stuck.number}/").content.decode()
        assert "we could not resolve turn 1" in page and "You can also change your orders" not in page

    def test_final_orders_cannot_be_changed(self, broken_rules, client):
        fight = start_fight(make_mage("Ayla"), make_mage("Borin"), orders_final=True)
        fight.turn("P/D", "C/C")
        client.force_login(fight.user("Borin"))
        assert "You can also change your orders" not in client.get(f"/battles/{fight.number}/").content.decode()

    def test_whoever_changes_their_orders_on_the_page_sets_the_battle_free(self, stuck, client):
        client.force_login(stuck.user("Bung"))
        page = f"/battles/{stuck.number}/"
        assert "?change" in client.get(page).content.decode()
        sent = {"stage": "1.0.0", "mage": "Bung", "act": "ready", "LH": "F", "RH": "F"}
        assert client.post(page, sent).status_code == 302
        assert stuck.key().seq == 2 and stuck.battle.status == "running"
        assert client.get(f"/api/v1/battles/{stuck.number}/").json()["stuck"] is None

    def test_no_email_says_that_a_turn_is_stuck_which_is_not_any_more(self, stuck):
        (notice,) = list_told(stuck.user("Froodal"), "turn_stuck")
        stuck.order("Bung", "F/F")
        with pytest.raises(NothingToSend):
            compose_notice(kind=notice.kind, facts=notice.facts, user=notice.user)


class TestVoiding:
    def void(self, fight, janitor):
        entry = void_battle(battle=fight.battle, by=janitor, reason=WHY, now=NOW)
        fight.battle.refresh_from_db()
        return entry

    def test_nobody_wins_or_dies_nothing_counts_and_the_mages_are_free(self, stuck, janitor):
        self.void(stuck, janitor)
        assert (stuck.battle.status, stuck.battle.result["reason"]) == ("finished", "called_off")
        assert not stuck.battle.result["winners"] and not stuck.battle.result["dead"]
        assert [score_of(mage, "duel") for mage in stuck.mages.values()] == [0, 0]
        assert not ScoreEntry.objects.exists() and not RatingEntry.objects.exists()
        assert not Engagement.objects.exists()
        assert not Mage.objects.exclude(died_at=None).exists()
        assert remind_of_stuck_battles(now=NOW + 48 * HOUR) == 0

    def test_a_mage_who_fell_in_an_earlier_turn_lives_too(self, janitor, broken_rules):
        melee = start_fight(*map(make_mage, ("Ayla", "Borin", "Cormac")))
        Combatant.objects.filter(mage__name="Cormac").update(standing="dead")
        with_claps = ("P/D", "C/C", "-/-")
        melee.turn(*with_claps)
        self.void(melee, janitor)
        assert Mage.objects.get(name="Cormac").died_at is None and not Engagement.objects.exists()

    def test_its_record_story_and_replay_can_be_read_like_those_of_a_battle_that_was_called_off(
        self, duel, janitor, broken_rules, client
    ):
        duel.turn("P/D", "F/F")
        duel.turn("P/D", "C/C")
        self.void(duel, janitor)
        assert not replay_battle(battle=duel.battle, now=NOW)
        assert count_finished_battles() == 1
        for path in ("", "replay/", "table/", "story/", "transcript/", "proof/"):
            assert client.get(f"/battles/{duel.number}/{path}", follow=True).status_code == 200, path
        assert "The battle is void because" in get_story_for_anyone(number=duel.number)
        assert verify_record(parse_record(get_record_after_end(number=duel.number))) == ()

    def test_players_read_why_and_get_an_email(self, stuck, janitor, client):
        self.void(stuck, janitor)
        client.force_login(stuck.user("Bung"))
        page = client.get(f"/battles/{stuck.number}/").content.decode()
        assert "The battle is void because the rules could not resolve turn 1" in page and WHY in page
        assert Notice.objects.filter(kind="battle_intervened", user=stuck.user("Bung")).count() == 1

    def test_only_a_stuck_battle_can_be_voided_and_only_once(self, duel, janitor, broken_rules):
        with refused("not_stuck", match="is not stuck"):
            self.void(duel, janitor)
        duel.turn("P/D", "C/C")
        self.void(duel, janitor)
        with refused("not_stuck", match="is not stuck"):
            self.void(duel, janitor)

    def test_no_janitor_voids_a_battle_of_their_own(self, janitor, broken_rules):
        fight = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
        fight.turn("P/D", "C/C")
        with refused("plays_in_battle"):
            self.void(fight, janitor)

    def test_undone_it_leaves_the_battle_stuck_as_before(self, stuck, janitor):
        before = picture_rows()
        entry = self.void(stuck, janitor)
        undo_battle_entry(entry=entry, by=janitor, reason="It can be repaired.", now=NOW)
        assert picture_rows() == before

    def test_a_turn_that_is_replayed_after_a_repair_needs_no_voiding(self, stuck, janitor, broken_rules):
        broken_rules.undo()
        entry = retry_turn(battle=stuck.battle, by=janitor, reason="repaired", now=NOW)
        assert entry.facts["outcome"] == "resolved"
        with refused("not_stuck"):
            self.void(stuck, janitor)


class TestReplayingAgain:
    def replay(self, fight, janitor):
        entry = retry_turn(battle=fight.battle, by=janitor, reason="repaired", now=NOW)
        assert entry.facts["outcome"] == "resolved"
        return entry

    def count_told(self, kind="turn_resolved"):
        return Notice.objects.filter(kind=kind).count()

    def test_the_same_result_is_told_once(self, stuck, janitor, broken_rules):
        broken_rules.undo()
        entry = self.replay(stuck, janitor)
        undo_battle_entry(entry=entry, by=janitor, reason="one moment", now=NOW)
        self.replay(stuck, janitor)
        stuck.battle.refresh_from_db()
        assert (stuck.battle.status, stuck.battle.seq, self.count_told()) == ("running", 2, 2)

    def test_another_result_is_told_too(self, stuck, janitor, broken_rules):
        def forget_an_event(*args):
            step = advance(*args)
            step.events = step.events[:-1]
            return step

        broken_rules.setattr(resolve, "advance", forget_an_event)
        entry = self.replay(stuck, janitor)
        undo_battle_entry(entry=entry, by=janitor, reason="an event is missing", now=NOW)
        broken_rules.undo()
        self.replay(stuck, janitor)
        assert self.count_told() == 4


def test_the_desk_offers_to_replay_the_turn_first_and_then_to_void_the_battle(stuck, janitor, client):
    client.force_login(janitor)
    page = client.get(reverse("admin:duels_battle_change", args=[stuck.battle.pk])).content.decode()
    titles = ("Replay the turn", "Void the battle", "Look through a mage", "Set the result", "Annul the battle")
    places = [page.index(f">{title}") for title in titles]
    assert places == sorted(places)
    assert "It comes from the orders of Bung." in page and "the site: error" in page
    desk = client.get("/admin/desk/").content.decode()
    assert "Stuck battles" in desk and stuck.battle.stuck_reference in desk
