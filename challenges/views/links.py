"""Create and revoke invite links, and join by one: as a guest, with an account, or by signing up in the same step."""

from typing import Any

from allauth.account.app_settings import EMAIL_VERIFICATION
from allauth.account.utils import complete_signup
from allauth.account.views import SignupView
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.backends import BY_NAME
from accounts.errors import InvalidName
from accounts.forms import LONGEST_ATTEMPT, RegisterMageForm, name_refusal
from accounts.models import User
from accounts.requests import user_of
from accounts.selectors.ties import find_users_apart_from
from accounts.selectors.users import list_users_of_browser
from accounts.selectors.without_push import explain_without_push
from accounts.trace_hash import read_device
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.forms.new import MatchForm
from challenges.forms.signup import SignupWithMageForm
from challenges.guest_limit import limit_guests
from challenges.models import Challenge, InviteLink
from challenges.own_mages import list_living_mages, name_free_mages
from challenges.selectors.links import find_guest_of_click, find_link, find_live_link, has_joined_user
from challenges.services import invite_links
from challenges.services.invite_links import (
    join_as_guest,
    join_by_link,
    lets_guests_in,
    make_invite_link,
    register_mage_by_link,
    revoke_invite_link,
)
from challenges.shown import ShownChallenge
from challenges.views.shared import (
    address_of_battle,
    check_exists,
    choose_mage,
    get_row,
    lead_to_link,
    redirect_after,
    redirect_to_registration,
    render_page,
)
from operations.web.once import make_once_key
from pictures.page_cards import make_page_card

LONGEST_TOKEN = 64


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def make_link(request: HttpRequest, number: int) -> HttpResponse:
    """Create a link and redirect to a page that shows it. A GET shows the link in the URL, or else the challenge or
    the battle it has become."""
    row = get_row(request, number)
    if request.method != "POST":
        return show_link(request, row)
    mage = choose_mage(request)
    if mage is None:
        return redirect_to_registration(request, reverse("challenges:detail", args=[number]))
    try:
        __, token = make_invite_link(number=number, mage=mage, now=timezone.now())
    except ChallengeRefused as error:
        messages.error(request, str(error))
        return redirect("challenges:detail", number)
    return lead_to_link(number, token)


@login_required
@require_POST
def invite_friend(request: HttpRequest) -> HttpResponse:
    """Create a duel for a friend, and redirect to the page that shows its link."""
    user = user_of(request)
    mage = choose_mage(request)
    if mage is None:
        return redirect_to_registration(request, reverse("play"))
    form = MatchForm(request.POST, user=user)
    if not form.is_valid():
        messages.error(request, _("Choose a pace and stakes from the lists."))
        return redirect("play")
    try:
        challenge, token = invite_links.invite_friend(mage=mage, terms=form.terms(), now=timezone.now())
    except InvalidChallenge as error:
        messages.error(request, " ".join(problem.message for problem in error.problems))
        return redirect("play")
    return lead_to_link(challenge.number, token)


def show_link(request: HttpRequest, row: ShownChallenge) -> HttpResponse:
    """Show the visitor's link and who has joined. The URL contains the token, since only its hash is stored."""
    token = request.GET.get("token", "")
    link = find_live_link(token=token, now=timezone.now()) if 0 < len(token) <= LONGEST_TOKEN else None
    if link is None or link.challenge.number != row.number or link.made_by_id != user_of(request).pk:
        return redirect("challenges:detail", row.number)
    address = request.build_absolute_uri(reverse("challenges:join", args=[token]))
    return render_page(
        request,
        "link",
        {
            "challenge": row,
            "link": link,
            "address": address,
            "without_push": explain_without_push(user_of(request)),
        },
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_link(request: HttpRequest, number: int, link_id: int) -> HttpResponse:
    """Revoke a link of the visitor. Raises Http404 for any other."""
    check_exists(number)
    if request.method == "POST":
        if not revoke_invite_link(number=number, user=user_of(request), link_id=link_id, now=timezone.now()):
            raise Http404(_("You have no such link."))
        messages.success(request, _("The link no longer works."))
    return redirect("challenges:detail", number)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the challenge behind the link, and join it. A friendly duel begins at once, without an account; for other
    challenges strangers sign up in the same step, and guests before it."""
    again = _take_click_again(request, token)
    if again is not None:
        return again
    link = find_live_link(token=token, now=timezone.now())
    # A POST to a challenge that has just ended learns why from the service.
    if link is None or (request.method != "POST" and link.challenge.status != Challenge.Status.OPEN):
        return _say_why_over(request, token)
    is_guest = request.user.is_authenticated and user_of(request).is_guest
    wants_guest = request.method == "POST" and (is_guest or request.POST.get("as") == "guest")
    if wants_guest and _lets_in_as_guest(request, link):
        return _join_as_guest(request, token, link)
    if not request.user.is_authenticated:
        answer: HttpResponse = _sign_up(request, token=token, link=link)
        return answer
    if is_guest:
        if request.method == "POST":
            messages.info(request, _("Guests cannot do this. Sign up first: you keep your mage and your battles."))
            return redirect(f"{reverse('keep')}?{urlencode({'next': request.path})}")
        return render_page(request, "join", _describe(request, link))
    if request.method == "POST" and "name" not in request.POST:
        return _join_with_mage(request, token)
    form = RegisterMageForm(request.POST or None, user=user_of(request))
    if request.method == "POST" and form.is_valid():
        answer_or_none = _join_with_new_mage(request, token, form)
        if answer_or_none is not None:
            return answer_or_none
    context = {"form": form, "free_mages": name_free_mages(list_living_mages(request.user)), **_describe(request, link)}
    return render_page(request, "join", context, status=422 if request.method == "POST" else 200)


def _say_why_over(request: HttpRequest, token: str) -> HttpResponse:
    """Lead a visitor who has joined to the battle or challenge, and tell others why the link no longer works."""
    link = find_link(token=token) if len(token) <= LONGEST_TOKEN else None
    if link is None:
        return render_page(request, "link_over", {}, status=404)
    challenge = link.challenge
    is_started = challenge.status == Challenge.Status.STARTED
    battle = address_of_battle(challenge.number) if is_started else ""
    if request.user.is_authenticated and has_joined_user(user=user_of(request), challenge=challenge):
        return redirect(battle or reverse("challenges:detail", args=[challenge.number]))
    why = challenge.status if challenge.status != Challenge.Status.OPEN else "revoked"
    if why == "revoked" and link.state != InviteLink.State.REVOKED:
        why = "expired"
    return render_page(request, "link_over", {"why": why, "by": link.made_by, "battle": battle}, status=404)


class _SignupByLink(SignupView):  # type: ignore[misc]
    """The library's sign-up view, ending with a seat in the challenge."""

    template_name = "challenges/join.html"

    def get_form_class(self) -> type[Form]:
        return SignupWithMageForm

    def form_valid(self, form: SignupWithMageForm) -> HttpResponse:
        user, answer = form.try_save(self.request)
        if user is None:
            assert isinstance(answer, HttpResponse)
            return answer
        address = self._take_seat(user, form.cleaned_data["mage"])
        done: HttpResponse = complete_signup(self.request, user, EMAIL_VERIFICATION, address)
        return done

    def form_invalid(self, form: SignupWithMageForm) -> HttpResponse:
        answer: HttpResponse = self.render_to_response(self.get_context_data(form=form), status=422)
        return answer

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        described = _describe(self.request, self.kwargs["link"])
        return {"nav_current": "challenges", **described, **super().get_context_data(**more)}

    def _take_seat(self, user: User, name: str) -> str:
        """Return the next URL: the battle, the challenge, or the link again if the mage cannot join after all."""
        token = self.kwargs["token"]
        try:
            outcome = register_mage_by_link(
                token=token, user=user, name=name, terms_key=self.request.POST.get("terms", ""), now=timezone.now()
            )
        except (InvalidName, ChallengeRefused) as error:
            messages.error(self.request, str(error))
            return reverse("challenges:join", args=[token])
        return _address_of(outcome)


_sign_up = _SignupByLink.as_view()


def _lets_in_as_guest(request: HttpRequest, link: InviteLink) -> bool:
    """Return whether this visitor may take the seat as a guest. Someone who is suspended, or apart from the challenger,
    is not let in without their account by a browser that may know them.

    Nothing else about the visitor counts: an answer that depended on the address would tell the challenger, who can
    open the link too, that a user whom they block was there.
    """
    user = request.user if isinstance(request.user, User) else None
    if (user is not None and not user.is_guest) or not lets_guests_in(challenge=link.challenge):
        return False
    apart = find_users_apart_from([link.challenge.challenger.user_id])
    known = list_users_of_browser(read_device(request))
    return not any(each.is_held or each.pk in apart for each in known)


def _take_click_again(request: HttpRequest, token: str) -> HttpResponse | None:
    """Lead a stranger's click on "Play now" that arrives twice to the battle that it began, as the guest whom it made:
    a browser that keeps only this response needs their session. None for any other request."""
    if request.method != "POST" or request.user.is_authenticated:
        return None
    seated = find_guest_of_click(token=token, once=request.POST.get("once", ""), now=timezone.now())
    if seated is None:
        return None
    guest, challenge = seated
    login(request, guest, backend=BY_NAME)
    return redirect(_address_of(ActionOutcome(challenge.number, challenge.status)))


def _join_as_guest(request: HttpRequest, token: str, link: InviteLink) -> HttpResponse:
    guest = request.user if isinstance(request.user, User) else None
    name = request.POST.get("mage_name", "").strip()[:LONGEST_ATTEMPT]
    try:
        with limit_guests(request, is_new=guest is None):
            user, outcome = join_as_guest(
                token=token,
                user=guest,
                name=name,
                terms_key=request.POST.get("terms", ""),
                once=request.POST.get("once", ""),
                now=timezone.now(),
            )
    except (InvalidName, ChallengeRefused) as error:
        # The same click may have joined while this request waited for the challenge, or for the name.
        return _take_click_again(request, token) or _refuse_guest(request, token, link, name, error)
    if guest is None:
        login(request, user, backend=BY_NAME)
    return redirect(_address_of(outcome))


def _refuse_guest(
    request: HttpRequest, token: str, link: InviteLink, name: str, error: InvalidName | ChallengeRefused
) -> HttpResponse:
    if isinstance(error, InvalidName):
        context = {"form": SignupWithMageForm(), "mage_name": name, "name_errors": name_refusal(error).messages}
        return render_page(request, "join", {**context, **_describe(request, link)}, status=422)
    messages.error(request, str(error))
    return redirect("challenges:join", token)


def _join_with_mage(request: HttpRequest, token: str) -> HttpResponse:
    mage = choose_mage(request)
    if mage is None:
        return redirect("challenges:join", token)
    try:
        outcome = join_by_link(token=token, mage=mage, terms_key=request.POST.get("terms", ""), now=timezone.now())
    except ChallengeRefused as error:
        messages.error(request, str(error))
        return redirect("challenges:join", token)
    return redirect_after(request, outcome, _("You have joined challenge %(number)d.") % {"number": outcome.number})


def _join_with_new_mage(request: HttpRequest, token: str, form: RegisterMageForm) -> HttpResponse | None:
    """Return the response, or None if the form has an error to show."""
    name = form.cleaned_data["name"]
    try:
        outcome = register_mage_by_link(
            token=token,
            user=user_of(request),
            name=name,
            terms_key=request.POST.get("terms", ""),
            now=timezone.now(),
        )
    except InvalidName as error:
        form.add_error("name", name_refusal(error))
        return None
    except ChallengeRefused as error:
        messages.error(request, str(error))
        return redirect("challenges:join", token)
    return redirect_after(request, outcome, _("You have joined challenge %(number)d.") % {"number": outcome.number})


def _describe(request: HttpRequest, link: InviteLink) -> dict[str, object]:
    challenge = get_row(request, link.challenge.number)
    mages = list_living_mages(request.user)
    return {
        "challenge": challenge,
        "link": link,
        "card": make_page_card(
            "front",
            path=request.path,
            title=_("%(challenger)s invites you to a duel of wizards") % {"challenger": challenge.challenger},
        ),
        "is_in": challenge.own.why_not_code == "joined_already",
        "as_guest": _lets_in_as_guest(request, link),
        "once": make_once_key(),
        "busy_with": next((mage.busy_with for mage in mages if mage.busy_with is not None), None),
    }


def _address_of(outcome: ActionOutcome) -> str:
    if outcome.has_started:
        return address_of_battle(outcome.number)
    return reverse("challenges:detail", args=[outcome.number])
