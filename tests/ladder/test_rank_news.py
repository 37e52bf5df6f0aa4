"""News of mages who moved up on the ladder: by points of their own, and each rank once."""

from accounts.selectors.news import list_news
from accounts.services.ties import block_user, follow_user
from fm_site.notices.news_lines import describe_news
from ladder.models import ScoreEntry
from ladder.services.rank_news import HIGH
from ladder.services.refresh_ladders import refresh_ladders
from notifications.models import Delivery, Notice
from tests.ladder.test_standings import win
from tests.scenes import NOW, make_mage, make_user


def ranks(user):
    kinds = ("own_rank", "followed_rank")
    lines = describe_news(list_news(user.pk).filter(kind__in=kinds), user, now=NOW)
    return [line.words for line in reversed(lines)]


def give(mage, points):
    number = ScoreEntry.objects.count() + 1000
    ScoreEntry.objects.create(
        mage=mage,
        kind="duel",
        battle=number,
        due=points,
        before=0,
        change=points,
        after=points,
        reason="won",
        created_at=NOW,
    )


def refresh():
    refresh_ladders(now=NOW)


def test_a_mage_who_moves_up_is_news_to_their_user_and_followers_once_for_each_rank(mages):
    froodal, bung, wart, _ = mages
    fan = make_user("Fan")
    follow_user(user=fan, followed=bung.user, now=NOW)
    win(froodal, bung, 1)
    refresh()
    assert ranks(froodal.user) == ranks(bung.user) == [], "a first rank is no rise"
    win(bung, wart, 2)
    win(bung, wart, 3)
    refresh()
    refresh()
    assert ranks(bung.user) == ranks(fan) == ["Bung moved up to rank 1."]
    # Whom others overtook or let pass did not move up themselves.
    assert ranks(froodal.user) == ranks(wart.user) == []
    give(froodal, 9)
    refresh()
    assert ranks(froodal.user) == ["Froodal moved up to rank 1."]
    give(bung, 19)
    refresh()
    assert ranks(bung.user) == ranks(fan) == ["Bung moved up to rank 1."], "lost and regained, it is told once"
    assert not Delivery.objects.filter(notice__kind__in=("own_rank", "followed_rank")).exists()


def test_followers_hear_of_high_ranks_only_and_not_with_a_block_between_them(db):
    low, fan, apart = make_mage("Low"), make_user("Fan"), make_user("Apart")
    for reader in (fan, apart):
        follow_user(user=reader, followed=low.user, now=NOW)
    block_user(user=low.user, blocked=apart, now=NOW)
    for number in range(HIGH + 1):
        give(make_mage(f"Top{number}"), 10)
    give(make_mage("Middle"), 5)
    give(low, 1)
    refresh()
    give(low, 6)
    refresh()
    assert ranks(low.user) == [f"Low moved up to rank {HIGH + 2}."] and ranks(fan) == []
    give(low, 9)
    refresh()
    assert ranks(fan) == ["Low moved up to rank 1."] and ranks(apart) == []
    assert Notice.objects.filter(kind="own_rank", user=low.user).count() == 2
