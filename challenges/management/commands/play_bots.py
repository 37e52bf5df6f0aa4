"""`manage.py play_bots`: a round robin of the site's bots."""

from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.bots import BY_STRENGTH
from challenges.services.bot_battles import list_pairs, start_bot_battle
from duels.models import Battle
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.services.bot_orders import give_bot_orders
from ladder.selectors.bots import list_bot_ratings
from ladder.services.rate_battles import rate_battles

MOST_ROUNDS = 20
# How long the command waits for a sheet that a worker has taken.
PATIENCE_SECONDS = 60


class Command(BaseCommand):
    help = "Let every bot play every other one, rated, and print the ladder of bots. Workers may help."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rounds", type=int, default=1, help=f"battles of each pair, at most {MOST_ROUNDS}")
        parser.add_argument("--only", nargs="+", default=[], metavar="BOT", help="two or more bots; else all")

    def handle(self, *args: Any, rounds: int, only: list[str], **options: Any) -> None:
        unknown = [name for name in only if name not in BY_STRENGTH]
        if unknown:
            raise CommandError(f"There is no bot {unknown[0]}. There are: {', '.join(BY_STRENGTH)}.")
        if not 1 <= rounds <= MOST_ROUNDS:
            raise CommandError(f"Choose 1 to {MOST_ROUNDS} rounds.")
        pairs = list_pairs(strengths=only)
        if not pairs:
            raise CommandError("Two bots are needed. Run manage.py prepare_site, or name two.")
        for pair in pairs * rounds:
            battle = start_bot_battle(pair=pair, now=timezone.now())
            play_to_the_end(battle)
            self.stdout.write(f"{battle}, {pair[0]} against {pair[1]}: {_describe(battle)}")
        while rate_battles(kind="bots"):
            pass
        for row in list_bot_ratings(today=timezone.now().date()):
            self.stdout.write(f"{row.name:<20} {row.rating} ±{row.margin} ({row.battles})")


def play_to_the_end(battle: Battle) -> None:
    """Give the orders of the bots in `battle` until it is over. Raises CommandError if nobody gives them for long."""
    last = monotonic()
    while not battle.is_over:
        now = timezone.now()
        given = [give_bot_orders(sheet=sheet, now=now) for sheet in list_sheets_due_from_bots(now=now, battle=battle)]
        if any(given):
            last = monotonic()
        elif monotonic() - last > PATIENCE_SECONDS:
            raise CommandError(f"{battle} does not continue.")
        battle.refresh_from_db()


def _describe(battle: Battle) -> str:
    result = battle.result or {}
    won = ", ".join(result.get("winners", ()))
    return f"{won or 'nobody'} won, turn {battle.label} ({result.get('reason', battle.status)})"
