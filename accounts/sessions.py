"""Encrypted sessions: a pending login keeps its emailed code there.

Django signs what it stores but does not encrypt it; someone with a backup could use the code while it is valid.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as RowStore

from fm_site.operations.sealing import InvalidToken, seal, unseal


class SessionStore(RowStore):
    """Django's store, named in SESSION_ENGINE. A session encrypted with a lost key counts as empty."""

    def encode(self, session_dict: Mapping[str, Any]) -> str:
        return seal(session_dict)

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            return unseal(session_data if isinstance(session_data, str) else session_data.decode())
        except (InvalidToken, ValueError):
            return {}
