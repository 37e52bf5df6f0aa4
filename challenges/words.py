"""The texts of challenges: why an act is refused, what the terms are, what a vote decided."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from duels.bot_terms import describe_bots, describe_hit_points
from duels.names import listed
from duels.paces import describe_pace, describe_rest, get_pace
from duels.terms import Terms, name_spells
from ladder.stakes import BAND, STAKES
from operations.policy import Policy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Why something is refused (errors.ChallengeRefused). The first part is about an order for one mage.
REFUSALS: "Mapping[str, StrOrPromise]" = {
    "bot_scores": _("%(mage)s is a bot, and bots never play for scores."),
    "bot_unasked": _("%(mage)s is a bot. Challenge %(number)s is not open to users' bots."),
    "bot_no_vote": _("%(mage)s is a bot, and bots cannot vote in challenges with people."),
    "bot": _("%(mage)s is a bot. Keep a seat for a bot in the terms, or press Play."),
    "guest": _("%(mage)s is a guest's mage. Guests play against bots, or a friend who sends them a link."),
    "no_host": _("No host is free right now. Find an opponent, or play a bot."),
    "not_new": _("Hosts play the first duel with a person. You have fought one, or asked within a day."),
    "started": _("Challenge %(number)s has become battle %(number)s."),
    "withdrawn": _("Challenge %(number)s was withdrawn."),
    "stale": _("Challenge %(number)s is closed, because nothing happened in it for too long."),
    "terms_changed": _("The terms of challenge %(number)s have changed. Read them again before you join."),
    "joined_already": _("%(mage)s has already joined challenge %(number)s."),
    "not_invited": _("Challenge %(number)s is by invitation only, and %(mage)s is not invited."),
    "declined_before": _("%(mage)s has declined challenge %(number)s. Only mages with an open invitation can join it."),
    "declined_already": _("%(mage)s has already declined challenge %(number)s."),
    "excluded": _("%(mage)s is excluded from challenge %(number)s."),
    "apart": _("%(mage)s cannot join challenge %(number)s: there is a block between you and someone in it."),
    "not_joined": _("%(mage)s has no seat in challenge %(number)s. Only mages who have joined can change it."),
    "authoritarian": _("Only %(challenger)s can change challenge %(number)s."),
    "no_such_change": _("Challenge %(number)s has no change %(change)s to vote on."),
    # Changes that are over, by their state.
    "change_adopted": _("Change %(change)s of challenge %(number)s is already decided: it was adopted."),
    "change_rejected": _("Change %(change)s of challenge %(number)s is already decided: it was rejected."),
    "change_taken_back": _("Change %(change)s of challenge %(number)s was withdrawn."),
    "change_lapsed": _("Change %(change)s of challenge %(number)s has expired."),
    "change_moot": _("Change %(change)s of challenge %(number)s had nothing left to change."),
    "change_abandoned": _("Challenge %(number)s ended before change %(change)s was decided."),
    "not_the_proposer": _(
        "Only %(proposer)s, who proposed change %(change)s of challenge %(number)s, can withdraw it."
    ),
    "too_many_changes": _("Challenge %(number)s has %(count)s changes waiting for votes. Wait until one is decided."),
    "link_needs_a_vote": _(
        "The mages in challenge %(number)s decide who is invited. Propose to invite someone by name."
    ),
    "too_many_links": _("Challenge %(number)s has %(most)s working links, the most it can have. Revoke one first."),
    "link_over": _("This link no longer works. Ask for a new one."),
    "no_link": _("You have no such link, or it no longer works."),
    "full": _("Challenge %(number)s is full."),
    "not_reliable": _("Challenge %(number)s is for players who send their orders on time more often than you."),
    "out_of_band": _(
        "Challenge %(number)s is for mages whose scores are within %(band)s points of each other. %(mage)s's is not."
    ),
    "enough_of_yours": _(
        "You already have %(mages_per_user)s of your mages in challenge %(number)s, the most for one user."
    ),
    "own_challenge": _("%(mage)s created challenge %(number)s and cannot leave it. Withdraw the challenge instead."),
    "no_need_to_decline": _("%(mage)s has no seat in challenge %(number)s, so there is nothing to decline."),
    "not_the_challenger": _(
        "Only %(challenger)s, who created challenge %(number)s, can do that. %(mage)s can decline instead."
    ),
    "too_few": _("A battle needs at least two mages. Only %(challenger)s has joined challenge %(number)s."),
    "dead": _("%(mage)s is dead."),
    "left": _("%(mage)s has left the mountain."),
    "retired": _("%(mage)s is retired."),
    "shut_out": _("%(mage)s cannot play, because their user's account is closed."),
    "busy_battle": _("%(mage)s is in battle %(engaged)s."),
    "busy_challenge": _("%(mage)s has a seat in challenge %(engaged)s."),
    "busy": _("%(mage)s has just joined another challenge or battle."),
    "over": _("Challenge %(number)d is over."),
    # A rematch.
    "running": _("The battle is not over yet."),
    "not_yours": _("This mage did not fight in that battle."),
    "no_mage": _("None of your mages is free."),
    "nobody": _("None of your opponents has a free mage. Try again later."),
    # A battle against a bot.
    "mage_needed": _("You need a mage to play. Enter a name."),
    "rated_guest": _("Guests play practice only. Sign up to play rated battles."),
    "rated_ruleset": _("Rated battles with bots use the ruleset %(ruleset)s."),
    "rated_handicap": _("Rated battles have no handicap, and bots may surrender."),
    "no_bot": _('There is no bot "%(name)s".'),
    "guests": _("Too many guests have started today. Sign up to play, or come back tomorrow."),
    "guests_of_network": _("Too many guests have started from your network. Sign up to play, or come back in an hour."),
}

# Why a line is not written in the lobby's room, or not removed (errors.RoomRefused).
ROOM_REFUSALS: "Mapping[str, StrOrPromise]" = {
    "anonymous": _("Log in to write."),
    "guest": _("Guests can read here. Sign up to write: press “Keep this mage”."),
    "bot": _("Bots cannot write here."),
    "held": "%(hold)s",  # the hold says it in whole sentences
    "muted": _("A janitor has muted you in the lobby until %(until)s: “%(reason)s”"),
    "unconfirmed": _("Confirm your email address to write here."),
    "no_battle": _("You can write here after your first battle."),
    "no_text": _("Enter something to say."),
    "line_too_long": _("A line can have at most %(most)s characters."),
    "too_fast": _("You are writing very fast. Wait a moment."),
    "page_out_of_date": _("This page is out of date. Reload it."),
    "not_your_line": _("You can remove only your own lines."),
}

# Why the viewer of a page cannot join.
WHY_NOT: "Mapping[str, StrOrPromise]" = {
    "anonymous": _("Log in to join."),
    "anonymous_guest": _("By invitation. Log in if you are invited."),
    "no_mage": _("Register a mage to join."),
    "all_busy": _("All your mages are busy."),
    "joined_already": _("You have joined."),
    "not_invited": _("By invitation only."),
    "declined_before": _("You declined."),
    "excluded": _("You are excluded."),
    "apart": _("There is a block between you and someone here."),
    "full": _("Full."),
    "not_reliable": _("Only for players who send enough of their orders on time."),
    "out_of_band": format_lazy(_("Only for mages with scores within {band} points of each other."), band=BAND),
    "enough_of_yours": _("You already have the maximum number of mages here."),
    "bot_scores": _("Bots never play for scores."),
    "bot_unasked": _("Not open to users' bots."),
    "started": _("The battle has started."),
    "withdrawn": _("Withdrawn."),
    "stale": _("Closed, because nothing happened for too long."),
}

PROBLEMS: "Mapping[str, StrOrPromise]" = {
    "bot_scores": _("%(mage)s is a bot, and bots never play for scores. Choose other stakes."),
    "bot_unwanted": _("%(mage)s's user does not want to be challenged by bots."),
    "bot_calls_all": _("%(mage)s is a bot and can only invite mages by name."),
    "bot_quick_match": _("%(mage)s is a bot. Quick match is for people: create or join a challenge instead."),
    "nobody_invited": _("Name at least one mage to challenge, or open the challenge to anyone."),
    "yourself": _("%(mage)s cannot challenge themselves."),
    "twice": _("%(mage)s is named twice."),
    "just_busy": _("%(mage)s has just joined another challenge or battle."),
    "unknown": _("No mage is called %(mage)s."),
    "apart": _("You cannot challenge %(mage)s: there is a block between them and someone in the challenge."),
    "too_many_challenges": _("You have %(count)s open challenges, and the limit is %(most)s. Withdraw one first."),
    "exclude_needs_open": _("Only an open challenge can exclude mages. A closed one is for invited mages only."),
    "excludes_yourself": _("%(mage)s is the challenger and cannot be excluded."),
    "invited_and_excluded": _("%(mage)s is both invited and excluded."),
    "excluded_already": _("%(mage)s is already excluded."),
    "exclude_too_late": _("%(mage)s has already joined and cannot be excluded."),
    "not_challenged": _("%(mage)s is not invited."),
    "already_joined": _("%(mage)s has already joined."),
    "already_invited": _("%(mage)s is already invited."),
    "limit_below_joined": _("%(joined)s mages have joined, so the limit must be at least %(joined)s."),
    "band_too_wide": _("The mages who have joined are more than %(band)s points apart."),
    "start_too_few": _("A battle needs at least two mages."),
    "nothing_to_change": _("Choose what to change."),
    "no_difference": _("Challenge %(number)s already has these terms. Choose something to change."),
    "unknown_part": _("A challenge has no setting called %(part)s."),
    "yours": _("%(mage)s is yours too, and each user can bring only %(mages_per_user)s."),
    "too_many": _("A battle can have at most %(most)s mages."),
    "limit_below_bots": _("%(bots)s seats are for bots, so the limit must be at least %(least)s."),
    "limit_too_low": _("The limit must be at least 2, including the challenger."),
    "limit_too_high": _("The limit must be %(most)s or less."),
    "mages_per_user": _("Mages per user must be 1 or more, or 0 for any number."),
    "comment_too_long": _("The comment has %(length)s characters. Shorten it to %(most)s."),
}

# What happened to a proposal, by the states of models.Proposal.
STATES: "Mapping[str, StrOrPromise]" = {
    "pending": _("waiting for votes"),
    "adopted": _("adopted"),
    "rejected": _("rejected"),
    "taken_back": _("withdrawn"),
    "lapsed": _("expired"),
    "moot": _("nothing left to change"),
    "abandoned": _("undecided when the challenge ended"),
}

LABELS: "Mapping[str, StrOrPromise]" = {
    "comment": _("Comment"),
    "ruleset": _("Spells"),
    "pace": _("Pace"),
    "weekends": _("Clocks"),
    "nights": _("Clocks"),
    "reliable": _("Reliable players"),
    "stakes": _("Stakes"),
    "orders_final": _("Ready orders"),
    "chat": _("Talk"),
    "mages_per_user": _("Who may join"),
    "limit": _("Limit"),
    "hit_points": _("Hit points"),
    "bots": _("Seats for bots"),
    "bots_may_join": _("Bots"),
    "authoritarian": _("Who decides changes"),
}

# The same before a value: "limit 4", "changes decided by the challenger". A spell book's name says that it is one.
NAMES: "Mapping[str, StrOrPromise]" = {
    "comment": _("comment"),
    "ruleset": "",
    "pace": _("pace"),
    "weekends": _("clocks"),
    "nights": _("clocks"),
    "reliable": _("reliability"),
    "stakes": _("stakes"),
    "orders_final": _("ready orders"),
    "chat": _("talk"),
    "mages_per_user": _("open to"),
    "limit": _("limit"),
    "hit_points": _("hit points"),
    "bots": _("seats for bots"),
    "bots_may_join": _("bots"),
    "authoritarian": _("changes decided by"),
}

PACE_NAMES: "Mapping[str, StrOrPromise]" = {
    "classic": _("classic"),
    "slow": _("slow"),
    "fast": _("fast"),
    "bank": _("bank"),
    "day": _("daily"),
    "threeday": _("three-day"),
    "live": _("live"),
    "live1": _("live, 1 minute"),
    "live3": _("live, 3 minutes"),
    "live5": _("live, 5 minutes"),
}

# The texts for no and yes.
CHOICES: "Mapping[str, tuple[StrOrPromise, StrOrPromise]]" = {
    "orders_final": (_("can be changed"), _("are final")),
    "chat": (_("not allowed"), _("allowed")),
    "weekends": (_("run on weekends"), _("rest on weekends")),
    "nights": (_("run at night"), _("rest at night")),
    "authoritarian": (_("everyone who has joined"), _("the challenger")),
    "bots_may_join": (_("may not join"), _("may join")),
}


def describe_size(*, is_duel: bool, is_open_to_all: bool, limit: int | None, mages: int) -> str:
    """Return how many mages fight. `mages` counts those that have joined or are invited."""
    if is_duel:
        return gettext("Duel")
    if limit is not None:
        return gettext("Melee of %(mages)d mages") % {"mages": limit}
    if is_open_to_all:
        return gettext("Any number of mages")
    return gettext("Melee of up to %(mages)d mages") % {"mages": mages}


def describe_start(
    *,
    is_open_to_all: bool,
    limit: int | None,
    mages: int,
    asked: int,
    has_link: bool = False,
    authoritarian: bool = False,
) -> str:
    """Return what starts the battle (3.10). `mages` counts those that have joined or are invited, `asked` also those
    who have declined."""
    if limit == 2:
        return gettext("The battle starts when a second mage joins.")
    if limit is not None and (is_open_to_all or limit <= asked):
        by_vote = gettext(
            "The battle starts when %(mages)d mages have joined, or when the mages who have joined vote to start."
        )
        by_challenger = gettext("The battle starts when %(mages)d mages have joined, or when the challenger starts it.")
        return (by_challenger if authoritarian else by_vote) % {"mages": limit}
    if is_open_to_all:
        if authoritarian:
            return gettext("The battle starts when the challenger starts it.")
        return gettext("The battle starts when the mages who have joined vote to start.")
    if has_link:
        if authoritarian:
            return gettext(
                "The battle starts when everyone invited has answered and no link is open, or when the challenger "
                "starts it."
            )
        return gettext(
            "The battle starts when everyone invited has answered and no link is open, or when the mages who have "
            "joined vote to start."
        )
    if mages == 2:
        return gettext("The battle starts when the challenge is accepted.")
    if authoritarian:
        return gettext("The battle starts when everyone invited has answered, or when the challenger starts it.")
    return gettext(
        "The battle starts when everyone invited has answered, or when the mages who have joined vote to start."
    )


def describe_practice(*, is_deadly: bool) -> str:
    """Name a battle among one user's mages, with a warning where deaths in it are real."""
    return gettext("practice with real deaths") if is_deadly else gettext("practice")


def describe_terms(
    terms: Terms, *, is_practice: bool, practice_is_deadly: bool = False, policy: Policy | None = None
) -> str:
    """Describe the terms, without the number of mages: "standard spells, classic pace, 21 days a turn, ladder".

    `policy` has the site's numbers for the classic pace.
    """
    pace = get_pace(terms.pace, policy or Policy())
    words = [terms.spells, describe_pace(pace)]
    rest = describe_rest(weekends=terms.weekends, nights=terms.nights)
    words += [rest] if rest else []
    words.append(describe_practice(is_deadly=practice_is_deadly) if is_practice else terms.stake.title)
    words += [said for said in (describe_hit_points(terms.hit_points), describe_bots(terms)) if said]
    if terms.orders_final:
        words.append(gettext("orders are final"))
    if not terms.chat:
        words.append(gettext("no talking"))
    if terms.reliable:
        on_time = gettext("for players who send %(percent)d%% of their orders on time")
        words.append(on_time % {"percent": terms.reliable})
    return ", ".join(words)


class DifferenceWords(NamedTuple):
    """One part of a change: its label, its name before a value, the value before ("" if there is none to show) and the
    value after."""

    label: str
    name: str
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """Return the part in one line: "limit 4 → 3", "invite Ayla and Crom"."""
        values = f"{self.before} → {self.after}" if self.before else self.after
        return f"{self.name} {values}".strip()


def describe_difference(what: str, before: Any, after: Any, *, over: bool = False) -> DifferenceWords:
    """Describe one part of a change, given as in changes.Difference. `over` leaves out the current value."""
    if what == "start":
        return DifferenceWords(gettext("Start the battle"), gettext("start the battle"), "", "")
    if what == "add":
        return DifferenceWords(gettext("Invite"), gettext("invite"), "", listed(tuple(after)))
    if what == "exclude":
        return DifferenceWords(gettext("Exclude"), gettext("exclude"), "", listed(tuple(after)))
    return DifferenceWords(
        label=str(LABELS[what]),
        name=str(NAMES[what]),
        before="" if over else _describe_value(what, before),
        after=_describe_value(what, after),
    )


def _describe_value(what: str, value: Any) -> str:
    if what == "ruleset":
        return name_spells(value)
    if what == "pace":
        return str(PACE_NAMES.get(value, value))
    if what == "reliable":
        return gettext("%(percent)d%% on time") % {"percent": value} if value else pgettext("players", "any")
    if what == "stakes":
        return STAKES[value].title
    if what == "hit_points":
        return " : ".join(map(str, value)) if value else pgettext("handicap", "equal")
    if what == "bots":
        return ", ".join(value) if value else pgettext("seats for bots", "none")
    if what == "limit":
        return pgettext("limit", "none") if value is None else str(value)
    if what == "comment":
        return gettext("“%(comment)s”") % {"comment": value} if value else pgettext("comment", "none")
    if what == "mages_per_user":
        return describe_openness(value)
    return str(CHOICES[what][bool(value)])


def describe_openness(mages_per_user: int | None) -> str:
    """Say who may join."""
    if mages_per_user is None:
        return gettext("invited mages")
    if mages_per_user == 0:
        return gettext("anyone, any number of mages per user")
    return ngettext("anyone, %(count)d mage per user", "anyone, %(count)d mages per user", mages_per_user) % {
        "count": mages_per_user
    }


def describe_title(
    *,
    challenger: str,
    is_duel: bool,
    is_open_to_all: bool,
    is_practice: bool,
    asked: tuple[str, ...],
    is_alone: bool = False,
) -> str:
    """Return the title of a challenge. `asked` are the viewer's mages who have yet to answer; `is_alone`: only the
    challenger has a seat, and nobody is invited by name, so others join by link."""
    if is_practice:
        title = gettext("%(mage)s's practice")
    elif asked:
        return gettext("%(mage)s challenges %(mages)s") % {"mage": challenger, "mages": listed(asked)}
    elif is_duel and is_open_to_all:
        title = gettext("%(mage)s wants a duel")
    elif is_alone and not is_open_to_all:
        title = gettext("%(mage)s's duel by link") if is_duel else gettext("%(mage)s's battle by link")
    elif is_open_to_all:
        title = gettext("%(mage)s's open melee")
    else:
        title = gettext("%(mage)s's duel by invitation") if is_duel else gettext("%(mage)s's melee by invitation")
    return title % {"mage": challenger}
