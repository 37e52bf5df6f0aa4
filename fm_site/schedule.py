"""What beat wakes, and how often. Every task here is a sweep: it may run late, twice, or on several machines.

A wake-up that no worker took in its own interval expires: a stopped worker does not come back to a heap of them.
"""

from typing import Any

Schedule = dict[str, dict[str, Any]]


def every(seconds: float, task: str) -> Schedule:
    """Return the entry that wakes `task` (its dotted name) every so many seconds."""
    return {task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}}


BEAT_SCHEDULE: Schedule = {
    **every(2, "email_gateway.tasks.sweep_inbound_mail"),
    **every(2, "email_gateway.tasks.sweep_deliveries"),
    **every(3600, "email_gateway.tasks.tidy_mail"),
    **every(30, "challenges.tasks.sweep_invitations"),
}
