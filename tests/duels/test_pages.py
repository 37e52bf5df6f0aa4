"""The pages of a battle, as player, spectator, visitor and the wrong person."""

import re

import pytest
from django.urls import reverse

from duels.models import OrderSheet
from duels.services.orders import save_draft
from tests.duels.fights import charm_for_good, start_fight
from tests.scenes import make_mage, make_user

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


def page(fight):
    return f"/battles/{fight.number}/"


def form(fight, mage="Froodal", act="ready", **fields):
    return {"stage": str(fight.key()), "mage": mage, "act": act, **fields}


def ready_sheets(fight):
    return OrderSheet.objects.filter(stage__battle=fight.battle, ready=True).count()


class TestReading:
    def test_everyone_may_watch(self, duel, client):
        answer = client.get(page(duel))
        assert answer.status_code == 200
        assert b"Froodal" in answer.content
        assert b'name="stage"' not in answer.content

    def test_players_find_the_form_of_their_mage(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.get(page(duel))
        assert b'name="stage" value="1.0.0"' in answer.content
        assert b'name="mage" value="Froodal"' in answer.content

    @pytest.mark.parametrize("number", [0, 4711, 9223372036854775808, 10**30])
    def test_an_unknown_number_is_not_found(self, client, db, number):
        assert client.get(f"/battles/{number}/").status_code == 404

    def test_the_page_of_a_battle_is_never_stored_for_a_player(self, duel, client):
        client.force_login(duel.user("Froodal"))
        for path in (page(duel), "/battles/", page(duel) + "?fragment=board"):
            assert "no-store" in client.get(path)["Cache-Control"]

    def test_a_stranger_may_keep_the_page_and_asks_whether_it_has_changed(self, duel, client):
        for path in (page(duel), page(duel) + "?fragment=board"):
            assert "no-cache" in client.get(path)["Cache-Control"], path

    def test_a_script_gets_only_what_a_turn_replaces(self, duel, client):
        whole, part = client.get(page(duel)), client.get(page(duel) + "?fragment=board")
        assert b"<html" in whole.content
        assert b"<html" not in part.content
        assert client.get(page(duel), headers={"HX-Request": "true"}).content == part.content

    def test_a_player_with_two_mages_chooses_which_one_to_play(self, practice, client):
        client.force_login(practice.user("Lefty"))
        assert b'name="mage" value="Righty"' in client.get(page(practice) + "?mage=Righty").content
        assert b'name="mage" value="Lefty"' in client.get(page(practice) + "?mage=Nobody").content

    def test_a_finished_battle_shows_its_end(self, duel, client):
        duel.turn("P/P", "F/F")
        answer = client.get(page(duel))
        assert answer.status_code == 200
        assert b"Bung" in answer.content

    def test_the_list_of_battles_names_them(self, duel, client):
        answer = client.get(reverse("battles"))
        assert answer.status_code == 200
        assert page(duel).encode() in answer.content


class TestOrdering:
    def test_ready_sends_the_orders_and_leads_back_to_the_page(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel), form(duel, LH="P", RH="D"))
        assert answer.status_code == 302
        assert answer["Location"].startswith(page(duel))
        assert OrderSheet.objects.get(ready=True).lines == ["LH P", "RH D"]

    def test_the_order_line_wins(self, duel, client):
        client.force_login(duel.user("Froodal"))
        client.post(page(duel), form(duel, LH="P", RH="D", line="s/w"))
        assert OrderSheet.objects.get(ready=True).lines == ["LH S", "RH W"]

    @pytest.mark.parametrize("where", ["", "draft/"])
    def test_the_preview_names_a_line_that_is_not_understood(self, duel, client, where):
        client.force_login(duel.user("Froodal"))
        sent = form(duel, LH="P", RH="D", line="xx", act="preview", save="1")
        answer = client.post(page(duel) + where, sent)
        text = " ".join(answer.content.decode().split())
        assert '<span class="place">xx</span>' in text
        assert 'value="xx"' in text
        for hand, letter in (("LH", "P"), ("RH", "D")):
            assert f'name="{hand}" value="{letter}" checked' in text

    def test_a_draft_with_a_wrong_line_is_shown_again_with_the_problem(self, duel, client):
        client.force_login(duel.user("Froodal"))
        client.post(page(duel) + "draft/", form(duel, LH="P", RH="D", line="xx", act="draft", save="1"))
        text = " ".join(client.get(page(duel)).content.decode().split())
        assert '<span class="place">xx</span>' in text
        assert 'value="LH P; RH D; xx"' in text
        assert 'name="LH" value="P" checked' in text

    def test_a_rejected_line_does_not_change_the_pads(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel), form(duel, LH="P", RH="D", line="TARGT LH Bung"))
        assert answer.status_code == 422
        assert b'name="LH" value="P" checked' in b" ".join(answer.content.split())
        assert ready_sheets(duel) == 0

    def test_a_surrender_waits_for_no_choice_of_spell(self, duel, client):
        duel.turns([("W/-", "-/-"), ("F/-", "-/-")])
        client.force_login(duel.user("Froodal"))
        drawn = client.post(page(duel), form(duel, LH="P", RH="P", act="preview")).content.decode()
        button = drawn.partition('id="ready"')[2].partition("</button>")[0]
        assert button.strip().endswith("Surrender…")
        assert "aria-disabled" not in button
        client.post(page(duel), form(duel, LH="P", RH="P", confirmed="yes"))
        sheet = OrderSheet.objects.get(ready=True, stage__closed_at=None)
        assert sheet.lines == ["LH P", "RH P", "CHOOSE LH Cause Light Wounds"]

    def test_a_surrender_in_a_melee_waits_for_no_target(self, melee, client):
        melee.turns([("W/-", "-/-", "-/-"), ("F/-", "-/-", "-/-")])
        assert melee.order("Ayla", "P/P").outcome == "ready"

    def test_a_gesture_that_ends_two_spells_names_both_on_key_string_and_list(self, duel, client):
        duel.turns([("W/-", "-/-"), ("F/-", "-/-")])
        client.force_login(duel.user("Froodal"))
        text = client.post(page(duel), form(duel, LH="P", RH="D", act="preview")).content.decode()
        key = " ".join(text.partition('id="hint-LH-P"')[2].partition("</label>")[0].split())
        assert "● </span>Cause Light Wounds" in key
        assert "● </span>Shield" in key
        assert "Completes Cause Light Wounds and Shield." in key
        hint = text.partition('data-part="hint-LH"')[2].partition('<div class="string"')[0]
        assert "<b>Cause Light Wounds</b>" in hint
        assert "<b>Shield</b>" in hint
        assert "choose one of 2" in text
        assert "Now: palm, completes Shield or Cause Light Wounds" in text

    def test_orders_that_are_not_understood_are_shown_again_with_their_problem(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel), form(duel, line="P/X"))
        assert answer.status_code == 422
        assert b'value="P/X"' in answer.content
        assert ready_sheets(duel) == 0

    def test_suicide_is_offered_and_confirmed(self, db, client):
        fight = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="warlocks")
        charm_for_good(fight.battle, "Froodal", by="Bung")
        client.force_login(fight.user("Froodal"))
        offered = client.get(page(fight)).content.decode()
        assert "End your own life this turn" in offered and 'value="SUICIDE"' in offered
        last = form(fight, LH="W", RH="-", order="SUICIDE")
        asked = client.post(page(fight), last)
        assert b'name="confirmed" value="yes"' in asked.content and re.search(
            rb">\s*End your life\s*</button>", asked.content
        )
        assert ready_sheets(fight) == 0
        assert client.post(page(fight), {**last, "confirmed": "yes"}).status_code == 302
        assert ready_sheets(fight) == 1
        client.force_login(fight.user("Bung"))
        assert b"SUICIDE" not in client.get(page(fight)).content
        fight.order("Bung", "-/-")
        assert fight.battle.result["dead"] == ["Froodal"]

    def test_a_preview_takes_nothing(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel), form(duel, act="preview", LH="P", RH="D"))
        assert answer.status_code == 200
        assert ready_sheets(duel) == 0

    def test_a_surrender_is_asked_once_more(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel), form(duel, LH="P", RH="P"))
        assert answer.status_code == 200
        assert b'name="confirmed" value="yes"' in answer.content
        assert ready_sheets(duel) == 0
        assert client.post(page(duel), form(duel, LH="P", RH="P", confirmed="yes")).status_code == 302
        assert ready_sheets(duel) == 1

    def test_orders_for_a_turn_that_is_over_are_not_used(self, duel, client):
        old = form(duel, LH="P", RH="D")
        duel.turn("F/F", "W/W")
        client.force_login(duel.user("Froodal"))
        assert client.post(page(duel), old).status_code == 409
        assert not OrderSheet.objects.filter(stage__turn__seq=2).exclude(lines=[], ready=False).exists()

    def test_a_second_click_after_the_turn_shows_the_next_turn(self, duel, client):
        sent = form(duel, LH="P", RH="D")
        duel.order("Bung", "F/F")
        client.force_login(duel.user("Froodal"))
        answers = [client.post(f"{page(duel)}?fragment=board", sent) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        first, second = (TOKEN.sub(b"", answer.content) for answer in answers)
        assert first == second and b"were not used" not in first

    def test_sending_twice_is_sending_once(self, duel, client):
        client.force_login(duel.user("Froodal"))
        sent = form(duel, LH="P", RH="D")
        assert [client.post(page(duel), sent).status_code for _ in range(2)] == [302, 302]
        assert ready_sheets(duel) == 1

    def test_a_script_gets_the_new_board_at_once(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel) + "?fragment=board", form(duel, LH="P", RH="D"))
        assert answer.status_code == 200
        assert b"<html" not in answer.content

    def test_a_stranger_is_sent_to_the_log_in_page(self, duel, client):
        answer = client.post(page(duel), form(duel, LH="P", RH="D"))
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/")

    @pytest.mark.parametrize("mage", ["Froodal", "Bung", "Nobody", ""])
    def test_a_user_without_a_mage_in_the_battle_cannot_order(self, duel, client, mage):
        client.force_login(make_user("Outsider"))
        assert client.post(page(duel), form(duel, mage=mage, LH="P", RH="D")).status_code == 403

    def test_nobody_orders_the_mage_of_another(self, duel, client):
        client.force_login(duel.user("Bung"))
        assert client.post(page(duel), form(duel, mage="Froodal", LH="P", RH="D")).status_code == 403
        assert ready_sheets(duel) == 0

    def test_orders_without_the_csrf_token_are_refused(self, duel):
        from django.test import Client

        client = Client(enforce_csrf_checks=True)
        client.force_login(duel.user("Froodal"))
        assert client.post(page(duel), form(duel, LH="P", RH="D")).status_code == 403
        assert ready_sheets(duel) == 0

    def test_orders_for_an_unknown_number_are_not_found(self, duel, client):
        client.force_login(duel.user("Froodal"))
        assert client.post("/battles/4711/", form(duel, LH="P", RH="D")).status_code == 404

    def test_other_methods_are_rejected(self, duel, client):
        assert client.delete(page(duel)).status_code == 405
        assert client.get(page(duel) + "draft/").status_code == 405


class TestInTheMiddleOfATurn:
    @pytest.fixture
    def asked(self, duel):
        """Bung's waving hand was paralysed into a palm that ends two spells."""
        duel.turns([("F/-", "-/-"), ("F/-", "W/-"), ("F/-", "W/-")])
        duel.order("Froodal", "LH -\nRH -\nPARALYZE LH Bung")
        duel.order("Bung", "-/-")
        return duel

    def test_the_mage_who_is_asked_finds_the_question_and_answers_it(self, asked, client):
        client.force_login(asked.user("Bung"))
        shown = client.get(page(asked)).content
        assert b"CHOOSE LH Shield" in shown
        assert b'name="stage" value="4.0.1"' in shown
        sent = {"stage": "4.0.1", "mage": "Bung", "act": "ready", "order": ["CHOOSE LH Shield"]}
        assert client.post(page(asked), sent).status_code == 302
        assert asked.key() == (5, 0, 0)

    def test_the_other_is_not_asked_and_does_not_see_the_choice(self, asked, client):
        client.force_login(asked.user("Froodal"))
        shown = client.get(page(asked))
        assert shown.status_code == 200
        assert b"CHOOSE LH" not in shown.content
        sent = {"stage": "4.0.1", "mage": "Froodal", "act": "ready", "order": ["CHOOSE LH Shield"]}
        assert client.post(page(asked), sent).status_code == 409
        assert asked.key() == (4, 0, 1)


def test_the_page_of_a_stuck_battle_says_so_to_players_and_spectators(duel, client, monkeypatch):
    from duels.services import resolve

    def fail(*_):
        raise ValueError("a spell that nobody thought of")

    monkeypatch.setattr(resolve, "advance", fail)
    duel.turn("P/D", "F/F")
    for user in (duel.user("Froodal"), None):
        if user:
            client.force_login(user)
        else:
            client.logout()
        answer = client.get(page(duel))
        assert answer.status_code == 200
        assert b"is stuck" in answer.content
        assert b"nobody thought of" not in answer.content


class TestDrafts:
    def test_a_draft_is_saved_and_found_again(self, duel, client):
        client.force_login(duel.user("Froodal"))
        answer = client.post(page(duel) + "draft/", form(duel, LH="P", RH="D", save="1"))
        assert answer.status_code == 200
        assert OrderSheet.objects.get(combatant__mage__name="Froodal").draft == "LH P\nRH D"
        assert ready_sheets(duel) == 0

    def test_counting_hints_saves_nothing(self, duel, client):
        client.force_login(duel.user("Froodal"))
        assert client.post(page(duel) + "draft/", form(duel, LH="P", save="0")).status_code == 200
        assert OrderSheet.objects.get(combatant__mage__name="Froodal").draft == ""

    def test_a_draft_for_a_turn_that_is_over_is_refused(self, duel, client):
        old = form(duel, LH="P", save="1")
        duel.turn("F/F", "W/W")
        client.force_login(duel.user("Froodal"))
        assert client.post(page(duel) + "draft/", old).status_code == 409

    def test_a_draft_of_another_cannot_be_read_or_written(self, duel, client):
        save_draft(combatant=duel.combatant("Froodal"), text="LH S\nRH W\nSAY secret plan", stage=duel.key())
        client.force_login(duel.user("Bung"))
        assert client.post(page(duel) + "draft/", form(duel, save="1", LH="P")).status_code == 403
        assert b"secret plan" not in client.get(page(duel) + "?mage=Froodal").content
        client.logout()
        assert client.post(page(duel) + "draft/", form(duel, save="1", LH="P")).status_code == 302

    @pytest.mark.parametrize("line", ["", "P/D"])
    def test_words_that_are_too_long_stay_in_their_field_and_block_nothing(self, duel, client, line):
        client.force_login(duel.user("Froodal"))
        words = "well met " * 60
        hands = {"LH": "P", "RH": "D", "line": line}
        refused = client.post(page(duel), form(duel, say=words, **hands))
        assert refused.status_code == 422 and b"SAY takes at most 500 characters" in refused.content
        client.post(page(duel) + "draft/", form(duel, say=words, save="1", **hands))
        for answer in (refused, client.get(page(duel))):
            text = answer.content.decode()
            assert 'maxlength="500"' in text and f">{words.strip()}</textarea>" in text
            assert 'name="line" value=""' in text and "data-typed" not in text
        assert client.post(page(duel), form(duel, say="well met", **hands)).status_code == 302


def test_the_admin_shows_no_orders_state_or_seed(duel, admin_client):
    duel.order("Froodal", "P/D\nSAY between us")
    answer = admin_client.get(f"/admin/duels/battle/{duel.battle.pk}/change/")
    assert answer.status_code == 200
    for secret in (duel.battle.seed, "between us", "&quot;left&quot;"):
        assert secret.encode() not in answer.content
    assert admin_client.get("/admin/duels/ordersheet/").status_code == 404
