"""Questions, previews and threats: what a mage is asked and shown before anything happens, from their own view."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import (
    Done,
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    find_summoning_hands,
    growing,
    is_complete,
    look,
    new_duel,
    open_questions,
    preview,
    read_orders,
    threats,
)
from rules_engine.beings import Monster
from rules_engine.gestures import GESTURES
from rules_engine.questions import rehearse
from rules_engine.state import State
from rules_engine.steps.taking_orders import find_spells
from tests.rules_engine.random_play import choose_sheet, choose_sheets, new_battle, play_battle, stir

seeds = st.integers(0, 2**32)


def begun(left: str, right: str, mages: int = 2) -> State:
    """Turn n+1, in which Ayla has played these gestures and the others none."""
    state = new_battle(1, mages=mages).copy()
    state.columns = [str(n) for n in range(len(left) + 1)]
    for wizard in state.wizards.values():
        wizard.left = wizard.right = "B" + "-" * len(left)
        wizard.blind_columns = wizard.unseen_columns = "0" * len(state.columns)
    ayla = state.wizards["Ayla"]
    ayla.left, ayla.right = "B" + left, "B" + right
    book = state.ruleset.book
    ayla.begun = book.states_of(ayla.left, ayla.right)
    return state


def sheet_of(text: str) -> Sheet:
    return Sheet.from_lines(text.split("|"))


def asked(state: State, text: str = "", mage: str = "Ayla") -> dict:
    return {q.id: q for q in open_questions(state, mage, sheet_of(text) if text else None)}


# -- questions -------------------------------------------------------------------------------------------------------


@given(seeds)
def test_every_offered_answer_reads_back_as_itself(seed):
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for mage, sheet in choose_sheets(state, rng).items():
        questions = open_questions(state, mage, sheet)
        assert len({q.id for q in questions}) == len(questions)
        for question in questions:
            assert question.mage == mage and question.clause
            for option in question.options:
                assert option.label
                assert option.allowed or option.reason
                read = read_orders(state, mage, question.line(option.value))
                assert bool(read.problems) is not option.allowed
                assert not option.allowed or list(read.sheet) == [(question.id, option.value)]


@given(seeds)
def test_without_an_answer_the_default_happens(seed):
    """The default of a target question becomes the spell's target."""
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for wizard in state.wizards.values():
        wizard.marks.clear()
    sheets = {}
    for mage in state.owing:
        sheet = choose_sheet(state, mage, rng, purpose=1)
        for hand in ("LH", "RH", "BH"):
            question = next((q for q in open_questions(state, mage, sheet) if q.id == f"TARGET {hand}"), None)
            if question is None or question.default is not None:
                sheet = sheet.without(f"TARGET {hand}")
        sheets[mage] = sheet
    defaults = {
        (mage, q.id): q.answered or q.default
        for mage, sheet in sheets.items()
        for q in open_questions(state, mage, sheet)
        if q.kind == "target"
    }
    done = advance(state, sheets, KeyedDice("x"))
    assert isinstance(done, Done)
    for told in done.events:
        facts = told.facts
        if told.kind == "casts" and facts["target"] is not None and not facts["fired"]:
            assert defaults[facts["who"], f"TARGET {facts['hand']}"] == facts["target"]


def test_both_gestures_are_asked_and_required():
    questions = asked(new_battle(1, mages=2))
    assert [q.id for q in questions.values() if q.required] == ["LH", "RH"]
    assert [o.value for o in questions["LH"].options] == list(GESTURES)
    assert not is_complete(new_battle(1, mages=2), "Ayla", sheet_of("LH P"))
    assert is_complete(new_battle(1, mages=2), "Ayla", sheet_of("LH P|RH -"))


def test_frightened_mages_see_what_they_cannot_play():
    state = begun("-", "-")
    state.wizards["Ayla"].marks["afraid"] = 1
    options = asked(state)["LH"].options
    assert {o.value for o in options if not o.allowed} == set("CDFS")
    assert {o.reason for o in options if not o.allowed} == {"too afraid"}
    assert asked(state, "LH D|RH P")["LH"].answered is None, "an answer that is not allowed is none"


@pytest.mark.parametrize(
    ("left", "right", "made", "choices"),
    [
        ("WW", "--", "LH P|RH -", {"CHOOSE LH": {"Protection", "Shield"}}),
        ("WWF", "---", "LH P|RH -", {"CHOOSE LH": {"Resist Heat", "Cause Light Wounds", "Shield"}}),
        ("WFPSF", "-----", "LH W|RH -", {"CHOOSE LH": {f"Summon {k}" for k in ("Giant", "Troll", "Ogre", "Goblin")}}),
        ("WWW", "PPW", "LH S|RH S", {"CHOOSE LH": {"Counter Spell"}, "CHOOSE BH": {"Invisibility"}}),
        ("-", "-", "LH P|RH -", {}),
        ("WW", "DF", "LH S|RH W", {}),
    ],
)
def test_gestures_that_complete_several_spells_ask_for_a_choice(left, right, made, choices):
    questions = asked(begun(left, right), made)
    found = {q.id: {o.value for o in q.options} for q in questions.values() if q.kind == "choose"}
    assert found == choices


def test_one_choice_for_both_hands_or_one_for_each():
    state = begun("WWW", "PPW")
    made = "LH S|RH S"
    assert not is_complete(state, "Ayla", sheet_of(made))
    assert is_complete(state, "Ayla", sheet_of(f"{made}|CHOOSE BH Invisibility"))
    assert is_complete(state, "Ayla", sheet_of(f"{made}|CHOOSE LH Counter Spell"))
    assert not is_complete(state, "Ayla", sheet_of(f"{made}|CHOOSE LH Fireball"))


def test_in_a_melee_harm_needs_a_target_and_help_does_not():
    made = "LH D|RH P"
    duel, melee = begun("S-", "--"), begun("S-", "--", 3)
    for state in (duel, melee):
        state.wizards["Ayla"].begun = state.ruleset.book.states_of("S", "-")
    assert (asked(duel, made)["TARGET LH"].default, asked(duel, made)["TARGET LH"].required) == ("Crom", False)
    assert (asked(melee, made)["TARGET LH"].default, asked(melee, made)["TARGET LH"].required) == (None, True)
    assert (asked(melee, made)["TARGET RH"].default, asked(melee, made)["TARGET RH"].required) == ("Ayla", False)
    assert is_complete(melee, "Ayla", sheet_of(f"{made}|TARGET LH nobody"))
    melee.wizards["Dara"].phase, melee.out = "dead", ["Dara"]
    assert asked(melee, made)["TARGET LH"].default == "Crom"


def test_a_stab_has_a_target_and_a_storm_has_none():
    assert asked(begun("SWW", "---"), "LH C|RH C").keys() & {"TARGET LH", "TARGET BH"} == set()
    question = asked(begun("-", "-"), "LH -|RH >")["TARGET RH"]
    assert (question.about, question.default) == ("Stab", "Crom")


def test_existing_and_coming_creatures_can_be_given_targets():
    state = begun("SF", "--")
    state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", "Ayla", "Crom")
    state.monsters["PinkOgre"] = Monster("PinkOgre", "Ogre", "Crom", "Ayla")
    questions = asked(state, "LH W|RH -")
    assert {q.about for q in questions.values() if q.kind == "monster"} == {"RedOgre", "LH:Ayla"}
    assert "RedOgre" not in {o.value for o in questions["TARGET RedOgre"].options}
    given_away = asked(state, "LH W|RH -|TARGET LH Crom")
    assert "TARGET LH:Ayla" not in given_away


def test_powers_are_offered_while_they_last():
    state = begun("-", "-")
    ayla, crom = state.wizards["Ayla"], state.wizards["Crom"]
    assert not {"PERMANENT", "DELAY", "FIRE", "PARALYZE Crom", "DIRECT Crom"} & set(asked(state))
    ayla.marks |= {"permanency": 1, "delay": 1}
    ayla.bank = ("Fireball", "Crom")
    crom.marks |= {"paralysed": 1, "charmed": 1}
    crom.paralyser = crom.controller = "Ayla"
    assert {"PERMANENT", "DELAY", "FIRE", "PARALYZE Crom", "DIRECT Crom"} <= set(asked(state))
    crom.stuck, crom.directed = {"LH": 1}, {"RH": "P"}
    assert not {"PARALYZE Crom", "DIRECT Crom"} & set(asked(state))


def held(mark, count, ruleset="warlocks"):
    state = new_duel(ruleset, ["Ayla", "Crom"], dice=KeyedDice("held"))
    crom = state.wizards["Crom"]
    crom.marks[mark] = count
    crom.controller = crom.paralyser = "Ayla"
    return state


@pytest.mark.parametrize("mark", ["charmed", "paralysed", "forgetful", "confused"])
def test_only_a_permanent_mind_spell_allows_suicide_in_warlocks(mark):
    """It is an optional question with a warning, and neither a slip nor a bare END leads to it."""
    for state in (held(mark, 1), held(mark, -1, "firetop-standard"), held("afraid", -1), held("blind", -1)):
        assert "SUICIDE" not in {q.id for q in open_questions(state, "Crom")}
        assert read_orders(state, "Crom", "SUICIDE").problems[0].code == "not_allowed"
        assert not advance(state, {m: sheet_of("LH -|RH -|SUICIDE") for m in state.mages}, KeyedDice("x")).state.over
    for count in (-1, 999):
        state = held(mark, count)
        question = next(q for q in open_questions(state, "Crom") if q.id == "SUICIDE")
        assert (question.kind, question.default, question.required) == ("suicide", None, False)
        assert "SUICIDE" not in {q.id for q in open_questions(state, "Ayla")}
        assert not advance(state, {m: sheet_of("LH -|RH -") for m in state.mages}, KeyedDice("x")).state.over
        read = read_orders(state, "Crom", "-/-\nsuicide ; enough")
        assert read.sheet.lines() == ["LH -", "RH -", "SUICIDE"] and not read.problems
        assert [w.code for w in preview(state, "Crom", read.sheet).warnings if w.severe] == ["suicide"]
        done = advance(state, {"Ayla": sheet_of("LH -|RH -"), "Crom": read.sheet}, KeyedDice("x"))
        assert done.state.outcome.winners == ("Ayla",) and done.state.outcome.dead == ("Crom",)
    for slip in ("SUICIDES", "SUICDE", "SUCIDE", "SUICIDE yes"):
        problem = read_orders(state, "Crom", slip).problems[0]
        assert slip == "SUICIDE yes" or "SUICIDE" not in (problem.nearest or "")


def test_two_elementals_of_one_mage_are_separate_questions():
    """WH-SUM-4; an older stored sheet has one answer for both."""
    state = new_duel("waving-hands", ["Ayla", "Crom"], dice=KeyedDice("two"))
    aims = "CHOOSE LH Summon Elemental|CHOOSE RH Summon Elemental|TARGET LH Ayla|TARGET RH Ayla"
    for gesture in "CSWWS":
        orders = f"LH {gesture}|RH {gesture}" + (f"|{aims}" if gesture == "S" and len(state.columns) > 4 else "")
        sheets = {"Ayla": sheet_of("LH -|RH -"), "Crom": sheet_of(orders)}
        state = advance(state, sheets, dice=KeyedDice("two")).state
    questions = open_questions(state, "Ayla")
    assert [(q.id, q.required, q.line("ice")) for q in questions] == [
        ("ELEMENTAL LH:Crom", True, "ELEMENTAL ice LH:Crom"),
        ("ELEMENTAL RH:Crom", True, "ELEMENTAL ice RH:Crom"),
    ]
    [problem] = read_orders(state, "Ayla", "ELEMENTAL ice FIRE:Crom").problems
    assert (problem.code, problem.nearest) == ("not_allowed", "ELEMENTAL ice LH:Crom")
    assert not is_complete(state, "Ayla", read_orders(state, "Ayla", "ELEMENTAL ice LH:Crom").sheet)
    both = advance(state, {"Ayla": sheet_of("ELEMENTAL ice Crom")}, dice=KeyedDice("two")).state
    assert list(both.monsters) == ["IceElemental"]


def test_a_mage_who_owes_no_orders_has_no_questions():
    state = begun("-", "-")
    state.wizards["Ayla"].phase = "ready"
    assert open_questions(state, "Ayla") == ()
    assert open_questions(state, "Nobody") == ()


# -- previews --------------------------------------------------------------------------------------------------------


@given(seeds)
def test_a_preview_says_what_the_turn_casts(seed):
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for wizard in state.wizards.values():
        wizard.marks.clear()
    sheets = choose_sheets(state, rng, purpose=1)
    foreseen = {
        (mage, hand, spell)
        for mage, sheet in sheets.items()
        for hand, spell in preview(state, mage, sheet).casts.items()
        if spell
    }
    done = advance(state, sheets, KeyedDice("x"))
    cast = {(e.facts["who"], e.facts["hand"], e.facts["spell"]) for e in done.events if e.kind == "casts"}
    assert {each for each in cast if each[1] != "FIRE"} == foreseen


@given(seeds, st.sampled_from(GESTURES), st.sampled_from(GESTURES))
def test_a_key_shows_what_its_gesture_completes(seed, left, right):
    state = stir(new_battle(seed), random.Random(seed))
    for name, wizard in state.wizards.items():
        keys = preview(state, name, Sheet({"RH": right})).keys["LH"]
        trial = rehearse(state, wizard, Sheet({"LH": left, "RH": right}))
        found = find_spells(trial)
        assert set(keys[left].completes) == {*found["LH"], *found["BH"]}


@given(seeds)
def test_spells_within_reach_show_their_missing_gestures(seed):
    state = stir(new_battle(seed), random.Random(seed))
    for name in state.mages:
        for rows in preview(state, name).becomes.values():
            for row in rows:
                assert 0 < row.more == len(row.rest) <= 3
                assert row.series.endswith(row.rest)
                assert row.both == any(letter.islower() for letter in row.rest)
                assert state.ruleset.series[row.series] == row.spell


def test_no_spell_is_within_reach_while_a_turn_waits_for_answers():
    state = new_duel("waving-hands", ("Ayla", "Crom"), dice=KeyedDice("s"))
    for crom in ("LH -|RH -", "LH -|RH -", "LH C|RH S"):
        sheets = {"Ayla": sheet_of("LH F|RH -"), "Crom": sheet_of(crom)}
        state = advance(state, sheets, KeyedDice("s")).state
    assert state.stage == 1
    assert preview(state, "Ayla").casts["LH"] == "Paralysis"
    assert [preview(state, mage).becomes for mage in state.mages] == [{}, {}]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("LH P|RH P", {"surrender"}),
        ("LH C|RH D", {"half_clap"}),
        ("LH C|RH C", set()),
        ("LH >|RH >", {"two_stabs"}),
        ("LH W|RH -|TARGET LH Crom", {"given_away"}),
        ("LH W|RH -|TARGET LH Ayla", set()),
        ("LH -|RH D|TARGET RH Ayla", {"harms_self"}),
        ("LH -|RH -|PERMANENT LH", {"permanent_unused"}),
        ("LH -|RH -|DELAY BH", {"delay_unused"}),
        ("LH W|RH -|DELAY LH|PERMANENT LH", {"banked_not_permanent"}),
        ("LH -|RH -|DELAY LH|PERMANENT LH", {"delay_unused", "permanent_unused"}),
        ("DELAY LH|PERMANENT LH", {"banked_not_permanent"}),
        ("LH -|RH -|CHOOSE LH Fireball", {"choice_unused"}),
        ("PERMANENT LH", set()),
        ("LH P", set()),
    ],
)
def test_odd_orders_are_accepted_with_a_warning(text, codes):
    state = begun("SF", "-S")  # the left hand is about to make a goblin, the right a missile
    warnings = preview(state, "Ayla", sheet_of(text)).warnings
    assert {warning.code for warning in warnings} == codes
    assert {warning.code for warning in warnings if warning.severe} == codes & {"surrender"}
    assert not any("both hands completes" in warning.message for warning in warnings)


@pytest.mark.parametrize(
    ("text", "review"),
    [
        ("", "Choose a gesture for each hand."),
        ("LH P", "Choose a gesture for your right hand."),
        ("LH W|RH D", "You cast Summon Goblin, Magic Missile at Crom."),
        ("LH -|RH -", "You complete no spell this turn."),
        ("LH >|RH >", "You stab Crom."),
        ("LH >|RH >|TARGET LH Ayla|TARGET RH Crom", "You stab Crom."),
    ],
)
def test_the_review_sums_up_the_sheet(text, review):
    assert preview(begun("SF", "-S"), "Ayla", sheet_of(text) if text else None).review == review


def test_two_equal_spells_are_listed_once():
    told = preview(begun("S-", "S-"), "Ayla", sheet_of("LH P|RH P|TARGET LH Crom|TARGET RH Crom")).review
    assert told == "You cast Shield on Crom twice."


def test_a_melee_asks_for_the_target_of_two_stabs_once():
    assert preview(begun("--", "--", mages=3), "Ayla", sheet_of("LH >|RH >")).review == "Choose a target for Stab."


def test_a_key_names_every_spell_that_it_completes_the_longest_first():
    key = preview(begun("WF", "--"), "Ayla").keys["LH"]["P"]
    assert key.completes == ("Cause Light Wounds", "Shield")


def test_a_key_names_what_both_hands_complete_while_the_other_hand_is_open():
    state = begun("PPW", "PPW")  # Invisibility ends with both hands' S
    assert preview(state, "Ayla").keys["LH"]["S"].with_both == ("Invisibility",)
    assert preview(state, "Ayla", sheet_of("RH S")).keys["LH"]["S"].completes == ("Invisibility",)
    assert preview(state, "Ayla", sheet_of("RH D")).keys["LH"]["S"].with_both == ()


@given(seeds)
def test_a_key_names_everything_that_its_gesture_continues_or_begins(seed):
    state = stir(new_battle(seed), random.Random(seed))
    for name, wizard in state.wizards.items():
        if wizard.again is not None or wizard.phase != "orders":
            continue
        book = state.ruleset.book
        for gesture, key in preview(state, name, Sheet({"RH": "-"})).keys["LH"].items():
            going = book.begun(book.step(wizard.begun.left, gesture, gesture == "-"))
            named = {*key.leads, *key.begun}
            assert {
                (s.spell, len(s.text) - made) for s, made in going if not (s.once and wizard.short_bolt_used)
            } == named


# -- threats ---------------------------------------------------------------------------------------------------------


@given(seeds)
def test_threats_are_what_one_more_gesture_can_complete(seed):
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for wizard in state.wizards.values():
        wizard.marks.pop("blind", None)
        wizard.blind_columns = wizard.unseen_columns = "0" * len(state.columns)
    view = look(state, Viewer.of("Ayla"))
    book = state.ruleset.book
    for name, wizard in state.wizards.items():
        states = {"LH": wizard.begun.left, "RH": wizard.begun.right}
        for hand, found in threats(view, name).items():
            after = {book.step(states[hand], gesture, alike) for gesture in GESTURES for alike in (True, False)}
            completed = [series for reached in after for series in (*book.single(reached), *book.both(reached))]
            possible = {series.spell for series in completed if len(series.text) > 1}
            assert set(found) == possible
        assert set(growing(view, name)) == {"LH", "RH"}


def test_an_unseen_column_threatens_nothing():
    state = begun("PSF", "---")
    state.wizards["Ayla"].unseen_columns = "0001"
    view = look(state, Viewer.of("Crom"))
    assert view.mage("Ayla").left == "BPS?"
    assert threats(view, "Ayla") == {"LH": (), "RH": ()}
    own = threats(look(state, Viewer.of("Ayla")), "Ayla")
    assert set(own["LH"]) >= {"Summon Ogre", "Summon Goblin"}
    assert growing(look(state, Viewer.of("Ayla")), "Ayla")["LH"] == 3


@given(seeds)
def test_every_creature_comes_from_a_hand_of_which_everyone_could_expect_it(seed):
    """FM-ORDMOVE-13: an order can name a creature before it is made."""
    for before, stage in play_battle(seed, turns=6, mages=3):
        made = stage.record.newborn if isinstance(stage, Done) else {}
        for mage, hand in made:
            for viewer in before.mages:
                assert hand == "FIRE" or hand in find_summoning_hands(look(before, Viewer.of(viewer)), mage)


def test_only_hands_that_can_complete_a_summons_are_expected_to():
    state = begun("SF", "CD")
    seen = look(state, Viewer.of("Crom"))
    assert find_summoning_hands(seen, "Ayla") == {"LH"}
    assert find_summoning_hands(seen, "Crom") == frozenset()


def test_hands_that_were_not_seen_may_summon():
    state = begun("SF", "CD")
    state.wizards["Ayla"].unseen_columns = "001"
    assert find_summoning_hands(look(state, Viewer.of("Crom")), "Ayla") >= {"LH", "RH", "BH"}
    assert find_summoning_hands(look(state, Viewer.of("Ayla")), "Ayla") == {"LH"}


def test_the_review_names_a_random_enemy_if_chance_picks_the_target():
    state = new_duel("warlocks", ("Ayla", "Crom", "Dara"), dice=KeyedDice("s"))
    assert (
        preview(state, "Ayla", Sheet({"LH": "P", "RH": ">"})).review
        == "You cast Shield on yourself and stab a random enemy."
    )


@pytest.mark.parametrize(
    ("extra", "movers", "asked"),
    [("", ("Ayla", "Crom"), True), ("H", ("Ayla", "Crom"), True), ("H", ("Ayla",), False), ("T", ("Ayla",), False)],
)
def test_a_warlock_directs_a_charmed_mage_only_in_turns_in_which_that_mage_acts_under_the_charm(extra, movers, asked):
    """DIRECT is given anew each turn, so one for a turn in which the hand does not play would be lost."""
    state = new_duel("warlocks", ("Ayla", "Crom"), dice=KeyedDice("charm"))
    crom = state.wizards["Crom"]
    crom.marks["charmed"], crom.controller = 1, "Ayla"
    state.extra, state.movers = extra, movers
    assert ("DIRECT Crom" in {question.id for question in open_questions(state, "Ayla")}) == asked
    problems = read_orders(state, "Ayla", "DIRECT LH P Crom").problems
    assert [problem.message for problem in problems] == (
        [] if asked else ["Crom plays no gestures under your charm in this turn."]
    )
