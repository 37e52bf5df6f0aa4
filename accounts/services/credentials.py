"""What else lets somebody in as a user, and ends with the password: a stranger who knew that may have made it."""

from dataclasses import dataclass

from django.db import transaction

from accounts.models import ApiToken, User


@dataclass(frozen=True)
class Revoked:
    """What was taken from a user: so many API tokens, and whether the mail password."""

    tokens: int = 0
    mail_password: bool = False

    def __bool__(self) -> bool:
        return bool(self.tokens or self.mail_password)

    def say(self) -> str:
        """Return the sentence that tells the user; "" where there was nothing to take."""
        tokens = f"{self.tokens} API token{'s' if self.tokens != 1 else ''}" if self.tokens else ""
        verb = "was" if self.tokens == 1 else "were"
        told = [f"{tokens} {verb} revoked."] if tokens else []
        told += ["The mail password was switched off."] if self.mail_password else []
        return " ".join(told)


def revoke_credentials(*, user: User) -> Revoked:
    """Delete every API token of `user` and switch the mail password off; return what there was."""
    with transaction.atomic():
        tokens, _ = ApiToken.objects.filter(user=user).delete()
        switched_off = User.objects.filter(pk=user.pk).exclude(mail_password="").update(mail_password="")
    user.mail_password = ""
    return Revoked(tokens, bool(switched_off))


class CredentialsEndWithPassword:
    """A password validator that refuses nothing: Django tells it of every new password, whichever way it came (page,
    mailed code, manage.py). What was revoked stands on the user as `revoked` until somebody tells."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Accept every password."""

    def get_help_text(self) -> str:
        """Ask nothing of a password."""
        return ""

    def password_changed(self, password: str, user: User | None = None) -> None:
        """Revoke what the old password may have made."""
        if user is not None and user.pk is not None:
            user.revoked = revoke_credentials(user=user)  # type: ignore[attr-defined]
