"""The dump of all finished battles: its files, and the check that its figures follow from its battles.

Only plain values and files, no database: anyone who has the files can check them (docs/dump.md).
"""

from studies.dump.check import check_dump
from studies.dump.files import DumpPart, find_part, parse_index, read_index

__all__ = [
    "DumpPart",
    "check_dump",
    "find_part",
    "parse_index",
    "read_index",
]
