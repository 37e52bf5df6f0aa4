"""Wake-ups for the workers. A lost one costs seconds: a sweep finds the row."""

from operations.workers import wake_worker


def wake_processing(mail_id: int | None) -> None:
    """Have a stored email processed soon, or all waiting ones if no number is given."""
    if mail_id is None:
        wake_worker("email_gateway.tasks.sweep_inbound_mail")
    else:
        wake_worker("email_gateway.tasks.process_inbound_mail", mail_id)


def wake_delivery() -> None:
    wake_worker("email_gateway.tasks.sweep_deliveries")
