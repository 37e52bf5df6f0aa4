"""Sessions whose rows are no log-ins: their keys are hashed and their contents encrypted.

A cookie has the session's key; its row has a hash of it, as everything else that names the session does (devices, the
list of sessions, messages to sockets). Someone who reads a row or a backup has no cookie from it. The contents are
encrypted because a pending login keeps its emailed code there; Django only signs them.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from operations.encryption import InvalidToken, seal, unseal

# The length of the column for it in Django's table.
HASH_LETTERS = 40


def hash_session_key(key: str) -> str:
    """Return the key of the row for a session key; "" for no session. A fast hash is enough: keys are random."""
    return hashlib.sha256(f"session key:{key}".encode()).hexdigest()[:HASH_LETTERS] if key else ""


class SessionStore(RowStore):
    """Django's store, named in SESSION_ENGINE. A session encrypted with a lost key counts as empty."""

    _stored_expiry: datetime | None = None

    def _get_session_from_db(self) -> Any:
        key = hash_session_key(self.session_key or "")
        session = Session.objects.filter(session_key=key, expire_date__gt=timezone.now()).first()
        if session is None:
            self._session_key = None
        else:
            self._stored_expiry = session.expire_date
        return session

    def exists(self, session_key: str) -> bool:
        return super().exists(hash_session_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session with this key, by default this one."""
        key = session_key or self.session_key
        if key is not None:
            super().delete(hash_session_key(key))

    def create_model_instance(self, data: Any) -> AbstractBaseSession:
        """Return the row of this session. Saving never makes a session end earlier: a clock that is behind by weeks
        would log its users out as soon as it is right again."""
        row = super().create_model_instance(data)
        row.session_key = hash_session_key(row.session_key)
        row.expire_date = max(row.expire_date, self._stored_expiry or row.expire_date)
        return row

    async def _aget_session_from_db(self) -> Any:
        return await sync_to_async(self._get_session_from_db)()

    async def aexists(self, session_key: str) -> bool:
        return bool(await sync_to_async(self.exists)(session_key))

    async def adelete(self, session_key: str | None = None) -> None:
        """Delete the session with this key, by default this one."""
        await sync_to_async(self.delete)(session_key)

    async def acreate_model_instance(self, data: Any) -> AbstractBaseSession:
        row: AbstractBaseSession = await sync_to_async(self.create_model_instance)(data)
        return row

    def encode(self, session_dict: Mapping[str, Any]) -> str:
        return seal(session_dict)

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            return unseal(session_data if isinstance(session_data, str) else session_data.decode())
        except (InvalidToken, ValueError):
            return {}
