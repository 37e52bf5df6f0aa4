"""The API of the ladders."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router
from pydantic import Field, WithJsonSchema

from accounts.api_access import READ
from ladder.selectors.ladders import find_ladder, read_ladder_page
from operations.text.suggestions import find_nearest_word, suggest_one_of
from operations.web.api_schema import LONGEST_PLACE, Outgoing, may_refuse
from operations.web.problems import Refusal, refuse

PLACES = 100
KINDS = ("duel", "melee")
# Another one is no ladder (404), rather than a wrong parameter.
Kind = Annotated[str, WithJsonSchema({"type": "string", "enum": list(KINDS)})]
router = Router(tags=["Ladders"])


class Place(Outgoing):
    """A place on a ladder."""

    place: int
    rank: int | None = Field(
        description="Mages with the same score have the same rank; null for one who never fought a battle of this kind."
    )
    mage: str
    user: str
    score: int
    gained: int = Field(description="The points gained in the last week.")
    battles: int
    rating: int | None
    provisional: bool = Field(description="Whether the rating is based on only a few battles.")
    doing: str = Field(description="`free`, `challenge` or `battle`.")
    number: int | None = Field(description="The number of that challenge or battle.")


class Places(Outgoing):
    """A part of a ladder."""

    kind: str
    ruleset: str = Field(description="Empty: all rulesets.")
    places: list[Place]
    more: bool = Field(description="Whether there are more places below.")


@router.get(
    "/{kind}/",
    auth=READ,
    url_name="ladder",
    response={200: Places, **may_refuse(400, 404)},
    summary="Read a ladder",
)
def read_ladder(
    request: HttpRequest,
    kind: Kind,
    ruleset: Annotated[str, Query(max_length=100, description="The ladder of one ruleset.")] = "",
    after: Annotated[int, Query(ge=0, lt=10**9, description="The last place that you have.")] = 0,
) -> Places:
    """A hundred places of the duel or melee ladder."""
    if kind not in KINDS:
        detail = _("There is no ladder “%(name)s”.") % {"name": kind[:LONGEST_PLACE]}
        detail = suggest_one_of(detail, find_nearest_word(kind, KINDS), KINDS)
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_ladder", detail))
    ladder = find_ladder(kind=kind, ruleset=ruleset)
    if ladder is None:
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_ladder", _("This ladder has no places yet.")))
    page = read_ladder_page(ladder, after=after, length=PLACES)
    places = [
        Place(
            place=row.place,
            rank=row.rank,
            mage=row.mage.name,
            user=row.user_name,
            score=row.score,
            gained=row.gained,
            battles=row.battles,
            rating=row.rating,
            provisional=row.is_provisional,
            doing=row.doing,
            number=row.number,
        )
        for row in page.rows
    ]
    return Places(kind=kind, ruleset=ruleset, places=places, more=not page.is_last)
