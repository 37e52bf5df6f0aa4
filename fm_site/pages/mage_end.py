"""The page of a mage's death."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.janitors import is_janitor
from accounts.models import Mage, Name, User
from accounts.models.obituary import OBITUARY_LENGTH
from accounts.names import nearest_free_name
from accounts.requests import UserRequest, get_mage_or_404
from duels.board.ending import describe_death
from duels.errors import DuelRefused, UnreadableBattle
from duels.selectors.battle_view import BattleView, TurnStory, Window
from duels.selectors.ending import TurnThatMattered
from duels.selectors.result_news import ResultNews, find_death, find_last_turn
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.finish import mark_results_seen
from fm_site.pages.profiles import name_others
from fm_site.pages.result_words import describe_result
from ladder.models import BattleSide, Feat
from ladder.selectors.profiles import list_deeds, list_latest_sides, read_mage_profile
from ladder.selectors.scores import describe_mages
from studies.selectors.obituaries import explain_no_line, find_last_words, find_line, list_lines_on
from studies.selectors.turning_points import find_turns_that_mattered
from studies.services.obituaries import remove_obituary_line, write_obituary_line

# How many of a dead mage's battles its page counts, and how many opponents it names.
MOST_REMEMBERED = 200
OTHERS_SHOWN = 10
DEEDS_SHOWN = 12


@dataclass(frozen=True)
class Deed:
    """Something that a mage did in a battle, for the story of its life."""

    number: int
    words: str
    at: datetime


class LineForm(forms.Form):
    """A line on a dead mage; the service checks its length, as it is then stored."""

    text = forms.CharField(
        label=gettext_lazy("Your line"),
        max_length=2 * OBITUARY_LENGTH,
        help_text=format_lazy(gettext_lazy("At most {most} characters. Everyone can see it."), most=OBITUARY_LENGTH),
        widget=forms.TextInput(attrs={"maxlength": OBITUARY_LENGTH, "autocomplete": "off"}),
    )


@require_safe
@never_cache
def show_end(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mage's death: last words, how it came, a life, what others say; its user can name the next mage."""
    mage = get_mage_or_404(name, suggests=True)
    if mage.is_alive or mage.name != name:
        return redirect("mage" if mage.is_alive else "mage_end", mage.name)
    return _show_page(request, mage, LineForm())


@require_POST
@login_required
@never_cache
def add_line(request: UserRequest, name: str) -> HttpResponse:
    """Save the reader's line on a dead mage."""
    mage = get_mage_or_404(name)
    if mage.is_alive:
        return redirect("mage", mage.name)
    form = LineForm(request.POST)
    if form.is_valid():
        try:
            write_obituary_line(mage=mage, writer=request.user, text=form.cleaned_data["text"], now=timezone.now())
        except DuelRefused as error:
            form.add_error("text", str(error))
        else:
            return redirect(f"{reverse('mage_end', args=[mage.name])}#lines")
    return _show_page(request, mage, form)


@require_POST
@login_required
@never_cache
def remove_line(request: UserRequest, name: str, line: int) -> HttpResponse:
    """Remove a line: the reader's own one, or one on their mage."""
    found = find_line(line, reader=request.user, now=timezone.now())
    if found is None or found.mage.name != name:
        raise Http404(_("There is no such line."))
    try:
        remove_obituary_line(line=found, by=request.user, now=timezone.now())
    except DuelRefused as error:
        raise PermissionDenied(str(error)) from error
    messages.success(request, _("The line is removed."))
    return redirect(f"{reverse('mage_end', args=[name])}#lines")


def _show_page(request: HttpRequest, mage: Mage, form: LineForm) -> HttpResponse:
    now = timezone.now()
    news = find_death(mage)
    is_mine = isinstance(request.user, User) and mage.user_id == request.user.pk
    last = find_last_turn(news) if news else None
    view: BattleView | None = None
    if news and last is not None:
        window = Window(latest=1, before=last + 1)
        with suppress(UnreadableBattle):
            view = get_battle_for_viewer(number=news.number, user=request.user, window=window)
    story = view.stories[-1] if view is not None and view.stories else None
    if news and is_mine and request.method == "GET":
        mark_results_seen(user=mage.user, numbers=[news.number])
    others = Counter(name for side in list_latest_sides(mage=mage, limit=MOST_REMEMBERED) for name in name_others(side))
    if news:  # the last battle may not be in the records yet
        others |= Counter(news.others)
    feats, killed = list_deeds(mage)
    profile = read_mage_profile(mage)
    is_dead = not mage.has_left
    refusal = explain_no_line(mage=mage, writer=request.user, now=now) if is_dead else None
    context = {
        "mage": mage,
        "owner": mage.user if mage.user.is_active and not mage.user.is_guest else None,
        "is_mine": is_mine,
        "result": describe_result(news) if news else None,
        "last_words": find_last_words(battle=news.number, mage=mage, reader=request.user, now=now) if news else "",
        "cause": describe_death(view, mage.name, last) if view is not None and last is not None else None,
        "saved": _find_what_could_have_saved(request, news, mage) if news else None,
        "story": story,
        "how": list_deaths(story) if story else [],
        "summary": describe_mages([mage])[0],
        "won": sum(row.won for row in profile.records),
        "killed": len(killed),
        "deeds": _list_deeds(feats, killed),
        "others": others.most_common(OTHERS_SHOWN),
        "lines": list_lines_on(mage, reader=request.user, now=now) if is_dead else [],
        "form": form if (is_dead and refusal is None) or form.is_bound else None,
        "block_words": str(refusal) if refusal is not None and refusal.code == "block_between" else "",
        "is_janitor": isinstance(request.user, User) and is_janitor(request.user),
        "next_name": nearest_free_name(mage.name, kind=Name.Kind.MAGE, user=mage.user) if is_mine else "",
    }
    return render(request, "mage_end.html", context, status=422 if form.errors else 200)


def _find_what_could_have_saved(request: HttpRequest, news: ResultNews, mage: Mage) -> TurnThatMattered | None:
    """Return the turn that cost the mage most, if an analysis of the battle is done and the reader may see it."""
    turns = find_turns_that_mattered(number=news.number, user=request.user, mage=mage.name, you=False) or ()
    worst = min(turns, key=lambda turn: turn.after - turn.before, default=None)
    return worst if worst is not None and worst.after < worst.before else None


def _list_deeds(feats: Iterable[Feat], killed: Iterable[BattleSide]) -> list[Deed]:
    """Return what a mage did, earliest first; of many deeds, the latest."""
    deeds = [Deed(feat.battle.number, feat.get_kind_display(), feat.battle.finished_at) for feat in feats]
    deeds += [
        Deed(side.number, _("Killed %(mage)s") % {"mage": side.mage.name}, side.battle.finished_at) for side in killed
    ]
    return sorted(deeds, key=lambda deed: deed.number)[-DEEDS_SHOWN:]


def list_deaths(story: TurnStory) -> list[str]:
    """Return how mages died in a turn: the first cause first, the death last."""
    causes: dict[str, int] = {}
    for line in story.lines:
        if line.kind == "mage_dies":
            causes |= {each.text: each.number or 0 for each in reversed(line.reasons)} | {line.text: line.number}
    return sorted(filter(None, causes), key=lambda text: causes[text])
