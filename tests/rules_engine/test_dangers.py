"""What the others threaten: how heavy, how soon, and what stops it. Every claim is played out with the rules."""

import random

import pytest

from rules_engine import (
    Asks,
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    get_ruleset,
    look,
    open_questions,
    read_state,
    write_state,
)
from rules_engine.beings import Monster
from rules_engine.dangers import Danger, Weight, find_dangers
from rules_engine.minds import MIND_MARKS
from rules_engine.positions import set_up
from rules_engine.rulesets import EDITIONS, RULESETS
from rules_engine.state import State
from tests.rules_engine.random_play import new_battle, play_battle, remember

OTHERS = {"LH": "RH", "RH": "LH"}


def dangers(text: str, mage: str = "Crom", viewer: str = "Ayla") -> tuple[Danger, ...]:
    state = set_up(text)
    return find_dangers(look(state, Viewer.of(viewer)), state.ruleset, mage)


def facts(found: tuple[Danger, ...]) -> list[tuple[Weight, str, str, str]]:
    return [(each.weight, each.hand, each.rest, each.spell) for each in found]


def position(*, me: str, foe: str, rules: str = "firetop-standard") -> str:
    if "left" not in me:
        made = len(foe.partition("left ")[2].split()[0])
        me += f"\nleft {'-' * made}\nright {'-' * made}"
    return f"ruleset {rules}\nmage Ayla {me}\nmage Crom {foe}\n"


LIGHTNING = position(me="5\nleft SPDFWSF\nright WFPSDWP", foe="8\nleft WPWPFSS\nright FWSDFFD")


def test_what_kills_now_comes_first_with_its_damage_and_what_stops_it():
    first, second = [each for each in dangers(LIGHTNING) if each.spell in ("Lightning Bolt", "Finger Of Death")]
    assert (first.weight, first.hand, first.rest, first.more, first.length) == (Weight.ENDS, "RH", "D", 1, 5)
    assert (first.damage, first.hp, first.kills_now) == (5, 5, True)
    timely = [each for each in first.stops if each.in_time]
    assert [(each.spell, each.hand, each.rest) for each in timely] == [("Counter Spell", "RH", "P")]
    assert {"Magic Mirror", "Dispel Magic"} <= {each.spell for each in first.stops}
    assert first.fails == ("Shield", "Protection")
    assert (second.spell, second.rest, second.made, second.length) == ("Finger Of Death", "SD", 6, 8)
    assert second.turns == 2 and not second.kills_now


def test_no_counter_spell_stops_a_finger_of_death():
    (finger,) = [each for each in dangers(LIGHTNING) if each.spell == "Finger Of Death"]
    assert "Counter Spell" in finger.fails
    assert {"Magic Mirror", "Dispel Magic", "Raise Dead"} == {each.spell for each in finger.stops}


@pytest.mark.parametrize(("made", "named"), [("PWP", False), ("PWPF", True), ("PWPFSSS", True)])
def test_a_spell_that_kills_is_named_from_half_of_its_series_on(made, named):
    found = dangers(position(me="15", foe=f"15\nleft {made}\nright {'-' * len(made)}"))
    assert ("Finger Of Death" in [each.spell for each in found if each.weight is Weight.ENDS]) is named


def test_a_short_spell_that_kills_is_named_two_gestures_before():
    (wounds,) = dangers(position(me="2", foe="15\nleft ---W\nright ----"))
    assert (wounds.weight, wounds.spell, wounds.rest, wounds.made) == (Weight.ENDS, "Cause Light Wounds", "FP", 1)


def test_with_more_hit_points_the_same_spell_hurts_and_is_named_one_gesture_before():
    assert not dangers(position(me="3", foe="15\nleft ---W\nright ----"))
    (wounds, *_rest) = dangers(position(me="4", foe="15\nleft --WF\nright ----"))
    assert (wounds.weight, wounds.spell, wounds.damage) == (Weight.HURTS, "Cause Light Wounds", 2)


def test_both_hands_and_a_creature_kill_together_where_none_does_alone():
    text = position(me="3", foe="15\nleft ---S\nright ---S\ncreature Goblin 1 of Crom at Ayla")
    (sum_of_all, *others) = dangers(text)
    assert sum_of_all.kills_now and sum_of_all.damage == 3
    assert [(part.hand, part.what) for part in sum_of_all.parts] == [
        ("LH", "Magic Missile"),
        ("RH", "Magic Missile"),
        ("", "WhiteGoblin"),
    ]
    assert all(each.weight is not Weight.ENDS for each in others)
    assert "Shield" in {each.spell for each in sum_of_all.stops}
    assert not [each for each in dangers(text.replace("mage Ayla 3", "mage Ayla 4")) if each.weight is Weight.ENDS]


def test_a_dagger_kills_a_mage_with_one_hit_point():
    (stab, *_others) = dangers(position(me="1", foe="15\nleft --\nright --"))
    assert stab.kills_now and [(part.what, part.rest) for part in stab.parts] == [("Stab", ">")]
    assert not dangers(position(me="1\nhas shielded 2", foe="15\nleft --\nright --"))


def test_a_creature_that_comes_hurts_and_a_counter_spell_on_its_master_stops_it():
    (goblin,) = [each for each in dangers(position(me="9", foe="9\nleft -SF\nright ---")) if each.creature]
    assert (goblin.weight, goblin.spell) == (Weight.HURTS, "Summon Goblin")
    assert ("Counter Spell", "Crom") in {(each.spell, each.on) for each in goblin.stops}


def test_a_second_creature_is_a_creature_too():
    text = position(me="9", foe="9\nleft -SF\nright ---\ncreature Goblin 1 of Crom at Ayla")
    state = set_up(text)
    state.created = 0  # the next name would be the first again
    found = find_dangers(look(state, Viewer.of("Ayla")), state.ruleset, "Crom")
    assert [each.spell for each in found if each.creature] == ["Summon Goblin"]


def test_a_mind_spell_hinders_and_a_protection_is_harmless():
    found = dangers(position(me="9", foe="9\nleft --DP\nright --WW"))
    assert {(each.weight, each.spell) for each in found} == {
        (Weight.HINDERS, "Amnesia"),
        (Weight.HARMLESS, "Protection"),
        (Weight.HARMLESS, "Counter Spell"),
    }


def test_an_illness_kills_when_its_turns_are_over():
    (disease,) = [
        each for each in dangers(position(me="9", foe="9\nleft -----\nright DSFFF")) if each.spell == "Disease"
    ]
    assert (disease.weight, disease.illness, disease.kills_now) == (Weight.ENDS, True, False)
    assert disease.turns > 5


HOLDING = position(me="5", foe="9\nleft ---FF\nright --DFF")


def test_a_paralysis_that_holds_the_only_counter_ends_it():
    (paralysis,) = [each for each in dangers(HOLDING) if (each.spell, each.hand) == ("Paralysis", "LH")]
    (bolt,) = [each for each in dangers(HOLDING) if each.spell == "Lightning Bolt"]
    assert [each.spell for each in bolt.stops if each.in_time] == ["Magic Mirror"]
    assert (paralysis.weight, paralysis.holds, paralysis.kills_now) == (Weight.ENDS, "Magic Mirror", False)
    state = set_up(HOLDING)
    for ayla, crom in ((("C", "C"), ("F", "D")), (("W", "W"), ("-", "D"))):
        sheets = {
            "Ayla": Sheet({"LH": ayla[0], "RH": ayla[1]}),
            "Crom": Sheet({"LH": crom[0], "RH": crom[1], "PARALYZE Ayla": "LH"}),
        }
        state = advance(state, sheets, KeyedDice("test")).state
    assert state.out == ["Ayla"]


def test_a_paralysis_only_hinders_while_the_other_hand_has_a_counter():
    text = HOLDING.replace("left -----\nright -----", "left ----W\nright ---WP", 1)
    (paralysis,) = [each for each in dangers(text) if (each.spell, each.hand) == ("Paralysis", "LH")]
    assert paralysis.weight is Weight.HINDERS


def test_a_frightened_mage_threatens_nothing_with_a_gesture_that_fear_forbids():
    text = position(me="1", foe="9\nhas afraid by Ayla\nleft -S\nright --")
    assert "Magic Missile" not in [each.spell for each in dangers(text)]


def test_resistance_makes_fire_harmless():
    fire = position(me="5\nhas resists heat permanent", foe="9\nleft FSSD\nright ----")
    assert Weight.ENDS not in [each.weight for each in dangers(fire)]


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_names_a_deadly_bolt_and_a_counter_spell_stops_it(name):
    ruleset = get_ruleset(name)
    (text,) = [text for text, spell in ruleset.series.items() if text == "DFFDD"]
    (bolt,) = [
        each
        for each in dangers(position(me="5", foe=f"9\nleft {text[:-1]}\nright ----", rules=name))
        if each.spell == "Lightning Bolt"
    ]
    assert bolt.kills_now and "Counter Spell" in {each.spell for each in bolt.stops}


def test_what_a_mage_may_not_know_changes_no_danger():
    state = set_up(position(me="5\nhas blind 2", foe="8\nleft WPWPFSS\nright FWSDFFD"))
    other = state.copy()
    other.wizards["Crom"].hp = 3
    views = [look(each, Viewer.of("Ayla")) for each in (state, other)]
    assert find_dangers(views[0], state.ruleset, "Crom") == find_dangers(views[1], state.ruleset, "Crom")


@pytest.mark.parametrize("name", RULESETS)
def test_no_position_of_a_battle_is_too_odd(name):
    """Extra turns, turns that wait for answers, blind and invisible mages, banked spells."""
    for state, _ in play_battle(1, name, turns=5):
        for viewer in (*map(Viewer.of, state.mages), Viewer.spectator()):
            view = look(state, viewer)
            for mage in state.mages:
                for danger in find_dangers(view, state.ruleset, mage):
                    assert danger.parts and danger.victim != mage


# -- played out -------------------------------------------------------------------------------------------------------


def random_position(seed: int, name: str, edition: int) -> State:
    """A position with few hit points, hands that have begun something, creatures and some protections."""
    rng = random.Random(seed)
    state = new_battle(seed, name, rng.choice((2, 2, 3)))
    state.ruleset = get_ruleset(name, edition)
    for wizard in state.wizards.values():
        wizard.hp = rng.choice((1, 2, 3, 5, 8, 15))
        for mark in rng.sample(("shielded", "heat_resistant", "cold_resistant", "blind", "invisible"), 1):
            if rng.random() < 0.3:
                wizard.marks[mark] = rng.choice((1, 3))
    state.created = len(state.colours)
    for colour in ("Red", "Blue"):
        if rng.random() < 0.3:
            owner, victim = rng.sample(state.mages, 2)
            kind = rng.choice(("Goblin", "Ogre", "Troll"))
            state.monsters[f"{colour}{kind}"] = Monster(f"{colour}{kind}", kind, owner, victim)
    remember(state, rng.choice((4, 6, 8)), rng)
    for wizard in state.wizards.values():
        wizard.blind_columns = wizard.unseen_columns = "0" * len(state.columns)
    return read_state(write_state(state))


def play_out(
    state: State, danger: Danger, *, answer: dict[int, tuple[dict[str, str], str, str]] | None = None
) -> State:
    """Let the mage do what is threatened, and everyone else nothing, or the victim what `answer` says for a turn:
    (gestures, spell, target)."""
    last = max(1, danger.more)
    end = danger.turns if danger.illness else last
    for turn in range(1, end + 1):
        orders = {name: {"LH": "-", "RH": "-"} for name in state.still_in}
        wishes: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in orders}
        if turn <= last:
            for part in danger.parts:
                attack(orders[danger.mage], wishes[danger.mage], part, danger, turn, last)
        if answer and turn in answer:
            gestures, spell, on = answer[turn]
            orders[danger.victim].update(gestures)
            if spell:
                wishes[danger.victim] = dict.fromkeys(("LH", "RH", "BH"), (spell, on))
        state = play(state, orders, wishes, danger)
        if state.over or danger.victim in state.out:
            break
    return state


def attack(orders, wishes, part, danger, turn, last):
    if part.hand == "FIRE":
        orders["FIRE"] = "FIRE"
        return
    if not part.hand:
        orders[f"TARGET {part.what}"] = danger.victim
        return
    letter = part.rest[turn - 1]
    orders[part.hand] = letter.upper()
    if letter.islower():
        orders[OTHERS[part.hand]] = letter.upper()
    if turn == last:
        slot = "BH" if letter.islower() else part.hand
        wishes[slot] = (part.what, danger.mage if part.what.startswith("Summon") else danger.victim)


def play(state: State, orders, wishes, danger: Danger) -> State:
    """Play a turn. Spells other than those wished for go to nobody."""
    given = {name: dict(mine) for name, mine in orders.items()}
    for _ in range(8):
        sheets = {name: Sheet(given.get(name, {})) for name in state.owing}
        for name in sheets:
            asked = True
            while asked:  # a choice changes which targets are asked
                asked = False
                for question in open_questions(state, name, sheets[name]):
                    value = wished(question, wishes.get(name, {}), danger)
                    if question.answered is None and value is not None:
                        sheets[name] = sheets[name].merged(Sheet({question.id: value}))
                        asked = True
                        break
        result = advance(state, sheets, KeyedDice("test"))
        state = result.state
        if not isinstance(result, Asks):
            return state
        given = {}
    raise AssertionError("never stops asking")


def wished(question, wishes, danger):
    allowed = [option.value for option in question.options if option.allowed]
    hand = question.id.partition(" ")[2]
    spell, target = wishes.get(hand, ("", "nobody"))
    if question.kind == "choose":
        return spell if spell in allowed else allowed[0] if not wishes else None
    if question.kind == "target":
        if question.about in (spell, "Stab") and hand in wishes:
            return target
        return "nobody" if "nobody" in allowed else allowed[0]
    if question.kind == "monster" and question.mage == danger.mage and ":" in question.about:
        return danger.victim
    if question.kind in ("paralyze", "charm", "elemental"):
        return allowed[0]
    return None


def is_plain(state: State, *names: str) -> bool:
    """Nobody here is under a spell that decides about gestures or extra turns."""
    unfree = {*MIND_MARKS, "fast", "time_stopped"}
    return not any(unfree & set(state.wizards[name].marks) for name in names)


@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_what_ends_it_does_so_if_nothing_is_done_and_what_stops_it_does_so_and_nothing_else(name, edition):
    ended = stopped = failed = 0
    for seed in range(8):
        state = random_position(seed, name, edition)
        for viewer in state.mages:
            view = look(state, Viewer.of(viewer))
            if view.blind:
                continue  # creatures that a mage does not see may kill them all the same
            for mage in state.mages:
                for danger in find_dangers(view, state.ruleset, mage, viewer) if mage != viewer else ():
                    if danger.weight is not Weight.ENDS or danger.holds:
                        continue
                    after = play_out(alone(state, danger), danger)
                    assert viewer in after.out, (seed, danger)
                    ended += 1
                    for stop in danger.stops:
                        if stop.in_time and not danger.illness:
                            assert survives(state, danger, stop), (seed, danger, stop)
                            stopped += 1
                    for spell in danger.fails if danger.more <= 1 and not danger.illness else ():
                        assert not survives_by_forging(state, danger, spell), (seed, danger, spell)
                        failed += 1
    assert ended and stopped and failed, "nothing was tried"


def alone(state: State, danger: Danger) -> State:
    """The position without the creatures, if a single spell is meant: they may kill someone before it works."""
    state = state.copy()
    if danger.more > 1:
        state.monsters.clear()
    return state


def forget_all_but(wizard, stop) -> None:
    """Keep of a mage's gestures only those that the defence needs: nothing else is completed on the way."""
    kept = len(stop.series) - len(stop.rest)
    for hand in ("left", "right"):
        made = getattr(wizard, hand)
        setattr(wizard, hand, "B" + "-" * (len(made) - 1 - kept) + made[len(made) - kept :])


def survives_by_forging(state: State, danger: Danger, spell: str) -> bool:
    """Whether a spell saves the victim, whose hands have made all of it but the last gesture."""
    state = alone(state, danger)
    series = next(text for text, made in state.ruleset.series.items() if made == spell)
    wizard = state.wizards[danger.victim]
    begun = series[:-1].upper()
    left = wizard.left[: len(wizard.left) - len(begun)] + begun
    idle = wizard.left[0] + "-" * (len(wizard.left) - 1)
    right = idle[: len(idle) - len(begun)] + "".join(
        letter.upper() if letter.islower() else "-" for letter in series[:-1]
    )
    wizard.left, wizard.right = left, right
    state = read_state(write_state(state))
    last = series[-1].upper()
    gestures = dict.fromkeys(("LH", "RH") if series[-1].islower() else ("LH",), last)
    after = play_out(state, danger, answer={1: (gestures, spell, danger.victim)})
    return danger.victim not in after.out


def survives(state: State, danger: Danger, stop) -> bool:
    last = max(1, danger.more)
    state = alone(state, danger)
    if stop.rest != stop.series:
        last = len(stop.rest)  # what is begun goes on at once
    forget_all_but(state.wizards[danger.victim], stop)
    state = read_state(write_state(state))
    answer = {}
    for place, letter in enumerate(reversed(stop.rest)):
        gestures = {stop.hand: letter.upper()}
        if letter.islower():
            gestures[OTHERS[stop.hand]] = letter.upper()
        answer[last - place] = (gestures, stop.spell if place == 0 else "", stop.on)
    after = play_out(state, danger, answer=answer)
    return danger.victim not in after.out


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands", "spellcast"])
def test_a_creature_that_may_rise_from_the_dead_is_a_danger(ruleset):
    state = set_up(position(me="4\nleft ------\nright ------", foe="9\nleft -DWWFW\nright ------", rules=ruleset))

    def find() -> Danger:
        (found,) = [
            each
            for each in find_dangers(look(state, Viewer.of("Ayla")), state.ruleset, "Crom")
            if each.spell == "Raise Dead"
        ]
        return found

    assert find().weight is Weight.HARMLESS
    state.tombstone = ["RedGoblin", "BlueGiant"]
    assert (find().weight, find().damage, find().creature) == (Weight.ENDS, 4, True)
    assert "Shield" in {each.spell for each in find().stops}
    state.wizards["Ayla"].hp = 5
    assert find().weight is Weight.HURTS


def test_a_banked_raise_dead_is_a_danger():
    state = set_up(position(me="4", foe="9\nleft ------\nright ------"))
    state.wizards["Crom"].bank, state.tombstone = ("Raise Dead", "BlueGiant"), ["BlueGiant"]
    (found,) = find_dangers(look(state, Viewer.of("Ayla")), state.ruleset, "Crom")
    assert (found.weight, found.hand, found.damage) == (Weight.ENDS, "FIRE", 4)


@pytest.mark.parametrize(("ruleset", "stops"), [("waving-hands", True), ("spellcast", False)])
def test_a_delay_effect_at_the_other_mage_stops_a_finger_of_death_where_it_works_at_once(ruleset, stops):
    """WH-ENCH-31, in edition 3."""
    me = "12\nleft FFDWSSS\nright WDFSFWD"
    (finger, *_rest) = dangers(position(me=me, foe="12\nleft PWPFSSS\nright SFWDDWW", rules=ruleset))
    timely = [(each.spell, each.on, each.hand, each.rest) for each in finger.stops if each.in_time]
    assert timely == ([("Delay Effect", "Crom", "LH", "P")] if stops else [])
