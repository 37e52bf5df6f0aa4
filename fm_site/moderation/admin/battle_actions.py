"""What janitors do to battles: each calls one service of fm_site.moderation.services.battles."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from duels.board import build_board
from duels.models import Battle, ClockStop, Combatant, MissedTurn
from duels.selectors import BattleView, names_waited_for
from fm_site.moderation.admin.acting import Act, ReasonForm
from fm_site.moderation.admin.battle_forms import (
    ExcuseForm,
    LookForm,
    OrdersForm,
    ResultForm,
    RewindForm,
    TimeForm,
    TurnForm,
    UndoForm,
)
from fm_site.moderation.journal_words import describe_entry
from fm_site.moderation.services.battles import (
    annul_battle,
    ask_for_consent,
    compare_replay,
    enter_orders_for_mage,
    excuse_turn,
    give_more_time,
    look_through_eyes,
    pause_for_janitor,
    resume_for_janitor,
    rewind_battle,
    set_result,
    try_to_play_on,
    undo_intervention,
)

Data = Mapping[str, Any]


def look(request: HttpRequest, battle: Battle, data: Data) -> HttpResponse:
    now = timezone.now()
    view = look_through_eyes(battle=battle, mage=data["mage"], by=request.user, reason=data["reason"], now=now)
    return draw_look(request, battle, view, data["mage"])


def draw_look(request: HttpRequest, battle: Battle, view: BattleView, mage: str) -> HttpResponse:
    """Draw what the mage sees, with nothing to press."""
    board = build_board(view, now=timezone.now(), looking=True)
    context = {
        "board": board,
        "battle": view.battle,
        "mage": mage,
        "orders": view.sheet.lines() if view.sheet is not None else None,
        "ready": view.is_ready,
        "pk": battle.pk,
    }
    return render(request, "duels/looked_at.html", context)


def ask(request: HttpRequest, battle: Battle, data: Data) -> str:
    ask_for_consent(battle=battle, seq=data["turn"], **_details(request, data))
    return "The players are asked. They answer on the page of the battle."


def rewind(request: HttpRequest, battle: Battle, data: Data) -> str:
    details = {**_details(request, data), "without_consent": data["without_consent"]}
    entry = rewind_battle(battle=battle, seq=data["turn"], **details)
    return f"Turn {entry.facts['turn']} is played again. The players are told."


def order(request: HttpRequest, battle: Battle, data: Data) -> str:
    receipt = enter_orders_for_mage(
        combatant=find_combatant(battle, data["mage"]),
        text=data["orders"],
        ready=data["ready"],
        stage=data["stage"],
        **_details(request, data),
    )
    told = {"resolved": "They were the last, and the turn is played.", "ready": "They are ready."}
    kept = "They are kept, and not ready."
    if receipt.missing:
        kept = f"{kept} Still to be said: {'; '.join(question.about for question in receipt.missing)}."
    return f"Orders of {data['mage']} are entered. {told.get(receipt.outcome, kept)}"


def find_combatant(battle: Battle, name: str) -> Combatant:
    return Combatant.objects.select_related("battle", "mage__user").get(battle=battle, mage__name=name)


def extend(request: HttpRequest, battle: Battle, data: Data) -> str:
    give_more_time(combatant=find_combatant(battle, data["mage"]), hours=data["hours"], **_details(request, data))
    return f"{data['mage']} has {data['hours']} more hours. The players are told."


def excuse(request: HttpRequest, battle: Battle, data: Data) -> str:
    missed = data["missed"]
    excuse_turn(missed=missed, **_details(request, data))
    return f"{missed.combatant.mage} is excused for turn {missed.stage.turn.label}."


def pause(request: HttpRequest, battle: Battle, data: Data) -> str:
    pause_for_janitor(battle=battle, **_details(request, data))
    return f"{battle} is paused. The players are told."


def resume(request: HttpRequest, battle: Battle, data: Data) -> str:
    resume_for_janitor(battle=battle, **_details(request, data))
    return f"{battle} goes on. The players are told."


def annul(request: HttpRequest, battle: Battle, data: Data) -> str:
    annul_battle(battle=battle, **_details(request, data))
    return f"{battle} is annulled. The players are told."


def decide(request: HttpRequest, battle: Battle, data: Data) -> str:
    set_result(battle=battle, winners=data["winners"], dead=data["dead"], **_details(request, data))
    return f"The result of {battle} is set. The players are told."


def compare(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = compare_replay(battle=battle, **_details(request, data))
    turn = entry.facts["turn"]
    return f"Turn {turn} comes out otherwise: the log says how." if turn else "Every turn comes out the same."


def play_on(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = try_to_play_on(battle=battle, **_details(request, data))
    return f"{describe_entry(entry.kind, entry.facts)} The players are told."


def undo(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = battle.journal.get(number=data["entry"])
    undo_intervention(entry=entry, **_details(request, data))
    return f"Entry {entry.number} is undone. The players are told."


def _details(request: HttpRequest, data: Data) -> dict[str, Any]:
    return {"by": request.user, "reason": data["reason"], "now": timezone.now()}


def is_not_annulled(battle: Battle) -> bool:
    return battle.status != Battle.Status.ANNULLED


def goes_on(battle: Battle) -> bool:
    return not battle.is_over


def waits(battle: Battle) -> bool:
    return bool(names_waited_for(battle))


def was_missed(battle: Battle) -> bool:
    return MissedTurn.objects.filter(combatant__battle=battle, excused_at=None).exists()


def is_paused(battle: Battle) -> bool:
    return ClockStop.objects.filter(battle=battle, combatant=None, ended_at=None).exists()


def runs(battle: Battle) -> bool:
    return goes_on(battle) and not is_paused(battle)


def is_stuck(battle: Battle) -> bool:
    return battle.status == Battle.Status.STUCK


BATTLE_ACTS = (
    Act(
        "look",
        "Look through a mage's eyes",
        "You see the battle as that mage sees it. Each look is logged, and shown to the players after the end.",
        "Look",
        LookForm,
        look,
        only_reads=True,
        is_offered=goes_on,
    ),
    Act(
        "ask",
        "Ask for consent",
        "The players are asked whether a turn may be played again.",
        "Ask the players",
        TurnForm,
        ask,
        undo="the question is withdrawn.",
        is_offered=is_not_annulled,
    ),
    Act(
        "rewind",
        "Take turns back",
        "The battle goes back to the beginning of a turn and is played on from there with new dice. What was played "
        "since is kept and counts no more. A battle that has ended goes on.",
        "Take back",
        RewindForm,
        rewind,
        undo="as long as nothing has been ordered since.",
        is_offered=is_not_annulled,
    ),
    Act(
        "order",
        "Enter orders for a mage",
        "You order for a mage as his owner could. His sheet says that a janitor wrote it.",
        "Enter the orders",
        OrdersForm,
        order,
        undo="until the turn is played, or he orders himself.",
        is_offered=goes_on,
    ),
    Act(
        "extend",
        "Give a mage more time",
        "His deadline for this turn comes later. Time in which his clock rests does not count.",
        "Give the time",
        TimeForm,
        extend,
        undo="until he has ordered.",
        is_offered=waits,
    ),
    Act(
        "excuse",
        "Excuse a missed turn",
        "The turn does not count against the player any more.",
        "Excuse",
        ExcuseForm,
        excuse,
        undo="at any time.",
        is_offered=was_missed,
    ),
    Act(
        "pause",
        "Pause the battle",
        "All clocks of the battle stand still until a janitor lets it go on.",
        "Pause",
        ReasonForm,
        pause,
        undo="until another pause begins or ends.",
        is_offered=runs,
    ),
    Act(
        "resume",
        "Let the battle go on",
        "All pauses end, those of the players too, and the clocks run on.",
        "Let it go on",
        ReasonForm,
        resume,
        undo="until another pause begins or ends.",
        is_offered=is_paused,
    ),
    Act(
        "result",
        "Set the result",
        "The battle has ended as you say, and its points are counted so. A battle that goes on ends.",
        "Set the result",
        ResultForm,
        decide,
        undo="as long as its mages are in nothing else.",
        is_offered=is_not_annulled,
    ),
    Act(
        "annul",
        "Annul the battle",
        "The battle counts for nothing: points are taken back, who died in it lives, its mages are free.",
        "Annul",
        ReasonForm,
        annul,
        undo="as long as its mages are in nothing else.",
        is_offered=is_not_annulled,
    ),
    Act(
        "compare",
        "Play again and compare",
        "The rules play the battle again. Nothing of it changes.",
        "Compare",
        ReasonForm,
        compare,
    ),
    Act(
        "play-on",
        "Try to play on",
        "The rules try the turn again that they could not play.",
        "Try",
        ReasonForm,
        play_on,
        undo="as long as nothing has been ordered since; the battle is stuck again then.",
        is_offered=is_stuck,
    ),
    Act(
        "undo",
        "Undo",
        "Every row becomes what it was before, as long as nothing has changed since.",
        "Undo",
        UndoForm,
        undo,
        is_offered=lambda battle: battle.journal.exists(),
    ),
)
