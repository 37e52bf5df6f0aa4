#!/usr/bin/env python3
"""Check style sheets: they parse, no rule sets a property twice to one value, every custom property read is set.

Give files, or none for every style sheet that git knows. Needs tinycss2, so run it with .venv's Python.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import tinycss2

ROOT = Path(__file__).resolve().parent.parent
# Set by the style sheets of Django's admin, which ours extend.
OF_THE_ADMIN = {"--body-quiet-color", "--button-bg", "--button-fg", "--hairline-color"}


def main(names):
    listed = ["git", "ls-files", "*.css"]
    every = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    given = [Path(name).resolve() for name in names]
    paths = {ROOT / name for name in every} | set(given)
    sheets = {path: tinycss2.parse_stylesheet(path.read_text(encoding="utf-8"), True, True) for path in paths}
    known = OF_THE_ADMIN | {
        each.name for rules in sheets.values() for block in list_blocks(rules) for each in declarations(block)
    }
    found = [problem for path in given or sorted(paths) for problem in check(sheets[path], path, known)]
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


def check(rules, name, known):
    for rule in rules:
        if rule.type == "error":
            yield f"{name}:{rule.source_line}: {rule.message}"
    for block in list_blocks(rules):
        parts = tinycss2.parse_blocks_contents(block, skip_comments=True, skip_whitespace=True)
        yield from (f"{name}:{part.source_line}: {part.message}" for part in parts if part.type == "error")
        listed = [each for each in parts if each.type == "declaration"]
        counted = Counter((each.name, tinycss2.serialize(each.value).strip()) for each in listed)
        again = [each for (each, _), times in counted.items() if times > 1]
        yield from (f"{name}:{listed[0].source_line}: sets {each} twice" for each in again)
        for each in listed:
            for variable in list_variables(each.value):
                if variable not in known:
                    yield f"{name}:{each.source_line}: {variable} is not set anywhere"


def list_blocks(rules):
    """Yield the contents of every rule that holds declarations, inside @media and @supports too."""
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule.content
        elif rule.type == "at-rule" and rule.content is not None:
            if rule.lower_at_keyword in ("font-face", "page", "property"):
                yield rule.content
            else:
                yield from list_blocks(tinycss2.parse_rule_list(rule.content, True, True))


def declarations(block):
    parts = tinycss2.parse_blocks_contents(block, skip_comments=True, skip_whitespace=True)
    return [each for each in parts if each.type == "declaration"]


def list_variables(tokens):
    """Yield the custom properties that a value reads without naming another value for when they are not set."""
    for token in tokens:
        if token.type == "function":
            inner = [each for each in token.arguments if each.type not in ("whitespace", "comment")]
            if token.lower_name == "var" and len(inner) == 1:
                yield inner[0].value
            yield from list_variables(token.arguments)
        elif hasattr(token, "content") and isinstance(token.content, list):
            yield from list_variables(token.content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
