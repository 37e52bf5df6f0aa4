"""The catalogues of texts: complete, up to date, and used by every page."""

import os
import shutil
from html.parser import HTMLParser
from io import BytesIO
from multiprocessing import get_context

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.utils import translation
from django.utils.translation import gettext, trans_real

from fm_site import catalogues, texts
from fm_site.catalogues import SITE, compile_catalogue, read_catalogue

# Apps whose pages are not passed through gettext yet. Only ever shorten this list.
UNTRANSLATED = {"fm_site", "challenges", "duels", "ladder", "email_gateway", "accounts", "moderation"}
OPEN, CLOSE = "⟦", "⟧"
# What pages show in every language: names, numbers and signs.
PAGES = {
    "accounts": (
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_request_login_code",
        "account_email",
        "account_change_password",
        "account_reauthenticate",
        "usersessions_list",
        "mfa_index",
        "accounts:mages",
        "accounts:register_mage",
        "accounts:preferences",
        "accounts:mail_password",
        "accounts:blocks",
        "accounts:vacation",
        "accounts:tokens",
        "accounts:standing",
    ),
    "moderation": ("desk", "reports", "new_report", "admin:index"),
}


def test_every_catalogue_is_up_to_date_and_complete():
    assert texts.check() == []


@pytest.mark.parametrize(
    ("text", "translated", "problem"),
    [
        ("%(mage)s wins.", "%(mage)s gewinnt.", ""),
        ("%(mage)s wins.", "", "not translated"),
        ("%(mage)s wins.", "%(magier)s gewinnt.", "other slots"),
        ("%(mage)s wins.", "Gewonnen.", "other slots"),
        ("{mage} wins.", "{magier} gewinnt.", "other slots"),
        ("<b>%(mage)s</b> wins.", "<i>%(mage)s</i> gewinnt.", "other tags"),
        ("All of %(mage)s", "100 % von %(mage)s", "a lone %"),
        (("%(n)s day", "%(n)s days"), ("ein Tag", "%(n)s Tage"), ""),
        (("%(n)s day", "%(n)s days"), ("%(n)s Tag", ""), "not translated"),
        (("%(n)s day", "%(n)s days"), ("%(n)s Tag", "Tage"), "other slots"),
    ],
)
def test_a_wrong_translation_is_noticed(text, translated, problem):
    catalogue = Catalog(locale="de")
    catalogue.add(text, translated)
    found = list(texts.list_problems(catalogue))
    assert [one.startswith(problem) for one in found] == ([True] if problem else [])


def test_texts_are_found_in_code_and_templates(tmp_path, monkeypatch):
    (tmp_path / "app" / "templates").mkdir(parents=True)
    (tmp_path / "app" / "code.py").write_text(
        'from django.utils.translation import gettext as _, ngettext, pgettext\n_("One")\n'
        'ngettext("%(n)s day", "%(n)s days", 3)\npgettext("verb", "Watch")\ntext("Not this")\n'
    )
    (tmp_path / "app" / "templates" / "page.html").write_text(
        '{% load i18n %}{% translate "Two" %}{% blocktranslate trimmed with a=b %}\n Three\n {{ a }}\n'
        "{% endblocktranslate %}"
    )
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    found = texts.extract(catalogues.Domain("django", "locale", ("app",)))
    ids = {message.id for message in found if message.id}
    assert ids == {"One", ("%(n)s day", "%(n)s days"), "Watch", "Two", "Three %(a)s"}


def test_a_merge_takes_what_the_code_has_and_names_the_rest(tmp_path, monkeypatch):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "code.py").write_text('_("One")\n_("Two")\n')
    domain = catalogues.Domain("django", "locale", ("app",))
    for language in ("en", "de"):
        (tmp_path / "locale" / language / "LC_MESSAGES").mkdir(parents=True)
    for module in (texts, catalogues):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(texts, "list_domains", lambda: [domain])
    assert texts.bring_up_to_date([]) == [
        "locale/de/LC_MESSAGES/django.po: not translated: 'One'",
        "locale/de/LC_MESSAGES/django.po: not translated: 'Two'",
    ]
    given = Catalog(locale="de")
    for text, told in (("One", "Eins"), ("Two", "Zwei"), ("Three", "Drei")):
        given.add(text, told)
    (tmp_path / "given.po").write_text(texts.write_catalogue(given, "de"))
    assert texts.bring_up_to_date([tmp_path / "given.po"]) == ["in no code: 'Three'"]
    assert texts.check() == []
    (tmp_path / "app" / "code.py").write_text('_("One")\n')
    assert "not up to date" in " ".join(texts.check())


@pytest.fixture
def catalogue(tmp_path):
    source = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    shutil.copy(SITE.find_catalogue("de"), source)
    return source


def test_a_catalogue_is_compiled_when_it_has_changed(catalogue):
    target = catalogue.with_suffix(".mo")
    assert compile_catalogue(catalogue) == target
    assert compile_catalogue(catalogue) is None
    catalogue.write_text(catalogue.read_text().replace("Gespeichert.", "Gesichert."))
    os.utime(catalogue, (1, 1))  # out of an old archive
    assert compile_catalogue(catalogue) == target
    assert b"Gesichert." in target.read_bytes()
    assert list(catalogue.parent.glob("*.tmp")) == []


def test_two_processes_compile_at_the_same_time(catalogue):
    with get_context("fork").Pool(4) as pool:
        pool.map(compile_catalogue, [catalogue] * 8)
    complete = catalogue.with_suffix(".mo").read_bytes()
    expected = BytesIO()
    write_mo(expected, read_catalogue(catalogue))
    assert complete == expected.getvalue()


class VisibleTexts(HTMLParser):
    """Collects the texts of a page, with what screen readers say, but without scripts and what users wrote."""

    SILENT = ("script", "style", "code", "kbd", "svg", "bdi")
    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("input", "br", "meta", "link", "img", "hr"):
            self.open.append(tag)
        if "main" in self.open:
            self.texts += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        text = " ".join(data.split())
        if text and "main" in self.open and not set(self.open) & set(self.SILENT):
            self.texts.append(text)


@pytest.fixture
def marked(tmp_path, settings):
    """German in which every text of ours is itself between two marks."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    pseudo = Catalog(locale="de", charset="utf-8")
    for message in texts.extract(SITE):
        if message.id:
            told = [f"{OPEN}{form}{CLOSE}" for form in texts.as_forms(message.id)]
            pseudo.add(message.id, told[0] if len(told) == 1 else tuple(told), context=message.context)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, pseudo)
    settings.LOCALE_PATHS = [tmp_path]
    forget_translations()
    yield
    settings.LOCALE_PATHS = list(globals()["settings"].LOCALE_PATHS)
    forget_translations()


def forget_translations():
    trans_real._translations = {}
    trans_real._default = None
    trans_real.get_languages.cache_clear()


def list_unmarked(page: str, allowed: set[str]) -> list[str]:
    """Return the texts of a page outside all marks that have letters and are not allowed."""
    reader = VisibleTexts()
    reader.feed(page)
    depth, found = 0, []
    for text in reader.texts:
        inside = depth > 0
        depth += text.count(OPEN) - text.count(CLOSE)
        if not inside and OPEN not in text and any(map(str.isalpha, text)) and text not in allowed:
            found.append(text)
    return found


def test_the_marks_reach_a_page(marked):
    with translation.override("de"):
        assert gettext("Settings saved.") == f"{OPEN}Settings saved.{CLOSE}"
