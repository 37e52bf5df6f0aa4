"""The rules in parts, for readers who do not want them all in one email."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.signs import WORDS
from duels.names import listed
from duels.terms import Terms, find_rules
from email_gateway.text.layout import wrap
from studies.rulebook.spells import list_sections, list_spells

# A part ends with the spell that reaches this length.
LINES = 60
SMALL_LETTERS = gettext_lazy("A small letter is a gesture of both hands.")


@dataclass(frozen=True)
class Part:
    """A part of the rules: its title, and its paragraphs as emailed."""

    title: str
    paragraphs: tuple[str, ...]
    has_spells: bool = False


def list_parts(name: str, edition: int) -> list[Part]:
    """Return the rules of a ruleset in order: the general rules, its differences, the spells."""
    return [
        Part(_("How a battle works"), describe_basics(name, edition)),
        *part_differences(name, edition),
        *part_spells(name, edition),
    ]


def describe_basics(name: str, edition: int) -> tuple[str, ...]:
    """Return the general rules of a ruleset, a paragraph for each section."""
    signs = ", ".join(f"{letter} {word}" for letter, word in list(WORDS.items())[:8])
    return (
        wrap(_("Gestures: %(signs)s.") % {"signs": signs}),
        *(wrap(f"{one.title}. {one.text}") for one in list_sections(name, edition=edition)),
    )


def part_differences(name: str, edition: int) -> list[Part]:
    """Return the part with a ruleset's differences, if it has any. Those of the standard one, from which the others
    differ, are what its edition corrects."""
    differences = [wrap(f"- {one.text}") for one in find_rules(name=name, edition=edition).differences]
    title = _("What this edition corrects") if name == Terms().ruleset else _("Where this ruleset differs")
    return [Part(title, ("\n".join(differences),))] if differences else []


def part_spells(name: str, edition: int) -> list[Part]:
    """Return the spells by name in parts of about as many lines."""
    parts: list[Part] = []
    names: list[str] = []
    lines: list[str] = []
    for spell in list_spells(name, edition=edition):
        names.append(spell.name)
        series = listed([" ".join(one) for one in spell.series], "or")
        lines.append(f"{spell.name} ({series})\n{wrap(spell.words)}")
        if "\n\n".join(lines).count("\n") >= LINES:
            parts.append(make_part(names, lines))
            names, lines = [], []
    return [*parts, make_part(names, lines)] if lines else parts


def make_part(names: list[str], lines: list[str]) -> Part:
    title = _("Spells: %(first)s to %(last)s") % {"first": names[0], "last": names[-1]}
    return Part(title, tuple(lines), has_spells=True)


def write_part(name: str, edition: int, number: int) -> str:
    """Return one part, counted from 1, and say how to get the next."""
    parts = list_parts(name, edition)
    part, rules = parts[number - 1], find_rules(name=name, edition=edition)
    more = _("RULES %(ruleset)s PARTS lists the parts.")
    if number < len(parts):
        more = _("RULES %(ruleset)s PARTS lists the parts. RULES %(ruleset)s PART %(next)s sends the next.")
    head = _("Rules: %(title)s, edition %(edition)s, part %(number)s of %(count)s. %(part)s.") % {
        "title": rules.title,
        "edition": edition,
        "number": number,
        "count": len(parts),
        "part": part.title,
    }
    return "\n\n".join(
        [
            wrap(head),
            *([str(SMALL_LETTERS)] if part.has_spells else []),
            *part.paragraphs,
            wrap(more % {"ruleset": name, "next": number + 1}),
        ]
    )


def write_list_of_parts(name: str, edition: int) -> str:
    rules = find_rules(name=name, edition=edition)
    rows = [f"  {number:>2}  {part.title}" for number, part in enumerate(list_parts(name, edition), start=1)]
    message = _("RULES %(ruleset)s PART 1 sends the first, and RULES %(ruleset)s all of them.") % {"ruleset": name}
    head = _("Rules: %(ruleset)s, edition %(edition)s, in parts") % {"ruleset": rules.title, "edition": edition}
    return "\n".join([head, "", *rows, "", wrap(message)])
