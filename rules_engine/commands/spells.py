"""The command spell: a spell's description in a ruleset, its rule, and the place of its code."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from types import FunctionType

from rules_engine.commands.files import CommandFailed
from rules_engine.errors import UnknownRuleset
from rules_engine.rulebook import describe_spell, describe_usual_target, find_differences
from rules_engine.rules import Ruleset
from rules_engine.rulesets import RULESETS, get_ruleset

HOME = Path(__file__).resolve().parents[2]


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    spell = commands.add_parser("spell", help="what a spell does in a ruleset, and where the code is")
    spell.add_argument("name", metavar="SPELL", help="its name, in any case")
    spell.add_argument("rulesets", metavar="RULESET", nargs="*", help="by default, every one on offer")
    spell.set_defaults(run=print_spell)


def print_spell(arguments: argparse.Namespace) -> int:
    """Print a paragraph for each ruleset."""
    name = _find_spell(arguments.name)
    try:
        rulesets = [get_ruleset(each) for each in arguments.rulesets]
    except UnknownRuleset as error:
        raise CommandFailed(str(error)) from error
    rulesets = rulesets or [r for r in RULESETS.values() if r.offered and r.family in ("", r.name)]
    print("\n\n".join("\n".join(_describe(ruleset, name)) for ruleset in rulesets))
    return 0


def _find_spell(text: str) -> str:
    known = {name.lower(): name for ruleset in RULESETS.values() for name in ruleset.order}
    if text.lower() not in known:
        near = get_close_matches(text.lower(), known, n=1, cutoff=0.4)
        raise CommandFailed(f"no spell {text}" + (f"; did you mean {known[near[0]]}?" if near else ""))
    return known[text.lower()]


def _describe(ruleset: Ruleset, name: str) -> Iterator[str]:
    yield f"{name} in {ruleset.title} ({ruleset.name}, edition {ruleset.edition})"
    if name not in ruleset.order:
        yield "  cannot be made"
        return
    spell = ruleset.spells[name]
    for series in ruleset.book.series:
        if series.spell == name:
            yield f"  series   {' '.join(series.text)}"
    yield f"  target   {describe_usual_target(spell)}, if none is named"
    yield f"  does     {describe_spell(ruleset, name)}"
    for difference in find_differences(ruleset, name):
        yield f"  here     {difference.text} [{difference.clause}]"
    yield f"  rule     {spell.clause}"
    yield f"  code     {', '.join(_find_places(spell.effect))}"
    table = f"tests/rules_engine/spell_tables/{ruleset.name}.txt"
    if (HOME / table).exists():
        yield f"  checked  {table}, spell {name}"


def _find_places(effect: object) -> Iterator[str]:
    """Yield file, line and name of the function behind the spell, and of those it is built from."""
    if isinstance(effect, FunctionType):
        code = effect.__code__
        name = code.co_qualname.partition(".")[0]
        yield f"{Path(code.co_filename).relative_to(HOME)}:{code.co_firstlineno} {name}"
        for cell in effect.__closure__ or ():
            yield from _find_places(cell.cell_contents)
