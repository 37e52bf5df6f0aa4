"""The end of a battle for its player: what ended it, its effects, the turns that mattered, and the next steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.arms.blazons import blazon_bot
from accounts.bots import BOTS
from accounts.reserved_words import GUEST_START
from duels.board.links import Link
from duels.board.parts import Part
from duels.board.signs import SYMBOLS, is_mirrored
from duels.names import list_result_names, listed
from duels.selectors.battle_view import BattleView
from duels.selectors.ending import Ending, RatingGain, ScoreGain, TurnThatMattered
from duels.selectors.last_turn import EndingBlow, LastTurn, read_last_turn
from rules_engine import AGREED, NO_RESULT, get_ruleset, name_spell
from rules_engine.blows import Blow
from rules_engine.bots.findings import percent
from rules_engine.schools import STAB, School, name_sign

# Where the bots stand on the slope, in the units of its drawing, from the foot to the top.
_RUNGS = ((13, 168), (57, 118), (101, 68), (145, 18), (280, -2))
_WITH_RUNGS = ("victory", "defeat")
BLUNDER = "??"
# A Shield stops these.
_SHIELDED = ("Magic Missile", STAB)


@dataclass(frozen=True)
class GainBox:
    """A number before and after the battle, with the reason in words."""

    title: str
    before: int
    after: int
    reason: str


@dataclass(frozen=True)
class Rematch:
    """The button for a rematch, or with `url` the link to one that was already requested; `note` says by whom.

    `waits`: it has begun.
    """

    word: str
    note: str
    action: str = ""
    url: str = ""
    waits: bool = False


@dataclass(frozen=True)
class SeriesBead:
    """A gesture of the spell that ended the battle; the `last` one completed it."""

    letter: str
    symbol: str
    mirror: bool
    turn: str
    last: bool


@dataclass(frozen=True)
class Cause:
    """What ended the battle: its sign, its name, what it did, and the gestures of the spell."""

    sign: str
    title: str
    fact: str
    beads: tuple[SeriesBead, ...]


@dataclass(frozen=True)
class Mattered:
    """A turn that mattered: what happened in it, and the player's chance before and after it."""

    label: str
    sentence: str
    before: str
    after: str
    url: str


@dataclass(frozen=True)
class Rung:
    """A bot on the mountain: beaten, the next one to beat, or neither."""

    strength: str
    name: str
    x: int
    y: int
    is_beaten: bool
    is_next: bool


@dataclass(frozen=True)
class EndHand:
    symbol: str
    mirror: bool


@dataclass(frozen=True)
class EndScene:
    """The picture: victory, defeat, draw or death; the last gestures of the mages in it, and the bots on the slope."""

    kind: str
    hands: tuple[EndHand, ...]
    rungs: tuple[Rung, ...]


@dataclass(frozen=True)
class NextBot:
    """The next bot to beat: its name on the page, and its strength for the form that starts the duel."""

    strength: str
    name: str
    is_rated: bool

    @property
    def arms(self) -> str:
        return blazon_bot(self.name, self.strength)


@dataclass(frozen=True)
class Lesson:
    """The lesson that fits what went wrong in a first duel."""

    sentence: str
    word: str
    url: str


@dataclass(frozen=True)
class End(Part):
    """The part of a finished battle's page that is for its player.

    `main` is the one step of the ember button: begin, accept, play (the rematch), rung, solve or rematch. `study` is
    the turn that changed most for a player who has nothing to solve, after a death or a draw.
    `is_settling`: the rating is not known yet. `mattered` is empty without an analysis that the player may read;
    `is_analysing`: one is coming, and `analysis_url` leads to it. `death_url` leads to the page of a mage who died for
    good, `lives` says that a mage who died does not.
    """

    scene: EndScene
    main: str
    cause: Cause | None
    mattered: tuple[Mattered, ...]
    is_analysing: bool
    solve: Mattered | None
    study: Mattered | None
    next_bot: NextBot | None
    lesson: Lesson | None
    lives: str
    gone: str
    kept: str
    next_name: str

    gains: tuple[GainBox, ...]
    analysis_url: str
    rematch: Rematch | None
    is_settling: bool
    death_url: str
    bots_url: str
    against_bot: bool
    # The people one has fought, each with the page on which to write to them about the battle.
    people: tuple[Link, ...]
    next: Link | None


def make_end(view: BattleView, ending: Ending | None, next_battle: Link | None) -> End | None:
    """Return the end for the player; None for spectators and while the battle runs. `ending` None: only the links."""
    if view.me is None or not view.over:
        return None
    ending = ending or Ending()
    is_dead = bool(ending.score and ending.score.is_dead)
    score = _score_box(ending.score) if ending.score and not is_dead else None
    found = (score, _rating_box(ending.rating, ending.opponents) if ending.rating else None)
    query = {"ruleset": view.battle.ruleset, "mage": view.me, "strength": ending.strength}
    mattered = tuple(_describe_mattered(each, view.battle.number) for each in ending.mattered or ())
    kind = _name_kind(view, is_dead=is_dead)
    next_bot = _find_next_bot(view, ending) if kind == "victory" else None
    is_silent = view.is_forever_silent
    rematch = _offer_rematch(view, ending) if ending.opponents and not is_silent else None
    solve = _find_mistake(ending, mattered, view.battle.number) if kind != "victory" else None
    return End(
        scene=EndScene(kind, _list_hands(view, kind), _list_rungs(ending, next_bot) if kind in _WITH_RUNGS else ()),
        main=_choose_main(is_dead=is_dead, rematch=rematch, next_bot=next_bot, solve=solve),
        cause=_describe_cause(view, ending.last) if ending.last else None,
        mattered=mattered,
        is_analysing=ending.is_analysing,
        solve=solve,
        study=_find_largest(ending, mattered) if is_dead or (kind == "draw" and solve is None) else None,
        next_bot=next_bot,
        lesson=_find_lesson(view, ending.last) if view.terms.lesson and kind == "defeat" else None,
        lives=_say_lives(view) if not is_dead else "",
        gone=_describe_gone(ending.score) if ending.score and is_dead else "",
        kept=_describe_kept(ending) if is_dead else "",
        next_name=ending.next_name,
        gains=tuple(box for box in found if box),
        analysis_url=reverse("studies:analysis", args=[view.battle.number]) if view.turns else "",
        is_settling=ending.is_settling,
        death_url=reverse("mage_end", args=[view.me]) if is_dead else "",
        rematch=rematch,
        bots_url=f"{reverse('play')}?{urlencode({name: value for name, value in query.items() if value})}",
        against_bot=bool(ending.strength),
        people=() if is_silent else _list_people(view),
        next=next_battle,
    )


def _list_people(view: BattleView) -> tuple[Link, ...]:
    others = [each for each in view.combatants if not each.mine and not each.is_bot]
    return tuple(
        Link(f"{reverse('thread', args=[each.name])}?battle={view.battle.number}", each.name)
        for each in others
        if not each.user.lower().startswith(GUEST_START)
    )


def describe_end(view: BattleView, ending: Ending | None) -> str:
    """Say in a sentence what ended the battle for its player; "" if nothing in the last turn did."""
    last = ending.last if ending else None
    if view.me is None or last is None or view.battle.status != "finished":
        return ""
    turn = {"turn": last.label}
    if len(view.combatants) == 2 and len(last.blows) == 2:
        if all(each.blow.points for each in last.blows):
            return _("Both mages reach 0 in turn %(turn)s.") % turn
        return _("Both mages die in turn %(turn)s.") % turn
    told = _choose_blow(view, last)
    if told is not None:
        return _say_blow(view, told, last.label)
    if view.me in last.surrendered:
        return _("You surrender in turn %(turn)s.") % turn
    if last.surrendered:
        words = ngettext(
            "%(names)s surrenders in turn %(turn)s.", "%(names)s surrender in turn %(turn)s.", len(last.surrendered)
        )
        return words % {"names": listed(last.surrendered), **turn}
    return ""


@dataclass(frozen=True)
class Death:
    """What killed a mage: a `creature`, or the `spell` of the mage `by` (itself or ""), or with `stab` their stab; the
    gestures of the spell, and the sign of its school."""

    creature: str
    by: str
    spell: str
    stab: bool
    sign: str
    beads: tuple[SeriesBead, ...]


def describe_death(view: BattleView, mage: str, seq: int) -> Death | None:
    """Return what killed a mage in turn `seq` of a battle that is over; None for what was no blow, such as a forfeit,
    and while the battle runs."""
    last = read_last_turn(view, seq)
    told = next((each for each in last.blows if each.blow.victim == mage), None) if last else None
    if told is None:
        return None
    blow = told.blow
    return Death(
        creature=blow.by if blow.is_creature else "",
        by=blow.who,
        spell="" if blow.is_creature or blow.by == STAB else name_spell(blow.by),
        stab=blow.by == STAB,
        sign=_find_sign(view, blow),
        beads=_list_beads(told),
    )


def _say_blow(view: BattleView, told: EndingBlow, turn: str) -> str:
    blow = told.blow
    slots = {"mage": blow.who, "creature": blow.by, "spell": name_spell(blow.by), "turn": turn}
    if blow.is_creature:
        if told.master == view.me:
            return _("Your %(creature)s ends it in turn %(turn)s.") % slots
        return _("%(creature)s ends it in turn %(turn)s.") % slots
    if blow.by == STAB:
        words = (
            _("Your stab ends it in turn %(turn)s.")
            if blow.who == view.me
            else _("%(mage)s's stab ends it in turn %(turn)s.")
        )
        return words % slots
    if blow.who == view.me:
        return _("Your %(spell)s ends it in turn %(turn)s.") % slots
    if blow.who:
        return _("%(mage)s's %(spell)s ends it in turn %(turn)s.") % slots
    return _("%(spell)s ends it in turn %(turn)s.") % slots


def _choose_blow(view: BattleView, last: LastTurn) -> EndingBlow | None:
    """Return the blow to tell of: the one that killed the player's mage, or else the last one."""
    own = next((each for each in last.blows if each.blow.victim == view.me), None)
    return own or (last.blows[-1] if last.blows else None)


def _describe_cause(view: BattleView, last: LastTurn) -> Cause | None:
    told = _choose_blow(view, last)
    if told is None:
        return None
    if len(view.combatants) == 2 and len(last.blows) == 2:
        return _describe_both(view, last)
    blow = told.blow
    return Cause(_find_sign(view, blow), _name_blow(blow), _say_damage(view, told), _list_beads(told))


def _find_sign(view: BattleView, blow: Blow) -> str:
    if blow.is_creature:
        return School.SUMMON.value
    known = get_ruleset(view.battle.ruleset, view.battle.edition).spells
    return name_sign(blow.by) if blow.by in known else School.HARM.value


def _list_beads(told: EndingBlow) -> tuple[SeriesBead, ...]:
    """Return the gestures of the spell; none for a creature."""
    steps = [] if told.blow.is_creature else list(told.steps)
    return tuple(
        SeriesBead(letter, SYMBOLS[letter], is_mirrored(letter, told.hand), turn, place == len(steps))
        for place, (letter, turn) in enumerate(steps, 1)
        if letter in SYMBOLS
    )


def _describe_both(view: BattleView, last: LastTurn) -> Cause:
    """Return the blows of which both mages of a duel died."""
    own, other = sorted((each.blow for each in last.blows), key=lambda blow: blow.victim != view.me)
    names = list(dict.fromkeys([_name_blow(own), _name_blow(other)]))
    slots = {
        "points": own.points,
        "blow": _name_blow(own),
        "mage": other.victim,
        "others": other.points,
        "other": _name_blow(other),
    }
    fact = ""
    if own.points and other.points:
        fact = _("You lose %(points)s to %(blow)s, %(mage)s loses %(others)s to %(other)s.") % slots
    return Cause(School.HARM.value, listed(names), fact, ())


def _name_blow(blow: Blow) -> str:
    if blow.is_creature:
        return blow.by
    return _("Stab") if blow.by == STAB else name_spell(blow.by)


def _say_damage(view: BattleView, told: EndingBlow) -> str:
    blow = told.blow
    if not blow.points:
        return _("It kills at any number of hit points.")
    if blow.victim == view.me:
        words = _("%(points)s damage. You had %(before)s.")
    else:
        words = _("%(points)s damage. %(mage)s had %(before)s.")
    return words % {"points": blow.points, "mage": blow.victim, "before": told.before}


def _describe_mattered(turn: TurnThatMattered, number: int) -> Mattered:
    page = reverse("studies:analysis", args=[number])
    before, after = percent(turn.before), percent(turn.after)
    return Mattered(turn.label, turn.sentence, before, after, f"{page}?turn={turn.seq}")


def _find_mistake(ending: Ending, mattered: Sequence[Mattered], number: int) -> Mattered | None:
    """Return the player's first mistake of 20 points of chance or more, with the page on which to solve it."""
    pairs = zip(ending.mattered or (), mattered, strict=True)
    found = next(((turn.seq, shown) for turn, shown in pairs if turn.mark == BLUNDER and turn.can_be_solved), None)
    return replace(found[1], url=reverse("studies:mistake", args=[number, found[0]])) if found else None


def _find_largest(ending: Ending, mattered: Sequence[Mattered]) -> Mattered | None:
    """Return the turn that changed the player's chance most."""
    pairs = list(zip(ending.mattered or (), mattered, strict=True))
    return max(pairs, key=lambda pair: abs(pair[0].after - pair[0].before))[1] if pairs else None


def _name_kind(view: BattleView, *, is_dead: bool) -> str:
    result = view.result or {}
    winners, sharing = list_result_names(view.result, "winners"), list_result_names(view.result, "sharing")
    if is_dead:
        return "death"
    if view.battle.status != "finished" or result.get("reason") in NO_RESULT:
        return "other"
    if any(row.mine and row.name in winners for row in view.combatants):
        return "victory"
    return "defeat" if winners else "draw" if sharing or result.get("reason") in ("all_dead", AGREED) else "other"


def _list_hands(view: BattleView, kind: str) -> tuple[EndHand, ...]:
    """Return the last gestures of the mage's hands; for a draw between two, of both mages."""
    mine = [mage for mage in view.view.mages if mage.name == view.me]
    shown = mine
    if kind == "draw" and len(view.view.mages) == 2:
        shown = [*mine, *(mage for mage in view.view.mages if mage.name != view.me)]
    hands = [(hand, string[-1:]) for mage in shown for hand, string in (("LH", mage.left), ("RH", mage.right))]
    return tuple(EndHand(SYMBOLS[letter], is_mirrored(letter, hand)) for hand, letter in hands if letter in SYMBOLS)


def _list_rungs(ending: Ending, next_bot: NextBot | None) -> tuple[Rung, ...]:
    upcoming = next_bot.strength if next_bot else ""
    return tuple(
        Rung(bot.strength, bot.strength, x, y, bot.strength in ending.beaten, bot.strength == upcoming)
        for bot, (x, y) in zip(BOTS, _RUNGS, strict=True)
        if ending.strength
    )


def _find_next_bot(view: BattleView, ending: Ending) -> NextBot | None:
    """Return the weakest bot above this one that the user has not beaten."""
    strengths = [bot.strength for bot in BOTS]
    if ending.strength not in strengths:
        return None
    above = strengths[strengths.index(ending.strength) + 1 :]
    found = next((each for each in above if each not in ending.beaten), None)
    return NextBot(found, found, view.terms.stake.with_bots) if found else None


def _choose_main(*, is_dead: bool, rematch: Rematch | None, next_bot: NextBot | None, solve: Mattered | None) -> str:
    if is_dead:
        return "begin"
    if rematch is not None and rematch.waits:
        return "play"
    if rematch is not None and rematch.note and rematch.action:
        return "accept"
    if next_bot is not None:
        return "rung"
    if solve is not None:
        return "solve"
    return "rematch" if rematch is not None and rematch.action else ""


def _find_lesson(view: BattleView, last: LastTurn | None) -> Lesson | None:
    """Return the lesson on what would have stopped the blow that ended a first duel."""
    told = _choose_blow(view, last) if last else None
    if told is None or told.blow.victim != view.me:
        return None
    blow = told.blow
    name = name_spell("Shield") if blow.is_creature or blow.by in _SHIELDED else name_spell("Counter Spell")
    slots = {
        "spell": name,
        "blow": _("a stab") if blow.by == STAB else blow.by if blow.is_creature else name_spell(blow.by),
    }
    slug = "shield" if blow.is_creature or blow.by in _SHIELDED else "counter"
    return Lesson(
        _("A %(spell)s stops %(blow)s.") % slots,
        _("Practise the %(spell)s") % slots,
        reverse("studies:lesson_start", args=[slug]),
    )


def _say_lives(view: BattleView) -> str:
    """Say that a mage who died in this battle lives: the death was not real."""
    dead = list_result_names(view.result, "dead")
    mine = [row.name for row in view.combatants if row.mine and row.name in dead]
    if view.battle.status != "finished" or not mine:
        return ""
    if view.terms.stake.is_event:  # the mage can have died elsewhere meanwhile
        return _("Nobody dies for good in a league or cup.")
    if len(dead) == len(view.combatants) == 2:
        return _("Friendly, so both mages live.")
    return _("Friendly, so your mage lives.")


def _describe_gone(score: ScoreGain) -> str:
    if score.place is None:
        return _("Score %(score)s") % {"score": score.before}
    return _("Score %(score)s, place %(place)s") % {"score": score.before, "place": score.place}


def _describe_kept(ending: Ending) -> str:
    words = []
    if ending.rating:
        words.append(_("Rating %(rating)s") % {"rating": ending.rating.after})
    if ending.keeps:
        battles = ngettext("%(n)s battle", "%(n)s battles", ending.keeps.battles) % {"n": ending.keeps.battles}
        trophies = ngettext("%(n)s trophy", "%(n)s trophies", ending.keeps.trophies) % {"n": ending.keeps.trophies}
        words += [battles, trophies] if ending.keeps.trophies else [battles]
    return ", ".join(words)


def _score_box(score: ScoreGain) -> GainBox:
    title = _("%(mage)s's score") % {"mage": score.mage}
    return GainBox(title, score.before, score.after, _explain_score(score))


def _explain_score(score: ScoreGain) -> str:
    change = score.after - score.before
    if score.is_dead:
        return _("%(mage)s is dead and leaves the ladder.") % {"mage": score.mage}
    if score.reason == "won":
        words = ngettext("+%(n)s for the mage you beat.", "+%(n)s for the mages you beat.", change)
        return words % {"n": change}
    if score.reason == "shared":
        return _("+%(n)s: everyone who surrendered last shares the points.") % {"n": change}
    if score.reason == "surrendered":
        return _("Surrender costs a point.") if change else _("Surrender costs a point, but no score falls below zero.")
    return {
        "withheld": _("Your score was too far above the others' to gain a point."),
        "repeated": _("You have beaten the same users too often within 30 days to gain a point."),
        "drew": _("A draw changes no score."),
    }.get(score.reason, _("Defeat costs no points."))


def _rating_box(rating: RatingGain, opponents: tuple[str, ...]) -> GainBox:
    change = f"{rating.after - rating.before:+d}".replace("-", "−")
    if rating.faced is None:
        sentence = _("%(change)s against %(mages)s.") % {"change": change, "mages": listed(opponents)}
    else:
        sentence = _("%(change)s: %(mage)s was rated %(rating)s.")
        sentence %= {"change": change, "mage": listed(opponents), "rating": rating.faced}
    return GainBox(_("Your rating"), rating.before, rating.after, sentence)


def _offer_rematch(view: BattleView, ending: Ending) -> Rematch:
    facts = view.battle
    action = reverse("challenges:rematch", args=[facts.number])
    if facts.rematch is None or ending.strength:
        return Rematch(_("Rematch"), "", action)
    if ending.rematch_runs:
        url = reverse("duels:battle", args=[facts.rematch])
        return Rematch(_("Play the rematch"), _("The rematch has begun."), url=url, waits=True)
    if facts.rematch_by in ending.opponents:
        return Rematch(_("Accept rematch"), _("%(mage)s wants a rematch.") % {"mage": facts.rematch_by}, action)
    asked = _("You asked %(mages)s for a rematch. They have not answered yet.") % {"mages": listed(ending.opponents)}
    return Rematch(_("See rematch"), asked, url=reverse("challenges:detail", args=[facts.rematch]))
