"""Every page of the table of addresses is in the reader's language, and none of its texts is left in English."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.conf import settings as site
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import resolve
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import Mage
from accounts.services import set_language
from fm_site import texts
from fm_site.catalogues import SITE
from fm_site.demonstration import DEMONSTRATION
from fm_site.notifications.preferences import ZONES
from tests.house.test_addresses import ALLAUTHS, GETS, OURS, POSTS, people, token, write_address

__all__ = ["people", "token"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Apps whose own texts do not all go through gettext yet. Only ever shorten this list.
UNTRANSLATED = {"accounts", "challenges", "duels", "fm_site", "ladder", "moderation"}
# Pages for programs, and those that show one text as it is: rules, records and battles in the classic form.
AS_IT_IS = {"rules", "ruleset", "compare_rulesets", "duels:table", "duels:story", "duels:transcript", "api_problem"}
OPEN, CLOSE = "⟦", "⟧"
# A number in a drawing or a form field, with a decimal comma that no browser understands.
COMMA = re.compile(r'\b(?:x|y|[xyc][12xy]|r|width|height|value|min|max|step)="-?\d+,\d+"')
# What users wrote, names, and what is the same in every language.
ALLOWED = {
    "Firetop Mountain",
    "English",
    "Deutsch",
    "UTC",
    "Cedric",
    "cedric@example.org",
    "Janitor0",
    "janitor@example.org",
    "mine",
    "Python-urllib",
    *(user.username for user in DEMONSTRATION),
    *(user.email for user in DEMONSTRATION),
    *(mage for user in DEMONSTRATION for mage in user.mages),
    *(name for _, name in ZONES),
}


class VisibleTexts(HTMLParser):
    """Collects the texts inside a tag, with what screen readers say, but without scripts and code."""

    SILENT = frozenset({"script", "style", "code", "kbd", "samp", "pre", "bdi"})
    VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "use"})
    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self, inside: str) -> None:
        super().__init__()
        self.inside = inside
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        if self.inside in self.open:
            self.texts += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        text = " ".join(data.split())
        if text and self.inside in self.open and not self.SILENT & set(self.open):
            self.texts.append(text)


@pytest.fixture
def marked(tmp_path, settings):
    """German in which every text of ours is itself between two marks."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    pseudo = Catalog(locale="de", charset="utf-8")
    for message in texts.extract(SITE):
        if message.id:
            told = tuple(f"{OPEN}{form}{CLOSE}" for form in texts.as_forms(message.id))
            pseudo.add(message.id, told[0] if len(told) == 1 else told, context=message.context)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, pseudo)
    settings.LOCALE_PATHS = [tmp_path]


def list_unmarked(page: str, *, inside: str, excused: str = "") -> list[str]:
    """Return the texts of a page outside all marks that have letters and are neither allowed nor in `excused`."""
    reader = VisibleTexts(inside)
    reader.feed(page)
    depth, found = 0, []
    for text in reader.texts:
        for piece in re.findall(f"[{OPEN}{CLOSE}]|[^{OPEN}{CLOSE}]+", text):
            depth += (piece == OPEN) - (piece == CLOSE)
            bare = piece.strip(" ·:,.()–—→←…")
            if depth == 0 and any(map(str.isalpha, bare)) and bare not in ALLOWED and bare not in excused:
                found.append(bare)
    return found


def read_templates(apps: set[str]) -> str:
    """Return the templates of the apps, with runs of blanks as one."""
    folders = {"moderation": "fm_site/moderation"}
    files = [
        file
        for app in sorted(apps)
        for file in sorted((Path(site.BASE_DIR) / folders.get(app, app)).glob("templates/**/*.*"))
    ]
    return " ".join(" ".join(file.read_text().split()) for file in files)


def find_app(address: str) -> str:
    """Return the app that a page belongs to; django-allauth's pages are among those of accounts."""
    module = resolve(address.partition("?")[0]).func.__module__
    app = module.removeprefix("fm_site.").partition(".")[0] if "moderation" in module else module.partition(".")[0]
    return app if app in {"challenges", "duels", "email_gateway", "fm_site", "ladder", "moderation"} else "accounts"


def list_pages():
    """Yield the name and the reader of every page in the table."""
    for name, (gets, _) in OURS.items():
        yield from ((name, who) for who, told in zip(GETS, gets, strict=True) if told == "page")
    for name, told in ALLAUTHS.items():
        yield from ((name, who) for who, each in zip(POSTS, told, strict=True) if each == "page")


def open_browser(user):
    browser = Client(headers={"Accept-Language": "de"})
    if user is not None and not isinstance(user, AnonymousUser):
        set_language(user=user, language="de")
        browser.force_login(user)
    return browser


def test_the_marks_reach_every_text(marked):
    with translation.override("de"):
        assert gettext("Settings saved.") == f"{OPEN}Settings saved.{CLOSE}"
    page = f"<main><p title='Bold'>{OPEN}One <b>two</b>{CLOSE} three <code>four</code></p></main><p>five</p>"
    assert list_unmarked(page, inside="main") == ["Bold", "three"]


def test_no_page_leaves_a_text_in_english(people, token, marked):
    left, browsers = {}, {who: open_browser(user) for who, user in people.items()}
    excused = read_templates(UNTRANSLATED)
    for name, who in list_pages():
        address = write_address(name, token)
        answer = browsers[who].get(address)
        assert answer.headers["Content-Language"] == "de", name
        if "text/html" not in answer.headers["Content-Type"] or name in AS_IT_IS or find_app(address) in UNTRANSLATED:
            continue
        inside = "main" if "fm_site" in UNTRANSLATED else "html"
        found = list_unmarked(answer.content.decode(), inside=inside, excused=excused)
        if found:
            left[f"{name} for {who}"] = found
    assert left == {}


def test_every_page_is_written_in_german(people, token):
    """With the real catalogue: nothing fails, and numbers in drawings keep their points."""
    browsers = {who: open_browser(user) for who, user in people.items()}
    assert Mage.objects.exists()
    for name, who in list_pages():
        answer = browsers[who].get(write_address(name, token))
        assert answer.status_code == 200, name
        if "text/html" in answer.headers["Content-Type"]:
            page = answer.content.decode()
            assert '<html lang="de"' in page, name
            assert COMMA.findall(page) == [], name
