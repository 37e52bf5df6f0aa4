"""The page of a mage's death."""

from collections import Counter
from contextlib import suppress

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Name, User
from accounts.names import nearest_free_name
from accounts.selectors.names import find_mage, find_nearest_name
from duels.board.ending import EndScene
from duels.board.news import describe_result
from duels.errors import UnreadableBattle
from duels.selectors.battle_view import TurnStory, Window
from duels.selectors.result_news import find_death, find_last_turn
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.finish import mark_results_seen
from fm_site.pages.profiles import name_others
from ladder.selectors.profiles import list_latest_sides, read_mage_profile
from ladder.selectors.scores import describe_mages
from operations.text.suggestions import suggest

# How many of a dead mage's battles its page counts, and how many opponents it names.
MOST_REMEMBERED = 200
OTHERS_SHOWN = 10


@require_safe
@never_cache
def show_end(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mage's death: the last turn, score and honours, frequent opponents; its user can name the next mage."""
    mage = find_mage(name)
    if mage is None:
        raise Http404(suggest(_("No mage is called %(name)s.") % {"name": name[:20]}, find_nearest_name(name)))
    if mage.is_alive or mage.name != name:
        return redirect("mage" if mage.is_alive else "mage_end", mage.name)
    news = find_death(mage)
    is_mine = isinstance(request.user, User) and mage.user_id == request.user.pk
    last = find_last_turn(news) if news else None
    stories: tuple[TurnStory, ...] = ()
    if news and last is not None:
        window = Window(latest=1, before=last + 1)
        with suppress(UnreadableBattle):
            stories = get_battle_for_viewer(number=news.number, user=request.user, window=window).stories
    if news and is_mine and request.method == "GET":
        mark_results_seen(user=mage.user, numbers=[news.number])
    others = Counter(name for side in list_latest_sides(mage=mage, limit=MOST_REMEMBERED) for name in name_others(side))
    if news:  # the last battle may not be in the records yet
        others |= Counter(news.others)
    context = {
        "mage": mage,
        # The picture of the end of a battle.
        "end": {"scene": EndScene("death", (), ()), "mage": mage.name},
        "is_mine": is_mine,
        "result": describe_result(news) if news else None,
        "story": stories[-1] if stories else None,
        "how": list_deaths(stories[-1]) if stories else [],
        "summary": describe_mages([mage])[0],
        "trophies": read_mage_profile(mage).trophies,
        "others": others.most_common(OTHERS_SHOWN),
        "next_name": nearest_free_name(mage.name, kind=Name.Kind.MAGE, user=mage.user) if is_mine else "",
    }
    return render(request, "mage_end.html", context)


def list_deaths(story: TurnStory) -> list[str]:
    """Return how mages died in a turn: the first cause first, the death last."""
    causes: dict[str, int] = {}
    for line in story.lines:
        if line.kind == "mage_dies":
            causes |= {each.text: each.number or 0 for each in reversed(line.reasons)} | {line.text: line.number}
    return sorted(filter(None, causes), key=lambda text: causes[text])
