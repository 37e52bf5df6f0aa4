"""Beginning a study: at a turn of a battle, with an imported battle, at a position set up by hand, or as a copy."""

import datetime
import secrets
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules_engine import State, write_event, write_state
from rules_engine.records import import_battle, play_stages, write_imported
from studies.errors import TooMuch
from studies.models import TITLE_LENGTH, Branch, Import, Study
from studies.selectors.starts import Start
from studies.services.edit_study import hold_study

MOST_STUDIES, MOST_DOUBTS = 60, 40


def begin_study(*, owner: User, start: Start, now: datetime.datetime) -> Study:
    """Store a study that begins at a turn of a battle. Raises TooMuch."""
    _refuse_too_many(owner)
    others = Study.RECORD if start.battle.is_over else Study.HAND
    answers = {name: Study.HAND if name == start.hand else others for name in start.state.mages}
    with transaction.atomic():
        study = _create(owner, answers, now, battle=start.battle, mage=start.mage)
        _plant(study, start.state, now)
    return study


def import_study(
    *, owner: User, text: str, form: str = "", ruleset: str = "", title: str = "", now: datetime.datetime
) -> Study:
    """Read a battle from text and store it as a study, a branch for each stage of its turns.

    Battle numbers and users of the other site are dropped. Raises TooMuch, and InvalidRecord with every problem of the
    text.
    """
    _refuse_too_many(owner)
    read = import_battle(text, form=form, ruleset=ruleset)
    stages = list(play_stages(read.record))
    mages = list(read.record.mages)
    with transaction.atomic():
        answers = {name: Study.HAND if name == mages[0] else Study.RECORD for name in mages}
        title = _fit_title(title or " – ".join(mages))
        study = _create(owner, answers, now, title=title, recorded=len(stages), last_branch=len(stages))
        doubts = [[each.line, each.text, each.message] for each in read.doubts[:MOST_DOUBTS]]
        Import.objects.create(study=study, form=read.form, record=write_imported(read.record), doubts=doubts)
        parent = _plant(study, stages[0][0], now)
        for number, (before, orders, done) in enumerate(stages, start=1):
            parent = Branch.objects.create(
                study=study,
                number=number,
                parent=parent,
                # No digest: the same orders tried by hand become a branch beside it.
                digest="recorded",
                seq=before.seq,
                label=before.label,
                orders={name: list(lines) for name, lines in orders.items()},
                told=[write_event(event) for event in done.told],
                state=write_state(done.state),
                created_at=now,
            )
    return study


def set_up_study(*, owner: User, state: State, title: str, now: datetime.datetime) -> Study:
    """Store a position set up by hand as the root of a study. Raises TooMuch."""
    _refuse_too_many(owner)
    with transaction.atomic():
        answers = dict.fromkeys(state.mages, Study.HAND)
        study = _create(owner, answers, now, title=_fit_title(title or " – ".join(state.mages)))
        _plant(study, state, now)
    return study


def copy_study(*, study: Study, owner: User, now: datetime.datetime) -> Study:
    """Copy a study that the user may read, with its whole tree, into a private one of their own. Raises TooMuch,
    and StudyNotFound if it is deleted meanwhile."""
    _refuse_too_many(owner)
    with transaction.atomic():
        copied = hold_study(study)
        copied.pk, copied.slug, copied.owner = None, secrets.token_urlsafe(12), owner
        copied.access, copied.created_at = Study.Access.PRIVATE, now
        copied._state.adding = True
        copied.save()
        source = Import.objects.filter(study=study).first()
        if source:
            Import.objects.create(study=copied, form=source.form, record=source.record, doubts=source.doubts)
        made: dict[int, Branch] = {}
        for branch in study.branches.order_by("number"):
            old = branch.pk
            branch.pk, branch.study, branch.created_at = None, copied, now
            branch.parent = made[branch.parent_id] if branch.parent_id is not None else None
            branch._state.adding = True
            branch.save()
            made[old] = branch
    return copied


def _refuse_too_many(owner: User) -> None:
    """Raise TooMuch if the user can have no more studies."""
    if Study.objects.filter(owner=owner).count() >= MOST_STUDIES:
        raise TooMuch(_("You have %(count)s studies. Delete one first.") % {"count": MOST_STUDIES})


def _create(owner: User, answers: dict[str, str], now: datetime.datetime, **fields: Any) -> Study:
    return Study.objects.create(
        slug=secrets.token_urlsafe(12),
        owner=owner,
        seed=secrets.token_hex(16),
        answers=answers,
        created_at=now,
        **fields,
    )


def _fit_title(title: str) -> str:
    return " ".join(title.split())[:TITLE_LENGTH]


def _plant(study: Study, state: State, now: datetime.datetime) -> Branch:
    return Branch.objects.create(
        study=study, number=0, seq=state.seq, label=state.label, state=write_state(state), created_at=now
    )
