"""Hints for mypyc (`./run compile`), given by `@mypyc_attr(...)`. From source they do nothing.

acyclic=True       no object of this class is ever part of a reference cycle: the garbage collector leaves them out, so
                   one in a cycle would never be freed
free_list_len=1    the last object that was freed is reused: for what every turn creates
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_attributes):
        return lambda class_: class_


__all__ = ["mypyc_attr"]
