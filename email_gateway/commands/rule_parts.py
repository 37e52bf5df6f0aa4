"""The rules in parts, for those who do not want them all in one email."""

from dataclasses import dataclass

from duels.board.signs import WORDS
from duels.rulebook import list_sections, list_spells
from duels.terms import find_rules
from email_gateway.text.wrapping import wrap

# A part of spells ends with the one that makes it so long.
LINES = 60
SMALL_LETTERS = "A small letter is a gesture of both hands."
SIGNS = f"Gestures: {', '.join(f'{letter} {word}' for letter, word in list(WORDS.items())[:8])}."


@dataclass(frozen=True)
class Part:
    """A part of the rules: its title, and its paragraphs as they are mailed."""

    title: str
    paragraphs: tuple[str, ...]


def list_parts(name: str, edition: int) -> list[Part]:
    """Return the rules of a ruleset in their order: how a battle goes, where this one differs, the spells."""
    return [
        Part("How a battle goes", describe_basics(name, edition)),
        *part_differences(name, edition),
        *part_spells(name, edition),
    ]


def describe_basics(name: str, edition: int) -> tuple[str, ...]:
    """Return the general rules of a ruleset, a paragraph for each section."""
    return (wrap(SIGNS), *(wrap(f"{one.title}. {one.text}") for one in list_sections(name, edition=edition)))


def part_differences(name: str, edition: int) -> list[Part]:
    """Return the part that says where a ruleset differs, of which there is none where it does not."""
    differences = [wrap(f"- {one.text}") for one in find_rules(name=name, edition=edition).differences]
    return [Part("Where this ruleset differs", ("\n".join(differences),))] if differences else []


def part_spells(name: str, edition: int) -> list[Part]:
    """Return the spells by name in parts of about as many lines."""
    parts: list[Part] = []
    names: list[str] = []
    told: list[str] = []
    for spell in list_spells(name, edition=edition):
        names.append(spell.name)
        series = " or ".join(" ".join(one) for one in spell.series)
        told.append(f"{spell.name} ({series})\n{wrap(spell.words)}")
        if "\n\n".join(told).count("\n") >= LINES:
            parts.append(Part(f"Spells: {names[0]} to {names[-1]}", tuple(told)))
            names, told = [], []
    return [*parts, *([Part(f"Spells: {names[0]} to {names[-1]}", tuple(told))] if told else [])]


def write_part(name: str, edition: int, number: int) -> str:
    """Return one part, counted from 1, and say how to get the next."""
    parts = list_parts(name, edition)
    part, rules = parts[number - 1], find_rules(name=name, edition=edition)
    more = f" RULES {name} PART {number + 1} sends the next." if number < len(parts) else ""
    return "\n\n".join(
        [
            wrap(f"Rules: {rules.title}, edition {edition}, part {number} of {len(parts)}. {part.title}."),
            *([SMALL_LETTERS] if part.title.startswith("Spells") else []),
            *part.paragraphs,
            wrap(f"RULES {name} PARTS lists the parts.{more}"),
        ]
    )


def write_list_of_parts(name: str, edition: int) -> str:
    """Return the titles of the parts, by number."""
    rules = find_rules(name=name, edition=edition)
    rows = [f"  {number:>2}  {part.title}" for number, part in enumerate(list_parts(name, edition), start=1)]
    told = f"RULES {name} PART 1 sends the first of them, RULES {name} all."
    return "\n".join([f"Rules: {rules.title}, edition {edition}, in parts", "", *rows, "", wrap(told)])
