"""Announces spells and works them through the gate, kind by kind (FM-TABLE-3..12; spec: engine 5.1-5.4)."""

from __future__ import annotations

from typing import Final

from rules_engine.beings import BANKED, CHOOSE, FIRE_ELEMENTAL, GONE, ICE_ELEMENTAL, JUST_PERMANENT, NOBODY, Wizard
from rules_engine.gestures import BOTH, FIRE, LEFT, RIGHT, SECOND
from rules_engine.occasions import SPELLS, WORDS, needs
from rules_engine.spells import FOE, SELF, AtUnborn, Cast, Spell
from rules_engine.steps.powers import restore_powers, take_next
from rules_engine.turn import Keys, Turn

SLOTS: Final[tuple[str, ...]] = (RIGHT, LEFT, BOTH, FIRE)


@needs(SPELLS | WORDS)
def announce_spells(turn: Turn) -> None:
    """For each mage who moves: fill in default targets, bank a spell, announce the rest (spec: engine 5.2)."""
    for wizard in turn.moving:
        if wizard.spells:
            announce_hands(turn, wizard, wizard)
        if wizard.again is not None:
            announce_hands(turn, wizard, wizard.again)
        if turn.rules.power_waits_for_its_spell:
            restore_powers(wizard)
        for hand in wizard.permanent:
            if hand not in (BOTH, SECOND[BOTH]):
                because = wizard.origins.get("permanency", ())
                turn.report_about(wizard.name, "halo_fades", "FM-PERM-8", because=because, who=wizard.name, hand=hand)


def announce_hands(turn: Turn, wizard: Wizard, half: Wizard) -> None:
    """Announce the spells of one pair of gestures and of the bank."""
    spells = half.spells
    banked = wizard.origins.get(BANKED, ()) if wizard.origins else ()  # a spell banked now is not the one fired now
    for slot in SLOTS:
        if slot in spells and spells[slot] != CHOOSE:
            announce(turn, wizard, half, slot, turn.state.ruleset.spells[spells[slot]], banked)


def announce(turn: Turn, wizard: Wizard, half: Wizard, slot: str, spell: Spell, banked: Keys) -> None:
    """Send one hand's spell of one pair of gestures into the bank, or on its way."""
    name = wizard.name
    ordered = half.targets.get(slot) if half.targets else None
    if half.second:
        slot = half.hand(slot)
    if spell.default == SELF:
        target = ordered or name
    elif spell.may_be_aimed:
        target = ordered or NOBODY
        if spell.needs_subject and target == NOBODY:
            target = name
    else:
        target = ordered or turn.foe_of(name, slot)
    if half.left[-1] == "C" == half.right[-1] and spell.name in turn.state.ruleset.once_spells:
        wizard.short_bolt_used = wizard.short_bolt_used or slot != FIRE or not turn.rules.fired_bolt_is_free
    if turn.rules.powers_take_the_next:
        take_next(turn, wizard, slot, spell)
    if slot in wizard.saving:
        wizard.saving = tuple(hand for hand in wizard.saving if hand != slot)
        wizard.bank = (spell.name, target)
        because = wizard.origins.get("delay", ())
        turn.report_about(
            name, "banks", "FM-DELAY-5", because=because, who=name, spell=spell.name, target=target, hand=slot
        )
        turn.record_mark(wizard, BANKED)
        return
    permanent = slot in wizard.permanent and (spell.can_be_permanent or not turn.rules.power_waits_for_its_spell)
    if permanent:
        wizard.permanent = tuple(hand for hand in wizard.permanent if hand != slot)
    aimed_at = target if spell.targeted or spell.may_be_aimed else NOBODY
    cast = Cast(spell, name, aimed_at, slot)
    cast.permanent = permanent
    turn.casts += (cast,)
    if turn.silent:
        return
    because = banked if cast.fired else ()
    if permanent:
        because = (*because, *wizard.origins.get("permanency", ()))
    turn.report_casting(cast, because)


@needs(SPELLS)
def cast_spells(turn: Turn) -> None:
    """Work the casts kind by kind; within a kind in order, each after the effects of the last (FM-TABLE)."""
    if not turn.casts:
        return
    rank = turn.state.ruleset.rank
    later: list[Cast] = []
    in_order = list(turn.casts)
    if len(in_order) == 2:
        if rank[in_order[1].spell.name] < rank[in_order[0].spell.name]:
            in_order.reverse()
    elif len(in_order) > 2:
        in_order.sort(key=lambda cast: rank[cast.spell.name])
    for at, cast in enumerate(in_order):
        if later and rank[cast.spell.name] > rank["Raise Dead"]:
            _work_at_the_newborn(turn, later)
        if turn.dispelled and not cast.spell.universal:
            _stop(in_order[at:])
            break
        if not work(turn, cast):
            later.append(cast)
    if later and not turn.dispelled:
        _work_at_the_newborn(turn, later)
    if later:
        _stop(later)
    for cast in turn.casts:
        if len(cast.outcome) == 1 and cast.outcome[0] in ("NoOne", "Dispelled"):  # it never worked
            turn.worked += (cast,)


def _work_at_the_newborn(turn: Turn, later: list[Cast]) -> None:
    """Work Counter Spells, then Magic Mirrors, on creatures that did not exist yet when their kind worked."""
    for name in ("Counter Spell", "Magic Mirror"):
        for cast in later:
            if cast.spell.name == name:
                work(turn, cast, second=True)
    later.clear()


def _stop(casts: list[Cast]) -> None:
    """Let a Dispel Magic stop all spells that had not worked before it (FM-DISPEL-2)."""
    for cast in casts:
        cast.outcome = ["Dispelled"]


def _works_at_nobody(turn: Turn, cast: Cast) -> bool:
    return cast.spell.universal and turn.rules.dispel_needs_no_target


def work(turn: Turn, cast: Cast, *, second: bool = False) -> bool:
    """Work one spell through the gate (spec: engine 5.3). False if it must wait until after the creations."""
    turn.count_step()
    spell, state = cast.spell, turn.state
    if spell.targeted and cast.target == NOBODY and not _works_at_nobody(turn, cast):
        cast.outcome.append("NoOne")
        return True
    if spell.universal:
        turn.dispelled = True
    if not second and ":" in cast.target and spell.at_unborn is AtUnborn.WAITS:
        return False
    turn.worked += (cast,)
    if not spell.targeted:
        if cast.target != NOBODY and _is_countered(turn, cast):
            cast.outcome.append("Countering")
            spell.countered(turn, cast)
            return True
        return _let_through(turn, cast, "Cast")
    if ":" in cast.target:
        if spell.at_unborn is AtUnborn.FAILS:
            return _lose(turn, cast, "NoMonster", "no_creature")
        born = turn.born_of(cast.target)
        if born is None:
            return _lose(turn, cast, "NoTarget", "no_creature")
        cast.target = born
    caster, target = cast.caster, cast.target
    if target != caster and turn.is_sightless(caster):
        because = turn.find_origins(caster, "blind")
        return _lose(turn, cast, "Blind", "caster_blind", "FM-BLIND-8", because)
    if not state.is_live(target):
        if spell.works_on_the_dead and target != NOBODY:
            return _let_through(turn, cast, "Raise")
        because = turn.sources.get(target) or turn.find_origins(target, GONE)
        return _lose(turn, cast, "DeadTarget", "target_gone", because=because)
    if target != caster and not turn.passes_defences(caster, target) and _is_turned_away(turn, cast):
        return True
    if _is_countered(turn, cast):
        cast.outcome.append("Countering")
        spell.countered(turn, cast)
        return True
    return _let_through(turn, cast, "DoSpell")


def _is_turned_away(turn: Turn, cast: Cast) -> bool:
    """Return whether a spell at another being misses one that it cannot see, or comes to nothing when a mirror turns it
    back. One that is turned back and goes on has changed its caster and target."""
    caster, target = cast.caster, cast.target
    if turn.rules.spells_miss_the_invisible and turn.is_unseen(target):
        because = turn.find_origins(target, "invisible")
        return _lose(turn, cast, "Invisible", "target_unseen", "FM-INVIS-6", because)
    if not (turn.mark(target, "reflecting") and turns_back(turn, cast.spell)):
        return False
    cast.outcome.append("Reflecting")
    cast.mirror = target
    cast.caster, cast.target = target, caster
    if turn.rules.two_mirrors_break and turn.mark(caster, "reflecting"):
        because = turn.find_origins(caster, "reflecting")
        return _lose(turn, cast, "Shattered", "shattered", "SC-PROT-1", because)
    if turn.rules.mirrors_miss_the_invisible and turn.is_unseen(caster):
        because = turn.find_origins(caster, "invisible")
        return _lose(turn, cast, "Invisible", "target_unseen", "FM-INVIS-6", because)
    return False


def turns_back(turn: Turn, spell: Spell) -> bool:
    """Return whether a Magic Mirror sends this kind of spell back (FM-MIRROR-2, FM-MIRROR-13, FM-DISPEL-8;
    SC-PROT-2)."""
    if spell.universal and turn.rules.dispel_is_irresistible:
        return False
    if spell.name == "Magic Mirror" and not turn.rules.mirrors_turn_mirrors_back:
        return False
    return spell.default == FOE or not turn.rules.mirror_returns_harm_only


def _is_countered(turn: Turn, cast: Cast) -> bool:
    if cast.spell.universal and turn.rules.dispel_is_irresistible:
        return False
    return turn.mark(cast.target, "countering") != 0 and not turn.passes_defences(cast.caster, cast.target)


def _let_through(turn: Turn, cast: Cast, outcome: str) -> bool:
    cast.outcome.append(outcome)
    cast.spell.effect(turn, cast)
    return True


def _lose(
    turn: Turn, cast: Cast, outcome: str, effect: str, clause: str = "FM-GEST-19", because: tuple[int, ...] = ()
) -> bool:
    cast.outcome.append(outcome)
    if cast.spell.universal:
        turn.report_effect(cast, "unshielded", cast.spell.clause, because=because)
        turn.record_source("dispel")
    else:
        turn.report_effect(cast, effect, clause, because=because)
    return True


@needs(SPELLS)
def finish_dispel(turn: Turn) -> None:
    """Finish a Dispel Magic: monsters are doomed, enchantments end, its subjects are shielded (FM-DISPEL)."""
    if not turn.dispelled:
        return
    # A Dispel Magic at nobody has no event besides its casting.
    because = turn.sources.get("dispel") or tuple(cast.event for cast in turn.casts if cast.spell.universal)
    for monster in turn.state.monsters.values():
        monster.hp = 0
        if turn.rules.dispel_frees_monsters:
            turn.strip(monster)
        turn.report_about(NOBODY, "dispelled_monster", "FM-DISPEL-5", because=because, who=monster.name)
    for name in turn.state.still_in:
        turn.strip(turn.state.wizards[name])
    if turn.rules.dispelled_once_is_kept:
        give_back_once(turn)
    turn.look_around()
    turn.report_about(NOBODY, "dispelled", "FM-DISPEL-4", because=because)
    for name in turn.shielded_by_dispel:
        being = turn.state.being(name)
        if being is not None and turn.state.is_live(name):
            being.marks["shielded"] = 1
            being.origins = {**being.origins, "shielded": because}


def give_back_once(turn: Turn) -> None:
    """Give back a spell that works once in a battle if Dispel Magic stopped it (WL-DMG-2)."""
    for cast in turn.casts:
        if cast.spell.name in turn.state.ruleset.once_spells and cast.outcome == ["Dispelled"]:
            turn.state.wizards[cast.summoner].short_bolt_used = False


@needs(SPELLS)
def rage_storms(turn: Turn) -> None:
    """Report the storms that rage, and let a Fireball melt the ice elemental (FM-FSTORM, FM-ISTORM, FM-FIREBALL-4)."""
    if turn.fire_storm:
        turn.report_about(NOBODY, "storm_rages", "FM-FSTORM-2", because=turn.sources["fire_storm"], storm="Fire Storm")
    if turn.ice_storm:
        turn.report_about(NOBODY, "storm_rages", "FM-ISTORM-2", because=turn.sources["ice_storm"], storm="Ice Storm")
    if ICE_ELEMENTAL not in turn.state.monsters:
        return
    melting = turn.hits.get(ICE_ELEMENTAL, {}).get("fireball")
    if melting:
        because = tuple(melting)
        turn.report_about(ICE_ELEMENTAL, "evaporates", "FM-FIREBALL-4", because=because, who=ICE_ELEMENTAL)
        destroy(turn, ICE_ELEMENTAL)


def destroy(turn: Turn, name: str) -> None:
    """Remove a monster at once, because of the last event: it no longer attacks this turn (spec: engine 6.7)."""
    turn.record_source(name)
    state = turn.state
    state.monsters.pop(name).marks.clear()
    state.tombstone = [*state.tombstone, name]
    turn.hits.pop(name, None)


def duration(cast: Cast, turns: int) -> int:
    """Return `turns`, or for good if the spell was made permanent (FM-PERM-3)."""
    return JUST_PERMANENT if cast.permanent and cast.spell.can_be_permanent else turns


def lasting(turn: Turn, cast: Cast, turns: int, present: int) -> int:
    """Return `duration` on top of a mark that is `present`: one made permanent in this turn stays so (FM-PERM-3)."""
    if present == JUST_PERMANENT and turn.rules.permanent_outlasts_its_like:
        return JUST_PERMANENT
    return duration(cast, turns)


__all__ = [
    "FIRE_ELEMENTAL",
    "announce_spells",
    "cast_spells",
    "destroy",
    "duration",
    "finish_dispel",
    "lasting",
    "rage_storms",
    "work",
]
