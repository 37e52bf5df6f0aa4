from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EmailGatewayConfig(AppConfig):
    name = "email_gateway"
    verbose_name = _("Email")

    def ready(self) -> None:
        # Importing them registers the checks and connects the signals of anymail.
        from email_gateway import checks  # noqa: F401
        from email_gateway.receive import webhooks  # noqa: F401
