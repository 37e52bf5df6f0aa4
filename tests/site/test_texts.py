"""The catalogues of texts: translations are whole, what lacks one is listed, and they are compiled when they change."""

import ast
import os
import re
import shutil
from gettext import GNUTranslations
from io import BytesIO
from multiprocessing import get_context

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from fm_site.texts import catalogues
from fm_site.texts import translations as texts
from fm_site.texts.catalogues import SITE, compile_catalogue, read_catalogue


def test_no_translation_is_broken():
    assert texts.check().broken == []


@pytest.mark.parametrize(
    ("text", "translated", "problem"),
    [
        ("%(mage)s wins.", "%(mage)s gewinnt.", ""),
        ("%(mage)s wins.", "", ""),
        ("%(mage)s wins.", "%(magier)s gewinnt.", "other slots"),
        ("%(mage)s wins.", "Gewonnen.", "other slots"),
        ("{mage} wins.", "{magier} gewinnt.", "other slots"),
        ("<b>%(mage)s</b> wins.", "<i>%(mage)s</i> gewinnt.", "other tags"),
        ("All of %(mage)s", "100 % von %(mage)s", "a lone %"),
        (("%(n)s day", "%(n)s days"), ("ein Tag", "%(n)s Tage"), ""),
        (("%(n)s day", "%(n)s days"), ("%(n)s Tag", ""), ""),
        (("%(n)s day", "%(n)s days"), ("%(n)s Tag", "Tage"), "other slots"),
    ],
)
def test_a_wrong_translation_is_noticed(text, translated, problem):
    catalogue = Catalog(locale="de")
    catalogue.add(text, translated)
    found = list(texts.list_problems(catalogue))
    assert [one.startswith(problem) for one in found] == ([True] if problem else [])


TRANSLATING = ("_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy")
# A script of the page fills in what the user types.
FILLED_BY_A_SCRIPT = {"challenges/forms/new.py"}


def test_slots_are_written_in_one_way():
    """`%(name)s`, except where Django's own functions need `{name}`."""
    others = []
    for folder in SITE.folders:
        for path in (texts.ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text())
            for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
                name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                if name in ("format_lazy", "format_html"):
                    call.args.clear()
            others += [
                f"{path.relative_to(texts.ROOT)}: {text.value}"
                for call in ast.walk(tree)
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in TRANSLATING
                for text in call.args
                if isinstance(text, ast.Constant) and re.search(r"\{[a-z_]+\}", str(text.value))
            ]
    assert [found for found in others if found.partition(":")[0] not in FILLED_BY_A_SCRIPT] == []
    assert len(others) == 3


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


@pytest.mark.parametrize("domain", catalogues.list_domains(), ids=lambda domain: domain.name)
def test_no_text_is_in_an_f_string_where_it_is_not_found(domain):
    functions = set(texts.list_functions(domain))
    for path, _method in texts.list_sources(domain):
        if path.suffix == ".py":
            strings = [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.JoinedStr)]
            calls = [each for string in strings for each in ast.walk(string) if isinstance(each, ast.Call)]
            names = {
                call.func.id
                for call in calls
                if isinstance(call.func, ast.Name) and call.args and isinstance(call.args[0], ast.Constant)
            }
            assert names & functions == set(), path


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A project of one module with two texts, and an empty German catalogue; returns its folder."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "code.py").write_text('_("One")\n_("Two %(n)s")\n')
    (tmp_path / "locale" / "de" / "LC_MESSAGES").mkdir(parents=True)
    for module in (texts, catalogues):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(texts, "extract", texts.extract.__wrapped__)
    monkeypatch.setattr(texts, "list_domains", lambda: [catalogues.Domain("django", "locale", ("app",))])
    (tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po").touch()
    # What an earlier release left is no language.
    (tmp_path / "locale" / "en" / "LC_MESSAGES").mkdir(parents=True)
    texts.bring_up_to_date([])
    return tmp_path


def merge(folder, **translations):
    given = Catalog(locale="de")
    for text, told in translations.items():
        given.add(text.replace("_", " "), told)
    (folder / "given.po").write_text(texts.write_catalogue(given, "de"))
    return texts.bring_up_to_date([folder / "given.po"])


def test_a_merge_takes_what_is_in_the_code_and_lists_the_rest(small):
    assert texts.check().untranslated == [
        "locale/de/LC_MESSAGES/django.po: not translated: 'One'",
        "locale/de/LC_MESSAGES/django.po: not translated: 'Two %(n)s'",
    ]
    findings = merge(small, One="Eins", Three="Drei")
    assert findings.broken == ["in no code: 'Three'"]
    assert findings.untranslated == ["locale/de/LC_MESSAGES/django.po: not translated: 'Two %(n)s'"]


def test_changing_an_english_text_breaks_nothing_and_lists_it_for_translators(small):
    merge(small, One="Eins")
    (small / "app" / "code.py").write_text('_("Just one")\n')
    assert texts.check() == texts.Findings(
        broken=[], untranslated=["locale/de/LC_MESSAGES/django.po: not translated: 'Just one'"]
    )


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('msgstr ""\n\n#', 'msgstr "Eins\n\n#', "line 12: "),
        ('msgid "O', 'mgid "O', "line 11: "),
        ('%(n)s"\nmsgstr ""', '%(n)s"\nmsgstr "Zwei %(m)s"', "other slots"),
    ],
)
def test_a_broken_catalogue_fails(small, before, after, problem):
    path = small / "locale" / "de" / "LC_MESSAGES" / "django.po"
    head, _, body = path.read_text().partition("\n\n")
    assert before in body
    path.write_text(f"{head}\n\n{body.replace(before, after)}")
    findings = texts.check()
    assert len(findings.broken) == 1 and problem in findings.broken[0]


def test_a_new_language_begins_with_every_english_text(tmp_path, monkeypatch, capsys):
    (tmp_path / "accounts").mkdir()
    (tmp_path / "accounts" / "code.py").write_text('_("One")\nngettext("%(n)s day", "%(n)s days", 3)\n')
    (tmp_path / "rules_engine").mkdir()
    (tmp_path / "rules_engine" / "code.py").write_text('say("Two")\n')
    for module in (texts, catalogues):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(texts, "extract", texts.extract.__wrapped__)
    assert texts.main(["--new", "pl"]) == 0
    site = (tmp_path / "locale" / "pl" / "LC_MESSAGES" / "django.po").read_text()
    engine = (tmp_path / "rules_engine" / "locale" / "pl" / "LC_MESSAGES" / "rules_engine.po").read_text()
    assert 'msgid "One"' in site and 'msgstr[2] ""' in site, "Polish has three forms"
    assert 'msgid "Two"' in engine
    assert "not translated: 'One'" in capsys.readouterr().out


def test_no_language_begins_under_a_name_that_is_none(small):
    with pytest.raises(ValueError, match="zz-"):
        texts.main(["--new", "zz-"])
    assert not list(small.glob("locale/zz*"))


def test_translators_get_every_english_text_on_request(small):
    (path,) = texts.write_templates(small / "var")
    assert [message.id for message in read_po(path.open("rb")) if message.id] == ["One", "Two %(n)s"]


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
    os.utime(catalogue, (1, 1))  # from an old archive
    assert compile_catalogue(catalogue) == target
    assert b"Gesichert." in target.read_bytes()
    assert list(catalogue.parent.glob("*.tmp")) == []


def test_two_processes_compile_at_the_same_time(catalogue):
    with get_context("fork").Pool(4) as pool:
        pool.map(compile_catalogue, [catalogue] * 8)
    expected = BytesIO()
    write_mo(expected, read_catalogue(catalogue))
    assert read_texts(catalogue.with_suffix(".mo").read_bytes()) == read_texts(expected.getvalue())


def read_texts(compiled: bytes) -> dict[object, str]:
    """Return the texts of a compiled catalogue without its header, which has the time to the minute."""
    return {key: text for key, text in vars(GNUTranslations(BytesIO(compiled)))["_catalog"].items() if key}
