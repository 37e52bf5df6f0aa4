"""The API of the caller: who they are, and what happened to them."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router

from accounts import api_schema
from accounts.api_access import READ_OWN, token_of, user_of
from accounts.models import Mage
from accounts.selectors import list_mages_of
from fm_site.notifications.events import MOST_AT_ONCE, is_event_id, list_events
from fm_site.operations.api_schema import may_refuse
from fm_site.operations.problems import Refusal, refuse

router = Router(tags=["You"])


@router.get("/me/", auth=READ_OWN, url_name="me", response={200: api_schema.Me, **may_refuse()}, summary="Who am I?")
def read_me(request: HttpRequest) -> api_schema.Me:
    """You, your mages and your token."""
    user, token = user_of(request), token_of(request)
    facts = None
    if token is not None:
        expires_at = token.expires_at.isoformat()
        facts = api_schema.TokenFacts(name=token.name, scopes=token.scopes.split(), expires_at=expires_at)
    return api_schema.Me(
        user=user.username,
        bot=user.is_bot,
        language=user.language,
        mages=[_write_mage(mage) for mage in list_mages_of(user)],
        token=facts,
    )


def _write_mage(mage: Mage) -> api_schema.OwnMage:
    engagement = mage.busy_with
    return api_schema.OwnMage(
        name=mage.name,
        retired=mage.is_retired,
        busy_with=engagement.kind if engagement else None,
        number=engagement.number if engagement else None,
    )


@router.get(
    "/events/",
    auth=READ_OWN,
    url_name="events",
    response={200: api_schema.EventList, **may_refuse(400)},
    summary="What happened to me?",
)
def list_own_events(
    request: HttpRequest,
    after: Annotated[
        str, Query(description="The id of the last event that you have; without it, all that are kept.")
    ] = "",
) -> api_schema.EventList:
    """Your events in all battles and challenges.

    With `Accept: text/event-stream` (or without `Accept`) the answer is a stream of Server-Sent Events that stays open:
    new events only, or those after `Last-Event-ID`. An event may come twice, with the same id.
    """
    if after and not is_event_id(after):
        told = _('"after" must be the id of an event that you have.')
        raise Refusal(refuse(HTTPStatus.BAD_REQUEST, "after", told))
    found = list_events(user=user_of(request), after=after)
    return api_schema.EventList(
        events=[api_schema.Event.model_validate(event.to_json()) for event in found], more=len(found) == MOST_AT_ONCE
    )
