"""The API of one position: what a mage who owes orders knows, in the words of the line protocol of bots."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from accounts.api_access import READ_OWN, caller_of
from duels import api_choices as choices
from duels.errors import NothingToOrder
from duels.models import Battle
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.stage_keys import describe_current_stage
from duels.selectors.stories import list_past_turns
from duels.selectors.viewer import get_combatant_for_user
from operations.web.api_schema import Outgoing, may_refuse
from rules_engine.bots import see

router = Router(tags=["Battles"])
MARKS = "Each enchantment with the turns it lasts, -1 for good."


class SeenMage(Outgoing):
    """A mage, as another one sees them. A history has one letter for each column; `?` means unseen."""

    name: str
    hp: int | None = Field(description="null if unseen.")
    standing: str
    acts: bool = Field(description="Whether the mage moves in this turn.")
    pairs: int = Field(description="How many pairs of gestures they are seen to play in it.")
    marks: dict[str, int] = Field(description=MARKS)
    banked: list[str] | None = Field(description="The spell kept for later and its target, if known.")
    left: str
    right: str
    held: str | None = Field(description="The hand that Paralysis continues to hold, if seen.")


class SeenMonster(Outgoing):
    """A creature, as a mage sees it."""

    name: str
    kind: str
    hp: int
    controller: str
    target: str
    marks: dict[str, int] = Field(description=MARKS)


class RememberedMage(Outgoing):
    """A mage whom yours does not see now, as yours saw them last, and what it has learnt of their hit points since."""

    name: str
    hp: int
    marks: dict[str, int] = Field(description=MARKS + " As it was then.")
    ago: int = Field(description="How many turns ago that was.")


class RememberedMonster(Outgoing):
    """A creature that a blind mage knows of."""

    name: str
    kind: str
    hp: int
    controller: str
    target: str | None = Field(description="null if unknown.")
    marks: dict[str, int] = Field(description=MARKS + " As it was when your mage saw it last.")


class UnseenCast(Outgoing):
    """A spell that a mage cast with gestures that yours did not see."""

    mage: str
    column: int = Field(description="The place of the column in the histories.")
    spell: str
    hand: str | None = Field(description="`LH`, `RH` or `BH`; null if unknown.")


class Belief(Outgoing):
    """What a mage remembers, and has learnt, of what they do not see now."""

    mages: list[RememberedMage]
    monsters: list[RememberedMonster]
    casts: list[UnseenCast]
    known: list[int] = Field(description="The places of the columns of turns that your mage remembers: all of them.")


class OwnPart(Outgoing):
    """What a mage knows of their own part in the turn."""

    phase: str = Field(description="`orders`, `choose-spell`, `choose-target` or `decide`.")
    made: list[list[str]] = Field(description="The pairs of gestures of this turn that are final already.")
    offers: dict[str, list[str]] = Field(description="For each hand, the spells to choose from.")
    spells: dict[str, str] = Field(description="For each hand, the spell that it will cast.")
    bolt_used: bool = Field(description="Whether the short lightning bolt is used up.")


class Asked(Outgoing):
    """What the mage may or must say."""

    id: str
    kind: str
    about: str
    options: list[str] = Field(description="The answers that are allowed.")
    default: str | None
    required: bool
    answered: str | None


class Position(Outgoing):
    """What a mage who owes orders knows, as a program that speaks the line protocol reads it."""

    battle: int
    key: str = Field(description="Send it with the orders.")
    mage: str
    ruleset: str = Field(json_schema_extra=choices.RULESET)
    edition: int
    turn: int
    extra: str = Field(description="The letter of an extra turn, such as `H`, or empty.")
    seq: int
    stage: int
    doubled: bool = Field(description="Whether someone is seen to play two pairs of gestures.")
    blind: bool = Field(description="Whether the mage sees nothing.")
    columns: list[str] = Field(description="The labels of the columns of the histories.")
    mages: list[SeenMage]
    monsters: list[SeenMonster]
    obey_me: list[str] = Field(description="The creatures that obey the mage.")
    tombstone: list[str] = Field(description="The dead who can be named as targets.")
    belief: Belief | None = Field(description="null if your mage sees everything now.")
    own: OwnPart
    questions: list[Asked]


@router.get(
    "/{int:number}/position/",
    auth=READ_OWN,
    url_name="battle_position",
    response={200: Position, **may_refuse(404, 409)},
    summary="Read the position that a mage of yours has to answer",
)
def read_position(
    request: HttpRequest,
    number: int,
    mage: Annotated[str | None, Query(description="Which of your mages.")] = None,
) -> Position:
    """The battle as one of your mages who owes orders knows it, in the form that programs of the line protocol read
    (`docs/bots/protocol.md`). It has nothing that the battle itself does not show you."""
    combatant = get_combatant_for_user(number=number, user=caller_of(request), mage_name=mage)
    battle, name = combatant.battle, combatant.mage.name
    state, now = read_battle_state(battle), describe_current_stage(battle)
    if battle.status != Battle.Status.RUNNING or name not in state.owing:
        raise NothingToOrder(name, now, combatant.standing, state.owing)
    return Position.model_validate(
        {"battle": number, "key": str(now.key), **see(state, name, list_past_turns(battle)).facts}
    )
