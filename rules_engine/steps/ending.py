"""The end of a turn: ceilings, deaths, surrenders, and the end of the battle (FM-WIN, FM-SURR; engine 5.1, 7)."""

from __future__ import annotations

from typing import Final

from rules_engine import outcome as reasons
from rules_engine.beings import ABSENT, DEAD, EMPTY, GONE, NOBODY, ORDERS, OUT, VICTORIOUS, Wizard
from rules_engine.events import Event
from rules_engine.gestures import NOTHING
from rules_engine.occasions import PALMS, SPELLS, STABS, WORDS, needs
from rules_engine.orders import Sheet
from rules_engine.outcome import Outcome
from rules_engine.steps.casting import destroy
from rules_engine.steps.results import cut_to_most
from rules_engine.steps.taking_orders import KEEP_FROM_SURRENDER
from rules_engine.turn import Turn

# The ends for which the clock alone is the cause.
_BY_CLOCK: Final = (reasons.FORFEIT, reasons.ALL_FORFEIT, reasons.CALLED_OFF)
# Events that may be the cause of a death, and the fact that names the being.
_WOUNDS: Final = {
    "hurt": "who",
    "strikes": "target",
    "stabs": "target",
    "drops_dead": "who",
    "succumbs": "who",
    "dispelled_monster": "who",
    "times_out": "who",
    "stops_heart": "who",
}


def _wounds_of(turn: Turn, name: str) -> tuple[int, ...]:
    """Return the events of this turn that caused a being's death."""
    return tuple(turn.first + at for at, event in enumerate(turn.events) if _wounds(event, name))


def _wounds(event: Event, name: str) -> bool:
    facts = event.facts
    if event.kind == "spell":
        return facts["outcome"] == "destroys" and facts["target"] == name
    victim = _WOUNDS.get(event.kind)
    # A stab of stopped time has no points: the event after it, which names nobody, does.
    return victim is not None and facts[victim] == name and facts.get("points", 0) is not None


@needs(SPELLS)
def bury_monsters(turn: Turn) -> None:
    """Cut hit points to each being's maximum; monsters without any die (spec: engine 5.1, 11)."""
    for name in turn.hits:  # only a cure can have lifted a being above its maximum
        being = turn.state.being(name)
        if being is not None and being.hp > being.max_hp and turn.state.is_live(name):
            cut_to_most(turn, being)
    if not turn.state.monsters:
        return
    for monster in [monster for monster in turn.state.monsters.values() if monster.hp <= 0]:
        because = _wounds_of(turn, monster.name)
        turn.report_about(monster.name, "monster_dies", "FM-WIN-6", because=because, who=monster.name)
        destroy(turn, monster.name)


@needs(WORDS)
def end_own_lives(turn: Turn) -> None:
    """Let the mages who ordered it die, after everything else in the turn (rulings)."""
    for wizard in turn.moving:
        if wizard.decisions.get("SUICIDE") and wizard.hp > 0:
            wizard.hp = 0
            marks = [turn.state.ruleset.spells[name].mark for name in KEEP_FROM_SURRENDER]
            because = tuple(key for mark in marks for key in wizard.origins.get(mark, ()))
            turn.announce("stops_heart", "WL-ENCH-39", because=because, who=wizard.name)


@needs(PALMS)
def notice_surrenders(turn: Turn) -> None:
    """Two palms at once are a surrender, even if an enchantment caused them (FM-SURR-1)."""
    for wizard in turn.moving:
        if _shows_two_palms(wizard):
            turn.report_about(wizard.name, "surrenders", "FM-SURR-1", who=wizard.name)
            turn.record_source(_palms_of(wizard.name))
            wizard.surrendered = True


def _palms_of(name: str) -> str:
    return f"{name} surrenders"


def _shows_two_palms(wizard: Wizard) -> bool:
    if wizard.again is not None and wizard.again.gestures == ("P", "P"):
        return True
    return wizard.left[-1] == "P" == wizard.right[-1]


@needs(PALMS | STABS | SPELLS)
def judge(turn: Turn) -> None:
    """Process deaths, then surrenders, then see who is left (spec: engine 7.1, 7.2)."""
    state = turn.state
    for wizard in turn.mages:
        if (wizard.hp <= 0 or wizard.surrendered) and wizard.name not in state.out:
            break
    else:
        if len(state.wizards) - len(state.out) > 1:
            return
    present = [state.wizards[name] for name in state.still_in]
    alive = [w for w in present if w.hp > 0]
    if len(alive) == 1 and turn.rules.last_to_surrender_wins:
        alive[0].surrendered = False
    kicking = [w for w in alive if not w.surrendered]
    for wizard in present:
        if wizard.hp <= 0:
            leave(turn, wizard, DEAD)
        elif wizard.surrendered:
            leave(turn, wizard, OUT)
    given_up = tuple(w.name for w in alive if w.surrendered)
    if not alive:
        end_battle(turn, (), reasons.ALL_DEAD)
    elif len(alive) == 1:
        if kicking:
            end_battle(turn, (alive[0].name,), reasons.KILL)
        else:
            end_battle(turn, (), reasons.SURRENDERED_LAST)
    elif not kicking:
        sharing = given_up if state.kind == "melee" and turn.rules.common_surrender_is_shared else ()
        won = turn.rules.common_surrender_is_won
        end_battle(turn, sharing if won else (), reasons.ALL_SURRENDERED, sharing=() if won else sharing)
    else:
        turn.penalties = given_up
        if len(kicking) == 1:
            end_battle(turn, (kicking[0].name,), reasons.SURRENDER)


def leave(turn: Turn, wizard: Wizard, phase: str) -> None:
    """Take a mage out of the battle, with every enchantment removed (FM-SURR-9)."""
    turn.state.out = [*turn.state.out, wizard.name]
    wizard.phase = phase
    wizard.strip()
    wizard.marks.clear()
    wizard.controller = NOBODY
    wizard.begun = wizard.reached = turn.state.ruleset.book.start
    wizard.spells = wizard.offers = EMPTY
    turn.look_around()
    if turn.rules.creatures_rest_without_master:
        for monster in turn.state.monsters.values():
            if monster.controller == wizard.name:
                monster.target = NOBODY
    if turn.state.kind == "melee" and phase != ABSENT:
        _report_who_left(turn, wizard, dead=phase == DEAD)


def _report_who_left(turn: Turn, wizard: Wizard, *, dead: bool) -> None:
    name = wizard.name
    if dead:
        turn.announce("mage_dies", "FM-WIN-1", because=_wounds_of(turn, name), who=name)
    else:
        turn.announce("mage_leaves", "FM-SURR-10", because=turn.sources.get(_palms_of(name), ()), who=name)
    turn.record_mark(wizard, GONE)


def end_battle(turn: Turn, winners: tuple[str, ...], reason: str, sharing: tuple[str, ...] = ()) -> None:
    """End the battle: who won or shares the points of a draw, why, and the fate of the others."""
    state = turn.state
    wizards = state.wizards.values()
    for name in winners:
        state.wizards[name].phase = VICTORIOUS
    state.outcome = Outcome(
        state.kind,
        winners,
        reason,
        tuple(w.name for w in wizards if w.hp <= 0),
        tuple(w.name for w in wizards if w.phase == OUT),
        sharing,
        tuple(w.name for w in wizards if w.phase == ABSENT),
    )
    clause = "FM-SLOW-5" if reason in _BY_CLOCK else "FM-WIN-2" if winners else "FM-WIN-5"
    for name in state.out:
        if state.kind == "duel" and state.wizards[name].phase != ABSENT:
            _report_who_left(turn, state.wizards[name], dead=state.wizards[name].hp <= 0)
    because = tuple(key for name in state.out for key in state.wizards[name].origins.get(GONE, ()))
    turn.announce("battle_ends", clause, because=because, reason=reason, winners=", ".join(winners))


def drop_late_mages(turn: Turn, sheets: dict[str, Sheet]) -> bool:
    """Let the mages who never gave an order leave, then those from whom the others claimed the battle, and then every
    mage die whose sheet is a forfeit.

    True if the battle has ended, which needs nobody's orders. If the absent leave nobody to fight with, it is called
    off, and nobody dies. Otherwise a single mage left wins at once, and if none is left nobody wins.
    """
    for wizard in turn.mages:
        sheet = sheets.get(wizard.name)
        if sheet is not None and sheet.is_by_clock:
            break
    else:
        return False
    state = turn.state
    owing = [(w, sheets[w.name]) for w in state.wizards.values() if w.owes_orders and w.name in sheets]
    absent = [wizard for wizard, sheet in owing if sheet.is_absent]
    claimed = [wizard for wizard, sheet in owing if sheet.is_claimed]
    late = [wizard for wizard, sheet in owing if sheet.forfeits]
    for wizard in absent:
        turn.announce("never_moves", "FM-SLOW-6", who=wizard.name)
        _drop(turn, wizard, ABSENT)
        turn.record_mark(wizard, GONE)
    if absent and len(state.still_in) < 2:
        turn.drop_movers([])
        end_battle(turn, (), reasons.CALLED_OFF)
        return True
    for wizard in claimed:
        turn.announce("is_claimed", "FM-SLOW-7", who=wizard.name)
    for wizard in late:
        turn.announce("times_out", "FM-SLOW-6", who=wizard.name)
    for wizard in claimed:
        _drop(turn, wizard, OUT)
    for wizard in late:
        wizard.hp = 0
        _drop(turn, wizard, DEAD)
    left = state.still_in
    turn.drop_movers([] if len(left) < 2 else left)
    if not left:
        end_battle(turn, (), reasons.ALL_FORFEIT)
    elif len(left) == 1:
        end_battle(turn, (left[0],), reasons.FORFEIT if late else reasons.SURRENDER)
    return len(left) < 2


def _drop(turn: Turn, wizard: Wizard, phase: str) -> None:
    if wizard.phase == ORDERS:  # the others add a column, and every string has the same length
        wizard.left += NOTHING
        wizard.right += NOTHING
    wizard.again = None
    wizard.forget_orders()
    leave(turn, wizard, phase)
