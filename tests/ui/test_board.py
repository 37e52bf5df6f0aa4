"""The battle page in each of its states, from views made by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from duels.board.sides import make_chips
from duels.keys import StageKey
from duels.terms import Terms
from rules_engine.audience import SHOWN
from tests.ui.rendering import draw, spoken
from tests.ui.sample_battle import Sheet, duel, enchantment, facts, mage, preview, question

pytestmark = pytest.mark.once


def warning(code: str, message: str, severe: bool = False) -> SimpleNamespace:
    return SimpleNamespace(code=code, message=message, severe=severe)


def beads(html: str, label: str) -> list[str]:
    text = re.findall(rf'<ol aria-label="{re.escape(label)}">(.*?)</ol>', html, re.S)[0]
    return re.findall(r'<span class="bead ([^"]*)"', text)


def test_strings_are_spoken_turn_by_turn_with_what_they_completed() -> None:
    html = draw(duel())
    assert spoken(html, "Bung, left hand") == [
        "Turn 1: wave",
        "Turn 2: wave",
        "Turn 3: snap, completed Counter Spell",
        "Turn 4: stab",
        "Turn 5: clap",
        "Turn 6: digit",
        "Turn 7: palm, completed Shield",
        "Now: not shown until both are ready",
    ]
    assert spoken(html, "Your, right hand")[-1] == "Now: digit"


def test_the_other_mages_now_looks_the_same_thinking_or_ready() -> None:
    thinking, ready = draw(duel()), draw(duel(bung_ready=True))
    label = "Bung, left hand"
    assert beads(thinking, label)[-1] == beads(ready, label)[-1] == "square veiled"
    assert "thinking" in thinking and "thinking" not in ready.split("story")[0]


def test_my_now_is_ember_while_i_choose_and_moss_once_sealed() -> None:
    assert beads(draw(duel()), "Your, left hand")[-1] == "square mine completes"
    assert beads(draw(duel(ready=True)), "Your, left hand")[-1] == "square ready completes"


def test_the_growing_stretch_runs_from_the_first_bead_of_the_longest_unfinished_series_to_now() -> None:
    html = draw(duel())
    text = re.findall(r'<ol aria-label="Bung, left hand">(.*?)</ol>', html, re.S)[0]
    growth = re.findall(r'<li class="c(\d)( now)?((?: grow-\w+)*)"', text)
    assert [n for n, _, grows in growth if "grow" in grows] == ["5", "6", "7", "8"]
    assert growth[4][2] == " grow-out"


def test_a_threat_names_what_one_more_gesture_completes_and_never_shield() -> None:
    html = draw(duel())
    assert re.search(r'Left hand:</b> <span class="letter">W</span> completes <a [^>]*>Dispel Magic', html)
    assert 'completes <a href="/rules/firetop-standard/#shield">' not in html


def test_a_sealed_sheet_shows_no_pads_and_offers_a_change() -> None:
    html = draw(duel(ready=True), next_battle={"url": "/battles/31/", "text": "Melee 31"})
    assert "You are ready." in html
    assert 'type="radio"' not in html
    assert "change=1" in html
    assert "Next: Melee 31" in html


def test_change_opens_the_pads_again() -> None:
    html = draw(duel(ready=True), change=True)
    assert html.count('type="radio"') == 16
    assert "You are ready." not in html


def test_an_empty_sheet_holds_the_button_and_says_what_is_missing() -> None:
    asked = [question(hand, "gesture", hand, list("FPSWDC>-"), required=True) for hand in ("LH", "RH")]
    review = "Choose a gesture for your left hand and your right hand."
    html = draw(duel(questions=asked, sheet=Sheet(), preview=preview(casts={}, review=review)))
    assert re.search(r'id="ready" aria-disabled="true">Ready', html)
    assert review in html
    assert spoken(html, "Your, left hand")[-1] == "Now: not chosen"


def test_a_surrender_turns_the_button_and_is_asked_once_more() -> None:
    both = preview(
        casts={"LH": "Shield", "RH": "Shield"},
        warnings=(
            warning("two", "Something small."),
            warning("surrender", "Both palms at once are a surrender. You leave the battle.", severe=True),
        ),
    )
    first, second = draw(duel(preview=both)), draw(duel(preview=both), ask_to_confirm=True)
    assert "Surrender…</button>" in first and 'name="confirmed"' not in first
    assert "Something small." not in first, "one warning at a time, the worst first"
    assert ">Surrender</button>" in second and 'name="confirmed" value="yes"' in second
    assert "Keep fighting" in second


def test_a_warning_that_is_not_severe_does_not_stand_in_the_way() -> None:
    html = draw(duel(preview=preview(warnings=(warning("half_clap", "A clap with one hand counts as nothing."),))))
    assert "A clap with one hand counts as nothing." in html
    assert re.search(r'class="button main"[^>]*>Ready<', html)


def test_problems_stand_under_the_line_and_nothing_typed_is_cleared() -> None:
    form = SimpleNamespace(line="P/Q <b>")
    problem = SimpleNamespace(text="Q <b>", message="There is no gesture Q.", nearest="P")
    html = draw(duel(), form=form, problems=[problem])
    assert 'value="P/Q &lt;b&gt;"' in html
    assert 'aria-invalid="true"' in html
    assert "There is no gesture Q." in html and "<code>P</code>" in html


def test_orders_for_a_turn_that_is_over_are_shown_as_stale() -> None:
    html = draw(duel(), stale=True)
    assert "That turn is over." in html
    assert "kept below" not in html
    assert 'id="ready"' not in html


def test_what_came_too_late_stands_below_as_it_was_sent() -> None:
    html = draw(duel(), stale=True, form=SimpleNamespace(line="", text="LH P\nTARGET LH <b>"))
    assert "they are kept below" in html
    assert "LH P\nTARGET LH &lt;b&gt;</pre>" in html


@pytest.mark.parametrize(("label", "why"), [("8H", "an extra turn"), ("8T", "a turn outside time")])
def test_who_does_not_move_in_an_extra_turn_is_told_so_and_has_nothing_to_choose(label: str, why: str) -> None:
    html = draw(duel(label=label, asked=False, questions=[], preview=None))
    assert f"This is {why}, and you do not move in it." in html
    assert spoken(html, "Your, left hand")[-1] == "Now: nothing is asked"
    assert ("stopped" in html) == (label == "8T")


def test_the_forgetful_see_what_their_hands_repeat() -> None:
    html = draw(duel(repeated={"LH": "W", "RH": "C"}, questions=[], sheet=Sheet(), preview=preview(casts={})))
    assert "Your left hand repeats wave, your right hand clap." in html
    assert spoken(html, "Your, left hand")[-1] == "Now: wave, repeated"
    assert 'placeholder=""' in html, "no gestures are proposed to who has none to choose"
    hasty = {"LH": "W", "RH": "C", "LH2": "S", "RH2": "-"}
    html = draw(duel(repeated=hasty, questions=[], sheet=Sheet(), preview=preview(casts={})))
    assert "Your left hand repeats wave, your right hand clap; the second time snap and nothing." in html
    assert spoken(html, "Your, left hand")[-2:] == ["Now: wave, repeated", "Now, the second time: snap, repeated"]


def test_in_a_turn_that_waits_for_answers_my_gestures_are_made() -> None:
    html = draw(duel(stage_key=StageKey(8, 0, 1), questions=[], sheet=Sheet(), preview=preview(casts={})))
    assert spoken(html, "Your, right hand")[-1] == "Now: the gesture is made"


def test_after_the_end_a_player_is_led_on() -> None:
    over = duel(battle=facts(is_over=True, result={"winners": ["Froodal"], "reason": "kill"}))
    assert "Find an opponent" in draw(over)
    assert "Next: Melee 31" in draw(over, next_battle={"url": "/battles/31/", "text": "Melee 31"})


def test_final_orders_offer_no_change() -> None:
    terms = Terms(orders_final=True)
    html = draw(duel(ready=True, terms=terms))
    assert "final" in html and "change=1" not in html and "You may change" not in html


def test_an_enchantment_leads_to_its_rule() -> None:
    html = draw(duel())
    assert '<a href="/rules/firetop-standard/#disease">Diseased</a>' in html


def test_letters_for_enchantments_stand_beside_the_hit_points_where_the_rules_have_them() -> None:
    assert 'class="letters"' not in draw(duel())
    lettered = (mage("Froodal", "BP", "BD", 13, mine=True), mage("Bung", "BW", "BP", 12, letters="sb"))
    assert '<span class="letters" aria-hidden="true">sb</span>' in draw(duel(mages=lettered))


@pytest.mark.parametrize("mark", sorted(SHOWN))
def test_every_mark_leads_to_a_rule(mark: str) -> None:
    assert make_chips([enchantment(mark, SHOWN[mark], 2)])[0]["url"].startswith("/rules/#")


def test_the_only_turn_that_would_be_folded_twice_is_folded_once() -> None:
    html = draw(duel())
    assert not re.search(r"Turns (\w+) to \1<", html)


def test_a_question_is_a_row_whose_values_are_order_lines() -> None:
    asked = question("CHOOSE RH", "choose", "RH", ["Magic Missile", "Finger Of Death"], required=True)
    html = draw(duel(questions=[asked]))
    assert re.search(r'<select [^>]*name="order"[^>]*data-slot="CHOOSE RH"', html)
    assert '<option value="CHOOSE RH Magic Missile">' in html
    assert "Right hand makes" in html


def test_a_monsters_target_is_chosen_beside_its_name() -> None:
    html = draw(duel())
    row = re.findall(r'<li class="being">.*?</li>', html, re.S)[0]
    assert "RedGoblin" in row and 'form="orders"' in row
    assert re.search(r'<option value="TARGET RedGoblin Bung" selected>', row)


def test_the_order_line_is_empty_without_script_so_that_the_pads_count() -> None:
    assert re.search(r'id="line" name="line" value="" placeholder="P/D"', draw(duel()))


def seen(view: Any, **changes: Any) -> Any:
    return replace(view, view=SimpleNamespace(**(vars(view.view) | changes)))


def test_an_extra_turn_is_a_column_of_its_own_and_those_who_waited_show_nothing_in_it() -> None:
    mages = (mage("Froodal", "BWS.", "BDS.", 13, mine=True), mage("Bung", "BPWD", "BWPF", 12))
    html = draw(seen(duel(), mages=mages, columns=("0", "1", "2", "2H")))
    assert ">2+" in html
    assert len(beads(html, "Your, left hand")) == 4
    assert spoken(html, "Bung, left hand")[3] == "Turn 2H: digit, extra turn"
    assert "an extra turn" in html


def test_anti_spell_cuts_the_string_without_a_column_of_its_own() -> None:
    mages = (mage("Froodal", "BWS#", "BDS#", 13, mine=True), mage("Bung", "BPW.", "BWP.", 12))
    html = draw(seen(duel(), mages=mages, columns=("0", "1", "2", "2")))
    assert spoken(html, "Your, left hand")[2] == "Turn 2: snap, then the string is cut"
    assert html.count('<span class="cut">') == 2
    assert "grow" not in re.findall(r'<ol aria-label="Your, left hand">(.*?)</ol>', html, re.S)[0]


def test_what_was_not_seen_is_said_to_be_not_seen() -> None:
    mages = (mage("Froodal", "BWS", "BDS", 13, mine=True), mage("Bung", "B?W", "B?P", None))
    html = draw(seen(duel(), mages=mages, columns=("0", "1", "2")))
    assert spoken(html, "Bung, left hand")[1] == "Turn 1: not seen"
    assert "hit points hidden" in html


def test_a_hand_that_was_not_free_has_a_double_rim_and_a_reason() -> None:
    html = draw(duel(causes={"Bung": {6: {"RH": "paralysed"}}}))
    assert "held" in beads(html, "Bung, right hand")[5]
    assert spoken(html, "Bung, right hand")[5] == "Turn 6: fingers, paralysed"


def test_a_two_handed_spell_is_named_once_below_the_pair() -> None:
    html = draw(duel())
    assert len(re.findall(r'<span class="under[^>]*>Disease<', html)) == 1
    assert html.count('<span class="tie"></span>') == 2


def test_hit_points_are_said_in_words_when_few_are_left() -> None:
    mages = (mage("Froodal", "BW", "BD", 5, mine=True), mage("Bung", "BP", "BW", 6))
    html = draw(seen(duel(), mages=mages, columns=("0", "1")))
    assert html.count("badly hurt") == 1


def test_after_the_end_there_is_no_now_and_no_form() -> None:
    result = {"winners": ["Froodal"], "reason": "kill", "dead": ["Bung"], "surrendered": []}
    html = draw(replace(duel(), battle=facts(is_over=True, result=result)))
    assert "Outright victory to Froodal" in html
    assert "now-column" not in html and "<form" not in html
    assert spoken(html, "Bung, left hand")[-1].startswith("Turn 7")


def test_older_turns_are_folded_with_a_headline_each() -> None:
    html = draw(duel())
    assert "Turn 6: Bung falls ill, 1 damage" in html
    assert "Turns 1 to 4" in html
    assert 'href="#turn-3"' in html and 'id="turn-3"' in html


def test_speech_stays_escaped() -> None:
    view = duel(sheet=Sheet(LH="P", RH="D", SAY='</textarea><script>alert("x")</script>'))
    assert "<script>" not in draw(view)
