"""Read a battle for a viewer. Each function name states the permission, and there is no other way in."""

import datetime
from dataclasses import replace

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.selectors.names import was_guest
from duels.errors import BattleNotFound, NotYourCombatant
from duels.models import Battle, Combatant, OrderSheet, Stage
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_rows import (
    read_battle_state,
    read_fighting,
    read_open_sheets,
    read_own_combatants,
)
from duels.selectors.battle_view import EVERYTHING, BattleView, OwnCombatant, ShownCombatant, ShownTurn, Window
from duels.selectors.clocks import BattleClocks, describe_clocks, list_clocks, read_time_rows
from duels.selectors.draws import DrawChoice, read_draw_choice
from duels.selectors.journal import find_question_to, list_journal_for_anyone
from duels.selectors.stage_keys import key_of
from duels.selectors.stories import NarratedTurn, join_casts, list_turns, narrate_turns
from duels.sheet_change import find_forbidden
from duels.terms import Terms
from notifications.selectors.notices import zone_of
from rules_engine import (
    HANDS,
    Option,
    Question,
    Sheet,
    State,
    Viewer,
    find_summoning_hands,
    look,
    open_questions,
    preview,
    read_orders,
)

MaybeUser = User | AnonymousUser | None


def find_battle(*, number: int) -> Battle:
    """Return the battle row, including secrets: never show it. Raises BattleNotFound."""
    battle = Battle.objects.filter(number=number).first()
    if battle is None:
        raise BattleNotFound(number)
    return battle


def get_combatant_for_user(*, number: int, user: MaybeUser, mage_name: str | None = None) -> Combatant:
    """Return the mage of `user` in battle `number`: the one called `mage_name`, or the one the battle is waiting for.

    Without a name, or with an empty one, the first one the battle is waiting for wins, else the first one. Raises
    BattleNotFound, and NotYourCombatant, with the same text for someone else's mage and for one that is not there.
    """
    mage_name = (mage_name or "").strip() or None
    mine = _list_own_combatants(number, user)
    if not mine:
        find_battle(number=number)
    named = [row for row in mine if mage_name is None or row.mage.name.lower() == mage_name.lower()]
    if not named and len(mine) == 1 and isinstance(user, User) and was_guest(user, mage_name or ""):
        return mine[0]
    if not named:
        raise NotYourCombatant(number, mage_name, [row.mage.name for row in mine])
    if len(named) == 1:
        return named[0]
    waited_for = set(
        OrderSheet.objects.filter(
            stage__battle__number=number, stage__closed_at__isnull=True, ready=False, combatant__in=named
        ).values_list("combatant_id", flat=True)
    )
    return next((row for row in named if row.pk in waited_for), named[0])


def list_own_combatants(battle: Battle, user: MaybeUser) -> list[Combatant]:
    """Return the mages of `user` in the battle, in its order."""
    return _list_own_combatants(battle.number, user)


def _list_own_combatants(number: int, user: MaybeUser) -> list[Combatant]:
    if user is None or not user.is_authenticated or not user.is_active:
        return []
    own = read_own_combatants(user=user.pk, number=number)
    for combatant in own:
        combatant.mage.user = user  # saves a query
    return own


def get_viewer(battle: Battle, user: MaybeUser) -> Viewer:
    """Return the viewer for `user` while the battle runs: they see what their mages see, spectators what all mages
    see."""
    return Viewer.of(*(combatant.mage.name for combatant in list_own_combatants(battle, user)))


def get_battle_for_viewer(
    *,
    number: int,
    user: MaybeUser,
    mage_name: str | None = None,
    draft: str | None = None,
    changing: bool = False,
    window: Window = EVERYTHING,
) -> BattleView:
    """Return battle `number` as `user` may see it; after the end, everything. `window` says which turns to narrate.

    `mage_name` chooses the viewer's current mage (someone else's is ignored). `draft` replaces the saved draft, to show
    orders that were rejected or not sent yet; "" shows the sheet that counts. `changing` opens ready orders for
    changes. Raises BattleNotFound.
    """
    battle = find_battle(number=number)
    fighting = read_fighting(battles=[battle.pk])
    mine = [combatant for combatant in fighting if is_own_combatant(combatant, user)]
    view = _build_view(battle, fighting, mine, mage_name, draft=draft, changing=changing, window=window)
    view = replace(view, zone=zone_of(user))
    is_asked = bool(mine) and any(note.kind == "asked" for note in view.journal)
    return replace(view, question=find_question_to(battle, mine[0].mage.user)) if is_asked else view


def read_battle_clocks(view: BattleView, *, now: datetime.datetime) -> BattleClocks:
    """Return time in the battle as the viewer may know it, with their options."""
    mine = view.own.combatant if view.own else None
    return describe_clocks(terms=view.terms, rows=view.time_rows, combatant=mine, is_over=view.over, now=now)


def read_view_draw(view: BattleView) -> DrawChoice | None:
    """Return what the viewer can do about a draw; None for spectators, and where nobody can agree on one."""
    rows = view.time_rows
    return read_draw_choice(rows.battle, rows.fighting, view.own.combatant) if view.own else None


def is_own_combatant(combatant: Combatant, user: MaybeUser) -> bool:
    return user is not None and user.is_authenticated and user.is_active and combatant.mage.user_id == user.pk


def get_battle_through_eyes(*, battle: Battle, mage_name: str, with_orders: bool) -> BattleView:
    """Return the battle as only that mage sees it, for a janitor, with or without the mage's pending orders.

    Only for moderation.services.battles, which logs every look in the journal. Raises NotYourCombatant,
    UnreadableBattle.
    """
    fighting = read_fighting(battles=[battle.pk])
    mine = [combatant for combatant in fighting if combatant.mage.name.lower() == mage_name.strip().lower()]
    if not mine:
        raise NotYourCombatant(battle.number, mage_name, [combatant.mage.name for combatant in fighting])
    view = _build_view(battle, fighting, mine, mage_name, draft="", changing=False, window=EVERYTHING)
    return view if with_orders else replace(view, own=None)


def _build_view(
    battle: Battle,
    fighting: list[Combatant],
    mine: list[Combatant],
    mage_name: str | None,
    *,
    draft: str | None,
    changing: bool,
    window: Window,
) -> BattleView:
    facts = BattleFacts.of(battle)
    viewer = Viewer.all_seeing() if battle.is_over else Viewer.of(*(each.mage.name for each in mine))
    state = read_battle_state(battle)
    open_sheets = [] if battle.is_over else read_open_sheets(battles=[battle.pk])
    time_rows = read_time_rows(battle, fighting, open_sheets)
    sheets = {sheet.combatant_id: sheet for sheet in open_sheets}
    own = _read_own_combatant(battle, state, mine, sheets, mage_name, draft=draft, changing=changing)
    turns = list_turns(battle) if window.latest != 0 else ()
    chosen, latest = _narrate(battle, viewer, own, turns, window)
    return BattleView(
        battle=facts,
        terms=Terms.from_json(battle.terms),
        viewer=viewer,
        view=look(state, viewer),
        combatants=tuple(ShownCombatant.of(row, sheets.get(row.pk), mine=row in mine) for row in fighting),
        mine=tuple(mine),
        stage_key=key_of(battle),
        opened_at=open_sheets[0].stage.opened_at if open_sheets else _opened_at(battle),
        stories=tuple(turn.story for turn in chosen if turn.story is not None),
        turns=turns,
        window=window,
        casts=join_casts(turn.casts for turn in latest),
        results=join_casts(turn.results for turn in latest),
        causes=join_casts(turn.causes for turn in latest),
        own=own,
        changing=changing,
        journal=list_journal_for_anyone(battle),
        clocks=list_clocks(time_rows) if facts.is_timed else (),
        time_rows=time_rows,
    )


def _narrate(
    battle: Battle, viewer: Viewer, own: OwnCombatant | None, turns: tuple[ShownTurn, ...], window: Window
) -> tuple[list[NarratedTurn], list[NarratedTurn]]:
    """Return the turns of the window, and the latest ones, which the page needs even if the window ends before them."""
    chosen, latest = _choose_turns(turns, window), _choose_turns(turns, Window(window.latest))
    wanted = list(dict.fromkeys((*chosen, *latest)))
    mage = own.combatant.mage.name if own else None
    narrated = dict(zip(wanted, narrate_turns(battle, viewer, mage, turns, wanted), strict=True))
    return [narrated[turn] for turn in chosen], [narrated[turn] for turn in latest]


def _choose_turns(turns: tuple[ShownTurn, ...], window: Window) -> tuple[ShownTurn, ...]:
    known = turns if window.before is None else tuple(turn for turn in turns if turn.seq < window.before)
    return known if window.latest is None else known[max(0, len(known) - window.latest) :]


def _opened_at(battle: Battle) -> datetime.datetime | None:
    if battle.is_over:
        return None
    return Stage.objects.filter(battle=battle, closed_at__isnull=True).values_list("opened_at", flat=True).first()


def _read_own_combatant(
    battle: Battle,
    state: State,
    mine: list[Combatant],
    sheets: dict[int, OrderSheet],
    mage_name: str | None,
    *,
    draft: str | None,
    changing: bool,
) -> OwnCombatant | None:
    if not mine:
        return None
    combatant = _choose_combatant(mine, sheets, mage_name)
    sheet = sheets.get(combatant.pk)
    if sheet is None or sheet.via == OrderSheet.Via.CLOCK:  # nothing to order, or out of time
        return OwnCombatant(combatant, Sheet.from_lines([]), "", ready=False, asked=False)
    name = combatant.mage.name
    if draft is None:
        # While orders are ready, show them and not a draft that another page has saved since.
        draft = sheet.draft if changing or not sheet.ready else ""
    read = read_orders(state, name, draft) if draft else None
    shown = read.sheet if read else Sheet.from_lines(sheet.lines)
    questions = tuple(open_questions(state, name, shown))
    forbidden = find_forbidden(shown, questions, Terms.from_json(battle.terms)) if read else ()
    return OwnCombatant(
        combatant,
        shown,
        draft,
        ready=sheet.ready,
        asked=True,
        questions=_leave_out_idle_hands(questions, state, name),
        preview=preview(state, name, shown),
        repeated=_find_repeated_gestures(state, name),
        problems=(*read.problems, *forbidden) if read else (),
    )


def _leave_out_idle_hands(questions: tuple[Question, ...], state: State, name: str) -> tuple[Question, ...]:
    """Return the questions without the targets that cannot come to be, as far as the mage can know: creatures of hands
    that complete no summons. Orders may name them all the same."""
    view = look(state, Viewer.of(name))
    able = {f"{hand}:{mage}" for mage in state.still_in for hand in find_summoning_hands(view, mage)}

    def keeps(option: Option, question: Question) -> bool:
        return ":" not in option.value or option.value in (*able, question.answered, question.default)

    return tuple(
        replace(each, options=tuple(option for option in each.options if keeps(option, each))) for each in questions
    )


def _find_repeated_gestures(state: State, name: str) -> dict[str, str] | None:
    """Return the gestures of a turn in which the mage has none to choose (FM-AMNESIA-2), else None.

    Also None while the turn waits for answers: another mage's orders, still secret, may have changed the gestures.
    """
    wizard = state.wizards[name]
    are_known = state.stage == 0 and len(wizard.left) > len(state.columns)
    if not are_known:
        return None
    return {
        half.hand(hand): gesture for half in wizard.halves for hand, gesture in zip(HANDS, half.gestures, strict=True)
    }


def _choose_combatant(mine: list[Combatant], sheets: dict[int, OrderSheet], mage_name: str | None) -> Combatant:
    if mage_name:
        for combatant in mine:
            if combatant.mage.name.lower() == mage_name.strip().lower():
                return combatant
    waiting = (combatant for combatant in mine if combatant.pk in sheets and not sheets[combatant.pk].ready)
    return next(waiting, mine[0])
