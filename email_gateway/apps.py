from django.apps import AppConfig


class EmailGatewayConfig(AppConfig):
    name = "email_gateway"
