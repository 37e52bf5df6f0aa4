"""Days and solved puzzles of before, from the first tries that are stored."""

from datetime import UTC

from django.db import migrations

STRIDE = 7919
AT_ONCE = 1000


def store_progress(apps, schema_editor):
    puzzles = list(apps.get_model("studies", "Puzzle").objects.order_by("pk").values_list("pk", "added_on"))
    tries = apps.get_model("studies", "PuzzleTry").objects.order_by("tried_at", "pk")
    daily_try, solved_puzzle = (apps.get_model("studies", name) for name in ("DailyTry", "SolvedPuzzle"))
    chosen = {}
    days, solutions = [], []
    for user, puzzle, solved, at in tries.values_list("user", "puzzle", "solved", "tried_at").iterator():
        day = at.astimezone(UTC).date()
        if day not in chosen:
            known = [pk for pk, added_on in puzzles if added_on < day]
            chosen[day] = known[day.toordinal() * STRIDE % len(known)] if known else None
        if puzzle == chosen[day]:
            days.append(daily_try(user_id=user, puzzle_id=puzzle, day=day, solved=solved, tried_at=at))
        if solved:
            solutions.append(solved_puzzle(user_id=user, puzzle_id=puzzle, solved_at=at))
    for model, rows in ((daily_try, days), (solved_puzzle, solutions)):
        model.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [
        ("studies", "0008_progress_in_accounts"),
    ]

    operations = [migrations.RunPython(store_progress, migrations.RunPython.noop)]
