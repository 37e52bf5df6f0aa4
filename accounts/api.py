"""The API about the caller: their account, events, notification choices and hooks."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlsplit

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router
from ninja.responses import Status

from accounts import api_schema
from accounts.api_access import BOT, PLAY, READ_OWN, caller_of, token_of
from accounts.models import Mage
from accounts.selectors.absence import find_vacation, read_vacation_days
from accounts.selectors.engagements import find_duels_besides
from accounts.selectors.users import list_mages_of
from accounts.services.users import set_about
from accounts.services.vacations import end_vacation, start_vacation
from notifications.errors import InvalidHook, NotificationRefused
from notifications.events import is_event_id, list_events, write_place
from notifications.matrix import EMAIL, HOOK, PAGE, PUSH, SUBJECTS, Subject, choose_preset, find_preset
from notifications.models import Hook
from notifications.preferences import AT_ONCE, DIGEST, NEVER
from notifications.selectors.hooks import find_webhook, list_own_hooks
from notifications.selectors.notices import preferences_of
from notifications.services.hooks import add_hook, remove_hook, set_webhook
from notifications.services.preferences import choose_notices
from operations.encryption import InvalidToken, unseal
from operations.web.api_schema import STREAM, may_refuse, refuse_items, write_problem_item
from operations.web.problems import Refusal, Refusals, refuse

router = Router(tags=["You"])


@router.get("/me/", auth=READ_OWN, url_name="me", response={200: api_schema.Me, **may_refuse()}, summary="Who am I?")
def read_me(request: HttpRequest) -> api_schema.Me:
    """You, your mages and your token."""
    user, token = caller_of(request), token_of(request)
    facts = None
    if token is not None:
        expires_at = token.expires_at.isoformat()
        facts = api_schema.TokenFacts(name=token.name, scopes=token.scopes.split(), expires_at=expires_at)
    mages = list(list_mages_of(user))
    duels = find_duels_besides(mages)
    return api_schema.Me(
        user=user.username,
        bot=user.is_bot,
        about=user.about,
        language=user.language,
        mages=[_write_mage(mage, duels.get(mage.pk, [])) for mage in mages],
        token=facts,
    )


@router.put(
    "/me/",
    auth=PLAY,
    url_name="me",
    response={200: api_schema.Me, **may_refuse(400, 409, 413, 415, 422)},
    summary="Say something about yourself",
)
def put_about(request: HttpRequest, sent: api_schema.NewAbout) -> api_schema.Me:
    """Change what your page says about you."""
    set_about(user=caller_of(request), text=sent.about)
    return read_me(request)


def _write_mage(mage: Mage, duels: list[int]) -> api_schema.OwnMage:
    engagement = mage.busy_with
    return api_schema.OwnMage(
        name=mage.name,
        retired=mage.is_retired,
        pronoun=mage.pronoun,
        busy_with=engagement.kind if engagement else None,
        number=engagement.number if engagement else None,
        duels=duels,
    )


@router.get(
    "/events/",
    auth=READ_OWN,
    url_name="events",
    response={200: api_schema.EventList, **may_refuse(400)},
    openapi_extra={"responses": {200: STREAM}},
    summary="What happened to me?",
)
def list_own_events(
    request: HttpRequest,
    after: Annotated[
        str,
        Query(description="The `next` of the last answer, or the id of the last event; without it, all that are kept."),
    ] = "",
) -> api_schema.EventList:
    """Your events in all battles and challenges.

    With `Accept: text/event-stream` (or without `Accept`) the answer is a stream of Server-Sent Events that stays open:
    new events only, or those after `Last-Event-ID`. An event may come twice, with the same id.
    """
    if after and not is_event_id(after):
        message = _('"after" must be the id of an event you have received.')
        raise Refusal(refuse(HTTPStatus.BAD_REQUEST, "after", message))
    now = timezone.now()
    events, has_more = list_events(user=caller_of(request), after=after)
    return api_schema.EventList(
        events=[api_schema.Event.model_validate(event.to_json()) for event in events],
        more=has_more,
        next=write_place(after=after, events=events, now=now),
    )


# What the API calls the channels and choices that are stored.
CHANNEL_KEYS = {"page": PAGE, "email": EMAIL, "push": PUSH, "hooks": HOOK}
CHOICE_VALUES = {"on": AT_ONCE, "off": NEVER, "daily": DIGEST}
CHOICE_WORDS = {value: word for word, value in CHOICE_VALUES.items()}


@router.get(
    "/notices/",
    auth=READ_OWN,
    url_name="notices",
    response={200: api_schema.Notices, **may_refuse()},
    summary="Read what you are told, and where",
)
def read_notices(request: HttpRequest) -> api_schema.Notices:
    """Your notification choices: what you are told, in which channel, and your quiet hours."""
    chosen = preferences_of(caller_of(request))
    return api_schema.Notices.model_validate(
        {
            "preset": find_preset(chosen) or None,
            "subjects": [
                {
                    "subject": name,
                    "title": str(subject.title),
                    **{word: _say_choice(subject, channel, chosen) for word, channel in CHANNEL_KEYS.items()},
                }
                for name, subject in SUBJECTS.items()
            ],
            "quiet_hours": {
                "on": chosen["quiet_hours"] == "yes",
                "begin": chosen["quiet_from"],
                "end": chosen["quiet_until"],
                "time_zone": chosen["time_zone"],
            },
        }
    )


def _say_choice(subject: Subject, channel: str, chosen: Mapping[str, str]) -> str | None:
    if key := subject.key(channel):
        return CHOICE_WORDS[chosen[key]]
    return "always" if channel in subject.always else None


@router.put(
    "/notices/",
    auth=PLAY,
    url_name="notices",
    response={200: api_schema.Notices, **may_refuse(400, 409, 413, 415, 422)},
    summary="Choose what you are told, and where",
)
def put_notices(request: HttpRequest, sent: api_schema.NewNotices) -> api_schema.Notices:
    """Change notification choices: all at once by a preset, single ones, and the quiet hours. If one of them cannot be
    chosen, nothing changes."""
    user = caller_of(request)
    chosen = preferences_of(user)
    wanted = choose_preset(sent.preset, chosen) if sent.preset else {}
    problems = []
    for place, each in enumerate(sent.choices):
        subject, channel, value = SUBJECTS[each.subject], CHANNEL_KEYS[each.channel], CHOICE_VALUES[each.choice]
        if subject.offers(channel, value):
            wanted[subject.key(channel)] = value
        else:
            slots = {"what": each.subject, "where": each.channel, "choice": each.choice}
            words = _("%(what)s by %(where)s cannot be %(choice)s.") % slots
            problems.append(write_problem_item(f"choices.{place}", "not_offered", words))
    if sent.quiet_hours is not None:
        on = None if sent.quiet_hours.on is None else ("yes" if sent.quiet_hours.on else "no")
        quiet = {"quiet_hours": on, "quiet_from": sent.quiet_hours.begin, "quiet_until": sent.quiet_hours.end}
        wanted |= {key: value for key, value in quiet.items() if value is not None}
        after = chosen | wanted
        if after["quiet_hours"] == "yes" and after["quiet_from"] == after["quiet_until"]:
            words = _("Quiet hours end at another time than they begin.")
            problems.append(write_problem_item("quiet_hours.end", "not_offered", words))
    if problems:
        raise Refusal(refuse_items(HTTPStatus.UNPROCESSABLE_ENTITY, "not_offered", problems))
    choose_notices(user=user, wanted=wanted)
    return read_notices(request)


@router.get(
    "/vacation/",
    auth=READ_OWN,
    url_name="vacation",
    response={200: api_schema.Vacation, **may_refuse()},
    summary="Read your vacation",
)
def read_own_vacation(request: HttpRequest) -> api_schema.Vacation:
    """Whether you are away, and how many days you have left."""
    return _describe_vacation(request)


@router.put(
    "/vacation/",
    auth=PLAY,
    url_name="vacation",
    response={200: api_schema.Vacation, **may_refuse(400, 409, 413, 415, 422)},
    summary="Go on vacation",
)
def put_vacation(request: HttpRequest, sent: api_schema.NewVacation) -> api_schema.Vacation:
    """Start a vacation, or change when yours ends. While you owe orders in a battle that is not live, all clocks in it
    stop. It ends when you give orders, or create or join a challenge or a battle."""
    start_vacation(user=caller_of(request), days=sent.days, now=timezone.now())
    return _describe_vacation(request)


@router.delete(
    "/vacation/",
    auth=PLAY,
    url_name="vacation",
    response={200: api_schema.Vacation, **may_refuse(400, 409, 422)},
    summary="Come back from your vacation",
)
def delete_vacation(request: HttpRequest) -> api_schema.Vacation:
    """End your vacation, if you are away."""
    end_vacation(user=caller_of(request), now=timezone.now())
    return _describe_vacation(request)


def _describe_vacation(request: HttpRequest) -> api_schema.Vacation:
    user, now = caller_of(request), timezone.now()
    vacation, days = find_vacation(user, now=now), read_vacation_days(user=user)
    return api_schema.Vacation(
        until=vacation.until.isoformat() if vacation else None,
        days_left=days.count_left(now.year),
        longest=days.find_longest(now),
    )


@router.get(
    "/webhook/",
    auth=READ_OWN,
    url_name="webhook",
    response={200: api_schema.Webhook, **may_refuse(404)},
    summary="Read your webhook",
)
def read_webhook(request: HttpRequest) -> api_schema.Webhook:
    """Where your webhook is, and whether it works: the hook that you set here."""
    webhook = find_webhook(caller_of(request))
    if webhook is None:
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_webhook", _("You have no webhook.")))
    return api_schema.Webhook(url=_read_site(webhook), **_describe_answers(webhook))


def _read_site(hook: Hook) -> str:
    """Return where a hook is, without the path, which may be a secret; "" if that was lost with an old key."""
    try:
        parts = urlsplit(unseal(hook.sealed)["url"])
    except InvalidToken:
        return ""
    return f"{parts.scheme}://{parts.netloc}/"


def _describe_answers(hook: Hook) -> dict[str, Any]:
    return {
        "answered_at": hook.answered_at.isoformat() if hook.answered_at else None,
        "failing_since": hook.failing_since.isoformat() if hook.failing_since else None,
        "error": hook.error,
        "paused": hook.paused_at is not None,
        "off": hook.off_at is not None,
    }


@router.put(
    "/webhook/",
    auth=BOT,
    url_name="webhook",
    response={200: api_schema.SetWebhook, **may_refuse(400, 409, 413, 415, 422)},
    summary="Set your webhook",
)
def put_webhook(request: HttpRequest, sent: api_schema.NewWebhook) -> api_schema.SetWebhook:
    """Have your events posted to an address. It replaces the previous one, and the secret is new each time."""
    try:
        webhook, secret = set_webhook(user=caller_of(request), url=sent.url, now=timezone.now())
    except InvalidHook as error:
        raise _refuse_hook(error) from error
    return api_schema.SetWebhook(url=sent.url, **_describe_answers(webhook), secret=secret)


def _refuse_hook(error: InvalidHook) -> Refusal:
    item = write_problem_item(error.field, error.field, str(error), error.nearest)
    return Refusal(refuse_items(HTTPStatus.UNPROCESSABLE_ENTITY, "webhook", [item]))


@router.delete(
    "/webhook/",
    auth=BOT,
    url_name="webhook",
    response={204: None, **may_refuse(400, 404, 409, 422)},
    summary="Remove your webhook",
)
def delete_webhook(request: HttpRequest) -> Status[None]:
    """Delete your webhook."""
    webhook = find_webhook(caller_of(request))
    if webhook is None or not remove_hook(hook=webhook):
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_webhook", _("You have no webhook.")))
    return Status(HTTPStatus.NO_CONTENT, None)


@router.get(
    "/hooks/",
    auth=READ_OWN,
    url_name="hooks",
    response={200: api_schema.HookList, **may_refuse()},
    summary="List your hooks",
)
def list_hooks(request: HttpRequest) -> api_schema.HookList:
    """Your hooks, oldest first: chats, phones and programs that are told what happens in your battles."""
    return api_schema.HookList(hooks=[_write_hook(hook) for hook in list_own_hooks(caller_of(request))])


def _write_hook(hook: Hook) -> api_schema.Hook:
    return api_schema.Hook(
        id=hook.pk, format=hook.format, name=hook.name, events=hook.events, **_describe_answers(hook)
    )


@router.post(
    "/hooks/",
    auth=BOT,
    url_name="hooks",
    response={201: api_schema.AddedHook, **may_refuse(400, 409, 413, 415, 422)},
    summary="Add a hook",
)
def post_hook(request: HttpRequest, sent: api_schema.NewHook) -> Status[api_schema.AddedHook]:
    """Have a chat, a phone or a program told what happens in your battles. You can have five hooks."""
    try:
        hook, secret = add_hook(
            user=caller_of(request),
            scope=Hook.Scope.USER,
            form=sent.format,
            name=sent.name,
            url=sent.url,
            token=sent.token,
            room=sent.room,
            events=sent.events,
            now=timezone.now(),
        )
    except InvalidHook as error:
        raise _refuse_hook(error) from error
    return Status(HTTPStatus.CREATED, api_schema.AddedHook(**_write_hook(hook).model_dump(), secret=secret))


@router.delete(
    "/hooks/{hook_id}/",
    auth=BOT,
    url_name="hook",
    response={204: None, **may_refuse(400, 404, 409, 422)},
    summary="Remove a hook",
)
def delete_hook(request: HttpRequest, hook_id: int) -> Status[None]:
    """Delete one of your hooks."""
    own = next((each for each in list_own_hooks(caller_of(request)) if each.pk == hook_id), None)
    if own is None or not remove_hook(hook=own):
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "no_hook", _("You have no such hook.")))
    return Status(HTTPStatus.NO_CONTENT, None)


# The member of NewHook that each of these refusals is about; the others are about the user's hooks.
HOOK_MEMBERS = {"no_hook_name": "name", "no_hook_events": "events"}


def _refuse_notification(request: HttpRequest, error: NotificationRefused) -> JsonResponse:
    member = HOOK_MEMBERS.get(error.code)
    if member is None:
        return refuse(HTTPStatus.CONFLICT, "refused", str(error), reason=error.code)
    item = write_problem_item(member, error.code, str(error))
    return refuse_items(HTTPStatus.UNPROCESSABLE_ENTITY, "webhook", [item])


# The response to each error of the services.
REFUSALS: Refusals = {NotificationRefused: _refuse_notification}
