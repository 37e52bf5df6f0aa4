"""The language of the engine's texts: English is in the code, every other language in a catalogue.

A catalogue is ``locale/<language>/LC_MESSAGES/rules_engine.po``, read once and uncompiled. Texts that it lacks are in
English. The language comes from `use_language`, or else from the source of `set_language_source`, or else is English.

>>> with use_language("de"):
...     say("You have no banked spell to fire.")
'Du hast keinen gespeicherten Zauber zum Auslösen.'
"""

from __future__ import annotations

import ast
import io
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

DEFAULT_LANGUAGE = "en"
_LOCALE = Path(__file__).parent / "locale"
_chosen: ContextVar[str | None] = ContextVar("rules_engine_language", default=None)
_ask: Callable[[], str | None] = lambda: None  # noqa: E731 -- replaced by set_language_source


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Use this language within the block, only in this thread or task: ``de``, or ``de-at`` for the nearest."""
    token = _chosen.set(language)
    try:
        yield
    finally:
        _chosen.reset(token)


def set_language_source(ask: Callable[[], str | None]) -> None:
    """Call `ask` for the reader's language unless `use_language` sets it; None means English."""
    global _ask
    _ask = ask


def find_language() -> str:
    return _chosen.get() or _ask() or DEFAULT_LANGUAGE


# -- what Babel extracts: mark, mark_term:1c,2, say, say_count:1,2 and term:1c,2 --------------------------------------


def mark_text(template: str) -> str:
    """Return the template unchanged: a text in a table, which `translate` looks up when it is used."""
    return template


def mark_term(context: str, word: str) -> str:
    """Return the word unchanged: a word in a table, which `term` looks up in its context."""
    return word


def translate(template: str) -> str:
    language = find_language()
    return template if language == DEFAULT_LANGUAGE else _open_catalogue(language).gettext(template)


def say(template: str, **slots: object) -> str:
    """Return a whole sentence in the active language, with its slots filled."""
    return translate(template).format(**slots)


def say_count(one: str, many: str, number: int, **slots: object) -> str:
    """Return the right plural form for `number`, with all slots filled."""
    return _open_catalogue(find_language()).ngettext(one, many, number).format(number=number, **slots)


def term(context: str, word: str) -> str:
    """Return a word in the active language, in this context; the word itself if the catalogue lacks it."""
    language = find_language()
    return word if language == DEFAULT_LANGUAGE else _open_catalogue(language).pgettext(context, word)


def list_terms(context: str, word: str) -> tuple[str, ...]:
    """Return a word in this context in every language, in English first."""
    others = (_open_catalogue(language).pgettext(context, word) for language in _list_languages())
    return tuple(dict.fromkeys([word, *others]))


@cache
def _list_languages() -> tuple[str, ...]:
    return tuple(sorted(path.parent.parent.name for path in _LOCALE.glob("*/LC_MESSAGES/rules_engine.po")))


# -- catalogues -------------------------------------------------------------------------------------------------------


@cache
def _open_catalogue(language: str) -> NullTranslations:
    """Return the catalogue of a language, or of the language without its region; or else an empty one."""
    name = language.replace("_", "-").lower()
    for each in (name, name.partition("-")[0]):
        path = _LOCALE / each / "LC_MESSAGES" / "rules_engine.po"
        if re.fullmatch(r"[a-z]+(-[a-z]+)?", each) and path.exists():
            return GNUTranslations(io.BytesIO(_compile(read_catalogue(path.read_text(encoding="utf-8")))))
    return NullTranslations()


def read_catalogue(text: str) -> dict[str, str]:
    """Return the entries of a .po file as a .mo file keys them: ``context\\4text\\0plural`` to forms joined by
    ``\\0``."""
    entries = {}
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        fields: dict[str, str] = {}
        name = ""
        for line in lines:
            word, _, quoted = line.partition('"')
            name = word.strip() or name
            fields[name] = fields.get(name, "") + ast.literal_eval(f'"{quoted}')
        forms = [value for name, value in fields.items() if name.startswith("msgstr")]
        if any(forms) and "fuzzy" not in "".join(re.findall(r"^#,.*", block, re.MULTILINE)):
            key = fields["msgid"] + (f"\0{fields['msgid_plural']}" if "msgid_plural" in fields else "")
            entries[f"{fields['msgctxt']}\4{key}" if "msgctxt" in fields else key] = "\0".join(forms)
    return entries


def _compile(entries: dict[str, str]) -> bytes:
    """Return the entries as the .mo file that `gettext` reads."""
    pairs = [(key.encode(), value.encode()) for key, value in sorted(entries.items())]
    count, at = len(pairs), 28 + 16 * len(pairs)
    tables, texts = b"", b""
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack("<2I", len(pair[column]), at + len(texts))
            texts += pair[column] + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0) + tables + texts
