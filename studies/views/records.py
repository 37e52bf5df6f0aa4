"""The records of a battle: its texts, and the record that replays it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from duels.battle_page import about_one_battle
from duels.errors import NothingRecorded, RecordSealed
from rules_engine.records import Record, write_json, write_record
from studies.selectors.records import (
    get_record_after_end,
    get_story_for_anyone,
    get_table_for_anyone,
    get_transcript_for_anyone,
)


@require_safe
@about_one_battle
def show_table(request: HttpRequest, number: int) -> HttpResponse:
    """Show the battle as a table (SHOW), in text."""
    return _show_text(request, number, "table", get_table_for_anyone(number=number))


@require_safe
@about_one_battle
def show_story(request: HttpRequest, number: int) -> HttpResponse:
    """Show the battle as a story (DESCRIBE), in text."""
    return _show_text(request, number, "story", get_story_for_anyone(number=number))


@require_safe
@about_one_battle
def show_transcript(request: HttpRequest, number: int) -> HttpResponse:
    """Show every gesture and every event of the battle, in text."""
    return _show_text(request, number, "transcript", get_transcript_for_anyone(number=number))


@require_safe
@about_one_battle
def download_record(request: HttpRequest, number: int) -> HttpResponse:
    """Download the record that replays the battle; only after the end."""
    return _download(number, "txt", write_record, "text/plain; charset=utf-8")


@require_safe
@about_one_battle
def download_json(request: HttpRequest, number: int) -> HttpResponse:
    """Download the record of the battle as JSON; only after the end."""
    return _download(number, "json", write_json, "application/json")


def _download(number: int, ending: str, write: Callable[[Record], str], content_type: str) -> HttpResponse:
    """Return the record as a file, or a 409 that says why there is none yet."""
    try:
        text = get_record_after_end(number=number, write=write)
    except (RecordSealed, NothingRecorded) as error:
        return write_text(f"{error}\n", status=409)
    answer = HttpResponse(text, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="battle-{number}.{ending}"'
    return answer


def _show_text(request: HttpRequest, number: int, name: str, text: str) -> HttpResponse:
    """Show the text on a page, or with `?plain` as plain text; the same for every reader."""
    if "plain" in request.GET:
        return write_text(text)
    return render(request, "studies/as_text.html", {"number": number, "name": name, "text": text})


def write_text(text: str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
