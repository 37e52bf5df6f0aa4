"""Rulesets as pages of Markdown (docs/rules). A test fails if the committed pages differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules_engine.glossary import GESTURES
from rules_engine.rulebook.sections import write_sections
from rules_engine.rulebook.spell_descriptions import describe_spell, describe_usual_target
from rules_engine.rules import Ruleset
from rules_engine.rulesets import RULESETS, get_ruleset
from rules_engine.spells import Series

COMMAND = "python -m rules_engine rules docs/rules"
Row = tuple[str, ...]


def write_pages() -> dict[str, str]:
    """Return file name → text: a page for each ruleset that new battles may choose, and README.md, which lists them."""
    offered = [ruleset for ruleset in RULESETS.values() if ruleset.offered]
    pages = {f"{ruleset.name}.md": write_page(ruleset) for ruleset in offered}
    return {**pages, "README.md": _write_list(offered)}


def write_page(ruleset: Ruleset) -> str:
    """Return one ruleset: its differences and general rules, its spells in three orders, and the order of effect."""
    parts = (_head, _differences, _general, _by_gesture, _by_name, _backwards, _order_of_effect)
    return "\n".join("\n".join(part(ruleset)) + "\n" for part in parts)


def _write_list(rulesets: Iterable[Ruleset]) -> str:
    lines = [
        "# Rules",
        "",
        f"Written by `{COMMAND}`; change the engine's data, not these pages.",
        "",
        "What every ruleset shares, and what we decided where the rules are silent, is in",
        "[rulings](../rulings.md); how orders are written, in [orders](../orders.md).",
        "",
    ]
    rows = [
        (f"[{r.title}]({r.name}.md)", f"`{r.name}`", str(r.edition), str(len(r.order)), str(len(r.differences)))
        for r in rulesets
    ]
    return "\n".join([*lines, *_table(("ruleset", "name", "edition", "spells", "differences"), rows)]) + "\n"


def _head(ruleset: Ruleset) -> Iterator[str]:
    yield f"# {ruleset.title}"
    yield ""
    yield f"Ruleset `{ruleset.name}`, edition {ruleset.edition}: {len(ruleset.order)} spells with"
    yield f"{len(ruleset.series)} series of gestures. Written by `{COMMAND}`; change the engine's data, not this page."
    yield ""
    yield "A capital is a gesture of the hand that casts the spell; a small letter is played by both hands at once."
    yield "A series that ends with a small letter is a spell for both hands."
    yield ""
    yield from _table(("letter", "gesture"), [(f"`{letter}`", word) for letter, word in GESTURES.items()])


def _differences(ruleset: Ruleset) -> Iterator[str]:
    yield "## Differences"
    yield ""
    if not ruleset.differences:
        yield "None: this is the base from which the others differ."
        return
    if not get_ruleset(ruleset.name, 1).differences:
        yield "This is the base from which the others differ. Its edition corrects the first one:"
        yield ""
    yield from _table(("here", "rule"), [(d.text, d.clause) for d in ruleset.differences])


def _general(ruleset: Ruleset) -> Iterator[str]:
    yield "## In general"
    for section in write_sections(ruleset):
        yield ""
        yield f"**{section.title}.** {section.text}"


def _by_gesture(ruleset: Ruleset) -> Iterator[str]:
    yield "## By gestures"
    yield ""
    yield from _series_table(ruleset, "gestures", lambda text: text)


def _backwards(ruleset: Ruleset) -> Iterator[str]:
    yield "## By gestures, last to first"
    yield ""
    yield "Read from the last gesture to the first, to see what someone may just have completed."
    yield ""
    yield from _series_table(ruleset, "last to first", lambda text: text[::-1])


def _series_table(ruleset: Ruleset, title: str, read: Callable[[str], str]) -> Iterator[str]:
    ordered = sorted(ruleset.book.series, key=lambda series: (read(series.text).upper(), read(series.text)))
    return _table((title, "spell"), [(_letters(read(s.text)), s.spell + _once(s)) for s in ordered])


def _by_name(ruleset: Ruleset) -> Iterator[str]:
    yield "## By name"
    yield ""
    rows = []
    for name in sorted(ruleset.order):
        spell = ruleset.spells[name]
        made = [_letters(s.text) + _once(s) for s in ruleset.book.series if s.spell == name]
        aim = describe_usual_target(spell)
        rows.append((name, "<br>".join(made), spell.category, aim, describe_spell(ruleset, name), spell.clause))
    yield from _table(("spell", "gestures", "kind", "usual target", "what it does", "rule"), rows)


def _order_of_effect(ruleset: Ruleset) -> Iterator[str]:
    yield "## Order of effect"
    yield ""
    yield "The spells of a turn work in this order; equal spells in the order in which their mages joined the battle:"
    yield ""
    yield ", ".join(ruleset.order) + "."


def _letters(text: str) -> str:
    return f"`{' '.join(text)}`"


def _once(series: Series) -> str:
    return " (once in a battle)" if series.once else ""


def _table(titles: Row, rows: Iterable[Row]) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "|" + "---|" * len(titles)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
