"""Emails about deadlines: what is missing, what will happen when, and what the reader can do."""

import datetime
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from duels.errors import BattleNotFound, UnreadableBattle
from duels.names import listed
from duels.paces import MOST_EXTENSIONS, explain_never_moved, span
from duels.real_deaths import explain_unreal_deaths
from duels.selectors.battle_view import BattleView
from duels.selectors.clocks import ShownClock
from duels.selectors.first_moves import find_fate
from duels.selectors.viewer import get_battle_for_viewer, read_view_draw
from email_gateway.compose.answers import find_reply_address
from email_gateway.compose.battle_mail import compose_unreadable, name_button, write_footer, write_preheader
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import (
    describe_absence,
    explain_restart,
    is_between_two,
    link_to_orders,
    list_links,
    name_whole_pace,
    render_plain,
    write_battle_subject,
    write_day,
    write_order_block,
    write_status,
    write_stop_link,
    write_time,
)
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to, link_to_path
from email_gateway.text.layout import WIDTH, wrap
from notifications.kinds import KINDS, OWN_TIME
from notifications.models import SkipReason
from operations.selectors import read_policy
from operations.text.dates import write_moment

TO_THE_LATE = (*OWN_TIME, "time_given")
# These already name the deadline.
WITH_WHOLE_PACE = (*TO_THE_LATE, "opponent_late", "battle_paused")
# What a mage wishes for in place of waiting for absent ones.
_WISHES = {
    "seat_offer_wanted": gettext_lazy(
        "%(mage)s wants to let a bot play for %(absent)s until they come back. It begins once everyone present "
        "agrees, and the battle is then practice."
    ),
    "claim_wanted": gettext_lazy(
        "%(mage)s would rather claim this battle than keep waiting for %(absent)s. Once everyone present agrees, "
        "it counts as surrender of %(absent)s: they live, and lose one point if scores are at stake."
    ),
    "call_off_wanted": gettext_lazy(
        "%(mage)s would rather end this battle than keep waiting for %(absent)s. Once everyone present agrees, it "
        "ends with no score and no death."
    ),
}
OF_PAUSES = ("pause_wanted", "battle_paused", "battle_resumed")
# A player who is out of the battle is not asked.
FOR_THOSE_LEFT = ("opponent_late", "absence_long", *_WISHES)
HEADINGS = {
    "deadline_reminder": gettext_lazy("Reminder: %(who)s needs to send orders"),
    "deadline_alarm": gettext_lazy("%(who)s: deadline soon"),
    "deadline_final": gettext_lazy("Final notice: %(who)s has run out of time"),
    "time_given": gettext_lazy("%(by)s gives %(who)s more time"),
    "opponent_late": gettext_lazy("%(who)s is late"),
    "mage_forfeited": gettext_lazy("%(who)s ran out of time"),
    "mage_claimed": gettext_lazy("%(who)s has been away for too long"),
    "pause_wanted": gettext_lazy("%(who)s asks for a pause"),
    "battle_paused": gettext_lazy("The battle is paused"),
    "battle_resumed": gettext_lazy("The battle resumes"),
    "absence_long": gettext_lazy("%(who)s has been away for a long time"),
    "call_off_wanted": gettext_lazy("%(who)s wants to end the battle without score"),
    "draw_offered": gettext_lazy("%(who)s offers a draw"),
    "draw_declined": gettext_lazy("%(who)s declines the draw"),
    "claim_wanted": gettext_lazy("%(who)s wants to claim the battle"),
    "seat_offer_wanted": gettext_lazy("%(who)s wants to let a bot play"),
}

# What the reader is told, for the sender's name in a list of emails.
ERRANDS = {
    "deadline_reminder": gettext_lazy("reminder"),
    "deadline_alarm": gettext_lazy("deadline soon"),
    "deadline_final": gettext_lazy("final notice"),
}


@composes(*HEADINGS)
def compose_deadline_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email about a clock in its current state. Raises NothingToSend once it no longer matters."""
    try:
        view = get_battle_for_viewer(number=facts["battle"], user=user, mage_name=facts.get("who"), draft="")
    except BattleNotFound as error:
        raise NothingToSend from error
    except UnreadableBattle as error:
        return compose_unreadable(error)
    who = str(facts.get("who", ""))
    clock = next((row for row in view.clocks if row.mage == who), None)
    reject_what_is_past(kind, facts, view, clock)
    preference = KINDS[kind].preference
    heading = HEADINGS[kind] % {"who": who, "by": facts.get("by", "")}
    whole = " ".join(filter(None, [name_whole_pace(view), explain_restart(view)]))
    time = wrap(whole) if kind in WITH_WHOLE_PACE else write_time(view)
    said = [*write_words(kind, facts, view, clock), time]
    asks_for_orders = kind in TO_THE_LATE or (kind in _WISHES and is_missed(facts, view))
    order_block = write_order_block(view) if asks_for_orders and view.owes else ""
    said = [part for part in said if part]
    more = [*list_ways_out(kind, facts, view), write_status(view), order_block, write_footer(view)]
    more = [part for part in more if part]
    place = _("%(battle)s, turn %(turn)s") % {"battle": view.battle, "turn": facts["label"]}
    subject, address = write_battle_subject(view, user, heading), find_reply_address(user, view)
    links = link_to_orders(order_block, to=address, subject=subject)
    return Mail(
        subject=subject,
        links=list_links(links),
        sender=str(ERRANDS.get(kind, "")),
        text="\n\n".join([f"{heading}\n{place}", *said, *more]) + "\n",
        html=render_plain(
            heading=heading,
            parts=[place, *said],
            button=write_button(kind, view),
            mail_links=links,
            below=more,
            preheader=write_preheader(heading, place),
        ),
        reply_to=address,
        thread=f"battle.{view.battle.number}",
        list_id=f"{view.battle.number}.battles",
        unsubscribe=write_stop_link(user, preference) if preference else "",
    )


def reject_what_is_past(kind: str, facts: Mapping[str, Any], view: BattleView, clock: ShownClock | None) -> None:
    """Raise NothingToSend if orders have arrived since, or another turn has begun."""
    key = view.stage_key
    same = (key.seq, key.attempt, key.stage) == (facts["seq"], facts["attempt"], facts["stage"])
    if kind in (*TO_THE_LATE, "opponent_late") and (view.over or not same or clock is None):
        raise NothingToSend(SkipReason.SETTLED)
    if kind in FOR_THOSE_LEFT and not plays_on(view):
        raise NothingToSend(SkipReason.SETTLED)
    if kind == "draw_offered" and not has_draw_offer(view):
        raise NothingToSend(SkipReason.SETTLED)
    if kind == "draw_declined" and (view.over or not same):
        raise NothingToSend(SkipReason.SETTLED)
    if kind in (*OF_PAUSES, *FOR_THOSE_LEFT) and view.over:
        raise NothingToSend(SkipReason.SETTLED)


def plays_on(view: BattleView) -> bool:
    """Return whether a mage of the reader is still in the battle."""
    return any(row.mine and row.standing == "in" for row in view.combatants)


def is_missed(facts: Mapping[str, Any], view: BattleView) -> bool:
    """Return whether the others wish for something because a mage of the reader is absent."""
    absent = str(facts.get("absent", "")).split(", ")
    return any(row.mine and row.name in absent for row in view.combatants)


def has_draw_offer(view: BattleView) -> bool:
    choice = read_view_draw(view)
    return choice is not None and choice.is_offered


def write_words(kind: str, facts: Mapping[str, Any], view: BattleView, clock: ShownClock | None) -> list[str]:
    """Describe what is missing, what will happen, and when, in the reader's time zone."""
    who, zone = str(facts.get("who", "")), view.zone
    if kind in TO_THE_LATE and clock is not None:
        return [wrap(f"{describe_missing(view, who)} {write_times(who, clock, view)}")]
    if kind == "opponent_late" and clock is not None:
        waits = _("The battle is waiting for %(mage)s's orders.") % {"mage": who}
        return [wrap(f"{waits} {write_times(who, clock, view)}")]
    if kind == "mage_forfeited":
        message = (
            _("%(mage)s never sent any orders and leaves alive. No score or rating changes for them.")
            if facts.get("lives")
            else _("%(mage)s did not send orders in time and dies (FM-SLOW-6).")
        )
        ended = _("The battle is over.") if view.over else _("The battle continues without them.")
        unreal = "" if facts.get("lives") else explain_unreal_deaths(view, [who])
        return [wrap(" ".join(filter(None, [message % {"mage": who}, unreal, ended])))]
    if kind == "mage_claimed":
        message = _(
            "The players who are present have claimed the battle, because %(mage)s has been away for so long. That "
            "counts as %(mage)s's surrender: they live, and lose one point if scores are at stake."
        )
        ended = _("The battle is over.") if view.over else _("The battle continues without them.")
        return [wrap(f"{message % {'mage': who}} {ended}")]
    if kind == "draw_offered":
        message = _(
            "%(mage)s offers you a draw. If you accept before the turn resolves, the duel is over and nobody wins: no "
            "score changes, and both mages live. Only you two know of the offer."
        )
        return [wrap(message % {"mage": who})]
    if kind == "draw_declined":
        return [wrap(_("%(mage)s declines your offer of a draw. The battle continues.") % {"mage": who})]
    if kind == "pause_wanted":
        length = span(datetime.timedelta(minutes=int(facts["minutes"])))
        message = _(
            "%(mage)s would like to stop all clocks in this battle for %(length)s. They stop as soon as all players "
            "agree, for the shortest time that anyone asked for. The request expires after seven days."
        )
        return [wrap(message % {"mage": who, "length": length})]
    if kind == "battle_paused":
        until = read_moment(facts.get("until"))
        message = _("All clocks in this battle are stopped.")
        if until:
            message = _("All clocks in this battle are stopped until %(moment)s.")
        may = _("You can still send orders.") if plays_on(view) else ""
        return [wrap(f"{message} {may}".rstrip() % {"moment": write_moment(until, zone) if until else ""})]
    if kind == "battle_resumed":
        if any(row.stops for row in view.clocks):
            return [_("The pause of this battle is over.")]
        return [_("The clocks in this battle are running again, each with the time it had left.")]
    if kind in _WISHES:
        wish = str(_WISHES[kind]) % {"mage": who, "absent": listed(facts["absent"].split(", "))}
        prevent = _("You can prevent that: send orders. They also end a vacation.") if is_missed(facts, view) else ""
        return [wrap(f"{wish} {prevent}".rstrip())]
    message = ngettext(
        "%(mage)s has been away from this battle for %(days)s day.",
        "%(mage)s has been away from this battle for %(days)s days.",
        read_policy().absence_most_days,
    )
    if view.terms.stake.is_event:
        may = _("You can wait or claim the duel. A claim counts as %(mage)s's surrender: they live.")
        return [wrap(f"{message} {may}" % {"mage": who, "days": read_policy().absence_most_days})]
    may = (
        _("You can wait, call the battle off, claim it, or let a bot play.")
        if is_between_two(view)
        else _("You can wait. Once everyone present agrees, you can call the battle off, claim it, or let a bot play.")
    )
    means = _(
        "Calling it off changes no score and kills nobody. A claim counts as %(mage)s's surrender: they live. With a "
        "bot, the battle is practice."
    )
    return [wrap(f"{message} {may} {means}" % {"mage": who, "days": read_policy().absence_most_days})]


def describe_missing(view: BattleView, who: str) -> str:
    """Describe to the late player what is missing; only they may know whether there are any orders."""
    if view.stage_key.stage:
        message = _("%(mage)s has not answered the question in turn %(turn)s.")
    elif view.sheet:
        message = _("%(mage)s's orders for turn %(turn)s are not ready: END is missing.")
    else:
        message = _("We have no orders from %(mage)s for turn %(turn)s.")
    return message % {"mage": who, "turn": view.battle.label}


def write_times(who: str, clock: ShownClock, view: BattleView) -> str:
    """Return what happens and when."""
    if clock.stops:
        message = _("%(mage)s's clock is stopped now (%(why)s), so this has no consequences.")
        return f"{message % {'mage': who, 'why': ', '.join(clock.stops)}}{describe_absence(clock, view)}"
    slots = {
        "mage": who,
        "end": write_day(clock.ends_at, view.zone),
        "death": write_day(clock.forfeit_at, view.zone),
    }
    time = _("The deadline has passed.") if clock.in_grace else _("The deadline is %(end)s.") % slots
    return f"{time} {describe_what_follows(who, view) % slots}"


def describe_what_follows(who: str, view: BattleView) -> str:
    """Return what happens to the battle when this mage forfeits. If all are late, nobody may win."""
    left = [row.name for row in view.combatants if row.standing == "in" and row.name != who]
    continues, fate = len(left) > 1, find_fate(view, who)
    if fate == "lives":
        then = (
            _("Without orders, %(mage)s leaves alive on %(death)s, and the battle continues without them.")
            if continues
            else _("Without orders, the battle is called off on %(death)s.")
        )
        return " ".join([then, _("That counts as a missed deadline. The second time in a year, the mage dies.")])
    dies = (
        _("Without orders, %(mage)s dies on %(death)s, and the battle continues without them.")
        if continues
        else _("Without orders, %(mage)s dies on %(death)s, and the battle ends.")
    )
    dies = f"{dies} {explain_unreal_deaths(view, [who])}".rstrip()
    return dies if fate == "dies" else f"{dies} {explain_never_moved()}"


def read_moment(text: object) -> datetime.datetime | None:
    return datetime.datetime.fromisoformat(text) if isinstance(text, str) and text else None


def list_ways_out(kind: str, facts: Mapping[str, Any], view: BattleView) -> list[str]:
    """Return the links: play, ask for time, vacation, surrender; or what the others can do."""
    number, who = view.battle.number, str(facts.get("who", ""))
    page = link_to_path(f"/battles/{number}/")
    play = write_way(_("Play"), page)
    mine = next((row for row in view.clocks if row.mage == view.me), None)
    vacation = write_way(_("Go on vacation"), link_to("accounts:vacation"), "VACATION 14")
    if mine is not None and not mine.can_rest:
        vacation = ""  # it would stop no clock now
    surrender = write_way(_("Surrender"), f"{page}?mage={view.me}&resign=1", "P/P")
    if kind in TO_THE_LATE:
        more = ask_for_time(who, view) or write_way(_("Take more time"), f"{page}#time", f"TIME {number} {who}")
        return ["\n".join(filter(None, [play, more, vacation, surrender]))]
    if kind == "opponent_late":
        more = write_way(_("Give %(mage)s more time") % {"mage": who}, f"{page}#time", f"GIVE {number} {who} 1")
        write = _("Write to %(mage)s: %(order)s") % {"mage": who, "order": f"MESSAGE {view.me} {who}"}
        if view.is_forever_silent:
            write = ""
        return ["\n".join(filter(None, [play, more, vacation, surrender, write]))]
    if kind == "pause_wanted" and plays_on(view):
        order = f"PAUSE {number} {max(1, int(facts['minutes']) // 1440)}"
        return [write_way(_("Agree or refuse"), f"{page}#time", order)]
    if kind == "draw_offered":
        accept = write_way(_("Accept the draw"), page, f"DRAW {number} YES")
        return ["\n".join([accept, write_way(_("Decline"), page, f"DRAW {number} NO")])]
    ways = {
        "call_off_wanted": write_way(_("Call the battle off"), f"{page}#time", f"CALLOFF {number}"),
        "claim_wanted": write_way(_("Claim the battle"), f"{page}#time", f"CLAIM {number}"),
        "seat_offer_wanted": write_way(_("Let a bot play"), f"{page}#time", f"STANDIN {number}"),
    }
    if kind == "absence_long" and view.terms.stake.is_event:
        return [ways["claim_wanted"]]
    if kind == "absence_long":
        return ["\n".join(ways.values())]
    if kind in ways:
        return [play if is_missed(facts, view) else ways[kind]]
    return []


def ask_for_time(who: str, view: BattleView) -> str:
    """Return whom to ask for time once a mage has used up their own extra time; "" before that, or if nobody can
    give any (FM-SLOW-3)."""
    others = [row.name for row in view.combatants if row.standing == "in" and not row.mine]
    if not others or view.own is None or view.own.combatant.extensions_taken < MOST_EXTENSIONS:
        return ""
    ask = _("%(mage)s can take no more time, but others can give some. Ask for it:") % {"mage": who}
    agree = _("(to agree, they send: %(order)s)") % {"order": f"GIVE {view.battle.number} {who}"}
    return f"{ask}\n  MESSAGE {who} {' '.join(others)}\n{agree}"


def write_way(words: str, link: str, order: str = "") -> str:
    """Write one option of the reader, with its link and its order; a long order gets its own line."""
    way, by_mail = f"{words}: {link}", _("(by email: %(order)s)") % {"order": order} if order else ""
    return f"{way}\n  {by_mail}" if len(f"{way} {by_mail}") > WIDTH else f"{way} {by_mail}".rstrip()


def write_button(kind: str, view: BattleView) -> tuple[str, str]:
    words = name_button(view) if kind in TO_THE_LATE else _("Open the battle")
    return words, link_to_path(f"/battles/{view.battle.number}/")
