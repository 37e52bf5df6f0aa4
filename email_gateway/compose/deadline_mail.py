"""Mails about time: what is missing, what happens when, and what can be done about it."""

import datetime
from collections.abc import Mapping
from typing import Any

from accounts.models import User
from duels.errors import BattleNotFound, UnreadableBattle
from duels.paces import MOST_EXTENSIONS, span
from duels.selectors import BattleView, ClockRow, get_battle_for_viewer
from email_gateway.compose.answers import find_reply_address
from email_gateway.compose.battle_mail import compose_unreadable, write_footer
from email_gateway.compose.classic import join_names, write_status
from email_gateway.compose.moments import describe_absence, is_between_two, name_whole_pace, write_day, write_time
from email_gateway.compose.plain_html import render_plain
from email_gateway.compose.questions import write_order_block
from email_gateway.compose.stop_mails import write_stop_link
from email_gateway.compose.subjects import write_battle_subject
from email_gateway.deliver.mail import Mail
from email_gateway.errors import NothingToSend
from email_gateway.links import link_to, link_to_path
from email_gateway.text.wrapping import WIDTH, wrap
from fm_site.notifications.models import SkipReason
from fm_site.operations.moments import write_moment
from fm_site.operations.selectors import read_policy

# These go out whatever somebody has chosen to be mailed.
ABOUT_HIS_TIME = ("deadline_reminder", "deadline_alarm", "deadline_final")
TO_THE_LATE = (*ABOUT_HIS_TIME, "time_given")
# These say themselves until when there is time.
TOLD_WHEN = (*TO_THE_LATE, "opponent_late", "battle_paused")
# Who is out of the battle has no part in what these ask.
FOR_THOSE_LEFT = ("absence_long", "call_off_wanted")
HEADINGS = {
    "deadline_reminder": "Reminder: {who} owes orders",
    "deadline_alarm": "Little time left for {who}",
    "deadline_final": "Final notice: the time of {who} is over",
    "time_given": "{by} gives {who} more time",
    "opponent_late": "{who} is late",
    "mage_forfeited": "The time of {who} is over",
    "pause_wanted": "{who} asks for a pause",
    "battle_paused": "The battle is paused",
    "battle_resumed": "The battle goes on",
    "absence_long": "{who} is away for long",
    "call_off_wanted": "{who} would end the battle without score",
}


def compose_deadline_mail(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the mail about a clock as it stands now. Raises NothingToSend once it no longer matters."""
    try:
        view = get_battle_for_viewer(number=facts["battle"], user=user, mage_name=facts.get("who"), draft="")
    except BattleNotFound as error:
        raise NothingToSend from error
    except UnreadableBattle as error:
        return compose_unreadable(error)
    who = str(facts.get("who", ""))
    clock = next((row for row in view.clocks if row.mage == who), None)
    reject_what_is_past(kind, facts, view, clock)
    heading = HEADINGS[kind].format(who=who, by=facts.get("by", ""))
    time = wrap(name_whole_pace(view)) if kind in TOLD_WHEN else write_time(view)
    said = [*write_words(kind, facts, view, clock), time]
    order_block = write_order_block(view) if kind in TO_THE_LATE and view.owes else ""
    parts = [*said, *list_ways_out(kind, facts, view), write_status(view), order_block, write_footer(view)]
    kept, place = [part for part in parts if part], f"{view.battle}, turn {facts['label']}"
    return Mail(
        subject=write_battle_subject(view, user, heading),
        text="\n\n".join([f"{heading}\n{place}", *kept]) + "\n",
        html=render_plain(heading=heading, parts=[place, *kept], button=write_button(kind, view)),
        reply_to=find_reply_address(user, view),
        thread=f"battle.{view.battle.number}",
        list_id=f"{view.battle.number}.battles",
        unsubscribe="" if kind in (*ABOUT_HIS_TIME, "mage_forfeited") else write_stop_link(user, "mail_turns"),
    )


def reject_what_is_past(kind: str, facts: Mapping[str, Any], view: BattleView, clock: ClockRow | None) -> None:
    """Raise NothingToSend where orders came meanwhile, or another turn."""
    key = view.stage_key
    same = (key.seq, key.attempt, key.stage) == (facts["seq"], facts["attempt"], facts["stage"])
    if kind in (*TO_THE_LATE, "opponent_late") and (view.over or not same or clock is None):
        raise NothingToSend(SkipReason.SETTLED)
    if kind in FOR_THOSE_LEFT and not any(row.mine and row.standing == "in" for row in view.combatants):
        raise NothingToSend(SkipReason.SETTLED)
    if kind in ("pause_wanted", *FOR_THOSE_LEFT) and view.over:
        raise NothingToSend(SkipReason.SETTLED)


def write_words(kind: str, facts: Mapping[str, Any], view: BattleView, clock: ClockRow | None) -> list[str]:
    """Return what is missing, what happens, and when, in the reader's time zone."""
    who, zone = str(facts.get("who", "")), view.zone
    if kind in TO_THE_LATE and clock is not None:
        return [wrap(f"{describe_missing(view, who)} {write_times(who, clock, view)}")]
    if kind == "opponent_late" and clock is not None:
        return [wrap(f"The battle waits for the orders of {who}. {write_times(who, clock, view)}")]
    if kind == "mage_forfeited":
        ended = "The battle is over." if view.over else "The battle goes on among the others."
        return [wrap(f"No orders of {who} came in time, and {who} dies of it (FM-SLOW-6). {ended}")]
    if kind == "pause_wanted":
        length = span(datetime.timedelta(minutes=int(facts["minutes"])))
        return [
            wrap(
                f"{who} would like all clocks of this battle to stand still for {length}."
                " They do as soon as everybody in it wants a pause, for as long as the shortest wish."
            )
        ]
    if kind == "battle_paused":
        until = read_moment(facts.get("until"))
        ends = f" until {write_moment(until, zone)}" if until else ""
        return [wrap(f"All clocks of this battle stand still{ends}. Orders are taken all the same.")]
    if kind == "battle_resumed":
        return ["The clocks of this battle run again, each with the time that was left."]
    most = read_policy().battle_pause_most_days
    may = (
        "You may end it without score and without a death, or wait."
        if is_between_two(view)
        else "It ends without score and without a death once all who are here want that; or you wait."
    )
    if kind == "call_off_wanted":
        absent = join_names(facts["absent"].split(", "))
        return [wrap(f"{who} would rather end this battle than wait on for {absent}. {may}")]
    return [
        wrap(f"{who} was away from this battle for more than the {most} days of absence that a battle allows. {may}")
    ]


def describe_missing(view: BattleView, who: str) -> str:
    """Say to the late player what is missing; whether there are orders at all is for them alone."""
    if view.stage_key.stage:
        return f"An answer of {who} is missing in turn {view.battle.label}."
    if view.sheet:
        return f"There are orders of {who} for turn {view.battle.label}, but they are not ready: END is missing."
    return f"There are no orders of {who} for turn {view.battle.label}."


def write_times(who: str, clock: ClockRow, view: BattleView) -> str:
    """Say what happens and when."""
    if clock.stops:
        why = ", ".join(clock.stops)
        return (
            f"The clock of {who} stands still now ({why}), so nothing follows from that.{describe_absence(clock, view)}"
        )
    dies = write_day(clock.forfeit_at, view.zone)
    if clock.in_grace:
        return f"The time for them is over. Without them {who} dies on {dies}, {describe_what_follows(who, view)}."
    ends = write_day(clock.ends_at, view.zone)
    return f"There is time until {ends}. Without them {who} dies on {dies}, {describe_what_follows(who, view)}."


def describe_what_follows(who: str, view: BattleView) -> str:
    """Say what becomes of the battle when this mage forfeits. If all are late, nobody may win."""
    left = [row.name for row in view.combatants if row.standing == "in" and row.name != who]
    return "and the battle goes on among the others" if len(left) > 1 else "and the battle ends"


def read_moment(text: object) -> datetime.datetime | None:
    return datetime.datetime.fromisoformat(text) if isinstance(text, str) and text else None


def list_ways_out(kind: str, facts: Mapping[str, Any], view: BattleView) -> list[str]:
    """Return the links: play, ask for time, vacation, resign; or what the others can do."""
    number, who = view.battle.number, str(facts.get("who", ""))
    page = link_to_path(f"/battles/{number}/")
    play = write_way("Play", page)
    vacation = write_way("Go on vacation", link_to("accounts:vacation"), "VACATION 14")
    resign = write_way("Resign", f"{page}?mage={view.me}&resign=1", "P/P")
    if kind in TO_THE_LATE:
        more = ask_for_time(who, view) or write_way("Take more time", f"{page}#time", f"TIME {number} {who}")
        return ["\n".join([play, more, vacation, resign])]
    if kind == "opponent_late":
        more = write_way(f"Give {who} more time", f"{page}#time", f"GIVE {number} {who} 1")
        return ["\n".join([play, more, vacation, resign, f"Write to {who}: MESSAGE {view.me} {who}"])]
    if kind == "pause_wanted" and any(row.mine and row.standing == "in" for row in view.combatants):
        return [
            write_way("Agree, or leave it", f"{page}#time", f"PAUSE {number} {max(1, int(facts['minutes']) // 1440)}")
        ]
    if kind in FOR_THOSE_LEFT:
        return [write_way("End the battle without score", f"{page}#time", f"CALLOFF {number}")]
    return []


def ask_for_time(who: str, view: BattleView) -> str:
    """Return whom a mage asks who has no more extra time to take; nothing while they have some, or if nobody is left
    to give any (FM-SLOW-3)."""
    others = [row.name for row in view.combatants if row.standing == "in" and not row.mine]
    if not others or view.hand is None or view.hand.combatant.extensions_taken < MOST_EXTENSIONS:
        return ""
    return (
        f"{who} has no more time to take, but can be given some. Ask for it:\n"
        f"  MESSAGE {who} {' '.join(others)}\n"
        f"(who agrees: GIVE {view.battle.number} {who})"
    )


def write_way(words: str, link: str, order: str = "") -> str:
    """Return what can be done, where, and by which order; that on a line of its own where it is too long for one."""
    way, by_mail = f"{words}: {link}", f"(by mail: {order})" if order else ""
    return f"{way}\n  {by_mail}" if len(f"{way} {by_mail}") > WIDTH else f"{way} {by_mail}".rstrip()


def write_button(kind: str, view: BattleView) -> tuple[str, str]:
    words = f"Play turn {view.battle.label}" if kind in TO_THE_LATE and view.owes else "Open the battle"
    return words, link_to_path(f"/battles/{view.battle.number}/")
