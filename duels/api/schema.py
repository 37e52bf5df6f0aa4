"""The API's data about battles, in both directions: typed and described for programs."""

from datetime import datetime
from typing import Annotated, Literal

from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from duels import api_choices as choices
from duels.order_form import read_stage
from ladder.stakes import EVENT_STAKES_WORDS, STAKES_WORDS
from operations.web.api_schema import Incoming, Outgoing, Text, reject_member, show


class Key(Outgoing):
    """A stage of a turn: send it with orders, joined by dots, so that they cannot count for another stage."""

    seq: int = Field(description="The turn, counted from 1.")
    attempt: int = Field(description="How many times the turn was undone and played again.")
    stage: int = Field(description="0 for gestures; from 1, answers to what came up during the turn.")


class TurnKey(Outgoing):
    """A turn."""

    seq: int = Field(description="The turn, counted from 1.")
    attempt: int = Field(description="How many times the turn was undone and played again.")


class Enchantment(Outgoing):
    """An enchantment on a mage or a creature."""

    name: str
    turns: int | None = Field(description="How many more turns it lasts, if it ends by itself.")
    permanent: bool


class BattleMage(Outgoing):
    """A mage in a battle. A history has one letter for each column; `?` means that you did not see the gesture."""

    name: str
    user: str = Field(description="Who plays it.")
    bot: bool = Field(description="Whether a program plays it.")
    mine: bool
    hp: int | None = Field(description="Hit points; null if you can't see them.")
    max_hp: int
    standing: str = Field(
        description="`in`, `victorious`, `dead`, `surrendered`, or `absent`: left alive, because they never moved."
    )
    ready: bool = Field(description="Whether the orders are ready.")
    asked: bool = Field(description="Whether the mage owes orders in this stage.")
    enchantments: list[Enchantment]
    letters: str = Field(description="The enchantments as letters.")
    banked: list[str] | None = Field(description="The spell that the mage has kept for later, if you know it.")
    left: str = Field(description="What the left hand has played.")
    right: str = Field(description="What the right hand has played.")
    held_hand: str | None = Field(description="The hand that Paralysis goes on holding, if you have seen it held.")


class Monster(Outgoing):
    """A creature."""

    name: str
    kind: str
    hp: int
    max_hp: int
    controller: str = Field(description="The mage it obeys.")
    target: str = Field(description="Whom it attacks.")
    enchantments: list[Enchantment]
    letters: str


class Clock(Outgoing):
    """The deadline of a mage who owes orders."""

    mage: str
    ends_at: str | None = Field(description="When time runs out, in UTC; null while the clock is stopped.")
    forfeit_at: str | None = Field(description="When the mage forfeits, in UTC.")
    fate: str = Field(
        description="What happens then: the mage `dies`, or `lives`, because they never moved. In the first turn, that "
        "of another player's mage is `unknown`."
    )
    in_grace: bool = Field(description="Whether the final notice has been given.")
    stops: list[str] = Field(description="Why the clock is stopped, in words.")


class Gap(Outgoing):
    """A time in which nobody could reach the site."""

    since: str = Field(description="When it began, in UTC.")
    until: str = Field(description="When it ended, in UTC.")
    text: str = Field(description="The same for people, and what it meant for the clocks.")


class Undone(Outgoing):
    """Who undid a journal entry, and why."""

    by: str | None
    at: str
    reason: str


class JournalEntry(Outgoing):
    """An entry in the journal: what a janitor did to the battle, or that the rules could not resolve a turn."""

    number: int
    kind: str
    turn: str
    key: TurnKey
    text: str
    reason: str
    by: str | None = Field(description="The janitor; null for a note by the site itself.")
    at: str
    undone: Undone | None


class Option(Outgoing):
    """One answer to a question."""

    value: str
    label: str
    line: str = Field(description="The line of the order grammar that gives this answer.")
    allowed: bool
    reason: str = Field(description="Why it is not allowed, in words.")


class Question(Outgoing):
    """A choice that a mage has in this stage."""

    id: str = Field(description="What is asked, such as `LH` for the gesture of the left hand.")
    mage: str
    kind: str
    about: str
    required: bool
    default: str | None = Field(description="What counts if you don't answer.")
    answered: str | None = Field(description="Your answer in the sheet.")
    clause: str = Field(description="The rule.")
    options: list[Option]


class Orders(Outgoing):
    """The sheet of the viewer's current mage."""

    mage: str
    ready: bool
    lines: list[str] = Field(description="The sheet in the order grammar.")
    questions: list[Question]


class StuckTurn(Outgoing):
    """A turn that the rules could not resolve."""

    since: str | None = Field(description="When that was; null if it was before we noted this.")
    reference: str = Field(description="Names the error in the site's log.")
    janitors_reminded_at: str | None = Field(description="When the janitors are reminded of it, after being notified.")
    text: list[str] = Field(description="The same for people, and what happens next.")


class SummaryLine(Outgoing):
    """One sentence, or two, about a turn."""

    key: str = Field(
        description="What it tells, such as `loses`, `dies`, `held`, `begins`, `ends`, `stops`, `creature` or "
        "`in vain`."
    )
    school: str = Field(description="`harm`, `ward`, `summon`, `mind` or `time`.")
    works: bool = Field(description="False for a spell or an attack without effect.")
    about: str = Field(description="`me`, `mine` for your creatures, or `others`.")
    open: bool = Field(description="Whether pages and emails show it first; the others are only here.")
    bold: str
    rest: str


class TurnSummary(Outgoing):
    """A turn in a few sentences, those that mean most to you first."""

    turn: str
    key: TurnKey
    text: str = Field(description="The open sentences.")
    lines: list[SummaryLine]


class ThreatPart(Outgoing):
    """A hand with a spell, a banked spell, or a creature that joins in a threat."""

    hand: str = Field(description="`LH` or `RH`; `FIRE` for a banked spell, empty for a creature.")
    what: str = Field(description="The spell, `Stab`, or the name of a creature.")
    gestures: str = Field(description="The gestures that it still needs, small for both hands.")


class ThreatDefence(Outgoing):
    """A spell that stops a threat."""

    spell: str
    on: str = Field(description="Whom to cast it on.")
    hand: str = Field(description="The hand of the threatened mage that can cast it soonest.")
    gestures: str = Field(description="The gestures that this hand still needs, small for both hands.")
    in_time: bool = Field(description="Whether it can be cast in the turn in which it is needed.")


class Threat(Outgoing):
    """What a mage may do soon, as far as you can see. Several parts work only together."""

    mage: str
    victim: str = Field(description="Your mage; if you are watching, the opponent or the weakest of several.")
    weight: str = Field(
        description="`ends`: it kills, now or by an illness, or it holds the hand with the only defence; `hurts`: it "
        "takes hit points or brings a creature; `hinders`: it spoils gestures, sight, protections or creatures."
    )
    parts: list[ThreatPart]
    more: int = Field(description="How many gestures are still needed.")
    turns: int = Field(description="The turns until it works, 1 for this one; for an illness, until it kills.")
    damage: int | None = Field(description="The hit points it takes, if any.")
    stops: list[ThreatDefence]
    fails: list[str] = Field(description="Spells that one might expect to stop it, but do not.")


class Battle(Outgoing):
    """A battle as you see it."""

    battle: int = Field(description="The number of the battle.")
    kind: str = Field(description="`duel` or `melee`.")
    ruleset: str = Field(json_schema_extra=choices.RULESET)
    edition: int = Field(description="The edition of the ruleset.")
    practice: bool = Field(description="Whether it is practice, which changes no score.")
    deaths_are_real: bool = Field(
        description="Whether a mage who dies here is dead for good. If not, a mage with the standing `dead`, or whose "
        "clock has the fate `dies`, lives on after the battle."
    )
    stakes: str = Field(description=f"{STAKES_WORDS} {EVENT_STAKES_WORDS}", json_schema_extra=choices.STAKES_OF_BATTLE)
    status: str = Field(description="`running`, `finished`, `stuck` or `annulled`.")
    stuck: StuckTurn | None = Field(description="Null unless the status is `stuck`.")
    turn: str = Field(description="The label of the turn.")
    key: Key
    waiting_for: list[str] = Field(description="The mages who owe orders.")
    pace: str = Field(json_schema_extra=choices.PACE)
    time: str | None = Field(
        description="A mark that changes whenever anything about time changes for you, but not as time passes; null "
        "after the battle."
    )
    clocks: list[Clock]
    restarted: Gap | None = Field(
        description="Why the clocks of a live battle started again in this stage; null if they did not."
    )
    result: dict[str, object] | None = Field(description="How the battle ended; null before.")
    columns: list[str] = Field(description="The labels of the columns of the histories.")
    mages: list[BattleMage]
    monsters: list[Monster]
    tombstone: list[str] = Field(description="The dead who can be named as targets.")
    threats: list[Threat] = Field(description="What the others may do soon, the worst first.")
    events: int = Field(description="The number of the last event that you can see.")
    summary: TurnSummary | None = Field(description="The last turn that is over; null before the first.")
    book: list[JournalEntry] = Field(description="What janitors did to the battle.")
    question: int | None = Field(description="The number of the journal's entry that asks for your consent.")
    you: list[str] = Field(description="Your mages in the battle.")
    orders: Orders | None = Field(description="Null unless you owe orders.")


class BattleState(Outgoing):
    """The state of a battle."""

    battle: int
    turn: str
    key: Key
    status: str
    sentence: str = Field(description="The same for people.")


class Why(Outgoing):
    """One step of the explanation of an event."""

    text: str
    clause: str
    event: int | None = Field(description="The number of the event; null for what you could not see.")


class BattleEvent(Outgoing):
    """Something that happened in a battle, as you saw it."""

    number: int = Field(description="Counted by what you can see, from 1.")
    turn: str
    key: TurnKey
    kind: str
    text: str = Field(description="Empty if an earlier event of the turn has said it.")
    clause: str = Field(description="The rule behind the event.")
    because: list[int] = Field(description="The numbers of the earlier events that caused it.")
    unseen_cause: bool = Field(description="Whether only events that you did not see caused it.")
    why: list[Why] = Field(description="The same in sentences, nearest first.")


class Events(BattleState):
    """The events of a battle."""

    events: list[BattleEvent]


class OrdersCommitment(Outgoing):
    """A salted hash of one mage's orders in one stage."""

    turn: str
    key: Key
    mage: str
    commitment: str
    closed: bool = Field(
        description="Whether this is the closing commitment, to all sets of orders of the stage. Before the stage "
        "closes, it is the commitment to the orders that became ready."
    )
    counts: bool = Field(description="False if a janitor rewound the turn.")


class Proof(Outgoing):
    """The commitments of a battle."""

    battle: int
    commitment: str | None = Field(description="The hash of the seed and the terms; null for an old battle.")
    seed: str | None = Field(description="Null until the battle ends.")
    orders: list[OrdersCommitment]


class OrderWarning(Outgoing):
    """A warning about orders that are accepted."""

    code: str
    message: str
    severe: bool = Field(description="Whether the page asks for confirmation, as for a surrender.")


class Receipt(Outgoing):
    """The result of your orders."""

    battle: int
    mage: str
    key: Key
    turn: str
    outcome: Literal["status", "kept", "ready", "resolved", "stuck"] = Field(
        description="`status`: you ordered nothing. `kept`: not ready yet. `ready`: waiting for others. `resolved`: "
        "the turn is over, with these orders, or has stopped for questions. `stuck`: they are kept, but the turn "
        "cannot be played yet."
    )
    lines: list[str] = Field(description="The whole sheet.")
    warnings: list[OrderWarning]
    missing: list[Question] = Field(description="What the sheet still needs before it can be ready.")
    repeated: bool = Field(description="Whether the sheet did not change.")
    reference: str = Field(description="Names the error if the turn is stuck.")
    commitment: str = Field(
        description="The salted hash of these orders. Save it: after the end, the record proves which orders counted. "
        "Empty if you ordered nothing, or the battle has no commitments."
    )


def check_key(text: str) -> str:
    """Return the key. Raises PydanticCustomError if it is not one."""
    if read_stage(text) is None:
        raise reject_member("key", _('"key" must look like 8.0.0: seq, attempt and stage.'), "8.0.0")
    return text


class OrdersOf(Incoming):
    """Whose orders these are, and for which stage."""

    mage: Text | None = Field(None, description="Which of your mages; not needed if you have one.")
    key: Annotated[str, AfterValidator(check_key)] | None = Field(
        None,
        description="`seq.attempt.stage` of the battle that you read. Without it the orders count for the stage that "
        "is open when they arrive.",
        examples=["8.0.0"],
    )


class NewOrders(OrdersOf, json_schema_extra=show({"orders": "P/D\nTARGET RH Bung", "ready": True, "key": "8.0.0"})):
    """Orders for a mage. They are accepted as a whole or not at all."""

    orders: Text = Field(description="Text in the order grammar; lines are separated by line breaks.")
    ready: bool | None = Field(None, description="true does what END does, false takes readiness back.")
    replace: bool = Field(False, description="true makes the text the whole sheet.")


class NewSurrender(OrdersOf, json_schema_extra=show({"key": "8.0.0"})):
    """A surrender."""


class BattleSummary(Outgoing):
    """A battle in a list."""

    battle: int
    kind: str
    practice: bool
    status: str
    turn: str
    mages: list[str]
    users: list[str] = Field(description="Who plays each of `mages`.")
    bots: list[str] = Field(description="Those of `mages` that programs play.")
    waiting_for: list[str] = Field(description="The mages who owe orders.")
    you: list[str] = Field(description="Your mages in the battle.")
    deadline: str | None = Field(description="The next deadline that concerns you, in UTC.")


class Battles(Outgoing):
    """Battles."""

    battles: list[BattleSummary]


class WatchedBattle(Outgoing):
    """A battle to watch, and how many pages of spectators show it. Nobody learns who watches."""

    battle: BattleSummary
    spectators: int


class WatchedBattles(Outgoing):
    """What there is to watch."""

    battles: list[WatchedBattle] = Field(
        description="Battles of people, in the order in which the page Watch shows them."
    )
    week: int | None = Field(description="The battle of the week, which is over; null if there is none.")


class ChatLine(Outgoing):
    """A line of the chat beside a battle."""

    line: int
    room: str = Field(description="`players` or `spectators`.")
    user: str
    name: str = Field(description="The writer's mage in the battle, or their user name.")
    text: str = Field(description="What the line says; a quick phrase in your language.")
    phrase: str | None = Field(description="The key of a quick phrase.")
    at: datetime
    mine: bool


class ChatPhrase(Outgoing):
    """A quick phrase that fits now, in your language."""

    key: str
    text: str


class Chat(Outgoing):
    """The chat beside a battle as you may read it, oldest line first."""

    battle: int
    room: str = Field(description="The room that you write in.")
    may_write: bool
    why_not: str = Field(description="Why you cannot write, in words.")
    lines: list[ChatLine]
    more: bool = Field(description="Whether there are older lines: ask for those before the first one.")
    phrases: list[ChatPhrase] = Field(description="Empty if you cannot write.")
    apart: list[str] = Field(
        description="Mages with a block between you and their users; the one who blocks does not see the other's lines."
    )


class NewChatLine(Incoming, json_schema_extra=show({"text": "Good luck."})):
    """A line to write beside a battle: a text, or a quick phrase."""

    text: Text = Field("", max_length=2000, description="At most 280 characters are accepted.")
    phrase: Text = Field("", max_length=20, description="The key of a quick phrase, without a text.")
