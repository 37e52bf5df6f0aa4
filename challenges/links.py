"""How the token of a link is kept."""

import hashlib


def hash_token(text: str) -> str:
    """What is stored of a token."""
    # The text is 192 random bits: a slow hash would protect nothing.
    return hashlib.sha256(text.encode()).hexdigest()
