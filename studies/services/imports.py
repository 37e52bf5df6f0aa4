"""Storing battles of other sites and positions set up by hand as studies, and copying studies."""

import datetime
import secrets

from django.db import transaction

from accounts.models import User
from rules_engine import State, write_event, write_state
from rules_engine.records import import_battle, play_stages, write_imported
from studies.models import TITLE_LENGTH, Branch, Import, Study
from studies.services.trees import HAND, RECORD, refuse_too_many

MOST_DOUBTS = 40


def import_study(
    *, owner: User, text: str, form: str = "", ruleset: str = "", title: str = "", now: datetime.datetime
) -> Study:
    """Read a battle from text and store it as a study, a branch for each stage of its turns.

    Battle numbers and users of the other site are dropped. Raises TooMuch, and InvalidRecord with every problem of the
    text.
    """
    refuse_too_many(owner)
    read = import_battle(text, form=form, ruleset=ruleset)
    stages = list(play_stages(read.record))
    mages = list(read.record.mages)
    with transaction.atomic():
        study = _create(owner, title or " – ".join(mages), mages, now)
        study.recorded = study.last_branch = len(stages)
        study.answers = {name: HAND if name == mages[0] else RECORD for name in mages}
        study.save(update_fields=["recorded", "last_branch", "answers"])
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
    refuse_too_many(owner)
    with transaction.atomic():
        study = _create(owner, title or " – ".join(state.mages), list(state.mages), now)
        _plant(study, state, now)
    return study


def copy_study(*, study: Study, owner: User, now: datetime.datetime) -> Study:
    """Copy a study that the user may read, with its whole tree, into a private one of their own. Raises TooMuch."""
    refuse_too_many(owner)
    with transaction.atomic():
        copied = Study.objects.get(pk=study.pk)
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


def _create(owner: User, title: str, mages: list[str], now: datetime.datetime) -> Study:
    return Study.objects.create(
        slug=secrets.token_urlsafe(12),
        owner=owner,
        title=" ".join(title.split())[:TITLE_LENGTH],
        seed=secrets.token_hex(16),
        answers=dict.fromkeys(mages, HAND),
        created_at=now,
    )


def _plant(study: Study, state: State, now: datetime.datetime) -> Branch:
    return Branch.objects.create(
        study=study, number=0, seq=state.seq, label=state.label, state=write_state(state), created_at=now
    )
