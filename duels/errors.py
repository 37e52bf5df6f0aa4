"""Errors of battles.

DuelsError
├── InvalidTerms                  these terms are invalid; lists every problem
│   └── NoSuchRuleset             no ruleset has that name; suggests the nearest one
└── DuelRefused (and Refused of operations)  not allowed: SENTENCES lists why
    ├── BattleNotFound            no battle has that number
    ├── UnreadableBattle          this release does not know the edition of the rules of the battle
    ├── NotYourCombatant          the mage is not in this battle, or belongs to another user
    ├── StaleOrders               the turn or stage is over; says which one is open now
    ├── NothingToOrder            the mage has nothing to order now
    ├── OrdersFinal               the terms of this battle make ready orders final
    │   └── TimeIsOver            the mage has run out of time, and is out when the turn resolves
    │       └── TooLate           the orders arrived after the mage's forfeit moment
    ├── Unconfirmed               the orders surrender, or end the mage's life, and are not confirmed yet
    ├── UnknownTurn               TURN names no turn of this battle, or several
    ├── UnknownSubject            WHY asks about something that is not in this battle
    ├── OverLimit                 too much extra time, or too long a pause; says what the limit is
    ├── RecordSealed              the record shows secrets, so it opens when the battle is over
    ├── NothingRecorded           no turn of the battle has been played
    ├── CannotChat                the user cannot write beside the battle now
    └── NoHint                    no hint is given now, or not at this position

Orders that are not understood or not allowed raise the engine's InvalidOrders and IllegalOrders. They are re-exported
here because the apps above this one may not import the engine.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from duels.keys import CurrentStage
from duels.names import listed
from operations.errors import Refused
from operations.text.suggestions import find_nearest_word, suggest, suggest_one_of
from rules_engine.errors import IllegalOrders as IllegalOrders
from rules_engine.errors import InvalidOrders as InvalidOrders
from rules_engine.errors import Problem as Problem

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SENTENCES: "Mapping[str, StrOrPromise]" = {
    # Battles and who is in them.
    "no_battle": _("There is no battle %(number)s."),
    "unreadable": _(
        "Battle %(number)s uses edition %(edition)s of %(ruleset)s, which this site cannot read at the moment. "
        "Nothing is lost, and the battle continues when these rules are back."
    ),
    "no_such_mage": _("You have no mage called %(name)s in battle %(number)s."),
    "no_mage": _("You have no mage in battle %(number)s."),
    "your_mages": _("Your mages there: %(mages)s."),
    # Turns and orders.
    "turn_over": _("Turn %(turn)s is over."),
    "stage_over": _("These orders are for a stage that is over."),
    "no_such_turn": _('There is no turn "%(text)s".'),
    "several_turns": _('"%(text)s" could be one of these: %(choices)s.'),
    "nothing_to_order": _("%(mage)s has nothing to order now."),
    "dead": _("%(mage)s is dead."),
    "surrendered": _("%(mage)s has surrendered."),
    "absent": _("%(mage)s never moved and has left the battle."),
    "waiting_for": _("The battle is waiting for %(mages)s."),
    "final": _("%(mage)s is ready for turn %(turn)s, and ready orders cannot be changed in this battle."),
    "out_of_time": _("%(mage)s has run out of time and dies when turn %(turn)s resolves."),
    "never_moved": _("%(mage)s never moved, has run out of time and leaves when turn %(turn)s resolves."),
    "claimed": _(
        "%(mage)s has been absent for so long that the others have claimed the battle. %(mage)s leaves alive "
        "when turn %(turn)s resolves."
    ),
    "too_late": _("This came too late: %(mage)s's time for turn %(turn)s, with the grace period, was over."),
    "unconfirmed": _("%(mage)s's orders for turn %(turn)s have to be confirmed."),
    # Clocks.
    "nothing_to_extend": _("The battle is not waiting for %(mage)s, so there is no deadline to extend."),
    "deadline_changed": _(
        "%(mage)s has another deadline now, so nothing was added. Look at it, and try again if you want more."
    ),
    "no_more_extensions": ngettext_lazy(
        "%(mage)s has already taken extra time %(most)s time in this battle. That is the limit.",
        "%(mage)s has already taken extra time %(most)s times in this battle. That is the limit.",
        "most",
    ),
    "wrong_days": _("Give %(mage)s 1 to %(most)s days, not %(days)s."),
    "others_wait_too": ngettext_lazy(
        "Others are waiting for %(mage)s too, so one turn can be extended by at most %(most)s day.",
        "Others are waiting for %(mage)s too, so one turn can be extended by at most %(most)s days.",
        "most",
    ),
    "cannot_pause": _("You cannot pause this battle."),
    "janitors_pause": _("A janitor has paused this battle. Only a janitor can end that early."),
    "wrong_pause": _("A battle can pause for 1 to %(most)s days, not %(days)s. Use 0 for no pause."),
    "wrong_pause_in_cup": ngettext_lazy(
        "Others are waiting for the winner of this duel, so it can pause for %(most)s day more, and no longer.",
        "Others are waiting for the winner of this duel, so it can pause for %(most)s days more, and no longer.",
        "most",
    ),
    "paused_enough": _(
        "This duel has paused for %(most)s days altogether. It cannot pause longer, because others are waiting for its "
        "winner."
    ),
    "event_call_off": _(
        "A duel of a league or cup is never called off like this. If the other player is absent for too long, claim it."
    ),
    "event_stand_in": _("No bot plays for anyone in a duel of a league or cup."),
    "no_seat_to_offer": _(
        "A bot can take over only for a player who has been absent for too long or, where no scores are at "
        "stake, has run out of time."
    ),
    "not_late_enough": ngettext_lazy(
        "You can do this once another player has been absent for %(days)s day in this battle.",
        "You can do this once another player has been absent for %(days)s days in this battle.",
        "days",
    ),
    "first_turn_waits": _(
        "Until the first turn resolves, you can call the battle off if your own orders are in, the battle has waited "
        "for others for %(length)s, and it is not paused."
    ),
    # Draws by agreement.
    "no_draws_here": _(
        "Nobody can agree on a draw in this battle: only in a duel between two people, and not in practice or the "
        "knock-out of a cup."
    ),
    "no_draw_now": _("No draw can be agreed on now."),
    "draw_too_early": _("You can offer a draw from turn %(turn)s on."),
    "draw_too_often": _("You can offer a draw once in five turns, so again in turn %(turn)s."),
    "no_draw_offered": _("There is no offer of a draw by %(mage)s now."),
    # What can be read.
    "record_sealed": _(
        "Battle %(number)s is still running. Its record shows everyone's orders, so it opens after the end."
    ),
    "nothing_recorded": _("No turn of battle %(number)s has been played."),
    "nothing_played": _("No turn has been played yet."),
    "no_such_subject": _('There is no spell, mage or creature "%(text)s" in this battle.'),
    "no_hint": _("Hints are for practice, while you choose your gestures."),
    "near_running": _(
        "This position is too similar to your battle %(number)s, which is still running. So there are no hints or "
        "reasons here, and bots play nothing if your own mages copy it."
    ),
    # The chat.
    "anonymous": _("Log in to write."),
    "guest": _("Guests can read here. Sign up to write: press “Keep this mage”."),
    "bot": _("Bots cannot write here."),
    "held": "%(hold)s",  # the hold says it in whole sentences
    "chat_closed": _("This chat is closed."),
    "no_talking": _("There is no talking in this battle until it is over."),
    "no_talking_ever": _("There is no talking in this duel, neither now nor when it is over."),
    "no_text": _("Enter something to say."),
    "no_such_phrase": _("Send a text, or one of these phrases: %(choices)s."),
    "line_too_long": _("A line can have at most %(most)s characters."),
    "too_fast": _("You are writing very fast. Wait a moment."),
    # Lines on the page of a dead mage.
    "not_dead": _("%(mage)s is not dead."),
    "never_fought": _("Only people who fought %(mage)s can write here."),
    "block_between": _("You cannot write here: there is a block between you and %(name)s."),
    "has_written": _("You have written a line on %(mage)s already."),
    "not_your_line": _("You can remove only your own line, and lines on your own mage."),
    "page_out_of_date": _("This page is out of date. Reload it."),
}


class DuelsError(Exception):
    """The root of this tree."""


@dataclass(frozen=True)
class TermProblem:
    """One reason why terms are invalid: the term that it is about, and the nearest valid value, where these are
    known."""

    message: str
    place: str = ""
    nearest: str | None = None

    @classmethod
    def of_name(cls, place: str, message: str, nearest: str | None, known: Collection[str]) -> "TermProblem":
        """Return the problem of an unknown name. If none is close to it, the message lists all `known`."""
        return cls(message if nearest else suggest_one_of(message, None, known), place, nearest)

    def __str__(self) -> str:
        return suggest(self.message, self.nearest)


class InvalidTerms(DuelsError):
    """These terms are invalid; `problems` lists every reason as a sentence, and `details` with what it is about."""

    def __init__(self, problems: Sequence[str | TermProblem]) -> None:
        self.details = tuple(each if isinstance(each, TermProblem) else TermProblem(each) for each in problems)
        self.problems = tuple(map(str, self.details))
        super().__init__(" ".join(self.problems))


class NoSuchRuleset(InvalidTerms):
    """No ruleset has this name.

    `message` says so; `nearest` is the most similar name, if any. The text suggests `nearest`, or lists all `known`.
    """

    def __init__(self, name: str, known: Collection[str]) -> None:
        self.message = gettext('There is no ruleset "%(name)s".') % {"name": name}
        self.nearest = find_nearest_word(name, known, cutoff=0.5)
        super().__init__([TermProblem.of_name("ruleset", self.message, self.nearest, known)])


class DuelRefused(Refused, DuelsError):
    """Not allowed. With `now`, the text goes on with where the battle is now."""

    sentences = SENTENCES

    def __init__(self, code: str, *, now: CurrentStage | None = None, **slots: object) -> None:
        super().__init__(code, **slots)
        if now is not None:
            self.problems += (now.sentence(),)


class BattleNotFound(DuelRefused):
    """No battle has this number."""

    def __init__(self, number: int) -> None:
        super().__init__("no_battle", number=number)


class UnreadableBattle(DuelRefused):
    """The battle uses a ruleset, an edition or a state format that this release does not know."""

    def __init__(self, number: int, ruleset: str, edition: int) -> None:
        super().__init__("unreadable", number=number, edition=edition, ruleset=ruleset)
        self.number, self.ruleset, self.edition = number, ruleset, edition


class NotYourCombatant(DuelRefused):
    """The user has no such mage in this battle; `mages` are the ones they have there."""

    def __init__(self, number: int, name: str | None, mages: Sequence[str]) -> None:
        super().__init__("no_such_mage" if name else "no_mage", name=name, number=number)
        self.mages = tuple(mages)
        if mages:
            self.problems += DuelRefused("your_mages", mages=listed(mages)).problems


class StaleOrders(DuelRefused):
    """The orders are for a turn, labelled `asked`, or a stage that is over. Nothing has changed; `now` is the current
    state."""

    def __init__(self, asked: str | None, now: CurrentStage) -> None:
        is_other_turn = asked is not None and asked != now.label
        super().__init__("turn_over" if is_other_turn else "stage_over", now=now, turn=asked)
        self.now = now
        if now.is_over and not is_other_turn:
            self.problems = (now.sentence(),)


class NothingToOrder(DuelRefused):
    """The mage has nothing to order now: they are out of the battle, have no turn, or only others are asked."""

    def __init__(
        self, mage: str, now: CurrentStage, standing: str, waiting_for: Sequence[str], unreal: str = ""
    ) -> None:
        code = standing if standing in ("dead", "surrendered", "absent") else "nothing_to_order"
        super().__init__(code, mage=mage)
        self.now = now
        self.problems += (*filter(None, [unreal]), now.sentence())
        if waiting_for:
            self.problems += DuelRefused("waiting_for", mages=listed(waiting_for)).problems


class OrdersFinal(DuelRefused):
    """The terms make orders final once they are ready (clause FM-ORDGEN-22)."""


class TimeIsOver(OrdersFinal):
    """The mage has run out of time (clause FM-SLOW-6); the others continue without them. `unreal` says that the death
    is not real."""

    def __init__(self, code: str, *, mage: str, turn: str, unreal: str = "") -> None:
        super().__init__(code, mage=mage, turn=turn)
        self.problems += tuple(filter(None, [unreal]))


class TooLate(TimeIsOver):
    """The orders, or a request for extra time, arrived after the mage's forfeit moment (clause FM-SLOW-6). Nothing
    changes; the sweep over clocks is woken, and the mage forfeits."""


class Unconfirmed(DuelRefused):
    """The orders have a severe warning (a surrender, SUICIDE), and the player has not confirmed them."""


class UnknownTurn(DuelRefused):
    """TURN names no turn of this battle, or several; then `choices` are the unambiguous forms."""

    def __init__(self, text: str, now: CurrentStage, choices: Sequence[str] = ()) -> None:
        code = "several_turns" if choices else "no_such_turn"
        super().__init__(code, now=now, text=text, choices=", ".join(choices))
        self.now = now
        self.choices = tuple(choices)


class UnknownSubject(DuelRefused):
    """Nothing in this battle has this name; `nearest` is the most similar name, if any."""

    def __init__(self, text: str, known: Iterable[str]) -> None:
        super().__init__("no_such_subject", text=text[:40])
        by_key = {name.casefold(): name for name in known}
        found = get_close_matches(" ".join(text.split()).casefold(), by_key, n=1)
        self.nearest = by_key[found[0]] if found else None


class OverLimit(DuelRefused):
    """More extra time than there is, or a longer pause than a battle may have: the limit is `most`."""

    def __init__(self, code: str, *, most: int, days: int = 0, mage: str = "") -> None:
        super().__init__(code, most=most, days=days, mage=mage)
        self.most = most


class RecordSealed(DuelRefused):
    """The record of this battle would reveal what the battle still hides."""


class NothingRecorded(DuelRefused):
    """No turn of this battle has been resolved, so there is nothing to record."""


class CannotChat(DuelRefused):
    """The line is not written."""


class NoHint(DuelRefused):
    """No hint is given: only in practice, and only while the mage has gestures to give; nor at a position like that of
    a running battle of the user."""
