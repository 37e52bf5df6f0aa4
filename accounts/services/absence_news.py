"""Asking for a user's clocks to be updated after they leave or come back."""

from datetime import datetime

from accounts.models import AbsenceNews, User, Vacation


def note_absence_news(*, user: User, now: datetime) -> None:
    """Ask for `user`'s clocks to be updated. Call it in the transaction that changes whether they are away or get
    email; a later update is brought forward."""
    AbsenceNews.objects.bulk_create(
        [AbsenceNews(user=user, look_at=now)], update_conflicts=True, unique_fields=["user"], update_fields=["look_at"]
    )


def settle_absence_news(*, news: AbsenceNews, now: datetime) -> bool:
    """Record that the clocks are up to date as of `now`; they are checked again when a current vacation ends. Return
    whether `news` is unchanged since it was read."""
    mine = AbsenceNews.objects.filter(pk=news.pk, look_at=news.look_at)
    until = Vacation.objects.filter(user=news.user_id, ended_at=None, until__gt=now).values_list("until", flat=True)
    again = until.first()
    return (mine.update(look_at=again) if again else mine.delete()[0]) == 1
