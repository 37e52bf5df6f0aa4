"""Expecting a refusal by its code, which says more than its class."""

import pytest

from operations.errors import Refused


def refused(code: str, match: str | None = None) -> "pytest.RaisesExc[Refused]":
    """Expect an app's Refused with this code; `match` is searched in its sentences."""
    return pytest.raises(Refused, match=match, check=lambda error: error.code == code)
