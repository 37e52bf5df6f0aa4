"""The catalogues of texts: `./run texts` (docs/translating.md).

    ./run texts                  bring locale/ up to date with the code; list what is not translated
    ./run texts --new eo         the same, after beginning the catalogues of a language
    ./run texts --merge FILE...  also take German (or other) texts from .po files; the language is in their header
    ./run texts --template       write all English texts to var/texts, as .pot files for translators
    ./run texts --check          list what is not translated, and fail if a translation is broken; change nothing

The .po files of the translations are committed; fm_site.texts.catalogues compiles them. English is in the code only. A
text without a translation is shown in English, so nobody needs to know another language to change one.
"""

import re
import string
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

from fm_site.texts.catalogues import ENGINE, ROOT, SITE, Domain, compile_catalogues, list_domains, read_catalogue

WIDTH = 110
# gettext's functions by name, with the roles of their arguments.
FUNCTIONS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
# Those of rules_engine.text.
ENGINE_FUNCTIONS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "mark_text": None,
    "mark_term": ((1, "c"), 2),
    "say": None,
    "say_count": (1, 2),
    "term": ((1, "c"), 2),
}
Forms = str | tuple[str, ...] | list[str] | None
NAMED = re.compile(r"%\((\w+)\)[a-z]")
TAGS = re.compile(r"</?[a-z][^>]*>")
# A line of a .po file: a comment, or a string in quotes, with or without a keyword. Babel accepts a lost quote,
# and then drops a letter.
LINE = re.compile(r"""(#.*|((msgctxt|msgid|msgid_plural|msgstr(\[\d\])?) )?"(\\.|[^"\\])*")?\s*""")


# --- Extracting -------------------------------------------------------------------------------------------------------


@cache
def extract(domain: Domain) -> Catalog:
    """Return a catalogue of all texts in the code of `domain`, without translations."""
    catalogue = Catalog(charset="utf-8")
    for path, method in list_sources(domain):
        place = path.relative_to(ROOT).as_posix()
        texts = extract_from_file(method, path, keywords=list_functions(domain), options={"encoding": "utf-8"})
        for line, text, comments, context in texts:
            catalogue.add(text, locations=[(place, line)], auto_comments=comments, context=context)
    return catalogue


def list_functions(domain: Domain) -> dict[str, tuple[int | tuple[int, str], ...] | None]:
    """Return the functions that mark texts in `domain`, with the roles of their arguments."""
    return ENGINE_FUNCTIONS if domain is ENGINE else FUNCTIONS


def list_sources(domain: Domain) -> Iterator[tuple[Path, str]]:
    """Return every file that may contain texts, with Babel's method for it."""
    for folder in domain.folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" and "migrations" not in path.parts:
                yield path, "python"
            elif "templates" in path.parts and path.suffix in (".html", ".txt", ".svg"):
                yield path, "enmerkar.extract:extract_django"


def write_catalogue(catalogue: Catalog, language: str) -> str:
    """Return the text of a .po file: sorted by file and without line numbers, so that it rarely changes."""
    plural = get_plural(language)
    header = (
        f"# {Locale.parse(language).get_display_name('en')} texts. ./run texts adds and removes entries"
        " (docs/translating.md).\n"
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        f'"Plural-Forms: {plural.plural_forms}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n\n'
    )
    body = BytesIO()
    write_po(body, catalogue, width=WIDTH, omit_header=True, sort_by_file=True, include_lineno=False)
    return header + body.getvalue().decode().strip() + "\n"


# --- Bringing up to date ----------------------------------------------------------------------------------------------


def update(domain: Domain, language: str, extracted: Catalog, extra: Iterable[Catalog] = ()) -> Catalog:
    """Return `found` with the translations that the catalogue of `language` and then each of `extra` have for it."""
    catalogue = Catalog(locale=language, charset="utf-8")
    path = domain.find_catalogue(language)
    known = [*([read_catalogue(path)] if path.exists() else []), *extra]
    for message in extracted:
        if not message.id:
            continue
        translation: Forms = "" if isinstance(message.id, str) else ("",) * get_plural(language).num_plurals
        for other in known:
            same = other.get(message.id, message.context)
            if same is not None and same.id == message.id and has_text(same) and not same.fuzzy:
                translation = same.string
        catalogue.add(
            message.id,
            string=translation,
            locations=message.locations,
            flags=message.flags - {"fuzzy"},
            auto_comments=message.auto_comments,
            context=message.context,
        )
    return catalogue


def has_text(message: Message) -> bool:
    """Return whether a message is translated, in every plural form."""
    return all(as_forms(message.string))


def list_untranslated(catalogue: Catalog) -> Iterator[str]:
    """Yield the texts that a catalogue does not translate, in every plural form."""
    for message in catalogue:
        if message.id and not has_text(message):
            yield f"not translated: {as_forms(message.id)[0]!r}"


def list_problems(catalogue: Catalog) -> Iterator[str]:
    """Yield what is broken in the translations: other slots or tags than in the text itself, or a lone percent sign."""
    for message in catalogue:
        if not message.id or not has_text(message):
            continue
        ids, translations = as_forms(message.id), as_forms(message.string)
        slots = set().union(*map(list_slots, ids))
        # The form for one may leave out the number.
        wrong = [form for form in translations if not list_slots(form) <= slots] or list_slots(
            translations[-1]
        ) != list_slots(ids[-1])
        if wrong:
            yield f"other slots than in {ids[0]!r}: {translations[-1]!r}"
        elif sorted(TAGS.findall(translations[-1])) != sorted(TAGS.findall(ids[-1])):
            yield f"other tags than in {ids[0]!r}: {translations[-1]!r}"
        elif slots and not all(map(can_be_filled, translations)):
            yield f"a lone % in {translations[-1]!r}"


def as_forms(text: Forms) -> list[str]:
    """Return the forms of a text: one, or one for each plural form of the language."""
    return [text or ""] if text is None or isinstance(text, str) else list(text)


def list_slots(text: str) -> set[str]:
    """Return the named slots: `%(name)s` and `{name}`."""
    slots = {f"%{name}" for name in NAMED.findall(text)}
    with suppress(ValueError):
        slots |= {f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(text) if name}
    return slots


def can_be_filled(text: str) -> bool:
    """Return whether `text % {...}` works: a percent sign must be doubled."""
    try:
        text % dict.fromkeys(NAMED.findall(text), 1)
    except (TypeError, ValueError, KeyError):
        return not NAMED.search(text)
    return True


def list_unknown(extracted: Catalog, extra: Iterable[Catalog]) -> Iterator[str]:
    """Return the texts in `extra` that no code has (any longer)."""
    for catalogue in extra:
        for message in catalogue:
            if message.id and extracted.get(message.id, message.context) is None:
                yield f"in no code: {as_forms(message.id)[0]!r}"


@dataclass
class Findings:
    """What is wrong with the catalogues: `broken` must be corrected, `untranslated` is shown in English until it is."""

    broken: list[str] = field(default_factory=list)
    untranslated: list[str] = field(default_factory=list)


def check() -> Findings:
    """Check the committed catalogues against the code, without changing anything."""
    findings = Findings()
    for domain in list_domains():
        extracted = extract(domain)
        for language in domain.list_languages():
            path = domain.find_catalogue(language)
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(errors="replace").splitlines()
            unread = [number for number, line in enumerate(lines, 1) if not LINE.fullmatch(line) or "\ufffd" in line]
            findings.broken += [f"{name}, line {number}: cannot be read" for number in unread]
            if unread:
                continue
            findings.broken += [f"{name}: {problem}" for problem in list_problems(read_catalogue(path))]
            catalogue = update(domain, language, extracted)
            findings.untranslated += [f"{name}: {problem}" for problem in list_untranslated(catalogue)]
    return findings


def bring_up_to_date(files: Iterable[Path]) -> Findings:
    """Write every catalogue again, with the translations in `files`."""
    given = [read_po(BytesIO(file.read_bytes())) for file in files]
    findings = Findings()
    everything = Catalog()
    for domain in list_domains():
        extracted = extract(domain)
        for message in extracted:
            everything.add(message.id, context=message.context)
        for language in domain.list_languages():
            extra = [catalogue for catalogue in given if str(catalogue.locale or "") == language]
            catalogue = update(domain, language, extracted, extra)
            path = domain.find_catalogue(language)
            path.write_text(write_catalogue(catalogue, language))
            name = path.relative_to(ROOT).as_posix()
            findings.broken += [f"{name}: {problem}" for problem in list_problems(catalogue)]
            findings.untranslated += [f"{name}: {problem}" for problem in list_untranslated(catalogue)]
    findings.broken += list_unknown(everything, given)
    return findings


def begin_language(language: str) -> None:
    """Make empty catalogues for a new language; those that exist stay as they are.

    Raises ValueError or UnknownLocaleError for what is no code of a language.
    """
    Locale.parse(language)
    for domain in (SITE, ENGINE):
        path = domain.find_catalogue(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def write_templates(folder: Path) -> list[Path]:
    """Write a .pot file of each domain's English texts into `folder`; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for domain in list_domains():
        path = folder / f"{domain.name}.pot"
        path.write_text(write_catalogue(extract(domain), "en"))
        paths.append(path)
    return paths


def main(arguments: list[str]) -> int:
    if arguments in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    if arguments == ["--template"]:
        print("\n".join(map(str, write_templates(ROOT / "var" / "texts"))))
        return 0
    if arguments[:1] == ["--new"] and len(arguments) == 2:
        begin_language(arguments.pop())
        arguments = []
    checking = arguments == ["--check"]
    merging = arguments[:1] == ["--merge"]
    if arguments and not checking and not (merging and arguments[1:]):
        print(__doc__)
        return 2
    findings = check() if checking else bring_up_to_date(Path(name) for name in arguments[1:])
    print("\n".join([*findings.untranslated, *findings.broken]) or "All texts are translated.")
    compile_catalogues()
    return int(bool(findings.broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
