"""Beginning a study: at a turn of a battle, with an imported battle, at a position set up by hand, or as a copy."""

import datetime
import secrets
from typing import Any

from django.db import transaction

from accounts.models import User
from operations.text.invisible_characters import mark_line
from rules_engine import State, write_event, write_state
from rules_engine.records import import_battle, play_stages, write_imported
from studies.errors import StudyRefused
from studies.models import TITLE_LENGTH, Branch, Import, Study
from studies.selectors.starts import Start
from studies.services.edit_study import lock_study

MOST_STUDIES, MOST_DOUBTS = 60, 40


def begin_study(*, owner: User, start: Start, now: datetime.datetime) -> Study:
    """Store a study that begins at a turn of a battle. Raises StudyRefused."""
    _check_limit(owner)
    others = Study.RECORD if start.battle.is_over else Study.HAND
    answers = {name: Study.HAND if name == start.hand else others for name in start.state.mages}
    with transaction.atomic():
        about = {"battle": start.battle, "mage": start.mage, "knows_end": not start.mage}
        study = _create_study(owner, answers, now, **about)
        _create_root(study, start.state, now)
    return study


def import_study(
    *, owner: User, text: str, form: str = "", ruleset: str = "", title: str = "", now: datetime.datetime
) -> Study:
    """Read a battle from text and store it as a study, a branch for each stage of its turns.

    Battle numbers and users of the other site are dropped. Raises StudyRefused, and InvalidRecord with every
    problem of the text.
    """
    _check_limit(owner)
    read = import_battle(text, form=form, ruleset=ruleset)
    stages = list(play_stages(read.record))
    mages = list(read.record.mages)
    with transaction.atomic():
        answers = {name: Study.HAND if name == mages[0] else Study.RECORD for name in mages}
        title = mark_line(title or " – ".join(mages))[:TITLE_LENGTH]
        study = _create_study(owner, answers, now, title=title, recorded=len(stages), last_branch=len(stages))
        doubts = [[each.line, each.text, each.message] for each in read.doubts[:MOST_DOUBTS]]
        Import.objects.create(study=study, form=read.form, record=write_imported(read.record), doubts=doubts)
        parent = _create_root(study, stages[0][0], now)
        for number, (before, orders, done) in enumerate(stages, start=1):
            parent = Branch.objects.create(
                study=study,
                number=number,
                parent=parent,
                # Not the digest of the orders: trying the same ones by hand makes a separate branch.
                digest="recorded",
                seq=before.seq,
                label=before.label,
                orders={name: list(lines) for name, lines in orders.items()},
                events=[write_event(event) for event in done.events],
                state=write_state(done.state),
                created_at=now,
            )
    return study


def set_up_study(*, owner: User, state: State, title: str, now: datetime.datetime) -> Study:
    """Store a position set up by hand as the root of a study. Raises StudyRefused."""
    _check_limit(owner)
    with transaction.atomic():
        answers = dict.fromkeys(state.mages, Study.HAND)
        study = _create_study(owner, answers, now, title=mark_line(title or " – ".join(state.mages))[:TITLE_LENGTH])
        _create_root(study, state, now)
    return study


def copy_study(*, study: Study, owner: User, now: datetime.datetime) -> Study:
    """Copy a study that the user may read, with its whole tree, into a private one of their own. Raises StudyRefused,
    and StudyNotFound if it was deleted."""
    _check_limit(owner)
    with transaction.atomic():
        copy = lock_study(study)
        # What one player knew while the battle was running is a secret from the others, should it be reopened.
        copy.knows_end = copy.knows_end or copy.owner_id != owner.pk
        copy.pk, copy.slug, copy.owner = None, secrets.token_urlsafe(12), owner
        copy.access, copy.created_at = Study.Access.PRIVATE, now
        copy._state.adding = True
        copy.save()
        source = Import.objects.filter(study=study).first()
        if source:
            Import.objects.create(study=copy, form=source.form, record=source.record, doubts=source.doubts)
        copies: dict[int, Branch] = {}
        for branch in study.branches.order_by("number"):
            original = branch.pk
            branch.pk, branch.study, branch.created_at = None, copy, now
            branch.parent = copies[branch.parent_id] if branch.parent_id is not None else None
            branch._state.adding = True
            branch.save()
            copies[original] = branch
    return copy


def _check_limit(owner: User) -> None:
    """Raise StudyRefused if the user can have no more studies."""
    if Study.objects.filter(owner=owner).count() >= MOST_STUDIES:
        raise StudyRefused("too_many_studies", count=MOST_STUDIES)


def _create_study(owner: User, answers: dict[str, str], now: datetime.datetime, **fields: Any) -> Study:
    return Study.objects.create(
        slug=secrets.token_urlsafe(12),
        owner=owner,
        seed=secrets.token_hex(16),
        answers=answers,
        created_at=now,
        **fields,
    )


def _create_root(study: Study, state: State, now: datetime.datetime) -> Branch:
    return Branch.objects.create(
        study=study, number=0, seq=state.seq, label=state.label, state=write_state(state), created_at=now
    )
