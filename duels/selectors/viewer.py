"""Reading a battle for a viewer. Each function name states the permission, and there is no other way in."""

import datetime
from dataclasses import replace

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from duels.errors import BattleNotFound, NotYourCombatant
from duels.models import Battle, Combatant, OrderSheet, Stage
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_state import read_battle_state
from duels.selectors.battle_view import BattleView, CombatantRow, InHand
from duels.selectors.clocks import list_clocks
from duels.selectors.journal import find_question_to, list_journal_for_anybody
from duels.selectors.stage_keys import key_of
from duels.selectors.stories import collect_casts, collect_causes, recall_events, tell_stories
from duels.sheet_change import find_forbidden
from duels.terms import Terms
from fm_site.notifications.selectors import zone_of
from rules_engine import Sheet, Viewer, look, open_questions, preview, read_orders
from rules_engine.gestures import HANDS
from rules_engine.state import State

Anyone = User | AnonymousUser | None


def find_battle(*, number: int) -> Battle:
    """Return the battle row, including secrets: never show it. Raises BattleNotFound."""
    battle = Battle.objects.filter(number=number).first()
    if battle is None:
        raise BattleNotFound(number)
    return battle


def get_combatant_for_user(*, number: int, user: Anyone, mage_name: str | None = None) -> Combatant:
    """Return the mage of `user` in battle `number`: the one called `mage_name`, or the one the battle is waiting for.

    Without a name, the first one the battle is waiting for wins, else the first one. Raises BattleNotFound, and
    NotYourCombatant, with the same text for someone else's mage and for one that is not there.
    """
    battle = find_battle(number=number)
    mine = list_own_combatants(battle, user)
    named = [each for each in mine if mage_name is None or each.mage.name.lower() == mage_name.strip().lower()]
    if not named:
        raise NotYourCombatant(number, mage_name, [each.mage.name for each in mine])
    waited_for = set(
        OrderSheet.objects.filter(
            stage__battle=battle, stage__closed_at__isnull=True, ready=False, combatant__in=named
        ).values_list("combatant_id", flat=True)
    )
    return next((each for each in named if each.pk in waited_for), named[0])


def list_own_combatants(battle: Battle, user: Anyone) -> list[Combatant]:
    """Return the mages of `user` in the battle, in its order."""
    if user is None or not user.is_authenticated or not user.is_active:
        return []
    own = Combatant.objects.filter(battle=battle, mage__user_id=user.pk)
    return list(own.select_related("mage__user").order_by("position"))


def get_viewer(battle: Battle, user: Anyone) -> Viewer:
    """Return what `user` may see while the battle runs: what their mages see, or for spectators what all mages see."""
    return Viewer.of(*(each.mage.name for each in list_own_combatants(battle, user)))


def get_battle_for_viewer(
    *, number: int, user: Anyone, mage_name: str | None = None, draft: str | None = None, changing: bool = False
) -> BattleView:
    """Return battle `number` as `user` may see it; after the end, everything.

    `mage_name` chooses the mage in hand (someone else's is ignored). `draft` replaces the saved draft, to show orders
    that were rejected or not sent yet; "" shows the sheet that counts. `changing` opens ready orders for changes.
    Raises BattleNotFound.
    """
    battle = find_battle(number=number)
    mine = list_own_combatants(battle, user)
    view = _see(battle, mine, mage_name, draft=draft, changing=changing)
    view = replace(view, zone=zone_of(user))
    return replace(view, question=find_question_to(battle, mine[0].mage.user)) if mine else view


def get_battle_through_eyes(*, battle: Battle, mage_name: str, with_orders: bool) -> BattleView:
    """Return the battle as only that mage sees it, for a janitor, with or without the mage's pending orders.

    Only for fm_site.moderation.services.battles, which logs every look in the journal. Raises NotYourCombatant,
    UnreadableBattle.
    """
    fighting = _all_combatants(battle)
    mine = [each for each in fighting if each.mage.name.lower() == mage_name.strip().lower()]
    if not mine:
        raise NotYourCombatant(battle.number, mage_name, [each.mage.name for each in fighting])
    view = _see(battle, mine, mage_name, draft="", changing=False)
    return view if with_orders else replace(view, hand=None)


def _see(
    battle: Battle, mine: list[Combatant], mage_name: str | None, *, draft: str | None, changing: bool
) -> BattleView:
    viewer = Viewer.all_seeing() if battle.is_over else Viewer.of(*(each.mage.name for each in mine))
    state = read_battle_state(battle)
    sheets = {sheet.combatant_id: sheet for sheet in _open_sheets(battle)}
    hand = _take_in_hand(battle, state, mine, sheets, mage_name, draft=draft, changing=changing)
    seen = recall_events(battle, viewer)
    return BattleView(
        battle=BattleFacts.of(battle),
        terms=Terms.from_json(battle.terms),
        viewer=viewer,
        view=look(state, viewer),
        combatants=tuple(_row(each, sheets, mine) for each in _all_combatants(battle)),
        mine=tuple(mine),
        stage_key=key_of(battle),
        opened_at=_opened_at(battle),
        stories=tell_stories(seen, hand.combatant.mage.name if hand else None),
        casts=collect_casts(seen.events),
        causes=collect_causes(seen.events),
        hand=hand,
        changing=changing,
        journal=list_journal_for_anybody(battle),
        clocks=list_clocks(battle),
    )


def _open_sheets(battle: Battle) -> list[OrderSheet]:
    return list(OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True))


def _all_combatants(battle: Battle) -> list[Combatant]:
    return list(Combatant.objects.filter(battle=battle).select_related("mage__user").order_by("position"))


def _opened_at(battle: Battle) -> datetime.datetime | None:
    return Stage.objects.filter(battle=battle, closed_at__isnull=True).values_list("opened_at", flat=True).first()


def _row(combatant: Combatant, sheets: dict[int, OrderSheet], mine: list[Combatant]) -> CombatantRow:
    sheet = sheets.get(combatant.pk)
    return CombatantRow(
        name=combatant.mage.name,
        user=combatant.mage.user.username,
        mage_id=combatant.mage_id,
        standing=combatant.standing,
        asked=sheet is not None,
        ready=sheet is not None and sheet.ready,
        mine=any(combatant.pk == each.pk for each in mine),
    )


def _take_in_hand(
    battle: Battle,
    state: State,
    mine: list[Combatant],
    sheets: dict[int, OrderSheet],
    mage_name: str | None,
    *,
    draft: str | None,
    changing: bool,
) -> InHand | None:
    if not mine:
        return None
    combatant = _choose(mine, sheets, mage_name)
    sheet = sheets.get(combatant.pk)
    if sheet is None or sheet.via == OrderSheet.Via.CLOCK:  # nothing to order, or out of time
        return InHand(combatant, Sheet.from_lines([]), "", ready=False, asked=False)
    name = combatant.mage.name
    if draft is None:
        # While orders are ready, show them and not a draft that another page has saved since.
        draft = sheet.draft if changing or not sheet.ready else ""
    read = read_orders(state, name, draft) if draft else None
    shown = read.sheet if read else Sheet.from_lines(sheet.lines)
    questions = tuple(open_questions(state, name, shown))
    forbidden = find_forbidden(shown, questions, Terms.from_json(battle.terms)) if read else ()
    return InHand(
        combatant,
        shown,
        draft,
        ready=sheet.ready,
        asked=True,
        questions=questions,
        preview=preview(state, name, shown),
        repeated=_repeated(state, name),
        problems=(*read.problems, *forbidden) if read else (),
    )


def _repeated(state: State, name: str) -> dict[str, str] | None:
    """Return the gestures of a turn in which the mage has none to choose (FM-AMNESIA-2), else None.

    Also None while the turn waits for answers: another mage's orders, still secret, may have changed the gestures.
    """
    wizard = state.wizards[name]
    begun = state.stage == 0 and len(wizard.left) > len(state.columns)
    if not begun:
        return None
    return {half.hand(hand): made for half in wizard.halves for hand, made in zip(HANDS, half.gestures, strict=True)}


def _choose(mine: list[Combatant], sheets: dict[int, OrderSheet], mage_name: str | None) -> Combatant:
    if mage_name:
        for each in mine:
            if each.mage.name.lower() == mage_name.strip().lower():
                return each
    waiting = (each for each in mine if each.pk in sheets and not sheets[each.pk].ready)
    return next(waiting, mine[0])
