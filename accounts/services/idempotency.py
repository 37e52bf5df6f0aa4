"""Calls with an idempotency key: one effect, and the same answer for a day."""

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from accounts.errors import KeyUsedOtherwise
from accounts.models import ApiToken, IdempotentAnswer, User
from operations.encryption import InvalidToken, seal, unseal

KEPT = timedelta(days=1)
Answer = dict[str, Any]


class _NotKept(Exception):
    """The call had no lasting effect; its answer is in `answer`."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def answer_once(
    *,
    user: User,
    token: ApiToken | None,
    key: str,
    request: bytes,
    now: datetime,
    answer: Callable[[], tuple[Answer, bool]],
) -> tuple[Answer, bool]:
    """Return the answer to a call with this key, and whether it was given before.

    `answer` makes the call and returns the answer, as JSON data, and whether to store it. It runs in the transaction
    that stores the answer: if one is lost, so is the other. A second call at the same time waits for the first. Raises
    KeyUsedOtherwise if the key was used for another `request`.
    """
    mark = _hash(f"{user.pk}:{token.pk if token else 0}:{key}".encode())
    row = IdempotentAnswer(user=user, hash=mark, request=_hash(request), created_at=now)
    known = _find(row, now)
    if known is not None:
        return known, True
    try:
        with transaction.atomic():
            IdempotentAnswer.objects.filter(hash=mark, created_at__lte=now - KEPT).delete()
            if not _claim(row):
                raise KeyUsedOtherwise
            given, must_keep = answer()
            if not must_keep:
                raise _NotKept(given)
            IdempotentAnswer.objects.filter(pk=row.pk).update(sealed=seal(given))
    except _NotKept as rolled_back:
        return rolled_back.answer, False
    except KeyUsedOtherwise:
        known = _find(row, now)
        if known is None:
            raise
        return known, True
    return given, False


def _claim(row: IdempotentAnswer) -> bool:
    """Insert the row. If another call was quicker, wait for its end and return False."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def _find(row: IdempotentAnswer, now: datetime) -> Answer | None:
    found = IdempotentAnswer.objects.filter(hash=row.hash, created_at__gt=now - KEPT).first()
    if found is None:
        return None
    if found.request != row.request:
        raise KeyUsedOtherwise
    try:
        return unseal(found.sealed)
    except InvalidToken:  # sealed with a secret key that the site no longer has
        raise KeyUsedOtherwise from None


def forget_answers(*, now: datetime) -> int:
    """Delete the answers that are a day old; return how many."""
    return IdempotentAnswer.objects.filter(created_at__lte=now - KEPT).delete()[0]


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
