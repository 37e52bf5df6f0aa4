"""Encrypts the secrets of django-allauth's second factors, like everything else that lets someone log in."""

from allauth.mfa.adapter import DefaultMFAAdapter

from fm_site.operations.sealing import InvalidToken, seal, unseal


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts the secrets of authenticator apps and recovery codes; reads unencrypted old ones as they are."""

    def encrypt(self, text: str) -> str:
        return seal({"secret": text})

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(unseal(encrypted_text)["secret"])
        except (InvalidToken, ValueError):
            return encrypted_text
