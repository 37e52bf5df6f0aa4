"""The API of draws by agreement: an offer, and its answer."""

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from accounts.api_access import PLAY, READ_OWN, caller_of
from duels.api import draw_schema as api_schema
from duels.order_form import read_stage
from duels.selectors.battle_view import NOTHING
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user, read_view_draw
from duels.services.draws import Whose, accept_draw, offer_draw, refuse_draw
from operations.web.api_schema import may_refuse

router = Router(tags=["Battles"])


@router.get(
    "/{int:number}/draw/",
    auth=READ_OWN,
    url_name="battle_draw",
    response={200: api_schema.DrawNow, **may_refuse(403, 404)},
    summary="Read whether a draw is offered",
)
def read_draw(request: HttpRequest, number: int, mage: str | None = None) -> api_schema.DrawNow:
    """Whether you, or the other player, offer a draw in the open turn, and when you can offer one."""
    get_combatant_for_user(number=number, user=caller_of(request), mage_name=mage)
    return _describe(request, number, mage)


@router.post(
    "/{int:number}/draw/",
    auth=PLAY,
    url_name="battle_draw",
    response={200: api_schema.DrawDone, **may_refuse(400, 404, 409, 413, 415, 422)},
    summary="Offer a draw, or answer an offer",
)
def agree_on_draw(request: HttpRequest, number: int, sent: api_schema.NewDraw) -> api_schema.DrawDone:
    """Offer a draw in the open turn, from turn 5 on and once in five turns; accept or decline the other player's offer;
    or withdraw your own. If both offer one, it is agreed. An offer ends with its turn."""
    mine = get_combatant_for_user(number=number, user=caller_of(request), mage_name=sent.mage)
    stage, now, agreed = read_stage(sent.key or ""), timezone.now(), sent.act == "accept"
    if sent.act == "offer":
        agreed = offer_draw(combatant=mine, now=now, stage=stage) == "agreed"
    elif sent.act == "accept":
        accept_draw(combatant=mine, now=now, stage=stage)
    else:
        whose: Whose = "theirs" if sent.act == "decline" else "own"
        refuse_draw(combatant=mine, now=now, stage=stage, whose=whose)
    return api_schema.DrawDone(agreed=agreed, now=_describe(request, number, sent.mage))


def _describe(request: HttpRequest, number: int, mage: str | None) -> api_schema.DrawNow:
    view = get_battle_for_viewer(number=number, user=request.user, mage_name=mage, draft="", window=NOTHING)
    choice = read_view_draw(view)
    return api_schema.DrawNow(
        battle=number,
        possible=choice is not None,
        other=choice.other if choice else None,
        offered=choice is not None and choice.is_offered,
        offers=choice is not None and choice.has_offered,
        may_offer=choice is not None and choice.may_offer,
        from_turn=choice.from_turn if choice else None,
    )
