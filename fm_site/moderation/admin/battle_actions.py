"""Janitors' actions on battles: each calls one service of fm_site.moderation.services.battles."""

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
    """Render what the mage sees, without any controls."""
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
    return "The players have been asked. They answer on the battle page."


def rewind(request: HttpRequest, battle: Battle, data: Data) -> str:
    details = {**_details(request, data), "without_consent": data["without_consent"]}
    entry = rewind_battle(battle=battle, seq=data["turn"], **details)
    return f"The battle is back at turn {entry.facts['turn']}. The players are notified."


def order(request: HttpRequest, battle: Battle, data: Data) -> str:
    receipt = enter_orders_for_mage(
        combatant=find_combatant(battle, data["mage"]),
        text=data["orders"],
        ready=data["ready"],
        stage=data["stage"],
        **_details(request, data),
    )
    told = {"resolved": "They were the last orders, and the turn has been resolved.", "ready": "They are marked ready."}
    kept = "They are saved but not ready."
    if receipt.missing:
        kept = f"{kept} Still missing: {'; '.join(question.about for question in receipt.missing)}."
    return f"Orders for {data['mage']} are entered. {told.get(receipt.outcome, kept)}"


def find_combatant(battle: Battle, name: str) -> Combatant:
    return Combatant.objects.select_related("battle", "mage__user").get(battle=battle, mage__name=name)


def extend(request: HttpRequest, battle: Battle, data: Data) -> str:
    give_more_time(combatant=find_combatant(battle, data["mage"]), hours=data["hours"], **_details(request, data))
    return f"{data['mage']} has {data['hours']} more hours. The players are notified."


def excuse(request: HttpRequest, battle: Battle, data: Data) -> str:
    missed = data["missed"]
    excuse_turn(missed=missed, **_details(request, data))
    return f"{missed.combatant.mage} is excused for turn {missed.stage.turn.label}."


def pause(request: HttpRequest, battle: Battle, data: Data) -> str:
    pause_for_janitor(battle=battle, **_details(request, data))
    return f"{battle} is paused. The players are notified."


def resume(request: HttpRequest, battle: Battle, data: Data) -> str:
    resume_for_janitor(battle=battle, **_details(request, data))
    return f"{battle} is resumed. The players are notified."


def annul(request: HttpRequest, battle: Battle, data: Data) -> str:
    annul_battle(battle=battle, **_details(request, data))
    return f"{battle} is annulled. The players are notified."


def decide(request: HttpRequest, battle: Battle, data: Data) -> str:
    set_result(battle=battle, winners=data["winners"], dead=data["dead"], **_details(request, data))
    return f"The result of {battle} is set. The players are notified."


def compare(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = compare_replay(battle=battle, **_details(request, data))
    turn = entry.facts["turn"]
    return (
        f"Turn {turn} has a different outcome; the log has the details." if turn else "Every turn has the same outcome."
    )


def play_on(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = try_to_play_on(battle=battle, **_details(request, data))
    return f"{describe_entry(entry.kind, entry.facts)} The players are notified."


def undo(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = battle.journal.get(number=data["entry"])
    undo_intervention(entry=entry, **_details(request, data))
    return f"Entry {entry.number} is undone. The players are notified."


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
        "You see the battle as that mage sees it. Each look is logged and shown to the players after the battle.",
        "Look",
        LookForm,
        look,
        only_reads=True,
        is_offered=goes_on,
    ),
    Act(
        "ask",
        "Ask for consent",
        "Asks the players whether the battle may go back to an earlier turn.",
        "Ask the players",
        TurnForm,
        ask,
        undo="withdraws the question.",
        is_offered=is_not_annulled,
    ),
    Act(
        "rewind",
        "Rewind turns",
        "The battle goes back to the start of a turn and continues from there with new dice. The turns played since "
        "are kept but no longer count. A finished battle resumes.",
        "Rewind",
        RewindForm,
        rewind,
        undo="until new orders are sent.",
        is_offered=is_not_annulled,
    ),
    Act(
        "order",
        "Enter orders for a mage",
        "You enter orders for a mage as their owner could. The order sheet shows that a janitor wrote it.",
        "Enter orders",
        OrdersForm,
        order,
        undo="until the turn is resolved or the owner sends orders.",
        is_offered=goes_on,
    ),
    Act(
        "extend",
        "Give a mage extra time",
        "Moves the mage's deadline for this turn. Time while the mage's clock is stopped does not count.",
        "Give time",
        TimeForm,
        extend,
        undo="until the mage's orders are sent.",
        is_offered=waits,
    ),
    Act(
        "excuse",
        "Excuse a missed turn",
        "The turn no longer counts against the player.",
        "Excuse",
        ExcuseForm,
        excuse,
        undo="at any time.",
        is_offered=was_missed,
    ),
    Act(
        "pause",
        "Pause the battle",
        "Stops all clocks of the battle until a janitor resumes it.",
        "Pause",
        ReasonForm,
        pause,
        undo="until another pause starts or ends.",
        is_offered=runs,
    ),
    Act(
        "resume",
        "Resume the battle",
        "Ends all pauses, including the players', and restarts the clocks.",
        "Resume",
        ReasonForm,
        resume,
        undo="until another pause starts or ends.",
        is_offered=is_paused,
    ),
    Act(
        "result",
        "Set the result",
        "Sets how the battle ended and scores it accordingly. A running battle ends.",
        "Set result",
        ResultForm,
        decide,
        undo="as long as its mages are not in another battle or challenge.",
        is_offered=is_not_annulled,
    ),
    Act(
        "annul",
        "Annul the battle",
        "The battle no longer counts: its points are taken back, its dead live again, and its mages are free.",
        "Annul",
        ReasonForm,
        annul,
        undo="as long as its mages are not in another battle or challenge.",
        is_offered=is_not_annulled,
    ),
    Act(
        "compare",
        "Replay and compare",
        "Replays the battle by the rules and compares. The battle does not change.",
        "Compare",
        ReasonForm,
        compare,
    ),
    Act(
        "play-on",
        "Try to continue",
        "Tries again to resolve the turn at which the battle is stuck.",
        "Try",
        ReasonForm,
        play_on,
        undo="until new orders are sent; the battle is then stuck again.",
        is_offered=is_stuck,
    ),
    Act(
        "undo",
        "Undo",
        "Restores everything to how it was before, if nothing has changed since.",
        "Undo",
        UndoForm,
        undo,
        is_offered=lambda battle: battle.journal.exists(),
    ),
)
