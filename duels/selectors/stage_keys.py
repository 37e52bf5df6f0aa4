"""The current stage of a battle, and the keys of its stages. All of this is public."""

from django.db.models import Max

from duels.errors import UnknownTurn
from duels.keys import CurrentStage, StageKey
from duels.models import Battle, OrderSheet, Stage, Turn


def key_of(battle: Battle) -> StageKey:
    """Return the key of the open stage, or of the last one if the battle is over."""
    return StageKey(battle.seq, battle.attempt, battle.stage)


def describe_current_stage(battle: Battle) -> CurrentStage:
    return CurrentStage(battle.number, battle.kind, key_of(battle), battle.label, battle.status)


def label_of(battle: Battle, key: StageKey) -> str | None:
    """Return the label of the turn with that key, or None if there was no such turn."""
    turn = Turn.objects.filter(battle=battle, seq=key.seq, attempt=key.attempt).first()
    return turn.label if turn else None


def names_waited_for(battle: Battle) -> tuple[str, ...]:
    """Return the mages whose orders the open stage is waiting for, in the order of the battle."""
    waiting = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True, ready=False)
    return tuple(waiting.order_by("combatant__position").values_list("combatant__mage__name", flat=True))


def find_stage_key(*, battle: Battle, turn: str) -> StageKey:
    """Return the stage that TURN `turn` means: a label ("9T") or, if that is not unique, label/seq.

    For the current turn it is the open stage; for an earlier one its first stage, for which submit_orders raises
    StaleOrders. Turns that were taken back do not count. Raises UnknownTurn if no turn, or several, have this name.
    """
    label, _, seq = turn.strip().partition("/")
    found = Turn.objects.filter(battle=battle, label__iexact=label, taken_back_by=None)
    if seq:
        found = found.filter(seq=int(seq)) if seq.isascii() and seq.isdigit() and len(seq) < 9 else found.none()
    turns = list(found.order_by("seq", "attempt"))
    choices = sorted({(each.seq, f"{each.label}/{each.seq}") for each in turns})
    if len(choices) != 1:
        raise UnknownTurn(turn, describe_current_stage(battle), [choice for _, choice in choices])
    last = turns[-1]
    return StageKey(last.seq, last.attempt, 0 if last.resolved_at else battle.stage)


def take_stage_mark() -> int:
    """Return a mark of this moment: the newest visible stage of any battle.

    A timestamp would not do: a turn has its time before others can see the result, and the clocks of two machines
    differ. Marks are exact while turns resolve one after another. If two resolve at the same instant, the later one can
    count as resolved when the earlier one is.
    """
    return Stage.objects.aggregate(newest=Max("pk"))["newest"] or 0


def find_stage_open_at(*, battle: Battle, mark: int) -> StageKey | None:
    """Return the stage that was open when `mark` was taken, or the last one after the end; None before the start."""
    last = Stage.objects.filter(battle=battle, pk__lte=mark).select_related("turn").order_by("-pk").first()
    return StageKey(last.turn.seq, last.turn.attempt, last.number) if last else None
