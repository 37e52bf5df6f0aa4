"""Battle views made by hand, for the look of every state: the printed example before turn 8, and variations."""

from __future__ import annotations

import datetime
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from duels.keys import StageKey
from duels.selectors.battle_view import BattleView, CombatantRow, StoryLine, TurnStory
from duels.terms import Terms

NOW = datetime.datetime(2026, 11, 20, 12, 20, tzinfo=datetime.UTC)
GESTURES = "FPSWDC>-"
COMPLETES = {"LH": {"P": "Shield"}, "RH": {"P": "Shield"}}
LEADS = {
    "LH": {"S": ("Charm Person", 2), "D": ("Remove Enchantment", 2)},
    "RH": {
        "F": ("Cause Heavy Wounds", 1),
        "S": ("Summon Fire Elemental", 2),
        "W": ("Counter Spell", 1),
        "D": ("Lightning Bolt", 2),
    },
}


class Sheet(dict):  # type: ignore[type-arg]
    """Slots of an order sheet."""

    def lines(self) -> list[str]:
        return [f"{slot} {value}" for slot, value in self.items()]


def question(slot: str, kind: str, about: str, values: list[str], **more: Any) -> SimpleNamespace:
    options = tuple(
        SimpleNamespace(value=v, label=more.get("labels", {}).get(v, v), allowed=True, reason="") for v in values
    )
    return SimpleNamespace(
        id=slot,
        mage="Froodal",
        kind=kind,
        about=about,
        options=options,
        default=more.get("default"),
        required=more.get("required", False),
        answered=more.get("answered"),
        clause=more.get("clause", "FM-ORDMOVE-1"),
        line=lambda value: f"{slot} {value}",
    )


def mage(name: str, left: str, right: str, hp: int | None, **more: Any) -> SimpleNamespace:
    return SimpleNamespace(
        name=name,
        left=left,
        right=right,
        hp=hp,
        max_hp=15,
        standing=more.get("standing", "in"),
        acts=True,
        pairs=more.get("pairs", 1),
        enchantments=more.get("enchantments", ()),
        letters=more.get("letters", ""),
        banked=more.get("banked"),
        mine=more.get("mine", False),
    )


def enchantment(mark: str, name: str, turns: int, permanent: bool = False) -> SimpleNamespace:
    return SimpleNamespace(mark=mark, name=name, turns=turns, permanent=permanent)


def hints(hand: str) -> dict[str, SimpleNamespace]:
    return {
        g: SimpleNamespace(
            completes=(COMPLETES[hand][g],) if g in COMPLETES[hand] else (),
            leads=(LEADS[hand][g],) if g in LEADS[hand] else (),
            allowed=True,
            reason="",
            begun=(),
            with_both=(),
        )
        for g in GESTURES
    }


def preview(**more: Any) -> SimpleNamespace:
    return SimpleNamespace(
        casts=more.get("casts", {"LH": "Shield", "RH": None}),
        warnings=more.get("warnings", ()),
        keys={"LH": hints("LH"), "RH": hints("RH")},
        becomes={
            "LH": (SimpleNamespace(spell="Invisibility", series="PPws", more=2, rest="ws", both=True),),
            "RH": (SimpleNamespace(spell="Lightning Bolt", series="WDDc", more=2, rest="Dc", both=True),),
        },
        review=more.get("review", "Left: show the palm (Shield). Right: point."),
    )


def stories() -> tuple[TurnStory, ...]:
    heads = {
        1: "Nobody was hurt.",
        2: "Nobody was hurt.",
        3: "Bung loses 1.",
        4: "A goblin appears.",
        5: "Bung’s right hand is paralysed",
        6: "Bung falls ill, 1 damage",
        7: "Nobody was hurt. You stay at 13, Bung at 12.",
    }
    seven = (
        StoryLine(40, "stabs", "Bung stabs at you. Your Shield stops the blade.", "FM-STAB-3"),
        StoryLine(41, "attacks", "RedGoblin attacks Bung. Bung’s Shield stops it.", "FM-MON-4"),
        StoryLine(42, "sick", "Bung is diseased and dies after turn 11, unless cured.", "FM-DISEASE-2"),
        StoryLine(43, "said", "Bung: “Your goblin bites like a moth.”", ""),
    )
    other = (StoryLine(1, "gestured", "Both mages gesture.", "FM-GEST-1"),)
    return tuple(TurnStory(n, 0, str(n), head, seven if n == 7 else other, NOW) for n, head in heads.items())


CASTS = {
    "Bung": {
        1: {"RH": "Shield"},
        3: {"LH": "Counter Spell", "RH": "Magic Missile"},
        4: {"RH": "Shield"},
        7: {"LH": "Shield"},
    },
    "Froodal": {
        3: {"RH": "Confusion"},
        4: {"LH": "Summon Goblin"},
        5: {"RH": "Paralysis"},
        6: {"BH": "Disease"},
        7: {"LH": "Shield"},
    },
}


def duel(**changes: Any) -> BattleView:
    """Froodal before turn 8, palm and digit in his draft."""
    asked = [
        question("LH", "gesture", "Left hand", list(GESTURES), answered="P"),
        question("RH", "gesture", "Right hand", list(GESTURES), answered="D"),
        question(
            "TARGET LH",
            "target",
            "Shield",
            ["Froodal", "Bung", "RedGoblin"],
            labels={"Froodal": "yourself"},
            default="Froodal",
        ),
        question("TARGET RedGoblin", "monster", "RedGoblin attacks", ["Bung", "Froodal", "nobody"], default="Bung"),
    ]
    hand = SimpleNamespace(
        combatant=SimpleNamespace(mage=SimpleNamespace(name="Froodal")),
        sheet=Sheet(LH="P", RH="D"),
        draft="LH P\nRH D",
        ready=False,
        asked=True,
        questions=tuple(changes.pop("questions", asked)),
        preview=changes.pop("preview", preview()),
        repeated=changes.pop("repeated", None),
        problems=(),
    )
    for name in ("ready", "asked", "draft", "sheet"):
        if name in changes:
            setattr(hand, name, changes.pop(name))
    mages = changes.pop("mages", None) or (
        mage("Froodal", "BWSFW>CP", "BDSFFFCW", 13, mine=True),
        mage("Bung", "BWWS>CDP", "BPSDPCF>", 12, enchantments=(enchantment("sick", "diseased", 4),)),
    )
    goblin = SimpleNamespace(
        name="RedGoblin", kind="goblin", hp=1, max_hp=1, controller="Froodal", target="Bung", mine=True,
        enchantments=(), letters="",
    )  # fmt: skip
    seen = SimpleNamespace(
        label=changes.pop("label", "8"), seq=8, stage=0, kind="duel", book=None, over=False, outcome=None, mages=mages,
        monsters=(goblin,), tombstone=(), columns=tuple(str(n) for n in range(8)),
    )  # fmt: skip
    view = BattleView(
        battle=facts(),
        terms=Terms(),
        viewer=None,  # type: ignore[arg-type]
        view=seen,  # type: ignore[arg-type]
        combatants=(
            CombatantRow("Froodal", "fred", 1, "in", True, hand.ready, True),
            CombatantRow("Bung", "bob", 2, "in", True, changes.pop("bung_ready", False), False),
        ),
        mine=(hand.combatant,),  # type: ignore[arg-type]
        stage_key=StageKey(8, 0, 0),
        opened_at=NOW,
        stories=stories(),
        casts=CASTS,
        hand=hand,  # type: ignore[arg-type]
    )
    return replace(view, **changes)


def facts(**more: Any) -> Any:
    defaults = {
        "number": 12,
        "ruleset": "firetop-standard",
        "edition": None,
        "kind": "duel", "practice": False, "status": "running",
        "is_over": False, "is_stuck": False, "result": None, "label": "8",
    }  # fmt: skip
    return SimpleNamespace(**(defaults | more))
