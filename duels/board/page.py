"""The battle page as a whole: its state and its parts."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from duels.board.bar import Bar, PageState, make_bar
from duels.board.call import Call, make_call
from duels.board.clocks import Clocks, make_clocks
from duels.board.coach import Coach, make_coach
from duels.board.columns import Legend, column_of_seq, columns_of_turn, make_legend
from duels.board.dangers import TONES, ShownDanger
from duels.board.draws import Draw, make_draw
from duels.board.ending import describe_end
from duels.board.journal import ConsentQuestion, Journal, make_consent, make_journal
from duels.board.links import (
    BattleLinks,
    Link,
    MageLink,
    battle_url,
    link_battle,
    link_clause,
    link_position,
    rules_url,
)
from duels.board.pads import IdleCreature, OrderPads, Rows, Target, Targets, make_pads, make_question, place_questions
from duels.board.parts import Part
from duels.board.seats import make_sides
from duels.board.sides import Sides
from duels.board.story import ShownGestures, Story, describe_rule, made_by, make_story
from duels.board.stuck import StuckNote, make_stuck_note
from duels.order_form import OrderForm, is_speech, part_speech, split_line
from duels.selectors.battle_view import BattleView
from duels.selectors.clocks import BattleClocks
from duels.selectors.ending import Ending
from rules_engine import Problem, get_ruleset
from rules_engine.notation import LONGEST_SPEECH
from rules_engine.vain_spells import find_attacker, find_idle_creatures

# The box beside the board has room for so many dangers.
MOST_IN_BOX = 3


@dataclass(frozen=True)
class Records(Part):
    """Which texts about the battle can be read."""

    has_turns: bool
    is_over: bool
    rules_url: str
    # The mage whose player may ask for a hint (or ""), and whether bots can give their reasons.
    hint_for: str = ""
    has_bots: bool = False
    replay_url: str = ""


@dataclass(frozen=True)
class SentOrders:
    """Orders that were just sent and not played. The page shows them again, with everything that was typed.

    `problems` are those with the grammar or the rules. `ask_to_confirm`: there is a severe warning, so the user must
    press the button again. `stale`: the orders were for a stage that is over. `too_late` says that their time was over.
    """

    form: OrderForm | None = None
    problems: Sequence[Problem] = ()
    ask_to_confirm: bool = False
    stale: bool = False
    too_late: str = ""


@dataclass(frozen=True)
class Board:
    """The battle page for one viewer: fields that never change in a turn, and the parts that the page draws.

    `key` changes with every stage and with the end. `waits`: the page waits for orders of this viewer.
    """

    number: int
    name: str
    terms: str
    rules_url: str
    links: BattleLinks
    page_title: str
    role: str
    state: PageState
    over: bool
    mage: str | None
    stage: str
    key: str
    ready_names: str
    waiting_names: str
    time_mark: str
    call: Call
    question: ConsentQuestion | None
    stuck: StuckNote | None
    sides: Sides
    orders: OrderPads
    bar: Bar
    time: Clocks | None
    journal: Journal
    story: Story
    legend: Legend
    records: Records
    coach: Coach | None = None
    draw: Draw | None = None

    @property
    def deadly(self) -> tuple[ShownDanger, ...]:
        """What can kill the viewer's mage soon, for the box beside the board, most urgent first."""
        found = [row for row in self.threats if row.ends][:MOST_IN_BOX]
        if not found:
            return ()
        first, *others = found
        label = next(column.label for column in self.sides.columns if column.now)
        title = _("Turn %(turn)s can kill you") % {"turn": label} if first.tone == "kill" else first.title
        return (replace(first, title=title), *others)

    @property
    def lesser_threats(self) -> tuple[ShownDanger, ...]:
        """The threats that are not in the box."""
        ending = [row for row in self.threats if row.ends]
        return tuple(ending[MOST_IN_BOX:] + [row for row in self.threats if not row.ends])

    @property
    def threats(self) -> tuple[ShownDanger, ...]:
        """Everything that threatens the viewer's mage and can be explained, most urgent first."""
        if self.mage is None or self.over:
            return ()
        found = (row for side in self.sides.above for row in side.dangers if row.title)
        return tuple(sorted(found, key=lambda row: TONES.index(row.tone)))

    @property
    def waits(self) -> bool:
        return self.state == "draft"

    @property
    def waits_for_bots(self) -> bool:
        """True while only bots have orders to give: they answer within seconds."""
        bots = {side.name for side in self.sides.above if side.is_bot}
        return self.state == "sealed" and bool(self.waiting_names) and {*self.waiting_names.split(",")} <= bots

    @property
    def parts(self) -> dict[str, Part]:
        """Return the parts by name, in the order of the page, without those that are not drawn."""
        drawn: dict[str, Part | None] = {
            "call": self.call,
            "consent": self.question,
            "stuck": self.stuck,
            "draw": self.draw,
            "sides": self.sides,
            "orders": self.orders,
            "bar": self.bar,
            "clocks": self.time,
            "journal": self.journal,
            "story": self.story,
            "legend": self.legend,
            "records": self.records,
            "coach": self.coach,
        }
        return {name: part for name, part in drawn.items() if part is not None}

    @property
    def versions(self) -> dict[str, str]:
        """Return the version of every part: a page that has a part in that version need not get it again."""
        return {name: part.version for name, part in self.parts.items()}

    @property
    def is_refused(self) -> bool:
        """Whether the orders cannot be played: they have problems, or a question must be answered first."""
        return bool(self.bar.problems or (self.bar.button and self.bar.button.held))

    @property
    def is_severe(self) -> bool:
        """Whether the orders end the mage's battle, so that the button must be pressed twice."""
        return bool(self.bar.button and self.bar.button.tone == "blood")


def build_board(
    view: BattleView,
    *,
    now: datetime.datetime,
    sent: SentOrders | None = None,
    looking: bool = False,
    next_battle: Link | None = None,
    time: BattleClocks | None = None,
    ending: Ending | None = None,
    coaches: bool = False,
    asks_draw: bool = False,
) -> Board:
    """Return the battle page.

    `looking`: a janitor looks through the mage's eyes, without any buttons. `time` is what the viewer may know and do
    about time, `ending` the effect of the end on the player. `coaches`: a first duel has its coach. `asks_draw`: they
    want to offer a draw, and have not confirmed it.
    """
    sent = sent or SentOrders()
    problems = sent.problems or view.problems
    state = _name_state(view, stale=sent.stale or bool(sent.too_late), looking=looking)
    ruleset = get_ruleset(view.battle.ruleset, view.battle.edition)
    rules = rules_url(ruleset)
    place_of = cache(partial(link_clause, ruleset))
    targets = _rank_targets(view)
    idle = _find_idle(view)
    rows = {
        question.id: make_question(question, place_of(question.clause), targets, idle.get(question.id))
        for question in view.questions
    }
    kept = dict(time.reliability) if time is not None else {}
    chosen = (view.me or "") if len(view.mine) > 1 else ""
    links = link_battle(view.battle.number, chosen)
    sides = make_sides(view, state, rows, book=ruleset.book, rules=rules, kept=kept)
    story = make_story(view, _made_by_turn(view), place_of, partial(describe_rule, ruleset), mage=chosen)
    fallen = ending.score.mage if ending and ending.score and ending.score.is_dead else ""
    ended = describe_end(view, ending)
    call = make_call(view, state, story.latest, _choose_hands(view), now, ended=ended, fallen=fallen)
    return Board(
        number=view.battle.number,
        name=str(view.battle),
        terms=_name_terms(view),
        rules_url=rules,
        links=links,
        page_title=call.title,
        role="player" if view.me else "spectator",
        state=state,
        over=view.over,
        mage=view.me,
        stage=str(view.stage_key),
        key=f"{view.stage_key}{'.over' if view.over else ''}",
        ready_names=",".join(row.name for row in view.combatants if row.asked and row.ready),
        waiting_names=",".join(view.waiting_for),
        time_mark=time.mark(view.clocks) if time else "",
        call=call,
        question=make_consent(view, links.consent),
        stuck=make_stuck_note(view),
        sides=sides,
        orders=_make_orders(
            view, state, rows, sent.form if problems else None, events=len(story.latest.lines) if story.latest else 0
        ),
        bar=make_bar(
            view,
            state,
            open_questions=[row for row in rows.values() if row.open],
            problems=problems,
            typed=_read_typed(view, sent.form, problems),
            late=sent.form.text if sent.form and state == "stale" else "",
            too_late=sent.too_late,
            ask_to_confirm=sent.ask_to_confirm,
            change_url=links.change,
            next_battle=_next_hand(view) or next_battle,
            ending=ending,
            example=sides.above[0].name if sides.above else "",
            rules=rules,
        ),
        time=make_clocks(view, time, now, url=links.time, surrender_url=links.resign if state == "draft" else ""),
        journal=make_journal(view),
        story=story,
        legend=make_legend(view),
        records=_list_records(view, state, rules),
        coach=make_coach(view) if coaches and state == "draft" else None,
        draw=make_draw(
            time.draw if time else None,
            is_asked=asks_draw,
            mage=view.me or "",
            stage=str(view.stage_key),
            url=links.draw,
            ask_url=links.ask_draw,
            back_url=links.page,
        ),
    )


def build_position_board(
    view: BattleView, *, page: str, title: str, sent: SentOrders | None = None, ready_word: str = ""
) -> Board:
    """Return the board of a position outside a battle, on `page`, with `ready_word` on its button if it is not severe.

    The page takes the orders, and answers ``?fragment=board`` with the board alone.
    """
    board = build_board(view, now=timezone.now(), sent=sent, coaches=True)
    bar = board.bar
    if ready_word and bar.button and not board.is_severe:
        bar = replace(bar, button=replace(bar.button, word=ready_word))
    return replace(board, links=link_position(page), bar=bar, page_title=title)


def _list_records(view: BattleView, state: PageState, rules: str) -> Records:
    is_hinted = state == "draft" and view.battle.practice and not view.stage_key.stage
    may_ask_bots = view.over or bool(view.battle.practice and view.me and view.turns)
    return Records(
        bool(view.turns),
        view.over,
        rules,
        hint_for=view.me or "" if is_hinted else "",
        has_bots=may_ask_bots and any(row.is_bot for row in view.combatants),
        replay_url=_find_replay(view),
    )


def _find_idle(view: BattleView) -> Mapping[str, IdleCreature]:
    """Return the viewer's creatures that attack nobody in a melee, by the question about them."""
    if view.me is None or len(view.view.mages) == 2 or view.stage_key.stage:
        return {}
    ordered = view.sheet.monster_orders if view.sheet else {}
    idle = find_idle_creatures(view.view, view.me, ordered)
    proposed = _find_last_attacker(view) or find_attacker(view.view, view.me)
    return {f"TARGET {each.what}": IdleCreature(each.follows, proposed) for each in idle if each.what not in ordered}


def _find_last_attacker(view: BattleView) -> str | None:
    """Return the mage who hurt the viewer's mage in the last turn, and still fights."""
    fighting = {mage.name for mage in view.view.mages if mage.standing == "in" and mage.name != view.me}
    lines = view.stories[-1].summary.lines if view.stories else ()
    hurting = (bead.mage for line in lines if (line.key, line.about) == ("loses", "me") for bead in line.beads)
    return next((mage for mage in hurting if mage in fighting), None)


def _rank_targets(view: BattleView) -> Targets:
    """Return the viewer's possible targets: other mages, their creatures, the viewer's own creatures, and the
    viewer."""
    mages = {
        each.name: Target(3 if each.name == view.me else 0, each.hp)
        for each in view.view.mages
        if each.hp is not None and each.standing == "in"
    }
    return mages | {each.name: Target(2 if each.mine else 1, each.hp) for each in view.view.monsters}


def _name_state(view: BattleView, *, stale: bool, looking: bool) -> PageState:
    if view.over:
        return "over"
    if view.own is None:
        return "spectator"
    if looking:
        return "watch"
    if stale:
        return "stale"
    if not view.own.asked:
        return "watch"
    return "draft" if view.changing or not view.own.ready else "sealed"


def _name_terms(view: BattleView) -> str:
    stake = _("practice") if view.battle.practice else view.terms.stake.title
    return ", ".join(words for words in (view.terms.spells, stake, view.handicap) if words)


def _choose_hands(view: BattleView) -> tuple[MageLink, ...]:
    """Return the viewer's mages to choose from; none if there is only one."""
    if len(view.mine) < 2:
        return ()
    names = [combatant.mage.name for combatant in view.mine]
    return tuple(MageLink(name, battle_url(view.battle.number, name), name == view.me) for name in names)


def _next_hand(view: BattleView) -> Link | None:
    """Return another of the viewer's mages whom this battle is waiting for; that mage comes before any other battle."""
    names = (combatant.mage.name for combatant in view.mine)
    name = next((name for name in names if name != view.me and name in view.waiting_for), None)
    return Link(battle_url(view.battle.number, name), name) if name else None


def _made_by_turn(view: BattleView) -> Mapping[int, tuple[ShownGestures, ...]]:
    shown = {story.seq for story in view.stories}
    return {
        seq: tuple(row for each in columns_of_turn(view, index) for row in made_by(view.view.mages, each, view.me))
        for seq, index in column_of_seq(view).items()
        if seq in shown
    }


def _make_orders(
    view: BattleView, state: PageState, rows: Rows, refused: OrderForm | None, *, events: int
) -> OrderPads:
    """Return the pads. Words that are refused stay in their field, to be changed."""
    said = view.sheet.get("SAY") if view.sheet else None
    if not said and view.problems:
        said = part_speech(view.draft)[1]
    if refused is not None:
        said = refused.said or said
    return OrderPads(
        stage=str(view.stage_key),
        turn=view.view.label,
        events=events,
        state=state,
        mage=view.me or "",
        pads=make_pads(view.questions, view.preview, rows),
        questions=place_questions(rows),
        say=said or "",
        longest_speech=LONGEST_SPEECH,
        speaks=view.terms.chat or bool(said),
    )


def _find_replay(view: BattleView) -> str:
    is_played = any(turn.resolved_at is not None or view.over for turn in view.turns)
    return reverse("studies:battle_replay", args=[view.battle.number]) if is_played and view.battle.number else ""


def _read_typed(view: BattleView, form: OrderForm | None, problems: Sequence[Problem]) -> str:
    """Return the line with a problem: as it was sent, otherwise as it was saved; "" if no problem is in it. What the
    mage says has its own field."""
    if not problems:
        return ""
    line = form.line if form else part_speech(view.draft)[0]
    has_speech = bool(form and part_speech("\n".join(split_line(form.line)))[1])
    return line if has_speech or any(not is_speech(problem.text) for problem in problems) else ""
