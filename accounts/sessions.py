"""Encrypted sessions: a pending login keeps its emailed code there.

Django signs what it stores but does not encrypt it; someone with a backup could use the code while it is valid.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from fm_site.operations.database.prepared_query import PreparedQuery
from fm_site.operations.encryption import InvalidToken, seal, unseal


@PreparedQuery
def _read_session(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


class SessionStore(RowStore):
    """Django's store, named in SESSION_ENGINE. A session encrypted with a lost key counts as empty."""

    def _get_session_from_db(self) -> Any:
        sessions = _read_session(key=self.session_key or "", now=timezone.now())
        if not sessions:
            self._session_key = None
            return None
        return sessions[0]

    def encode(self, session_dict: Mapping[str, Any]) -> str:
        return seal(session_dict)

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            return unseal(session_data if isinstance(session_data, str) else session_data.decode())
        except (InvalidToken, ValueError):
            return {}
