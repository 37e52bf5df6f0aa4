"""The lessons on the real board: a list, and a page for each task. They work without an account and without scripts."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from duels.board import Board, SentOrders, build_position_board
from duels.board.story import describe_rule
from duels.order_form import OrderForm, read_order_form
from duels.selectors.battle_view import BattleView
from operations.web.same_site import refuse_other_sites
from pictures.answers import answer_board
from pictures.page_cards import make_board_card, make_page_card
from rules_engine import get_ruleset, narrate_all
from rules_engine.schools import name_sign
from studies.lesson_path import mark_way, read_path
from studies.lesson_tasks import BY_SLUG, LESSONS
from studies.lessons import PUPIL, Lesson, play_task, set_up
from studies.progress import RULESET, Progress, account_of, name_task, read_progress, remember_in_browser
from studies.selectors.positions import see_position
from studies.services.progress import record_steps
from studies.shelf import list_lesson_spells, list_taught, read_shelf


@dataclass(frozen=True)
class LessonResult:
    """The result of the orders: whether the task is solved, and the story of the turn."""

    solved: bool
    story: tuple[str, ...]


@require_safe
@never_cache
def show_lessons(request: HttpRequest) -> HttpResponse:
    """Show the lessons and which of them the reader has done."""
    known = read_progress(request)
    return render(
        request,
        "studies/lessons.html",
        {
            "nav_current": "learn",
            "path": read_path(request),
            "shelf": read_shelf(known.tasks, known.spells),
            "card": make_page_card("lessons", path=request.path),
        },
    )


@require_safe
def show_lesson_card(request: HttpRequest, slug: str, step: int) -> HttpResponse:
    """Show the board of a task as a picture, for links to it."""
    lesson = BY_SLUG.get(slug)
    if lesson is None or not 1 <= step <= len(lesson.tasks):
        raise Http404(_("There is no such lesson."))
    return answer_board(_draw(lesson, step).sides, title=str(lesson.title), facts=[str(lesson.about)])


@csrf_exempt  # so that visitors get no cookie; refuse_other_sites protects what it stores
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_task(request: HttpRequest, slug: str, step: int = 1) -> HttpResponse:
    """Show a task; a POST plays the turn, or previews the chosen gestures."""
    lesson = BY_SLUG.get(slug)
    if lesson is None or not 1 <= step <= len(lesson.tasks):
        raise Http404(_("There is no such lesson."))
    task = lesson.tasks[step - 1]
    form = read_order_form(request.POST) if request.method == "POST" else None
    board = _draw(lesson, step, SentOrders(form))
    result, status = None, 200
    if form is not None and form.act == "ready":
        if board.is_refused:
            status = 422
        elif board.is_severe and not form.confirmed:
            board = _draw(lesson, step, SentOrders(form, ask_to_confirm=True))
        else:
            refuse_other_sites(request)
            result, board = _play(lesson, step, form)
    known = read_progress(request)
    solved = known.tasks
    known_before = {spell.name for spell in read_shelf(solved, known.spells).spells if spell.is_known}
    if result and result.solved:
        solved |= {name_task(lesson, step)}
    context: dict[str, Any] = {
        "board": board,
        "lesson": lesson,
        "task": task,
        "step": step,
        "steps": [(n, name_task(lesson, n) in solved) for n in range(1, len(lesson.tasks) + 1)],
        "number": LESSONS.index(lesson) + 1,
        "result": result,
        "next": _find_next(lesson, step),
        "taught": [spell for spell in list_taught(task) if spell not in known_before],
        "card": make_board_card(
            title=str(lesson.title),
            description=str(lesson.about),
            image=reverse("studies:lesson_card", args=[slug, step]),
            path=reverse("studies:lesson", args=[slug, step]),
        ),
        "csrf_token": "",
    }
    live = request.GET.get("fragment") == "board"
    answer = render(request, "studies/_lesson_live.html" if live else "studies/lesson.html", context, status=status)
    if result and result.solved:
        _remember(request, answer, name_task(lesson, step))
    return answer


def _remember(request: HttpRequest, answer: HttpResponse, task: str) -> None:
    """Keep that the reader has solved this task: in their account, or else in their browser."""
    user = account_of(request)
    if user is None:
        remember_in_browser(request, answer, Progress(frozenset([task])))
    else:
        record_steps(user=user, steps=[task], now=timezone.now())


@require_safe
@never_cache
def show_lesson_done(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a reader who has solved all tasks of a lesson now knows, and the next lesson."""
    lesson = BY_SLUG.get(slug)
    if lesson is None:
        raise Http404(_("There is no such lesson."))
    path = read_path(request)
    milestone = next(each for each in path.milestones if each.lesson is lesson)
    if not milestone.done:
        return redirect("studies:lesson_start", slug)
    ruleset = get_ruleset(RULESET)
    taught = list_lesson_spells(lesson)
    known = read_progress(request)
    solved, cast = known.tasks, known.spells
    others = solved - {name_task(lesson, step) for step in range(1, len(lesson.tasks) + 1)}
    known_before = {spell.name for spell in read_shelf(others, cast).spells if spell.is_known}
    rules = [(spell, name_sign(spell), describe_rule(ruleset, ruleset.spells[spell].clause)) for spell in taught]
    after = next((each for each in path.milestones[milestone.number :] if not each.done), path.next)
    return render(
        request,
        "studies/lesson_done.html",
        {
            "nav_current": "learn",
            "lesson": lesson,
            "number": milestone.number,
            "taught": rules,
            "new": [spell for spell in taught if spell not in known_before],
            "shelf": read_shelf(solved, cast),
            "next": after,
            "path": path,
            "marks": mark_way(path, next_number=after.number if after else 0),
        },
    )


@require_safe
@never_cache
def go_on(request: HttpRequest) -> HttpResponse:
    """Redirect to the first task that the reader has not solved."""
    solved = read_progress(request).tasks
    for lesson in LESSONS:
        for step in range(1, len(lesson.tasks) + 1):
            if name_task(lesson, step) not in solved:
                return redirect("studies:lesson", lesson.slug, step)
    return redirect("studies:lessons")


def _play(lesson: Lesson, step: int, form: OrderForm) -> tuple[LessonResult, Board]:
    """Play the turn. Show the result if it solves the task; otherwise show the position again for another try."""
    after, solved = play_task(lesson.tasks[step - 1], form.text)
    events = [event for event in after.events[-1] if event.kind != "turn_begins"]
    sentences = tuple(filter(None, narrate_all(events, PUPIL)))
    if not solved:
        return LessonResult(solved, sentences), _draw(lesson, step)
    return LessonResult(solved, sentences), _build(see_position(after, mage=PUPIL, waits=False), lesson, step)


def _draw(lesson: Lesson, step: int, sent: SentOrders | None = None) -> Board:
    draft = sent.form.text if sent and sent.form else ""
    return _build(see_position(set_up(lesson.tasks[step - 1]), mage=PUPIL, draft=draft), lesson, step, sent)


def _build(view: BattleView, lesson: Lesson, step: int, sent: SentOrders | None = None) -> Board:
    page = reverse("studies:lesson", args=[lesson.slug, step])
    return build_position_board(view, page=page, title=str(lesson.title), sent=sent)


def _find_next(lesson: Lesson, step: int) -> str:
    """Return the page after this task: the next one, or what the whole lesson has taught."""
    if step < len(lesson.tasks):
        return reverse("studies:lesson", args=[lesson.slug, step + 1])
    return reverse("studies:lesson_done", args=[lesson.slug])
