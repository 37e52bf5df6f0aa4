"""What happened to a user and to those they follow: told once, only to the right readers, and only what is public."""

from datetime import timedelta

import pytest

from accounts.selectors.news import list_news
from accounts.services.messages import send_message
from accounts.services.ties import block_user, follow_user
from challenges.services.answers import accept_challenge
from duels.keys import StageKey
from duels.services.news import write_news_of_result
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.commands.relay_messages import relay_announcement
from fm_site.notices.news_lines import WRITERS, describe_news, write_age
from moderation.services.battles.annul_battle import annul_battle
from moderation.services.battles.undo import undo_battle_entry
from moderation.services.reports import lift_sanction, suspend_user
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice
from notifications.services.announcements import announce, notify_of_announcements, withdraw_announcement
from notifications.services.preferences import set_preference
from rules_engine import read_outcome
from studies.selectors.starts import read_start
from studies.services.begin import begin_study
from studies.services.edit_study import share_study
from tests.challenges.conftest import make_challenge
from tests.duels.fights import Fight, changed_state, start_fight
from tests.duels.janitors import make_janitor
from tests.html import flat
from tests.scenes import DAY, HOUR, NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    """Fan follows Quentin, whose Froodal fights Otto's Bung."""
    fan, froodal = make_user("Fan"), make_mage("Froodal", "Quentin")
    follow_user(user=fan, followed=froodal.user, now=NOW)
    return fan, start_fight(froodal, make_mage("Bung", "Otto"))


def read_words(user, part="", now=NOW):
    return [line.words for line in describe_news(list_news(user.pk, part=part), user, now=now)]


def kill_bung(fight):
    """Froodal stabs Bung, who has one hit point left."""
    with changed_state(fight.battle) as state:
        state.wizards["Bung"].hp = 1
    fight.turn(">/-", "-/-")


def test_every_kind_of_news_has_words():
    assert set(WRITERS) == {kind.name for kind in KINDS.values() if kind.news}


def test_a_result_is_told_to_players_and_followers_in_their_own_words(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    battle = f"Duel {fight.number}"
    assert read_words(fight.user("Bung")) == [f"You won {battle} against Froodal. Score 1."]
    assert read_words(fight.user("Froodal")) == [f"You lost {battle} against Bung. Score 0."]
    assert read_words(fan) == read_words(fan, "followed") == [f"Bung won {battle} against Froodal."]
    assert read_words(fan, "you") == read_words(make_user("Stranger")) == []


def test_nothing_is_told_before_the_end(world):
    fan, fight = world
    fight.turn("S/-", "-/P")
    assert [read_words(user) for user in (fan, fight.user("Froodal"), fight.user("Bung"))] == [[], [], []]


def test_a_death_for_good_leads_to_the_obituary(world):
    fan, fight = world
    kill_bung(fight)
    assert read_words(fan) == [f"Froodal killed Bung in Duel {fight.number}."]
    client = log_in(fan)
    line = list_news(fan.pk).get()
    assert client.get(f"/news/{line.pk}/")["Location"] == "/mages/Bung/end/"
    assert "Bung is dead." in read_words(fight.user("Bung"))[0]


def test_the_same_result_announced_twice_is_one_line(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    before = Notice.objects.count()
    first = Notice.objects.get(kind="own_result", user=fight.user("Bung"))
    key = StageKey(first.facts["seq"], first.facts["attempt"], first.facts["stage"])
    outcome = read_outcome(fight.battle.result)
    write_news_of_result(fight.battle, outcome, key, first.facts["label"], followers=[fan], now=NOW)
    assert (Notice.objects.count(), len(read_words(fan))) == (before, 1)


def test_practice_is_no_news():
    owner = make_user("Ambidexter")
    fight = start_fight(make_mage("Lefty", owner), make_mage("Righty", owner))
    fight.turn("P/P", "-/-")
    assert read_words(owner) == []


def test_an_annulled_result_leaves_the_news_and_comes_back_with_the_battle(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    jane = make_janitor()
    entry = annul_battle(battle=fight.battle, by=jane, reason="A mistake.", now=NOW + HOUR)
    assert read_words(fan) == read_words(fight.user("Bung")) == []
    undo_battle_entry(entry=entry, by=jane, reason="No mistake.", now=NOW + 2 * HOUR)
    assert read_words(fan) == [f"Bung won Duel {fight.number} against Froodal."]


def test_a_live_battle_of_someone_followed_is_news_until_it_ends(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    mages = [fight.mages["Froodal"], make_mage("Ottokar")]
    battle = start_battle(number=take_number(), terms=Terms(pace="live3"), mages=mages, now=NOW + HOUR)
    assert read_words(fan)[0] == "Froodal and Ottokar are fighting live."
    Fight(battle, {mage.name: mage for mage in mages}).turn("P/P", "-/-")
    assert not [words for words in read_words(fan) if "live" in words]


@pytest.mark.parametrize("by_reader", [True, False], ids=["the reader blocks them", "they block the reader"])
@pytest.mark.parametrize("name", ["Bung", "Froodal"])
def test_what_blocked_users_do_is_not_told(world, by_reader, name):
    fan, fight = world
    fight.turn("P/P", "-/-")
    pair = (fan, fight.user(name)) if by_reader else (fight.user(name), fan)
    assert read_count(fan) == 1
    block_user(user=pair[0], blocked=pair[1], now=NOW)
    assert (read_words(fan), read_count(fan)) == ([], 0)


def test_a_block_before_the_end_is_silent_too(world):
    fan, fight = world
    block_user(user=fight.user("Bung"), blocked=fan, now=NOW)
    fight.turn("P/P", "-/-")
    assert read_words(fan) == []


def test_what_suspended_users_do_is_not_told_while_they_are(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    jane = make_janitor()
    sanction = suspend_user(user=fight.user("Froodal"), by=jane, reason="Rude.", ends_at=None, now=NOW)
    assert (read_words(fan), read_count(fan)) == ([], 0)
    lift_sanction(sanction=sanction, by=jane, why="Sorry.", now=NOW)
    assert len(read_words(fan)) == 1


def test_a_study_is_told_to_followers_once_it_is_public_and_hidden_when_it_is_not(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    owner = fight.user("Froodal")
    study = begin_study(owner=owner, start=read_start(number=fight.number, user=owner, seq=1), now=NOW)
    share_study(study=study, user=owner, access="link", title="Against the <Troll>", now=NOW)
    assert len(read_words(fan)) == 1
    for _twice in range(2):
        share_study(study=study, user=owner, access="public", title="Against the <Troll>", now=NOW + HOUR)
    assert read_words(fan)[0] == "Quentin published a study: Against the <Troll>."
    assert "Against the &lt;Troll&gt;" in log_in(fan).get("/news/").text
    share_study(study=study, user=owner, access="private", title="Against the <Troll>", now=NOW + HOUR)
    assert len(read_words(fan)) == 1


def test_announcements_of_janitors_are_news_mailed_or_not():
    anna, jane = make_user("Anna"), make_janitor()
    rows = [
        announce(by=jane, text=f"Season {n}.", until=NOW + DAY, is_mailed=n == 1, now=NOW + n * HOUR) for n in (1, 2)
    ]
    notify_of_announcements(now=NOW + 2 * HOUR)
    assert sorted(read_words(anna)) == ["Season 1.", "Season 2."]
    withdraw_announcement(announcement=rows[1], now=NOW + 3 * HOUR)
    assert read_words(anna) == ["Season 1."]


def test_announcements_and_followed_users_can_be_left_out(world):
    fan, fight = world
    for key in ("page_follows", "page_news"):
        set_preference(user=fan, key=key, value="no")
    fight.turn("P/P", "-/-")
    announce(by=make_janitor(), text="Season 2.", until=NOW + DAY, is_mailed=False, now=NOW)
    notify_of_announcements(now=NOW)
    assert read_words(fan) == []
    assert not Notice.objects.filter(user=fan, kind__in=("followed_result", "site_line")).exists()
    assert not Delivery.objects.filter(notice__kind__in=("own_result", "followed_result", "site_line")).exists()


def test_a_message_is_news_with_all_of_its_words_on_the_page(world):
    _fan, fight = world
    text = "Again some day? " * 20
    recipient = fight.user("Bung")
    recipient.emailaddress_set.update(verified=True)
    send_message(writer=fight.user("Froodal"), reader=recipient, text=text, once="x", now=NOW)
    relay_announcement(user=fight.user("Froodal"), battles=[fight.battle], text="To <all>", now=NOW + HOUR)
    lines = read_words(recipient)
    assert lines[0] == "Quentin wrote to everyone in your battle: To <all>"
    page = flat(log_in(recipient).get("/news/"))
    assert "To &lt;all&gt;</blockquote>" in page
    assert read_words(fight.user("Froodal")) == []  # they know what they wrote


def test_who_joins_a_challenge_is_news_to_the_challenger():
    challenge = make_challenge(make_mage("Crom"), limit=3)
    borin = make_mage("Borin")
    accept_challenge(number=challenge.number, mage=borin, now=NOW)
    assert read_words(challenge.challenger.user) == [f"Borin joined challenge {challenge.number}."]
    block_user(user=borin.user, blocked=challenge.challenger.user, now=NOW)
    assert read_words(challenge.challenger.user) == []


def test_following_a_line_marks_it_and_opening_the_page_marks_nothing(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    client, line = log_in(fan), list_news(fan.pk).get()
    client.get("/news/")
    client.get("/")
    client.head(f"/news/{line.pk}/")
    assert read_count(fan) == 1
    assert client.get(f"/news/{line.pk}/")["Location"] == f"/battles/{fight.number}/"
    assert read_count(fan) == 0
    other = log_in(fight.user("Bung"))
    assert other.get(f"/news/{line.pk}/").status_code == 404


def test_all_news_can_be_marked_as_read(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    assert log_in(fight.user("Bung")).post("/news/seen/").status_code == 302
    assert (read_count(fan), read_count(fight.user("Bung"))) == (1, 0)


def test_a_result_read_in_the_battle_is_not_new_in_the_news(world):
    _fan, fight = world
    fight.turn("P/P", "-/-")
    bung = fight.user("Bung")
    assert read_count(bung) == 1
    log_in(bung).get(f"/battles/{fight.number}/")
    assert read_count(bung) == 0
    assert len(read_words(bung)) == 1


def test_older_news_is_on_further_pages(world):
    fan, _fight = world
    rows = [
        Notice(user=fan, key=f"k{n}", kind="site_line", news="site", facts={"text": f"Line {n}."}, created_at=NOW)
        for n in range(120)
    ]
    Notice.objects.bulk_create(rows)
    client, seen, address = log_in(fan), [], "/news/"
    while address:
        page = client.get(address)
        seen += [line.words for line in page.context["news"].lines]
        older = page.context["news"].older
        address = f"/news/?before={older}" if older else ""
    assert seen == [f"Line {n}." for n in reversed(range(120))]
    assert client.get("/news/?before=99999999999999&news=nonsense").status_code == 200


def test_home_has_five_lines_and_the_parts_are_links(world):
    fan, fight = world
    fight.turn("P/P", "-/-")
    page = log_in(fan).get("/?news=followed").text
    assert 'href="/?news=you#news"' in page
    assert f"Bung won Duel {fight.number} against Froodal." in page


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=4), "4 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(days=3), "3 d"),
    ],
)
def test_the_age_of_a_line_is_short(ago, words):
    assert write_age(NOW - ago, now=NOW) == words


def read_count(user):
    return log_in(user).get("/waiting/").json()["news"]
