"""The texts of challenges: why an order is rejected, what the terms are, what a vote decided."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from challenges.ballot import Outlook
from challenges.outcomes import Decision
from duels.paces import describe_pace, describe_rest, get_pace
from duels.terms import Terms, list_rulesets
from fm_site.operations.policy import Policy
from ladder.stakes import BAND, STAKES

# Why an order for one mage is rejected.
REFUSALS: Mapping[str, str] = {
    "started": "Challenge {number} has become battle {number}.",
    "withdrawn": "Challenge {number} was withdrawn.",
    "stale": "Challenge {number} is closed, because nothing happened in it for too long.",
    "joined_already": "{mage} has already joined challenge {number}.",
    "not_invited": "Challenge {number} is by invitation only, and {mage} is not invited.",
    "declined_before": "{mage} has declined challenge {number}. Only mages with an open invitation can join it.",
    "declined_already": "{mage} has already declined challenge {number}.",
    "excluded": "{mage} is excluded from challenge {number}.",
    "apart": "{mage} cannot join challenge {number}: there is a block between you and someone in it.",
    "not_joined": "{mage} has no seat in challenge {number}. Only mages who have joined can change it.",
    "authoritarian": "Only {challenger} can change challenge {number}.",
    "no_such_change": "Challenge {number} has no change {change} to vote on.{pending}",
    "change_over": "Change {change} of challenge {number} is already decided: {state}.",
    "not_the_proposer": "Only {proposer}, who proposed change {change} of challenge {number}, can take it back.",
    "too_many_changes": "Challenge {number} has {count} changes waiting for votes. Wait until one is decided.",
    "link_needs_a_vote": "The mages in challenge {number} decide who is invited. Propose to invite someone by name.",
    "too_many_links": "Challenge {number} has {most} working links, the most it can have. Revoke one first.",
    "link_over": "This link no longer works. Ask for a new one.",
    "full": "Challenge {number} is full.",
    "not_reliable": "Challenge {number} is for players who send their orders on time more often than you.",
    "out_of_band": f"Challenge {{number}} is for scores within {BAND} points of each other. {{mage}}’s is too far off.",
    "enough_of_yours": "You already have {mages_per_user} of your mages in challenge {number}, the most for one user.",
    "own_challenge": "{mage} created challenge {number} and cannot leave it. Withdraw the challenge instead.",
    "no_need_to_decline": "{mage} has no seat in challenge {number}, so there is nothing to decline.",
    "not_the_challenger": "Only {challenger}, who created challenge {number}, can do that. {mage} can decline instead.",
    "too_few": "A battle needs at least two mages. Only {challenger} has joined challenge {number}.",
    "dead": "{mage} is dead.",
    "retired": "{mage} is retired.",
    "shut_out": "{mage} cannot play, because their user’s account is closed.",
    "busy_battle": "{mage} is in battle {engaged}.",
    "busy_challenge": "{mage} has a seat in challenge {engaged}.",
}

# Why the viewer of a page cannot join.
WHY_NOT: Mapping[str, str] = {
    "anonymous": "Log in to join.",
    "anonymous_guest": "By invitation. Log in if you are invited.",
    "no_mage": "Register a mage to join.",
    "all_busy": "All your mages are busy.",
    "joined_already": "You have joined.",
    "not_invited": "By invitation only.",
    "declined_before": "You declined.",
    "excluded": "You are excluded.",
    "apart": "There is a block between you and someone here.",
    "full": "Full.",
    "not_reliable": "Only for players who send enough of their orders on time.",
    "out_of_band": f"Only for mages with scores within {BAND} points of each other.",
    "enough_of_yours": "You have the most mages here that one user may bring.",
    "started": "The battle has started.",
    "withdrawn": "Withdrawn.",
    "stale": "Closed, because nothing happened for too long.",
}

PROBLEMS: Mapping[str, str] = {
    "nobody_invited": "Name at least one mage to challenge, or open the challenge to anyone.",
    "yourself": "{mage} cannot challenge themselves.",
    "twice": "{mage} is named twice.",
    "just_busy": "{mage} has just joined another challenge or battle.",
    "unknown": "No mage is called {mage}.",
    "apart": "You cannot challenge {mage}.",
    "too_many_challenges": "You have {count} open challenges, and the limit is {most}. Withdraw one first.",
    "exclude_needs_open": "Only an open challenge can exclude mages. A closed one is for invited mages only.",
    "excludes_yourself": "{mage} is the challenger and cannot be excluded.",
    "invited_and_excluded": "{mage} is both invited and excluded.",
    "excluded_already": "{mage} is already excluded.",
    "exclude_too_late": "{mage} has already joined and cannot be excluded.",
    "not_challenged": "{mage} is not invited.",
    "already_joined": "{mage} has already joined.",
    "already_invited": "{mage} is already invited.",
    "limit_below_joined": "{joined} mages have joined, so the limit must be at least {joined}.",
    "band_too_wide": f"The mages who have joined are more than {BAND} points apart.",
    "start_too_few": "A battle needs at least two mages.",
    "nothing_to_change": "Say what to change.",
    "no_difference": "Challenge {number} is already like that.",
    "unknown_part": "A challenge has no setting called {part}.",
    "yours": "{mage} is yours too, and each user may bring only {mages_per_user}.",
    "too_many": "A battle has at most {most} mages.",
    "limit_too_low": "The limit must be at least 2, including the challenger.",
    "limit_too_high": "The limit must be {most} or less.",
    "mages_per_user": "Mages per user must be 1 or more, or 0 for any number.",
    "comment_too_long": "The comment has {length} characters. Shorten it to {most}.",
}

# What happened to a proposal, by the states of models.Proposal.
STATES: Mapping[str, str] = {
    "pending": "waiting for votes",
    "adopted": "adopted",
    "rejected": "rejected",
    "taken_back": "taken back",
    "lapsed": "expired",
    "moot": "nothing left to change",
    "abandoned": "undecided when the challenge ended",
}

# What a ruleset is called in a sentence, if not by its title.
SPELLS: Mapping[str, str] = {
    "firetop-standard": "standard spells",
    "firetop-classic": "classic spells",
    "firetop-nomonsters": "spells without monsters",
}

TITLES: Mapping[str, str] = dict(list_rulesets())

LABELS: Mapping[str, str] = {
    "comment": "Comment",
    "ruleset": "Spells",
    "pace": "Pace",
    "weekends": "Clocks",
    "nights": "Clocks",
    "reliable": "Reliable players",
    "stakes": "Stakes",
    "orders_final": "Ready orders",
    "chat": "Talk",
    "mages_per_user": "Who may join",
    "limit": "Limit",
    "authoritarian": "Who decides changes",
}

# The words for no and yes.
CHOICES: Mapping[str, tuple[str, str]] = {
    "orders_final": ("can be changed", "are final"),
    "chat": ("not allowed", "allowed"),
    "weekends": ("run on weekends", "rest on weekends"),
    "nights": ("run at night", "rest at night"),
    "authoritarian": ("everyone who has joined", "the challenger"),
}


def join_names(names: tuple[str, ...]) -> str:
    """Join names for a sentence: "Ayla", "Ayla and Crom", "Ayla, Crom and Ulf"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def describe_size(*, is_duel: bool, is_open_to_all: bool, limit: int | None, mages: int) -> str:
    """Say how many mages fight. `mages` counts those that have joined or are invited."""
    if is_duel:
        return "Duel"
    if limit is not None:
        return f"Melee of {limit} mages"
    return "Any number of mages" if is_open_to_all else f"Melee of up to {mages} mages"


def describe_start(
    *, is_open_to_all: bool, limit: int | None, mages: int, has_link: bool = False, authoritarian: bool = False
) -> str:
    """Say what starts the battle (3.10). `mages` counts those that have joined or are invited."""
    word = "when the challenger starts it" if authoritarian else "when the mages who have joined vote to start"
    if limit == 2:
        return "The battle starts when a second mage joins."
    if limit is not None and (is_open_to_all or limit <= mages):
        return f"The battle starts when {limit} mages have joined, or {word}."
    if is_open_to_all:
        return f"The battle starts {word}."
    if has_link:
        return f"The battle starts when everyone invited has answered and no link is open, or {word}."
    if mages == 2:
        return "The battle starts when the challenge is accepted."
    return f"The battle starts when everyone invited has answered, or {word}."


def describe_spells(ruleset: str, title: str) -> str:
    """Say which spells are used."""
    return SPELLS.get(ruleset, title)


def describe_practice(*, is_deadly: bool) -> str:
    """Name a battle among one user's mages, with a warning where deaths in it are real."""
    return "practice with real deaths" if is_deadly else "practice"


def describe_terms(
    terms: Terms, *, is_practice: bool, practice_is_deadly: bool = False, policy: Policy | None = None
) -> str:
    """Describe the terms, without the number of mages: "standard spells, classic pace, 21 days a turn, ladder".

    `policy` has the site's numbers for the classic pace.
    """
    pace = get_pace(terms.pace, policy or Policy())
    words = [describe_spells(terms.ruleset, terms.title), describe_pace(pace)]
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words += [rest] if rest else []
    words.append(describe_practice(is_deadly=practice_is_deadly) if is_practice else terms.stake.title)
    if terms.orders_final:
        words.append("orders are final")
    if not terms.chat:
        words.append("no talking")
    if terms.reliable:
        words.append(f"for players who send {terms.reliable}% of their orders on time")
    return ", ".join(words)


class DifferenceWords(NamedTuple):
    """One part of a change: what it is about, the value before ("" if that says nothing) and the value after."""

    label: str
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """Return the part in one line: "limit 4 → 3", "invite Ayla and Crom"."""
        label = self.label[0].lower() + self.label[1:]
        return f"{label} {self.before} → {self.after}" if self.before else f"{label} {self.after}".strip()


def describe_difference(what: str, before: Any, after: Any, *, over: bool = False) -> DifferenceWords:
    """Describe one part of a change, given as in changes.Difference. `over` leaves out the current value."""
    if what == "start":
        return DifferenceWords("Start the battle", "", "")
    if what in ("add", "exclude"):
        return DifferenceWords("Invite" if what == "add" else "Exclude", "", join_names(tuple(after)))
    return DifferenceWords(LABELS[what], "" if over else _describe_value(what, before), _describe_value(what, after))


def _describe_value(what: str, value: Any) -> str:
    if what == "ruleset":
        return describe_spells(value, TITLES.get(value, value))
    if what == "pace":
        return str(value)
    if what == "reliable":
        return f"{value}% on time" if value else "any"
    if what == "stakes":
        return STAKES[value].title
    if what == "limit":
        return "none" if value is None else str(value)
    if what == "comment":
        return f"“{value}”" if value else "none"
    if what == "mages_per_user":
        return describe_openness(value)
    return CHOICES[what][bool(value)]


def describe_decision(decision: Decision) -> str:
    """Say what a vote decided: "Change 2 is adopted: limit 4 → 3."."""
    head = "Changed" if decision.number is None else f"Change {decision.number}"
    if decision.result == "moot":
        return f"{head} has nothing left to change."
    what = ", ".join(describe_difference(each.what, each.before, each.after).sentence for each in decision.differences)
    return f"{head}: {what}." if decision.number is None else f"{head} is {decision.result}: {what}."


def describe_outlook(outlook: Outlook, *, decider: str, is_mine: bool) -> str:
    """Say what would decide a vote. `decider` names the mage whose vote does; `is_mine`: it is one of the reader's."""
    if outlook.decider is not None and outlook.by_rule:
        return "You alone decide." if is_mine else f"{decider} alone decides."
    if outlook.decider is not None:
        return "Your vote decides." if is_mine else f"{decider}’s vote decides."
    sides = ((outlook.adopting, "adopted", "for"), (outlook.rejecting, "rejected", "against"))
    clauses = [
        f"{verdict} with {count} more vote{'' if count == 1 else 's'} {side} it"
        for count, verdict, side in sides
        if count is not None
    ]
    return f"{', '.join(clauses)}.".capitalize() if clauses else ""


def describe_openness(mages_per_user: int | None) -> str:
    """Say who may join."""
    if mages_per_user is None:
        return "invited mages"
    count = {0: "any number of mages", 1: "1 mage"}.get(mages_per_user, f"{mages_per_user} mages")
    return f"anyone, {count} per user"


def describe_title(
    *,
    challenger: str,
    is_duel: bool,
    is_open_to_all: bool,
    is_practice: bool,
    asked: tuple[str, ...],
    is_alone: bool = False,
) -> str:
    """Return the title of a challenge. `asked` are the viewer's mages that have yet to answer; `is_alone`: only the
    challenger has a seat, and nobody is invited by name, so others join by link."""
    if is_practice:
        return f"{challenger}’s practice"
    if asked:
        return f"{challenger} challenges {join_names(asked)}"
    if is_duel and is_open_to_all:
        return f"{challenger} wants a duel"
    if is_alone and not is_open_to_all:
        return f"{challenger}’s {'duel' if is_duel else 'battle'} by link"
    kind = "duel" if is_duel else "melee"
    return f"{challenger}’s open {kind}" if is_open_to_all else f"{challenger}’s {kind} by invitation"
