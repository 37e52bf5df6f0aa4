"""Emails on their way out: queue, sending, and addresses that emails do not reach. The lowest layer of the gateway."""
