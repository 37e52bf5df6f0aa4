"""Adds up the effects of spells on each being (spec: engine 5.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules_engine.beings import BORN, FIRE_ELEMENTAL, ICE_ELEMENTAL, NOBODY, Being, Monster
from rules_engine.occasions import SPELLS, needs
from rules_engine.rules import CharmedVictim
from rules_engine.turn import Keys, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    Blows = dict[str, list[int]]

STORM_DAMAGE = FIREBALL_DAMAGE = LIGHTNING_DAMAGE = 5
MISSILE_DAMAGE, HEAVY_DAMAGE, LIGHT_DAMAGE = 1, 3, 2
HEAVY_CURE, LIGHT_CURE, RISING_CURE = 2, 1, 5
ALL_CURES: Final = 1000
"""More points than all cures of one turn can give."""

# (kind of blow, spell, points, clause): blows that nothing on the target stops at this point.
PLAIN_BLOWS: Final = (
    ("heavy", "Cause Heavy Wounds", HEAVY_DAMAGE, "FM-CAUSEH-2"),
    ("light", "Cause Light Wounds", LIGHT_DAMAGE, "FM-CAUSEL-2"),
)


@needs(SPELLS)
def feel_results(turn: Turn) -> None:
    """Apply charms, storms, blows, cures and illness, in this order, to every being in the circle."""
    stormy = turn.fire_storm or turn.ice_storm
    for being in turn.live_beings():
        if isinstance(being, Monster) and being.charmer is not None:
            pass_control(turn, being)
        if turn.hits or stormy:
            feel_magic(turn, being, stormy)
        if being.marks and not turn.extra:
            if "poisoned" in being.marks:
                suffer(turn, being, "poisoned", "Poison", "FM-POISON-2")
            if "sick" in being.marks:
                suffer(turn, being, "sick", "Disease", "FM-DISEASE-2")


def feel_magic(turn: Turn, being: Being, stormy: bool) -> None:
    """Apply storms, then what was aimed at this being; cures before or after, depending on the ruleset."""
    hits = turn.hits.get(being.name)
    if hits and turn.rules.cures_come_first:
        feel_cures(turn, being, hits)
        cut_to_most(turn, being)
    if stormy:
        feel_storms(turn, being)
    if hits:
        feel_blows(turn, being, hits)
        if not turn.rules.cures_come_first:
            feel_cures(turn, being, hits)
        if "doom" in hits:
            die_outright(turn, being)


def pass_control(turn: Turn, monster: Monster) -> None:
    """Charm Monster: a new master from this turn, and no victim until the master names one (FM-CHARMM-3)."""
    assert monster.charmer is not None
    monster.controller, monster.charmer = monster.charmer, None
    if turn.rules.charmed_monster_attacks is CharmedVictim.NOBODY:
        monster.target = NOBODY
    elif turn.rules.charmed_monster_attacks is CharmedVictim.OPPONENT:
        monster.target = turn.foe_of(monster.controller, monster.name)
    because = monster.origins.get("charmer", ())
    turn.report_about(
        monster.name, "looks_to", "FM-CHARMM-3", because=because, who=monster.name, master=monster.controller
    )
    turn.record_mark(monster, BORN)


def feel_storms(turn: Turn, being: Being) -> None:
    """A storm strikes everything; in stopped time no protection helps (FM-FSTORM-2, FM-ISTORM-2, FM-TIMESTOP-4)."""
    marks, defenceless = being.marks, turn.is_defenceless(being.name)
    if turn.fire_storm and being.name != FIRE_ELEMENTAL:
        safe = not defenceless and ("countering" in marks or "heat_resistant" in marks)
        because = _what_saves(being, "heat_resistant", ()) if safe else ()
        _storm(turn, being, "Fire Storm", "FM-FSTORM-2", safe, (*turn.sources["fire_storm"], *because))
    if turn.ice_storm and being.name != ICE_ELEMENTAL:
        melting = turn.hits.get(being.name, {}).get("fireball", ())
        safe = not defenceless and ("countering" in marks or "cold_resistant" in marks or bool(melting))
        because = _what_saves(being, "cold_resistant", melting) if safe else ()
        _storm(turn, being, "Ice Storm", "FM-ISTORM-2", safe, (*turn.sources["ice_storm"], *because))


def _what_saves(being: Being, resistance: str, melting: Iterable[int]) -> Keys:
    """Return the events that saved a storm's victim."""
    saving = [key for mark in ("countering", resistance) if mark in being.marks for key in being.origins.get(mark, ())]
    return (*saving, *melting)


def _storm(turn: Turn, being: Being, storm: str, clause: str, safe: bool, because: Keys) -> None:
    if safe:
        turn.report_result(being.name, "unharmed", clause, because=because, who=being.name, by=storm)
    else:
        hurt(turn, being, storm, STORM_DAMAGE, clause, because)


def hurt(turn: Turn, being: Being, by: str, points: int, clause: str, because: Keys) -> None:
    """Take hit points from a being, and report it to everyone who can see the victim."""
    being.hp -= points
    if not turn.silent:
        turn.report_result(being.name, "hurt", clause, because=because, who=being.name, by=by, points=points)


def feel_blows(turn: Turn, being: Being, hits: Blows) -> None:
    """Fireballs, lightning, missiles, wounds."""
    marks, defenceless = being.marks, turn.is_defenceless(being.name)
    for blow in hits.get("fireball", ()):
        feel_fireball(turn, being, defenceless, blow)
    for blow in hits.get("lightning", ()):
        hurt(turn, being, _name_bolt(turn, blow), LIGHTNING_DAMAGE, "FM-BOLT-2", (blow,))
    for blow in hits.get("missile", ()):
        if "shielded" in marks and not defenceless:
            soften(turn, blow)
            because = (blow, *being.origins.get("shielded", ()))
            turn.report_result(
                being.name, "absorbed", "FM-MISSILE-3", because=because, who=being.name, by="Magic Missile"
            )
        else:
            hurt(turn, being, "Magic Missile", MISSILE_DAMAGE, "FM-MISSILE-2", (blow,))
    for kind, spell, points, clause in PLAIN_BLOWS:
        for blow in hits.get(kind, ()):
            hurt(turn, being, spell, points, clause, (blow,))


def _name_bolt(turn: Turn, blow: int) -> str:
    """Return the spell that strikes with lightning: where the short series is a spell of its own, it has its own name
    (WL-DMG-1)."""
    if turn.silent or not turn.rules.clap_is_told_as_such:
        return "Lightning Bolt"
    return str(turn.find_event(blow).facts["spell"])


def feel_fireball(turn: Turn, being: Being, defenceless: bool, blow: int) -> None:
    """A Fireball meets ice or resistance, or burns; it does not harm a fire elemental (FM-FIREBALL-2, -3, -5)."""
    if turn.ice_storm and not defenceless:
        _burns_in_vain(turn, being, "FM-FIREBALL-3", blow, turn.sources["ice_storm"])
    elif "heat_resistant" in being.marks and not defenceless:
        _burns_in_vain(turn, being, "FM-RHEAT-2", blow, being.origins.get("heat_resistant", ()))
    elif being.name == FIRE_ELEMENTAL:
        turn.fireball_absorbed = True
        _burns_in_vain(turn, being, "FM-FIREBALL-5", blow)
    else:
        hurt(turn, being, "Fireball", FIREBALL_DAMAGE, "FM-FIREBALL-2", (blow,))


def _burns_in_vain(turn: Turn, being: Being, clause: str, blow: int, because: Keys = ()) -> None:
    soften(turn, blow)
    turn.report_result(being.name, "unharmed", clause, because=(blow, *because), who=being.name, by="Fireball")


def feel_cures(turn: Turn, being: Being, hits: Blows) -> None:
    """Cures come before the maximum; Raise Dead and Finger of Death cancel (FM-CLW-3, FM-CHW-5, FM-RAISE-13)."""
    for blow in hits.get("cure_heavy", ()):
        heal(turn, being, "Cure Heavy Wounds", HEAVY_CURE, "FM-CHW-2", blow)
        if being.marks.pop("sick", 0):
            because = (blow, *being.origins.get("sick", ()))
            turn.report_result(being.name, "recovers", "FM-CHW-5", because=because, who=being.name, by="Disease")
    for blow in hits.get("cure_light", ()):
        heal(turn, being, "Cure Light Wounds", LIGHT_CURE, "FM-CLW-2", blow)
    deaths, risings = hits.get("death", ()), hits.get("risen", ())
    if risings and deaths:
        for blow in (*deaths, *risings):
            soften(turn, blow)
        because = (*deaths, *risings)
        turn.report_result(being.name, "saved_from_death", "FM-RAISE-13", because=because, who=being.name)
        return
    for blow in risings:
        heal(turn, being, "Raise Dead", RISING_CURE, "FM-RAISE-11", blow)
    if deaths:
        die_outright(turn, being)
        turn.report_result(being.name, "drops_dead", "FM-FOD-2", because=tuple(deaths), who=being.name)


def cut_to_most(turn: Turn, being: Being) -> None:
    """Cut hit points to the maximum that cures allow (FM-CLW-2; WL-PROT-6), in the events too."""
    most = being.max_hp + turn.rules.hit_point_surplus
    if being.hp > most:
        take_back_cures(turn, being, being.hp - most)
        being.hp = most


def take_back_cures(turn: Turn, being: Being, points: int) -> None:
    """Take back `points` that this turn's cures gave, the last cure first, and correct the events."""
    for name, key, blow in reversed(turn.cures):
        event = turn.find_event(key)
        given = int(event.facts.get("points") or 0)
        if name != being.name or not given or points <= 0:
            continue
        kept = max(given - points, 0)
        points -= given - kept
        if kept:
            turn.correct_event(key, event.kind, {**event.facts, "points": kept})
        else:
            turn.correct_event(key, "unhealed", {"who": event.facts["who"], "by": event.facts["by"]})
            soften(turn, blow)


def soften(turn: Turn, blow: int) -> None:
    """Correct the event of a spell that hit or healed but did nothing to its target: it only reached it."""
    if turn.silent:
        return
    event = turn.find_event(blow)
    if event.facts["outcome"] != "contested" or not turn.rules.contested_raising_is_told:
        turn.correct_event(blow, event.kind, {**event.facts, "outcome": "reaches"})


def die_outright(turn: Turn, being: Being) -> None:
    """Let mages die without wounds: this turn's cures were useless."""
    being.hp = 0
    take_back_cures(turn, being, ALL_CURES)


def heal(turn: Turn, being: Being, by: str, points: int, clause: str, blow: int) -> None:
    """Give hit points; `cut_to_most` later cuts any excess and corrects the events."""
    being.hp += points
    if not turn.silent:
        turn.report_result(being.name, "healed", clause, because=(blow,), who=being.name, by=by, points=points)
        turn.record_cure(being, blow)


def suffer(turn: Turn, being: Being, mark: str, by: str, clause: str) -> None:
    """Count down an illness in normal turns; it kills in its last one (FM-DISEASE-2, FM-POISON-2)."""
    left = being.marks.get(mark, 0)
    if not left:
        return
    if left == 1:
        die_outright(turn, being)
        turn.report_result(being.name, "succumbs", clause, because=being.origins.get(mark, ()), who=being.name, by=by)
    else:
        being.marks[mark] = left - 1
        because = being.origins.get(mark, ())
        turn.report_result(being.name, "sickens", clause, because=because, who=being.name, by=by, turns=left - 1)
