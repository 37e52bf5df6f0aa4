"""Statistics of all battles: spells, lengths, endings and openings, and the dump of all finished battles.

A task updates the figures; no page counts.
"""

from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.selectors.users import list_mages_by_activity, list_users_by_activity
from duels.terms import ENDINGS, name_ruleset
from ladder.charts import draw_lengths
from ladder.models import BattleSide, ScoreKind
from ladder.selectors.statistics import (
    find_opening,
    list_endings,
    list_openings_after,
    list_replies,
    list_replies_of_user,
    list_rulesets_counted,
    list_sides_with_opening,
    list_spell_figures,
    read_length_figures,
)
from operations.remote_files import make_link, read_file
from studies.dump import DumpPart, find_part, parse_index, read_index
from studies.dump.files import INDEX as DUMP_INDEX
from studies.dump.files import SUMS as DUMP_SUMS
from studies.openings import list_pair_letters, list_steps, read_line
from studies.selectors.dump import list_withheld_months
from studies.selectors.site_figures import read_site_figures

BATTLES_SHOWN = 12
PEOPLE_SHOWN = 20
REPLIES_SHOWN = 20
USUAL_RULESET = "firetop-standard"
# For the dump on another machine: how long its index and the links to its files are kept, and how long a page waits.
INDEX_LASTS, LINK_LASTS, STORAGE_SECONDS = 300, 1800, 10


@require_safe
def show_statistics(request: HttpRequest) -> HttpResponse:
    """Show figures of spells, lengths and endings, for all rulesets or for `?ruleset=`."""
    rulesets = list_rulesets_counted()
    ruleset = read_choice(request, "ruleset", ["", *rulesets], "")
    kind = read_kind(request)
    lengths = read_length_figures(kind=kind, ruleset=ruleset)
    endings = list_endings(kind=kind, ruleset=ruleset)
    now = timezone.now()
    context = {
        "nav_current": "ladder",
        "rulesets": name_rulesets(rulesets),
        "ruleset": ruleset,
        "kind": kind,
        "spells": list_spell_figures(ruleset=ruleset),
        "lengths": lengths,
        "chart": draw_lengths(lengths),
        "endings": [(str(ENDINGS.get(ending, ending)), battles) for ending, battles in endings],
        "figures": read_site_figures(),
        "active_users": [(each.username, (now - each.last_active_at).days) for each in _latest(list_users_by_activity)],
        "active_mages": [(each.name, (now - each.last_active_at).days) for each in _latest(list_mages_by_activity)],
    }
    return render(request, "statistics/statistics.html", context)


def _latest(list_by_activity: Any) -> Any:
    return list_by_activity(limit=PEOPLE_SHOWN)


@require_safe
def show_openings(request: HttpRequest) -> HttpResponse:
    """Show how mages began: `?line=` are the pairs of gestures so far, `?left=` and `?right=` add one more.

    In duels also what both mages played next after `?line=` against `?against=`, by those in a `?band=` of ratings.
    """
    rulesets = list_rulesets_counted()
    usual = USUAL_RULESET if USUAL_RULESET in rulesets or not rulesets else rulesets[0]
    ruleset = read_choice(request, "ruleset", [USUAL_RULESET, *rulesets], usual)
    kind = read_kind(request)
    line = _read_pairs("".join(request.GET.get(part, "") for part in ("line", "left", "right")))
    here = {"ruleset": ruleset, "kind": kind}
    after = list_openings_after(**here, line=line)
    played = sum(row.played for row in after)
    context = {
        "nav_current": "ladder",
        "rulesets": name_rulesets(rulesets),
        "ruleset": ruleset,
        "title": name_ruleset(ruleset),
        **(_read_replies(request, ruleset, line) if kind == ScoreKind.DUEL else {}),
        "kind": kind,
        "line": line,
        "steps": list_steps(line),
        "here": find_opening(**here, line=line) if line else None,
        "after": [(list_steps(row.line)[-1], row, round(100 * row.played / played)) for row in after],
        "gestures": list_pair_letters(),
        "sides": list_sides_with_opening(**here, line=line, limit=BATTLES_SHOWN) if line else [],
    }
    return render(request, "statistics/openings.html", context)


def _read_replies(request: HttpRequest, ruleset: str, line: str) -> dict[str, Any]:
    """Return what both mages played next, where both have played equally many pairs."""
    against = _read_pairs(request.GET.get("against", ""))
    bands = BattleSide.Band.choices[1:]
    band = read_choice(request, "band", ["", *(value for value, _label in bands)], "")
    end = min(len(line), len(against))
    sides = []
    for mine, theirs, chosen in ((line, against, line[end:]), (against, line, against[end:])):
        here = {"ruleset": ruleset, "mine": mine[:end], "theirs": theirs[:end]}
        rows = list_replies(**here, band=band)
        own = list_replies_of_user(user=request.user, **here) if isinstance(request.user, User) else {}
        total = sum(row.played for row in rows)
        found = [(list_steps(row.line)[-1], row, round(100 * row.played / total), own.get(row.pair)) for row in rows]
        sides.append({"steps": list_steps(mine), "chosen": chosen[:2], "replies": found[:REPLIES_SHOWN], "own": own})
    return {"against": against, "band": band, "bands": bands, "end": end, "both": sides}


def _read_pairs(text: str) -> str:
    line = read_line(text)
    if line is None:
        sentence = _(
            '"%(text)s" is not an opening. Write pairs of gestures, like SWPD: snap and wave, then palm and digit.'
        )
        raise Http404(sentence % {"text": text[:40]})
    return line


@require_safe
@never_cache
def show_dump(request: HttpRequest) -> HttpResponse:
    """List the files with their sizes and checksums."""
    text, parts = read_dump_index()
    written_at = parse_datetime(text)
    months: dict[str, list[object]] = {}
    for part in sorted(parts, key=lambda each: each.month, reverse=True):
        months.setdefault(part.month, []).append(part)
    context = {
        "nav_current": "ladder",
        "written_at": written_at,
        "months": list(months.items()),
        "withheld": list_withheld_months(written_at=written_at) if written_at else (),
    }
    return render(request, "statistics/dump.html", context)


@require_safe
@never_cache
def download_part(request: HttpRequest, name: str) -> HttpResponseBase:
    text, parts = read_dump_index()
    months, written_at = {part.name: part.month for part in parts}, parse_datetime(text)
    if name in months and written_at and months[name] in list_withheld_months(written_at=written_at):
        reason = _("A janitor has reopened a battle in %(name)s. Tonight the file will be written again without it.")
        return HttpResponse(f"{reason % {'name': name}}\n", status=404, content_type="text/plain; charset=utf-8")
    if settings.FM_DUMP_TO and name in {DUMP_INDEX, DUMP_SUMS, *months}:
        return HttpResponseRedirect(find_link(name))
    path = None if settings.FM_DUMP_TO else find_part(settings.FM_DUMP_DIR, name)
    if path is None:
        raise Http404(_("The dump has no file %(name)s.") % {"name": name[:40]})
    return FileResponse(path.open("rb"), as_attachment=True, filename=name)


def read_dump_index() -> tuple[str, list[DumpPart]]:
    """Return when the dump was written ("" for never) and its files. Raises ProgramFailed."""
    if not settings.FM_DUMP_TO:
        return read_index(settings.FM_DUMP_DIR)
    text = cache.get("dump")
    if text is None:
        text = read_file(settings.FM_DUMP_TO, DUMP_INDEX, seconds=STORAGE_SECONDS)
        cache.set("dump", text, INDEX_LASTS)
    return parse_index(text)


def find_link(name: str) -> str:
    """Return the address at which the storage itself gives out a file of the dump. Raises ProgramFailed."""
    link: str | None = cache.get(f"dump:{name}")
    if link is None:
        link = make_link(settings.FM_DUMP_TO, name, lasts=2 * LINK_LASTS, seconds=STORAGE_SECONDS)
        cache.set(f"dump:{name}", link, LINK_LASTS)
    return link


def read_kind(request: HttpRequest) -> str:
    """Return "duel" or "melee": what the URL asks for, or else "duel"."""
    return read_choice(request, "kind", ScoreKind.values, ScoreKind.DUEL.value)


def read_choice(request: HttpRequest, name: str, known: list[str], usual: str) -> str:
    """Return the value of a URL parameter if it is a known one, or else the usual value."""
    wanted = request.GET.get(name, "")
    return wanted if wanted in known and wanted else usual


def name_rulesets(names: list[str]) -> list[tuple[str, str]]:
    return [(name, name_ruleset(name)) for name in names]
