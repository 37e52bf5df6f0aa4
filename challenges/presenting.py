"""One challenge made into a row for one viewer."""

from collections.abc import Sequence

from accounts.models import Mage
from challenges.models import Challenge
from challenges.rows import Actions, ChallengeRow, SeatRow, Section
from challenges.seating import Seating
from challenges.standing import get_hindrance
from challenges.words import WHY_NOT, describe_size, describe_start, describe_terms, describe_title
from duels.terms import Terms

# More free seats than this are a number, not a row of discs.
MOST_FREE_DISCS = 3


def present_challenge(challenge: Challenge, seating: Seating, viewer: object, mages: Sequence[Mage]) -> ChallengeRow:
    """Make the row. `mages` are the viewer's living mages, with user and engagement read already."""
    actions = _find_actions(seating, mages)
    code = "" if actions.accept else _why_not(seating, viewer, mages)
    mine = {mage.pk for mage in mages}
    size = describe_size(
        is_duel=seating.is_duel, is_open_to_all=seating.is_open_to_all, limit=seating.limit, mages=seating.present
    )
    return ChallengeRow(
        number=challenge.number,
        title=describe_title(
            challenger=challenge.challenger.name,
            is_duel=seating.is_duel,
            is_open_to_all=seating.is_open_to_all,
            is_practice=seating.is_practice,
            asked=tuple(place.mage for place in seating.invited if place.mage_id in mine),
        ),
        challenger=challenge.challenger.name,
        challenger_user=challenge.challenger.user.username,
        size_words=size,
        rest_words=describe_terms(Terms.from_json(challenge.terms), is_practice=seating.is_practice),
        start_words=describe_start(is_open_to_all=seating.is_open_to_all, limit=seating.limit, mages=seating.present),
        ruleset=challenge.terms["ruleset"],
        comment=challenge.comment,
        status=challenge.status,
        section=_find_section(seating, actions, mine),
        is_open_to_all=seating.is_open_to_all,
        is_practice=seating.is_practice,
        mages_per_user=seating.mages_per_user,
        limit=seating.limit,
        free_seats=seating.free_seats,
        seats=_draw_seats(challenge, seating, mine),
        actions=actions,
        why_not=WHY_NOT[code] if code else "",
        why_not_code=code,
        created_at=challenge.created_at,
    )


def _find_actions(seating: Seating, mages: Sequence[Mage]) -> Actions:
    joined = {place.mage_id for place in seating.joined}
    leaving = [mage for mage in mages if seating.why_not_decline(mage.pk) is None]
    own = next((mage for mage in mages if seating.why_not_withdraw(mage.pk) is None), None)
    return Actions(
        accept=tuple(mage.name for mage in mages if _may_join(seating, mage)),
        decline=tuple(mage.name for mage in leaving if mage.pk not in joined),
        leave=tuple(mage.name for mage in leaving if mage.pk in joined),
        withdraw=own.name if own else "",
        start=own.name if own and seating.why_not_start(own.pk) is None else "",
    )


def _may_join(seating: Seating, mage: Mage) -> bool:
    return seating.why_not_join(mage.pk, mage.user_id) is None and get_hindrance(mage) is None


def _why_not(seating: Seating, viewer: object, mages: Sequence[Mage]) -> str:
    """Why nobody of these may join: first what no other mage would change, then what the viewer can mend."""
    if seating.status != "open":
        return seating.status
    if not getattr(viewer, "is_authenticated", False):
        return "anonymous"
    codes = [seating.why_not_join(mage.pk, mage.user_id) for mage in mages]
    if "joined_already" in codes:
        return "joined_already"
    if not mages:
        return "no_mage" if seating.is_open_to_all else "not_invited"
    if None in codes:
        return "all_busy"
    return next(code for code in codes if code is not None)


def _find_section(seating: Seating, actions: Actions, mine: set[int]) -> Section:
    # First, also for who has a seat: in a practice one's own second mage is asked.
    if any(place.mage_id in mine and place.mage in actions.accept for place in seating.invited):
        return "waiting_for_you"
    if any(place.mage_id in mine for place in seating.joined):
        return "taking_part"
    return "open_to_join"


def _draw_seats(challenge: Challenge, seating: Seating, mine: set[int]) -> tuple[SeatRow, ...]:
    users = {seat.mage_id: seat.mage.user.username for seat in challenge.seats.all()}
    taken = [
        SeatRow(
            name=place.mage,
            user=users[place.mage_id],
            state=place.state,
            is_challenger=place.mage_id == seating.challenger_id,
            is_mine=place.mage_id in mine,
        )
        for place in seating.places
    ]
    free = seating.free_seats if seating.is_open_to_all else 0
    discs = min(free or 0, MOST_FREE_DISCS) if seating.status == "open" else 0
    return (*taken, *(SeatRow(name="", user="", state="free") for _ in range(discs)))
