"""What can go wrong with a call. No message contains the token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firetop_client.models import ProblemItem

__all__ = ["ClientError", "Problem", "UnexpectedAnswer", "Unreachable", "WrongSetting"]


class ClientError(Exception):
    """Anything that a call or a stream raises."""


class WrongSetting(ClientError, ValueError):
    """The address or the token cannot be used."""


class Unreachable(ClientError):
    """The site did not answer, however often it was asked."""


class UnexpectedAnswer(ClientError):
    """The site answered with something that its description does not allow: it may be older than this client."""


class Problem(ClientError):
    """The site refused: `code` says why for programs, `problems` names everything that is wrong, and `more` has the
    other members of the answer, such as `now` or `mages`."""

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str,
        problems: tuple[ProblemItem, ...] = (),
        more: Mapping[str, Any] | None = None,
    ) -> None:
        self.status, self.code, self.title, self.detail = status, code, title, detail
        self.problems, self.more = problems, dict(more or {})
        super().__init__(self._describe())

    def _describe(self) -> str:
        """Return what is wrong in one text, with a line for each problem."""
        lines = [f"{self.status} {self.code}: {self.title}"]
        if not self.problems and self.detail:
            lines.append(self.detail)
        for each in self.problems:
            place = each.place if each.line is None else f"{each.place}, line {each.line}"
            nearest = f" Nearest: {each.nearest}" if each.nearest else ""
            lines.append(f"- {place + ': ' if place else ''}{each.message}{nearest}")
        return "\n".join(lines)
