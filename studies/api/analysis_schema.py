"""The API's data about analyses, hints and the thoughts of bots."""

from typing import Literal

from pydantic import Field

from operations.web.api_schema import Incoming, Outgoing, Text, show

Bot = Literal["Magus", "Archmage"]


class AnalysisWish(Incoming, json_schema_extra=show({"by": "Magus"})):
    """Who analyses."""

    by: Bot = Field("Magus", description="The Archmage takes longer, and analyses duels only.")


class PlayedMove(Outgoing):
    """A move with the chance that it gave."""

    gestures: str = Field(description="Of both hands, such as `P/D`; two pairs with a second turn.")
    spells: list[str] = Field(description="The spells that it completes.")
    chance: float = Field(description="From 0 to 1, before anything is rolled.")


class JudgedMove(PlayedMove):
    """The move that a mage played, and better ones."""

    mark: str | None = Field(
        description="`??`: loses 20 points of chance or more; `?`: 7 to 19; `!`: the only good move."
    )
    best: PlayedMove
    next_best: PlayedMove | None
    by_sight: bool = Field(description="The mage couldn't see everything, and the move is judged by what they saw.")


class MixedMove(Outgoing):
    """A move of the mix that a mage should have played."""

    share: float = Field(description="How often, from 0 to 1. Moves below 0.02 are left out.")
    gestures: str
    spells: list[str]
    move: str = Field(description="The move in words, with its targets and powers.")
    orders: list[str] = Field(description="Lines of orders.")


class AnalysedMage(Outgoing):
    """One mage in a turn."""

    mage: str
    before: float | None = Field(description="The chance to win before the turn, from 0 to 1.")
    after: float | None = Field(description="The chance after it. Null: the next turn is withheld.")
    skill: float | None = Field(
        description="What the move gained or lost against the mix, before any roll. Null: no gestures chosen."
    )
    luck: float | None = Field(description="The rest: rolls, and which moves met.")
    move: JudgedMove | None
    mix: list[MixedMove]


class RollGain(Outgoing):
    """What a roll gave to one mage."""

    mage: str
    chance: float


class WeighedRoll(Outgoing):
    """A roll that moved a chance by more than 0.05."""

    roll: str
    gave: list[RollGain]


class AnalysisFinding(Outgoing):
    """Something remarkable: a mistake, or a spell that was wasted."""

    mage: str
    kind: str = Field(
        description="`surrender`, `forced_surrender`, `missed_kill`, `own_target`, `unread_threat`, `death`, "
        "`better_move` or `wasted`."
    )
    text: str
    clause: str


class TurnAnalysis(Outgoing):
    """One turn."""

    turn: str
    withheld: int | None = Field(
        description="Your running battle to which this turn is too similar: until it is over, the lists are empty."
    )
    mages: list[AnalysedMage]
    rolls: list[WeighedRoll]
    findings: list[AnalysisFinding]


class MageTotal(Outgoing):
    """One mage over the whole battle."""

    mage: str
    accuracy: int | None = Field(description="From 0 to 100: how much of the chances the moves preserved.")
    skill: float
    luck: float


class Analysis(Outgoing):
    """An analysis, as its page shows it to you: finished, or how far it is."""

    battle: int
    by: str
    state: str = Field(description="`waiting` or `done`.")
    turns_done: int
    turns_in_all: int
    outdated: bool = Field(description="Of an older edition, which says less: ask again for a new one.")
    decided: str | None = Field(description="The label of the turn that decided it.")
    turns: list[TurnAnalysis] = Field(description="Empty until it is done.")
    totals: list[MageTotal] = Field(description="Empty until it is done, and if a turn is withheld.")


class HintWish(Incoming, json_schema_extra=show({"mage": "Bung"})):
    """Who asks."""

    mage: Text | None = Field(None, description="Which of your mages; not needed if you have one.")


class MoveHint(Outgoing):
    """A move worth considering."""

    text: str = Field(description="The move, what it threatens, and the best answer to it.")
    gestures: str
    spells: list[str]
    orders: list[str] = Field(description="Lines of orders.")
    share: float = Field(description="How often the Magus would play it, from 0 to 1.")
    chance: float = Field(description="The chance to win with it, from 0 to 1, from what your mage sees.")
    threatens: list[str] = Field(description="Spells that it threatens for the next turn.")
    answer: str | None = Field(description="The best answer to it; null: nobody can answer.")


class Hints(Outgoing):
    """Up to three moves, the likeliest first."""

    battle: int
    hints: list[MoveHint]


class BotThought(Outgoing):
    """Why a bot gave its last gestures."""

    mage: str
    turn: str
    text: str


class Thoughts(Outgoing):
    """What the bots think of their last moves."""

    battle: int
    thoughts: list[BotThought]
