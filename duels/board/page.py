"""The whole board: who stands where, in which state the page is, and all its parts put together."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.urls import NoReverseMatch, reverse

from duels.board.bar import make_bar
from duels.board.book import make_book, make_consent
from duels.board.call import make_call
from duels.board.clocks import make_clocks
from duels.board.names import listed, rules_url
from duels.board.pads import make_pads, make_question, spells_to_choose
from duels.board.sides import make_being, make_side, make_threats
from duels.board.signs import HANDS, SECOND_HANDS, is_second, plain, steps
from duels.board.story import made_by, make_story, turn_key
from duels.board.strings import (
    idle_bead,
    list_shown,
    made_bead,
    make_columns,
    make_strings,
    my_bead,
    repeated_bead,
    veiled_bead,
)
from duels.rulebook import find_place
from rules_engine import Ruleset, get_ruleset

IN_PADS = ("gesture", "say")


def build_board(
    battle_view: Any,
    *,
    now: datetime.datetime,
    form: Any = None,
    problems: Sequence[Any] = (),
    ask_to_confirm: bool = False,
    change: bool = False,
    stale: bool = False,
    looking: bool = False,
    next_battle: Mapping[str, str] | None = None,
    threats: object = None,
    book: Any = None,
    time: Any = None,
) -> dict[str, Any]:
    """The context of the battle page.

    ``form`` is what was just sent (nothing typed is cleared), ``problems`` what the grammar or the rules found in it,
    ``ask_to_confirm`` that a severe warning stands and the button must be pressed once more, ``change`` that a player
    who is ready opened his orders again, ``stale`` that orders came for a stage that is over, ``time`` (BattleClocks)
    what may be known and done about time, ``looking`` that somebody else looks through the mage's eyes and has nothing
    to press.
    """
    view = battle_view
    problems = problems or view.problems
    state = _state(view, change or getattr(view, "changing", False), stale, looking)
    me = view.me
    placed = column_of_seq(view)
    del threats  # counted here, from the book and what this viewer sees
    drawn = list_shown(view.view)
    ruleset = get_ruleset(view.battle.ruleset, view.battle.edition)
    rules = rules_url(ruleset.name, ruleset.edition, get_ruleset(ruleset.name).edition)
    place_of = cache(lambda clause: find_place(ruleset, clause, rules) if clause else "")
    rows = {question.id: make_question(question, place_of(question.clause)) for question in view.questions}
    sides = _sides(view, state, rows, placed, drawn, book or ruleset.book, rules)
    kept = dict(time.reliability) if time is not None else {}
    for side in sides:
        side["kept"] = kept.get(side["name"], "")
    above, below = _seats(sides, me)
    pads = make_pads(view.questions, view.preview, rows)
    asked = _asked(view, rows, pads, above, below)
    urls = _urls(view, me)
    call = make_call(view, state, me, now)
    names = [row.name for row in view.combatants]
    title = f"{call['text']}. {' against '.join(names) if len(names) == 2 else listed(names)}"
    extra = any(label[-1:] in "HT" for label in view.view.columns[-7:])
    return {
        "number": view.battle.number,
        "kind_word": view.battle.kind.capitalize(),
        "melee": len(sides) > 2,
        "terms": _terms(view, ruleset),
        "rules_url": rules,
        "page_title": f"● {title}" if call.get("ember") else title,
        "role": "player" if me else "spectator",
        "state": state,
        "waits": state in ("draft", "incomplete"),
        "over": view.over,
        "mage": me,
        "hands_of": _hands_of(view, me, urls),
        "stage": str(view.stage_key),
        "key": f"{view.stage_key}{'.over' if view.over else ''}",
        "ready_names": ",".join(row.name for row in view.combatants if row.asked and row.ready),
        "waiting_names": ",".join(view.waiting_for),
        "call": call,
        "columns": make_columns(view.view.columns, drawn, _keys(view), None if view.over else view.view.label),
        "above": above,
        "below": below,
        "nobodys": _nobodys(view, rows, rules),
        "pads": pads,
        "questions": asked,
        "say": _said(view, form),
        "problems": [_problem(p) for p in problems],
        "bar": make_bar(
            view,
            state,
            open_questions=[q for q in (*rows.values(),) if q["open"]],
            typed=_typed(view, form) if problems else "",
            late=form.text if form and stale else "",
            ask_to_confirm=ask_to_confirm,
            urls=urls,
            next_battle=_next_hand(view, me) or next_battle,
        ),
        "story": make_story(
            view,
            {
                seq: [row for each in columns_of_turn(view, index) for row in made_by(view.view.mages, each, view.me)]
                for seq, index in placed.items()
            },
            place_of,
        ),
        "book": make_book(view),
        "question": make_consent(view),
        "time": make_clocks(view, time, now),
        "time_mark": time.mark(view.clocks) if time else "",
        "watch_words": "You watch this battle. You see what every mage in it saw.",
        "legend_bow": any("B" in mage.left[drawn[0] : drawn[0] + 1] for mage in view.view.mages if drawn),
        "legend_extra": extra,
        "legend_unseen": any("?" in mage.left + mage.right for mage in view.view.mages),
        **{f"{name}_url": url for name, url in urls.items()},
        "url": urls["page"],
        "socket_path": f"/ws/battles/{view.battle.number}/",
    }


def _state(view: Any, change: bool, stale: bool, looking: bool) -> str:
    if view.over:
        return "over"
    if view.hand is None:
        return "spectator"
    if looking:
        return "watch"
    if stale:
        return "stale"
    if not view.hand.asked or view.stuck:
        return "watch"
    return "draft" if change or not view.hand.ready else "sealed"


def _urls(view: Any, me: str | None) -> dict[str, str]:
    number = view.battle.number
    page = f"/battles/{number}/"
    mage = f"?mage={me}" if me and len(view.mine) > 1 else ""
    joint = "&" if mage else "?"
    try:
        draft = reverse("duels:draft", args=[number])
    except NoReverseMatch:
        draft = f"{page}draft/"
    return {
        "page": page + mage,
        "post": page + mage,
        "change": f"{page}{mage}{joint}change=1",
        "fragment": f"{page}{mage}{joint}fragment=board",
        "draft": draft,
        "api": f"/api/battles/{number}/{mage}",
    }


def _terms(view: Any, ruleset: Ruleset) -> str:
    return f"{ruleset.called}, {'practice' if view.battle.practice else view.terms.stake.title}"


def _hands_of(view: Any, me: str | None, urls: Mapping[str, str]) -> list[dict[str, Any]]:
    if len(view.mine) < 2:
        return []
    base = f"/battles/{view.battle.number}/"
    names = [combatant.mage.name for combatant in view.mine]
    return [{"name": name, "current": name == me, "url": f"{base}?mage={name}"} for name in names]


def _next_hand(view: Any, me: str | None) -> dict[str, str] | None:
    """Another mage of the viewer's in this battle who is waited for: he comes before any other battle."""
    name = next((c.mage.name for c in view.mine if c.mage.name != me and c.mage.name in view.waiting_for), None)
    return {"url": f"/battles/{view.battle.number}/?mage={name}", "text": name} if name else None


def _keys(view: Any) -> dict[str, str]:
    return {story.label: turn_key(story) for story in view.stories}


def column_of_seq(view: Any) -> dict[int, int]:
    """Which column of the strings belongs to which turn: the last one with its label not later than its place."""
    columns, placed, taken = list(view.view.columns), {}, set()
    for story in sorted(view.stories, key=lambda s: (s.seq, s.attempt)):
        found = [i for i, label in enumerate(columns) if label == story.label and i not in taken]
        if found:
            placed[story.seq] = found[0]
            taken.add(found[0])
    return placed


def by_column(by_seq: Mapping[int, Mapping[str, str]], placed: Mapping[int, int]) -> dict[int, dict[str, str]]:
    """What is known of the hands in a turn, by column: a second pair of gestures stands in the next one."""
    found: dict[int, dict[str, str]] = {}
    for seq, hands in by_seq.items():
        if seq in placed:
            for hand, word in hands.items():
                found.setdefault(placed[seq] + is_second(hand), {})[plain(hand)] = word
    return found


def columns_of_turn(view: Any, index: int) -> tuple[int, ...]:
    """The columns of a turn that begins with this one: the next one too where somebody made two pairs."""
    columns = view.view.columns
    second = f"{columns[index]}H"
    told_apart = any(story.label == second for story in view.stories)
    return (index, index + 1) if columns[index + 1 : index + 2] == (second,) and not told_apart else (index,)


def _sides(
    view: Any,
    state: str,
    rows: Mapping[str, Any],
    placed: Mapping[int, int],
    drawn: Sequence[int],
    book: Any,
    rules: str,
) -> list[dict[str, Any]]:
    standing = {row.name: row for row in view.combatants}
    sides = []
    for position, mage in enumerate(view.view.mages):
        casts = by_column(view.casts.get(mage.name, {}), placed)
        causes = by_column(view.causes.get(mage.name, {}), placed)
        in_hand = mage.name == view.me
        fights = mage.standing == "in" and not view.over
        beads = None if not fights else _now(view, mage, state, rows) if in_hand else _veiled(mage)
        going = book if fights else None
        strings = make_strings(mage, view.view.columns, drawn, casts, causes, going, beads, yours=in_hand)
        side = make_side(mage, position, _mage_state(view, mage, standing.get(mage.name), in_hand), strings, rules)
        side["mine"], side["in_hand"] = mage.mine, in_hand
        side["you"] = in_hand
        if not in_hand and going is not None:
            side["threats"] = make_threats(mage, going, rules)
        _add_hints(view, side, rows)
        side["beings"] = [
            make_being(monster, _monster_question(rows, monster) if state != "sealed" else None, rules)
            for monster in view.view.monsters
            if monster.controller == mage.name
        ]
        sides.append(side)
    return sides


def _mage_state(view: Any, mage: Any, row: Any, in_hand: bool) -> str:
    if mage.standing != "in":
        return {"dead": "dead", "surrendered": "surrendered", "victorious": "victorious"}.get(mage.standing, "")
    if view.over or in_hand or row is None or not row.asked:
        return ""
    return "ready" if row.ready else "thinking"


def _veiled(mage: Any) -> dict[str, dict[str, Any]]:
    return {hand: veiled_bead() for hand in _moving(mage)}


def _moving(mage: Any) -> tuple[str, ...]:
    """The hands of the turn, twice for a mage who is seen to make two pairs of gestures in it."""
    return (*HANDS, *SECOND_HANDS) if mage.pairs == 2 else HANDS


def _now(view: Any, mage: Any, state: str, rows: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    if view.stage_key.stage:
        return {hand: made_bead() for hand in _moving(mage)}
    if not view.hand.asked:
        return {hand: idle_bead() for hand in HANDS}
    if view.repeated:
        return {hand: repeated_bead(hand, letter) for hand, letter in view.repeated.items()}
    chosen = gestures_of(view)
    asked = {q.id for q in view.questions if q.kind == "gesture"}
    moving = [*HANDS, *(hand for hand in SECOND_HANDS if hand in asked or hand in chosen)]
    casts = view.preview.casts if view.preview else {}
    sealed = state in ("sealed", "watch")
    made = {hand: _cast_by(casts, hand) or listed(spells_to_choose(hand, rows), "or") for hand in moving}
    return {hand: my_bead(hand, chosen.get(hand), made[hand], sealed) for hand in moving}


def _cast_by(casts: Mapping[str, str | None], hand: str) -> str:
    return casts.get(hand) or casts.get("BH2" if is_second(hand) else "BH") or ""


def gestures_of(view: Any) -> dict[str, str]:
    """What the sheet in hand says for each hand."""
    found = {q.id: q.answered for q in view.questions if q.kind == "gesture" and q.answered}
    for hand in (*HANDS, *SECOND_HANDS):
        gesture = view.sheet.get(hand) if view.sheet else None
        if gesture and hand not in found:
            found[hand] = str(gesture)
    return found


def _add_hints(view: Any, side: dict[str, Any], rows: Mapping[str, Any]) -> None:
    threatened = {threat["slot"]: threat for threat in side["threats"]}
    for string in side["strings"]:
        hand = string["hand"]
        if side["in_hand"] and view.preview:
            string["now_hint"] = hand
            string["hint"] = _my_hint(hand, view.preview, rows)
        elif hand in threatened:
            completions = threatened[hand]["completions"]
            string["hint"] = {"completions": completions, "url": completions[0]["url"] if len(completions) < 3 else ""}
        elif not side["in_hand"] and not view.over and side["state"] in ("thinking", "ready"):
            string["hint"] = {"quiet": "nothing that ends now"}


def _my_hint(hand: str, preview: Any, rows: Mapping[str, Any]) -> dict[str, Any]:
    spell = preview.casts.get(hand) or preview.casts.get("BH")
    if spell:
        target = rows.get(f"TARGET {hand}") or rows.get("TARGET BH")
        on = next((o["label"] for o in target["options"] if o["selected"]), "") if target else ""
        return {"completions": [{"spell": spell, "on": on}]}
    choosing = spells_to_choose(hand, rows)
    if choosing:
        return {"completions": [{"spell": name} for name in choosing], "quiet": "choose which"}
    coming = sorted(preview.becomes.get(hand, ()), key=lambda b: b.more)
    coming = [b for b in coming if 1 <= b.more <= 3]
    if coming:
        return {"leads": {"spell": coming[0].spell, "more": coming[0].more, "steps": steps(coming[0].rest)}}
    return {"quiet": "no spell yet"}


def _monster_question(rows: Mapping[str, Any], monster: Any) -> Any:
    return next((row for slot, row in rows.items() if slot == f"TARGET {monster.name}"), None)


def _nobodys(view: Any, rows: Mapping[str, Any], rules: str) -> dict[str, Any] | None:
    names = {mage.name for mage in view.view.mages}
    beings = [make_being(m, _monster_question(rows, m), rules) for m in view.view.monsters if m.controller not in names]
    return {"beings": beings} if beings else None


def _seats(sides: list[dict[str, Any]], me: str | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Everybody else above, nearest danger first; I (or for a spectator the last mage) below."""
    below = next((side for side in sides if side["in_hand"]), sides[-1])
    above = [side for side in sides if side is not below]
    if len(above) > 1:
        above.sort(key=lambda s: (s["state"] not in ("thinking", "ready", ""), -len(s["threats"])))
        above[0]["unfolded"] = True
    return above, below


def _asked(
    view: Any, rows: Mapping[str, Any], pads: list[dict[str, Any]], above: list[Any], below: dict[str, Any]
) -> list[dict[str, Any]]:
    """The questions that have no other place: not a gesture, not in a becomes list, not beside a monster."""
    placed = {row["question"]["id"] for pad in pads for row in pad["becomes"] if row.get("question")}
    placed |= {being["question"]["id"] for side in (*above, below) for being in side["beings"] if being["question"]}
    return [row for row in rows.values() if row["kind"] not in IN_PADS and row["id"] not in placed]


def _typed(view: Any, form: Any) -> str:
    """The line in which something is wrong: as it was sent, else as it was kept."""
    return str(form.line) if form else "; ".join(view.draft.splitlines())


def _said(view: Any, form: Any) -> str:
    del form
    return str(view.sheet.get("SAY") or "") if view.sheet else ""


def _problem(problem: Any) -> dict[str, Any]:
    return {
        "text": getattr(problem, "text", ""),
        "message": getattr(problem, "message", str(problem)),
        "nearest": getattr(problem, "nearest", None),
    }
