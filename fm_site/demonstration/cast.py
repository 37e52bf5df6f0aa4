"""Who lives on the demonstration's mountain, what they fought, and what they say. Everyone here is made up.

Plain data without Django. After a change of mages or battles, run `manage.py record_demonstration`, which plays the
battles again.
"""

from typing import NamedTuple

from fm_site.demonstration.people import ANNA, BORIS


class Mage(NamedTuple):
    """A mage: `skill` is the bot that played its battles, `days` how long ago it was registered."""

    name: str
    skill: str = "Journeyman"
    days: int = 90
    is_retired: bool = False


class Person(NamedTuple):
    """A user whom nobody can log in as, and their mages."""

    name: str
    about: str
    mages: tuple[Mage, ...]
    is_host: bool = False


class Fought(NamedTuple):
    """A battle to be recorded. It ended `days` ago and took `hours`; `dies` is the one mage who dies in it, if any.

    With `turns` it is still running: so many turns were played, and the mages `missing` have not chosen yet.
    """

    key: str
    mages: tuple[str, ...]
    ruleset: str = "firetop-standard"
    stakes: str = "friendly"
    pace: str = "fast"
    days: float = 1
    hours: float = 24
    dies: str = ""
    turns: int = 0
    missing: tuple[str, ...] = ()


class Seek(NamedTuple):
    """An open challenge."""

    mage: str
    pace: str
    ruleset: str
    stakes: str
    comment: str
    hours: float


# More mages of the users who can log in.
MORE_MAGES = {
    ANNA.username: (Mage("Larkspire", "Magus", 75), Mage("Sorrelby", "Journeyman", 30)),
    BORIS.username: (Mage("Dunmarrow", "Journeyman", 64), Mage("Hollin", "Journeyman", 22)),
}
SKILLS = {"Emberlin": "Magus", "Marrowick": "Journeyman", "Quillon": "Magus"}

PEOPLE = (
    Person(
        "Katya",
        "Chess player who wanted both sides to move at once. I answer before breakfast.",
        (Mage("Cinderwick", "Magus", 180), Mage("Foxglove", "Journeyman", 80)),
    ),
    Person(
        "Tobias",
        "I have played by email since I had a modem. Slow paces only, please.",
        (Mage("Alderbane", "Magus", 190), Mage("Oakmantle", "Warder", 120)),
        is_host=True,
    ),
    Person(
        "Greta",
        "Fire first, questions later. My mages don't grow old.",
        (Mage("Gallowmere", "Journeyman", 170), Mage("Bellweather", "Journeyman", 40)),
    ),
    Person(
        "Ines",
        "Melees are the best part. Friendly games with newcomers any time.",
        (Mage("Kestrelle", "Magus", 150), Mage("Saffronel", "Journeyman", 60)),
        is_host=True,
    ),
    Person(
        "Leon", "Night shift, so I play at odd hours.", (Mage("Umbriel", "Magus", 140), Mage("Bracken", "Warder", 50))
    ),
    Person("Mirjam", "Collects ways to lose to a goblin.", (Mage("Nettlebrook", "Journeyman", 130),)),
    Person(
        "Oskar",
        "Two duels at a time, never more. Well, four.",
        (Mage("Ironquill", "Magus", 125), Mage("Corvane", "Journeyman", 45)),
    ),
    Person(
        "Petra",
        "I read the rule book for fun.",
        (Mage("Vellicore", "Warder", 110), Mage("Wrenfield", "Journeyman", 35)),
    ),
    Person("Rafael", "", (Mage("Tamberlane", "Journeyman", 100), Mage("Duskwater", "Journeyman", 20))),
    Person("Sunniva", "Learned this from my father, who still beats me.", (Mage("Eglantine", "Magus", 95),)),
    Person("Henrik", "", (Mage("Hawthorne", "Apprentice", 90),)),
    Person(
        "Yusuf",
        "Ask me about Disease. It works more often than you think.",
        (Mage("Yarrowby", "Journeyman", 85), Mage("Zephyrine", "Magus", 25)),
    ),
    Person("Noor", "", (Mage("Lanternby", "Journeyman", 70),)),
    Person("Emil", "New here. Be gentle, but not too gentle.", (Mage("Fernhollow", "Apprentice", 12),)),
    Person(
        "Dorothea",
        "Retired my best mage while she was ahead.",
        (Mage("Jessamy", "Magus", 160, is_retired=True), Mage("Elderflood", "Journeyman", 33)),
    ),
)

L, F = "ladder", "friendly"
FINISHED = (
    Fought("01", ("Alderbane", "Gallowmere"), stakes=L, pace="classic", days=96, hours=300),
    Fought("02", ("Jessamy", "Hawthorne"), stakes=L, pace="classic", days=88, hours=200),
    Fought("03", ("Cinderwick", "Kestrelle"), stakes=L, pace="fast", days=81, hours=120),
    Fought("04", ("Gallowmere", "Nettlebrook"), stakes=L, pace="fast", days=74, hours=90),
    Fought("05", ("Kestrelle", "Umbriel", "Ironquill", "Vellicore"), pace="fast", days=69, hours=160),
    Fought("06", ("Emberlin", "Nettlebrook"), "waving-hands", F, "day", days=63, hours=100),
    Fought("07", ("Umbriel", "Tamberlane"), stakes=L, pace="day", days=58, hours=80),
    Fought("08", ("Quillon", "Vellicore"), "warlocks", F, "live3", days=54, hours=0.7),
    Fought("09", ("Jessamy", "Cinderwick"), stakes=L, pace="fast", days=50, hours=140),
    Fought("10", ("Eglantine", "Yarrowby"), "spellcast", F, "fast", days=46, hours=110),
    Fought("11", ("Emberlin", "Gallowmere"), stakes=L, pace="fast", days=42, hours=130),
    Fought("12", ("Ironquill", "Larkspire"), "warlocks", L, "day", days=38, hours=60),
    Fought("13", ("Cinderwick", "Oakmantle", "Emberlin", "Lanternby", "Hawthorne"), pace="classic", days=35, hours=280),
    Fought("14", ("Quillon", "Tamberlane"), stakes=L, pace="fast", days=31, hours=100),
    Fought("15", ("Kestrelle", "Foxglove"), "firetop-classic", F, "fast", days=28, hours=90),
    Fought("16", ("Alderbane", "Umbriel"), stakes=L, pace="classic", days=25, hours=240),
    Fought("17", ("Dunmarrow", "Corvane"), "warlocks", F, "live3", days=22, hours=0.6),
    Fought("18", ("Cinderwick", "Hawthorne"), stakes=L, pace="fast", days=19, hours=88, dies="Hawthorne"),
    Fought("19", ("Eglantine", "Emberlin"), "waving-hands", L, "fast", days=16, hours=95),
    Fought("20", ("Saffronel", "Bracken", "Wrenfield"), "warlocks", F, "day", days=14, hours=70),
    Fought("21", ("Zephyrine", "Yarrowby"), "spellcast", F, "live3", days=12, hours=0.8),
    Fought("22", ("Ironquill", "Quillon"), stakes=L, pace="fast", days=10, hours=77),
    Fought("23", ("Bellweather", "Fernhollow"), stakes=F, pace="day", days=8, hours=50),
    Fought("24", ("Kestrelle", "Lanternby"), stakes=L, pace="fast", days=6.5, hours=80),
    Fought("25", ("Cinderwick", "Gallowmere"), stakes=L, pace="fast", days=5, hours=70, dies="Gallowmere"),
    Fought(
        "26",
        ("Umbriel", "Eglantine", "Zephyrine", "Dunmarrow", "Corvane", "Elderflood"),
        pace="fast",
        days=4,
        hours=110,
    ),
    Fought("27", ("Emberlin", "Foxglove"), "warlocks", L, "day", days=3, hours=40),
    Fought("28", ("Alderbane", "Tamberlane"), stakes=L, pace="classic", days=1.8, hours=150, dies="Tamberlane"),
    Fought("29", ("Kestrelle", "Ironquill"), "spellcast", L, "day", days=0.9, hours=45),
    Fought("30", ("Larkspire", "Bellweather"), stakes=F, pace="day", days=0.35, hours=30),
)
# How long ago the open turn of these began is in `days`.
RUNNING = (
    Fought(
        "31",
        ("Larkspire", "Eglantine"),
        "firetop-standard",
        L,
        "classic",
        days=0.2,
        hours=90,
        turns=6,
        missing=("Larkspire",),
    ),
    Fought(
        "32", ("Dunmarrow", "Cinderwick"), "warlocks", F, "slow", days=0.3, hours=60, turns=4, missing=("Dunmarrow",)
    ),
    Fought(
        "33",
        ("Sorrelby", "Hollin", "Saffronel", "Oakmantle"),
        "firetop-standard",
        F,
        "classic",
        days=0.1,
        hours=120,
        turns=3,
        missing=("Sorrelby", "Hollin"),
    ),
    # Both sides of these are played by the worker.
    Fought(
        "34",
        ("Umbriel", "Kestrelle"),
        "warlocks",
        L,
        "slow",
        days=0.02,
        hours=30,
        turns=5,
        missing=("Umbriel", "Kestrelle"),
    ),
    Fought(
        "35",
        ("Nettlebrook", "Wrenfield"),
        "firetop-standard",
        F,
        "slow",
        days=0.03,
        hours=26,
        turns=3,
        missing=("Nettlebrook",),
    ),
)
SEEKS = (
    Seek("Foxglove", "day", "warlocks", F, "A turn a day. Beginners are welcome.", 3),
    Seek("Vellicore", "classic", "firetop-standard", L, "No hurry at all.", 20),
    Seek("Fernhollow", "fast", "firetop-standard", F, "My third duel. Teach me something.", 1.5),
)
# Who plays in the league, in the order of sign-up: the draw puts the first six into League 1.
IN_LEAGUE = (
    "Cinderwick",
    "Emberlin",
    "Alderbane",
    "Kestrelle",
    "Eglantine",
    "Ironquill",
    "Quillon",
    "Umbriel",
    "Vellicore",
    "Yarrowby",
    "Nettlebrook",
    "Elderflood",
)
# Their duels of the first five rounds. For those that are over, `days` is how long after their round began.
LEAGUE = tuple(
    Fought(key, mages, stakes="league", pace="day", days=days)
    for key, mages, days in (
        ("L01", ("Cinderwick", "Emberlin"), 9),
        ("L02", ("Alderbane", "Kestrelle"), 6),
        ("L03", ("Eglantine", "Ironquill"), 12),
        ("L04", ("Eglantine", "Cinderwick"), 5),
        ("L05", ("Emberlin", "Alderbane"), 8),
        ("L06", ("Ironquill", "Kestrelle"), 7),
        ("L07", ("Kestrelle", "Cinderwick"), 5),
        ("L08", ("Quillon", "Umbriel"), 11),
        ("L09", ("Vellicore", "Yarrowby"), 4),
        ("L10", ("Nettlebrook", "Elderflood"), 9),
        ("L11", ("Nettlebrook", "Quillon"), 6),
        ("L12", ("Umbriel", "Vellicore"), 10),
        ("L13", ("Nettlebrook", "Umbriel"), 8),
        ("L14", ("Elderflood", "Yarrowby"), 5),
        ("L15", ("Yarrowby", "Quillon"), 6),
    )
) + tuple(
    Fought(key, mages, stakes="league", pace=pace, turns=turns, missing=missing)
    for key, mages, pace, turns, missing in (
        ("L16", ("Eglantine", "Emberlin"), "bank", 9, ("Emberlin",)),
        ("L17", ("Ironquill", "Alderbane"), "day", 7, ("Alderbane",)),
        ("L18", ("Cinderwick", "Alderbane"), "day", 4, ("Cinderwick",)),
        ("L19", ("Kestrelle", "Eglantine"), "day", 3, ("Kestrelle", "Eglantine")),
        ("L20", ("Elderflood", "Vellicore"), "day", 6, ("Elderflood",)),
        ("L21", ("Quillon", "Vellicore"), "bank", 5, ("Quillon",)),
        ("L22", ("Yarrowby", "Nettlebrook"), "day", 2, ("Nettlebrook",)),
    )
)
# Who follows whom.
FOLLOWS = (
    (ANNA.username, "Katya"),
    (ANNA.username, "Ines"),
    (BORIS.username, "Katya"),
    (BORIS.username, ANNA.username),
    ("Tobias", "Katya"),
    ("Sunniva", ANNA.username),
    ("Emil", ANNA.username),
    ("Emil", "Tobias"),
    ("Greta", BORIS.username),
    ("Mirjam", "Ines"),
)
ABOUT = {
    ANNA.username: "Plays for the surprises. A turn a day, most evenings.",
    BORIS.username: "I keep a notebook of everything that went wrong.",
}
# Lines on the dead: the mage, who writes, what, and how many hours after the death.
OBITUARIES = (
    ("Gallowmere", "Tobias", "Burned bright in our first duel, and told me so in verse.", 5),
    ("Gallowmere", ANNA.username, "I still owe that mage a rematch.", 9),
    ("Gallowmere", "Mirjam", "The only mage who ever apologised to my goblin.", 30),
    ("Tamberlane", "Leon", "Never once hid behind a shield.", 8),
    ("Hawthorne", "Katya", "Asked good questions to the very end.", 20),
)
# Lines beside battles: the battle, who writes, what, and how many hours ago.
CHAT = (
    ("31", "Sunniva", "I have a plan, and it is a bad one.", 4.5),
    ("33", "Ines", "Four of us and nobody has a shield up. Brave.", 2.2),
    ("33", BORIS.username, "Brave is one word for it.", 1.6),
)
# Lines in the lobby, oldest first: who writes, what, and how many hours ago.
ROOM = (
    ("Ines", "Anyone for a melee this weekend? Four or five, friendly, a turn a day.", 27),
    ("Oskar", "Count me in if it starts after Saturday.", 26.4),
    ("Emil", "How do you stop Paralysis if you only see it coming a turn before?", 7.2),
    ("Tobias", "Hold a shield on the turn it lands, or make them waste it on a hand you don't need.", 6.8),
    ("Emil", "Thanks. I lost that hand for four turns.", 6.6),
    ("Katya", "Everyone has lost that hand for four turns.", 6.5),
    ("Mirjam", "Gallowmere deserved a longer life. Go and leave a line.", 2.4),
    ("Petra", "I'm looking for a slow ladder duel, by the way. No hurry at all.", 1.1),
)
# A conversation, oldest first: who writes, to whom, what, and how many hours ago.
MESSAGES = (
    (
        "Katya",
        ANNA.username,
        "Well fought against Foxglove. Was the second stab planned, or did you run out of ideas?",
        70,
    ),
    (ANNA.username, "Katya", "A bit of both. I had the shield ready for your missile and then you sent nothing.", 66),
    ("Katya", ANNA.username, "That was the idea. Rematch when Larkspire is free?", 5),
    ("Tobias", BORIS.username, "If you want someone to look over your notebook, I have time on Sundays.", 30),
)
# How many of the last puzzles of the day each has tried, and every how many they failed.
PUZZLES = ((ANNA.username, 6, 4), (BORIS.username, 3, 3), ("Petra", 9, 5), ("Emil", 4, 2))
