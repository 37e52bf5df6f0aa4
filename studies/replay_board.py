"""A turn of the replay: the board after it, its steps (orders, reveal, effects), and the ways to the other turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from django.urls import reverse
from django.utils.translation import gettext as _

from duels.board.call import outcome_words
from duels.board.columns import Legend, column_of_seq, columns_of_turn, make_legend
from duels.board.links import Link, battle_url, link_clause, replay_url, rules_url
from duels.board.seats import make_sides
from duels.board.sides import Sides
from duels.board.story import Line, ShownGestures, StoryTurn, Sum, Why, made_by, make_story_turn
from duels.names import name_sides_for
from duels.selectors.battle_view import BattleView
from duels.selectors.touches import HIT_POINTS, Touch
from rules_engine import get_ruleset
from studies.chance_graph import Graph, draw_graph
from studies.selectors.battle_replays import ALL_SEEING, LOOKING_ON, Replay, StageOrders
from studies.selectors.chances import Chances


@dataclass(frozen=True)
class Step:
    """One event of the turn: its sentence, the place on the board that it changed (or ""), and the visible hit points
    after it (``Froodal:12 Bung:9``)."""

    text: str
    look: str
    why: tuple[Why, ...]
    spot: str
    points: str


@dataclass(frozen=True)
class ShownOrders:
    """A mage's orders in one line; `is_answer`: to a question in the middle of the turn."""

    mage: str
    line: str
    is_answer: bool


@dataclass(frozen=True)
class TurnColumn:
    """A turn on the slider."""

    seq: int
    label: str
    url: str
    current: bool


@dataclass(frozen=True)
class EyesLink:
    """A choice of eyes through which to see the turn."""

    words: str
    url: str
    current: bool


@dataclass(frozen=True)
class ReplayBoard:
    """The page of one turn of the replay for one viewer.

    `points` are the hit points before the turn, `orders` those that these eyes may see, `more` are links to other
    things to do with this turn. `play_on` is the page that plays the battle on from here in another way, or "".
    """

    number: int
    name: str
    is_over: bool
    heading: str
    sides_words: str
    result: str
    page_title: str
    rules_url: str
    battle_url: str
    sides: Sides
    legend: Legend
    seq: int
    label: str
    last_label: str
    headline: str
    sums: tuple[Sum, ...]
    made: tuple[ShownGestures, ...]
    points: str
    orders: tuple[ShownOrders, ...]
    steps: tuple[Step, ...]
    eyes: tuple[EyesLink, ...]
    columns: tuple[TurnColumn, ...]
    previous: TurnColumn | None
    next: TurnColumn | None
    url: str
    more: tuple[Link, ...]
    play_on: str
    graph: Graph | None = None

    @property
    def first(self) -> TurnColumn:
        return self.columns[0]

    @property
    def last(self) -> TurnColumn:
        return self.columns[-1]


@dataclass(frozen=True)
class ReplayPlaces:
    """Where the pages of a replay are: `home` is the page of the battle, which is called `name`; `link_turn` takes a
    turn's seq and the eyes ("" for the usual ones); `more` are links to other actions on the turn; `play_on` plays on
    from it another way."""

    home: str
    name: str
    link_turn: Callable[[int, str], str]
    more: tuple[Link, ...]
    play_on: str = ""


def build_replay_board(
    replay: Replay, places: ReplayPlaces | None = None, chances: Chances | None = None
) -> ReplayBoard:
    """Return the page of a turn. It shows everything in the replay; access was decided before.

    Without `places` it is a battle of this site. With `chances` the slider of the turns is their graph.
    """
    places = places or _place_battle(replay)
    past, number = replay.past, replay.past.battle.number
    ruleset = get_ruleset(past.battle.ruleset, past.battle.edition)
    rules = rules_url(ruleset)
    columns = _make_columns(replay, places)
    urls = {column.seq: column.url for column in columns}
    at = replay.turns.index(replay.turn)
    sides = make_sides(
        past, "over", {}, book=ruleset.book, rules=rules, kept={}, links={each.label: each.url for each in columns}
    )
    story = _make_story_turn(past, cache(partial(link_clause, ruleset)))
    points = _points_before(replay)
    is_over = past.battle.is_over
    names = [row.name for row in past.combatants]
    heading = _("Replay") + f": {name_sides_for(past.me, names)}"
    return ReplayBoard(
        number=number,
        name=places.name,
        is_over=is_over,
        heading=heading,
        sides_words=name_sides_for(past.me, names),
        result=f"{outcome_words(past.result)}." if is_over and past.battle.status != "annulled" else "",
        page_title=_("Turn %(turn)s") % {"turn": replay.turn.label} + f". {heading}",
        rules_url=rules,
        battle_url=places.home,
        sides=sides,
        legend=make_legend(past),
        seq=replay.turn.seq,
        label=replay.turn.label,
        last_label=replay.turns[-1].label,
        headline=story.headline if story else "",
        sums=tuple(each for each in story.sums if each.lead) if story else (),
        made=story.made if story else (),
        points=_write_points(points),
        orders=tuple(_write_orders(each) for each in replay.orders),
        steps=tuple(_make_steps(story.lines if story else (), points, _points_after(replay), _list_spots(sides))),
        eyes=tuple(_name_eyes(replay, places)) if len(replay.choices) > 1 else (),
        columns=columns,
        previous=columns[at - 1] if at else None,
        next=columns[at + 1] if at + 1 < len(columns) else None,
        url=columns[at].url,
        more=places.more,
        play_on=places.play_on,
        graph=draw_graph(chances, replay.turn.seq, lambda seq: urls.get(seq, columns[0].url)) if chances else None,
    )


def _place_battle(replay: Replay) -> ReplayPlaces:
    battle = replay.past.battle
    more = _link_more(battle.number, replay.turn.seq, is_over=battle.is_over)
    play_on = _link_play_on(replay) if battle.is_over else ""
    return ReplayPlaces(
        battle_url(battle.number), str(battle), partial(_link_turn, battle.number), tuple(more), play_on
    )


def _link_play_on(replay: Replay) -> str:
    """Return the page that plays on after the turn; after the last, from before it."""
    after = replay.turns[replay.turns.index(replay.turn) :][:2][-1]
    return reverse("studies:try", args=[replay.past.battle.number, after.seq])


def _link_turn(number: int, seq: int, eyes: str) -> str:
    return replay_url(number, seq, **({"eyes": eyes} if eyes else {}))


def _link_more(number: int, seq: int, *, is_over: bool) -> Iterator[Link]:
    """Return links to studies and notes, once the battle is over, and to pictures, which show only public facts."""
    if is_over:
        yield Link(reverse("studies:try", args=[number, seq]), _("What if"))
        yield Link(f"{reverse('studies:analysis', args=[number])}?turn={seq}", _("Analysis"))
        yield Link(reverse("studies:notes", args=[number]), _("Notes"))
    yield Link(reverse("studies:position_svg", args=[number, seq]), _("Picture (SVG)"))
    yield Link(reverse("studies:position_png", args=[number, seq]), _("Picture (PNG)"))
    yield Link(reverse("embed_turn", args=[number, seq]), _("Page for a frame"))
    if is_over:
        yield Link(reverse("studies:animation", args=[number]), _("Whole battle (GIF)"))
        yield Link(reverse("studies:poster", args=[number]), _("Printable poster"))


def _make_columns(replay: Replay, places: ReplayPlaces) -> tuple[TurnColumn, ...]:
    # The default eyes need no parameter in the address.
    eyes = "" if replay.eyes == replay.choices[0] else replay.eyes
    return tuple(
        TurnColumn(turn.seq, turn.label, places.link_turn(turn.seq, eyes), turn == replay.turn) for turn in replay.turns
    )


def _name_eyes(replay: Replay, places: ReplayPlaces) -> Iterator[EyesLink]:
    mine = {row.name for row in replay.past.combatants if row.mine}
    order = sorted(replay.choices, key=lambda eyes: (eyes == ALL_SEEING, eyes == LOOKING_ON))
    for eyes in sorted(order, key=lambda each: each in (ALL_SEEING, LOOKING_ON)):
        words = {ALL_SEEING: _("All"), LOOKING_ON: _("Spectator")}.get(eyes, eyes)
        if eyes in mine and len(mine) == 1:
            words = _("You")
        url = places.link_turn(replay.turn.seq, "" if eyes == replay.choices[0] else eyes)
        yield EyesLink(words, url, eyes == replay.eyes)


def _make_story_turn(past: BattleView, place_of: Callable[[str], str]) -> StoryTurn | None:
    if not past.stories:
        return None
    seq, columns = past.turns[-1].seq, column_of_seq(past)
    indexes = columns_of_turn(past, columns[seq]) if seq in columns else ()
    made = tuple(row for each in indexes for row in made_by(past.view.mages, each, past.me))
    return make_story_turn(past.stories[0], past.me, made, place_of)


def _write_orders(orders: StageOrders) -> ShownOrders:
    """Return ``P/D; TARGET RH Bung``."""
    hands = dict(line.split(" ", 1) for line in orders.lines if line[:3] in ("LH ", "RH "))
    rest = [line for line in orders.lines if line[:3] not in ("LH ", "RH ")]
    pair = [f"{hands['LH']}/{hands['RH']}"] if len(hands) == 2 else [f"{hand} {made}" for hand, made in hands.items()]
    return ShownOrders(orders.mage, "; ".join([*pair, *rest]), bool(orders.stage))


def _points_before(replay: Replay) -> dict[str, int]:
    """Return the hit points before the turn of the mages whose hit points are on the board after it."""
    shown = _points_after(replay)
    return {mage.name: mage.hp for mage in replay.before.mages if mage.hp is not None and mage.name in shown}


def _points_after(replay: Replay) -> dict[str, int]:
    return {mage.name: mage.hp for mage in replay.past.view.mages if mage.hp is not None}


def _write_points(points: dict[str, int]) -> str:
    return " ".join(f"{name}:{left}" for name, left in points.items())


def _make_steps(
    lines: Sequence[Line], before: dict[str, int], after: dict[str, int], spots: frozenset[str]
) -> Iterator[Step]:
    points = dict(before)
    for line in lines:
        touch = line.touch
        if touch and touch.being in points:
            points[touch.being] += touch.points
            if touch.falls:
                points[touch.being] = after[touch.being]
        yield Step(line.text, line.look, line.why, _find_spot(touch, spots), _write_points(points))


def _list_spots(sides: Sides) -> frozenset[str]:
    """Return the places on the board that a sentence can point at."""
    spots = set()
    for side in (*sides.above, sides.below):
        spots |= {side.spot, f"{side.spot}-{HIT_POINTS}", f"{side.spot}-marks"}
        spots |= {f"{side.spot}-{string.hand}" for string in side.strings}
    beings = [being for side in (*sides.above, sides.below) for being in side.beings]
    beings += sides.masterless.beings if sides.masterless else ()
    return frozenset(spots | {being.spot for being in beings})


def _find_spot(touch: Touch | None, spots: frozenset[str]) -> str:
    if touch is None:
        return ""
    mage = f"mage-{touch.being}"
    wanted = (f"{mage}-{touch.part}" if touch.part else mage, mage, f"being-{touch.being}")
    return next((spot for spot in wanted if spot in spots), "")
