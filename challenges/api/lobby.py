"""The API of the lobby: the room of talk, and who is here."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from ninja import Query, Router

from accounts.api_access import PLAY, READ, READ_OWN, caller_of
from challenges.api import schema as api_schema
from challenges.errors import RoomRefused
from challenges.models import RoomLine
from challenges.selectors.lobby import read_lobby
from challenges.selectors.room import ShownRoom, read_room
from challenges.services.room import write_line
from operations.web.api_schema import MOST_NUMBER, may_refuse
from operations.web.once import make_once_key
from operations.web.problems import Refusals, refuse_as

router = Router(tags=["Lobby"])


@router.get(
    "/",
    auth=READ_OWN,
    url_name="people_here",
    response={200: api_schema.PeopleHere, **may_refuse()},
    summary="Read who is here",
)
def read_people_here(request: HttpRequest) -> api_schema.PeopleHere:
    """The people who have a page of the site open, as the lobby shows them to you. Programs are never among them."""
    shown = read_lobby(now=timezone.now()).show_to(caller_of(request))
    return api_schema.PeopleHere(
        people=[
            api_schema.PersonHere(
                user=each.user.username,
                doing=each.doing or None,
                battle=each.battle,
                url=reverse("user", args=[each.user.username]),
            )
            for each in shown.here
        ],
        count=shown.number_here,
        in_last_hour=shown.in_last_hour,
    )


@router.get(
    "/room/",
    auth=READ,
    url_name="room",
    response={200: api_schema.Room, **may_refuse(400)},
    summary="Read the room",
)
def read_lines(
    request: HttpRequest,
    before: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="Only lines before this one.")] = None,
) -> api_schema.Room:
    """What was said in the lobby's room, without the lines of users whom you block."""
    return _write_room(read_room(reader=request.user, now=timezone.now(), before=before))


@router.post(
    "/room/",
    auth=PLAY,
    url_name="room",
    response={200: api_schema.Room, **may_refuse(400, 409, 413, 415, 422)},
    summary="Say something in the room",
)
def say_in_room(request: HttpRequest, sent: api_schema.NewRoomLine) -> api_schema.Room:
    """Write a line. Send an `Idempotency-Key`, and a second copy writes nothing more."""
    user, now = caller_of(request), timezone.now()
    write_line(writer=user, text=sent.text, via=RoomLine.Via.API, once=make_once_key(), now=now)
    return _write_room(read_room(reader=user, now=now))


def _write_room(room: ShownRoom) -> api_schema.Room:
    return api_schema.Room(
        may_write=not room.refusal,
        why_not=room.refusal,
        lines=[
            api_schema.RoomLine(
                line=line.pk,
                user=str(line.writer),
                text=line.text,
                at=line.at,
                via=line.via,
                mine=line.mine,
                removed=line.removed,
            )
            for line in room.lines
        ],
        more=room.is_more,
    )


# The response to each error of the services.
REFUSALS: Refusals = {RoomRefused: refuse_as(HTTPStatus.CONFLICT, "cannot_chat")}
