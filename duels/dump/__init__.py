"""The dump of all battles that are over: what its files hold, and whether its figures follow from its battles.

Plain values and files, no database: anybody who has the files can check them (docs/dump.md).
"""

from duels.dump.check import Fault, check_dump
from duels.dump.files import DumpPart, find_part, hash_file, read_index

__all__ = ["DumpPart", "Fault", "check_dump", "find_part", "hash_file", "read_index"]
