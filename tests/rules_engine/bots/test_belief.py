"""What a bot's mage remembers of what it does not see now, and how it imagines that."""

import json
import random

import pytest

from rules_engine import Event, Viewer, get_ruleset, look, read_orders
from rules_engine.bots import PastTurn, choose_orders, read_seen, see
from rules_engine.bots.chance import Chance
from rules_engine.bots.imagine import imagine
from rules_engine.bots.sure_moves import Proof
from rules_engine.bots.worth import Worth
from tests.rules_engine.bots.bot_games import LONG, OFFERED
from tests.rules_engine.bots.test_bots_know_only_what_is_seen import permute
from tests.rules_engine.random_play import new_battle, play_turn, stir
from tests.rules_engine.staged_turns import AYLA, CROM, DARA, Stage

STANDARD = "firetop-standard"
WORLDS = 12


class Remembered(Stage):
    """A staged battle that keeps its turns."""

    def __init__(self, ruleset=STANDARD, **more):
        super().__init__(get_ruleset(ruleset), **more)
        self.past = []

    def turn(self, *casts, **more):
        before = self.state
        super().turn(*casts, **more)
        self.past.append(PastTurn(before, self.events))
        return self

    def see(self, mage=AYLA):
        return see(self.state, mage, self.past)

    def imagine(self, mage=AYLA):
        worth = Worth(self.state.ruleset.name)
        return [imagine(self.see(mage), worth, Chance("belief", world)) for world in range(WORLDS)]


def blind(stage):
    """Ayla goes blind, and stays so."""
    stage.turn((CROM, "Blindness", AYLA))
    assert look(stage.state, Viewer.of(AYLA)).blind
    return stage


def test_a_blind_mage_remembers_hit_points_marks_and_creatures():
    stage = Remembered()
    stage.wizard(CROM).hp = 4
    stage.mark(CROM, poisoned=5, heat_resistant=-1)
    stage.creature("RedTroll", of=CROM, after=AYLA)
    blind(stage).turn()
    for world in stage.imagine():
        crom = world.wizards[CROM]
        assert 3 <= crom.hp <= 5
        assert crom.marks["heat_resistant"] == -1
        assert crom.marks["poisoned"] == stage.wizard(CROM).marks["poisoned"]
        assert world.monsters["RedTroll"].target == AYLA
    assert "RedTroll" not in imagine(see(stage.state, AYLA), Worth(STANDARD), Chance("no past")).monsters


def test_a_creature_that_dies_before_the_mage_goes_blind_is_forgotten():
    stage = Remembered()
    stage.creature("RedGoblin", of=CROM, after=AYLA)
    stage.turn((AYLA, "Magic Missile", "RedGoblin"))
    assert not stage.state.monsters
    blind(stage)
    assert all(not world.monsters for world in stage.imagine())


def test_a_spell_of_an_unseen_mage_tells_which_gestures_they_played():
    stage = Remembered()
    stage.mark(CROM, invisible=-1)
    stage.turn((CROM, "Cause Light Wounds", AYLA, "RH"))
    belief = stage.see().facts["belief"]
    assert [each["spell"] for each in belief["casts"]] == ["Cause Light Wounds"]
    for world in stage.imagine():
        hands = (world.wizards[CROM].left, world.wizards[CROM].right)
        text = next(text for text, spell in stage.ruleset.series.items() if spell == "Cause Light Wounds")
        assert any(hand.endswith(text[-1]) for hand in hands)


def test_an_unseen_hand_did_not_complete_harm_that_the_mage_did_not_feel():
    stage = Remembered()
    stage.mark(CROM, invisible=-1)
    stage.wizard(CROM).left = stage.wizard(CROM).left[:-1] + "S"
    stage.turn(gestures={CROM: "W/W"})
    for world in stage.imagine():
        assert not world.wizards[CROM].left.endswith("SD")


@pytest.mark.parametrize(
    ("unseen", "seen", "wanted"),
    [
        ("PWP", "FSSS", "PWPFSSS"),
        ("PWP", "FSS", "PWPFSS"),  # F S S also begins a Fireball, but is further on here
        ("DPP", "SFW", ""),  # S F W alone is a Goblin
        ("DWW", "FW", "DWWFW"),
    ],
)
def test_what_a_hand_continues_tells_what_it_began_unseen(unseen, seen, wanted):
    stage = Remembered()
    stage.mark(CROM, invisible=len(unseen))
    for gesture in unseen + seen:
        stage.turn(gestures={CROM: f"W/{gesture}"})
    shown = next(each["right"] for each in stage.see().facts["mages"] if each["name"] == CROM)
    assert shown.endswith("?" * len(unseen) + seen)
    imagined = {world.wizards[CROM].right for world in stage.imagine()}
    if wanted:
        assert all(right.endswith(wanted) for right in imagined)
    else:
        assert len(imagined) > 3


def test_a_spell_that_either_hand_can_have_cast_unseen_leaves_room_for_what_the_other_continues():
    """Either hand may have cast the Fear S W D, but the right one continues a Finger Of Death with F S S."""
    stage = Remembered()
    stage.turn(gestures={CROM: "S/S"})
    stage.mark(CROM, invisible=3)
    for pair in ("W/P", "D/W", "D/P", "P/F", "W/S", "P/S"):
        stage.turn(gestures={CROM: pair})
    facts = stage.see().facts
    shown = next(each for each in facts["mages"] if each["name"] == CROM)
    assert (shown["left"][-7:], shown["right"][-7:]) == ("S???PWP", "S???FSS")
    assert [each["spell"] for each in facts["belief"]["casts"]] == ["Fear"]
    for world in stage.imagine():
        crom = world.wizards[CROM]
        assert (crom.left[-7:-4], crom.right[-6:]) == ("SWD", "PWPFSS")


def test_a_mage_who_sees_everything_needs_no_belief():
    stage = Remembered()
    stage.turn((CROM, "Magic Missile", AYLA))
    assert stage.see().facts["belief"] is None


def scramble(past, mage, rng):
    """The same past, except for what this mage did not see of it."""
    return [
        PastTurn(
            permute(turn.before, mage, rng),
            [
                event if event.is_visible_to((mage,)) else Event("says", {"who": "x", "text": "y"}, (), event.clause)
                for event in turn.events
            ],
        )
        for turn in past
    ]


@pytest.mark.parametrize("ruleset", [STANDARD, "waving-hands", "spellcast", "warlocks"])
def test_a_belief_contains_nothing_that_was_hidden(ruleset):
    rng, tried = random.Random(ruleset), 0
    for seed in range(6):
        state, past = stir(new_battle(seed, ruleset, 2), rng), []
        for wizard in state.wizards.values():
            wizard.marks["blind" if rng.random() < 0.5 else "invisible"] = 4
        while len(past) < 4 and not state.over:
            before, events = state, []
            for stage in play_turn(state, rng, seed):
                events += stage.events
                state = stage.state
            past.append(PastTurn(before, events))
            for mage in state.owing:
                seen = see(state, mage, past)
                tried += seen.facts["belief"] is not None
                assert seen == see(state, mage, scramble(past, mage, rng))
                assert read_seen(json.loads(json.dumps(seen.facts))) == seen
    assert tried > 20


@pytest.mark.parametrize("ruleset", OFFERED)
def test_a_blind_mage_names_no_creature_that_they_only_remember(ruleset):
    """Whatever their hands can complete: such an order would be rejected, because they cannot see it (FM-BLIND-7)."""
    stage = Remembered(ruleset, hp=3)
    stage.creature("RedOgre", of=CROM, after=AYLA)
    stage.creature("BlueGoblin", of=AYLA, after=CROM)
    blind(stage)
    book, ayla = stage.ruleset.book, stage.wizard(AYLA)
    length = len(ayla.left)
    for place, series in enumerate(book.series):
        begun = series.text[:-1].upper().rjust(length, "-")
        other = begun if not series.text.isupper() else "-" * length
        ayla.left, ayla.right = (begun, other) if place % 2 else (other, begun)
        ayla.begun = ayla.reached = book.states_of(ayla.left, ayla.right)
        for strength in ("Apprentice", "Journeyman", "Warder", "Magus")[: 4 if LONG or place == 7 else 3]:
            lines = choose_orders(stage.see(), mage=AYLA, strength=strength, seed=place)
            assert not read_orders(stage.state, AYLA, "\n".join(lines)).problems, (series, strength, lines)
            assert not any("RedOgre" in line for line in lines)


def test_a_blind_mage_proves_each_move_once_in_each_position(monkeypatch):
    """However many positions look alike, and however many of the worst ones are left out in the end."""
    stage = Remembered(hp=3)
    stage.creature("RedOgre", of=CROM, after=AYLA)
    blind(stage)
    proved, prove = [], Proof._prove

    def count(self, place, sheet, won):
        proved.append((place, sheet, won))
        return prove(self, place, sheet, won)

    monkeypatch.setattr(Proof, "_prove", count)
    choose_orders(stage.see(), mage=AYLA, strength="Magus", seed=1)
    assert len({place for place, _, _ in proved}) > 3
    assert len(set(proved)) == len(proved)


@pytest.mark.parametrize("ruleset", [STANDARD, "waving-hands", "spellcast", "warlocks"])
def test_a_blind_mage_remembers_the_creature_that_struck_them(ruleset):
    """They are not told what it was that came: only that it struck, or that a shield stopped it."""
    stage = blind(Remembered(ruleset))
    stage.turn((CROM, "Summon Giant", CROM))
    (giant,) = stage.state.monsters.values()
    (known,) = stage.see().facts["belief"]["monsters"]
    assert known == {
        "name": giant.name, "kind": "Giant", "hp": 4, "marks": {}, "controller": CROM, "target": AYLA,
    }  # fmt: skip
    assert all(world.monsters[giant.name].target == AYLA for world in stage.imagine())


@pytest.mark.parametrize("shielded", [0, 2])
def test_a_blind_mage_remembers_an_elemental_that_burnt_them_or_that_a_shield_stopped(shielded):
    stage = blind(Remembered())
    if shielded:
        stage.mark(AYLA, shielded=shielded)
    stage.creature("FireElemental")
    stage.turn()
    (known,) = stage.see().facts["belief"]["monsters"]
    assert (known["name"], known["controller"], known["target"]) == ("FireElemental", "none", "none")


def test_in_a_melee_nobody_knows_whose_creature_it_is():
    stage = blind(Remembered(mages=(AYLA, CROM, DARA)))
    stage.creature("RedTroll", of=DARA, after=AYLA)
    stage.turn()
    (known,) = stage.see().facts["belief"]["monsters"]
    assert (known["name"], known["controller"], known["target"]) == ("RedTroll", "nobody", AYLA)


def test_a_creature_that_another_mage_raises_is_remembered():
    """In Spellcast all are told who casts what."""
    stage = blind(Remembered("spellcast"))
    stage.state.tombstone = ["RedOgre"]
    stage.turn((CROM, "Raise Dead", "RedOgre"))
    known = {each["name"]: each["controller"] for each in stage.see().facts["belief"]["monsters"]}
    assert known == {"RedOgre": CROM}


def test_a_creature_that_a_mage_raises_while_they_go_blind_is_their_own():
    stage = Remembered()
    stage.state.tombstone = ["RedOgre"]
    stage.turn((AYLA, "Raise Dead", "RedOgre"), (CROM, "Blindness", AYLA))
    known = {each["name"]: each["controller"] for each in stage.see().facts["belief"]["monsters"]}
    assert known == {"RedOgre": AYLA}
