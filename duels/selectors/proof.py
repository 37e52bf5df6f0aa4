"""The commitments of a battle, as everyone may read them; and the values behind them, once it has ended."""

from dataclasses import dataclass

from django.db.models import QuerySet

from duels.commitments import close_seal, open_seal
from duels.models import Battle, Combatant, OrderSheet
from duels.selectors.viewer import find_battle
from rules_engine import Sheet
from rules_engine.records import Place, Proof, Seal, write_terms

SHEET = (
    "stage__turn__label",
    "stage__turn__seq",
    "stage__turn__attempt",
    "stage__number",
    "stage__turn__taken_back_by",
    "stage__closed_at",
    "combatant__mage__name",
    "combatant__position",
    "ready",
    "commitments",
)


@dataclass(frozen=True)
class Commitment:
    """A commitment to one mage's orders in one stage.

    `closed` says that it is the closing commitment; before that, it is the one to the orders that became ready.
    """

    label: str
    seq: int
    attempt: int
    stage: int
    mage: str
    value: str
    closed: bool
    counts: bool


@dataclass(frozen=True)
class BattleProof:
    """The public facts: `commitment` is "" for a battle without any, and `seed` is "" until the battle ends."""

    number: int
    commitment: str
    seed: str
    ended: bool
    orders: tuple[Commitment, ...]


def get_proof_for_anyone(*, number: int) -> BattleProof:
    """Return the commitments of a battle. Raises BattleNotFound."""
    battle = find_battle(number=number)
    ended = is_opened(battle)
    seed = battle.seed if ended and battle.commitment else ""
    return BattleProof(number, battle.commitment, seed, ended, tuple(_list_commitments(battle)))


def list_closings_for_anyone(*, number: int, seq: int, attempt: int) -> list[Commitment]:
    battle = find_battle(number=number)
    rows = _list_commitments(battle, stage__turn__seq=seq, stage__turn__attempt=attempt)
    return [each for each in rows if each.closed]


def is_opened(battle: Battle) -> bool:
    """Return whether seed and salts are open. An annulled battle stays sealed: a janitor can still let it continue."""
    return battle.status == Battle.Status.FINISHED


def read_proof_after_end(battle: Battle) -> Proof | None:
    """Return the seed and salts of the battle's commitments; None if it has none, or they must stay sealed."""
    if not battle.commitment or not is_opened(battle):
        return None
    renamed = Combatant.objects.filter(battle=battle).exclude(former_name="")
    void = [each for each in _list_commitments(battle, stage__turn__taken_back_by__isnull=False) if each.closed]
    return Proof(
        commitment=battle.commitment,
        terms=write_terms(battle.terms),
        earlier=tuple((seed, commitment) for seed, commitment in battle.earlier_seeds or ()),
        former_names=dict(renamed.values_list("mage__name", "former_name")),
        void=tuple((one.label, one.seq, one.attempt, one.stage, one.mage, one.value) for one in void),
    )


def read_seals_after_end(battle: Battle) -> dict[tuple[int, int, int], dict[str, Seal]]:
    """Return the seals of every stage, by turn, attempt and stage, with their salts: only after `is_opened`."""
    if not is_opened(battle):
        raise ValueError(f"{battle} is still sealed")
    seals: dict[tuple[int, int, int], dict[str, Seal]] = {}
    for sheet in _read_sheets(battle).values_list(*SHEET, "lines"):
        _, seq, attempt, stage, _, _, mage, position, _, sealed, lines = sheet
        place = Place(battle.number, seq, attempt, stage)
        by_clock = Sheet.from_lines(lines).is_by_clock
        seal = open_seal(sealed, place=place, position=position + 1, by_clock=by_clock)
        seals.setdefault((seq, attempt, stage), {})[mage] = seal
    return seals


def _list_commitments(battle: Battle, **filters: object) -> list[Commitment]:
    found = []
    rows = _read_sheets(battle).filter(**filters).values_list(*SHEET)
    for label, seq, attempt, stage, taken_back, closed_at, mage, position, ready, sealed in rows:
        place = Place(battle.number, seq, attempt, stage)
        if closed_at is not None:
            value = close_seal(sealed, place=place, position=position + 1)
        else:
            value = sealed["shown"] if ready else ""
        if value:
            found.append(Commitment(label, seq, attempt, stage, mage, value, closed_at is not None, taken_back is None))
    return found


def _read_sheets(battle: Battle) -> QuerySet[OrderSheet]:
    order = ("stage__turn__seq", "stage__turn__attempt", "stage__number", "combatant__position")
    return OrderSheet.objects.filter(stage__battle=battle, commitments__isnull=False).order_by(*order)
