"""The sentences of challenges: why something is refused, and what is offered."""

from collections.abc import Mapping

from duels.terms import Terms

# One mage, asked for by name.
REFUSALS: Mapping[str, str] = {
    "started": "Challenge {number} has become battle {number}.",
    "withdrawn": "Challenge {number} was withdrawn.",
    "joined_already": "{mage} already has a seat in challenge {number}.",
    "not_invited": "Challenge {number} is by invitation only, and {mage} is not invited.",
    "declined_before": "{mage} has declined challenge {number}. Only the mages still invited can join it.",
    "declined_already": "{mage} has already declined challenge {number}.",
    "full": "Every seat of challenge {number} is taken.",
    "enough_of_yours": "You have as many mages in challenge {number} as one user may bring: {mages_per_user}.",
    "own_challenge": "{mage} made challenge {number} and stays in it. Withdraw the challenge instead.",
    "no_need_to_decline": "{mage} has no seat in challenge {number}, so there is nothing to decline.",
    "not_the_challenger": "Only {challenger}, who made challenge {number}, can do that. {mage} can decline instead.",
    "too_few": "A battle needs at least two mages. Only {challenger} has joined challenge {number}.",
    "dead": "{mage} is dead.",
    "retired": "{mage} is retired.",
    "shut_out": "{mage} cannot play, because the user's account is closed.",
    "busy_battle": "{mage} is in battle {engaged}.",
    "busy_challenge": "{mage} has a seat in challenge {engaged}.",
}

# Somebody who looks at the list.
WHY_NOT: Mapping[str, str] = {
    "anonymous": "Log in to join.",
    "no_mage": "Register a mage to join.",
    "all_busy": "Your mages are all busy.",
    "joined_already": "You take part.",
    "not_invited": "By invitation only.",
    "declined_before": "You declined.",
    "full": "Every seat is taken.",
    "enough_of_yours": "You have as many mages here as one user may bring.",
    "started": "The battle has started.",
    "withdrawn": "Withdrawn.",
}

PROBLEMS: Mapping[str, str] = {
    "nobody_invited": "Name at least one mage to challenge, or open the challenge to anyone.",
    "yourself": "{mage} cannot be challenged by {mage}.",
    "twice": "{mage} is named twice.",
    "just_busy": "{mage} has just taken a seat elsewhere.",
    "unknown": "There is no mage called {mage}.",
    "yours": "{mage} is yours too, and each user may bring only {mages_per_user}.",
    "too_many": "A battle seats at most {most} mages.",
    "limit_too_low": "The limit must be 2 or more, the challenger included.",
    "limit_too_high": "The limit must be {most} or less.",
    "mages_per_user": "Mages for each user must be 1 or more, or 0 for any number.",
    "comment_too_long": "The comment has {length} characters; {most} are allowed.",
}

# How the books are called in a sentence; any other ruleset goes by its title.
SPELLS: Mapping[str, str] = {
    "firetop-standard": "standard spells",
    "firetop-classic": "classic spells",
    "firetop-nomonsters": "spells without monsters",
}

PACES: Mapping[str, str] = {"classic": "no clock"}


def join_names(names: tuple[str, ...]) -> str:
    """Write names as a sentence does: "Ayla", "Ayla and Crom", "Ayla, Crom and Ulf"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def describe_size(*, is_duel: bool, is_open_to_all: bool, limit: int | None, mages: int) -> str:
    """Say in words how many mages fight. `mages` counts those that joined or are invited."""
    if is_duel:
        return "Duel"
    if limit is not None:
        return f"Melee of {limit} mages"
    return "Any number of mages" if is_open_to_all else f"Melee of up to {mages} mages"


def describe_start(*, is_open_to_all: bool, limit: int | None, mages: int) -> str:
    """Say in words what starts the battle (3.10). `mages` counts those that joined or are invited."""
    if limit == 2:
        return "The battle starts when a second mage joins."
    if limit is not None and (is_open_to_all or limit <= mages):
        return f"The battle starts when {limit} mages have joined, or when the challenger says so."
    if is_open_to_all:
        return "The battle starts when the challenger says so."
    if mages == 2:
        return "The battle starts when the challenge is accepted."
    return "The battle starts when everybody invited has answered, or when the challenger says so."


def describe_spells(ruleset: str, title: str) -> str:
    """Say in words by which book is played."""
    return SPELLS.get(ruleset, title)


def describe_terms(terms: Terms, *, is_practice: bool) -> str:
    """Say the terms in words, without the number of mages: "standard spells, at the players' own pace, rated"."""
    words = [describe_spells(terms.ruleset, terms.title), PACES[terms.pace]]
    words.append("practice" if is_practice else "rated" if terms.rated else "friendly")
    if terms.orders_final:
        words.append("orders are final")
    if not terms.chat:
        words.append("no talk")
    return ", ".join(words)


def describe_title(
    *, challenger: str, is_duel: bool, is_open_to_all: bool, is_practice: bool, asked: tuple[str, ...]
) -> str:
    """Head a challenge. `asked` are the viewer's mages that have yet to answer."""
    if is_practice:
        return f"{challenger}’s practice"
    if asked:
        return f"{challenger} challenges {join_names(asked)}"
    if is_duel and is_open_to_all:
        return f"{challenger} looks for a duel"
    kind = "duel" if is_duel else "melee"
    return f"{challenger}’s open {kind}" if is_open_to_all else f"{challenger}’s {kind} by invitation"
