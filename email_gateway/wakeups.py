"""Wake-ups for the workers. A lost one costs seconds: a sweep finds the row."""

from fm_site.operations.workers import breaker, wake_worker

__all__ = ["breaker", "send", "wake_delivery", "wake_processing"]


def wake_processing(mail_id: int | None) -> None:
    """Have a stored email processed soon, or all waiting ones if no number is given."""
    if mail_id is None:
        send("email_gateway.tasks.sweep_inbound_mail")
    else:
        send("email_gateway.tasks.process_inbound_mail", mail_id)


def wake_delivery() -> None:
    """Have due emails sent soon."""
    send("email_gateway.tasks.sweep_deliveries")


send = wake_worker
