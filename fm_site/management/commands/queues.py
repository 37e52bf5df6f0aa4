"""`manage.py queues`: what waits to be sent or done."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from redis.exceptions import RedisError

from fm_site.upkeep.queues import drain_queues, drop_deliveries, drop_tasks, measure_queues
from notifications.models import Delivery

DROPPED = {"mail": Delivery.EMAILS, "posts": ~Delivery.EMAILS}


class Command(BaseCommand):
    help = "Shows what waits: email, messages to hooks and devices, tasks for the workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--drain", action="store_true", help="process and send here what is due, until nothing is due any more"
        )
        parser.add_argument(
            "--drop",
            choices=("tasks", *DROPPED),
            help="tasks: remove those that wait for workers (sweeps do what they were for); mail, posts: never send "
            "what waits, for good",
        )
        parser.add_argument(
            "--older-than", type=float, default=0, metavar="HOURS", help="with --drop mail or posts: only older ones"
        )
        parser.add_argument("--yes", action="store_true", help="with --drop mail or posts: really drop them")

    def handle(self, *_args: Any, **options: Any) -> None:
        what, now = options["drop"], timezone.now()
        try:
            if options["drain"]:
                drain_queues()
            if what == "tasks":
                self.stdout.write(f"{drop_tasks()} tasks removed.")
            elif what:
                if not options["yes"]:
                    raise CommandError("What is dropped is never sent. Add --yes if you mean it.")
                before = now - timedelta(hours=options["older_than"])
                self.stdout.write(f"{drop_deliveries(among=DROPPED[what], before=before)} dropped.")
            for queue in measure_queues(now=now):
                since = f", the oldest since {queue.oldest:%Y-%m-%d %H:%M} UTC" if queue.oldest else ""
                self.stdout.write(f"{queue.name}: {queue.waiting} waiting, {queue.due} due{since}")
        except RedisError as error:
            raise CommandError(f"The broker does not answer: {error}") from error
