"""Errors of battles.

DuelsError
├── BattleNotFound            no battle has that number
├── InvalidTerms              these terms are invalid; lists every problem
│   └── NoSuchRuleset         no ruleset has that name; suggests the nearest one
├── NotYourCombatant          the mage is not in this battle, or belongs to another user
├── StaleOrders               the turn or stage is over; says which one is open now
├── UnknownTurn               TURN names no turn of this battle, or several
├── UnknownSubject            WHY asks about something that is not in this battle
├── NothingPlayed             no turn has been played, so there is nothing to explain
├── NothingToOrder            the mage has nothing to order now
├── OrdersFinal               the terms of this battle make ready orders final
│   └── TimeIsOver            the mage has run out of time, and is out when the turn resolves
│       ├── Claimed           absent for so long that the others claimed the battle, so they live
│       ├── NeverMoved        without ever moving, so they live
│       └── TooLate           the orders arrived after the mage's forfeit moment
├── Unconfirmed               the orders surrender, or end the mage's life, and are not confirmed yet
├── NothingToExtend           the battle is not waiting for the mage, so there is no deadline
├── NoMoreTime                the limit of extra time is reached
├── NothingToPause            the battle is over, or the mage is out of it
├── WrongPause                a battle can pause for 1 to 30 days
├── NotLateEnough             no other player has been absent long enough to call the battle off or claim it
├── RecordSealed              the record shows secrets, so it opens when the battle is over
├── NothingRecorded           no turn of the battle has been played
├── UnreadableBattle          this release does not know the edition of the rules of the battle
├── CannotChat                the user cannot write beside the battle now; says why
└── CannotResolve             the rules never reached the end of a turn

Orders that are not understood or not allowed raise the engine's InvalidOrders and IllegalOrders. They are re-exported
here because the apps above this one may not import the engine.
"""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.keys import CurrentStage, StageKey
from operations.text.suggestions import find_nearest_word, suggest_one_of
from rules_engine.errors import IllegalOrders as IllegalOrders
from rules_engine.errors import InvalidOrders as InvalidOrders
from rules_engine.errors import Problem as Problem


class DuelsError(Exception):
    """The root of this tree."""


class BattleNotFound(DuelsError):
    """No battle has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(_("There is no battle %(number)s.") % {"number": number})
        self.number = number


class InvalidTerms(DuelsError):
    """These terms are invalid; `problems` lists every reason."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = tuple(problems)


class NoSuchRuleset(InvalidTerms):
    """No ruleset has this name.

    `message` says so; `nearest` is the most similar name, if any. The text suggests `nearest`, or lists all `known`.
    """

    def __init__(self, name: str, known: Collection[str]) -> None:
        self.message = _('There is no ruleset "%(name)s".') % {"name": name}
        self.nearest = find_nearest_word(name, known, cutoff=0.5)
        super().__init__([suggest_one_of(self.message, self.nearest, known)])


class NotYourCombatant(DuelsError):
    """The user has no such mage in this battle; `mages` are the ones they have there."""

    def __init__(self, number: int, name: str | None, mages: Sequence[str]) -> None:
        facts = {"name": name, "number": number, "mages": ", ".join(mages)}
        who = (
            _("You have no mage called %(name)s in battle %(number)s.")
            if name
            else _("You have no mage in battle %(number)s.")
        )
        said = [who, _("Your mages there: %(mages)s.")] if mages else [who]
        super().__init__(" ".join(said) % facts)
        self.number = number
        self.name = name
        self.mages = tuple(mages)


class StaleOrders(DuelsError):
    """The orders are for a turn or stage that is over. Nothing has changed; `now` is the current state."""

    def __init__(self, asked: StageKey | None, asked_label: str | None, now: CurrentStage) -> None:
        said = []
        if asked_label and asked_label != now.label:
            said = [_("Turn %(turn)s is over.") % {"turn": asked_label}]
        elif not now.is_over:
            said = [_("These orders are for a stage that is over.")]
        super().__init__(" ".join([*said, now.sentence()]))
        self.asked = asked
        self.asked_label = asked_label
        self.now = now


class UnknownTurn(DuelsError):
    """TURN names no turn of this battle, or several; then `choices` are the unambiguous forms."""

    def __init__(self, text: str, now: CurrentStage, choices: Sequence[str] = ()) -> None:
        if choices:
            message = _('"%(text)s" could be one of these: %(choices)s.') % {
                "text": text,
                "choices": ", ".join(choices),
            }
        else:
            message = _('There is no turn "%(text)s".') % {"text": text}
        super().__init__(f"{message} {now.sentence()}")
        self.text = text
        self.now = now
        self.choices = tuple(choices)


class UnknownSubject(DuelsError):
    """Nothing in this battle has this name; `nearest` is the most similar name, if any."""

    def __init__(self, text: str, known: Iterable[str]) -> None:
        super().__init__(_('There is no spell, mage or creature "%(text)s" in this battle.') % {"text": text[:40]})
        by_key = {name.casefold(): name for name in known}
        found = get_close_matches(" ".join(text.split()).casefold(), by_key, n=1)
        self.nearest = by_key[found[0]] if found else None


class NothingPlayed(DuelsError):
    """No turn has been played yet."""

    def __init__(self, now: CurrentStage) -> None:
        super().__init__(" ".join([_("No turn has been played yet."), now.sentence()]))
        self.now = now


class NothingToOrder(DuelsError):
    """The mage has nothing to order now: they are out of the battle, have no turn, or only others are asked."""

    def __init__(self, mage: str, now: CurrentStage, standing: str, waiting_for: Sequence[str]) -> None:
        why = {
            "dead": _("%(mage)s is dead."),
            "surrendered": _("%(mage)s has surrendered."),
            "absent": _("%(mage)s never moved and has left the battle."),
        }.get(standing, _("%(mage)s has nothing to order now."))
        said = [why % {"mage": mage}, now.sentence()]
        if waiting_for:
            said.append(_("The battle is waiting for %(mages)s.") % {"mages": ", ".join(waiting_for)})
        super().__init__(" ".join(said))
        self.mage = mage
        self.now = now


class OrdersFinal(DuelsError):
    """The terms make orders final once they are ready (clause FM-ORDGEN-22)."""

    def __init__(self, mage: str, label: str, message: str = "") -> None:
        super().__init__(
            message
            or _("%(mage)s is ready for turn %(turn)s, and ready orders cannot be changed in this battle.")
            % {"mage": mage, "turn": label}
        )
        self.mage = mage
        self.label = label


class TimeIsOver(OrdersFinal):
    """The mage has run out of time (clause FM-SLOW-6); the others continue without them."""

    def __init__(self, mage: str, label: str, message: str = "") -> None:
        said = message or _("%(mage)s has run out of time and dies when turn %(turn)s resolves.")
        super().__init__(mage, label, said % {"mage": mage, "turn": label})


class NeverMoved(TimeIsOver):
    """The mage has run out of time without ever moving, and leaves alive."""

    def __init__(self, mage: str, label: str) -> None:
        super().__init__(
            mage, label, _("%(mage)s never moved, has run out of time and leaves when turn %(turn)s resolves.")
        )


class Claimed(TimeIsOver):
    """The others have claimed the battle from the mage, who was away for too long and leaves alive."""

    def __init__(self, mage: str, label: str) -> None:
        super().__init__(
            mage,
            label,
            _(
                "%(mage)s has been absent for so long that the others have claimed the battle. %(mage)s leaves alive "
                "when turn %(turn)s resolves."
            ),
        )


class TooLate(TimeIsOver):
    """The orders, or a request for extra time, arrived after the mage's forfeit moment (clause FM-SLOW-6). Nothing
    changes; the sweep over clocks is woken, and the mage forfeits."""

    def __init__(self, mage: str, label: str) -> None:
        super().__init__(
            mage, label, _("This came too late: %(mage)s's time for turn %(turn)s, with the grace period, was over.")
        )


class Unconfirmed(DuelsError):
    """The orders have a severe warning (a surrender, SUICIDE), and the player has not confirmed them."""

    def __init__(self, mage: str, label: str) -> None:
        super().__init__(f"{mage}'s orders for turn {label} have to be confirmed.")
        self.mage = mage
        self.label = label


class NothingToExtend(DuelsError):
    """The battle is not waiting for this mage's orders. No extension is used up."""

    def __init__(self, mage: str, now: CurrentStage) -> None:
        message = _("The battle is not waiting for %(mage)s, so there is no deadline to extend.") % {"mage": mage}
        super().__init__(f"{message} {now.sentence()}")
        self.mage = mage
        self.now = now


class NoMoreTime(DuelsError):
    """The limit is reached: `most` extensions for yourself, or `most` days for someone else instead of `days`."""

    @classmethod
    def while_others_wait(cls, mage: str, most: int) -> "NoMoreTime":
        """While other players are waiting too, a turn can be extended by `most` days at most."""
        message = ngettext(
            "Others are waiting for %(mage)s too, so one turn can be extended by at most %(most)s day.",
            "Others are waiting for %(mage)s too, so one turn can be extended by at most %(most)s days.",
            most,
        ) % {"mage": mage, "most": most}
        return cls(mage, most, message=message)

    def __init__(self, mage: str, most: int, days: int | None = None, message: str = "") -> None:
        if days is None:
            words = ngettext(
                "%(mage)s has already taken extra time %(most)s time in this battle. That is the limit.",
                "%(mage)s has already taken extra time %(most)s times in this battle. That is the limit.",
                most,
            )
        else:
            words = _("Give %(mage)s 1 to %(most)s days, not %(days)s.")
        super().__init__(message or words % {"mage": mage, "most": most, "days": days})
        self.mage = mage
        self.most = most


class NothingToPause(DuelsError):
    """The battle cannot be paused: it is over, or the mage is out of it."""

    def __init__(self, now: CurrentStage) -> None:
        super().__init__(" ".join([_("You cannot pause this battle."), now.sentence()]))
        self.now = now


class WrongPause(DuelsError):
    """A battle cannot pause for `days`; the limit is `most`."""

    def __init__(self, days: int, most: int) -> None:
        super().__init__(
            _("A battle can pause for 1 to %(most)s days, not %(days)s. Use 0 for no pause.")
            % {"most": most, "days": days}
        )
        self.days = days
        self.most = most


class NoSeatToOffer(DuelsError):
    """No seat can be offered to a bot: nobody has left, or is only out of time while scores are at stake."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "A bot can take over only for a player who has been absent for too long or, where no scores are at "
                "stake, has run out of time."
            )
        )


class NotLateEnough(DuelsError):
    """The battle cannot be called off or claimed: no other player has been absent for long enough."""

    def __init__(self, days: int) -> None:
        super().__init__(
            ngettext(
                "You can do this once another player has been absent for %(days)s day in this battle.",
                "You can do this once another player has been absent for %(days)s days in this battle.",
                days,
            )
            % {"days": days}
        )
        self.days = days


class RecordSealed(DuelsError):
    """The record of this battle would reveal what the battle still hides."""

    def __init__(self, number: int) -> None:
        super().__init__(
            _("Battle %(number)s is still running. Its record shows everyone's orders, so it opens after the end.")
            % {"number": number}
        )


class NothingRecorded(DuelsError):
    """No turn of this battle has been resolved, so there is nothing to record."""

    def __init__(self, number: int) -> None:
        super().__init__(_("No turn of battle %(number)s has been played.") % {"number": number})


class UnreadableBattle(DuelsError):
    """The battle uses a ruleset, an edition or a state format that this release does not know."""

    def __init__(self, number: int, ruleset: str, edition: int) -> None:
        super().__init__(
            _(
                "Battle %(number)s uses edition %(edition)s of %(ruleset)s, which this site cannot read at the moment. "
                "Nothing is lost, and the battle continues when these rules are back."
            )
            % {"number": number, "edition": edition, "ruleset": ruleset}
        )
        self.number = number
        self.ruleset = ruleset
        self.edition = edition


class CannotResolve(DuelsError):
    """The rules did not reach the end of a turn in a reasonable number of steps."""


class CannotChat(DuelsError):
    """The line is not written; the text says why."""


class NoHint(DuelsError):
    """No hint is given: only in practice, and only while the mage has gestures to give; nor at a position like that of
    the user's running battle `near`."""

    def __init__(self, near: int | None = None) -> None:
        self.near = near
        similar = _(
            "This position is too similar to your battle %(number)s, which is still running. So there are no hints or "
            "reasons here, and bots play nothing if your own mages copy it."
        )
        only = _("Hints are for practice, while you choose your gestures.")
        super().__init__(only if near is None else similar % {"number": near})
