"""The API of battles that are over: find them, and read any battle as a table, a story or a record."""

from http import HTTPStatus
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.forms import ChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router

from accounts.api_access import READ
from accounts.selectors.names import find_nearest_name
from duels.errors import NothingRecorded, RecordSealed
from duels.names import list_result_names
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from ladder.selectors.search import search_battles
from notifications.selectors.notices import zone_of
from operations.text.suggestions import find_nearest_word, suggest_one_of
from operations.web.api_schema import LONGEST_PLACE, MOST_NUMBER, may_refuse, refuse_items, write_problem_item
from operations.web.problems import Refusal, Refusals, refuse_as
from studies.api import schema as api_schema
from studies.search_form import SearchForm
from studies.selectors.records import get_record_after_end, get_story_for_anyone, get_table_for_anyone

router = Router(tags=["Battles"])


@router.get(
    "/search/",
    auth=READ,
    url_name="battle_search",
    response={200: api_schema.FoundBattles, **may_refuse(400)},
    summary="Search battles that are over",
)
def search_finished_battles(
    request: HttpRequest,
    parameters: Query[api_schema.SearchParameters],
    before: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="Only battles before this one.")] = None,
) -> api_schema.FoundBattles:
    """Fifty battles that are over and match everything you ask for, newest first."""
    form = SearchForm(parameters.model_dump(), zone=zone_of(request.user))
    if not form.is_valid():
        problems = [
            _write_problem(form, place, error) for place, errors in form.errors.as_data().items() for error in errors
        ]
        raise Refusal(refuse_items(HTTPStatus.BAD_REQUEST, "parameter", problems))
    found = search_battles(form.read(), older_than=before)
    rows = [row for row in list_battles_by_number(found.numbers) if row.battle.is_over]
    return api_schema.FoundBattles(
        battles=[write_found(row) for row in rows], before=found.numbers[-1] if found.has_more else None
    )


def _write_problem(form: SearchForm, place: str, error: ValidationError) -> dict[str, Any]:
    """Return what is wrong with a parameter, with the nearest value that it can have."""
    field, sent = form.fields[place], str(form.data[place])
    if isinstance(field, ChoiceField) and error.code == "invalid_choice":
        choices: Any = field.choices
        known = {str(value).lower(): str(value) for value, _words in choices if value}
        nearest = known.get(find_nearest_word(sent, known) or "")
        words = _('"%(name)s" cannot be "%(value)s".') % {"name": place, "value": sent[:LONGEST_PLACE]}
        return write_problem_item(place, error.code, suggest_one_of(words, nearest, known.values()), nearest)
    nearest = find_nearest_name(sent) if error.code == "unknown" else None
    return write_problem_item(place, str(error.code or "parameter"), " ".join(error.messages), nearest)


def write_found(row: ShownBattle) -> api_schema.FoundBattle:
    return api_schema.FoundBattle(
        battle=row.number,
        kind=row.kind,
        ruleset=row.battle.ruleset,
        mages=list(row.mages),
        users=list(row.users),
        bots=list(row.bots),
        winners=list_result_names(row.battle.result, "winners"),
        turn=row.label,
        ended=row.battle.finished_at,
    )


@router.get(
    "/{int:number}/table/",
    auth=READ,
    url_name="battle_table",
    response={200: api_schema.Table, **may_refuse(404)},
    summary="Read a battle as a table",
)
def read_table(request: HttpRequest, number: int) -> api_schema.Table:
    """The table (SHOW), the same for every caller."""
    return api_schema.Table(battle=number, table=get_table_for_anyone(number=number))


@router.get(
    "/{int:number}/story/",
    auth=READ,
    url_name="battle_story",
    response={200: api_schema.Story, **may_refuse(404)},
    summary="Read a battle as a story",
)
def read_story(request: HttpRequest, number: int) -> api_schema.Story:
    """The story (DESCRIBE), the same for every caller."""
    return api_schema.Story(battle=number, story=get_story_for_anyone(number=number))


@router.get(
    "/{int:number}/record/",
    auth=READ,
    url_name="battle_record",
    response={200: api_schema.Record, **may_refuse(404, 409)},
    summary="Read the record of a battle",
)
def read_record(request: HttpRequest, number: int) -> api_schema.Record:
    """The record that replays the battle, with every order and roll; only after the end."""
    return api_schema.Record(battle=number, record=get_record_after_end(number=number))


# The response to each error of the selectors.
REFUSALS: Refusals = {
    RecordSealed: refuse_as(HTTPStatus.CONFLICT, "not_over"),
    NothingRecorded: refuse_as(HTTPStatus.CONFLICT, "not_played"),
}
