"""Where a battle stands: the little that anybody may know."""

from django.db.models import Max

from duels.errors import UnknownTurn
from duels.keys import StageKey, Standing
from duels.models import Battle, OrderSheet, Stage, Turn


def key_of(battle: Battle) -> StageKey:
    """The key of the open stage, or of the last one when the battle is over."""
    return StageKey(battle.seq, battle.attempt, battle.stage)


def describe_standing(battle: Battle) -> Standing:
    """Where `battle` stands."""
    return Standing(battle.number, battle.kind, key_of(battle), battle.label, battle.status)


def label_of(battle: Battle, key: StageKey) -> str | None:
    """What players call the turn with that key; None when there was none."""
    turn = Turn.objects.filter(battle=battle, seq=key.seq, attempt=key.attempt).first()
    return turn.label if turn else None


def names_waited_for(battle: Battle) -> tuple[str, ...]:
    """The mages whose orders the open stage waits for, in the order of the battle."""
    waiting = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True, ready=False)
    return tuple(waiting.order_by("combatant__position").values_list("combatant__mage__name", flat=True))


def find_stage_key(*, battle: Battle, turn: str) -> StageKey:
    """Return the stage that orders for TURN `turn` are for: a label ("9T") or, where it is not unique, label/seq.

    For the turn that is being played it is the open stage, for an earlier one its first: submit_orders then tells that
    it is over. Turns that were taken back are no turns any more. Raises UnknownTurn when no turn, or more than one, is
    called so.
    """
    label, _, seq = turn.strip().partition("/")
    found = Turn.objects.filter(battle=battle, label__iexact=label, taken_back_by=None)
    if seq:
        found = found.filter(seq=int(seq)) if seq.isascii() and seq.isdigit() and len(seq) < 9 else found.none()
    turns = list(found.order_by("seq", "attempt"))
    choices = sorted({(each.seq, f"{each.label}/{each.seq}") for each in turns})
    if len(choices) != 1:
        raise UnknownTurn(turn, describe_standing(battle), [choice for _, choice in choices])
    last = turns[-1]
    return StageKey(last.seq, last.attempt, 0 if last.resolved_at else battle.stage)


def take_stage_mark() -> int:
    """Return a mark of this moment: the newest stage of any battle that anybody could know of.

    A time would not do: a turn that is being played has its time before others can see what came of it, and clocks of
    two machines differ. Marks are exact while battles are played one after another; of two that are played at the same
    instant, the one that ends later may count as played when the other one is.
    """
    return Stage.objects.aggregate(newest=Max("pk"))["newest"] or 0


def find_stage_open_at(*, battle: Battle, mark: int) -> StageKey | None:
    """Return the stage that was open (or, after the end, the last one) when `mark` was taken; None before the start."""
    last = Stage.objects.filter(battle=battle, pk__lte=mark).select_related("turn").order_by("-pk").first()
    return StageKey(last.turn.seq, last.turn.attempt, last.number) if last else None
