"""A client of Firetop Mountain's API: typed, with and without asyncio (README.md)."""

from firetop_client.client import AsyncFiretop, Firetop
from firetop_client.errors import ClientError, Problem, UnexpectedAnswer, Unreachable, WrongSetting
from firetop_client.wire import UNSET

__all__ = [
    "UNSET",
    "AsyncFiretop",
    "ClientError",
    "Firetop",
    "Problem",
    "UnexpectedAnswer",
    "Unreachable",
    "WrongSetting",
]
