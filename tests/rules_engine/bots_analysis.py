"""Positions for the analysis: battles between bots, and turns with a blunder that is known by trying everything."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rules_engine import Done, KeyedDice, Sheet, State, advance, new_duel, read_orders
from rules_engine.bots import choose_orders
from rules_engine.bots.moves import COLUMNS
from rules_engine.questions import is_complete
from rules_engine.records import PlayedTurn

ME, FOE = "Froodal", "Bung"


def play_battle(
    strengths: tuple[str, ...],
    seed: str,
    *,
    ruleset: str = "firetop-standard",
    longest: int = 20,
    hit_points: tuple[int, ...] = (),
):
    """Return [(PlayedTurn, orders of the first stage)] of a battle between bots."""
    names = (ME, FOE, "Ayla", "Crom")[: len(strengths)]
    state = new_duel(ruleset, names, dice=KeyedDice(seed), hit_points=hit_points)
    turns = []
    while state.outcome is None and len(turns) < longest:
        sheets = {
            name: Sheet.from_lines(choose_orders(state, mage=name, strength=strength, seed=seed, may_surrender=False))
            for name, strength in zip(names, strengths, strict=True)
            if name in state.owing
        }
        turn = play(state, sheets, seed)
        turns.append((turn, sheets))
        state = turn.after
    return turns


def play(state: State, sheets, seed: str = "x", *, unaimed: tuple[str, str] = ("", "")) -> PlayedTurn:
    """Play one turn to its end. A bot answers what it stops for, but aims the hand of `unaimed` (mage, hand) at
    nobody."""
    told, dice = [], KeyedDice(seed, state.seq)
    done = advance(state, sheets, dice)
    told.append(done.events)
    while not isinstance(done, Done):
        now = done.state
        answers = {
            name: Sheet.from_lines(choose_orders(now, mage=name, strength="Warder", seed=seed, may_surrender=False))
            for name in now.owing
        }
        mage, slot = unaimed[0], f"TARGET {unaimed[1]}"
        if mage in answers and answers[mage].get(slot):
            answers[mage] = answers[mage].merged(Sheet({slot: "nobody"}))
        done = advance(now, answers, dice)
        told.append(done.events)
    return PlayedTurn(state.label, state.seq, state, done.state, tuple(told), tuple(dice.rolls))


def play_without_spell(turn: PlayedTurn, orders, mage: str, hand: str, seed: str) -> State | None:
    """The end of the turn if the mage's hand casts nothing at anybody; None if no orders prevent it."""
    hands = ("LH", "RH") if hand == "BH" else (hand,)
    # A banked spell is not cast if it is not fired.
    idle = orders[mage].without("FIRE") if hand == "FIRE" else orders[mage].merged(Sheet(dict.fromkeys(hands, "-")))
    for changed in (orders[mage].merged(Sheet({f"TARGET {hand}": "nobody"})), idle):
        played = play(turn.before, {**orders, mage: changed}, seed, unaimed=(mage, hand))
        casts = [each.facts for each in played.events if each.kind == "casts" and each.facts["who"] == mage]
        mine = [each for each in casts if each["hand"] == hand]
        if all(each["target"] == "nobody" and each["spell"] != "Dispel Magic" for each in mine):
            return played.after
    return None


def list_points(state: State) -> dict[str, object]:
    """Points, enchantments and masters of everyone, and who is out."""
    powers = {"permanency", "delay"}
    mages = {
        name: (wizard.hp, {mark for mark in wizard.marks if mark not in powers}, name in state.out)
        for name, wizard in state.wizards.items()
    }
    return mages | {each.name: (each.hp, set(each.marks), each.controller) for each in state.monsters.values()}


def read(state: State, mage: str, text: str) -> Sheet | None:
    """The sheet of these orders, if they are allowed and complete."""
    found = read_orders(state, mage, text)
    return found.sheet if not found.problems and is_complete(state, mage, found.sheet) else None


def write_column(column: str) -> str:
    return f"LH {column[0]}\nRH {column[1]}"


@dataclass
class Blunder:
    kind: str
    turn: PlayedTurn
    orders: dict[str, Sheet]


def middle_positions(seed: int) -> Iterator[State]:
    """Positions of battles between weak bots, after some turns, in which both mages are free in their minds."""
    number = 0
    while True:
        number += 1
        turns = play_battle(("Warder", "Journeyman"), f"{seed} {number}", longest=9)
        for turn, _ in turns[3:]:
            state = turn.before
            if not any(wizard.marks for wizard in state.wizards.values()) and not state.extra and not state.monsters:
                yield state.copy()
                break


def list_blunders(count: int, seed: int = 1) -> list[Blunder]:
    """A third each: a kill that nothing could stop and was not made, a surrender by slip, a spell at one's own."""
    chance = random.Random(seed)
    makers = (make_missed_kill, make_surrender, make_own_target)
    found: list[Blunder] = []
    for state in middle_positions(seed):
        made = makers[len(found) % len(makers)](state, chance)
        if made is not None:
            found.append(made)
        if len(found) == count:
            return found
    raise AssertionError


def _quiet_foe(state: State, chance: random.Random) -> Sheet:
    while True:
        sheet = read(state, FOE, write_column(chance.choice(COLUMNS)))
        if sheet is not None:
            return sheet


def _kills(state: State, mine: Sheet) -> bool:
    """Whether the orders kill the foe against every column that the foe can play, and every choice of spells."""
    for column in COLUMNS:
        offers = state.wizards[FOE].begun.after[column].first
        choices = [f"CHOOSE {hand} {spell}" for hand, spells in offers.items() for spell in spells if len(spells) > 1]
        for choice in ("", *choices):
            theirs = read(state, FOE, f"{write_column(column)}\n{choice}")
            if theirs is not None:
                after = play(state, {ME: mine, FOE: theirs}).after
                if FOE not in after.out or ME in after.out:
                    return False
    return True


def make_missed_kill(state: State, chance: random.Random) -> Blunder | None:
    """The foe is weak, and a column of mine kills them whatever they play; I play one that doesn't."""
    state.wizards[FOE].hp = chance.choice((1, 2, 3))
    sheets = [sheet for column in COLUMNS if (sheet := read(state, ME, write_column(column)))]
    if not any(_kills(state, sheet) for sheet in sheets):
        return None
    theirs = _quiet_foe(state, chance)
    chance.shuffle(sheets)
    for mine in sheets:
        turn = play(state, {ME: mine, FOE: theirs})
        if FOE not in turn.after.out and not _kills(state, mine):
            return Blunder("missed_kill", turn, {ME: mine, FOE: theirs})
    return None


def make_surrender(state: State, chance: random.Random) -> Blunder | None:
    """Two palms in a battle that is open."""
    orders = {ME: Sheet({"LH": "P", "RH": "P"}), FOE: _quiet_foe(state, chance)}
    return Blunder("surrender", play(state, orders), orders)


def make_own_target(state: State, chance: random.Random) -> Blunder | None:
    """A spell that harms, aimed at its caster."""
    columns = list(COLUMNS)
    chance.shuffle(columns)
    theirs = _quiet_foe(state, chance)
    for column in columns:
        reached = state.wizards[ME].begun.after[column]
        settled = reached.first.settled or {}
        for hand, spell in settled.items():
            if state.ruleset.spells[spell].default != "foe":
                continue
            mine = read(state, ME, f"{write_column(column)}\nTARGET {hand} {ME}")
            if mine is not None:
                orders = {ME: mine, FOE: theirs}
                return Blunder("own_target", play(state, orders), orders)
    return None
