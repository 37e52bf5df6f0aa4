"""Monsters' orders, stabs and attacks, and the second strikes of fast monsters (FM-STAB, FM-MON, FM-ELEM; engine 6)."""

from __future__ import annotations

from typing import Final

from rules_engine.beings import (
    BORN,
    FIRE_ELEMENTAL,
    GONE,
    IGNORED_BY_ELEMENTALS,
    JUST_PERMANENT,
    NO_MASTER,
    NOBODY,
    PERMANENT,
    Being,
    Monster,
    Wizard,
)
from rules_engine.gestures import LEFT, RIGHT, STAB
from rules_engine.occasions import LASTING, SPELLS, STABS, WORDS, needs
from rules_engine.schools import STAB as DAGGER
from rules_engine.steps.opening import tick
from rules_engine.turn import Keys, Turn

STAB_DAMAGE: Final = 1
_STRIKES_FROM: Final = {"haste_hit": "fast", "timestop_hit": "time_stopped"}
"""The mark behind a creature's extra strike."""


@needs(WORDS)
def order_monsters(turn: Turn) -> None:
    """Carry out TARGET orders for monsters, judged by their present masters (FM-ORDMOVE-14..18)."""
    for wizard in turn.state.wizards.values():
        if not wizard.monster_orders:
            continue
        if wizard.name not in turn.state.out:
            for selector, victim in wizard.monster_orders.items():
                order_monster(turn, wizard, selector, victim)
        wizard.monster_orders = {}


def order_monster(turn: Turn, wizard: Wizard, selector: str, victim: str) -> None:
    """Carry out one order to one creature."""
    name = turn.resolve(selector)
    monster = turn.state.monsters.get(name)
    who = wizard.name
    if monster is None:
        turn.report_about(who, "wishes_in_vain", "FM-ORDMOVE-15", who=who)
        return
    if monster.controller != who:
        _report_scorn(turn, wizard, monster)
        return
    if turn.rules.amnesia_keeps_victim and (name, "forgetful") in turn.gripped:
        because = monster.origins.get("forgetful", ())
        turn.report_about(name, "repeats_itself", "WH-ENCH-1", because=because, who=who, creature=name)
        return
    target = turn.resolve(victim)
    found = turn.state.being(target) is not None
    monster.target = target if found else NOBODY
    if "blind" in wizard.marks and ":" in victim:
        # Sending a creature at an unseen hand must not reveal whether the hand creates anything.
        turn.confide(who, "directs", "FM-BLIND-7", who=who, creature=name, target=victim)
        _report_order(turn, who, name, monster.target, unseen_by=who)
    else:
        _report_order(turn, who, name, monster.target)


def _report_order(turn: Turn, who: str, creature: str, target: str, *, unseen_by: str = "") -> None:
    if target == NOBODY:
        turn.report_about(who, "holds_back", "FM-ORDMOVE-16", unseen_by=unseen_by, who=who, creature=creature)
    else:
        turn.report_about(
            who, "directs", "FM-ORDMOVE-14", unseen_by=unseen_by, who=who, creature=creature, target=target
        )


def _report_scorn(turn: Turn, wizard: Wizard, monster: Monster) -> None:
    """Report that a creature obeys someone else. A blind mage learns only that no creature obeyed (FM-BLIND-7)."""
    who, because = wizard.name, monster.origins.get(BORN, ())
    unseen_by = ""
    if "blind" in wizard.marks:
        turn.confide(who, "wishes_in_vain", "FM-ORDMOVE-15", who=who)
        unseen_by = who
    turn.report_about(
        who, "scorned", "FM-ORDMOVE-15", because=because, unseen_by=unseen_by, who=who, creature=monster.name
    )


@needs(STABS | SPELLS)
def attack_all(turn: Turn) -> None:
    """Attack in one pass over everyone: damage is immediate, but nobody dies before the end (spec: engine 6.3)."""
    if turn.occasions & (STABS | LASTING):
        for wizard in turn.moving:
            if wizard.left[-1] == STAB or wizard.right[-1] == STAB:
                stab(turn, wizard)
            if wizard.again is not None and STAB in wizard.again.gestures:
                stab(turn, wizard.again)
    if not turn.state.monsters or turn.extra:
        return
    for monster in list(turn.state.monsters.values()):
        if monster.is_elemental:
            elemental_attacks(turn, monster)
        else:
            monster_attacks(turn, monster)


def stab(turn: Turn, wizard: Wizard) -> None:
    """Stab with the one dagger, the right hand first (FM-STAB-1..8)."""
    hand = RIGHT if wizard.right[-1] == STAB else LEFT
    ordered = wizard.targets.get(hand) if wizard.targets else None
    aimed_at = turn.foe_of(wizard.name, hand) if ordered is None else ordered
    target = turn.resolve(aimed_at)
    victim = turn.state.being(target)
    outside_time = turn.defenceless and turn.passes_defences(wizard.name, target)
    if target == NOBODY:
        _miss_stab(turn, wizard, aimed_at, target, "no_target", "FM-STAB-1")
    elif target == wizard.name and not turn.rules.stab_at_oneself:
        _miss_stab(turn, wizard, aimed_at, NOBODY, "no_target", "WH-END-4")
    elif victim is None or not turn.state.is_live(target):
        because = turn.sources.get(target) or turn.find_origins(target, GONE)
        _miss_stab(turn, wizard, aimed_at, target, "gone", "FM-STAB-1", because)
    elif not _sees_to_stab(turn, wizard, target, outside_time):
        _miss_stab(turn, wizard, aimed_at, target, "unseen", "FM-INVIS-9", victim.origins.get("invisible", ()))
    elif "shielded" in victim.marks and not outside_time:
        _miss_stab(turn, wizard, aimed_at, target, "shielded", "FM-SHIELD-4", victim.origins.get("shielded", ()))
    else:
        victim.hp -= STAB_DAMAGE
        if not turn.silent:
            turn.record_attack(wizard.name, target, "hit")
            _report_stab(turn, wizard.name, target)


def _report_stab(turn: Turn, who: str, target: str) -> None:
    """Report a stab that hits. In stopped time the others see the harm, but may not learn who acts (FM-TIMESTOP-3)."""
    involved = turn.list_involved(target)
    if involved is not None and not turn.is_outside_time(target):
        turn.tell(involved, "stabs", "FM-STAB-2", who=who, target=target, points=None)
        turn.report_result(
            target,
            "hurt",
            "FM-TIMESTOP-3",
            because=(turn.last,),
            magic=False,
            who=target,
            by=DAGGER,
            points=STAB_DAMAGE,
        )
    else:
        turn.report_result(target, "stabs", "FM-STAB-2", magic=False, who=who, target=target, points=STAB_DAMAGE)


def _sees_to_stab(turn: Turn, wizard: Wizard, target: str, outside_time: bool) -> bool:
    """Return whether a stab finds its target. In some rulesets mages need no eyes to stab themselves (SC-ENCH-16)."""
    if target == wizard.name and turn.rules.own_stab_needs_no_sight:
        return True
    return not turn.is_sightless(wizard.name) and (outside_time or not turn.is_unseen(target))


def _miss_stab(
    turn: Turn, wizard: Wizard, aimed_at: str, target: str, result: str, clause: str, because: Keys = ()
) -> None:
    """Report a stab that misses. It must not tell the blind whether their target was there (FM-BLIND-8)."""
    if turn.silent:
        return
    turn.record_attack(wizard.name, target, result)
    if "blind" in wizard.marks and aimed_at != NOBODY and aimed_at not in turn.state.wizards:
        target, result, clause = aimed_at, "unseen", "FM-BLIND-8"
    if result == "unseen" and turn.is_sightless(wizard.name):
        because = wizard.origins.get("blind", ())
    turn.report_about(
        wizard.name, "stab_missed", clause, because=because, who=wizard.name, target=target, result=result
    )


def _miss(turn: Turn, about: str, attacker: str, target: str, result: str, clause: str, because: Keys = ()) -> None:
    if turn.silent:
        return
    turn.record_attack(attacker, target, result)
    turn.report_about(about, "attack_missed", clause, because=because, who=attacker, target=target, result=result)


def _protect(turn: Turn, attacker: str, target: str, result: str, clause: str, because: Keys) -> None:
    if turn.silent:
        return
    turn.record_attack(attacker, target, result)
    turn.report_result(
        target, "attack_missed", clause, because=because, magic=False, who=attacker, target=target, result=result
    )


def monster_attacks(turn: Turn, monster: Monster) -> None:
    """Let an ordinary monster attack: mind spells affect it in the same turn (spec: engine 6.5)."""
    name, marks = monster.name, monster.marks
    target = monster.target
    if grips(turn, monster, "paralysed", later=turn.rules.paralysed_monsters_stop_next):
        turn.stunned += (name,)
        _miss(turn, name, name, target, "paralysed", "FM-PARA-8", monster.origins.get("paralysed", ()))
        return
    if "confused" in marks:
        target = stray(turn, monster)
        turn.confused_target = {**turn.confused_target, name: target}
        tick(marks, "confused")
    if grips(turn, monster, "forgetful", later=turn.rules.amnesia_keeps_victim) and not turn.rules.amnesia_keeps_victim:
        turn.stunned += (name,)
        _miss(turn, name, name, target, "amnesia", "FM-AMNESIA-3", monster.origins.get("forgetful", ()))
        return
    if "afraid" in marks:
        tick(marks, "afraid")
        turn.stunned += (name,)
        _miss(turn, name, name, target, "afraid", "FM-FEAR-3", monster.origins.get("afraid", ()))
        return
    if "maladroit" in marks:
        tick(marks, "maladroit")
        turn.stunned += (name,)
        _miss(turn, name, name, target, "maladroit", "WL-ENCH-6", monster.origins.get("maladroit", ()))
        return
    strike(turn, monster, target)


def grips(turn: Turn, monster: Monster, mark: str, *, later: bool) -> bool:
    """Return whether a mind spell holds a monster now; one that works in the next turn starts with a count of two."""
    held = mark in monster.marks
    tick(monster.marks, mark)
    return (monster.name, mark) in turn.gripped if later else held


def stray(turn: Turn, monster: Monster) -> str:
    """Return the target of a confused monster: anyone at random, or its first target again (FM-CONF-4; WH-ENCH-35)."""
    lasting = monster.marks["confused"] in (PERMANENT, JUST_PERMANENT) and turn.rules.confusion_keeps_its_first
    if lasting and monster.habit and monster.marks["confused"] == PERMANENT:
        return monster.habit
    others = [being.name for being in turn.live_beings() if being is not monster]
    victim = str(turn.dice.pick("confused monster", monster.name, others))
    monster.habit = victim if lasting else ""
    return victim


def strike(turn: Turn, monster: Monster, target: str) -> None:
    """Carry out one attack, subject to its target's protections in a normal turn."""
    name, victim = monster.name, turn.state.being(target)
    if target == NOBODY:
        _miss(turn, name, name, target, "no_target", "FM-MON-2", monster.origins.get(BORN, ()))
    elif victim is None or not turn.state.is_live(target):
        because = turn.sources.get(target) or turn.find_origins(target, GONE)
        _miss(turn, name, name, target, "gone", "FM-TURN-9", because)
    elif turn.is_unseen(target):
        _miss(turn, name, name, target, "invisible", "FM-INVIS-7", victim.origins.get("invisible", ()))
    elif "shielded" in victim.marks:
        _miss(turn, name, name, target, "shielded", "FM-SHIELD-2", victim.origins.get("shielded", ()))
    else:
        _land(turn, monster, victim, "hit", "FM-TURN-9")


def _land(turn: Turn, monster: Monster, victim: Being, result: str, clause: str) -> None:
    victim.hp -= monster.strength
    if turn.silent:
        return
    turn.record_attack(monster.name, victim.name, result)
    because = monster.origins.get(_STRIKES_FROM.get(result, BORN), ())
    turn.report_result(
        victim.name,
        "strikes",
        clause,
        because=because,
        magic=False,
        who=monster.name,
        target=victim.name,
        points=monster.strength,
        how=result,
    )


def resistance(elemental: Monster) -> str:
    """Return the mark that keeps a being safe from this elemental (FM-ELEM-15)."""
    return "heat_resistant" if elemental.kind == FIRE_ELEMENTAL else "cold_resistant"


def elemental_attacks(turn: Turn, elemental: Monster) -> None:
    """Let an elemental attack everyone but itself; of mind spells only Paralysis and Amnesia stun it (engine 6.5)."""
    name, marks = elemental.name, elemental.marks
    for mark in IGNORED_BY_ELEMENTALS:
        marks.pop(mark, None)
    if "paralysed" in marks or "forgetful" in marks:
        clause, mark = ("FM-PARA-8", "paralysed") if "paralysed" in marks else ("FM-AMNESIA-3", "forgetful")
        for held in ("paralysed", "forgetful"):
            if turn.rules.elementals_stay_held:
                tick(marks, held)
            else:
                marks.pop(held, None)
        turn.stunned += (name,)
        _miss(turn, name, name, elemental.target, "stunned", clause, elemental.origins.get(mark, ()))
        return
    if elemental.controller != NO_MASTER and not turn.rules.elementals_can_be_charmed:
        because = elemental.origins.get(BORN, ())
        turn.report_about(name, "shrugs_off", "FM-CHARMM-2", because=because, who=name, master=elemental.controller)
        elemental.controller = NO_MASTER
    for victim in turn.live_beings():
        if victim is not elemental:
            scorch(turn, elemental, victim)


def scorch(turn: Turn, elemental: Monster, victim: Being) -> None:
    """Harm one victim of an elemental in its ordinary attack."""
    name, target = elemental.name, victim.name
    if not turn.rules.elementals_find_the_invisible and turn.is_unseen(target):
        _miss(turn, name, name, target, "invisible", "FM-INVIS-7", victim.origins.get("invisible", ()))
    elif resistance(elemental) in victim.marks:
        _protect(turn, name, target, "resisted", "FM-ELEM-15", victim.origins.get(resistance(elemental), ()))
    elif "shielded" in victim.marks:
        _protect(turn, name, target, "shielded", "FM-ELEM-16", victim.origins.get("shielded", ()))
    else:
        _land(turn, elemental, victim, "hit", "FM-ELEM-5")


@needs(SPELLS)
def strike_again(turn: Turn) -> None:
    """Let monsters strike again that are fast or outside time (FM-HASTE-7, FM-TIMESTOP-5, -6; engine 6.6)."""
    if not turn.state.monsters:
        return
    for monster in list(turn.state.monsters.values()):
        stopped, fast = "time_stopped" in monster.marks, "fast" in monster.marks
        if monster.hp <= 0 or not (stopped or fast):
            continue
        if turn.quick is not None:
            fast = fast and monster.name in turn.quick
            if fast:
                redirect(turn, monster)
        if turn.rules.stunned_monsters_lose_second_strike and monster.name in turn.stunned:
            continue
        if monster.is_elemental:
            elemental_strikes_again(turn, monster, stopped, fast and turn.rules.haste_moves_elementals)
        else:
            monster_strikes_again(turn, monster, stopped, fast)


def redirect(turn: Turn, monster: Monster) -> None:
    """RETARGET: the target of a hastened creature's second attack (WH-ENCH-29)."""
    master = turn.state.wizards.get(monster.controller)
    if master is not None and master.name not in turn.state.out and monster.name in master.retargets:
        order_monster(turn, master, monster.name, master.retargets[monster.name])


def elemental_strikes_again(turn: Turn, elemental: Monster, stopped: bool, fast: bool) -> None:
    """Nothing protects from an elemental outside time; a fast one is stopped as before."""
    for victim in turn.live_beings():
        if victim is elemental:
            continue
        if stopped:
            _land(turn, elemental, victim, "timestop_hit", "FM-TIMESTOP-6")
        safe = any(mark in victim.marks for mark in (resistance(elemental), "shielded"))
        hidden = not turn.rules.elementals_find_the_invisible and turn.is_unseen(victim.name)
        if fast and not safe and not hidden:
            _land(turn, elemental, victim, "haste_hit", "FM-HASTE-7")


def monster_strikes_again(turn: Turn, monster: Monster, stopped: bool, fast: bool) -> None:
    """Let an ordinary monster strike its own target a second time."""
    target = monster.target
    if turn.rules.stunned_monsters_lose_second_strike:
        target = turn.confused_target.get(monster.name, target)
    victim = turn.state.being(target)
    if victim is None or not turn.state.is_live(target):
        return
    if stopped:
        _land(turn, monster, victim, "timestop_hit", "FM-TIMESTOP-5")
    hindered = not turn.rules.stunned_monsters_lose_second_strike and any(
        mark in monster.marks for mark in ("confused", "afraid", "paralysed", "maladroit")
    )
    if fast and not hindered and not (turn.is_unseen(target) or "shielded" in victim.marks):
        _land(turn, monster, victim, "haste_hit", "FM-HASTE-7")
