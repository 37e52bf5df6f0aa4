from django.apps import AppConfig


class EmailGatewayConfig(AppConfig):
    name = "email_gateway"

    def ready(self) -> None:
        # Importing them registers the checks and receives the signals of anymail.
        from accounts.mail_writer import use_mail_writer
        from email_gateway import checks, webhooks  # noqa: F401
        from email_gateway.services.posting import write_notice_out

        use_mail_writer(write_notice_out)
