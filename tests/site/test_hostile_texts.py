"""Every text that users write is sent with hostile values: refused or stored, never a fault of ours, and shown as text.

The list is complete: every text column of the site is one that users fill, tried here, or has a reason in OTHERS.
"""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.cache import cache
from django.db import models
from django.utils import timezone

from accounts.services.ties import follow_user
from notifications.services.hooks import add_hook
from tests.scenes import log_in
from tests.services.plugin import LONG
from tests.site.test_hostile_requests import VALUES
from tests.site.test_obituaries import die_by_missile

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MARK = "grim-tidings"
EVIL = (
    f"{MARK}</p><script>alert(1)</script>",
    f'{MARK}" onmouseover="alert(1)',
    f"{MARK} {{% load x %}} {{{{ 7|add:42 }}}}",
    f"{MARK} [x](javascript:alert(1)) <https://evil.example/> https://evil.example/ @everyone <!channel>",
    f"{MARK} \u202egnp\u200b\u2066",
    f"{MARK}\r\nBcc: all@example.org\r\n\r\n<img src=x>",
    f"{MARK} %(name)s %s {{0}} {{name}}",
)
BROKEN = re.compile(
    r"<script>alert|\" onmouseover=\"alert|href=\"(?:javascript:|https://evil)|\u202e|\u200b|\u2066|<img src=x>|49\b"
)


@dataclass(frozen=True)
class Text:
    """A text column that users fill: where Mo sends it, with which other fields, and the pages that show it, to Hilde
    and to Mo themselves. `{n}` is the number of their battle."""

    address: str
    pages: tuple[str, ...]
    name: str = "text"
    more: tuple[tuple[str, str], ...] = ()
    own: tuple[str, ...] = ()


TEXTS = {
    "accounts.User.about": Text("/accounts/about/", ("/users/Mo/", "/mages/Moldavar/"), own=("/accounts/about/",)),
    "accounts.PrivateNote.text": Text("/users/Hilde/note/", (), own=("/users/Hilde/", "/users/Hilde/note/")),
    "accounts.ObituaryLine.text": Text("/mages/Brunhild/end/lines/", ("/mages/Brunhild/end/", "/news/")),
    "accounts.Message.text": Text(
        "/inbox/Hilde/", ("/inbox/Mo/", "/inbox/", "/news/", "/"), more=(("once", "0" * 16),), own=("/inbox/Hilde/",)
    ),
    "challenges.RoomLine.text": Text("/lobby/", ("/lobby/", "/play/"), more=(("once", "0" * 16),)),
    "challenges.Challenge.comment": Text(
        "/challenges/new/",
        ("/challenges/", "/play/", "/lobby/", "/"),
        name="comment",
        more=(("mage", "Moldavar"), ("openness", "one"), ("ruleset", "firetop-standard"), ("pace", "day")),
    ),
    "duels.ChatLine.text": Text(
        "/battles/{n}/chat/", ("/battles/{n}/chat/", "/mages/Brunhild/end/"), more=(("once", "0" * 16),)
    ),
    "moderation.Report.text": Text("/reports/new/", (), more=(("about", "Hilde"),), own=("/reports/",)),
    "notifications.Hook.name": Text(
        "/accounts/hooks/{hook}/",
        (),
        name="name",
        more=(("act", "save"), ("events", "ends")),
        own=("/accounts/hooks/", "/accounts/hooks/{hook}/"),
    ),
}
FORMS = "every form of every page is filled in with hostile values by test_form_fuzzing"
JANITORS = "written by janitors"
OTHERS = {
    **dict.fromkeys(
        (
            *("studies.Study.title", "studies.Branch.name", "studies.Branch.comment", "studies.Note.text"),
            *("studies.Collection.name", "studies.Collection.words", "studies.CollectionEntry.words"),
            *("accounts.ApiToken.name", "email_gateway.NewUserRequest.name"),
        ),
        FORMS,
    ),
    **dict.fromkeys(
        (
            *("accounts.AccountWarning.text", "accounts.Sanction.reason", "accounts.Sanction.lifted_why"),
            *("accounts.UserMerge.reason", "challenges.RoomMute.reason", "ladder.ScoreRevision.reason"),
            *("moderation.JournalEntry.reason", "moderation.JournalEntry.undone_reason", "moderation.Report.answer"),
            *("operations.Announcement.text", "operations.Maintenance.reason", "operations.SitePolicy.why"),
        ),
        JANITORS,
    ),
    "accounts.Mage.name": "letters, digits and _ only",
    "accounts.User.username": "letters, digits and _ only",
    "duels.OrderSheet.text": "orders, in the grammar's own tests; what SAY says is in test_hidden_texts",
    "challenges.Seat.reason": "one of the site's own (challenges.decline_reasons)",
    "operations.SitePage.text": "Markdown, tried in test_operators_pages",
    "notifications.Delivery.text": "emails that the site wrote",
    **dict.fromkeys(("operations.Chore.name", "operations.Lease.name", "operations.SiteSum.name"), "the site's own"),
    "studies.LearnedStep.name": "the site's own: what is not a task or spell is left out (studies.progress)",
}
# Columns that hold words are called so.
OF_WORDS = {"text", "comment", "words", "about", "title", "name", "username", "reason", "why", "lifted_why", "answer"}
OF_WORDS |= {"undone_reason"}
OURS = (
    "operations",
    "notifications",
    "accounts",
    "ladder",
    "duels",
    "studies",
    "challenges",
    "league",
    "moderation",
    "email_gateway",
)


def list_columns_of_words() -> set[str]:
    columns = [(model, field) for model in apps.get_models() for field in model._meta.local_fields]
    return {
        f"{model._meta.label}.{field.name}"
        for model, field in columns
        if model._meta.app_label in OURS
        and isinstance(field, models.CharField | models.TextField)
        and not field.choices
        and field.name in OF_WORDS
    }


def test_every_text_column_is_tried_or_has_a_reason():
    assert list_columns_of_words() == {*TEXTS, *OTHERS} and not {*TEXTS} & {*OTHERS}


@pytest.fixture
def meet() -> Any:
    """Mo has killed Hilde's Brunhild, may write everywhere, and Hilde follows them."""
    cache.clear()
    fight: Any = die_by_missile()
    mo, hilde = fight.user("Moldavar"), fight.user("Brunhild")
    for user in (mo, hilde):
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    follow_user(user=hilde, followed=mo, now=timezone.now())
    fight.mo, fight.hilde = mo, hilde
    return fight


@pytest.mark.parametrize("column", TEXTS)
def test_a_hostile_text_is_refused_or_shown_as_text(meet: Any, column: str):
    text, sent, shown = TEXTS[column], 0, 0
    hook, _secret = add_hook(
        user=meet.mo,
        scope="user",
        form="ntfy",
        name="phone",
        url="https://ntfy.sh/mo",
        events=["ends"],
        now=timezone.now(),
    )
    app, model, _ = column.split(".")
    rows = apps.get_model(app, model).objects
    mo, hilde = log_in(meet.mo, raise_request_exception=False), log_in(meet.hilde, raise_request_exception=False)
    # Each value is tried in a third of the columns at the short count, and in every form by test_form_fuzzing.
    values = VALUES if LONG else VALUES[list(TEXTS).index(column) % 3 :: 3]
    for value in (*values, *EVIL):
        form = {**dict(text.more), text.name: value.decode("latin-1") if isinstance(value, bytes) else value}
        answer = mo.post(text.address.format(n=meet.number, hook=hook.pk), form)
        assert answer.status_code in (302, 400, 422), (value, answer.status_code)
        sent += answer.status_code == 302
        reads = [(hilde, page) for page in text.pages] + [(mo, page) for page in text.own]
        if value in EVIL and answer.status_code == 302:
            for client, page in reads:
                read = client.get(page.format(n=meet.number, hook=hook.pk), follow=True)
                html = read.content.decode()
                assert read.status_code == 200 and not BROKEN.search(_list_lines(html)), (value, page)
                shown += MARK in html
        if model not in ("User", "Hook") and answer.status_code == 302:
            _forget(rows, meet)
        cache.clear()
    assert sent >= 5 and shown >= 5, "the texts arrive and are seen somewhere"


def _list_lines(html: str) -> str:
    """Return the lines of a page with the text: others have numbers of their own."""
    return "\n".join(line for line in re.sub(r"<svg.*?</svg>", "", html, flags=re.S).split("\n") if MARK in line)


def _forget(rows: Any, fight: Any) -> None:
    if rows.model.__name__ == "Challenge":
        log_in(fight.mo).post(f"/challenges/{rows.latest('number').number}/withdraw/", {"mage": "Moldavar"})
    else:
        rows.all().delete()
