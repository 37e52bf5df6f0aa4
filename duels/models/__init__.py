"""Models of battles: mages and terms, turns and stages, orders and events."""

from duels.models.battle import Battle, Combatant, Number, OrderSheet, Replay, Stage, Subscription, Turn, TurnEvent
from duels.models.chat import ChatLine, ChatMute
from duels.models.clock import ClockStop, ClockTrouble, Deadline, MissedTurn

__all__ = [
    "Battle",
    "ChatLine",
    "ChatMute",
    "ClockStop",
    "ClockTrouble",
    "Combatant",
    "Deadline",
    "MissedTurn",
    "Number",
    "OrderSheet",
    "Replay",
    "Stage",
    "Subscription",
    "Turn",
    "TurnEvent",
]
