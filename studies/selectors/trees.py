"""Studies as trees: access, branches, and the position of a branch on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Count, QuerySet

from accounts.models import User
from duels.models import Battle
from duels.selectors.battle_view import TurnStory, Window
from duels.selectors.viewer import MaybeUser, get_battle_for_viewer
from rules_engine import State, read_event, read_state
from rules_engine.bots import STRENGTHS
from rules_engine.records import Record, parse_record
from studies.errors import StudyNotFound, StudyRefused
from studies.models import Branch, Import, Study
from studies.selectors.positions import Position, see_position

Access = Study.Access
MOST_LISTED = 50
# A bot that thinks for seconds while the page waits: only in duels.
SLOWEST = "Archmage"


@dataclass
class ShownBranch:
    """A branch in the tree's list: its depth, its name, and the gestures that led to it."""

    number: int
    label: str
    depth: int
    name: str
    comment: str
    moves: str
    current: bool = False
    over: bool = False
    children: list["ShownBranch"] = field(default_factory=list)


def get_study_for_reader(*, slug: str, user: MaybeUser) -> Study:
    """Return a study that the user may read: their own, or a shared one of a battle that is over.

    Raises StudyNotFound, with the same words for a study that does not exist, and StudyRefused for the owner while a
    janitor has reopened its battle: what it has of the end is secret again.
    """
    study = Study.objects.select_related("battle", "owner").filter(slug=slug).first()
    if study is None:
        raise StudyNotFound
    if study.owner_id != getattr(user, "pk", None):
        if study.access == Access.PRIVATE or not study.is_open:
            raise StudyNotFound
        return study
    if not study.is_open_to_owner:
        raise StudyRefused("reopened")
    return study


def get_branch(study: Study, number: int) -> Branch:
    """Return a branch. Raises StudyNotFound."""
    branch = study.branches.filter(number=number).first()
    if branch is None:
        raise StudyNotFound
    return branch


def list_studies_of(user: User) -> list[Study]:
    """Return a user's studies, the newest first, each with its number of turns."""
    return list(_sized(Study.objects.filter(owner=user))[:MOST_LISTED])


def list_studies_for_reader(battle: Battle, user: MaybeUser) -> list[Study]:
    """Return the reader's own studies of a battle, then the public ones; these only after the end."""
    studies = _sized(Study.objects.filter(battle=battle))
    own: list[Study] = list(studies.filter(owner=user)[:MOST_LISTED]) if isinstance(user, User) else []
    if not battle.is_over:
        return own
    shared = studies.filter(access=Access.PUBLIC).exclude(pk__in=[each.pk for each in own])
    return [*own, *shared[:MOST_LISTED]]


def _sized(studies: QuerySet[Study]) -> QuerySet[Study]:
    # Django leaves out a model's own order where rows are counted.
    counted = studies.select_related("owner", "battle").annotate(size=Count("branches") - 1)
    return counted.order_by("-created_at", "-pk")


def read_path(branch: Branch) -> list[Branch]:
    """Return the branches from the root to this one."""
    parents = dict(Branch.objects.filter(study=branch.study_id).values_list("pk", "parent_id"))
    keys: list[int] = []
    above = branch.parent_id
    while above is not None:
        keys.append(above)
        above = parents[above]
    known = {each.pk: each for each in Branch.objects.filter(pk__in=keys)}
    return [*(known[key] for key in reversed(keys)), branch]


def read_position(path: list[Branch]) -> Position:
    """Return the position after the last branch of a path, with the events of its turns."""
    events, labels = [], []
    befores: dict[int, State] = {}
    before = path[0]
    for key, stages in groupby(path[1:], key=lambda each: (each.seq, each.label)):
        branches = list(stages)
        labels.append(key)
        events.append(tuple(read_event(event) for branch in branches for event in branch.events))
        befores[key[0]] = read_state(before.state)
        before = branches[-1]
    return Position(read_state(path[-1].state), events=tuple(events), labels=tuple(labels), befores=befores)


def list_tree(study: Study, current: int) -> list[ShownBranch]:
    """Return the branches in reading order: each above its children, indented where the tree branches."""
    branches = list(study.branches.order_by("number").defer("events"))
    rows = {each.pk: _row(each, current) for each in branches}
    for each in branches:
        if each.parent_id is not None:
            rows[each.parent_id].children.append(rows[each.pk])
    return list(_read_down(rows[branches[0].pk], 0))


def _read_down(row: ShownBranch, depth: int) -> Iterator[ShownBranch]:
    # A loop along only children, so that a long line needs no deep recursion.
    while True:
        row.depth = depth
        yield row
        if len(row.children) != 1:
            break
        row = row.children[0]
    for child in row.children:
        yield from _read_down(child, depth + 1)


def _row(branch: Branch, current: int) -> ShownBranch:
    return ShownBranch(
        branch.number,
        branch.label,
        0,
        branch.name,
        branch.comment,
        describe_orders(branch.orders),
        current=branch.number == current,
        over=branch.state["outcome"] is not None,
    )


def _find_recorded_story(study: Study, seq: int) -> TurnStory | None:
    last = study.branches.filter(seq=seq, number__lte=study.recorded, number__gt=0).last()
    if last is None:
        return None
    seen = see_position(read_position(read_path(last)), mage="", sees_all=True)
    return next((story for story in seen.stories if story.seq == seq), None)


def read_doubts(study: Study) -> list[tuple[int, str, str]]:
    """Return where the rules differ from the text of an import: (line, turn, words)."""
    doubts = Import.objects.filter(study=study).values_list("doubts", flat=True).first() or []
    return [(line, turn.removeprefix("turn "), words) for line, turn, words in doubts]


def get_record_for_reader(*, slug: str, user: MaybeUser) -> Record:
    """Return the record of an imported battle. Raises StudyNotFound, StudyRefused."""
    source = Import.objects.filter(study=get_study_for_reader(slug=slug, user=user)).first()
    if source is None:
        raise StudyNotFound
    return parse_record(source.record)


def find_following(branch: Branch) -> int | None:
    """Return the number of the first child; None if there is none."""
    return branch.children.order_by("number").values_list("number", flat=True).first()


def describe_orders(orders: dict[str, list[str]]) -> str:
    """Return the gestures of all mages: ``Froodal S/W, Bung P/D``; "" where none were chosen."""
    pairs = []
    for mage, lines in orders.items():
        hands = dict(line.split(" ", 1) for line in lines if line[:3] in ("LH ", "RH "))
        if len(hands) == 2:
            pairs.append(f"{mage} {hands['LH']}/{hands['RH']}")
    return ", ".join(pairs)


def find_real_story(study: Study, branch: Branch, user: MaybeUser) -> TurnStory | None:
    """Return the story of this turn in the battle itself, as the reader may see it; None if it wasn't played yet."""
    seq = branch.seq
    if study.battle is None:
        return _find_recorded_story(study, seq)
    view = get_battle_for_viewer(number=study.battle.number, user=user, window=Window(1, before=seq + 1))
    return next((story for story in view.stories if story.seq == seq), None)


def list_strengths(mages: int) -> tuple[str, ...]:
    """Return the bots that may give orders in a study of this many mages."""
    return tuple(name for name in STRENGTHS if mages == 2 or name != SLOWEST)
