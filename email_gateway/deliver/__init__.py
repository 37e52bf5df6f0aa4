"""Emails on their way out: the queue, sending, and the addresses that emails do not reach. The lowest of the stages."""
