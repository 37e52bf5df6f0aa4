#!/usr/bin/env python3
"""Check what holds for every text file: no trailing blanks, one newline at the end, no CRLF, no merge markers.

Without arguments, check all files that git knows, otherwise those named. Data of the tests (emails, conversations) may
look as it likes, and a template for the middle of a line ends without a newline.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXTS = {".py", ".html", ".md", ".css", ".js", ".svg", ".toml", ".yml", ".yaml", ".json", ".cfg", ".sh", ""}
LONGEST = 2_000_000
RULES = (
    (re.compile(rb"[ \t]+$", re.M), "blanks at the end of a line"),
    (re.compile(rb"\r"), "a carriage return"),
    (re.compile(rb"^(<<<<<<< |>>>>>>> )", re.M), "a merge marker"),
)


def main(arguments):
    names = arguments or subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    found = [problem for name in names for problem in check(ROOT / name, name)]
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


def check(path, name):
    if path.suffix not in TEXTS or not path.is_file() or path.is_symlink() or path.stat().st_size > LONGEST:
        return
    content = path.read_bytes()
    if b"\0" in content:
        return
    for rule, words in RULES:
        hit = rule.search(content)
        if hit:
            yield f"{name}:{content.count(bytes([10]), 0, hit.start()) + 1}: {words}"
    if content.endswith(b"\n\n") or (content and path.suffix != ".html" and not content.endswith(b"\n")):
        yield f"{name}: does not end with exactly one newline"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
