"""Fixtures of running the site."""

from tests.duels.conftest import duel

__all__ = ["duel"]
