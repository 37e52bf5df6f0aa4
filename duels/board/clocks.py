"""Time on the battle page: the clocks, the pace, and what a player can do about time."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import partial

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from duels.board.call import TimeLeft, exact_moment, time_left
from duels.board.parts import Part
from duels.event_words import explain_event
from duels.gap_words import describe_gap
from duels.names import listed
from duels.paces import span
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.absences import Absence, Consent
from duels.selectors.battle_view import BattleView
from duels.selectors.clocks import BattleClocks, ShownClock, TimeUsed
from duels.selectors.first_moves import find_fate


@dataclass(frozen=True)
class ClockLine:
    """The clock of one mage. `grace`: the deadline has passed, and the mage is out at `out_at`, which is their death if
    they `dies` (`unreal`: a sentence if that is not real); `stops`: the reasons."""

    mage: str
    time: TimeLeft | None
    grace: bool
    dies: bool
    out_at: str
    unreal: str
    stops: str
    absence: str


@dataclass(frozen=True)
class PauseLength:
    """A length of pause to choose."""

    minutes: int
    words: str


@dataclass(frozen=True)
class ChoiceBox:
    """What the viewer can choose about an absent player, and whether they have chosen it and others must still
    agree."""

    words: str
    has_agreed: bool


@dataclass(frozen=True)
class UsedLine:
    """The time that a mage's player has used in a duel of a league or cup, and their late turns; "" for none."""

    mage: str
    used: str
    late: str


@dataclass(frozen=True)
class OtherDeadline:
    """A mage whose deadline the viewer can extend, and which one they have now."""

    mage: str
    deadline: str


@dataclass(frozen=True)
class Clocks(Part):
    """The box about time. `plays`: the viewer has a mage in the battle and may do something about it."""

    url: str
    mage: str
    pace: str
    explained: str
    lines: tuple[ClockLine, ...]
    paused: bool
    paused_until: str
    can_end_early: bool
    wishes: str
    my_wish: int | None
    pauses: tuple[PauseLength, ...]
    plays: bool
    more: int
    more_words: str
    may_give: tuple[OtherDeadline, ...]
    call_off: ChoiceBox | None
    seat_offer: ChoiceBox | None
    claim: ChoiceBox | None
    long_absent: str
    surrender_url: str
    open: bool
    # Which deadline the viewer's mage has now: the form to take time says that it means this one.
    deadline: str = ""
    # Before the first turn of a live battle: who is missing, and whether the viewer must confirm that they are here.
    presence: str = ""
    asks_presence: bool = False
    has_vacations: bool = True
    vacation_is_late: bool = False
    # Why all clocks of this turn started again.
    restarted: str = ""
    # In a duel of a league or cup: what that means, and the time that both have used.
    event: str = ""
    used: tuple[UsedLine, ...] = ()


def make_clocks(
    view: BattleView, clocks: BattleClocks | None, now: datetime.datetime, *, url: str, surrender_url: str
) -> Clocks | None:
    """Return the box about time; None if there is nothing to show. `surrender_url` is "" for spectators."""
    if clocks is None or view.over:
        return None
    lines = tuple(_write_line(clock, view, now) for clock in view.clocks)
    return Clocks(
        url=url,
        mage=view.me or "",
        pace=capfirst(", ".join(filter(None, [clocks.pace, clocks.rests]))),
        explained=clocks.explained,
        lines=lines,
        paused=clocks.is_paused,
        paused_until=exact_moment(clocks.paused_until, view.zone) if clocks.paused_until else "",
        can_end_early=clocks.can_end_early,
        wishes=_wish_words(clocks),
        my_wish=clocks.my_wish,
        pauses=tuple(PauseLength(int(each.total_seconds()) // 60, span(each)) for each in clocks.pauses),
        plays=any(row.name == view.me and row.standing == "in" for row in view.combatants),
        more=clocks.more,
        more_words=span(clocks.extension),
        may_give=tuple(OtherDeadline(each.mage, each.version) for each in view.clocks if each.mage in clocks.may_give),
        deadline=next((each.version for each in view.clocks if each.mage == view.me), ""),
        call_off=_choice_box("call_off", clocks.call_off),
        seat_offer=_choice_box("seat_offer", clocks.seat_offer),
        claim=_choice_box("claim", clocks.claim),
        long_absent=_name_absent(clocks.claim) if clocks.claim else "",
        surrender_url=surrender_url,
        restarted=describe_gap(clocks.last_gap, partial(exact_moment, zone=view.zone)),
        presence=_presence_words(clocks, view, now),
        asks_presence=bool(clocks.missing) and not clocks.is_here,
        has_vacations=clocks.has_vacations,
        vacation_is_late=clocks.vacation_is_late,
        event=explain_event(view),
        used=tuple(_used_line(each, now) for each in clocks.times_used),
        open=bool(clocks.times_used)
        or bool(clocks.call_off or clocks.seat_offer)
        or bool(clocks.wishes)
        or clocks.is_paused
        or clocks.last_gap is not None
        or any(line.grace for line in lines),
    )


def _used_line(used: TimeUsed, now: datetime.datetime) -> UsedLine:
    late = ngettext("%(count)s late turn", "%(count)s late turns", used.late) % {"count": used.late}
    return UsedLine(used.mage, say_length(used.at(now)), late if used.late else "")


def say_length(length: datetime.timedelta) -> str:
    """Return a length of time that may be short: in seconds below a minute."""
    seconds = int(length.total_seconds())
    if seconds >= 60:
        return span(length)
    return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}


def _presence_words(clocks: BattleClocks, view: BattleView, now: datetime.datetime) -> str:
    if clocks.here_until is None:
        return ""
    left = time_left(clocks.here_until, now, view.zone)
    others = [name for name in clocks.missing if name != view.me]
    sentence = _(
        "The clocks start when everyone is here. If someone is still missing in %(time)s, the battle is "
        "called off at no cost."
    )
    words = sentence % {"time": left.words if left else ""}
    if not others:
        return words
    pressed = ngettext(
        "%(names)s has not pressed “I'm here” yet.", "%(names)s have not pressed “I'm here” yet.", len(others)
    )
    return " ".join([words, pressed % {"names": listed(others)}])


def _write_line(row: ShownClock, view: BattleView, now: datetime.datetime) -> ClockLine:
    return ClockLine(
        mage=row.mage,
        time=time_left(row.next_at, now, view.zone),
        grace=row.in_grace,
        dies=row.in_grace and find_fate(view, row.mage) == "dies",
        out_at=exact_moment(row.forfeit_at, view.zone) if row.forfeit_at else "",
        unreal=explain_unreal_deaths(view, [row.mage]),
        stops=listed(row.stops),
        absence=_absence_words(row.absence, view, now) if row.absence else "",
    )


def _absence_words(absence: Absence, view: BattleView, now: datetime.datetime) -> str:
    most = absence.most.days
    if now > absence.used_up_at:
        words = ngettext(
            "The %(most)s day of absence that a battle allows is used up.",
            "The %(most)s days of absence that a battle allows are used up.",
            most,
        )
        return words % {"most": most}
    words = ngettext(
        "%(used)s of the %(most)s day of absence that a battle allows is used. It runs out on %(moment)s.",
        "%(used)s of the %(most)s days of absence that a battle allows are used. They run out on %(moment)s.",
        most,
    )
    left = exact_moment(absence.used_up_at, view.zone)
    return words % {"used": absence.used_at(now).days, "most": most, "moment": left}


def _name_absent(consent: Consent) -> str:
    words = ngettext(
        "%(absent)s has been absent for so long that you can choose what to do, or wait.",
        "%(absent)s have been absent for so long that you can choose what to do, or wait.",
        len(consent.absent),
    )
    return words % {"absent": listed(consent.absent)}


# What the others of a battle can choose: the sentence if nobody else must agree, and if somebody must.
_CHOICES = {
    "call_off": (
        gettext_lazy("You can call the battle off: no score changes, and nobody dies."),
        gettext_lazy("The battle can be called off once everyone present agrees: no score changes, and nobody dies."),
    ),
    "start": (
        gettext_lazy(
            "The first turn has waited long enough for %(absent)s. You can call the battle off: no score changes, "
            "nobody dies, and your mage is free."
        ),
        gettext_lazy(
            "The first turn has waited long enough for %(absent)s. The battle can be called off once everyone who is "
            "ready agrees: no score changes, nobody dies, and your mages are free."
        ),
    ),
    "claim": (
        gettext_lazy("You can claim the battle. It counts as surrender of %(absent)s: they live."),
        gettext_lazy(
            "The battle can be claimed once everyone present agrees. It counts as surrender of %(absent)s: they live."
        ),
    ),
    "seat_offer": (
        gettext_lazy("A bot can play for %(absent)s until they come back. The battle is then practice."),
        gettext_lazy(
            "A bot can play for %(absent)s until they come back, once everyone present agrees. The battle is then "
            "practice."
        ),
    ),
}


def _choice_box(choice: str, consent: Consent | None) -> ChoiceBox | None:
    """Return a choice with who has agreed and who is missing; None if the viewer does not have it."""
    if consent is None:
        return None
    alone, together = _CHOICES["start" if consent.is_at_start else choice]
    sentences = [str(together if consent.missing else alone)]
    if consent.has_agreed:
        sentences.append(_("You and %(agreed)s agree.") if consent.agreed else _("You agree."))
        if consent.missing:
            missing = ngettext(
                "%(missing)s has not agreed yet.", "%(missing)s have not agreed yet.", len(consent.missing)
            )
            sentences.append(missing)
    elif consent.agreed:
        sentences.append(ngettext("%(agreed)s agrees.", "%(agreed)s agree.", len(consent.agreed)))
    names = {"absent": listed(consent.absent), "agreed": listed(consent.agreed), "missing": listed(consent.missing)}
    return ChoiceBox(" ".join(sentences) % names, consent.has_agreed and bool(consent.missing))


def _wish_words(clocks: BattleClocks) -> str:
    if clocks.is_paused:
        names = [name for name, length in clocks.wishes if not length]
        words = ngettext("%(names)s wants to resume.", "%(names)s want to resume.", len(names))
        return words % {"names": listed(names)} if names else ""
    asks = _("%(mage)s asks for a pause of %(length)s.")
    return " ".join(asks % {"mage": name, "length": span(length)} for name, length in clocks.wishes)
