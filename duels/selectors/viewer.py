"""Fetching a battle for whoever looks at it. Permission is in the names: there is no way around them."""

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
from rules_engine import Sheet, State, Viewer, look, open_questions, preview, read_orders
from rules_engine.gestures import HANDS

Anyone = User | AnonymousUser | None


def find_battle(*, number: int) -> Battle:
    """Return the battle row (secrets and all: never show it). Raises BattleNotFound."""
    battle = Battle.objects.filter(number=number).first()
    if battle is None:
        raise BattleNotFound(number)
    return battle


def get_combatant_for_user(*, number: int, user: Anyone, mage_name: str | None = None) -> Combatant:
    """Return the mage of `user` in battle `number`: the one called `mage_name`, else the one who is waited for.

    With several and no name it is the first that the battle waits for, or the first at all. Raises BattleNotFound,
    and NotYourCombatant for a mage that is somebody else's or not there, in the same words.
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
    """The mages of `user` in the battle, in its order."""
    if user is None or not user.is_authenticated or not user.is_active:
        return []
    own = Combatant.objects.filter(battle=battle, mage__user_id=user.pk)
    return list(own.select_related("mage__user").order_by("position"))


def get_viewer(battle: Battle, user: Anyone) -> Viewer:
    """What `user` may see of the battle while it lasts: what his mages do, or as a spectator what they all do."""
    return Viewer.of(*(each.mage.name for each in list_own_combatants(battle, user)))


def get_battle_for_viewer(
    *, number: int, user: Anyone, mage_name: str | None = None, draft: str | None = None, changing: bool = False
) -> BattleView:
    """Return battle `number` as `user` may see it; everything once it is over.

    `mage_name` says which of his mages he has in hand (one that is not his is passed over), `draft` replaces the kept
    draft (to look at orders that were refused, or not sent yet; with "" it is the sheet that counts), `changing` opens
    ready orders for a change. Raises BattleNotFound.
    """
    battle = find_battle(number=number)
    mine = list_own_combatants(battle, user)
    view = _see(battle, mine, mage_name, draft=draft, changing=changing)
    view = replace(view, zone=zone_of(user))
    return replace(view, question=find_question_to(battle, mine[0].mage.user)) if mine else view


def get_battle_through_eyes(*, battle: Battle, mage_name: str, with_orders: bool) -> BattleView:
    """Return the battle as that mage alone sees it, for a janitor: with his pending orders or as if he had none.

    For fm_site.moderation.services.battles alone, which enters every look in the book. Raises NotYourCombatant,
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
    if sheet is None or sheet.via == OrderSheet.Via.CLOCK:  # nothing is asked of who has let his time pass
        return InHand(combatant, Sheet.from_lines([]), "", ready=False, asked=False)
    name = combatant.mage.name
    if draft is None:
        # What is sealed is what counts, whatever another page has drafted since.
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
    """The gestures that the turn begins with, where its mage has none to choose (FM-AMNESIA-2).

    Never those of a turn that waits for answers: another's orders, secret still, may have changed them.
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
