from django.apps import AppConfig


class EmailGatewayConfig(AppConfig):
    name = "email_gateway"

    def ready(self) -> None:
        # Importing them registers the checks and connects the signals of anymail.
        from email_gateway import checks  # noqa: F401
        from email_gateway.receive import webhooks  # noqa: F401
