"""The fewest words for the spells of the trial. What every spell does is told by the rules engine's rulebook."""

SHORT = {
    "Shield": "stops blades and missiles",
    "Magic Missile": "1 damage",
    "Summon Goblin": "a goblin fights for you",
    "Protection": "a shield for four turns",
    "Cause Light Wounds": "2 damage",
    "Confusion": "one hand changes its gesture",
    "Fear": "no C, D, F or S next turn",
    "Amnesia": "repeats the last gestures",
    "Paralysis": "holds one hand still",
    "Cure Light Wounds": "heals 1",
}
