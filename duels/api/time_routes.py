"""The API of time in battles: extra time, pauses, presence, and what to do about players who are absent."""

import datetime
from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from ninja import Router

from accounts.api_access import PLAY, READ_OWN, caller_of
from duels.api import time_schema as api_schema
from duels.errors import DuelRefused
from duels.models import Combatant
from duels.selectors.absences import Consent
from duels.selectors.battle_view import NOTHING
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user, read_battle_clocks
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.extra_time import give_time, take_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from operations.web.api_schema import may_refuse
from operations.web.arrival import find_arrival
from operations.web.problems import Refusals, refuse

MINUTE = datetime.timedelta(minutes=1)
ACTS = may_refuse(400, 404, 409, 413, 415, 422)
router = Router(tags=["Battles"])


@router.get(
    "/{int:number}/time/",
    auth=READ_OWN,
    url_name="battle_time",
    response={200: api_schema.BattleTime, **may_refuse(403, 404)},
    summary="Read what you can do about time",
)
def read_time(request: HttpRequest, number: int, mage: str | None = None) -> api_schema.BattleTime:
    """Pauses, extra time, absences and time used in a battle, and your options. The clocks are in the battle itself."""
    get_combatant_for_user(number=number, user=caller_of(request), mage_name=mage)
    view = get_battle_for_viewer(number=number, user=request.user, mage_name=mage, draft="", window=NOTHING)
    now = timezone.now()
    time = read_battle_clocks(view, now=now)
    return api_schema.BattleTime(
        battle=number,
        extensions_left=time.more,
        extension_minutes=time.extension // MINUTE,
        may_give_to=list(time.may_give),
        paused=time.is_paused,
        paused_until=_write(time.paused_until),
        wishes=[api_schema.PauseWish(mage=name, minutes=length // MINUTE) for name, length in time.wishes],
        used=[
            api_schema.TimeUsed(mage=each.mage, seconds=int(each.at(now).total_seconds()), late_turns=each.late)
            for each in time.times_used
        ],
        missing=list(time.missing),
        here_until=_write(time.here_until),
        call_off=_write_consent(time.call_off),
        claim=_write_consent(time.claim),
        stand_in=_write_consent(time.seat_offer),
    )


@router.post(
    "/{int:number}/time/take/",
    auth=PLAY,
    url_name="battle_take_time",
    response={200: api_schema.Extended, **ACTS},
    summary="Take extra time",
)
def take_extra_time(request: HttpRequest, number: int, sent: api_schema.OfMage) -> api_schema.Extended:
    """Extend your own deadline by the length that the pace allows, at most twice in a battle."""
    mine = _find_own(request, number, sent)
    row = take_time(combatant=mine, now=timezone.now(), arrived_at=find_arrival(request))
    return api_schema.Extended(mage=mine.mage.name, ends_at=_write(row.ends_at))


@router.post(
    "/{int:number}/time/give/",
    auth=PLAY,
    url_name="battle_give_time",
    response={200: api_schema.Extended, **ACTS},
    summary="Give extra time",
)
def give_extra_time(request: HttpRequest, number: int, sent: api_schema.GivenTime) -> api_schema.Extended:
    """Extend the deadline of another user's mage, who is notified."""
    giver = _find_own(request, number, sent)
    row, _length = give_time(giver=giver, mage_name=sent.to, days=sent.days, now=timezone.now())
    return api_schema.Extended(mage=row.combatant.mage.name, ends_at=_write(row.ends_at))


@router.post(
    "/{int:number}/pause/",
    auth=PLAY,
    url_name="battle_pause",
    response={200: api_schema.Paused, **ACTS},
    summary="Ask for a pause, or agree to it",
)
def ask_for_pause(request: HttpRequest, number: int, sent: api_schema.NewPause) -> api_schema.Paused:
    """A pause begins once all players agree within seven days, and is as long as the shortest wish. 0 minutes withdraw
    the wish; during a pause, they ask to end it."""
    agreed = ask_pause(combatant=_find_own(request, number, sent), minutes=sent.minutes, now=timezone.now())
    return api_schema.Paused(done=agreed)


@router.post(
    "/{int:number}/here/",
    auth=PLAY,
    url_name="battle_here",
    response={200: api_schema.Present, **ACTS},
    summary="Say that you are here",
)
def say_here(request: HttpRequest, number: int, sent: api_schema.OfMage) -> api_schema.Present:
    """The clocks of a live battle start once all its players are here."""
    return api_schema.Present(
        missing=list(record_presence(combatant=_find_own(request, number, sent), now=timezone.now()))
    )


@router.post(
    "/{int:number}/call-off/",
    auth=PLAY,
    url_name="battle_call_off",
    response={200: api_schema.Chosen, **ACTS},
    summary="Call a battle off",
)
def call_off(request: HttpRequest, number: int, sent: api_schema.NewChoice) -> api_schema.Chosen:
    """Once another player has been absent for too long and all who are present agree, the battle ends without scores
    and deaths. Until the first turn resolves, those whose orders are in can do it one day after the start (in a live
    battle, one minute), because it waits for the others; not in leagues and cups."""
    consent = call_off_battle(combatant=_find_own(request, number, sent), now=timezone.now(), agrees=sent.agrees)
    return _write_choice(sent, consent)


@router.post(
    "/{int:number}/claim/",
    auth=PLAY,
    url_name="battle_claim",
    response={200: api_schema.Chosen, **ACTS},
    summary="Claim a battle",
)
def claim(request: HttpRequest, number: int, sent: api_schema.NewChoice) -> api_schema.Chosen:
    """Once another player has been absent for too long and all who are present agree, it counts as that mage's
    surrender: they live, a duel is won, and a melee continues."""
    consent = claim_battle(combatant=_find_own(request, number, sent), now=timezone.now(), agrees=sent.agrees)
    return _write_choice(sent, consent)


@router.post(
    "/{int:number}/stand-in/",
    auth=PLAY,
    url_name="battle_stand_in",
    response={200: api_schema.Chosen, **ACTS},
    summary="Let a bot play for an absent player",
)
def let_bot_play(request: HttpRequest, number: int, sent: api_schema.NewChoice) -> api_schema.Chosen:
    """Once all who are present agree, a bot plays until the absent player comes back. The battle is then practice."""
    consent = offer_seat(combatant=_find_own(request, number, sent), now=timezone.now(), agrees=sent.agrees)
    return _write_choice(sent, consent)


def _find_own(request: HttpRequest, number: int, sent: api_schema.OfMage) -> Combatant:
    return get_combatant_for_user(number=number, user=caller_of(request), mage_name=sent.mage)


def _write(moment: datetime.datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _write_consent(consent: Consent | None) -> api_schema.Choice | None:
    if consent is None:
        return None
    return api_schema.Choice(
        absent=list(consent.absent), agreed=list(consent.agreed), missing=list(consent.missing), you=consent.has_agreed
    )


def _write_choice(sent: api_schema.NewChoice, consent: Consent) -> api_schema.Chosen:
    return api_schema.Chosen(
        done=sent.agrees and not consent.missing,
        absent=list(consent.absent),
        agreed=list(consent.agreed),
        missing=list(consent.missing),
        you=sent.agrees,
    )


def _refuse(request: HttpRequest, error: DuelRefused) -> JsonResponse:
    return refuse(HTTPStatus.CONFLICT, "refused", str(error), reason=error.code)


# The response to the refusals that have no code of their own.
REFUSALS: Refusals = {DuelRefused: _refuse}
