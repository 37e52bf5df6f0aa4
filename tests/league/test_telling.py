"""What the people of a league are told, and the hooks of the site."""

import pytest

from email_gateway.compose.notices import compose_notice
from fm_site.notices.news_lines import describe_news
from league.selectors.tables import read_table
from league.services.entries import wish_bank
from league.words import write_league
from notifications.hook_texts import make_hook_message
from notifications.models import Hook, Notice
from notifications.push_texts import make_push
from tests.league.world import League
from tests.scenes import DAY, NOW, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
FOUR = ("Ada", "Bela", "Cora", "Dana")


def told(user, kind):
    return list(Notice.objects.filter(user=user, kind=kind).order_by("pk"))


def test_everyone_is_told_of_the_draw_each_round_and_the_end_once():
    league = League()
    league.enter(*FOUR)
    janitor = make_user("Clara")
    Hook.objects.create(
        user=janitor, scope="site", place="site/1", format="ntfy", name="site", events=["league"], created_at=NOW
    )
    season = league.begin_season()
    ada = league.user("Ada")
    for _ in range(2):
        league.run()
    assert [len(told(ada, kind)) for kind in ("league_drawn", "league_round")] == [1, 1]
    for number in range(2, 8):
        league.begin_round(number)
    assert len(told(ada, "league_round")) == 7
    for pairing in league.duels_of("Ada"):
        if pairing.second_id is not None:
            league.win(pairing, "Ada")
    league.run()
    written = write_league(read_table(season.groups.get())).splitlines()
    assert written[0].split() == ["#", "Mage", "Duels", "Points"] and max(map(len, written)) <= 72
    assert written[1].split() == ["1", "Ada", "3", "3"] and len(written) == 5
    league.go_to(season.ends_at)
    league.run()
    (end,) = told(ada, "league_over")
    assert end.facts["rank"] == 1 and end.facts["champion"] == "Ada" and end.facts["movement"] in ("", "stay")
    lines = [line.words for line in describe_news(Notice.objects.filter(user=ada), ada, now=league.now)]
    assert "Season 1 is over: place 1 of 4 in League 1." in lines
    assert sum("You have a bye." in line for line in lines) == 4
    mail = compose_notice(kind=end.kind, facts=end.facts, user=ada)
    assert mail.subject == "Season 1 of the league is over" and "/league/1/1/" in mail.text and mail.unsubscribe
    assert make_push(end).path == "/league/1/1/"
    posted = [make_hook_message(each) for each in Notice.objects.filter(kind="open_season").order_by("pk")]
    assert [each.text for each in posted] == [
        "Season 1 of the league begins: 4 mages in 1 league.",
        "Season 1 of the league is over. The champion is Ada with 3 of 3.",
    ]


def test_a_wish_for_a_time_bank_is_told_to_the_other_once():
    league = League()
    league.enter(*FOUR)
    league.run()
    league.go_to(league.season.draws_at)
    duel = league.duel("Ada", "Bela")
    for wishes in (True, False, True):
        wish_bank(user=league.user("Ada"), pairing=duel.pk, wishes=wishes, now=league.now)
    (notice,) = told(league.user("Bela"), "league_bank")
    mail = compose_notice(kind=notice.kind, facts=notice.facts, user=league.user("Bela"))
    assert mail.subject == "Ada wants a time bank in your league duel"
    assert told(league.user("Ada"), "league_bank") == []


def test_who_loses_their_place_by_two_forfeits_is_told_so():
    league = League()
    league.enter(*FOUR)
    league.begin_season()
    league.go_to(league.season.begins_at + 30 * DAY, step=DAY, clocks=True)
    lost = Notice.objects.filter(kind="league_place_lost")
    assert lost.exists() and lost.count() == lost.values("user").distinct().count()
    notice = lost.first()
    assert "forfeited two league duels" in compose_notice(kind=notice.kind, facts=notice.facts, user=notice.user).text
