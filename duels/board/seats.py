"""The seats on the board, with strings, the squares of the turn in play, and the spells that each hand leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from accounts.arms.blazons import State, change_state
from duels.board.bar import PageState
from duels.board.columns import column_of_seq, list_made, list_shown, make_columns, read_hands
from duels.board.dangers import ShownDanger, are_many, find_victim, make_rows
from duels.board.links import replay_url
from duels.board.pads import Rows, ShownQuestion, list_vain, spell_cast_by, spells_to_choose
from duels.board.sides import Masterless, ShownBeing, Side, Sides, make_being, make_side
from duels.board.signs import HANDS, SECOND_HANDS, is_second, steps
from duels.board.spell_sheets import SheetMaker
from duels.board.story import turn_key
from duels.board.strings import (
    Bead,
    Completion,
    HandString,
    Lead,
    StringHint,
    idle_bead,
    made_bead,
    make_strings,
    my_bead,
    repeated_bead,
    veiled_bead,
)
from duels.names import listed
from duels.selectors.battle_view import BattleView
from rules_engine import MageView, MonsterView, Preview, get_ruleset, name_spell
from rules_engine.spells import Book

NEAR = 3


def make_sides(
    view: BattleView,
    state: PageState,
    rows: Rows,
    *,
    book: Book,
    rules: str,
    kept: Mapping[str, str],
    links: Mapping[str, str] | None = None,
) -> Sides:
    """Return the board. `kept` is the share of turns played on time, by mage; `links` are the links of turn labels, by
    default to their stories."""
    placed, drawn = column_of_seq(view), list_shown(view.view)
    made = list_made(view.view, drawn, placed)
    bots = {row.name for row in view.combatants if row.is_bot}
    arms = {row.name: row.arms for row in view.combatants}
    last = view.stories[-1] if view.stories and view.window.before is None else None
    points = last.points if last else {}
    ruleset, victim = get_ruleset(view.battle.ruleset, view.battle.edition), find_victim(view)
    if links is None:
        links = {story.label: f"#turn-{turn_key(story)}" for story in view.stories}
    sheets = SheetMaker(ruleset, links, _link_replays(view), _name_beings(view))
    sides = []
    for position, mage in enumerate(view.view.mages):
        you, fights = mage.name == view.me, mage.standing == "in" and not view.over
        going = book if fights else None
        quiet = you or going is None or bool(made)
        dangers = () if quiet else make_rows(view.view, ruleset, mage.name, victim)
        condition = _name_state(view, mage)
        now = _squares(view, mage, state, rows) if fights and not made else {}
        hands = read_hands(view, mage.name, placed)
        strings = make_strings(mage, view.view.columns, drawn, hands, going, now, yours=you, sheets=sheets)
        sides.append(
            make_side(
                _count_from_start(view, mage, position),
                position=position,
                state=condition,
                you=you,
                strings=tuple(
                    _add_hint(each, view, rows, dangers, condition, you=you, made=bool(made)) for each in strings
                ),
                dangers=dangers,
                beings=_beings(view, state, rows, mage.name, rules),
                kept=kept.get(mage.name, ""),
                rules=rules,
                arms=change_state(arms[mage.name], State.DEAD) if condition == "dead" else arms[mage.name],
                is_bot=mage.name in bots,
                was=points.get(mage.name),
            )
        )
    above, below = _seat(sides)
    return Sides(
        above=above,
        below=below,
        columns=make_columns(view.view.columns, drawn, links, None if view.over else view.view.label, made),
        masterless=_masterless(view, rows, rules),
        melee=len(sides) > 2,
        over=view.over,
        sealed=state == "sealed",
    )


def _count_from_start(view: BattleView, mage: MageView, position: int) -> MageView:
    """Count the hit points of a first duel from those at the start, which are its goal."""
    if not view.terms.lesson or mage.hp is None:
        return mage
    return replace(mage, max_hp=max(view.terms.hit_points[position], mage.hp))


def _name_beings(view: BattleView) -> dict[str, str]:
    names = [mage.name for mage in view.view.mages] + [monster.name for monster in view.view.monsters]
    return {name: _("you") if name == view.me else name for name in names}


def _link_replays(view: BattleView) -> dict[str, str]:
    """Return the addresses of the replays of turns, by label."""
    number = view.battle.number
    played = [turn for turn in view.turns if turn.resolved_at is not None or view.over]
    return {turn.label: replay_url(number, turn.seq) for turn in played} if number else {}


def _seat(sides: Sequence[Side]) -> tuple[tuple[Side, ...], Side]:
    """Seat everyone else above, always in the same order; the viewer (or for a spectator the last mage) below."""
    below = next((side for side in sides if side.you), sides[-1])
    return tuple(side for side in sides if side is not below), below


def _name_state(view: BattleView, mage: MageView) -> str:
    if mage.standing != "in":
        return mage.standing if mage.standing in ("dead", "surrendered", "absent", "victorious") else ""
    row = next((each for each in view.combatants if each.name == mage.name), None)
    if view.over or mage.name == view.me or row is None or not row.asked:
        return ""
    return "ready" if row.ready else "thinking"


def _squares(view: BattleView, mage: MageView, state: PageState, rows: Rows) -> dict[str, Bead]:
    """Return the squares of a mage in the turn in play, by hand: the viewer's own choices, all others veiled."""
    own = view.own
    if own is None or mage.name != view.me:
        return {each: veiled_bead(view.view.label) for each in _moving(mage)}
    if view.stage_key.stage:
        return {each: made_bead() for each in _moving(mage)}
    if not own.asked:
        return {each: idle_bead() for each in HANDS}
    if view.repeated:
        return {each: repeated_bead(each, letter) for each, letter in view.repeated.items()}
    chosen = gestures_of(view)
    asked = {q.id for q in view.questions if q.kind == "gesture"}
    moving = [*HANDS, *(each for each in SECOND_HANDS if each in asked or each in chosen)]
    sealed = state in ("sealed", "watch")
    return {
        each: my_bead(
            each,
            chosen.get(each),
            _name_spell(each, view.preview, rows),
            sealed,
            vain=not sealed and bool(list_vain(each, view.preview)),
        )
        for each in moving
    }


def _moving(mage: MageView) -> tuple[str, ...]:
    """Return the hands of the turn; both twice if the viewer sees that the mage plays two pairs of gestures."""
    return (*HANDS, *SECOND_HANDS) if mage.pairs == 2 else HANDS


def _name_spell(hand: str, preview: Preview | None, rows: Rows) -> str:
    cast = spell_cast_by(hand, preview) if preview else ""
    return name_spell(cast) if cast else listed(spells_to_choose(hand, rows), "or")


def gestures_of(view: BattleView) -> dict[str, str]:
    """Return the gesture of each hand on the current sheet."""
    gestures = {q.id: q.answered for q in view.questions if q.kind == "gesture" and q.answered}
    for hand in (*HANDS, *SECOND_HANDS):
        gesture = view.sheet.get(hand) if view.sheet else None
        if gesture and hand not in gestures:
            gestures[hand] = gesture
    return gestures


def _add_hint(
    string: HandString,
    view: BattleView,
    rows: Rows,
    dangers: Sequence[ShownDanger],
    state: str,
    *,
    you: bool,
    made: bool,
) -> HandString:
    """Add a hint to the string: for the viewer's own from the current sheet, for others from what was seen.

    `made`: this turn's gestures are shown, so that a hand that completes no spell has nothing to come in it.
    """
    if you:
        preview = view.preview
        if preview is None:
            return string
        return replace(string, now_hint=string.hand, hint=_my_hint(string.hand, preview, rows, made=made))
    if are_many(dangers) and len(view.view.mages) == 2:
        return string  # they are listed below the mage's name; a lane shows the worst of each hand
    here = tuple(each for each in dangers if each.slot == string.hand)
    if here:
        return replace(string, hint=StringHint(dangers=here))
    if not view.over and not made and state in ("thinking", "ready"):
        return replace(string, hint=StringHint(quiet=_("nothing now")))
    return string


def _my_hint(hand: str, preview: Preview, rows: Rows, *, made: bool) -> StringHint:
    spell = spell_cast_by(hand, preview)
    if spell and list_vain(hand, preview):
        return StringHint((Completion(spell),), quiet=_("does nothing as things stand"))
    if spell:
        target = rows.get(f"TARGET {hand}") or rows.get(f"TARGET {'BH2' if is_second(hand) else 'BH'}")
        on = next((each.label for each in target.options if each.selected), "") if target else ""
        return StringHint((Completion(spell, on=on),))
    choosing = spells_to_choose(hand, rows)
    if choosing:
        return StringHint(tuple(Completion(name) for name in choosing), quiet=_("choose which"))
    coming = sorted((b for b in preview.becomes.get(hand, ()) if 1 <= b.more <= NEAR), key=lambda b: b.more)
    if coming:
        return StringHint(leads=Lead(coming[0].spell, coming[0].more, steps(coming[0].rest)))
    return StringHint(quiet="" if made else _("no spell yet"))


def _beings(view: BattleView, state: PageState, rows: Rows, owner: str, rules: str) -> tuple[ShownBeing, ...]:
    return tuple(
        make_being(monster, _ask_monster(rows, monster) if state != "sealed" else None, rules, view.me)
        for monster in view.view.monsters
        if monster.controller == owner
    )


def _ask_monster(rows: Rows, monster: MonsterView) -> ShownQuestion | None:
    return rows.get(f"TARGET {monster.name}")


def _masterless(view: BattleView, rows: Rows, rules: str) -> Masterless | None:
    names = {mage.name for mage in view.view.mages}
    stray = [monster for monster in view.view.monsters if monster.controller not in names]
    beings = tuple(make_being(each, _ask_monster(rows, each), rules, view.me) for each in stray)
    return Masterless(beings) if beings else None
