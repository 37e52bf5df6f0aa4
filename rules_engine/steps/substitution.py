"""Gestures that an enchantment changes once all orders are in (FM-CONF, FM-PARA, FM-CHARMP; spec: engine 3)."""

from __future__ import annotations

from rules_engine.beings import CHOOSE_SPELL, CHOOSE_TARGET, EMPTY, HELD, READY, Wizard
from rules_engine.gestures import BOTH, BREAK, FRIGHTENED, HANDS, LEFT, NOTHING, RIGHT, STAB, WAITED
from rules_engine.occasions import LASTING, needs
from rules_engine.steps.taking_orders import (
    find_spells,
    follow_first_pair,
    settle_spells,
    settle_unasked,
    wait_for_both,
)
from rules_engine.turn import Turn


@needs(LASTING)
def substitute_gestures(turn: Turn) -> bool:
    """Apply Confusion, then Paralysis, then Charm Person, mage by mage. True if someone has a new choice to make."""
    state = turn.state
    if state.substituted:
        return False
    wizards = turn.moving
    for wizard in wizards:
        if wizard.marks or wizard.stuck or wizard.directed:
            break
    else:
        return False
    changed = {wizard.name: change_hands(turn, wizard) for wizard in wizards}
    for wizard in wizards:
        if changed[wizard.name]:
            look_again(turn, wizard, changed[wizard.name])
        if wizard.again is not None:
            change_second_pair(turn, wizard, wizard.again, bool(changed[wizard.name]))
    asked = [wizard for wizard in wizards if wizard.phase != READY]
    if asked:
        kinds = {wizard.phase for wizard in asked}
        turn.announce(
            "new_choice",
            "FM-ORDMOVE-23",
            spells=CHOOSE_SPELL in kinds,
            targets=CHOOSE_TARGET in kinds,
        )
    return bool(asked)


def change_second_pair(turn: Turn, wizard: Wizard, again: Wizard, first_changed: bool) -> None:
    """Apply the enchantments of a mage's hands to the second pair of gestures too (rulings)."""
    left, right = again.gestures
    follow_first_pair(wizard, again)
    again.left, again.right = again.left + left, again.right + right
    again.bear(wizard)
    changed = change_hands(turn, again)
    if first_changed or changed:
        look_again(turn, again, list(HANDS) if first_changed else changed)
    wait_for_both(wizard, again)


def change_hands(turn: Turn, wizard: Wizard) -> list[str]:
    """Substitute one mage's gestures; returns the hands that no longer play what was ordered."""
    if not (wizard.marks or wizard.stuck or wizard.directed):
        return []
    changed: set[str] = set()
    if "confused" in wizard.marks:
        confuse(turn, wizard, changed)
    if "maladroit" in wizard.marks:
        replace(wizard, LEFT, wizard.right[-1], "maladroit", changed)
    if "afraid" in wizard.marks and turn.rules.fear_makes is not None:
        frighten(wizard, turn.rules.fear_makes, changed)
    if "paralysed" in wizard.marks:
        settle_held_hand(turn, wizard)
    if not (wizard.stuck or wizard.directed):
        return [hand for hand in (RIGHT, LEFT) if hand in changed]
    for hand in (RIGHT, LEFT):
        if hand in wizard.stuck:
            last = before(wizard, hand, blanked=turn.rules.anti_spell_blanks_memory)
            held = turn.rules.paralysis.get(last, last)
            replace(wizard, hand, held, "paralysed", changed)
        if wizard.directed.get(hand):
            replace(wizard, hand, wizard.directed[hand], "charmed", changed)
    return [hand for hand in (RIGHT, LEFT) if hand in changed]


def frighten(wizard: Wizard, makes: str, changed: set[str]) -> None:
    """Replace gestures that Fear forbids (WL-ENCH-14)."""
    for hand, gesture in zip(HANDS, wizard.gestures, strict=True):
        if gesture in FRIGHTENED:
            replace(wizard, hand, makes, "afraid", changed)


def settle_held_hand(turn: Turn, wizard: Wizard) -> None:
    """Pick the held hand if its holder has not (FM-PARA-11); none, if the holder must act this turn and does not."""
    rules = turn.rules
    if rules.held_hand_is_its_casters and wizard.paralyser not in turn.movers:
        wizard.stuck = EMPTY
    elif not wizard.stuck and (wizard.marks["paralysed"] > 0 or rules.held_hand_is_its_casters):
        hand = turn.dice.pick("paralysed hand", wizard.name, HANDS)
        wizard.stuck = {**wizard.stuck, hand: HELD}
        because = wizard.origins.get("paralysed", ())
        turn.report_about(wizard.name, "hand_stuck", "FM-PARA-11", because=because, who=wizard.name, hand=hand)


def confuse(turn: Turn, wizard: Wizard, changed: set[str]) -> None:
    """Make a random hand play a random spell gesture (FM-CONF-3)."""
    if wizard.habit and wizard.marks["confused"] < 0:
        ((hand, gesture),) = wizard.habit.items()
    else:
        again = " again" if wizard.second else ""
        hand = turn.dice.pick(f"confused hand{again}", wizard.name, HANDS)
        gesture = turn.dice.pick(f"confused gesture{again}", wizard.name, turn.rules.confusion_makes)
        wizard.habit = {hand: gesture} if turn.rules.confusion_keeps_its_first else EMPTY
    replace(wizard, hand, gesture, "confused", changed)


def replace(wizard: Wizard, hand: str, gesture: str, cause: str, changed: set[str]) -> None:
    """Make a hand play `gesture`; if it already does, the enchantment makes no difference."""
    shown = wizard.left[-1] if hand == LEFT else wizard.right[-1]
    wizard.forced = {**wizard.forced, hand: (cause, shown == gesture)}
    if shown == gesture:
        return
    changed.add(hand)
    if hand == LEFT:
        wizard.left = wizard.left[:-1] + gesture
    else:
        wizard.right = wizard.right[:-1] + gesture


def before(wizard: Wizard, hand: str, *, blanked: bool) -> str:
    """Return the last gesture of a hand before this column, even if extra turns of others lie between.

    A cut may lie between too or, if `blanked`, counts as the last gesture: a blank.
    """
    history = wizard.left if hand == LEFT else wizard.right
    for gesture in reversed(history[:-1]):
        if gesture == BREAK and blanked:
            return NOTHING
        if gesture not in (WAITED, BREAK):
            return gesture
    return history[0]


def look_again(turn: Turn, wizard: Wizard, changed: list[str]) -> None:
    """Find the spells that the changed gestures complete, and ask the mage if there is something new to decide."""
    found = dict(find_spells(wizard))
    old = {hand: wizard.spells.get(hand) for hand in (LEFT, RIGHT, BOTH)}
    for hand in HANDS:
        if hand not in changed and not turn.rules.choice_has_default:
            found[hand] = keep_offer(turn, found, hand, old)
    settle_spells(wizard, found)
    if turn.rules.choice_has_default:
        settle_unasked(turn.state.ruleset, wizard, turn.sheets.get(wizard.name))
        return
    if wizard.phase == CHOOSE_SPELL:
        return
    now = {hand: wizard.spells.get(hand) for hand in (LEFT, RIGHT, BOTH)}
    new_spell = now != old and any(now.values())
    shown = {LEFT: wizard.left[-1], RIGHT: wizard.right[-1]}
    if new_spell or any(shown[hand] == STAB for hand in changed):
        wizard.phase = CHOOSE_TARGET


def keep_offer(turn: Turn, found: dict[str, tuple[str, ...]], hand: str, old: dict[str, str | None]) -> tuple[str, ...]:
    """Return the spell that an unchanged hand still casts: the one settled for it.

    If a two-handed spell took its place and is now broken, the hand's own spell is offered again; the original server
    lost it (spec: engine 11, B4).
    """
    settled = old[hand]
    if settled is not None:
        return (settled,)
    if old[BOTH] is not None and turn.rules.broken_pair_frees_hands:
        return found[hand]
    return ()
