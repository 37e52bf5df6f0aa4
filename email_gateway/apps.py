from django.apps import AppConfig


class EmailGatewayConfig(AppConfig):
    name = "email_gateway"

    def ready(self) -> None:
        # Importing them registers the checks and receives the signals of anymail.
        pass
