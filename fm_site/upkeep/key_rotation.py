"""Rotation of SECRET_KEY: encrypts stored data again with the current key, so that an older one can be retired."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db.models import BinaryField, Model

from operations.encryption import InvalidToken, reseal_bytes

# Every field with sealed data.
SEALED = (
    "accounts.IdempotentAnswer.sealed",
    "accounts.PushDevice.sealed_keys",
    "accounts.PushKey.sealed_key",
    "email_gateway.AccountChangeRequest.sealed",
    "email_gateway.InboundMail.sealed",
    "email_gateway.LocalMail.sealed",
    "email_gateway.NewUserRequest.sealed",
    "notifications.Delivery.sealed_mail",
    "notifications.Hook.sealed",
    "notifications.Notice.sealed",
    "sessions.Session.session_data",
)
AT_A_TIME = 500


def reseal_everything() -> tuple[int, int]:
    """Encrypt everything again with the current key; return how many rows, and how many no known key can read.

    May be repeated, and run while the site runs: a row that changes in the meantime is already under the current key.
    """
    done = lost = 0
    for name in SEALED:
        label, _, field = name.rpartition(".")
        for row in list_sealed(apps.get_model(label), field):
            kept = getattr(row, field)
            old = kept if isinstance(kept, str) else bytes(kept)
            try:
                new = reseal(old)
            except InvalidToken:
                lost += 1
                continue
            done += type(row)._default_manager.filter(pk=row.pk, **{field: old}).update(**{field: new})
    more, unread = reseal_second_factors()
    return done + more, lost + unread


def count_unreadable() -> int:
    """Return how many rows no known key can read, as after restoring a backup without its secret key."""
    fields = [name.rpartition(".") for name in SEALED]
    rows = (getattr(row, field) for label, _, field in fields for row in list_sealed(apps.get_model(label), field))
    return sum(not is_readable(each) for each in chain(rows, Authenticator.objects.values_list("data", flat=True)))


def is_readable(kept: Any) -> bool:
    """Return whether a known key can read this field, or everything sealed inside this JSON."""
    try:
        if isinstance(kept, dict):
            _walk(kept, reseal)
        else:
            reseal(kept if isinstance(kept, str) else bytes(kept))
    except InvalidToken:
        return False
    return True


def list_sealed(model: type[Model], field: str) -> Iterator[Model]:
    """Yield the rows with something in the field."""
    empty = b"" if isinstance(model._meta.get_field(field), BinaryField) else ""
    for row in model._default_manager.exclude(**{field: empty}).only("pk", field).iterator(AT_A_TIME):
        if getattr(row, field):
            yield row


def reseal(old: Any) -> Any:
    """Return sealed bytes or text under the current key. Raises InvalidToken."""
    return reseal_bytes(old.encode()).decode() if isinstance(old, str) else reseal_bytes(old)


def reseal_second_factors() -> tuple[int, int]:
    """Do the same for the secrets of authenticator apps and recovery codes, which are inside JSON."""
    done = lost = 0
    for row in Authenticator.objects.all():
        try:
            data = _walk(row.data, reseal)
        except InvalidToken:
            lost += 1
            continue
        done += Authenticator.objects.filter(pk=row.pk, data=row.data).update(data=data)
    return done, lost


def _walk(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: _walk(inner, change) for name, inner in value.items()}
    if isinstance(value, list):
        return [_walk(inner, change) for inner in value]
    # The beginning of every Fernet text.
    return change(value) if isinstance(value, str) and value.startswith("gAAAA") else value
