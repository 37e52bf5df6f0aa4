"""Janitors' actions on battles: each calls one service of moderation.services.battles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from duels.board import build_board
from duels.models import Battle, ChatLine, ClockStop, Combatant, MissedTurn
from duels.selectors.battle_view import BattleView
from duels.selectors.stage_keys import names_waited_for
from moderation.admin.battle_forms import (
    ExcuseForm,
    LineForm,
    LookForm,
    OrdersForm,
    ResultForm,
    RewindForm,
    TimeForm,
    TurnForm,
    UndoForm,
)
from moderation.admin.row_actions import Data, ReasonForm, RowAction, read_details
from moderation.journal_words import describe_entry
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.ask_for_consent import ask_for_consent
from moderation.services.battles.change_clocks import excuse_turn, give_more_time, pause_for_janitor, resume_for_janitor
from moderation.services.battles.choose_battle import choose_battle_of_the_week
from moderation.services.battles.enter_orders import enter_orders_for_mage
from moderation.services.battles.look_into_battle import compare_replay, look_through_eyes
from moderation.services.battles.remove_line import remove_line
from moderation.services.battles.retry_turn import retry_turn
from moderation.services.battles.rewind_battle import rewind_battle
from moderation.services.battles.set_result import set_result
from moderation.services.battles.undo import undo_battle_entry
from moderation.services.battles.void_battle import void_battle


def look(request: HttpRequest, battle: Battle, data: Data) -> HttpResponse:
    view = look_through_eyes(battle=battle, mage=data["mage"], **read_details(request, data))
    return render_look(request, battle, view, data["mage"])


def render_look(request: HttpRequest, battle: Battle, view: BattleView, mage: str) -> HttpResponse:
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
    return render(request, "admin/looked_at.html", context)


def ask(request: HttpRequest, battle: Battle, data: Data) -> str:
    ask_for_consent(battle=battle, seq=data["turn"], **read_details(request, data))
    return gettext("We have asked the players. They answer on the battle page.")


def rewind(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = rewind_battle(
        battle=battle,
        seq=data["turn"],
        without_consent=data["without_consent"],
        **read_details(request, data),
    )
    return gettext("The battle is back at turn %(turn)s. The players are notified.") % {"turn": entry.facts["turn"]}


def order(request: HttpRequest, battle: Battle, data: Data) -> str:
    receipt = enter_orders_for_mage(
        combatant=find_combatant(battle, data["mage"]),
        text=data["orders"],
        ready=data["ready"],
        stage=data["stage"],
        **read_details(request, data),
    )
    sentences = [gettext("Orders for %(mage)s are entered.") % {"mage": data["mage"]}]
    if receipt.asks:
        sentences.append(gettext("They were the last orders, and the turn has stopped for a question."))
    elif receipt.outcome == "resolved":
        sentences.append(gettext("They were the last orders, and the turn has been resolved."))
    elif receipt.outcome == "ready":
        sentences.append(gettext("They are marked ready."))
    else:
        sentences.append(gettext("They are saved but not ready."))
        if receipt.missing:
            missing = "; ".join(question.about for question in receipt.missing)
            sentences.append(gettext("Still missing: %(missing)s.") % {"missing": missing})
    return " ".join(sentences)


def find_combatant(battle: Battle, name: str) -> Combatant:
    return Combatant.objects.select_related("battle", "mage__user").get(battle=battle, mage__name=name)


def extend(request: HttpRequest, battle: Battle, data: Data) -> str:
    give_more_time(combatant=find_combatant(battle, data["mage"]), hours=data["hours"], **read_details(request, data))
    return gettext("%(mage)s has %(hours)s more hours. The players are notified.") % {
        "mage": data["mage"],
        "hours": data["hours"],
    }


def excuse(request: HttpRequest, battle: Battle, data: Data) -> str:
    missed = data["missed"]
    excuse_turn(missed=missed, **read_details(request, data))
    return gettext("%(mage)s is excused for turn %(turn)s.") % {
        "mage": missed.combatant.mage,
        "turn": missed.stage.turn.label,
    }


def pause(request: HttpRequest, battle: Battle, data: Data) -> str:
    pause_for_janitor(battle=battle, **read_details(request, data))
    return gettext("%(battle)s is paused. The players are notified.") % {"battle": battle}


def resume(request: HttpRequest, battle: Battle, data: Data) -> str:
    resume_for_janitor(battle=battle, **read_details(request, data))
    return gettext("%(battle)s is resumed. The players are notified.") % {"battle": battle}


def remove(request: HttpRequest, battle: Battle, data: Data) -> str:
    remove_line(line=data["line"], **read_details(request, data))
    return gettext("The line is removed. Its writer can see that in the chat, like everyone else.")


def choose(request: HttpRequest, battle: Battle, data: Data) -> str:
    choose_battle_of_the_week(battle=battle, **read_details(request, data))
    return gettext("%(battle)s is the battle of the week. The players are notified.") % {"battle": battle}


def annul(request: HttpRequest, battle: Battle, data: Data) -> str:
    annul_battle(battle=battle, **read_details(request, data))
    return gettext("%(battle)s is annulled. The players are notified.") % {"battle": battle}


def decide(request: HttpRequest, battle: Battle, data: Data) -> str:
    set_result(battle=battle, winners=data["winners"], dead=data["dead"], **read_details(request, data))
    return gettext("The result of %(battle)s is set. The players are notified.") % {"battle": battle}


def compare(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = compare_replay(battle=battle, **read_details(request, data))
    turn = entry.facts["turn"]
    if not turn:
        return gettext("Every turn has the same outcome.")
    return gettext("Turn %(turn)s has a different outcome; the log has the details.") % {"turn": turn}


def play_on(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = retry_turn(battle=battle, **read_details(request, data))
    return " ".join([describe_entry(entry.kind, entry.facts), gettext("The players are notified.")])


def void(request: HttpRequest, battle: Battle, data: Data) -> str:
    void_battle(battle=battle, **read_details(request, data))
    return gettext("%(battle)s is void. The players are notified.") % {"battle": battle}


def undo(request: HttpRequest, battle: Battle, data: Data) -> str:
    entry = battle.journal.get(number=data["entry"])
    undo_battle_entry(entry=entry, **read_details(request, data))
    return gettext("Entry %(number)s is undone. The players are notified.") % {"number": entry.number}


def is_not_annulled(battle: Battle) -> bool:
    return battle.status != Battle.Status.ANNULLED


def is_finished(battle: Battle) -> bool:
    return battle.status == Battle.Status.FINISHED


def is_not_over(battle: Battle) -> bool:
    return not battle.is_over


def waits_for_orders(battle: Battle) -> bool:
    return bool(names_waited_for(battle))


def has_missed_turn(battle: Battle) -> bool:
    return MissedTurn.objects.filter(combatant__battle=battle, excused_at=None).exists()


def is_paused(battle: Battle) -> bool:
    return ClockStop.objects.filter(battle=battle, combatant=None, ended_at=None).exists()


def can_be_paused(battle: Battle) -> bool:
    return is_not_over(battle) and not is_paused(battle)


def has_chat(battle: Battle) -> bool:
    return ChatLine.objects.filter(battle=battle, removed_at=None).exists()


def is_stuck(battle: Battle) -> bool:
    return battle.status == Battle.Status.STUCK


BATTLE_ACTIONS = (
    # These two come first: a battle that is stuck waits for one of them.
    RowAction(
        "play-on",
        _("Replay the turn"),
        _("Tries again to resolve the turn the battle is stuck on, with the same orders and dice: after a repair."),
        _("Replay"),
        ReasonForm,
        play_on,
        undo=_("until new orders are sent; the battle is then stuck again."),
        is_offered=is_stuck,
    ),
    RowAction(
        "void",
        _("Void the battle"),
        _(
            "Ends a battle whose turn cannot be repaired, as if its players had called it off: nobody wins, nobody "
            "dies, no score or rating changes, and its mages are free."
        ),
        _("Void"),
        ReasonForm,
        void,
        undo=_("as long as its mages are not in another battle or challenge."),
        is_offered=is_stuck,
    ),
    RowAction(
        "look",
        _("Look through a mage's eyes"),
        _("You see the battle as that mage sees it. Each look is logged and shown to the players after the battle."),
        _("Look"),
        LookForm,
        look,
        only_reads=True,
        is_offered=is_not_over,
    ),
    RowAction(
        "ask",
        _("Ask for consent"),
        _("Asks the players whether the battle may go back to an earlier turn."),
        _("Ask the players"),
        TurnForm,
        ask,
        undo=_("withdraws the question."),
        is_offered=is_not_annulled,
    ),
    RowAction(
        "rewind",
        _("Rewind turns"),
        _(
            "The battle goes back to the start of a turn and continues from "
            "there with new dice. The turns played since "
            "are kept but no longer count. A finished battle resumes."
        ),
        _("Rewind"),
        RewindForm,
        rewind,
        undo=_("until new orders are sent."),
        is_offered=is_not_annulled,
    ),
    RowAction(
        "order",
        _("Enter orders for a mage"),
        _("You enter orders for a mage as their owner could. The order sheet shows that a janitor wrote it."),
        _("Enter orders"),
        OrdersForm,
        order,
        undo=_("until the turn is resolved or the owner sends orders."),
        is_offered=is_not_over,
    ),
    RowAction(
        "extend",
        _("Give a mage extra time"),
        _("Moves the mage's deadline for this turn. Time while the mage's clock is stopped does not count."),
        _("Give time"),
        TimeForm,
        extend,
        undo=_("until the mage's orders are sent."),
        is_offered=waits_for_orders,
    ),
    RowAction(
        "excuse",
        _("Excuse a missed turn"),
        _("The turn no longer counts against the player."),
        _("Excuse"),
        ExcuseForm,
        excuse,
        undo=_("at any time."),
        is_offered=has_missed_turn,
    ),
    RowAction(
        "remove-line",
        _("Remove a line of the chat"),
        _("Nobody can read the line any more. A note in its place says that a janitor removed it."),
        _("Remove"),
        LineForm,
        remove,
        undo=_("at any time."),
        is_offered=has_chat,
    ),
    RowAction(
        "week",
        _("Choose as the battle of the week"),
        _("The page Watch shows it to everyone for seven days, or until you choose another one."),
        _("Choose"),
        ReasonForm,
        choose,
        undo=_("at any time."),
        is_offered=is_finished,
    ),
    RowAction(
        "pause",
        _("Pause the battle"),
        _("Stops all clocks of the battle until a janitor resumes it, for 30 days at most."),
        _("Pause"),
        ReasonForm,
        pause,
        undo=_("until another pause starts or ends."),
        is_offered=can_be_paused,
    ),
    RowAction(
        "resume",
        _("Resume the battle"),
        _("Ends all pauses, including the players', and restarts the clocks."),
        _("Resume"),
        ReasonForm,
        resume,
        undo=_("until another pause starts or ends."),
        is_offered=is_paused,
    ),
    RowAction(
        "result",
        _("Set the result"),
        _("Sets how the battle ended and scores it accordingly. A running battle ends."),
        _("Set result"),
        ResultForm,
        decide,
        undo=_("as long as its mages are not in another battle or challenge."),
        is_offered=is_not_annulled,
    ),
    RowAction(
        "annul",
        _("Annul the battle"),
        _("The battle no longer counts: its points are taken back, its dead live again, and its mages are free."),
        _("Annul"),
        ReasonForm,
        annul,
        undo=_("as long as its mages are not in another battle or challenge."),
        is_offered=is_not_annulled,
    ),
    RowAction(
        "compare",
        _("Replay and compare"),
        _("Replays the battle by the rules and compares. The battle does not change."),
        _("Compare"),
        ReasonForm,
        compare,
    ),
    RowAction(
        "undo",
        _("Undo"),
        _("Restores everything to how it was before, if nothing has changed since."),
        _("Undo"),
        UndoForm,
        undo,
        is_offered=lambda battle: battle.journal.exists(),
    ),
)
