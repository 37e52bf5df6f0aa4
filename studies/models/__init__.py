"""Models of studies: what-if trees, analyses, collections and notes; puzzles and progress; the bots' exhibition."""

from studies.models.exhibition import Exhibition
from studies.models.progress import DailyTry, LearnedStep, SolvedPuzzle
from studies.models.puzzle import OwnMistake, Puzzle, PuzzleSkill, PuzzleTry, SearchedBattle
from studies.models.study import (
    COMMENT_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    TITLE_LENGTH,
    AnalysedTurn,
    Analysis,
    Branch,
    Collection,
    CollectionEntry,
    Import,
    Note,
    Study,
)

__all__ = [
    "COMMENT_LENGTH",
    "NAME_LENGTH",
    "NOTE_LENGTH",
    "TITLE_LENGTH",
    "AnalysedTurn",
    "Analysis",
    "Branch",
    "Collection",
    "CollectionEntry",
    "DailyTry",
    "Exhibition",
    "Import",
    "LearnedStep",
    "Note",
    "OwnMistake",
    "Puzzle",
    "PuzzleSkill",
    "PuzzleTry",
    "SearchedBattle",
    "SolvedPuzzle",
    "Study",
]
