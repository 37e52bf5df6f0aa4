"""What `./run compile` learns about a class, by `@mypyc_attr(...)`. From source it means nothing.

acyclic=True       its objects never lead back to themselves, so no garbage collector follows them; those that did
                   would never be freed
free_list_len=1    the last object that was freed is kept for the next one: for what every turn makes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_attributes):
        return lambda class_: class_


__all__ = ["mypyc_attr"]
