"""How many battles a second ratings are made again from: python -m benchmarks.rebuild_ratings [--battles N] [--users N]

Made-up battles, four duels to one melee, are rated as they would be in the course of time, then all ratings are made
again from the battles alone. Ends with 1 when any figure, of any user or after any battle, differs by a single bit.

On its own SQLite, or on the PostgreSQL that DATABASE_URL names (an empty one).
"""

import argparse
import hashlib
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.mail_intake import name_database
from benchmarks.own_site import prepare_environment, set_up_django

BEGIN = datetime(2031, 1, 1, tzinfo=UTC)
YEARS = 3


def main(arguments: list[str]) -> int:
    """Print the figures; the exit code says whether the ratings came out the same."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory(prefix="fm-bench-") as name:
        prepare_environment(Path(name))
        set_up_django()
        make_battles(options.battles, options.users)
        rated, seconds = rate_all()
        before = read_all_figures()
        print(f"ratings: {options.battles} battles of {options.users} users, {name_database()}")
        print(f"ratings, in the course of time: {rated / seconds:.0f} battles/s")
        begin = time.perf_counter()
        changed = rebuild_all()
        rate = options.battles / (time.perf_counter() - begin)
        print(f"ratings, made again from the battles alone: {rate:.0f} battles/s")
        same = not changed and read_all_figures() == before
        print(f"ratings made again are {'the same to the last bit' if same else 'NOT the same'}", flush=True)
    return 0 if same else 1


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rebuild_ratings")
    parser.add_argument("--battles", type=int, default=50_000)
    parser.add_argument("--users", type=int, default=2_000)
    return parser.parse_args(arguments)


def make_battles(battles: int, users: int) -> None:
    """Write made-up battles as the ladder counts them; the stronger win more often."""
    from accounts.models import Mage, User
    from ladder.models import Placing, ScoredBattle

    chance = random.Random(50_000)
    User.objects.bulk_create([User(username=f"User_{number}") for number in range(users)], batch_size=1000)
    owners = list(User.objects.filter(username__startswith="User_").order_by("pk"))
    Mage.objects.bulk_create([Mage(user=user, name=f"Mage_{user.pk}") for user in owners], batch_size=1000)
    mages = list(Mage.objects.order_by("pk"))
    skill = {mage.pk: chance.gauss(0, 1) for mage in mages}
    step = timedelta(days=365 * YEARS) / battles
    scored = [
        ScoredBattle(
            number=number, kind="melee" if number % 5 == 0 else "duel", practice=False, scored_at=BEGIN + number * step
        )
        for number in range(1, battles + 1)
    ]
    ScoredBattle.objects.bulk_create(scored, batch_size=1000)
    placings = []
    for battle in scored:
        players = chance.sample(mages, chance.randint(3, 6) if battle.kind == "melee" else 2)
        drawn = chance.random() < 0.05
        best = max(players, key=lambda mage: skill[mage.pk] + chance.gauss(0, 1))
        placings += [
            Placing(
                battle=battle,
                mage=mage,
                user_id=mage.user_id,
                won=mage is best and not drawn,
                died=False,
                score_at_start=0,
            )
            for mage in players
        ]
    Placing.objects.bulk_create(placings, batch_size=1000)


def rate_all() -> tuple[int, float]:
    from ladder.rating import KINDS
    from ladder.services.rate_battles import rate_battles

    begin, rated = time.perf_counter(), 0
    for kind in KINDS:
        while taken := rate_battles(kind=kind, limit=500):
            rated += taken
    return rated, time.perf_counter() - begin


def rebuild_all() -> int:
    """Return how many users have other figures than before."""
    from ladder.rating import KINDS
    from ladder.services.rate_battles import rebuild_ratings

    return sum(len(rebuild_ratings(kind=kind).changed_users) for kind in KINDS)


def read_all_figures() -> str:
    """Return a mark of every figure of every user and of every battle."""
    from ladder.models import RatingEntry, UserRating

    mark = hashlib.sha256()
    for rows in (UserRating.objects.order_by("user", "kind"), RatingEntry.objects.order_by("battle", "user")):
        names = [field.attname for field in rows.model._meta.concrete_fields if field.attname != "id"]
        for row in rows.values_list(*names).iterator(chunk_size=5000):
            mark.update(repr(row).encode())
    return mark.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
