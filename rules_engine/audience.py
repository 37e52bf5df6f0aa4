"""Visibility: the one filter through which every reader looks at a state (DESIGN: commitment 4).

Spec: engine 8 and 9.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules_engine.beings import DEAD, NO_LONGER_IN, SEEN_HELD, Monster, Wizard
from rules_engine.events import Viewer
from rules_engine.gestures import BREAK, FIRE, LEFT, SEEN_TOGETHER, UNSEEN, WAITED
from rules_engine.glossary import ENCHANTMENTS, name_enchantment
from rules_engine.outcome import Outcome
from rules_engine.state import State


@dataclass(frozen=True, slots=True)
class Enchantment:
    """An enchantment on a being: `turns` left, or permanent (then `turns` is 0). `mark` is its short key."""

    mark: str
    turns: int
    permanent: bool

    @property
    def name(self) -> str:
        """Its name in programs and records, the same in every language."""
        return ENCHANTMENTS[self.mark]

    @property
    def label(self) -> str:
        """Its name for readers, in the active language."""
        return name_enchantment(self.mark)


@dataclass(frozen=True, slots=True)
class MageView:
    """A mage as the viewer sees them. `hp` is None if the viewer cannot see it.

    `letters` abbreviate some enchantments, in rulesets that show them so (SC-UI-11).
    `left` and `right` have one character per column of `View.columns`. `acts`: the mage moves in this turn. `pairs` is
    how many pairs of gestures they play in it: two if the rules let a fast mage do so, and the viewer sees the haste.
    `held_hand` is the hand that Paralysis goes on holding (FM-PARA-3), "" if none is or the viewer has not seen which.
    """

    name: str
    mine: bool
    hp: int | None
    max_hp: int
    standing: str
    acts: bool
    seen: bool
    enchantments: tuple[Enchantment, ...]
    letters: str
    banked: tuple[str, str] | None
    left: str
    right: str
    pairs: int = 1
    held_hand: str = ""

    def read_series(self, hand: str) -> tuple[str, str]:
        """Return the history of a hand and of the other one; what the viewer did not see ends a series."""
        left, right = self.left.replace(UNSEEN, BREAK), self.right.replace(UNSEEN, BREAK)
        return (left, right) if hand == LEFT else (right, left)


@dataclass(frozen=True, slots=True)
class MonsterView:
    """A creature as the viewer sees it."""

    name: str
    kind: str
    mine: bool
    hp: int
    max_hp: int
    controller: str
    target: str
    enchantments: tuple[Enchantment, ...]
    letters: str


@dataclass(frozen=True, slots=True)
class View:
    """The circle between two turns, as one viewer sees it: the viewer may know everything in it."""

    viewer: Viewer
    label: str
    seq: int
    stage: int
    kind: str
    extra: str
    book: str
    ruleset: str
    over: bool
    outcome: Outcome | None
    columns: tuple[str, ...]
    mages: tuple[MageView, ...]
    monsters: tuple[MonsterView, ...]
    tombstone: tuple[str, ...]
    blind: bool

    def mage(self, name: str) -> MageView:
        """Return the mage of that name; KeyError if there is none."""
        for mage in self.mages:
            if mage.name == name:
                return mage
        raise KeyError(name)


def look(state: State, viewer: Viewer) -> View:
    """Return `state` as `viewer` sees it. After the end, everyone sees everything."""
    open_to_all = viewer.sees_all or state.over
    blind = not open_to_all and _is_blind(state, viewer)
    return View(
        viewer=viewer,
        label=state.label,
        seq=state.seq,
        stage=state.stage,
        kind=state.kind,
        extra=state.extra,
        book=state.ruleset.book_name,
        ruleset=state.ruleset.name,
        over=state.over,
        outcome=state.outcome,
        columns=tuple(state.columns),
        mages=tuple(_see_mage(state, viewer, w, blind, open_to_all) for w in state.wizards.values()),
        monsters=() if blind else tuple(_see_monster(state, viewer, m) for m in state.monsters.values()),
        tombstone=() if blind else tuple(state.tombstone),
        blind=blind,
    )


def _is_blind(state: State, viewer: Viewer) -> bool:
    """Return whether none of the viewer's mages can see; a spectator sees what every mage sees."""
    mine = [wizard for name, wizard in state.wizards.items() if name in viewer.mages]
    if mine:
        return all("blind" in wizard.marks for wizard in mine)
    return any("blind" in wizard.marks for wizard in state.wizards.values())


def known_beings(state: State, mage: str, *, with_dead: bool = False) -> tuple[str, ...]:
    """Return the names of the beings that `mage` knows are present (and, `with_dead`, of the dead)."""
    blind = not state.over and _is_blind(state, Viewer.of(mage))
    present = [w.name for w in state.wizards.values() if w.phase not in NO_LONGER_IN or w.name == mage]
    dead = [w.name for w in state.wizards.values() if w.phase == DEAD] if with_dead else []
    graves = state.tombstone if with_dead and not blind else []
    # A blind mage sees no creatures, but knows which ones obey them and can give orders to those (FM-BLIND-7).
    living = [m.name for m in state.monsters.values() if not blind or m.controller == mage]
    return tuple(dict.fromkeys([*present, *living, *dead, *graves]))


def known_to_move_twice(state: State, mage: str) -> tuple[str, ...]:
    """Return the mages who play two pairs of gestures in this turn and whose haste `mage` can see."""
    if not state.doubled:
        return ()
    return tuple(seen.name for seen in look(state, Viewer.of(mage)).mages if seen.pairs == 2)


def is_hidden_column(state: State, name: str, column: int) -> bool:
    """Return whether a mage's part in a finished column is hidden from a spectator, who sees what every mage saw.

    SHOW hides it from every reader alike while the battle is running (spec: engine 9.4).
    """
    return state.wizards[name].unseen_columns[column] == "1" or _dark_columns(state, Viewer.spectator(), name)[column]


def _see_mage(state: State, viewer: Viewer, wizard: Wizard, blind: bool, open_to_all: bool) -> MageView:
    mine = wizard.name in viewer.mages
    seen = open_to_all or mine or not blind
    left, right = _strings(state, viewer, wizard, open_to_all)
    return MageView(
        name=wizard.name,
        mine=mine,
        hp=wizard.hp if seen else None,
        max_hp=wizard.max_hp + state.ruleset.rules.hit_point_surplus,
        standing=wizard.phase if wizard.phase in NO_LONGER_IN else "in",
        acts=wizard.name in state.movers and wizard.name not in state.out and not state.over,
        seen=seen,
        enchantments=_enchantments(_before_orders(state, wizard)) if seen else (),
        letters=_letters(state, wizard.marks) if seen else "",
        banked=_bank_before_orders(state, wizard),
        left=left,
        right=right,
        pairs=2 if seen and wizard.again is not None and not state.over else 1,
        held_hand=_see_held_hand(wizard, left) if seen else "",
    )


def _see_held_hand(wizard: Wizard, shown: str) -> str:
    """Return the hand that stays held, if the viewer saw the mage (whose gestures are `shown`) when it was."""
    last = shown.replace(WAITED, "").replace(BREAK, "")[-1:]
    return next((hand for hand, how in wizard.stuck.items() if how == SEEN_HELD and last != UNSEEN), "")


def _strings(state: State, viewer: Viewer, wizard: Wizard, open_to_all: bool) -> tuple[str, str]:
    """Return both histories, `?` where the viewer did not see the column (spec: engine 9.3)."""
    length = len(state.columns)
    left, right = wizard.left[:length], wizard.right[:length]
    if state.doubled:  # the second column of the turn, while the turn waits for answers
        made = wizard.again or wizard
        left, right = made.left[:length].ljust(length, WAITED), made.right[:length].ljust(length, WAITED)
    if open_to_all or wizard.name in viewer.mages:
        return left, right
    unseen = wizard.unseen_columns
    dark = _dark_columns(state, viewer, wizard.name)
    if "1" not in unseen and SEEN_TOGETHER not in unseen and not any(dark):
        return left, right
    hidden = [
        left[i] != WAITED
        and (unseen[i] == "1" or dark[i] or (unseen[i] == SEEN_TOGETHER and not _acted(state, viewer, i)))
        for i in range(length)
    ]
    return (
        "".join(UNSEEN if hide else g for g, hide in zip(left, hidden, strict=True)),
        "".join(UNSEEN if hide else g for g, hide in zip(right, hidden, strict=True)),
    )


def _acted(state: State, viewer: Viewer, column: int) -> bool:
    """Return whether one of the viewer's mages played gestures in that column."""
    return any(state.wizards[name].left[column] != WAITED for name in viewer.mages if name in state.wizards)


def _dark_columns(state: State, viewer: Viewer, name: str) -> list[bool]:
    """Return for each column whether the viewer was too blind to see that mage: none of the viewer's mages could see;
    for a spectator, some mage other than that one could not."""
    wizards, columns = state.wizards, range(len(state.columns))
    if viewer.mages:
        mine = [wizards[mage].blind_columns if mage in wizards else "" for mage in viewer.mages]
        if any("1" not in blind for blind in mine):
            return [False] * len(columns)
        return [all(blind[column] == "1" for blind in mine) for column in columns]
    others = [each.blind_columns for each in wizards.values() if each.name != name and "1" in each.blind_columns]
    return [any(blind[column] == "1" for blind in others) for column in columns]


def _before_orders(state: State, wizard: Wizard) -> Mapping[str, int]:
    """Return the marks of a mage before the orders of a waiting turn spent any of them: orders are secret."""
    return wizard.marks if state.over or not wizard.spent else {**wizard.marks, **wizard.spent}


def _bank_before_orders(state: State, wizard: Wizard) -> tuple[str, str] | None:
    """Return the banked spell, even if an order of the waiting turn releases it."""
    if FIRE in wizard.spells and not state.over:
        return wizard.spells[FIRE], wizard.targets[FIRE]
    return wizard.bank


def _enchantments(marks: Mapping[str, int]) -> tuple[Enchantment, ...]:
    return tuple(
        Enchantment(mark, max(0, marks[mark]) % 999, marks[mark] in (-1, 999)) for mark in ENCHANTMENTS if mark in marks
    )


def _letters(state: State, marks: Mapping[str, int]) -> str:
    return "".join(letter for mark, letter in state.ruleset.letters.items() if mark in marks)


def _see_monster(state: State, viewer: Viewer, monster: Monster) -> MonsterView:
    return MonsterView(
        name=monster.name,
        kind=monster.kind,
        mine=monster.controller in viewer.mages,
        hp=monster.hp,
        max_hp=monster.max_hp + state.ruleset.rules.hit_point_surplus,
        controller=monster.controller,
        target=monster.target,
        enchantments=_enchantments(monster.marks),
        letters=_letters(state, monster.marks),
    )
