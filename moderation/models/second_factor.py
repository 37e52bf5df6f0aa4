"""A user's second factor as the desk shows it."""

from allauth.mfa.models import Authenticator
from django.utils.translation import gettext_lazy as _


class SecondFactor(Authenticator):  # type: ignore[misc]  # allauth has no types
    """Allauth's row under the name that our pages use; allauth's own model has only an English one."""

    class Meta:
        proxy = True
        verbose_name = _("second factor")
        verbose_name_plural = _("second factors")
