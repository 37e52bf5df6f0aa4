"""The users who get notices."""

from tests.accounts.conftest import anna, boris

__all__ = ["anna", "boris"]
