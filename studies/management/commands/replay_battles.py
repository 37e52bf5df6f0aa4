"""`manage.py replay_battles`: replays stored battles and shows all differences, secrets included."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from duels.errors import BattleNotFound
from duels.models import Battle
from duels.selectors.viewer import find_battle
from studies.selectors.replay_checks import list_battles_to_replay
from studies.services.replay_checks import replay_battle

AT_A_TIME = 100


class Command(BaseCommand):
    help = "Replay stored battles by the rules of their editions. The output shows secrets: for janitors only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        help_numbers = "the battles to replay (default: the next batch of the nightly replay)"
        parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help=help_numbers)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            battles = [find_battle(number=number) for number in options["numbers"]]
        except BattleNotFound as error:
            raise CommandError(str(error)) from error
        now = timezone.now()
        if not options["numbers"]:
            battles = list_battles_to_replay(now=now, limit=AT_A_TIME)
        otherwise = sum(self._replay(battle, now) for battle in battles)
        if otherwise:
            raise CommandError(f"{otherwise} of {len(battles)} battles replay differently.")
        self.stdout.write(f"Battles replayed: {len(battles)}. All match.")

    def _replay(self, battle: Battle, now: Any) -> bool:
        found = replay_battle(battle=battle, now=now)
        for difference in found:
            self.stdout.write(f"{battle.number}: {difference}")
        return bool(found)
