"""What a user has solved, by date. Only they see it."""

import datetime
from itertools import groupby

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studies.lesson_tasks import LESSONS
from studies.progress import account_of, learning_of, name_task
from studies.puzzle_names import name_puzzle
from studies.selectors.history import Solved, list_solved
from studies.selectors.puzzle_streak import show_streak

PER_PAGE = 100
TASKS = {name_task(each, step): (each, step) for each in LESSONS for step in range(1, len(each.tasks) + 1)}


@require_safe
@never_cache
@login_required
def show_history(request: HttpRequest) -> HttpResponse:
    """Show the puzzles and tasks that the user has solved, by days of UTC, the latest first."""
    user = account_of(request)
    if user is None:
        return redirect("keep")
    solved = [each for each in list_solved(user) if not each.task or each.task in TASKS]
    page = Paginator(solved, PER_PAGE).get_page(request.GET.get("page"))
    days = groupby(page.object_list, key=lambda each: each.at.astimezone(datetime.UTC).date())
    context = {
        "nav_current": "learn",
        "page": page,
        "days": [(day, [(*_describe(each), each) for each in rows]) for day, rows in days],
        "streak": show_streak(learning_of(request).first_tries, now=timezone.now()),
    }
    return render(request, "studies/history.html", context)


def _describe(solved: Solved) -> tuple[str, str]:
    """Return what was solved in words, and its page, "" if that is gone."""
    if solved.task:
        lesson, step = TASKS[solved.task]
        words = _("Lesson %(number)d: %(title)s, position %(step)d")
        slots = {"number": LESSONS.index(lesson) + 1, "title": lesson.title, "step": step}
        return words % slots, reverse("studies:lesson", args=[lesson.slug, step])
    if solved.puzzle is None:
        return _("Puzzle of the day"), ""
    slots = {"number": solved.puzzle, "task": name_puzzle(solved.kind)}
    return _("Puzzle %(number)d: %(task)s") % slots, reverse("studies:puzzle", args=[solved.puzzle])
