"""The replay of an imported battle: the same board and the same eyes as that of a battle which was played here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from duels.board.links import Link
from duels.selectors.viewer import MaybeUser
from rules_engine import Viewer, look
from rules_engine.outcome import write_outcome
from rules_engine.records import play_record
from studies.models import Study
from studies.replay_board import ReplayPlaces
from studies.selectors.battle_replays import ALL_SEEING, LOOKING_ON, PastView, Replay, StageOrders
from studies.selectors.positions import Position, see_position
from studies.selectors.trees import get_record_for_reader


def read_replay(*, slug: str, user: MaybeUser, seq: int | None, eyes: str = "") -> Replay | None:
    """Return turn `seq` of an imported battle, or its first turn, through the requested `eyes`, by default those that
    see everything; None if it has no such turn. Raises StudyNotFound, StudyRefused."""
    record = get_record_for_reader(slug=slug, user=user)
    played = play_record(record).turns
    at = next((place for place, turn in enumerate(played) if seq in (None, turn.seq)), None)
    if at is None:
        return None
    choices = (ALL_SEEING, *record.mages, LOOKING_ON)
    chosen = next((name for name in choices if name.lower() == eyes.strip().lower()), ALL_SEEING)
    viewer = {ALL_SEEING: Viewer.all_seeing(), LOOKING_ON: Viewer.spectator()}.get(chosen) or Viewer.of(chosen)

    def look_back(until: int) -> PastView:
        shown = played[:until]
        position = Position(
            shown[-1].after,
            events=tuple(turn.events for turn in shown),
            labels=tuple((turn.seq, turn.label) for turn in shown),
            befores={turn.seq: turn.before for turn in shown},
        )
        view = vars(see_position(position, mage="", waits=False, eyes=viewer))
        stories = tuple(story for story in view["stories"] if story.seq == shown[-1].seq)
        battle = replace(view["battle"], result=write_outcome(shown[-1].after.outcome))
        return PastView(**{**view, "battle": battle, "stories": stories})

    past = look_back(at + 1)
    return Replay(
        past=past,
        before=look(played[at].before, viewer),
        turn=past.turns[-1],
        turns=look_back(len(played)).turns if at + 1 < len(played) else past.turns,
        eyes=chosen,
        choices=choices,
        orders=tuple(_list_orders(record.turns[at].stages, None if viewer.sees_all else viewer.mages)),
    )


def _list_orders(stages: Sequence[Mapping[str, Sequence[str]]], mages: Collection[str] | None) -> list[StageOrders]:
    """Return the orders of these mages, or of all (None); SAY is in the story."""
    return [
        StageOrders(mage, number, tuple(line for line in lines if not line.startswith("SAY")))
        for number, stage in enumerate(stages)
        for mage, lines in stage.items()
        if lines and (mages is None or mage in mages)
    ]


def place_replay(study: Study, replay: Replay) -> ReplayPlaces:
    """Return where the pages of an import's replay are."""
    seq = replay.turn.seq
    before = study.branches.filter(number__gt=0, number__lte=study.recorded, seq__lt=seq).order_by("number").last()
    number = before.number if before else 0
    return ReplayPlaces(
        home=reverse("studies:study", args=[study.slug]),
        name=study.title or study.about,
        link_turn=lambda turn, eyes: link_turn(study, turn, eyes),
        more=(
            Link(reverse("studies:branch", args=[study.slug, number]), _("What if")),
            Link(f"{reverse('studies:study_analysis', args=[study.slug])}?turn={seq}", _("Analysis")),
        ),
    )


def link_turn(study: Study, seq: int, eyes: str = "") -> str:
    """Return the address of a turn of an import's replay."""
    page = reverse("studies:replay_turn", args=[study.slug, seq])
    return f"{page}?{urlencode({'eyes': eyes})}" if eyes else page
