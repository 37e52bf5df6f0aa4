"""What the API says, as typed values. Written by write_calls.py from the description of the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "AddedHook",
    "AnalysedMage",
    "Analysis",
    "AnalysisFinding",
    "Asked",
    "Battle",
    "BattleEvent",
    "BattleMage",
    "BattleSummary",
    "BattleTime",
    "Battles",
    "Belief",
    "BotAccount",
    "BotHere",
    "BotThought",
    "Bots",
    "Challenge",
    "Challenges",
    "Chat",
    "ChatLine",
    "ChatPhrase",
    "Choice",
    "Chosen",
    "Clock",
    "Cup",
    "CupBoard",
    "CupFacts",
    "CupLine",
    "CupPlace",
    "CupRound",
    "CupSeat",
    "Cups",
    "DrawDone",
    "DrawNow",
    "Enchantment",
    "Event",
    "EventList",
    "Events",
    "Extended",
    "FoundBattle",
    "FoundBattles",
    "Gap",
    "Hints",
    "Hook",
    "HookList",
    "InviteLink",
    "JournalEntry",
    "JudgedMove",
    "Key",
    "League",
    "LeagueDuel",
    "LeagueEntry",
    "LeaguePlace",
    "LeagueSeason",
    "LeagueTable",
    "Leagues",
    "MageTotal",
    "Match",
    "Me",
    "MixedMove",
    "Monster",
    "MoveHint",
    "NewNoticeChoice",
    "NewQuietHours",
    "News",
    "NewsLine",
    "NoticeSubject",
    "Notices",
    "Option",
    "OrderWarning",
    "Orders",
    "OrdersCommitment",
    "OwnMage",
    "OwnPart",
    "PauseWish",
    "Paused",
    "PeopleHere",
    "PersonHere",
    "Place",
    "Places",
    "PlayedMove",
    "Position",
    "Present",
    "ProblemItem",
    "Proof",
    "ProposedChange",
    "Question",
    "QuietHours",
    "RatedBattles",
    "RatedBot",
    "Receipt",
    "Record",
    "RememberedMage",
    "RememberedMonster",
    "RollGain",
    "Room",
    "RoomLine",
    "SeatFacts",
    "SeenMage",
    "SeenMonster",
    "SetWebhook",
    "Started",
    "Story",
    "StuckTurn",
    "SummaryLine",
    "Table",
    "Thoughts",
    "Threat",
    "ThreatDefence",
    "ThreatPart",
    "TimeUsed",
    "TokenFacts",
    "TurnAnalysis",
    "TurnKey",
    "TurnSummary",
    "Undone",
    "UnreadNews",
    "UnseenCast",
    "Vacation",
    "Vote",
    "WatchedBattle",
    "WatchedBattles",
    "Webhook",
    "WeighedRoll",
    "Why",
]


class NewNoticeChoice(TypedDict):
    """A choice: what you are told in one channel."""

    subject: Literal[
        "turns",
        "deadlines",
        "ends",
        "messages",
        "challenges",
        "seeks",
        "talk",
        "seats",
        "changes",
        "league",
        "follows",
        "daily",
        "streaks",
        "puzzles",
        "reminders",
        "news",
    ]
    channel: Literal["page", "email", "push", "hooks"]
    choice: Literal["on", "off", "daily"]


class NewQuietHours(TypedDict):
    """What changes in your quiet hours."""

    on: NotRequired[bool | None]
    begin: NotRequired[str | None]
    """A full or half hour in your time zone, such as `22:00`."""
    end: NotRequired[str | None]
    """Another one than `begin`."""


@dataclass(frozen=True, slots=True)
class AddedHook:
    """Your new hook, with its secret."""

    answered_at: str | None
    """When it last answered with 2xx, in UTC."""
    failing_since: str | None
    """When it began to fail, in UTC; null while it works."""
    error: str
    """What happened at the last call; empty if it was answered."""
    paused: bool
    """Whether three events in a row failed. Events wait until you retry on the page."""
    off: bool
    """Whether we have switched it off, because it failed for three days. Set it again."""
    id: int
    format: str
    """json, discord, slack, matrix or ntfy."""
    name: str
    events: list[str]
    """What it is told about."""
    secret: str
    """For json: the key of the signatures, shown this once."""


@dataclass(frozen=True, slots=True)
class AnalysedMage:
    """One mage in a turn."""

    mage: str
    before: float | None
    """The chance to win before the turn, from 0 to 1."""
    after: float | None
    """The chance after it. Null: the next turn is withheld."""
    skill: float | None
    """What the move gained or lost against the mix, before any roll. Null: no gestures chosen."""
    luck: float | None
    """The rest: rolls, and which moves met."""
    move: JudgedMove | None
    mix: list[MixedMove]


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis, as its page shows it to you: finished, or how far it is."""

    battle: int
    by: str
    state: str
    """`waiting` or `done`."""
    turns_done: int
    turns_in_all: int
    outdated: bool
    """Of an older edition, which says less: ask again for a new one."""
    decided: str | None
    """The label of the turn that decided it."""
    turns: list[TurnAnalysis]
    """Empty until it is done."""
    totals: list[MageTotal]
    """Empty until it is done, and if a turn is withheld."""


@dataclass(frozen=True, slots=True)
class AnalysisFinding:
    """Something remarkable: a mistake, or a spell that was wasted."""

    mage: str
    kind: str
    """`surrender`, `forced_surrender`, `missed_kill`, `own_target`, `unread_threat`, `death`, `better_move` or
    `wasted`.
    """
    text: str
    clause: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the mage may or must say."""

    id: str
    kind: str
    about: str
    options: list[str]
    """The answers that are allowed."""
    default: str | None
    required: bool
    answered: str | None


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle as you see it."""

    battle: int
    """The number of the battle."""
    kind: str
    """`duel` or `melee`."""
    ruleset: str
    edition: int
    """The edition of the ruleset."""
    practice: bool
    """Whether it is practice, which changes no score."""
    deaths_are_real: bool
    """Whether a mage who dies here is dead for good. If not, a mage with the standing `dead`, or whose clock has
    the fate `dies`, lives on after the battle.
    """
    stakes: str
    """What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots never play
    for scores. In leagues and cups: `league`, `cup`, `evening`, `round-robin`.
    """
    status: str
    """`running`, `finished`, `stuck` or `annulled`."""
    stuck: StuckTurn | None
    """Null unless the status is `stuck`."""
    turn: str
    """The label of the turn."""
    key: Key
    waiting_for: list[str]
    """The mages who owe orders."""
    pace: str
    time: str | None
    """A mark that changes whenever anything about time changes for you, but not as time passes; null after the
    battle.
    """
    clocks: list[Clock]
    restarted: Gap | None
    """Why the clocks of a live battle started again in this stage; null if they did not."""
    result: dict[str, Any] | None
    """How the battle ended; null before."""
    columns: list[str]
    """The labels of the columns of the histories."""
    mages: list[BattleMage]
    monsters: list[Monster]
    tombstone: list[str]
    """The dead who can be named as targets."""
    threats: list[Threat]
    """What the others may do soon, the worst first."""
    events: int
    """The number of the last event that you can see."""
    summary: TurnSummary | None
    """The last turn that is over; null before the first."""
    book: list[JournalEntry]
    """What janitors did to the battle."""
    question: int | None
    """The number of the journal's entry that asks for your consent."""
    you: list[str]
    """Your mages in the battle."""
    orders: Orders | None
    """Null unless you owe orders."""

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended, with a result or without."""
        return self.status not in ("running", "stuck")

    @property
    def owes_orders(self) -> bool:
        """Whether it waits for orders of the mage that `orders` is for."""
        return self.orders is not None and not self.orders.ready


@dataclass(frozen=True, slots=True)
class BattleEvent:
    """Something that happened in a battle, as you saw it."""

    number: int
    """Counted by what you can see, from 1."""
    turn: str
    key: TurnKey
    kind: str
    text: str
    """Empty if an earlier event of the turn has said it."""
    clause: str
    """The rule behind the event."""
    because: list[int]
    """The numbers of the earlier events that caused it."""
    unseen_cause: bool
    """Whether only events that you did not see caused it."""
    why: list[Why]
    """The same in sentences, nearest first."""


@dataclass(frozen=True, slots=True)
class BattleMage:
    """A mage in a battle. A history has one letter for each column; `?` means that you did not see the gesture."""

    name: str
    user: str
    """Who plays it."""
    bot: bool
    """Whether a program plays it."""
    mine: bool
    hp: int | None
    """Hit points; null if you can't see them."""
    max_hp: int
    standing: str
    """`in`, `victorious`, `dead`, `surrendered`, or `absent`: left alive, because they never moved."""
    ready: bool
    """Whether the orders are ready."""
    asked: bool
    """Whether the mage owes orders in this stage."""
    enchantments: list[Enchantment]
    letters: str
    """The enchantments as letters."""
    banked: list[str] | None
    """The spell that the mage has kept for later, if you know it."""
    left: str
    """What the left hand has played."""
    right: str
    """What the right hand has played."""
    held_hand: str | None
    """The hand that Paralysis goes on holding, if you have seen it held."""


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """A battle in a list."""

    battle: int
    kind: str
    practice: bool
    status: str
    turn: str
    mages: list[str]
    users: list[str]
    """Who plays each of `mages`."""
    bots: list[str]
    """Those of `mages` that programs play."""
    waiting_for: list[str]
    """The mages who owe orders."""
    you: list[str]
    """Your mages in the battle."""
    deadline: str | None
    """The next deadline that concerns you, in UTC."""


@dataclass(frozen=True, slots=True)
class BattleTime:
    """What you can do about time in a battle."""

    battle: int
    extensions_left: int
    """How often you can take extra time now."""
    extension_minutes: int
    """The length of extra time."""
    may_give_to: list[str]
    """The mages to whom you can give extra time now."""
    paused: bool
    paused_until: str | None
    """When the pause ends, in UTC."""
    wishes: list[PauseWish]
    used: list[TimeUsed]
    """For each mage in a duel of a league or cup; empty in other battles."""
    missing: list[str]
    """The mages whose players are not here yet, before a live battle starts."""
    here_until: str | None
    """Until when they can come, in UTC."""
    call_off: Choice | None
    """Null if it is not possible now."""
    claim: Choice | None
    """Null if it is not possible now."""
    stand_in: Choice | None
    """Null if it is not possible now."""


@dataclass(frozen=True, slots=True)
class Battles:
    """Battles."""

    battles: list[BattleSummary]


@dataclass(frozen=True, slots=True)
class Belief:
    """What a mage remembers, and has learnt, of what they do not see now."""

    mages: list[RememberedMage]
    monsters: list[RememberedMonster]
    casts: list[UnseenCast]
    known: list[int]
    """The places of the columns of turns that your mage remembers: all of them."""


@dataclass(frozen=True, slots=True)
class BotAccount:
    """An account, and whether it is a bot."""

    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class BotHere:
    """A bot that can be challenged now. On these terms the rules of the site allow it; the program of a user's bot
    decides for itself.
    """

    name: str
    strength: str | None
    """For the site's own bots, which play at once (`POST /play/`); null for the bot of a user, whom you challenge."""
    mages: list[str]
    """Its mages who are free."""
    rulesets: list[str]
    paces: list[str]
    stakes: list[str]
    url: str
    """The page of the bot."""


@dataclass(frozen=True, slots=True)
class BotThought:
    """Why a bot gave its last gestures."""

    mage: str
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class Bots:
    """The ladder of bots, and the matches that measured the site's own bots."""

    ruleset: str
    """The ruleset of all rated duels with bots."""
    as_of: datetime | None
    battles: RatedBattles
    bots: list[RatedBot]
    online: list[BotHere]
    """The site's bots, and the bots of users whose programs have the stream of events open."""
    matches: list[Match]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as you see it."""

    challenge: int
    """Its number; the battle that it becomes has the same."""
    status: str
    """`open`, `started`, `withdrawn` or `closed`."""
    title: str
    challenger: str
    challenger_user: str
    ruleset: str
    pace: str
    stakes: str
    """What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots never play
    for scores.
    """
    practice: bool
    scores: bool
    """Whether scores are at stake."""
    terms: str
    """The terms in words."""
    open_to_all: bool
    limit: int | None
    """The battle starts with this many mages."""
    comment: str
    seats: list[SeatFacts]
    may_join: list[str]
    """Your mages who may join."""
    why_not: str
    """Why none may, in words."""
    why_not_code: str
    may_propose: list[str]
    """Your mages who may propose changes."""
    may_start: str
    """Your mage who may start the battle now, or empty."""
    changes: list[ProposedChange]
    """The changes that are waiting for votes; lists of challenges leave them out."""
    created_at: str
    revision: int
    """Increases with every change to it."""
    terms_key: str
    """Changes with the terms. Send it when you join, so that you join only on these."""


@dataclass(frozen=True, slots=True)
class Challenges:
    """Challenges."""

    challenges: list[Challenge]


@dataclass(frozen=True, slots=True)
class Chat:
    """The chat beside a battle as you may read it, oldest line first."""

    battle: int
    room: str
    """The room that you write in."""
    may_write: bool
    why_not: str
    """Why you cannot write, in words."""
    lines: list[ChatLine]
    more: bool
    """Whether there are older lines: ask for those before the first one."""
    phrases: list[ChatPhrase]
    """Empty if you cannot write."""
    apart: list[str]
    """Mages with a block between you and their users; the one who blocks does not see the other's lines."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of the chat beside a battle."""

    line: int
    room: str
    """`players` or `spectators`."""
    user: str
    name: str
    """The writer's mage in the battle, or their user name."""
    text: str
    """What the line says; a quick phrase in your language."""
    phrase: str | None
    """The key of a quick phrase."""
    at: datetime
    mine: bool


@dataclass(frozen=True, slots=True)
class ChatPhrase:
    """A quick phrase that fits now, in your language."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What the players who are present can do about those who are absent. It happens once nobody is missing."""

    absent: list[str]
    """The mages whose players are absent, or for whose first orders the battle has waited too long."""
    agreed: list[str]
    """The mages of the others who have agreed."""
    missing: list[str]
    """The mages of the others who have not agreed."""
    you: bool
    """Whether you agree."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that you have made."""

    absent: list[str]
    """The mages whose players are absent, or for whose first orders the battle has waited too long."""
    agreed: list[str]
    """The mages of the others who have agreed."""
    missing: list[str]
    """The mages of the others who have not agreed."""
    you: bool
    """Whether you agree."""
    done: bool
    """Whether it has happened."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of a mage who owes orders."""

    mage: str
    ends_at: str | None
    """When time runs out, in UTC; null while the clock is stopped."""
    forfeit_at: str | None
    """When the mage forfeits, in UTC."""
    fate: str
    """What happens then: the mage `dies`, or `lives`, because they never moved. In the first turn, that of another
    player's mage is `unknown`.
    """
    in_grace: bool
    """Whether the final notice has been given."""
    stops: list[str]
    """Why the clock is stopped, in words."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A cup with all that is in it."""

    cup: int
    name: str
    kind: str
    """`knockout` or `evening`, of people, or `round-robin`, of bots."""
    state: str
    """`open` to join, `running`, `over` or `cancelled`."""
    places: int
    """How many there are: 8 or 16; for bots 64."""
    bots: bool
    """Whether bots fill free places."""
    begins_at: datetime
    round: int
    """The last round that has begun; 0 before the first."""
    winner: str | None
    """The mage who won it."""
    entrants: list[str]
    """The mages who are in."""
    mine: str | None
    """Your mage; null if you are not in it."""
    round_ends_at: datetime | None
    """When the round of an evening or round robin ends at the latest."""
    rounds: list[CupRound]
    table: list[CupLine]
    """Of an evening or round robin, best first, group after group."""


@dataclass(frozen=True, slots=True)
class CupBoard:
    """A duel of a cup, or one to come; one side alone has a bye."""

    sides: list[CupSeat]
    battle: int | None
    """The number of its battle; after a draw in a knock-out, that of the second."""
    decided: bool
    your_move: bool


@dataclass(frozen=True, slots=True)
class CupFacts:
    """A cup."""

    cup: int
    name: str
    kind: str
    """`knockout` or `evening`, of people, or `round-robin`, of bots."""
    state: str
    """`open` to join, `running`, `over` or `cancelled`."""
    places: int
    """How many there are: 8 or 16; for bots 64."""
    bots: bool
    """Whether bots fill free places."""
    begins_at: datetime
    round: int
    """The last round that has begun; 0 before the first."""
    winner: str | None
    """The mage who won it."""


@dataclass(frozen=True, slots=True)
class CupLine:
    """A line of the table of a live evening or round robin."""

    mage: str
    user: str
    points: float
    opponents: float
    """Of equal points: in an evening the points of all opponents; in a round robin those of the ones beaten, and
    half those of the ones drawn with.
    """
    left: bool
    group: int
    """Of a round robin, from 1; 1 in an evening."""
    counts: bool
    """False for a bot that left a round robin before half of its duels: it has no rank."""


@dataclass(frozen=True, slots=True)
class CupPlace:
    """Whether you are in a cup."""

    mage: str | None
    """Null: you are not in it."""


@dataclass(frozen=True, slots=True)
class CupRound:
    """A round of a cup."""

    round: int
    title: str
    state: str
    """`over`, `now` or `next`."""
    boards: list[CupBoard]


@dataclass(frozen=True, slots=True)
class CupSeat:
    """One side of a board."""

    mage: str | None
    """Null: not known yet, or nobody."""
    result: str | None
    """`W`, `L` or `D`; null: not decided."""


@dataclass(frozen=True, slots=True)
class Cups:
    """The cups of the site."""

    open: list[CupFacts]
    """To join now."""
    running: list[CupFacts]
    past: list[CupFacts]
    """Over or cancelled, the last one first."""


@dataclass(frozen=True, slots=True)
class DrawDone:
    """What has come of it."""

    agreed: bool
    """Whether the battle is over: a draw."""
    now: DrawNow


@dataclass(frozen=True, slots=True)
class DrawNow:
    """What you can do about a draw now. Only the two players know of an offer, until it is accepted."""

    battle: int
    possible: bool
    """Whether a draw can be agreed on here: in a running duel between people."""
    other: str | None
    """The other player's mage."""
    offered: bool
    """Whether the other player offers you a draw in this turn."""
    offers: bool
    """Whether you offer one in this turn."""
    may_offer: bool
    from_turn: int | None
    """The number of the turn from which you can offer one."""


@dataclass(frozen=True, slots=True)
class Enchantment:
    """An enchantment on a mage or a creature."""

    name: str
    turns: int | None
    """How many more turns it lasts, if it ends by itself."""
    permanent: bool


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to you: its subject, but none of its content."""

    id: str
    """Send it as `after` or `Last-Event-ID` to get what came later."""
    type: str
    at: str
    """When, in UTC."""
    battle: int | None
    challenge: int | None
    url: str
    """The call that reads what it is about; may be empty."""


@dataclass(frozen=True, slots=True)
class EventList:
    """Events, oldest first."""

    events: list[Event]
    more: bool
    """Whether there are more: ask again at once."""
    next: str
    """What to send as `after` next time; "" if there was no event yet."""


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a battle."""

    battle: int
    turn: str
    key: Key
    status: str
    sentence: str
    """The same for people."""
    events: list[BattleEvent]


@dataclass(frozen=True, slots=True)
class Extended:
    """A deadline that was extended."""

    mage: str
    ends_at: str | None
    """The new deadline, in UTC; null while the clock is stopped."""


@dataclass(frozen=True, slots=True)
class FoundBattle:
    """A battle that was found."""

    battle: int
    kind: str
    ruleset: str
    mages: list[str]
    users: list[str]
    bots: list[str]
    """The mages that bots played."""
    winners: list[str]
    turn: str
    """The label of the last turn."""
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class FoundBattles:
    """A page of battles that were found, newest first."""

    battles: list[FoundBattle]
    before: int | None
    """Send this to get the next page; null if there is none."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nobody could reach the site."""

    since: str
    """When it began, in UTC."""
    until: str
    """When it ended, in UTC."""
    text: str
    """The same for people, and what it meant for the clocks."""


@dataclass(frozen=True, slots=True)
class Hints:
    """Up to three moves, the likeliest first."""

    battle: int
    hints: list[MoveHint]


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook of yours. Its address and tokens are never shown again."""

    answered_at: str | None
    """When it last answered with 2xx, in UTC."""
    failing_since: str | None
    """When it began to fail, in UTC; null while it works."""
    error: str
    """What happened at the last call; empty if it was answered."""
    paused: bool
    """Whether three events in a row failed. Events wait until you retry on the page."""
    off: bool
    """Whether we have switched it off, because it failed for three days. Set it again."""
    id: int
    format: str
    """json, discord, slack, matrix or ntfy."""
    name: str
    events: list[str]
    """What it is told about."""


@dataclass(frozen=True, slots=True)
class HookList:
    """Your hooks, oldest first."""

    hooks: list[Hook]


@dataclass(frozen=True, slots=True)
class InviteLink:
    """A link that lets one person join. It is shown once."""

    link: int
    """Its number, to revoke it with."""
    challenge: int
    url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An entry in the journal: what a janitor did to the battle, or that the rules could not resolve a turn."""

    number: int
    kind: str
    turn: str
    key: TurnKey
    text: str
    reason: str
    by: str | None
    """The janitor; null for a note by the site itself."""
    at: str
    undone: Undone | None


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """The move that a mage played, and better ones."""

    gestures: str
    """Of both hands, such as `P/D`; two pairs with a second turn."""
    spells: list[str]
    """The spells that it completes."""
    chance: float
    """From 0 to 1, before anything is rolled."""
    mark: str | None
    """`??`: loses 20 points of chance or more; `?`: 7 to 19; `!`: the only good move."""
    best: PlayedMove
    next_best: PlayedMove | None
    by_sight: bool
    """The mage couldn't see everything, and the move is judged by what they saw."""


@dataclass(frozen=True, slots=True)
class Key:
    """A stage of a turn: send it with orders, joined by dots, so that they cannot count for another stage."""

    seq: int
    """The turn, counted from 1."""
    attempt: int
    """How many times the turn was undone and played again."""
    stage: int
    """0 for gestures; from 1, answers to what came up during the turn."""

    def __str__(self) -> str:
        """The key as orders name it."""
        return f"{self.seq}.{self.attempt}.{self.stage}"


@dataclass(frozen=True, slots=True)
class League:
    """A league: its table and every duel."""

    league: int
    """1 for League 1, and so on."""
    places: list[LeaguePlace]
    season: LeagueSeason
    duels: list[LeagueDuel]


@dataclass(frozen=True, slots=True)
class LeagueDuel:
    """A duel of a league."""

    round: int
    begins_at: datetime
    """When its round begins."""
    first: str
    """A mage."""
    second: str
    battle: int | None
    """The number of its battle, once it has begun."""
    turn: str | None
    """The turn of its battle."""
    result: str | None
    """`first`, `second` or `draw`; `none` counts for nobody; null: not decided."""
    decided_by: str | None
    """`battle`, `forfeit`, `time`, `left` or `absent`."""
    first_used: int | None
    """The seconds of time that the first has used."""
    second_used: int | None


@dataclass(frozen=True, slots=True)
class LeagueEntry:
    """Whether you are in the league."""

    mage: str | None
    """Null: you are not in it."""
    begins_at: datetime | None
    """When you play first, if that is known."""


@dataclass(frozen=True, slots=True)
class LeaguePlace:
    """A place in a table."""

    rank: int | None
    """Null for someone whose results don't count, because they left early."""
    mage: str
    user: str
    points: float
    played: int
    """How many duels are decided."""
    form: str
    """The last five results, oldest first: `W`, `D` or `L`."""
    late_turns: int
    """Turns for which a final notice was sent."""
    leads: str
    """`up`, `down` or `stay`: in a running season as things stand."""
    left: bool
    away: bool
    """Whether the user is on vacation; always false in the list of all leagues."""


@dataclass(frozen=True, slots=True)
class LeagueSeason:
    """A season of the league."""

    season: int
    begins_at: datetime
    ends_at: datetime
    round: int
    """The last round that has begun, from 1 to 7; 0 before the first."""
    drawn: bool
    """Whether the groups are drawn."""
    over: bool
    """Whether the tables are final."""


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The table of a league, without its duels."""

    league: int
    """1 for League 1, and so on."""
    places: list[LeaguePlace]


@dataclass(frozen=True, slots=True)
class Leagues:
    """A season with the tables of all its leagues. Without one, nobody has signed up yet."""

    season: LeagueSeason | None
    leagues: list[LeagueTable]
    entrants: int
    """How many users are in the league, for this season or the next one."""
    mine: str | None
    """The mage with whom you are in; null if you are not."""
    past: list[int]
    """The seasons that are over, the last one first."""


@dataclass(frozen=True, slots=True)
class MageTotal:
    """One mage over the whole battle."""

    mage: str
    accuracy: int | None
    """From 0 to 100: how much of the chances the moves preserved."""
    skill: float
    luck: float


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played offline."""

    stronger: str
    weaker: str
    share: float
    """The stronger bot's share of the points, in percent."""
    margin: float
    """Half of the 95 % range of the share."""
    battles: int


@dataclass(frozen=True, slots=True)
class Me:
    """Who you are."""

    user: str
    bot: bool
    """Whether this is the account of a bot."""
    about: str
    """What you say about yourself on your page."""
    language: str
    """Your language; empty if each request says which."""
    mages: list[OwnMage]
    token: TokenFacts | None
    """Null if you are logged in without one."""


@dataclass(frozen=True, slots=True)
class MixedMove:
    """A move of the mix that a mage should have played."""

    share: float
    """How often, from 0 to 1. Moves below 0.02 are left out."""
    gestures: str
    spells: list[str]
    move: str
    """The move in words, with its targets and powers."""
    orders: list[str]
    """Lines of orders."""


@dataclass(frozen=True, slots=True)
class Monster:
    """A creature."""

    name: str
    kind: str
    hp: int
    max_hp: int
    controller: str
    """The mage it obeys."""
    target: str
    """Whom it attacks."""
    enchantments: list[Enchantment]
    letters: str


@dataclass(frozen=True, slots=True)
class MoveHint:
    """A move worth considering."""

    text: str
    """The move, what it threatens, and the best answer to it."""
    gestures: str
    spells: list[str]
    orders: list[str]
    """Lines of orders."""
    share: float
    """How often the Magus would play it, from 0 to 1."""
    chance: float
    """The chance to win with it, from 0 to 1, from what your mage sees."""
    threatens: list[str]
    """Spells that it threatens for the next turn."""
    answer: str | None
    """The best answer to it; null: nobody can answer."""


@dataclass(frozen=True, slots=True)
class News:
    """Some of your news, the newest first."""

    lines: list[NewsLine]
    more: bool
    """Whether there are older ones: ask again with the last `line` as `before`."""


@dataclass(frozen=True, slots=True)
class NewsLine:
    """A line of your news."""

    line: int
    """Its number: send it to mark the line as read, or as `before`."""
    at: datetime
    """When, in UTC."""
    words: str
    """What happened, in your language."""
    text: str
    """What somebody wrote, in full; empty if nobody did."""
    url: str
    """The page that it leads to."""
    unread: bool


@dataclass(frozen=True, slots=True)
class NoticeSubject:
    """Something that you are told, and where: in each channel `on`, `off`, `daily` (in one daily email) or
    `always` (nothing turns it off); null if it is not offered there.
    """

    subject: str
    title: str
    """What the page calls it."""
    page: str | None
    email: str | None
    push: str | None
    hooks: str | None


@dataclass(frozen=True, slots=True)
class Notices:
    """What you are told, and where."""

    preset: str | None
    """Null if the choices are your own mix."""
    subjects: list[NoticeSubject]
    quiet_hours: QuietHours


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question."""

    value: str
    label: str
    line: str
    """The line of the order grammar that gives this answer."""
    allowed: bool
    reason: str
    """Why it is not allowed, in words."""


@dataclass(frozen=True, slots=True)
class OrderWarning:
    """A warning about orders that are accepted."""

    code: str
    message: str
    severe: bool
    """Whether the page asks for confirmation, as for a surrender."""


@dataclass(frozen=True, slots=True)
class Orders:
    """The sheet of the viewer's current mage."""

    mage: str
    ready: bool
    lines: list[str]
    """The sheet in the order grammar."""
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class OrdersCommitment:
    """A salted hash of one mage's orders in one stage."""

    turn: str
    key: Key
    mage: str
    commitment: str
    closed: bool
    """Whether this is the closing commitment, to all sets of orders of the stage. Before the stage closes, it is
    the commitment to the orders that became ready.
    """
    counts: bool
    """False if a janitor rewound the turn."""


@dataclass(frozen=True, slots=True)
class OwnMage:
    """One of your living mages."""

    name: str
    retired: bool
    pronoun: str
    """How sentences refer to the mage: `they`, `she`, `he` or `it`."""
    busy_with: str | None
    """`challenge` or `battle`; null if the mage is free."""
    number: int | None
    """The number of that challenge or battle."""
    duels: list[int]
    """The numbers of the mage's running duels in leagues and cups, which leave the mage free."""


@dataclass(frozen=True, slots=True)
class OwnPart:
    """What a mage knows of their own part in the turn."""

    phase: str
    """`orders`, `choose-spell`, `choose-target` or `decide`."""
    made: list[list[str]]
    """The pairs of gestures of this turn that are final already."""
    offers: dict[str, list[str]]
    """For each hand, the spells to choose from."""
    spells: dict[str, str]
    """For each hand, the spell that it will cast."""
    bolt_used: bool
    """Whether the short lightning bolt is used up."""


@dataclass(frozen=True, slots=True)
class PauseWish:
    """A player's wish for a pause."""

    mage: str
    minutes: int
    """How long the pause should be; 0 to end the pause that is on."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The answer to a wish for a pause, or for its end."""

    done: bool
    """Whether the battle is as you asked; if not, it waits for the others."""


@dataclass(frozen=True, slots=True)
class PeopleHere:
    """Who is here, as you may see it."""

    people: list[PersonHere]
    """The first 48."""
    count: int
    in_last_hour: int


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Someone who has a page of the site open."""

    user: str
    doing: str | None
    """`fights`, `looks` (for a duel), `hosts`, or null."""
    battle: int | None
    """The live battle that they fight in."""
    url: str
    """The page of the user."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a ladder."""

    place: int
    rank: int | None
    """Mages with the same score have the same rank; null for one who never fought a battle of this kind."""
    mage: str
    user: str
    score: int
    gained: int
    """The points gained in the last week."""
    battles: int
    rating: int | None
    provisional: bool
    """Whether the rating is based on only a few battles."""
    doing: str
    """`free`, `challenge` or `battle`."""
    number: int | None
    """The number of that challenge or battle."""


@dataclass(frozen=True, slots=True)
class Places:
    """A part of a ladder."""

    kind: str
    ruleset: str
    """Empty: all rulesets."""
    places: list[Place]
    more: bool
    """Whether there are more places below."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move with the chance that it gave."""

    gestures: str
    """Of both hands, such as `P/D`; two pairs with a second turn."""
    spells: list[str]
    """The spells that it completes."""
    chance: float
    """From 0 to 1, before anything is rolled."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a mage who owes orders knows, as a program that speaks the line protocol reads it."""

    battle: int
    key: str
    """Send it with the orders."""
    mage: str
    ruleset: str
    edition: int
    turn: int
    extra: str
    """The letter of an extra turn, such as `H`, or empty."""
    seq: int
    stage: int
    doubled: bool
    """Whether someone is seen to play two pairs of gestures."""
    blind: bool
    """Whether the mage sees nothing."""
    columns: list[str]
    """The labels of the columns of the histories."""
    mages: list[SeenMage]
    monsters: list[SeenMonster]
    obey_me: list[str]
    """The creatures that obey the mage."""
    tombstone: list[str]
    """The dead who can be named as targets."""
    belief: Belief | None
    """null if your mage sees everything now."""
    own: OwnPart
    questions: list[Asked]


@dataclass(frozen=True, slots=True)
class Present:
    """Who is missing from a live battle that has not started."""

    missing: list[str]
    """Mages; empty once the clocks run."""


@dataclass(frozen=True, slots=True)
class ProblemItem:
    """One thing that is wrong with what you sent."""

    place: str
    """The member or parameter that is wrong, such as `orders` or `invited.0`."""
    code: str
    """What is wrong, for programs."""
    message: str
    """What is wrong and what to do, for people."""
    nearest: str | None
    """The valid form that is closest to what you sent."""
    line: int | None
    """The line of the orders, counted from 1."""
    text: str | None
    """The line as you sent it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The commitments of a battle."""

    battle: int
    commitment: str | None
    """The hash of the seed and the terms; null for an old battle."""
    seed: str | None
    """Null until the battle ends."""
    orders: list[OrdersCommitment]


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A change of the terms that is waiting for votes."""

    change: int
    """Its number within the challenge."""
    proposer: str
    words: str
    """What it changes, in your language."""
    votes: list[Vote]
    points_for: int
    points_against: int
    needed: int
    """The side that reaches this many points wins."""
    lapses_at: datetime
    may_accept: list[str]
    """Your mages who may vote for it."""
    may_oppose: list[str]
    """Your mages who may vote against it."""
    may_take_back: str
    """Your mage who proposed it, or empty."""


@dataclass(frozen=True, slots=True)
class Question:
    """A choice that a mage has in this stage."""

    id: str
    """What is asked, such as `LH` for the gesture of the left hand."""
    mage: str
    kind: str
    about: str
    required: bool
    default: str | None
    """What counts if you don't answer."""
    answered: str | None
    """Your answer in the sheet."""
    clause: str
    """The rule."""
    options: list[Option]


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours in which your devices are quiet, unless a deadline is near."""

    on: bool
    begin: str
    """Such as `22:00`, in your time zone."""
    end: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class RatedBattles:
    """How many battles the ratings come from."""

    among_bots: int
    with_people: int


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A line of the ladder of bots."""

    place: int | None
    """null without a rating."""
    name: str
    strength: str | None
    """null for the bot of a user."""
    words: str
    """How it plays, in your language."""
    rating: int | None
    """A bot of the site starts with a rating from offline games."""
    about: bool
    """Whether it has played too few rated duels, so that the rating is about right."""
    margin: int | None
    """The rating is right within this margin with 95 %."""
    battles: int
    url: str
    """The page of the bot."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of your orders."""

    battle: int
    mage: str
    key: Key
    turn: str
    outcome: str
    """`status`: you ordered nothing. `kept`: not ready yet. `ready`: waiting for others. `resolved`: the turn is
    over, with these orders, or has stopped for questions. `stuck`: they are kept, but the turn cannot be played
    yet.
    """
    lines: list[str]
    """The whole sheet."""
    warnings: list[OrderWarning]
    missing: list[Question]
    """What the sheet still needs before it can be ready."""
    repeated: bool
    """Whether the sheet did not change."""
    reference: str
    """Names the error if the turn is stuck."""
    commitment: str
    """The salted hash of these orders. Save it: after the end, the record proves which orders counted. Empty if
    you ordered nothing, or the battle has no commitments.
    """


@dataclass(frozen=True, slots=True)
class Record:
    """The record that replays the battle."""

    battle: int
    record: str


@dataclass(frozen=True, slots=True)
class RememberedMage:
    """A mage whom yours does not see now, as yours saw them last, and what it has learnt of their hit points
    since.
    """

    name: str
    hp: int
    marks: dict[str, int]
    """Each enchantment with the turns it lasts, -1 for good. As it was then."""
    ago: int
    """How many turns ago that was."""


@dataclass(frozen=True, slots=True)
class RememberedMonster:
    """A creature that a blind mage knows of."""

    name: str
    kind: str
    hp: int
    controller: str
    target: str | None
    """null if unknown."""
    marks: dict[str, int]
    """Each enchantment with the turns it lasts, -1 for good. As it was when your mage saw it last."""


@dataclass(frozen=True, slots=True)
class RollGain:
    """What a roll gave to one mage."""

    mage: str
    chance: float


@dataclass(frozen=True, slots=True)
class Room:
    """The lobby's room as you may read it, oldest line first."""

    may_write: bool
    why_not: str
    """Why you cannot write, in words."""
    lines: list[RoomLine]
    more: bool
    """Whether there are older lines: ask for those before the first one."""


@dataclass(frozen=True, slots=True)
class RoomLine:
    """A line in the lobby's room."""

    line: int
    user: str
    text: str
    at: datetime
    via: str
    """`page`, `api` or `mail`."""
    mine: bool
    removed: bool
    """Whether a janitor removed it: the text says so then."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat of a challenge that a mage has, or is invited to."""

    mage: str
    user: str
    bot: bool
    """Whether it is a mage of a bot, of the site or of a user."""
    state: str
    """`joined`, `invited`, `declined` or `excluded`."""
    reason: str
    """Why the mage declined, if they said it: as in `decline/`; empty otherwise."""


@dataclass(frozen=True, slots=True)
class SeenMage:
    """A mage, as another one sees them. A history has one letter for each column; `?` means unseen."""

    name: str
    hp: int | None
    """null if unseen."""
    standing: str
    acts: bool
    """Whether the mage moves in this turn."""
    pairs: int
    """How many pairs of gestures they are seen to play in it."""
    marks: dict[str, int]
    """Each enchantment with the turns it lasts, -1 for good."""
    banked: list[str] | None
    """The spell kept for later and its target, if known."""
    left: str
    right: str
    held: str | None
    """The hand that Paralysis continues to hold, if seen."""


@dataclass(frozen=True, slots=True)
class SeenMonster:
    """A creature, as a mage sees it."""

    name: str
    kind: str
    hp: int
    controller: str
    target: str
    marks: dict[str, int]
    """Each enchantment with the turns it lasts, -1 for good."""


@dataclass(frozen=True, slots=True)
class SetWebhook:
    """Your new webhook, with its secret."""

    answered_at: str | None
    """When it last answered with 2xx, in UTC."""
    failing_since: str | None
    """When it began to fail, in UTC; null while it works."""
    error: str
    """What happened at the last call; empty if it was answered."""
    paused: bool
    """Whether three events in a row failed. Events wait until you retry on the page."""
    off: bool
    """Whether we have switched it off, because it failed for three days. Set it again."""
    url: str
    """Its site; the whole address is shown only when you set it."""
    secret: str
    """The key of the signatures, shown this once."""


@dataclass(frozen=True, slots=True)
class Started:
    """A battle that has just begun."""

    battle: int
    url: str
    """The page of the battle."""


@dataclass(frozen=True, slots=True)
class Story:
    """The battle as a story."""

    battle: int
    story: str


@dataclass(frozen=True, slots=True)
class StuckTurn:
    """A turn that the rules could not resolve."""

    since: str | None
    """When that was; null if it was before we noted this."""
    reference: str
    """Names the error in the site's log."""
    janitors_reminded_at: str | None
    """When the janitors are reminded of it, after being notified."""
    text: list[str]
    """The same for people, and what happens next."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One sentence, or two, about a turn."""

    key: str
    """What it tells, such as `loses`, `dies`, `held`, `begins`, `ends`, `stops`, `creature` or `in vain`."""
    school: str
    """`harm`, `ward`, `summon`, `mind` or `time`."""
    works: bool
    """False for a spell or an attack without effect."""
    about: str
    """`me`, `mine` for your creatures, or `others`."""
    open: bool
    """Whether pages and emails show it first; the others are only here."""
    bold: str
    rest: str


@dataclass(frozen=True, slots=True)
class Table:
    """The battle as a table."""

    battle: int
    table: str


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What the bots think of their last moves."""

    battle: int
    thoughts: list[BotThought]


@dataclass(frozen=True, slots=True)
class Threat:
    """What a mage may do soon, as far as you can see. Several parts work only together."""

    mage: str
    victim: str
    """Your mage; if you are watching, the opponent or the weakest of several."""
    weight: str
    """`ends`: it kills, now or by an illness, or it holds the hand with the only defence; `hurts`: it takes hit
    points or brings a creature; `hinders`: it spoils gestures, sight, protections or creatures.
    """
    parts: list[ThreatPart]
    more: int
    """How many gestures are still needed."""
    turns: int
    """The turns until it works, 1 for this one; for an illness, until it kills."""
    damage: int | None
    """The hit points it takes, if any."""
    stops: list[ThreatDefence]
    fails: list[str]
    """Spells that one might expect to stop it, but do not."""


@dataclass(frozen=True, slots=True)
class ThreatDefence:
    """A spell that stops a threat."""

    spell: str
    on: str
    """Whom to cast it on."""
    hand: str
    """The hand of the threatened mage that can cast it soonest."""
    gestures: str
    """The gestures that this hand still needs, small for both hands."""
    in_time: bool
    """Whether it can be cast in the turn in which it is needed."""


@dataclass(frozen=True, slots=True)
class ThreatPart:
    """A hand with a spell, a banked spell, or a creature that joins in a threat."""

    hand: str
    """`LH` or `RH`; `FIRE` for a banked spell, empty for a creature."""
    what: str
    """The spell, `Stab`, or the name of a creature."""
    gestures: str
    """The gestures that it still needs, small for both hands."""


@dataclass(frozen=True, slots=True)
class TimeUsed:
    """The time that a mage's player has used in a duel of a league or cup."""

    mage: str
    seconds: int
    """In all turns so far, with the running clock."""
    late_turns: int
    """The turns in which the final notice was sent."""


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """The token that you have sent."""

    name: str
    scopes: list[str]
    expires_at: str


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """One turn."""

    turn: str
    withheld: int | None
    """Your running battle to which this turn is too similar: until it is over, the lists are empty."""
    mages: list[AnalysedMage]
    rolls: list[WeighedRoll]
    findings: list[AnalysisFinding]


@dataclass(frozen=True, slots=True)
class TurnKey:
    """A turn."""

    seq: int
    """The turn, counted from 1."""
    attempt: int
    """How many times the turn was undone and played again."""


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn in a few sentences, those that mean most to you first."""

    turn: str
    key: TurnKey
    text: str
    """The open sentences."""
    lines: list[SummaryLine]


@dataclass(frozen=True, slots=True)
class Undone:
    """Who undid a journal entry, and why."""

    by: str | None
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadNews:
    """What is left."""

    unread: int
    """How many lines of your news you have not read."""


@dataclass(frozen=True, slots=True)
class UnseenCast:
    """A spell that a mage cast with gestures that yours did not see."""

    mage: str
    column: int
    """The place of the column in the histories."""
    spell: str
    hand: str | None
    """`LH`, `RH` or `BH`; null if unknown."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """Your vacation, and the days that you have."""

    until: str | None
    """When your vacation ends, in UTC; null if you are not away."""
    days_left: int
    """The days that you have left this calendar year (UTC)."""
    longest: int
    """How many days a vacation from now could last."""


@dataclass(frozen=True, slots=True)
class Vote:
    """The vote of a mage who has joined."""

    mage: str
    stance: str
    """`for`, `against`, or empty before it has voted."""
    points: int
    """The weight of its vote."""


@dataclass(frozen=True, slots=True)
class WatchedBattle:
    """A battle to watch, and how many pages of spectators show it. Nobody learns who watches."""

    battle: BattleSummary
    spectators: int


@dataclass(frozen=True, slots=True)
class WatchedBattles:
    """What there is to watch."""

    battles: list[WatchedBattle]
    """Battles of people, in the order in which the page Watch shows them."""
    week: int | None
    """The battle of the week, which is over; null if there is none."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Your webhook. We post each event to it as JSON, signed as standardwebhooks.com describes, and repeat it
    until you answer with 2xx.
    """

    answered_at: str | None
    """When it last answered with 2xx, in UTC."""
    failing_since: str | None
    """When it began to fail, in UTC; null while it works."""
    error: str
    """What happened at the last call; empty if it was answered."""
    paused: bool
    """Whether three events in a row failed. Events wait until you retry on the page."""
    off: bool
    """Whether we have switched it off, because it failed for three days. Set it again."""
    url: str
    """Its site; the whole address is shown only when you set it."""


@dataclass(frozen=True, slots=True)
class WeighedRoll:
    """A roll that moved a chance by more than 0.05."""

    roll: str
    gave: list[RollGain]


@dataclass(frozen=True, slots=True)
class Why:
    """One step of the explanation of an event."""

    text: str
    clause: str
    event: int | None
    """The number of the event; null for what you could not see."""
