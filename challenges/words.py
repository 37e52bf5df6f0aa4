"""The sentences of challenges: why something is refused, and what is offered."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from challenges.ballot import Outlook
from challenges.outcomes import Decision
from duels.paces import describe_pace, describe_rest, get_pace
from duels.terms import Terms, list_rulesets
from fm_site.operations.policy import Policy
from ladder.stakes import BAND, STAKES

# One mage, asked for by name.
REFUSALS: Mapping[str, str] = {
    "started": "Challenge {number} has become battle {number}.",
    "withdrawn": "Challenge {number} was withdrawn.",
    "stale": "Challenge {number} is closed: nothing happened in it for too long.",
    "joined_already": "{mage} already has a seat in challenge {number}.",
    "not_invited": "Challenge {number} is by invitation only, and {mage} is not invited.",
    "declined_before": "{mage} has declined challenge {number}. Only the mages still invited can join it.",
    "declined_already": "{mage} has already declined challenge {number}.",
    "excluded": "{mage} is excluded from challenge {number}.",
    "apart": "{mage} cannot join challenge {number}: you and somebody there do not meet.",
    "not_joined": "{mage} has no seat in challenge {number}. Only those who have joined change it.",
    "authoritarian": "{challenger} alone decides what changes in challenge {number}.",
    "no_such_change": "Challenge {number} has no change {change} to vote on.{pending}",
    "change_over": "Change {change} of challenge {number} is decided: {state}.",
    "not_the_proposer": "Change {change} of challenge {number} is {proposer}’s, and only {proposer} can take it back.",
    "too_many_changes": "{count} changes of challenge {number} are waiting for votes. Settle one of them first.",
    "link_needs_a_vote": "The mages in challenge {number} decide who is asked. Propose to invite somebody by name.",
    "too_many_links": "Challenge {number} has {most} links that work. Revoke one of them first.",
    "link_over": "This link no longer works. Ask for a new one.",
    "full": "Every seat of challenge {number} is taken.",
    "not_reliable": "Challenge {number} is for players who keep more of their turns than {mage}’s has lately.",
    "out_of_band": f"Challenge {{number}} is for scores within {BAND} points, and {{mage}}’s is too far from theirs.",
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
    "anonymous_guest": "By invitation. Log in if you are asked.",
    "no_mage": "Register a mage to join.",
    "all_busy": "Your mages are all busy.",
    "joined_already": "You take part.",
    "not_invited": "By invitation only.",
    "declined_before": "You declined.",
    "excluded": "You are excluded.",
    "apart": "You and somebody here do not meet.",
    "full": "Every seat is taken.",
    "not_reliable": "Only players who keep enough of their turns join.",
    "out_of_band": f"Only mages with scores within {BAND} points of each other meet here.",
    "enough_of_yours": "You have as many mages here as one user may bring.",
    "started": "The battle has started.",
    "withdrawn": "Withdrawn.",
    "stale": "Closed, as nothing happened in it for too long.",
}

PROBLEMS: Mapping[str, str] = {
    "nobody_invited": "Name at least one mage to challenge, or open the challenge to anyone.",
    "yourself": "{mage} cannot be challenged by {mage}.",
    "twice": "{mage} is named twice.",
    "just_busy": "{mage} has just taken a seat elsewhere.",
    "unknown": "There is no mage called {mage}.",
    "apart": "You cannot challenge {mage}.",
    "too_many_challenges": "You have {count} open challenges, and {most} is the most. Withdraw one of them first.",
    "exclude_needs_open": "Only an open challenge excludes mages. A closed one is for the mages it names anyway.",
    "excludes_yourself": "{mage} makes the challenge and cannot be excluded from it.",
    "invited_and_excluded": "{mage} is both invited and excluded.",
    "excluded_already": "{mage} is excluded already.",
    "exclude_too_late": "{mage} has joined already and cannot be excluded.",
    "not_challenged": "{mage} is not among those challenged.",
    "already_joined": "{mage} has joined already.",
    "already_invited": "{mage} is challenged already.",
    "limit_below_joined": "The limit must be {joined} or more, as {joined} mages have joined.",
    "band_too_wide": f"Those who have joined stand more than {BAND} points apart.",
    "start_too_few": "A battle needs at least two mages.",
    "nothing_to_change": "Say what to change.",
    "no_difference": "Challenge {number} is like that already.",
    "unknown_part": "A challenge has no {part} to change.",
    "yours": "{mage} is yours too, and each user may bring only {mages_per_user}.",
    "too_many": "A battle seats at most {most} mages.",
    "limit_too_low": "The limit must be 2 or more, the challenger included.",
    "limit_too_high": "The limit must be {most} or less.",
    "mages_per_user": "Mages for each user must be 1 or more, or 0 for any number.",
    "comment_too_long": "The comment has {length} characters; {most} are allowed.",
}

# What became of a proposal, by the states of models.Proposal.
STATES: Mapping[str, str] = {
    "pending": "waiting for votes",
    "adopted": "adopted",
    "rejected": "rejected",
    "taken_back": "taken back",
    "lapsed": "lapsed, as its time was over",
    "moot": "nothing was left to change",
    "abandoned": "not decided before the challenge ended",
}

# How the books are called in a sentence; any other ruleset goes by its title.
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
    "stakes": "At stake",
    "orders_final": "Orders that are ready",
    "chat": "Talk",
    "mages_per_user": "Who may join",
    "limit": "Limit",
    "authoritarian": "Changes decided by",
}

# The words for no and for yes.
CHOICES: Mapping[str, tuple[str, str]] = {
    "orders_final": ("can be changed", "are final"),
    "chat": ("not allowed", "allowed"),
    "weekends": ("run on weekends", "rest on weekends"),
    "nights": ("run at night", "rest at night"),
    "authoritarian": ("those who joined", "the challenger"),
}


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


def describe_start(
    *, is_open_to_all: bool, limit: int | None, mages: int, has_link: bool = False, authoritarian: bool = False
) -> str:
    """Say in words what starts the battle (3.10). `mages` counts those that joined or are invited."""
    word = "when the challenger says so" if authoritarian else "when those who have joined agree"
    if limit == 2:
        return "The battle starts when a second mage joins."
    if limit is not None and (is_open_to_all or limit <= mages):
        return f"The battle starts when {limit} mages have joined, or {word}."
    if is_open_to_all:
        return f"The battle starts {word}."
    if has_link:
        return f"The battle starts when everybody invited has answered and no link is left, or {word}."
    if mages == 2:
        return "The battle starts when the challenge is accepted."
    return f"The battle starts when everybody invited has answered, or {word}."


def describe_spells(ruleset: str, title: str) -> str:
    """Say in words by which book is played."""
    return SPELLS.get(ruleset, title)


def describe_practice(*, is_deadly: bool) -> str:
    """Say what battles among one's own mages are, with a warning where their deaths are real."""
    return "practice in which the dead are dead" if is_deadly else "practice"


def describe_terms(
    terms: Terms, *, is_practice: bool, practice_is_deadly: bool = False, policy: Policy | None = None
) -> str:
    """Say the terms in words, without the number of mages: "standard spells, classic pace, 21 days a turn, ladder".

    `policy` has the house's numbers for the classic pace.
    """
    pace = get_pace(terms.pace, policy or Policy())
    words = [describe_spells(terms.ruleset, terms.title), describe_pace(pace)]
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words += [rest] if rest else []
    words.append(describe_practice(is_deadly=practice_is_deadly) if is_practice else terms.stake.title)
    if terms.orders_final:
        words.append("orders are final")
    if not terms.chat:
        words.append("no talk")
    if terms.reliable:
        words.append(f"for players who keep {terms.reliable} % of their turns")
    return ", ".join(words)


class DifferenceWords(NamedTuple):
    """One part of a change in words: what it is about, how that is now ("" if that says nothing), how it would be."""

    label: str
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """The part in one line: "limit 4 → 3", "invite Ayla and Crom"."""
        label = self.label[0].lower() + self.label[1:]
        return f"{label} {self.before} → {self.after}" if self.before else f"{label} {self.after}".strip()


def describe_difference(what: str, before: Any, after: Any, *, over: bool = False) -> DifferenceWords:
    """Say one part of a change in words; the arguments are those of changes.Difference. `over` leaves out how it is."""
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
        return f"{value} %" if value else "any"
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
    """Say what became of a change: "Change 2 is adopted: limit 4 → 3."."""
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
        return "the mages invited"
    count = {0: "any number of mages", 1: "1 mage"}.get(mages_per_user, f"{mages_per_user} mages")
    return f"anyone, {count} for each user"


def describe_title(
    *,
    challenger: str,
    is_duel: bool,
    is_open_to_all: bool,
    is_practice: bool,
    asked: tuple[str, ...],
    is_alone: bool = False,
) -> str:
    """Head a challenge. `asked` are the viewer's mages that have yet to answer; `is_alone` says that nobody but the
    challenger has a seat or was asked by name, so that others come by link."""
    if is_practice:
        return f"{challenger}’s practice"
    if asked:
        return f"{challenger} challenges {join_names(asked)}"
    if is_duel and is_open_to_all:
        return f"{challenger} looks for a duel"
    if is_alone and not is_open_to_all:
        return f"{challenger}’s {'duel' if is_duel else 'battle'} by link"
    kind = "duel" if is_duel else "melee"
    return f"{challenger}’s open {kind}" if is_open_to_all else f"{challenger}’s {kind} by invitation"
