"""The fewest words for the spells of the trial. What every spell does is told by the rules engine's rulebook."""

SHORT = {
    "Shield": "stops blades and missiles",
    "Magic Missile": "1 damage",
    "Summon Goblin": "a goblin fights for you",
    "Protection": "a shield for four turns",
    "Cause Light Wounds": "2 damage",
    "Confusion": "one hand goes astray",
    "Fear": "no C, D, F or S next turn",
    "Amnesia": "the same gestures again",
    "Paralysis": "one hand held still",
    "Cure Light Wounds": "heals 1",
}
