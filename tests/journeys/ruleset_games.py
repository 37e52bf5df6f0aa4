"""Short battles, one for each ruleset, that come to what is that ruleset's own: its choices, its questions, its spells.

Aelfric plays in a browser, Hild by email. What a hand shows in the end is what the strings of the battle say.
"""

from dataclasses import dataclass, field

Gestures = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """A question that stops a turn once the gestures are shown: who answers it, its slot, and the line that does."""

    who: str
    slot: str
    line: str


@dataclass(frozen=True)
class Step:
    """One turn: what Aelfric clicks and chooses (slot → line), what Hild writes, and what both are asked after that."""

    aelfric: Gestures
    hild: str
    chosen: dict[str, str] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True)
class Game:
    """A battle by one ruleset. `fields` choose it in the form, `words` in a NEWGAME line: one of them is used.

    Then the strings of each mage are these, and so are the creatures and the hit points; and Hild surrenders.
    """

    steps: tuple[Step, ...]
    fields: dict[str, str] = field(default_factory=dict)
    words: str = ""
    strings: dict[str, Gestures] = field(default_factory=dict)
    creatures: tuple[str, ...] = ()
    hit_points: tuple[int, int] = (15, 15)
    asked_at_surrender: tuple[Asked, ...] = ()


STILL = ("-", "-")
PARALYSIS = (Step(("F", "-"), "-/-"), Step(("F", "-"), "-/-"))
# An elemental summoned by the older series, where the last palm could as well be a shield.
CLASSIC = Game(
    fields={"ruleset": "firetop-classic"},
    steps=(
        Step(("C", "C"), "-/-"),
        Step(("S", "-"), "-/-"),
        Step(("W", "-"), "-/-"),
        Step(("P", "-"), "-/-"),
        Step(("P", "-"), "-/-", {"CHOOSE LH": "CHOOSE LH Summon Fire Elemental"}),
    ),
    creatures=("FireElemental",),
    hit_points=(12, 12),
)
# Where there are no goblins these three gestures make none; the other hand has to choose.
NO_MONSTERS = Game(
    words="SPELLBOOK NoMonsters",
    steps=(
        Step(("S", "W"), "-/-"),
        Step(("F", "W"), "-/-"),
        Step(("W", "P"), "W/>", {"CHOOSE RH": "CHOOSE RH Protection"}),
    ),
)
# The hand that Paralysis holds is named in the turn after; Maladroitness makes the left hand do as the right.
WARLOCKS_WITH_CHOICES = Game(
    fields={"ruleset": "warlocks", "rules_paralysis": "FDF", "rules_dsf": "maladroitness"},
    steps=(
        Step(("F", "-"), "-/D"),
        Step(("D", "-"), "-/S"),
        Step(("F", "-"), "W/F"),
        Step(("W", "S"), "S/D", {"PARALYZE Hild": "PARALYZE LH Hild"}),
    ),
    strings={"Aelfric": ("FDFS", "---S"), "Hild": ("--WP", "DSFD")},
)
WARLOCKS = Game(
    words="RULESET warlocks FC",
    steps=(*PARALYSIS, Step(("F", "-"), "F/S"), Step(STILL, "W/W", {"PARALYZE Hild": "PARALYZE LH Hild"})),
    strings={"Hild": ("--FC", "--SW")},
)
# The hand is named in the turn of the spell itself, when all gestures are shown.
WAVING_HANDS = Game(
    fields={"ruleset": "waving-hands"},
    steps=(
        *PARALYSIS,
        Step(("F", "-"), "-/F", asked=(Asked("Aelfric", "PARALYZE Hild", "PARALYZE RH Hild"),)),
        Step(STILL, "-/D"),
    ),
    strings={"Hild": ("----", "--FF")},
)
# Mages choose targets once all gestures are shown.
SPELLCAST = Game(
    words="RULESET spellcast",
    steps=(
        Step(("S", "-"), "-/S"),
        Step(
            ("D", "-"),
            "-/D",
            asked=(Asked("Aelfric", "TARGET LH", "TARGET LH Hild"), Asked("Hild", "TARGET RH", "TARGET RH nobody")),
        ),
    ),
    hit_points=(15, 14),
    # Both palms are shields too, and may be anyone's.
    asked_at_surrender=(Asked("Hild", "TARGET LH", "TARGET LH Aelfric"),),
)

GAMES = {
    "firetop-classic": CLASSIC,
    "firetop-nomonsters": NO_MONSTERS,
    "warlocks-parafdf-maladroit": WARLOCKS_WITH_CHOICES,
    "warlocks-parafc": WARLOCKS,
    "waving-hands": WAVING_HANDS,
    "spellcast": SPELLCAST,
}
