"""Two workers tell the same result at the same time."""

import pytest

from accounts.services.ties import follow_user
from duels.keys import StageKey
from duels.services.news import write_news_of_result
from notifications.models import Notice
from rules_engine import read_outcome
from tests.duels.fights import start_fight
from tests.races import at_once
from tests.scenes import NOW, make_mage, make_user


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_same_result_told_twice_at_once_is_one_line_for_each_reader():
    fan, froodal = make_user("Fan"), make_mage("Froodal", "Quentin")
    follow_user(user=fan, followed=froodal.user, now=NOW)
    fight = start_fight(froodal, make_mage("Bung", "Otto"))
    fight.turn("P/P", "-/-")
    lines = Notice.objects.filter(kind__in=("own_result", "followed_result"))
    facts = lines.get(user=fan).facts
    key, outcome = StageKey(facts["seq"], facts["attempt"], facts["stage"]), read_outcome(fight.battle.result)
    lines.delete()

    def tell():
        write_news_of_result(fight.battle, outcome, key, facts["label"], followers=[fan], now=NOW)

    assert [each for each in at_once(tell, tell, tell) if each is not None] == []
    assert sorted(lines.values_list("user__username", flat=True)) == ["Fan", "Otto", "Quentin"]
    assert all(line.about.count() == 2 for line in lines.filter(kind="followed_result"))
