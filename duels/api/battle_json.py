"""Battles as JSON. Writes only what the selectors return for this viewer, and makes no queries."""

from functools import partial
from typing import Any

from duels.api import schema as api_schema
from duels.board.dangers import find_victim
from duels.gap_words import describe_gap
from duels.keys import CurrentStage, StageKey
from duels.real_deaths import are_deaths_real
from duels.selectors.battle_lists import ShownBattle
from duels.selectors.battle_view import BattleView
from duels.selectors.chat import ShownChat
from duels.selectors.clocks import ShownClock
from duels.selectors.events import NarratedEvent
from duels.selectors.first_moves import find_fate
from duels.selectors.journal import JournalNote
from duels.selectors.proof import BattleProof
from duels.services.receipts import Receipt
from duels.stuck_words import describe_stuck_turn
from operations.text.dates import write_moment
from operations.web.api_schema import write_problem_item
from rules_engine import Danger, MageView, MonsterView, Problem, Question, Weight, find_dangers, get_ruleset


def write_key(key: StageKey) -> api_schema.Key:
    return api_schema.Key(seq=key.seq, attempt=key.attempt, stage=key.stage)


def _write_gap(view: BattleView) -> api_schema.Gap | None:
    gap = view.time_rows.last_gap
    if gap is None:
        return None
    since, until = gap
    return api_schema.Gap(
        since=since.isoformat(), until=until.isoformat(), text=describe_gap(gap, partial(write_moment, zone=view.zone))
    )


def write_battle(view: BattleView, *, time: str | None, events: int) -> api_schema.Battle:
    """Return the battle as this viewer sees it: `orders` only for players with orders to give, `time` the time mark,
    `events` how many events they may know."""
    battle = view.battle
    return api_schema.Battle(
        battle=battle.number,
        kind=battle.kind,
        ruleset=battle.ruleset,
        edition=battle.edition,
        practice=battle.practice,
        deaths_are_real=are_deaths_real(view),
        stakes=view.terms.stakes,
        status=battle.status,
        stuck=_write_stuck(view),
        turn=view.view.label,
        key=write_key(view.stage_key),
        waiting_for=list(view.waiting_for),
        pace=view.terms.pace,
        time=time,
        clocks=[_write_clock(row, view) for row in view.clocks],
        restarted=_write_gap(view),
        result=None if battle.result is None else dict(battle.result),
        columns=list(view.view.columns),
        mages=[_write_mage(mage, view) for mage in view.view.mages],
        monsters=[_write_monster(monster) for monster in view.view.monsters],
        tombstone=list(view.view.tombstone),
        threats=_write_threats(view),
        events=events,
        summary=_write_turn_summary(view),
        book=[_write_entry(entry) for entry in view.journal],
        question=view.question.number if view.question else None,
        you=[each.mage.name for each in view.mine],
        orders=_write_orders(view),
    )


def _write_stuck(view: BattleView) -> api_schema.StuckTurn | None:
    battle = view.battle
    if not view.stuck:
        return None
    return api_schema.StuckTurn(
        since=battle.stuck_at.isoformat() if battle.stuck_at else None,
        reference=battle.stuck_reference,
        janitors_reminded_at=battle.stuck_remind_at.isoformat() if battle.stuck_remind_at else None,
        text=list(describe_stuck_turn(view)),
    )


def _write_turn_summary(view: BattleView) -> api_schema.TurnSummary | None:
    story = next((each for each in reversed(view.stories) if each.resolved_at is not None or view.over), None)
    if story is None:
        return None
    return api_schema.TurnSummary(
        turn=story.label,
        key=api_schema.TurnKey(seq=story.seq, attempt=story.attempt),
        text=story.summary.text,
        lines=[
            api_schema.SummaryLine(
                key=line.key,
                school=line.school.value,
                works=line.works,
                about=line.about,
                open=place < story.summary.open_count,
                bold=line.bold,
                rest=line.rest,
            )
            for place, line in enumerate(story.summary.lines)
        ],
    )


def _write_threats(view: BattleView) -> list[api_schema.Threat]:
    """Return what the board shows, without what does no harm."""
    if view.over:
        return []
    ruleset, victim = get_ruleset(view.battle.ruleset, view.battle.edition), find_victim(view)
    others = [mage.name for mage in view.view.mages if mage.name != view.me]
    found = [each for name in others for each in find_dangers(view.view, ruleset, name, victim)]
    harmful = [each for each in found if each.weight is not Weight.HARMLESS]
    return [_write_threat(each) for each in sorted(harmful, key=lambda each: (each.weight, each.turns))]


def _write_threat(danger: Danger) -> api_schema.Threat:
    return api_schema.Threat(
        mage=danger.mage,
        victim=danger.victim,
        weight=danger.weight.name.lower(),
        parts=[api_schema.ThreatPart(hand=part.hand, what=part.what, gestures=part.rest) for part in danger.parts],
        more=danger.more,
        turns=danger.turns,
        damage=danger.damage,
        stops=[
            api_schema.ThreatDefence(
                spell=each.spell, on=each.on, hand=each.hand, gestures=each.rest, in_time=each.in_time
            )
            for each in danger.stops
        ],
        fails=list(danger.fails),
    )


def write_summary(row: ShownBattle) -> api_schema.BattleSummary:
    return api_schema.BattleSummary(
        battle=row.number,
        kind=row.kind,
        practice=row.practice,
        status=row.battle.status,
        turn=row.label,
        mages=list(row.mages),
        users=list(row.users),
        bots=list(row.bots),
        waiting_for=list(row.waiting_for),
        you=list(row.mine),
        deadline=row.deadline.isoformat() if row.deadline else None,
    )


def _write_entry(entry: JournalNote) -> api_schema.JournalEntry:
    undone = None
    if entry.undone_at is not None:
        undone = api_schema.Undone(by=entry.undone_by, at=entry.undone_at.isoformat(), reason=entry.undone_reason)
    return api_schema.JournalEntry(
        number=entry.number,
        kind=entry.kind,
        turn=entry.label,
        key=api_schema.TurnKey(seq=entry.seq, attempt=entry.attempt),
        text=entry.text,
        reason=entry.reason,
        by=entry.by,
        at=entry.made_at.isoformat(),
        undone=undone,
    )


def _write_clock(row: ShownClock, view: BattleView) -> api_schema.Clock:
    return api_schema.Clock(
        mage=row.mage,
        ends_at=row.ends_at.isoformat() if row.ends_at else None,
        forfeit_at=row.forfeit_at.isoformat() if row.forfeit_at else None,
        fate=find_fate(view, row.mage),
        in_grace=row.in_grace,
        stops=list(row.stops),
    )


def _write_mage(mage: MageView, view: BattleView) -> api_schema.BattleMage:
    row = next(each for each in view.combatants if each.name == mage.name)
    return api_schema.BattleMage(
        name=mage.name,
        user=row.user,
        bot=row.is_bot,
        mine=row.mine,
        hp=mage.hp,
        max_hp=mage.max_hp,
        standing=mage.standing,
        ready=row.ready,
        asked=row.asked,
        enchantments=[_write_enchantment(each) for each in mage.enchantments],
        letters=mage.letters,
        banked=list(mage.banked) if mage.banked else None,
        left=mage.left,
        right=mage.right,
        held_hand=mage.held_hand or None,
    )


def _write_monster(monster: MonsterView) -> api_schema.Monster:
    return api_schema.Monster(
        name=monster.name,
        kind=monster.kind,
        hp=monster.hp,
        max_hp=monster.max_hp,
        controller=monster.controller,
        target=monster.target,
        enchantments=[_write_enchantment(each) for each in monster.enchantments],
        letters=monster.letters,
    )


def _write_enchantment(each: Any) -> api_schema.Enchantment:
    return api_schema.Enchantment(name=each.name, turns=each.turns, permanent=each.permanent)


def _write_orders(view: BattleView) -> api_schema.Orders | None:
    own = view.own
    if own is None or not own.asked:
        return None
    return api_schema.Orders(
        mage=own.combatant.mage.name,
        ready=own.ready,
        lines=list(own.sheet.lines()),
        questions=[_write_question(each) for each in own.questions],
    )


def _write_question(question: Question) -> api_schema.Question:
    return api_schema.Question(
        id=question.id,
        mage=question.mage,
        kind=question.kind,
        about=question.about,
        required=question.required,
        default=question.default,
        answered=question.answered,
        clause=question.clause,
        options=[
            api_schema.Option(
                value=option.value,
                label=option.label,
                line=question.line(option.value),
                allowed=option.allowed,
                reason=option.reason,
            )
            for option in question.options
        ],
    )


def write_battle_event(event: NarratedEvent) -> api_schema.BattleEvent:
    return api_schema.BattleEvent(
        number=event.number,
        turn=event.label,
        key=api_schema.TurnKey(seq=event.seq, attempt=event.attempt),
        kind=event.kind,
        text=event.text,
        clause=event.clause,
        because=list(event.because),
        unseen_cause=event.unseen_cause,
        why=[api_schema.Why(text=each.text, clause=each.clause, event=each.number) for each in event.reasons],
    )


def write_receipt(receipt: Receipt) -> api_schema.Receipt:
    return api_schema.Receipt(
        battle=receipt.battle,
        mage=receipt.mage,
        key=write_key(receipt.key),
        turn=receipt.label,
        outcome=receipt.outcome,
        lines=list(receipt.lines),
        warnings=[
            api_schema.OrderWarning(code=each.code, message=each.message, severe=each.severe)
            for each in receipt.warnings
        ],
        missing=[_write_question(each) for each in receipt.missing],
        repeated=receipt.repeated,
        reference=receipt.reference,
        commitment=receipt.commitment,
    )


def write_proof(proof: BattleProof) -> api_schema.Proof:
    return api_schema.Proof(
        battle=proof.number,
        commitment=proof.commitment or None,
        seed=proof.seed or None,
        orders=[
            api_schema.OrdersCommitment(
                turn=each.label,
                key=api_schema.Key(seq=each.seq, attempt=each.attempt, stage=each.stage),
                mage=each.mage,
                commitment=each.value,
                closed=each.closed,
                counts=each.counts,
            )
            for each in proof.orders
        ],
    )


def write_current_stage(now: CurrentStage) -> api_schema.BattleState:
    return api_schema.BattleState(
        battle=now.number, turn=now.label, key=write_key(now.key), status=now.status, sentence=now.sentence()
    )


def write_problem(problem: Problem) -> dict[str, Any]:
    return write_problem_item(
        "orders", problem.code, problem.message, problem.nearest, line=problem.line or None, text=problem.text
    )


def write_chat(chat: ShownChat) -> api_schema.Chat:
    """Return the chat as its reader sees it."""
    return api_schema.Chat(
        battle=chat.battle.number,
        room=chat.room,
        may_write=not chat.refusal,
        why_not=chat.refusal,
        lines=[
            api_schema.ChatLine(
                line=line.pk,
                room=line.room,
                user=line.user,
                name=line.name,
                text=line.text,
                phrase=line.phrase or None,
                at=line.at,
                mine=line.mine,
            )
            for line in chat.lines
        ],
        more=chat.is_more,
        phrases=[api_schema.ChatPhrase(key=key, text=text) for key, text in chat.phrases],
        apart=list(chat.apart),
    )
