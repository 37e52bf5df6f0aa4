"""The battle page in each of its states, from views of real battles."""

import re
from dataclasses import replace
from datetime import timedelta
from functools import cache

import pytest
from django.db import transaction
from django.http import QueryDict

from duels.board import Link, SentOrders, build_board
from duels.board.pads import _describe_key
from duels.board.sides import make_chips
from duels.order_form import OrderForm, read_order_form
from duels.selectors.battle_view import BattleView
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.orders import save_draft
from rules_engine import Enchantment, KeyHint, Warning
from rules_engine.glossary import ENCHANTMENTS
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage
from tests.ui.rendering import draw, spoken
from tests.ui.sample_battle import CHOSEN, play_sample, play_turns, see, start_duel, with_mages

pytestmark = pytest.mark.once
NEXT = Link("/battles/31/", "Melee 31")
HASTE = [("P/-", "-/-"), ("W/-", "-/-"), ("P/-", "-/-"), ("W/-", "-/-"), ("W/-", "-/-"), ("C/C", "-/-")]
TIME_STOP = [("S/-", "-/-"), ("P/-", "-/-"), ("P/-", "-/-"), ("C/C", "-/-")]
BLINDNESS = [("D/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("D/D\nTARGET BH Bung", "-/-")]


@cache
def see_sample() -> dict[str, BattleView]:
    """The sample duel before turn 8: with several drafts, as others see it, with orders ready, and later.

    Played once: views are values, and outlive the rows that a test rolls back.
    """
    fight = play_sample()
    drafts = {
        "chosen": CHOSEN,
        "empty": "",
        "surrender": "LH P\nRH P",
        "half clap": "LH C\nRH W",
        "wrong": "P/Q <b>",
        "speech": f'{CHOSEN}\nSAY </textarea><script>alert("x")</script>',
    }
    found = {name: see(fight, "Froodal", draft=draft) for name, draft in drafts.items()}
    found["again"] = see(fight, "Froodal", draft=CHOSEN)
    found["spectator"] = see(fight, None)
    save_draft(combatant=fight.combatant("Bung"), text="LH W\nRH >\nSAY secret", stage=fight.key())
    found["other drafted"] = see(fight, "Froodal", draft=CHOSEN)
    with transaction.atomic():
        fight.order("Bung", "W/>\nSAY secret")
        found["other ready"] = see(fight, "Froodal", draft=CHOSEN)
        transaction.set_rollback(True)
    fight.order("Froodal", CHOSEN)
    found["sealed"] = see(fight, "Froodal")
    found["changing"] = see(fight, "Froodal", changing=True)
    fight.order("Bung", "W/>")
    found["next turn"] = see(fight, "Froodal")
    fight.turn("-/-", "P/P")
    found["over"] = see(fight, "Froodal")
    return found


@pytest.fixture
def views(db: None) -> dict[str, BattleView]:
    """The sample duel in many states."""
    return see_sample()


@pytest.fixture
def duel(views: dict[str, BattleView]) -> BattleView:
    """Froodal before turn 8, palm and digit chosen."""
    return views["chosen"]


def sent(**fields: str) -> OrderForm:
    data = QueryDict(mutable=True)
    data.update(fields)
    return read_order_form(data)


def beads(html: str, label: str) -> list[str]:
    text = re.findall(rf'<ol aria-label="{re.escape(label)}">(.*?)</ol>', html, re.S)[0]
    return re.findall(r'<span class="bead ([^"]*)"', text)


def test_strings_are_spoken_turn_by_turn_with_what_they_completed(duel: BattleView) -> None:
    html = draw(duel)
    assert spoken(html, "Bung, left hand") == [
        "Turn 1: wave",
        "Turn 2: wave",
        "Turn 3: snap, completed Counter Spell",
        "Turn 4: stab",
        "Turn 5: clap",
        "Turn 6: digit",
        "Turn 7: palm, completed Shield",
        "Now: hidden until everyone is ready",
    ]
    assert spoken(html, "Your right hand")[-1] == "Now: digit"


def test_the_other_mages_now_looks_the_same_thinking_or_ready(views: dict[str, BattleView]) -> None:
    thinking, ready = draw(views["chosen"]), draw(views["other ready"])
    label = "Bung, left hand"
    assert beads(thinking, label)[-1] == beads(ready, label)[-1] == "square veiled"
    assert "thinking" in thinking and "thinking" not in ready.split("story")[0]


def test_my_now_is_ember_while_i_choose_and_moss_once_sealed(views: dict[str, BattleView]) -> None:
    assert beads(draw(views["chosen"]), "Your left hand")[-1] == "square mine completes"
    assert beads(draw(views["sealed"]), "Your left hand")[-1] == "square ready completes"


def test_the_growing_stretch_runs_from_the_first_bead_of_the_longest_unfinished_series_to_now(duel: BattleView) -> None:
    html = draw(duel)
    text = re.findall(r'<ol aria-label="Bung, left hand">(.*?)</ol>', html, re.S)[0]
    growth = re.findall(r'<li class="c(\d)( now)?((?: grow-\w+)*)"', text)
    assert [n for n, _, grows in growth if "grow" in grows] == ["5", "6", "7", "8"]
    assert growth[4][2] == " grow-out"


def test_a_threat_names_hand_gesture_and_spell_and_never_shield(duel: BattleView) -> None:
    html = draw(duel)
    rows = re.findall(r'<span class="danger (\w+)">(.*?)</b>', html, re.S)
    words = [(tone, " ".join(re.sub(r"<[^>]+>", " ", row).split())) for tone, row in rows]
    assert ("calm", "now L Left W Dispel Magic") in words
    assert not any("Shield" in text for _, text in words)


def test_a_sealed_sheet_shows_no_pads_and_offers_a_change(views: dict[str, BattleView]) -> None:
    html = draw(views["sealed"], next_battle=NEXT)
    assert "You are ready." in html
    assert 'type="radio"' not in html
    assert "change=1" in html
    assert "Next: Melee 31" in html


def test_the_change_button_opens_the_pads_again(views: dict[str, BattleView]) -> None:
    html = draw(views["changing"])
    assert html.count('type="radio"') == 16
    assert "You are ready." not in html


def test_an_empty_sheet_holds_the_button_and_says_what_is_missing(views: dict[str, BattleView]) -> None:
    html = draw(views["empty"])
    assert re.search(r'id="ready" aria-disabled="true">Ready', html)
    assert "Choose a gesture for each hand." in html
    assert spoken(html, "Your left hand")[-1] == "Now: not chosen"


def test_a_surrender_turns_the_button_and_is_asked_once_more(views: dict[str, BattleView]) -> None:
    view = views["surrender"]
    first, second = draw(view), draw(view, sent=SentOrders(ask_to_confirm=True))
    assert "Surrender…</button>" in first and 'name="confirmed"' not in first
    assert ">Surrender</button>" in second and 'name="confirmed" value="yes"' in second
    assert "Keep fighting" in second


def test_there_is_one_warning_at_a_time_and_the_worst_first(views: dict[str, BattleView]) -> None:
    own = views["surrender"].own
    assert own is not None and own.preview is not None
    warnings = (Warning("small", "Something small."), *own.preview.warnings)
    html = draw(replace(views["surrender"], own=replace(own, preview=replace(own.preview, warnings=warnings))))
    assert "Two palms at once are a surrender." in html and "Something small." not in html


def test_a_minor_warning_does_not_block_the_orders(views: dict[str, BattleView]) -> None:
    html = draw(views["half clap"])
    assert "A clap with one hand counts as nothing." in html
    assert re.search(r'class="button main"[^>]*>Ready<', html)


def test_problems_are_below_the_line_and_nothing_typed_is_lost(views: dict[str, BattleView]) -> None:
    html = draw(views["wrong"], sent=SentOrders(sent(line="P/Q <b>")))
    assert 'value="P/Q &lt;b&gt;"' in html
    assert 'aria-invalid="true"' in html
    assert "Q is not a gesture" in html and "<code>P/W</code>" in html


def test_orders_for_a_turn_that_is_over_are_shown_as_stale(duel: BattleView) -> None:
    html = draw(duel, sent=SentOrders(stale=True))
    assert "That turn is over." in html
    assert "find them below" not in html
    assert 'id="ready"' not in html


def test_late_orders_are_shown_below_as_they_were_sent(duel: BattleView) -> None:
    html = draw(duel, sent=SentOrders(sent(LH="P", order="TARGET LH <b>"), stale=True))
    assert "You can find them below." in html
    assert "LH P\nTARGET LH &lt;b&gt;</pre>" in html


@pytest.mark.parametrize(
    ("moves", "label", "why"),
    [(HASTE, "6H", "This is an extra turn"), (TIME_STOP, "5T", "This turn is outside time")],
    ids=["haste", "time stop"],
)
def test_a_mage_who_does_not_move_in_an_extra_turn_sees_why_and_has_no_choices(
    db: None, moves: list[tuple[str, str]], label: str, why: str
) -> None:
    view = play_turns(moves, "Bung")
    html = draw(view)
    assert view.view.label == label
    assert f"{why}, and you have no move in it." in html
    assert spoken(html, "Your left hand")[-1] == "Now: no move"
    assert ("stopped" in html) == label.endswith("T")


def test_the_forgetful_see_what_their_hands_repeat(db: None) -> None:
    amnesia = [("D/F", "S/D"), ("P/F", "S/D"), ("P/W\nCHOOSE LH Amnesia\nTARGET LH Bung", "F/S")]
    html = draw(play_turns(amnesia, "Bung"))
    assert "Your left hand repeats fingers, your right hand snap." in html
    assert spoken(html, "Your left hand")[-1] == "Now: fingers, repeated"
    assert 'placeholder=""' in html, "no gestures are proposed to who has none to choose"


def test_the_forgetful_who_are_fast_see_both_pairs(db: None) -> None:
    bung = ["-/-", "-/-", "-/-", "-/D", "-/P", "-/P\nCHOOSE RH Amnesia\nTARGET RH Froodal"]
    moves = [(froodal, answer) for (froodal, _), answer in zip(HASTE, bung, strict=True)]
    view = play_turns(moves, "Froodal", ruleset="waving-hands")
    html = draw(view)
    assert "Your left hand repeats clap, your right hand clap; the second time clap and clap." in html
    assert spoken(html, "Your left hand")[-2:] == ["Now: clap, repeated", "Now, the second time: clap, repeated"]


def test_in_a_turn_that_waits_for_answers_my_gestures_are_made(db: None) -> None:
    paralysis = [("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "C/S")]
    view = play_turns(paralysis, "Froodal", ruleset="waving-hands")
    assert view.stage_key.stage == 1
    html = draw(view)
    assert spoken(html, "Your left hand")[-1] == "Turn 3: fingers"
    assert spoken(html, "Bung, right hand")[-1] == "Turn 3: snap"
    assert "Hand of Bung to paralyse" in html


def test_a_turn_that_waits_for_answers_has_one_column(db: None) -> None:
    paralysis = [("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "C/S")]
    sides = build_board(play_turns(paralysis, "Froodal", ruleset="waving-hands"), now=NOW).sides
    assert [(column.label, column.now) for column in sides.columns] == [
        ("0", False),
        ("1", False),
        ("2", False),
        ("3", True),
    ]


def test_a_turn_that_waits_for_answers_hints_at_no_next_one(db: None) -> None:
    paralysis = [("F/-", "S/-"), ("F/-", "-/-"), ("F/-", "C/S")]
    sides = build_board(play_turns(paralysis, "Froodal", ruleset="waving-hands"), now=NOW).sides
    (above,) = sides.above
    hints = [string.hint for side in (above, sides.below) for string in side.strings]
    assert [each.spell for hint in hints if hint for each in hint.completions] == ["Paralysis"]
    assert not any(hint.leads or hint.quiet for hint in hints if hint) and not above.dangers


def test_after_the_end_a_player_gets_next_steps(views: dict[str, BattleView]) -> None:
    assert "Find an opponent" in draw(views["over"])
    assert "Next: Melee 31" in draw(views["over"], next_battle=NEXT)


def test_final_orders_offer_no_change(db: None) -> None:
    def order() -> BattleView:
        fight = start_duel(orders_final=True)
        fight.order("Froodal", "P/D")
        return see(fight, "Froodal")

    html = draw(order())
    assert "final" in html and "change=1" not in html and "You can change" not in html


def test_a_key_names_each_spell_once_with_its_nearest_series() -> None:
    hint = KeyHint(("Shield",), (("Time Stop", 2), ("Time Stop", 1)), begun=(("Fear", 3), ("Time Stop", 4)))
    assert _describe_key(hint) == "Completes Shield. Leads to Time Stop (1 more) and Fear (3 more)."
    assert _describe_key(hint, 1) == "Completes Shield. Leads to Time Stop (1 more)."


def test_an_enchantment_leads_to_its_rule(duel: BattleView) -> None:
    assert '<a href="/rules/firetop-standard/#disease">Diseased</a>' in draw(duel)


def test_letters_for_enchantments_stand_beside_the_hit_points_where_the_rules_have_them(
    db: None, duel: BattleView
) -> None:
    assert 'class="letters"' not in draw(duel)

    def resist_heat() -> BattleView:
        fight = start_duel(ruleset="spellcast")
        fight.turns([("W/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("P/-\nCHOOSE LH Resist Heat", "-/-")])
        fight.order("Froodal", "TARGET LH Bung")
        return see(fight, "Froodal")

    html = draw(resist_heat())
    assert re.search(r'<span class="letters" aria-hidden="true">\w</span>', html)


@pytest.mark.parametrize("mark", sorted(ENCHANTMENTS))
def test_every_mark_leads_to_a_rule(mark: str) -> None:
    enchantment = Enchantment(mark, 2, permanent=False)
    assert make_chips([enchantment], "/rules/")[0].url.startswith("/rules/#")


def test_a_single_older_turn_is_not_folded_twice(db: None) -> None:
    html = draw(play_turns([("F/-", "-/-")] + [("W/-", "-/-")] * 3, "Froodal"))
    assert html.count("Turn 1: nothing happens.") == 1
    assert not re.search(r"Turns (\w+) to \1<", html)


def test_a_question_without_a_default_is_cards_whose_values_are_order_lines(db: None) -> None:
    def ask() -> BattleView:
        fight = start_duel()
        fight.turns([("S/-", "D/S"), ("P/-", "D/S"), ("F/-", "D/S")])
        return see(fight, "Froodal", draft="LH P\nRH -")

    html = draw(ask())
    assert re.search(r'<fieldset class="cards" [^>]*data-slot="CHOOSE LH"[^>]*data-open', html)
    assert re.search(r'<input type="radio" [^>]*name="order-q-choose-lh" value="CHOOSE LH Anti Spell">', html)
    assert "Choose a spell for your left hand" in html


def test_a_monsters_target_is_chosen_in_the_dock_and_shown_beside_its_name(duel: BattleView) -> None:
    html = draw(duel)
    row = re.findall(r'<li class="being" .*?</li>', html, re.S)[0]
    assert re.search(r"\w+Goblin", row) and "attacks Bung" in row
    dock = html.partition('class="orders dock"')[2]
    assert re.search(r"\w+Goblin attacks</label>", dock)
    assert re.search(r'<option value="TARGET \w+Goblin Bung" selected>', dock)


def test_a_creature_is_shown_with_its_hit_points(duel: BattleView) -> None:
    assert re.search(r'Goblin</span><span class="quiet">1 hit point</span>', draw(duel))


def test_the_order_line_is_empty_without_script_so_that_the_pads_count(duel: BattleView) -> None:
    assert re.search(r'id="line" name="line" value="" placeholder="P/D', draw(duel))


def test_an_extra_turn_is_a_separate_column_in_which_waiting_mages_show_nothing(db: None) -> None:
    def run_ahead() -> BattleView:
        fight = start_duel()
        fight.turns(HASTE)
        fight.order("Froodal", "S/W")
        return see(fight, "Bung")

    html = draw(run_ahead())
    assert ">6+" in html
    assert len(beads(html, "Your left hand")) == 7
    assert len(beads(html, "Froodal, left hand")) == 8
    assert spoken(html, "Froodal, left hand")[-2] == "Turn 6H: snap, extra turn"
    assert "an extra turn" in html


def test_anti_spell_cuts_the_string_without_a_separate_column(db: None) -> None:
    """SC-ENCH-13."""
    cut = [("S/-", "D/S"), ("P/-", "D/S"), ("F/-", "D/S"), ("P/-\nCHOOSE LH Anti Spell\nTARGET LH Bung", "W/S")]
    html = draw(play_turns(cut, "Bung"))
    assert spoken(html, "Your left hand")[-2] == "Turn 4: wave, then the string is cut"
    assert html.count('<span class="cut">') == 2
    assert "grow" not in re.findall(r'<ol aria-label="Your left hand">(.*?)</ol>', html, re.S)[0]


def test_unseen_gestures_are_labelled_as_not_seen(db: None) -> None:
    html = draw(play_turns([*BLINDNESS, ("W/S", "-/-")], "Bung"))
    assert spoken(html, "Froodal, left hand")[-2] == "Turn 6: not seen"
    assert "you did not see it" in html


def test_unseen_hit_points_are_described_as_unseen(duel: BattleView) -> None:
    assert "hit points hidden" in draw(with_mages(duel, Bung={"hp": None}))


def test_a_compelled_hand_has_a_double_rim_and_a_reason(duel: BattleView) -> None:
    html = draw(duel)
    assert "held" in beads(html, "Bung, right hand")[5]
    assert spoken(html, "Bung, right hand")[5] == "Turn 6: fingers, paralysed"


def test_a_two_handed_spell_is_named_once_below_the_pair(duel: BattleView) -> None:
    html = draw(duel)
    assert len(re.findall(r'<span class="under[^>]*>Disease<', html)) == 1
    assert html.count('<span class="tie"></span>') == 2


def test_hit_points_are_said_in_words_when_few_are_left(duel: BattleView) -> None:
    assert draw(with_mages(duel, Froodal={"hp": 5}, Bung={"hp": 6})).count("badly hurt") == 1


def test_after_the_end_there_is_no_now_and_no_form(views: dict[str, BattleView]) -> None:
    html = draw(views["over"])
    assert "You beat Bung" in html or "You beat Froodal" in html
    assert "now-column" not in html and 'id="orders"' not in html
    assert spoken(html, "Bung, left hand")[-1].startswith("Turn 9")


def test_older_turns_are_folded_with_a_headline_each(duel: BattleView) -> None:
    html = draw(duel)
    assert re.search(r"Turn 6: Bung loses 1 to \w+Goblin\. Bung has 12\.", html)
    assert "Turns 1 to 4" in html
    assert 'href="#turn-3"' in html and 'id="turn-3"' in html


def test_speech_stays_escaped(views: dict[str, BattleView]) -> None:
    html = draw(views["speech"])
    assert "<script>" not in html and "&lt;script&gt;" in html


def versions(view: BattleView) -> dict[str, str]:
    return build_board(view, now=NOW).versions


def changes(before: BattleView, after: BattleView) -> set[str]:
    old, new = versions(before), versions(after)
    return {name for name in old | new if old.get(name) != new.get(name)}


def test_a_part_that_shows_the_same_keeps_its_version(views: dict[str, BattleView]) -> None:
    assert changes(views["chosen"], views["again"]) == set()
    assert changes(views["chosen"], views["other drafted"]) == set(), "what others draft is a secret"


def test_only_the_parts_that_show_something_else_have_another_version(views: dict[str, BattleView]) -> None:
    assert changes(views["chosen"], views["other ready"]) == {"call", "sides"}
    assert changes(views["chosen"], views["speech"]) == {"orders"}
    assert changes(views["chosen"], views["next turn"]) >= {"call", "sides", "orders", "story"}


def test_a_new_turn_changes_no_turn_before_it(views: dict[str, BattleView]) -> None:
    before, after = (build_board(views[name], now=NOW).story for name in ("chosen", "next turn"))
    assert [turn.version for turn in before.turns] == [turn.version for turn in after.turns[1:]]
    assert after.turns[0].version not in {turn.version for turn in before.turns}
    assert len({turn.version for turn in after.turns}) == len(after.turns) == 8


def test_time_that_passes_changes_no_version(views: dict[str, BattleView]) -> None:
    late = NOW.replace(minute=NOW.minute + 30)
    assert versions(views["chosen"]) == build_board(views["chosen"], now=late).versions
    early, later = (build_board(views["chosen"], now=now).call.time for now in (NOW, late))
    assert early and later and early.words != later.words


def test_the_call_counts_the_mages_who_are_thinking_if_there_are_many(db: None) -> None:
    fight = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac", "Dorn")))
    assert build_board(see(fight, None), now=NOW).call.text == "Turn 1: waiting for 4 mages"
    assert build_board(see(fight, "Ayla"), now=NOW).call.sentence == "3 mages are still thinking."
    fight.order("Ayla", "P/D")
    fight.order("Borin", "P/D")
    sealed = build_board(see(fight, "Ayla"), now=NOW).call
    assert sealed.text == "Turn 1: waiting for Cormac and Dorn"
    assert sealed.sentence == "Your orders are in. You can change them until Cormac and Dorn are ready."


def test_after_the_deadline_the_call_shows_everyone_whose_last_chance_it_is(db: None) -> None:
    fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="fast")
    fight.order("Rapid", "P/D")
    late = NOW + timedelta(days=3, minutes=1)
    sweep_deadlines(now=late)
    mine, theirs = (build_board(see(fight, name), now=late).call for name in ("Swift", "Rapid"))
    assert mine.last_chance and mine.sentence.startswith("Your time is up.")
    assert theirs.last_chance and theirs.sentence == "Swift is out of time. This is their last chance."
    assert mine.time and mine.time.words == theirs.time.words == "1 day"
