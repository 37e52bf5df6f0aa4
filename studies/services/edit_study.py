"""Changing a study, as only its owner may: who gives orders, names, sharing, and removal."""

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from accounts.models import User
from duels.models import Battle
from studies.errors import CannotShare, NotYourStudy, StudyNotFound
from studies.models import COMMENT_LENGTH, NAME_LENGTH, TITLE_LENGTH, Study
from studies.selectors.trees import list_strengths

MOST_TRIES = 5


def set_answers(*, study: Study, user: User, answers: Mapping[str, str]) -> None:
    """Set who orders for each mage from now on; unknown values are ignored. Raises NotYourStudy, StudyNotFound."""
    _refuse_others(study, user)
    known = {Study.HAND, *list_strengths(len(study.answers)), *([Study.RECORD] if study.is_open else [])}
    chosen = {name: word for name, word in answers.items() if name in study.answers and word in known}
    with transaction.atomic():
        study.answers = {**hold_study(study).answers, **chosen}
        Study.objects.filter(pk=study.pk).update(answers=study.answers)


def name_branch(*, study: Study, user: User, number: int, name: str, comment: str) -> None:
    """Give a branch its name and comment. Raises NotYourStudy."""
    _refuse_others(study, user)
    words = " ".join(name.split())[:NAME_LENGTH]
    study.branches.filter(number=number).update(name=words, comment=comment.strip()[:COMMENT_LENGTH])


def share_study(*, study: Study, user: User, access: str, title: str) -> None:
    """Set who may read a study, and its title. Raises NotYourStudy, CannotShare."""
    _refuse_others(study, user)
    if access not in Study.Access.values:
        access = study.access
    battle = Battle.objects.get(pk=study.battle_id) if study.battle_id is not None else None
    if access != Study.Access.PRIVATE and battle is not None and not battle.is_over:
        raise CannotShare
    study.access, study.title = access, " ".join(title.split())[:TITLE_LENGTH]
    Study.objects.filter(pk=study.pk).update(access=study.access, title=study.title)


def remove_branch(*, study: Study, user: User, number: int) -> None:
    """Remove a branch and everything after it; the root and imported turns stay. Raises NotYourStudy,
    StudyNotFound."""
    _refuse_others(study, user)
    with transaction.atomic():
        hold_study(study)
        study.branches.filter(number=number, number__gt=study.recorded).delete()


def delete_study(*, study: Study, user: User) -> None:
    """Delete a study, if it still exists. Raises NotYourStudy."""
    _refuse_others(study, user)
    for last in (False,) * (MOST_TRIES - 1) + (True,):
        try:
            with transaction.atomic():
                hold_study(study).delete()
        except StudyNotFound:
            return
        except IntegrityError:  # a bot has just added a turn to its analysis
            if last:
                raise
        else:
            return


def hold_study(study: Study) -> Study:
    """Lock a study for this transaction: only then does its tree grow. Raises StudyNotFound if it is deleted."""
    held = Study.objects.select_for_update().filter(pk=study.pk).first()
    if held is None:
        raise StudyNotFound
    return held


def _refuse_others(study: Study, user: User) -> None:
    if study.owner_id != user.pk:
        raise NotYourStudy
