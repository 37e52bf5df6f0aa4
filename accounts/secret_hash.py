"""The hash under which the secret of a link or token is stored."""

import hashlib


def hash_secret(text: str) -> str:
    # The text is 256 random bits: a slow hash would protect nothing.
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
