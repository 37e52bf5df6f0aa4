"""Scheduled tasks of moderation."""

from celery import shared_task

from moderation.services.reports import sweep_sanctions as end_sanctions
from operations.sweeps import sweep_in_batches


@shared_task
def sweep_sanctions() -> int:
    return sweep_in_batches(end_sanctions)
