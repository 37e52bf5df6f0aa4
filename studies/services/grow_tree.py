"""Growing the tree of a study: orders for each mage, and the turns that they lead to."""

import datetime
import hashlib
import json
from collections.abc import Mapping

from django.db import transaction

from duels.models import OrderSheet, Turn
from duels.selectors.fair_play import find_running_near, list_running_strings
from rules_engine import (
    InvalidOrders,
    KeyedDice,
    Sheet,
    State,
    advance,
    read_orders,
    read_state,
    write_event,
    write_state,
)
from rules_engine.bots import choose_orders
from rules_engine.dice import RepeatingDice
from rules_engine.questions import is_complete
from rules_engine.records import parse_record
from studies.errors import StudyNotFound, StudyRefused
from studies.models import Branch, Import, Study
from studies.services.edit_study import lock_study

MOST_BRANCHES = 250
# Gives orders where the record has none that are valid.
AFTER_RECORD = "Warder"


def order_in_study(*, study: Study, branch: Branch, mage: str, text: str, now: datetime.datetime) -> Branch | None:
    """Set the orders of one mage; once all have theirs, play the turn and return the resulting branch, else None.

    The same orders lead to the same branch, however often they come. Raises InvalidOrders, StudyRefused, and
    StudyNotFound if the branch or the study was deleted.
    """
    state = read_state(branch.state)
    if mage not in state.owing:
        raise StudyRefused("nothing_to_order", mage=mage)
    read = read_orders(state, mage, text)
    if read.problems:
        raise InvalidOrders(read.problems)
    if not is_complete(state, mage, read.sheet):
        raise StudyRefused("incomplete", mage=mage)
    with transaction.atomic():
        lock_study(study)
        branch = _reload(branch)
        branch.drafts = {**branch.drafts, mage: read.sheet.lines()}
        branch.save(update_fields=["drafts"])
    sheets = _collect_sheets(study, branch, state, mage)
    return None if sheets is None else play_branch(study=study, parent=branch, sheets=sheets, now=now)


def play_branch(*, study: Study, parent: Branch, sheets: Mapping[str, Sheet], now: datetime.datetime) -> Branch:
    """Return the branch that results from these orders of all mages, storing it if it is new. Raises StudyRefused,
    StudyNotFound."""
    orders = {name: sheet.lines() for name, sheet in sheets.items()}
    digest = hashlib.sha256(json.dumps(orders, sort_keys=True).encode()).hexdigest()
    with transaction.atomic():
        locked = lock_study(study)
        parent = _reload(parent)
        known = Branch.objects.filter(parent=parent, digest=digest).first()
        if known:
            return known
        if locked.branches.count() - locked.recorded > MOST_BRANCHES:
            raise StudyRefused("too_many_branches")
        state = read_state(parent.state)
        done = advance(state, sheets, _make_dice(study, state.seq))
        locked.last_branch += 1
        # Once the battle is over, the orders may be those of its record, or the owner knows them from there.
        locked.knows_end = locked.knows_end or study.is_open
        locked.save(update_fields=["last_branch", "knows_end"])
        return Branch.objects.create(
            study=locked,
            number=locked.last_branch,
            parent=parent,
            digest=digest,
            seq=state.seq,
            label=state.label,
            orders=orders,
            events=[write_event(event) for event in done.events],
            state=write_state(done.state),
            created_at=now,
        )


def _reload(branch: Branch) -> Branch:
    """Return the branch as it is now. Raises StudyNotFound if it was removed."""
    current = Branch.objects.filter(pk=branch.pk).first()
    if current is None:
        raise StudyNotFound
    return current


def _collect_sheets(study: Study, branch: Branch, state: State, mage: str) -> dict[str, Sheet] | None:
    """Return the orders of everyone who owes any; None if some must still be set by hand."""
    sheets: dict[str, Sheet] = {}
    for name in state.owing:
        source = Study.HAND if name == mage else study.answers.get(name, Study.HAND)
        if source == Study.HAND:
            if name not in branch.drafts:
                return None
            sheets[name] = Sheet.from_lines(branch.drafts[name])
        else:
            sheets[name] = _choose_orders(study, branch, state, name, source)
    return sheets


def _choose_orders(study: Study, branch: Branch, state: State, name: str, source: str) -> Sheet:
    if source == Study.RECORD:
        recorded = _read_recorded_orders(study, state, name)
        if recorded is not None:
            return recorded
        source = AFTER_RECORD
    _check_bots_may_order(study, state)
    lines = choose_orders(state, mage=name, strength=source, seed=f"{study.seed} {branch.number}", may_surrender=False)
    return Sheet.from_lines(lines)


def _check_bots_may_order(study: Study, state: State) -> None:
    """Raise StudyRefused if a bot's orders would help in a running battle."""
    if not (study.is_open or (study.battle and study.battle.practice)):
        raise StudyRefused("no_bots_while_running")
    near = find_running_near(state, list_running_strings(study.owner))
    if near is not None:
        raise StudyRefused("near_running", number=near)


def _read_recorded_orders(study: Study, state: State, name: str) -> Sheet | None:
    """Return the mage's orders in this turn of the battle, if they are valid here too; only after the end."""
    if not study.is_open:
        return None
    lines = _find_recorded_lines(study, state, name)
    if not lines:
        return None
    sheet = Sheet.from_lines(lines)
    if sheet.is_by_clock:
        return sheet
    read = read_orders(state, name, "\n".join(lines))
    return read.sheet if not read.problems and is_complete(state, name, read.sheet) else None


def _find_recorded_lines(study: Study, state: State, name: str) -> list[str]:
    if study.battle is None:
        for each in study.branches.filter(seq=state.seq, number__gt=0, number__lte=study.recorded):
            if each.parent and each.parent.state["stage"] == state.stage:
                return list(each.orders.get(name, ()))
        return []
    sheet = (
        OrderSheet.objects.filter(
            stage__battle=study.battle,
            stage__turn__seq=state.seq,
            stage__turn__taken_back_by=None,
            stage__number=state.stage,
            combatant__mage__name=name,
        )
        .order_by("-stage__turn__attempt")
        .first()
    )
    return list(sheet.lines) if sheet else []


def _make_dice(study: Study, seq: int) -> RepeatingDice | KeyedDice:
    """Return dice that repeat that turn of the battle, if the study may know them."""
    if study.mage or not study.is_open:
        return KeyedDice(study.seed, seq)
    if study.battle is None:
        source = Import.objects.filter(study=study).first()
        record = parse_record(source.record) if source else None
        turn = next((turn for turn in record.turns if turn.seq == seq), None) if record else None
        return RepeatingDice(study.seed, seq, turn.throws or () if turn else ())
    turns = Turn.objects.filter(battle=study.battle, seq=seq, taken_back_by=None).order_by("attempt")
    throws = turns.values_list("throws", flat=True).last() or []
    return RepeatingDice(study.seed, seq, throws)
