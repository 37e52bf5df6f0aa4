"""The status of a battle in the layout of the old server (spec 9.3), in our words, as one viewer may see it."""

from duels.selectors import BattleView
from email_gateway.compose.seen import SeenBeing, SeenMage, SeenMonster

MOST_COLUMNS = 60


def write_status(view: BattleView) -> str:
    """Return the status block: every mage, every monster, the tombstone."""
    parts = [] if view.over else [write_heading(view)]
    parts += [write_mage(view, mage) for mage in sort_mages(view)]
    parts += [write_monster(monster) for monster in sorted(view.view.monsters, key=lambda one: one.name)]
    tombstone = write_tombstone(view)
    return "\n\n".join([*parts, *([tombstone] if tombstone else [])])


def write_heading(view: BattleView) -> str:
    mine = [combatant.mage.name for combatant in view.mine]
    whose = f" for {join_names(mine)}" if mine else ""
    kind = view.battle.kind.capitalize()
    return f"{view.view.book} {kind} Status{whose} (game {view.battle.number}, turn {view.battle.label}):"


def sort_mages(view: BattleView) -> list[SeenMage]:
    """Those who fight first, then those who surrendered, then the dead; within that by user, then by name."""
    users = {row.name: row.user for row in view.combatants}
    place = {"in": 0, "victorious": 0, "surrendered": 1, "dead": 2}
    return sorted(view.view.mages, key=lambda mage: (place.get(mage.standing, 0), users.get(mage.name, ""), mage.name))


def write_mage(view: BattleView, mage: SeenMage) -> str:
    row = next(row for row in view.combatants if row.name == mage.name)
    points = "??" if mage.hp is None else f"{mage.hp} {mage.letters}".strip()
    lines = [f" {mage.name} ({row.user}) HP: {points} State: {describe_state(view, mage)}"]
    if mage.hp is None:
        lines.append("  (out of your sight)")
    elif mage.enchantments:
        lines.append("  " + write_enchantments(mage))
    lines.append("")
    if mage.banked:
        spell, target = mage.banked
        lines += [f"  Kept spell: {spell} at {target}", ""]
    lines += [f"  Left:  {write_string(mage.left)}", f"  Right: {write_string(mage.right)}"]
    return "\n".join(lines)


def describe_state(view: BattleView, mage: SeenMage) -> str:
    """Say what the mage does; only the owner learns what they are asked for."""
    if mage.standing == "surrendered":
        return "OUT"
    if mage.standing == "dead":
        return "Dead"
    if mage.standing == "victorious":
        return "Victorious"
    if view.over:  # of a battle that nobody won
        return "In the circle"
    row = next(row for row in view.combatants if row.name == mage.name)
    if not row.waiting:
        return "orders in" if row.asked or row.ready else "waiting"
    return f"thinking ({'orders' if view.stage_key.stage == 0 else 'answers'})" if row.mine else "thinking"


def write_enchantments(being: SeenBeing) -> str:
    return " ".join(f"{one.name}({'permanent' if one.permanent else one.turns})" for one in being.enchantments)


def write_string(columns: str) -> str:
    return columns if len(columns) <= MOST_COLUMNS else "..." + columns[-MOST_COLUMNS:]


def write_monster(monster: SeenMonster) -> str:
    lines = [f" {monster.name} HP: {monster.hp} {monster.letters}".rstrip()]
    if monster.enchantments:
        lines.append("  " + write_enchantments(monster))
    if monster.controller:
        lines.append(f"  Controller: {monster.controller}")
    if monster.controller or monster.target:
        lines.append(f"  Target: {monster.target or 'nobody'}")
    return "\n".join(lines)


def write_tombstone(view: BattleView) -> str:
    names = view.view.tombstone
    return "\n".join([" Dead monsters:", *(f"     {name}" for name in names)]) if names else ""


def join_names(names: list[str] | tuple[str, ...]) -> str:
    """Write names as a sentence does: "Ayla", "Ayla and Crom", "Ayla, Crom and Ulf"."""
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), *names[-1:]])
