"""Every secret that the journeys type, receive or send: none of them may be found anywhere afterwards."""

from dataclasses import dataclass, field

SHORTEST = 6


@dataclass
class Secrets:
    """The secrets used, by kind ("password", "mail password", "code", "link", "API token", "reply address")."""

    used: dict[str, set[str]] = field(default_factory=dict)

    def note(self, kind: str, secret: str, *, unless: tuple[str, ...] = ()) -> str:
        """Remember `secret` and return it."""
        if secret and secret not in unless:
            assert len(secret) >= SHORTEST, f"{secret!r} is too short to be looked for"
            self.used.setdefault(kind, set()).add(secret)
        return secret

    def all(self) -> list[tuple[str, str]]:
        return sorted((kind, secret) for kind, secrets in self.used.items() for secret in secrets)
