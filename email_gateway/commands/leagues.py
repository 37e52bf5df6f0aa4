"""LEAGUE, JOIN and LEAVE: leagues and cups by email, by the same services as their pages."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import NoSuchMage
from accounts.models import Mage, User
from accounts.selectors.names import get_mage_for_user
from accounts.selectors.users import read_mages_of
from duels.names import listed
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import find_nearest, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import wrap
from league.cup_words import name_cup
from league.errors import CupRefused, LeagueRefused
from league.models import Cup, Group, Pairing, Season
from league.selectors.cups import list_next_cups
from league.selectors.current_places import read_current_places
from league.selectors.group_page import Bye, Duel, OwnDuels, read_group_page
from league.selectors.leaving import find_what_leaving_costs
from league.selectors.overview import find_group
from league.selectors.seasons import find_entry, find_open_season, find_place, list_entrants_apart_from, read_sign_up
from league.selectors.tables import read_table
from league.services.cup_places import join_cup, leave_cup
from league.services.entries import choose_mage, leave, sign_up, wish_bank
from league.words import describe_cost_of_leaving, name_league, write_league
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

Done = TypeVar("Done")

CLAUSE = "FM-ORDINF-1"
FORMS = ("LEAGUE", "LEAGUE <number>", "LEAGUE MAGE <mage>", "LEAGUE BANK <mage> {NO}")
EVENTS = {"LEAGUE": None, "CUP": Cup.Kind.KNOCKOUT, "EVENING": Cup.Kind.EVENING, "ROBIN": Cup.Kind.ROUND_ROBIN}
NOW, YES, NO, MAGE, BANK = "NOW", "YES", "NO", "MAGE", "BANK"


def handle_league(talk: Conversation, rest: str) -> list[str]:
    """LEAGUE {number}: send a table, and with it one's own duels. LEAGUE MAGE names who plays them; LEAGUE BANK asks
    for a time bank."""
    words = split_words(rest)
    keyword = words[0].upper() if words else ""
    if not words or (keyword.isascii() and keyword.isdecimal() and len(words) == 1 and len(keyword) <= 3):
        reader = talk.state.user
        tier = int(keyword) if keyword else None
        talk.report(f"league {tier}", lambda: write_report(reader, tier, talk.request.now))
        return []
    if keyword == MAGE and len(words) == 2:
        user = talk.require_user("LEAGUE")
        mage = _find_mage(user, words[1], f"LEAGUE {MAGE}")
        _run(partial(choose_mage, user=user, mage=mage, now=talk.request.now))
        return [_("%(mage)s plays your league duels from the next one on.") % {"mage": mage.name}]
    if keyword == BANK and (len(words) == 2 or (len(words) == 3 and words[2].upper() == NO)):
        return _wish(talk, words[1], wishes=len(words) == 2)
    raise OrderRejected(
        _("LEAGUE takes nothing, the number of a league, %(mage)s and a mage of yours, or %(bank)s and an opponent.")
        % {"mage": MAGE, "bank": BANK},
        nearest=_nearest_form(keyword),
        clause=CLAUSE,
    )


def _nearest_form(keyword: str) -> str:
    meant = find_nearest(keyword, (MAGE, BANK))
    return next((form for form in FORMS if meant and f" {meant} " in form), FORMS[0])


def _wish(talk: Conversation, name: str, *, wishes: bool) -> list[str]:
    user, now = talk.require_user("LEAGUE"), talk.request.now
    own = _read_own(user, now)
    waiting = [each for each in own.to_come if isinstance(each, Duel)] if own else []
    duel = next((each for each in waiting if each.other.name.casefold() == name.casefold()), None)
    if duel is None:
        reason = _("You have no league duel with %(mage)s that has not begun.") % {"mage": name}
        if waiting:
            names = listed([each.other.name for each in waiting])
            reason += " " + _("You have yet to meet %(mages)s.") % {"mages": names}
        nearest = f"LEAGUE {BANK} {waiting[0].other.name}" if waiting else "LEAGUE"
        raise OrderRejected(reason, nearest=nearest, clause=CLAUSE)
    pairing: Pairing = _run(partial(wish_bank, user=user, pairing=duel.pairing.pk, wishes=wishes, now=now))
    if not wishes:
        return [_("Your duel with %(mage)s is played at a turn a day.") % {"mage": duel.other.name}]
    if pairing.first_wants_bank and pairing.second_wants_bank:
        return [_("You both want the time bank, so your duel with %(mage)s has it.") % {"mage": duel.other.name}]
    return [
        _("You want the time bank. Your duel with %(mage)s has it if they want it, too.") % {"mage": duel.other.name}
    ]


def handle_join(talk: Conversation, rest: str) -> list[str]:
    """JOIN LEAGUE, CUP, EVENING or ROBIN {mage}: take a place."""
    what, words = _read_event("JOIN", rest)
    user, now = talk.require_user("JOIN"), talk.request.now
    if len(words) > 1:
        raise OrderRejected(_("JOIN takes one mage."), nearest=f"JOIN {what} {words[0]}", clause=CLAUSE)
    kind = EVENTS[what]
    entry = find_entry(user) if kind is None else None
    if entry is not None:
        raise OrderRejected(str(LeagueRefused("already_in", mage=entry.mage.name)), nearest="LEAGUE", clause=CLAUSE)
    mage = _find_mage(user, words[0] if words else "", f"JOIN {what}")
    if kind is not None:
        cup = _find_cup_to_join(user, kind, now)
        _run(partial(join_cup, user=user, cup_id=cup.pk, mage=mage, now=now))
        return [_("%(mage)s is in: %(cup)s, from %(day)s.") % _facts_of(cup, user, mage=mage.name)]
    _run(partial(sign_up, user=user, mage=mage, now=now))
    sentences = [_("%(mage)s is in the league.") % {"mage": mage.name}, _say_when(user, now)]
    apart = list_entrants_apart_from(user)
    if apart:
        sentences.append(
            _("There is a block between you and %(names)s. If you meet in the league, you fight without talk.")
            % {"names": listed([each.username for each in apart])}
        )
    return sentences


def handle_leave(talk: Conversation, rest: str) -> list[str]:
    """LEAVE LEAGUE {NOW {YES}}, LEAVE CUP, EVENING or ROBIN {YES}: give up a place. What costs something needs YES."""
    what, words = _read_event("LEAVE", rest)
    user, now = talk.require_user("LEAVE"), talk.request.now
    said = [word.upper() for word in words]
    kind = EVENTS[what]
    if kind is not None:
        if said not in ([], [YES]):
            raise OrderRejected(_("Only YES may follow."), nearest=f"LEAVE {what}", clause=CLAUSE)
        return _leave_cup(user, kind, is_sure=bool(said), now=now)
    if said not in ([], [NOW], [NOW, YES]):
        reason = _("Nothing follows, or NOW, which leaves a running season, too.")
        raise OrderRejected(reason, nearest="LEAVE LEAGUE", clause=CLAUSE)
    cost = find_what_leaving_costs(user)
    if said == [NOW] and cost.has_begun:
        sentences = [*describe_cost_of_leaving(cost), _("Repeat the order with YES to leave.")]
        raise OrderRejected(" ".join(sentences), nearest=f"LEAVE LEAGUE {NOW} {YES}", clause=CLAUSE)
    _run(partial(leave, user=user, at_once=bool(said), now=now))
    if cost.has_begun and not said:
        return [_("You leave the league after this season. You play your duels to the end.")]
    return [_("You have left the league.")]


def _leave_cup(user: User, kind: Cup.Kind, *, is_sure: bool, now: datetime) -> list[str]:
    places = [each for each in read_current_places(user).cups if each.cup is not None and each.cup.kind == kind]
    if not places:
        raise OrderRejected(str(CupRefused("not_in")), nearest="LEAGUE", clause=CLAUSE)
    cup = places[0].cup
    assert cup is not None
    if cup.started_at is not None and not is_sure:
        reason = _(
            "This cup has begun: your running duel in it is lost without play and unrated, and you cannot come back. "
            "Repeat the order with YES to leave."
        )
        raise OrderRejected(reason, nearest=f"LEAVE {_name_event(kind)} {YES}", clause=CLAUSE)
    _run(partial(leave_cup, user=user, cup_id=cup.pk, now=now))
    return [_("You have left: %(cup)s.") % {"cup": name_cup(cup.kind, cup.begins_at)}]


def _name_event(kind: Cup.Kind) -> str:
    return next(name for name, each in EVENTS.items() if each == kind)


def _read_event(order: str, rest: str) -> tuple[str, list[str]]:
    """Return LEAGUE, CUP, EVENING or ROBIN, and the words after it."""
    words = split_words(rest)
    what = words[0].upper() if words else ""
    if what in EVENTS:
        return what, words[1:]
    meant = find_nearest(what, EVENTS) or "LEAGUE"
    reason = _("%(order)s needs one of these: %(events)s.") % {"order": order, "events": ", ".join(EVENTS)}
    raise OrderRejected(reason, nearest=f"{order} {meant}", clause=CLAUSE)


def _find_mage(user: User, name: str, order: str) -> Mage:
    """Return the user's mage with that name, or their only living one. Raises OrderRejected."""
    living = read_mages_of(user)
    names = listed([mage.name for mage in living])
    if name:
        try:
            return get_mage_for_user(user=user, name=name)
        except NoSuchMage as error:
            near = f"{order} {living[0].name}" if living else "REGISTER <mage>"
            raise OrderRejected(str(error), nearest=near, clause=CLAUSE) from error
    if len(living) == 1:
        return living[0]
    if not living:
        raise OrderRejected(_("You have no living mage."), nearest="REGISTER <mage>", clause=CLAUSE)
    reason = _("Which mage? You have %(mages)s.") % {"mages": names}
    raise OrderRejected(reason, nearest=f"{order} {living[0].name}", clause=CLAUSE)


def _find_cup_to_join(user: User, kind: Cup.Kind, now: datetime) -> Cup:
    for each in list_next_cups(user, now=now):
        if each.cup.kind == kind:
            return each.cup
    reason = _("No cup of this kind can be joined now.")
    raise OrderRejected(reason, nearest="LEAGUE", clause=CLAUSE)


def _run(service: Callable[[], Done]) -> Done:
    """Call a service; what it refuses is a rejected order, and LEAGUE tells where things stand."""
    try:
        return service()
    except (LeagueRefused, CupRefused) as refusal:
        raise OrderRejected(str(refusal), nearest="LEAGUE", clause=CLAUSE) from refusal


def _facts_of(cup: Cup, user: User, **more: str) -> dict[str, str]:
    return {"cup": name_cup(cup.kind, cup.begins_at), "day": write_moment(cup.begins_at, zone_of(user)), **more}


def _say_when(user: User, now: datetime) -> str:
    """Return from when on someone plays who has just signed up."""
    season = find_open_season()
    place = find_place(user, season) if season is not None else None
    if season is not None and place is not None and place.group is not None:
        return _("You have a place in %(league)s and play from round %(round)s on.") % {
            "league": name_league(place.group.tier),
            "round": place.joined_in_round,
        }
    sign = read_sign_up()
    if sign.missing or sign.begins_at is None:
        return _("The season begins when there are four.")
    return _("You play in the season that begins on %(day)s.") % {"day": write_moment(sign.begins_at, zone_of(user))}


# -- the report -------------------------------------------------------------------------------------------------------


def write_report(reader: User | None, tier: int | None, now: datetime) -> str:
    """Return a table of the season that is drawn or runs (the reader's own league, or League 1), the reader's duels,
    and the cups that can be joined."""
    season = find_open_season()
    zone = zone_of(reader)
    parts: list[str] = []
    group = _find_group(season, reader, tier)
    if group is None or season is None:
        parts.append(_say_that_none_runs(season, tier, reader, now))
    else:
        heading = _("%(league)s, season %(number)s") % {"league": name_league(group.tier), "number": season.number}
        when = _("Round %(number)s of %(total)s") % {"number": season.round, "total": 7}
        ends = _("Ends on %(day)s.") % {"day": write_moment(season.ends_at, zone)}
        parts += [f"{heading}. {when}. {ends}", write_league(read_table(group))]
        if reader is not None:
            own = read_group_page(group=group, reader=reader, now=now).own
            parts += [write_own(own, zone)] if own is not None else []
    for each in list_next_cups(reader, now=now):
        if each.cup.is_round_robin and not (reader is not None and reader.is_bot):
            continue
        facts = {
            "cup": name_cup(each.cup.kind, each.cup.begins_at),
            "day": write_moment(each.cup.begins_at, zone),
            "taken": each.taken,
        }
        line = _("%(cup)s: begins on %(day)s, %(taken)s in.") % facts
        parts.append(wrap(line + (" " + _("You are in.") if each.own is not None else "")))
    return "\n\n".join(parts)


def _find_group(season: Season | None, reader: User | None, tier: int | None) -> Group | None:
    if season is None or season.drawn_at is None:
        return None
    place = find_place(reader, season) if reader is not None and tier is None else None
    return place.group if place is not None else find_group(season.number, tier or 1)


def _say_that_none_runs(season: Season | None, tier: int | None, reader: User | None, now: datetime) -> str:
    if season is not None and season.drawn_at is not None:
        return _("There is no League %(tier)s in season %(season)s.") % {"tier": tier, "season": season.number}
    sentences = [_("No season of the league runs now.")]
    sign = read_sign_up()
    if sign.missing:
        sentences.append(_("It begins when four mages are in; now there are %(count)s.") % {"count": sign.entrants})
    elif sign.begins_at is not None:
        zone = zone_of(reader)
        sentences.append(_("The next one begins on %(day)s.") % {"day": write_moment(sign.begins_at, zone)})
    entry = find_entry(reader) if reader is not None else None
    if entry is not None:
        sentences.append(_("You are in, with %(mage)s.") % {"mage": entry.mage.name})
    else:
        sentences.append(_("JOIN LEAGUE gives you a place."))
    return wrap(" ".join(sentences))


def write_own(own: OwnDuels, zone: ZoneInfo) -> str:
    """Return a line for each duel of the reader: those that run, those to come, those played."""
    lines = [_("Your duels:")]
    for duel in own.running:
        facts = {"number": duel.number, "mage": duel.other.name, "turn": duel.turn}
        form = _("Battle %(number)s against %(mage)s, turn %(turn)s: it waits for your orders.")
        if not duel.owes:
            form = _("Battle %(number)s against %(mage)s, turn %(turn)s: your orders are in.")
        lines.append(form % facts)
    for each in own.to_come:
        facts = {"round": each.round, "day": write_moment(each.begins_at, zone)}
        if isinstance(each, Bye):
            lines.append(_("Round %(round)s, %(day)s: a bye.") % facts)
        else:
            lines.append(_("Round %(round)s, %(day)s: %(mage)s.") % {**facts, "mage": each.other.name})
    results = {"W": _("won against %(mage)s"), "L": _("lost to %(mage)s"), "D": _("drew with %(mage)s")}
    for duel in own.played:
        form = results.get(duel.letter, _("the duel with %(mage)s counts for nobody"))
        round_number = _("Round %(number)s") % {"number": duel.round}
        lines.append(f"{round_number}: {form % {'mage': duel.other.name}}.")
    return "\n".join(lines)


def _read_own(user: User, now: datetime) -> OwnDuels | None:
    season = find_open_season()
    group = _find_group(season, user, None)
    return read_group_page(group=group, reader=user, now=now).own if group is not None else None


ORDERS: tuple[Order, ...] = (
    Order(
        "LEAGUE",
        "LEAGUE {number | MAGE <mage> | BANK <mage> {NO}}",
        "anyone",
        "league.services.entries.choose_mage",
        gettext_lazy(
            "Sends the table of your league, or of the one with that number, your duels in it, and the cups to come. "
            "MAGE says which of your mages plays the duels that have not begun. BANK asks for a time bank in the duel "
            "with that mage; it has one if both ask before round 1. NO takes it back."
        ),
        CLAUSE,
        handle_league,
        example="LEAGUE 2",
    ),
    Order(
        "JOIN",
        "JOIN LEAGUE | CUP | EVENING | ROBIN {mage}",
        "player",
        "league.services.entries.sign_up",
        gettext_lazy(
            "Takes a place in the league, the next knock-out cup or the next live evening. A bot of a user takes one "
            "in the next round robin of bots with ROBIN. With several mages, say which one plays."
        ),
        CLAUSE,
        handle_join,
        example="JOIN LEAGUE Merlyn",
    ),
    Order(
        "LEAVE",
        "LEAVE LEAGUE {NOW {YES}} | CUP {YES} | EVENING {YES} | ROBIN {YES}",
        "player",
        "league.services.entries.leave",
        gettext_lazy(
            "Leaves the league after the season, or a cup. NOW leaves a running season at once. If that costs "
            "something, we first say what, and YES does it."
        ),
        CLAUSE,
        handle_leave,
        example="LEAVE LEAGUE",
    ),
)
