"""The page of a battle. The selectors decide access, the services validate orders."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from duels.battle_page import STORIES_SHOWN, about_one_battle, draw_battle, wants_fragment
from duels.board import SentOrders
from duels.board.links import battle_url
from duels.errors import (
    IllegalOrders,
    InvalidOrders,
    NothingToOrder,
    OrdersFinal,
    StaleOrders,
    TimeIsOver,
    Unconfirmed,
)
from duels.order_form import SURRENDER, OrderForm, is_speech, read_order_form
from duels.problem_list import limit_problems
from duels.selectors.battle_view import BattleView, Window
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user
from duels.services.finish import mark_results_seen
from duels.services.orders import save_draft, submit_orders
from notifications.recent_reading import note_reading
from operations.web.arrival import find_arrival
from operations.web.numbers import read_number


@require_http_methods(["GET", "HEAD", "POST"])
@about_one_battle
def show_battle(request: HttpRequest, number: int) -> HttpResponse:
    """Show the battle, with live updates; a POST sends orders."""
    if request.method == "POST":
        return take_orders(request, number)
    # Behind the surrender link of deadline emails is a draft: the player still has to press Ready and confirm.
    view = get_battle_for_viewer(
        number=number,
        user=request.user,
        mage_name=request.GET.get("mage"),
        draft=SURRENDER if "resign" in request.GET else None,
        changing="change" in request.GET or "resign" in request.GET,
        window=read_window(request),
    )
    if view.window.before is not None and request.GET.get("fragment") == "story":
        return draw_battle(request, view, template="duels/_earlier.html")
    if request.user.is_authenticated and is_page_visible(request):
        note_reading(request.user.pk, number, now=timezone.now())
        if view.has_own_result:
            mark_results_seen(user=request.user, numbers=[number])
    return draw_battle(request, view)


def read_window(request: HttpRequest) -> Window:
    """Return which turns the page shows: the last ones, or with `?before=` some before that turn."""
    return Window(STORIES_SHOWN, read_number(request, "before"))


def is_page_visible(request: HttpRequest) -> bool:
    """Return whether anyone sees the response: False for a page in a hidden tab and for a prefetch."""
    return (
        request.method == "GET"
        and request.headers.get("X-Page") != "hidden"
        and "prefetch" not in request.headers.get("Sec-Purpose", "")
    )


@login_required
def take_orders(request: HttpRequest, number: int) -> HttpResponse:
    """Handle the order form: submit ready orders, or preview them."""
    form = read_order_form(request.POST)
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=form.mage or None)
    if form.act != "ready":
        return preview_orders(request, number, form)
    try:
        submit_orders(
            combatant=combatant,
            text=form.text,
            via="web",
            now=timezone.now(),
            stage=form.stage,
            ready=True,
            replace=True,
            confirmed=form.confirmed,
            ask_if_odd=True,
            arrived_at=find_arrival(request),
        )
    except Unconfirmed:
        return draw_battle(request, view_with(request, number, form), sent=SentOrders(form, ask_to_confirm=True))
    except (InvalidOrders, IllegalOrders) as error:
        problems = limit_problems(error.problems, size=len(form.text.encode("utf-8", "replace")))
        sent = SentOrders(form, problems)
        return draw_battle(request, view_with(request, number, form), sent=sent, status=422)
    except TimeIsOver as error:
        return draw_battle(
            request, view_now(request, number, form), sent=SentOrders(form, too_late=str(error)), status=409
        )
    except (StaleOrders, NothingToOrder, OrdersFinal):
        return draw_battle(request, view_now(request, number, form), sent=SentOrders(form, stale=True), status=409)
    if wants_fragment(request):
        return draw_battle(request, view_now(request, number, form))
    return HttpResponseRedirect(battle_url(number, form.mage))


@require_POST
@about_one_battle
@login_required
def preview_draft(request: HttpRequest, number: int) -> HttpResponse:
    """Update the hints for orders in progress; with save=1, save them as a draft too."""
    form = read_order_form(request.POST)
    combatant = get_combatant_for_user(number=number, user=request.user, mage_name=form.mage or None)
    stage, view = form.stage, view_with(request, number, form)
    if request.POST.get("save") == "1" and stage is not None:
        try:
            save_draft(combatant=combatant, text=view.draft or form.text, stage=stage)
        except StaleOrders:
            fresh, sent = view_now(request, number, form), SentOrders(form, stale=True)
            return draw_battle(request, fresh, sent=sent, status=409, template="duels/_live.html")
    return draw_battle(request, view, sent=SentOrders(form), template="duels/_live.html")


def preview_orders(request: HttpRequest, number: int, form: OrderForm) -> HttpResponse:
    """Render the page with the orders that were sent, without submitting them."""
    view = view_with(request, number, form)
    return draw_battle(request, view, sent=SentOrders(form), status=422 if view.problems else 200)


def view_now(request: HttpRequest, number: int, form: OrderForm) -> BattleView:
    """Return the battle as it is, without the form's orders."""
    return get_battle_for_viewer(number=number, user=request.user, mage_name=form.mage, window=read_window(request))


def view_with(request: HttpRequest, number: int, form: OrderForm) -> BattleView:
    """Return the battle with the form's orders in the pads, open for changes.

    If the line is not understood, the choices made on the pads stay.
    """

    def read(draft: str) -> BattleView:
        return get_battle_for_viewer(
            number=number,
            user=request.user,
            mage_name=form.mage,
            draft=draft,
            changing=True,
            window=read_window(request),
        )

    view = read(form.text)
    in_line = any(not is_speech(problem.text) for problem in view.problems)
    return read(form.with_pads) if in_line and form.with_pads != form.text else view
