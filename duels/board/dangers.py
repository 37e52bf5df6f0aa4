"""What the other mages threaten, in words: the rows on the board, and what stops each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from duels.board.links import mage_spot, rules_url, spell_url
from duels.board.signs import HAND_WORDS, WORDS, SeriesStep, steps
from duels.names import listed
from duels.selectors.battle_view import BattleView
from rules_engine import Danger, Defence, Ruleset, View, Weight, find_dangers, get_ruleset, name_spell
from rules_engine.gestures import FIRE, WAITED
from rules_engine.schools import find_school
from rules_engine.tried_turn import Part

STAB = "Stab"
# The tones of rows, the worst first.
TONES = ("kill", "soon", "far", "hurts", "calm")
# With so many gestures missing a death has a thick rim.
SOON = 3
# There is room for so many rows beside a hand's string.
ROOM = 2
# Of the defences that come too late, so many are named: those that need the fewest gestures.
MOST_LATE = 3
HAND_OF = {
    "LH": gettext_lazy("%(mage)s’s left hand"),
    "RH": gettext_lazy("%(mage)s’s right hand"),
    "BH": gettext_lazy("%(mage)s’s hands"),
}
YOUR_HAND = {
    "LH": gettext_lazy("Your left hand"),
    "RH": gettext_lazy("Your right hand"),
    "BH": gettext_lazy("Your hands"),
}


@dataclass(frozen=True)
class DangerItem:
    """One part of a row: a hand, the gestures that it still needs, and what they complete."""

    slot: str
    hand: str
    spoken_hand: str
    steps: tuple[SeriesStep, ...]
    name: str


@dataclass(frozen=True)
class SeriesBead:
    """A gesture of the series that threatens: its turn if it is played, or the turn in which it may come."""

    letter: str
    turn: str
    made: bool


@dataclass(frozen=True)
class ShownDanger:
    """One threat on the board. `tone` is kill, soon, far, hurts or calm; `slot` the hand beside whose string it stands,
    and `string` the anchor of that string.

    `pips` are the gestures of its series, True for those already made. `title`, `needs`, `stops` and `rule` are for the
    sheet; a row without a title has none.
    """

    slot: str
    tone: str
    pill: str
    items: tuple[DangerItem, ...]
    damage: str = ""
    pips: tuple[bool, ...] = ()
    title: str = ""
    needs: str = ""
    stops: tuple[str, ...] = ()
    late: str = ""
    fails: str = ""
    sign: str = ""
    rule: str = ""
    rule_name: str = ""
    series: tuple[SeriesBead, ...] = ()
    string: str = ""

    @property
    def defences(self) -> tuple[str, ...]:
        lines = [_("Stops it: %(defence)s") % {"defence": stop} for stop in self.stops]
        lines += [_("Stops it, but not in time: %(spells)s.") % {"spells": self.late}] if self.late else []
        lines += [_("Doesn’t stop it: %(spells)s.") % {"spells": self.fails}] if self.fails else []
        return tuple(lines)

    @property
    def ends(self) -> bool:
        """Whether it would kill or decide."""
        return self.tone in ("kill", "soon", "far")


def make_rows(view: View, ruleset: Ruleset, mage: str, me: str | None) -> tuple[ShownDanger, ...]:
    """Return what `mage` threatens, the worst first; for a spectator (`me` is None) whom they threaten."""
    found = find_dangers(view, ruleset, mage, me)
    rules = rules_url(ruleset)
    rows = [
        replace(_make_row(each, rules, me), series=_make_series(each, view))
        for each in found
        if each.weight <= Weight.HURTS
    ]
    rows += _gather_calm([each for each in found if each.weight > Weight.HURTS], rules, me)
    return tuple(rows)


def list_dangers(view: BattleView) -> list[tuple[str, tuple[ShownDanger, ...]]]:
    """Return what the mages who fight against the viewer threaten, as on the board."""
    if view.over:
        return []
    ruleset = get_ruleset(view.battle.ruleset, view.battle.edition)
    me = find_victim(view)
    others = (mage.name for mage in view.view.mages if mage.name != view.me and mage.standing == "in")
    found = ((name, make_rows(view.view, ruleset, name, me)) for name in others)
    return [(name, rows) for name, rows in found if rows]


def are_many(rows: Sequence[ShownDanger]) -> bool:
    """Return whether a hand threatens so much that it does not fit beside its string."""
    return any(sum(row.slot == slot for row in rows) > ROOM for slot in HAND_WORDS)


def find_victim(view: BattleView) -> str | None:
    """Return the viewer's mage if it still fights: the threats are about it."""
    return next((mage.name for mage in view.view.mages if mage.name == view.me and mage.standing == "in"), None)


def _make_row(danger: Danger, rules: str, me: str | None) -> ShownDanger:
    first = next((part for part in danger.parts if part.hand), danger.parts[0])
    slot = first.hand if first.hand in ("LH", "RH") else "LH"
    alone = len(danger.parts) == 1
    is_spell = alone and bool(first.hand) and first.what != STAB
    return ShownDanger(
        slot=slot,
        tone=_find_tone(danger),
        pill=_write_pill(danger, me),
        items=tuple(
            DangerItem(
                slot=part.hand,
                hand="" if part.hand == FIRE else _("both") if part.both else _name_hands(part.hand, both=False)[:1],
                spoken_hand=_name_hands(part.hand, part.both),
                steps=steps(part.rest),
                name=name_part(part.what),
            )
            for part in danger.parts
        ),
        damage=_write_damage(danger) if danger.weight is Weight.ENDS and not danger.outright else "",
        pips=tuple(place < danger.made for place in range(danger.length)) if _has_pips(danger) else (),
        title=_write_title(danger, me),
        needs=_write_needs(danger, me),
        stops=tuple(_write_stop(each, me) for each in danger.stops if each.in_time),
        late=_list_spells([each.spell for each in danger.stops if not each.in_time][:MOST_LATE]),
        fails=_list_spells(danger.fails),
        sign="kill" if danger.weight is Weight.ENDS else find_school(first.what).value if is_spell else "harm",
        rule=spell_url(first.what, rules) if is_spell else "",
        rule_name=name_spell(first.what) if is_spell else "",
        string=f"{mage_spot(danger.mage)}-{slot}",
    )


def _make_series(danger: Danger, view: View) -> tuple[SeriesBead, ...]:
    """Return the gestures of a spell that a hand has begun, with their turns."""
    part = danger.parts[0]
    if len(danger.parts) > 1 or not part.series or part.what == STAB:
        return ()
    mage = view.mage(danger.mage)
    own = mage.left if part.hand == "LH" else mage.right
    played = [label for label, letter in zip(view.columns, own, strict=True) if letter != WAITED]
    turns = [*played[len(played) - danger.made :], f"{view.label}?"] if danger.made else [f"{view.label}?"]
    turns += [""] * (danger.length - len(turns))
    return tuple(
        SeriesBead(letter.upper(), turn, place < danger.made)
        for place, (letter, turn) in enumerate(zip(part.series, turns, strict=True))
    )


def _gather_calm(found: Sequence[Danger], rules: str, me: str | None) -> list[ShownDanger]:
    """Return a row of each hand for what does no harm at once; what hinders has its sheet."""
    rows: dict[tuple[str, bool], ShownDanger] = {}
    for danger in found:
        row = _make_row(danger, rules, me)
        hinders = danger.weight is Weight.HINDERS
        known = rows.get((row.slot, hinders))
        if hinders or known is None:
            key = (row.slot, hinders) if known is None else (row.slot + row.items[0].name, hinders)
            rows[key] = row if hinders else replace(row, title="")
        else:
            rows[row.slot, hinders] = replace(known, items=(*known.items, *row.items))
    return list(rows.values())


def _find_tone(danger: Danger) -> str:
    if danger.weight is not Weight.ENDS:
        return "hurts" if danger.weight is Weight.HURTS else "calm"
    if danger.kills_now:
        return "kill"
    return "soon" if danger.more <= SOON else "far"


def _has_pips(danger: Danger) -> bool:
    return danger.weight is Weight.ENDS and danger.more > 1


def _write_pill(danger: Danger, me: str | None) -> str:
    if danger.holds:
        return _("Holds a hand")
    if danger.kills_now:
        return _("Kills you") if me else _("Can kill")
    if danger.weight is Weight.ENDS:
        return _("Death in %(turns)s") % {"turns": danger.turns}
    if danger.creature:
        return _("creature")
    if danger.weight is Weight.HURTS:
        return _write_damage(danger)
    return _("now")


def _write_damage(danger: Danger) -> str:
    points = danger.damage
    return ngettext("%(n)s damage", "%(n)s damage", points) % {"n": points} if points else ""


def _write_title(danger: Danger, me: str | None) -> str:
    slots = {"what": listed([name_part(part.what) for part in danger.parts]), "victim": danger.victim}
    if danger.holds:
        slots["spell"] = name_spell(danger.holds)
        return (_("%(what)s holds a hand for your %(spell)s") if me else _("%(what)s holds a hand")) % slots
    if danger.kills_now and len(danger.parts) > 1:
        return (_("%(what)s kill you together") if me else _("%(what)s kill %(victim)s together")) % slots
    if danger.kills_now:
        return (_("%(what)s kills you") if me else _("%(what)s kills %(victim)s")) % slots
    if danger.weight is Weight.ENDS:
        slots["turns"] = str(danger.turns)
        if me:
            return _("%(what)s kills you in %(turns)s turns") % slots
        return _("%(what)s kills %(victim)s in %(turns)s turns") % slots
    return slots["what"]


def _write_needs(danger: Danger, me: str | None) -> str:
    """Return which hand needs what, and what it does."""
    part = danger.parts[0]
    effect = _write_effect(danger, me)
    if len(danger.parts) > 1 or not part.hand:
        return effect
    needs = _write_gestures(danger, part)
    return _("%(needs)s: %(effect)s") % {"needs": needs, "effect": effect} if effect else f"{needs}."


def _write_gestures(danger: Danger, part: Part) -> str:
    slots = {"mage": danger.mage, "spell": name_part(part.what)}
    if part.hand == FIRE:
        return _("%(mage)s has banked %(spell)s") % slots
    slots["hand"] = str(HAND_OF["BH" if part.both else part.hand]) % slots
    if part.what == STAB:
        return _("%(hand)s can stab") % slots
    slots |= {"gesture": str(WORDS[part.rest[0].upper()]), "n": str(danger.more), "letters": " ".join(part.rest)}
    if danger.more == 1 and part.both:
        return _("%(hand)s both need one more %(gesture)s for %(spell)s") % slots
    if danger.more == 1:
        return _("%(hand)s needs one more %(gesture)s for %(spell)s") % slots
    if part.both:
        return _("%(hand)s need %(n)s more gestures for %(spell)s, %(letters)s (small letters: both)") % slots
    return _("%(hand)s needs %(n)s more gestures for %(spell)s, %(letters)s") % slots


def _write_effect(danger: Danger, me: str | None) -> str:
    slots = {"n": danger.damage, "hp": danger.hp, "victim": danger.victim}
    if danger.holds:
        return _("it holds a hand that you need.") if me else ""
    if danger.illness or danger.outright:
        return _("it kills whatever hit points you have.") if me else _("it kills.")
    if danger.weight is Weight.ENDS and me:
        return _("%(n)s damage, and you have %(hp)s.") % slots
    if danger.weight is Weight.ENDS:
        return _("%(n)s damage, and %(victim)s has %(hp)s.") % slots
    return f"{_write_damage(danger)}." if danger.damage else ""


def _write_stop(stop: Defence, me: str | None) -> str:
    """Return a defence and, for its mage, what it still needs."""
    spell = name_spell(stop.spell)
    if me is None:
        return spell
    if stop.on != me:
        spell = _("%(spell)s on %(target)s") % {"spell": spell, "target": stop.on}
    slots = {"spell": spell, "hand": str(YOUR_HAND["BH" if stop.both else stop.hand])}
    slots |= {"gesture": str(WORDS[stop.rest[0].upper()]), "letters": " ".join(stop.rest)}
    if len(stop.rest) == 1 and stop.both:
        return _("%(spell)s. %(hand)s both need one more %(gesture)s.") % slots
    if len(stop.rest) == 1:
        return _("%(spell)s. %(hand)s needs one more %(gesture)s.") % slots
    if stop.both:
        return _("%(spell)s. %(hand)s need %(letters)s (small letters: both).") % slots
    if not stop.rest.isupper():
        return _("%(spell)s. %(hand)s needs %(letters)s (small letters: both hands).") % slots
    return _("%(spell)s. %(hand)s needs %(letters)s.") % slots


def _list_spells(spells: Sequence[str]) -> str:
    return listed([name_spell(each) for each in spells]) if spells else ""


def name_part(what: str) -> str:
    """Return a spell, a stab or a creature for a reader."""
    return _("a stab") if what == STAB else name_spell(what)


def _name_hands(hand: str, both: bool) -> str:
    if both:
        return _("both hands")
    return str(HAND_WORDS[hand]) if hand in HAND_WORDS else ""
