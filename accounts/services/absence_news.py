"""Word for whoever keeps clocks that somebody went or came back."""

from datetime import datetime

from accounts.models import AbsenceNews, User, Vacation


def note_absence_news(*, user: User, now: datetime) -> None:
    """Ask that the clocks of `user` be looked at. Call it in the transaction that changes whether he is away or gets
    mail; what was to be looked at later is looked at now."""
    AbsenceNews.objects.bulk_create(
        [AbsenceNews(user=user, look_at=now)], update_conflicts=True, unique_fields=["user"], update_fields=["look_at"]
    )


def settle_absence_news(*, news: AbsenceNews, now: datetime) -> bool:
    """Note that the clocks agree with what was known at `now`: they are looked at again when the vacation that goes on
    ends. Say whether nothing has happened since `news` was read."""
    mine = AbsenceNews.objects.filter(pk=news.pk, look_at=news.look_at)
    until = Vacation.objects.filter(user=news.user_id, ended_at=None, until__gt=now).values_list("until", flat=True)
    again = until.first()
    return (mine.update(look_at=again) if again else mine.delete()[0]) == 1
