"""The state of a battle as one viewer may see it, in the layout of the old server (spec 9.3)."""

from django.utils.translation import gettext as _

from duels.names import listed
from duels.selectors.battle_view import BattleView
from email_gateway.compose.parts.view_protocols import SeenBeing, SeenEnchantment, SeenMage, SeenMonster

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
    slots = {
        "book": view.view.book,
        "number": view.battle.number,
        "turn": view.battle.label,
        "mages": listed(mine),
    }
    if view.battle.kind == "duel":
        message = _("%(book)s Duel Status (game %(number)s, turn %(turn)s):")
        for_mine = _("%(book)s Duel Status for %(mages)s (game %(number)s, turn %(turn)s):")
    else:
        message = _("%(book)s Melee Status (game %(number)s, turn %(turn)s):")
        for_mine = _("%(book)s Melee Status for %(mages)s (game %(number)s, turn %(turn)s):")
    return (for_mine if mine else message) % slots


def sort_mages(view: BattleView) -> list[SeenMage]:
    """Sort the mages: first those who fight, then those who left, then the dead; each by user, then by name."""
    users = {row.name: row.user for row in view.combatants}
    place = {"in": 0, "victorious": 0, "surrendered": 1, "absent": 1, "dead": 2}
    return sorted(view.view.mages, key=lambda mage: (place.get(mage.standing, 0), users.get(mage.name, ""), mage.name))


def write_mage(view: BattleView, mage: SeenMage) -> str:
    row = next(row for row in view.combatants if row.name == mage.name)
    points = "??" if mage.hp is None else f"{mage.hp} {mage.letters}".strip()
    slots = {"mage": mage.name, "user": row.user, "points": points, "state": describe_state(view, mage)}
    lines = [_(" %(mage)s (%(user)s) HP: %(points)s State: %(state)s") % slots]
    if mage.hp is None:
        lines.append("  (" + _("out of your sight") + ")")
    elif mage.enchantments:
        lines.append("  " + write_enchantments(mage))
    lines.append("")
    if mage.banked:
        spell, target = mage.banked
        lines += [_("  Banked spell: %(spell)s at %(target)s") % {"spell": spell, "target": target}, ""]
    hands = {_("Left"): mage.left, _("Right"): mage.right}
    width = max(map(len, hands)) + 1
    lines += [f"  {f'{hand}:':<{width}} {write_string(columns)}" for hand, columns in hands.items()]
    return "\n".join(lines)


def describe_state(view: BattleView, mage: SeenMage) -> str:
    """Describe the mage's state; only the owner sees which questions are open."""
    if mage.standing == "surrendered":
        return _("OUT")
    if mage.standing == "absent":
        return _("Never moved")
    if mage.standing == "dead":
        return _("Dead")
    if mage.standing == "victorious":
        return _("Victorious")
    if view.over:  # a battle without a winner
        return _("In the circle")
    row = next(row for row in view.combatants if row.name == mage.name)
    if not row.waiting:
        return _("orders in") if row.asked or row.ready else _("waiting")
    if not row.mine:
        return _("thinking")
    return _("thinking (orders)") if view.stage_key.stage == 0 else _("thinking (answers)")


def write_enchantments(being: SeenBeing) -> str:
    return " ".join(f"{one.name}({write_turns(one)})" for one in being.enchantments)


def write_turns(enchantment: SeenEnchantment) -> str:
    return _("permanent") if enchantment.permanent else str(enchantment.turns)


def write_string(columns: str) -> str:
    return columns if len(columns) <= MOST_COLUMNS else "..." + columns[-MOST_COLUMNS:]


def write_monster(monster: SeenMonster) -> str:
    points = f"{monster.hp} {monster.letters}"
    lines = [(_(" %(creature)s HP: %(points)s") % {"creature": monster.name, "points": points}).rstrip()]
    if monster.enchantments:
        lines.append("  " + write_enchantments(monster))
    if monster.controller:
        lines.append(_("  Controller: %(mage)s") % {"mage": monster.controller})
    if monster.controller or monster.target:
        lines.append(_("  Target: %(target)s") % {"target": monster.target or _("nobody")})
    return "\n".join(lines)


def write_tombstone(view: BattleView) -> str:
    names = view.view.tombstone
    return "\n".join([_(" Dead monsters:"), *(f"     {name}" for name in names)]) if names else ""
