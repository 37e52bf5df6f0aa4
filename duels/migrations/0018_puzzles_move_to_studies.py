"""Puzzles belong to `studies` now. Only Django's state changes: the tables stay where they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0017_stuck_since"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="PuzzleTry"),
                migrations.DeleteModel(name="PuzzleSkill"),
                migrations.DeleteModel(name="SearchedBattle"),
                migrations.DeleteModel(name="Puzzle"),
            ],
        ),
    ]
