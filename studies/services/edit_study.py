"""Changing a study, as only its owner may: who gives orders, names, sharing, and removal."""

from collections.abc import Mapping
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.selectors.ties import list_followers_of
from duels.models import Battle
from notifications.services.news import hide_news
from notifications.services.outbox import write_notices
from operations.text.invisible_characters import mark_hidden, mark_line
from studies.errors import NotYourStudy, StudyNotFound, StudyRefused
from studies.models import COMMENT_LENGTH, NAME_LENGTH, TITLE_LENGTH, Study
from studies.selectors.trees import list_strengths

MOST_TRIES = 5


def set_answers(*, study: Study, user: User, answers: Mapping[str, str]) -> None:
    """Set who orders for each mage from now on; unknown values are ignored. Raises NotYourStudy, StudyNotFound."""
    _require_owner(study, user)
    known = {Study.HAND, *list_strengths(len(study.answers)), *([Study.RECORD] if study.is_open else [])}
    chosen = {name: answer for name, answer in answers.items() if name in study.answers and answer in known}
    with transaction.atomic():
        study.answers = {**lock_study(study).answers, **chosen}
        Study.objects.filter(pk=study.pk).update(answers=study.answers)


def name_branch(*, study: Study, user: User, number: int, name: str, comment: str) -> None:
    """Give a branch its name and comment. Raises NotYourStudy."""
    _require_owner(study, user)
    name, comment = mark_line(name)[:NAME_LENGTH], mark_hidden(comment.strip())[:COMMENT_LENGTH]
    study.branches.filter(number=number).update(name=name, comment=comment)


def share_study(*, study: Study, user: User, access: str, title: str, now: datetime) -> None:
    """Set who may read a study, and its title. Those who follow its owner are told once when it is public. Raises
    NotYourStudy, StudyRefused."""
    _require_owner(study, user)
    if access not in Study.Access.values:
        access = study.access
    battle = Battle.objects.get(pk=study.battle_id) if study.battle_id is not None else None
    if access != Study.Access.PRIVATE and battle is not None and not battle.is_over:
        raise StudyRefused("cannot_share_yet")
    study.access, study.title = access, mark_line(title)[:TITLE_LENGTH]
    with transaction.atomic():
        Study.objects.filter(pk=study.pk).update(access=study.access, title=study.title)
        if study.access == Study.Access.PUBLIC:
            write_news_of_study(study=study, user=user, now=now)
        else:
            hide_news_of_study(study=study)


def write_news_of_study(*, study: Study, user: User, now: datetime) -> None:
    start = f"study/{study.pk}/"
    facts = {"user": user.username, "study": study.slug, "title": str(study)}
    entries = [(f"{start}{follower.pk}", follower, facts) for follower in list_followers_of([user])]
    write_notices(kind="followed_study", entries=entries, about=[user.pk], now=now)


def hide_news_of_study(*, study: Study) -> None:
    """Take a study that is not public any more out of everyone's news."""
    hide_news(kinds=["followed_study"], start=f"study/{study.pk}/")


def remove_branch(*, study: Study, user: User, number: int) -> None:
    """Remove a branch and everything after it; the root and imported turns stay. Raises NotYourStudy,
    StudyNotFound."""
    _require_owner(study, user)
    with transaction.atomic():
        lock_study(study)
        study.branches.filter(number=number, number__gt=study.recorded).delete()


def delete_study(*, study: Study, user: User) -> None:
    """Delete a study, if it still exists. Raises NotYourStudy."""
    _require_owner(study, user)
    for attempt in range(1, MOST_TRIES + 1):
        try:
            with transaction.atomic():
                hide_news_of_study(study=study)
                lock_study(study).delete()
        except StudyNotFound:
            return
        except IntegrityError:  # a bot has just added a turn to its analysis
            if attempt == MOST_TRIES:
                raise
        else:
            return


def lock_study(study: Study) -> Study:
    """Lock a study for this transaction and return it. Everything that changes its tree does so first. Raises
    StudyNotFound if it was deleted."""
    locked = Study.objects.select_for_update().filter(pk=study.pk).first()
    if locked is None:
        raise StudyNotFound
    return locked


def _require_owner(study: Study, user: User) -> None:
    if study.owner_id != user.pk:
        raise NotYourStudy
