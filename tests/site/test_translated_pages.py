"""Every page in the table of addresses is in the reader's language, with no text left in English."""

import json
import re
from gettext import GNUTranslations
from html.parser import HTMLParser
from importlib import import_module
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
from accounts.services.users import set_language
from duels.board import pads, strings
from fm_site.demonstration.people import DEMONSTRATION
from fm_site.texts import translations as texts
from fm_site.texts.catalogues import SITE
from notifications.preferences import ZONES
from operations.templatetags.keep import kept_pieces
from rules_engine import RULESETS
from rules_engine.glossary import name_spell
from rules_engine.text import use_language
from tests.services.plugin import LONG
from tests.site.test_addresses import ALLAUTHS, GETS, OURS, POSTS, people, token, write_address

__all__ = ["people", "token"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Apps whose own texts do not all go through gettext yet: never extend this list. The engine stays in it, since its
# texts have a catalogue of their own, without marks.
UNTRANSLATED = {"rules_engine"}
# Pages for programs, and those that show a text unchanged: records and battles in the classic form.
AS_IT_IS = {
    *("studies:battle_table", "studies:battle_story", "studies:battle_transcript"),
    *("api_problem", "api_docs", "security_txt"),
}
# Folders of an app that are not part of it.
OTHERS = {"migrations", "moderation", "notifications", "operations"}
OPEN, CLOSE = "⟦", "⟧"
# A number in a drawing or a form field, with a decimal comma that no browser understands.
COMMA = re.compile(r'\b(?:x|y|[xyc][12xy]|r|width|height|value|min|max|step)="-?\d+,\d+"')
# Users' texts, names, and texts that are the same in every language.
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
    # A sentence of the engine, which describes a picture of the demonstration's battle.
    "Quillon hat einen Schild",
    # The mages of the lessons.
    "Pupil",
    "Pipkin",
    "Python-urllib",
    *(user.username for user in DEMONSTRATION),
    *(user.email for user in DEMONSTRATION),
    *(mage for user in DEMONSTRATION for mage in user.mages),
    *(name for _, name in ZONES),
}


class VisibleTexts(HTMLParser):
    """Collects the texts inside a tag, including those for screen readers, but not scripts, code, and what is marked as
    English: the sentences of the rules."""

    SILENT = frozenset({"textarea", "script", "style", "code", "kbd", "samp", "pre", "bdi"})
    VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "use"})
    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self, inside: str) -> None:
        super().__init__()
        self.inside = inside
        self.open: list[str] = []
        self.texts: list[str] = []
        # How many tags were open when the first one marked as English came; 0 outside.
        self.english = 0

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
            if ("lang", "en") in attrs:
                self.english = self.english or len(self.open)
        if self.inside in self.open and not self.english:
            self.texts += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass
        if len(self.open) < self.english:
            self.english = 0

    def handle_data(self, data):
        text = " ".join(data.split())
        if text and self.inside in self.open and not self.english and not self.SILENT & set(self.open):
            self.texts.append(text)


@pytest.fixture(scope="session")
def marks(tmp_path_factory):
    """A folder of catalogues in which German has every text of ours between two marks."""
    root = tmp_path_factory.mktemp("marks")
    folder = root / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    pseudo = Catalog(locale="de", charset="utf-8")
    for context, text, has_plural in list_texts_of_libraries():
        told = f"{OPEN}{text}{CLOSE}"
        pseudo.add((text, text) if has_plural else text, (told, told) if has_plural else told, context=context)
    for message in texts.extract(SITE):
        if message.id:
            pseudo.delete(message.id, message.context)
            told = tuple(f"{OPEN}{form}{CLOSE}" for form in texts.as_forms(message.id))
            pseudo.add(message.id, told[0] if len(told) == 1 else told, context=message.context)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, pseudo)
    return root


@pytest.fixture
def marked(marks, settings):
    """A German catalogue in which every text of ours is the English between two marks."""
    settings.LOCALE_PATHS = [marks]
    forget_what_is_drawn()
    yield
    forget_what_is_drawn()


def forget_what_is_drawn():
    """Empty the caches of pieces in a language, because a test changes its catalogue."""
    kept_pieces.clear()
    for once_per_language in (pads._make_key, strings._bead):
        once_per_language.__wrapped__.cache_clear()


def list_texts_of_libraries():
    """Yield the context, the text, and whether it has a plural, of what Django and django-allauth have in German."""
    for library in ("django.conf", "django.contrib.admin", "django.contrib.auth", "django.contrib.humanize", "allauth"):
        folder = Path(import_module(library).__file__).parent
        with (folder / "locale" / "de" / "LC_MESSAGES" / "django.mo").open("rb") as file:
            known = GNUTranslations(file)._catalog
        for key in known:
            context, _, text = (key if isinstance(key, str) else key[0]).rpartition("\x04")
            if text:
                yield context or None, text, isinstance(key, tuple)


def list_unmarked(page: str, *, inside: str, excused: str = "") -> list[str]:
    """Return the texts of a page with letters that are outside all marks and neither allowed nor in `excused`."""
    reader = VisibleTexts(inside)
    reader.feed(page)
    depth, found = 0, []
    for text in reader.texts:
        for piece in re.findall(f"[{OPEN}{CLOSE}]|[^{OPEN}{CLOSE}]+", text):
            depth += (piece == OPEN) - (piece == CLOSE)
            # A name, or the title of a ruleset with its options, has parts.
            parts = [part.strip(" .–—→←…") for part in re.split("[:,()·]", piece)]
            bare = [part for part in parts if any(map(str.isalpha, part))]
            if depth == 0 and not all(part in ALLOWED or part in excused for part in bare):
                found.append(piece.strip())
    return found


def list_english_spells(page: str) -> list[str]:
    """Return the texts of a German page that name a spell in English."""
    reader = VisibleTexts("html")
    reader.feed(page)
    with use_language("de"):
        names = {spell for rules in RULESETS.values() for spell in rules.spells if name_spell(spell) != spell}
    pattern = re.compile(rf"\b({'|'.join(names)})\b")
    return [text for text in reader.texts if pattern.search(text)]


def read_sources(apps: set[str]) -> str:
    """Return the templates and the code of the apps, with each run of spaces as one."""
    files = [
        file
        for app in sorted(apps)
        for file in sorted((Path(site.BASE_DIR) / app).rglob("*"))
        if file.suffix in (".html", ".txt", ".svg", ".py", ".po") and not OTHERS & set(file.parts)
    ]
    return " ".join(" ".join(file.read_text().split()) for file in files)


def find_app(address: str) -> str:
    """Return the app that a page belongs to; django-allauth's pages are among those of accounts."""
    module = resolve(address.partition("?")[0]).func.__module__
    app = module.removeprefix("fm_site.").partition(".")[0] if "moderation" in module else module.partition(".")[0]
    return (
        app
        if app in {"challenges", "duels", "email_gateway", "fm_site", "ladder", "league", "moderation"}
        else "accounts"
    )


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


def test_no_page_has_a_text_left_in_english(people, token, marked):
    left, browsers = {}, {who: open_browser(user) for who, user in people.items()}
    excused = read_sources(UNTRANSLATED)
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
    assert not left, json.dumps(left, indent=1, ensure_ascii=False)


def test_every_page_is_written_in_german(people, token):
    """With the real catalogue: nothing fails, numbers in drawings keep their points, spells have German names."""
    browsers = {who: open_browser(user) for who, user in people.items()}
    assert Mage.objects.exists()
    # The short count reads each page once, as the most privileged reader.
    for name, who in list_pages() if LONG else dict(list_pages()).items():
        answer = browsers[who].get(write_address(name, token))
        assert answer.status_code == 200, name
        if "text/html" in answer.headers["Content-Type"]:
            page = answer.content.decode()
            # These two are parts of pages.
            assert '<html lang="de"' in page or name in ("featured", "news_panel"), name
            assert COMMA.findall(page) == [], name
            assert list_english_spells(page) == [], name
