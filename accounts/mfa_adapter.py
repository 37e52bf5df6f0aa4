"""What django-allauth's second factors ask of the house: secrets are sealed, as everything that lets somebody in."""

from allauth.mfa.adapter import DefaultMFAAdapter

from accounts.sealing import InvalidToken, seal, unseal


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps the secrets of authenticator apps and recovery codes encrypted; those from before are read as they are."""

    def encrypt(self, text: str) -> str:
        return seal({"secret": text})

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(unseal(encrypted_text)["secret"])
        except (InvalidToken, ValueError):
            return encrypted_text
