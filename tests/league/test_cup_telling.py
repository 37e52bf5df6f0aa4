"""What the people of a cup are told, and the hooks of the site."""

from datetime import UTC, datetime

import pytest
from django.utils import translation

from email_gateway.compose.notices import compose_notice
from email_gateway.errors import NothingToSend
from fm_site.notices.news_lines import describe_news
from league.cup_words import name_cup, name_cup_in_sentence
from league.models import Cup
from league.services.run_cups import advance_cup
from notifications.hook_texts import make_hook_message
from notifications.models import Hook, Notice
from notifications.push_texts import make_push
from notifications.services.preferences import set_preference
from tests.league.cups import DAY, begin, enter, finish, make_cup, user_of
from tests.scenes import NOW, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
EIGHT = ("Ayla", "Borin", "Cade", "Dain", "Esme", "Finn", "Gala", "Hild")


def read_news(user):
    notices = Notice.objects.filter(user=user, kind__startswith="cup_").order_by("pk")
    return [line.words for line in describe_news(notices, user, now=NOW)]


def compose(name, kind):
    notice = Notice.objects.filter(user=user_of(name), kind=kind).latest("pk")
    return compose_notice(kind=kind, facts=notice.facts, user=user_of(name))


@pytest.mark.parametrize(
    ("kind", "title", "named"),
    [
        (Cup.Kind.EVENING, "Live-Abend vom 13. Dezember", "Live-Abend vom 13. Dezember"),
        (Cup.Kind.ROUND_ROBIN, "Rundenturnier vom 13. Dezember", "Rundenturnier vom 13. Dezember"),
    ],
)
def test_a_day_in_the_name_of_a_cup_is_written_as_the_reader_writes_it(kind, title, named):
    begins_at = datetime(2026, 12, 13, 19, tzinfo=UTC)
    with translation.override("de"):
        assert (name_cup(kind, begins_at), name_cup_in_sentence(kind, begins_at)) == (title, named)


def test_a_finalist_reads_every_step_of_a_knock_out_and_the_site_s_hook_its_begin_and_end():
    janitor = make_user("Clara")
    Hook.objects.create(
        user=janitor, scope="site", place="site/1", format="ntfy", name="site", events=["league"], created_at=NOW
    )
    cup = make_cup()
    enter(cup, *EIGHT[:4], "Esme", "Finn")
    cup = begin(cup)
    for one, other in (("Dain", "Esme"), ("Cade", "Finn"), ("Ayla", "Dain"), ("Borin", "Cade"), ("Ayla", "Borin")):
        finish(cup, one, one, other, now=cup.begins_at)
        advance_cup(cup_id=cup.pk, now=cup.begins_at)
    assert read_news(user_of("Ayla")) == [
        "The May Cup takes place.",
        "May Cup, Quarter-finals: you have a bye.",
        "May Cup, Semi-finals: you meet Dain.",
        "You won your duel in the May Cup (Semi-finals) and are through.",
        "May Cup, Final: you meet Borin.",
        "You won the May Cup.",
    ]
    assert read_news(user_of("Esme"))[-1] == "You are out of the May Cup (Quarter-finals)."
    hooks = Notice.objects.filter(user=janitor, kind="open_cup").order_by("pk")
    said = [make_hook_message(notice).text.split("\n")[1] for notice in hooks]
    assert said == ["It has begun.", "It is over. Won by Ayla."]


def test_emails_lead_to_the_cup_and_a_duel_that_begins_has_one_email():
    cup = make_cup(Cup.Kind.EVENING)
    enter(cup, *EIGHT[:7])
    cup = begin(cup)
    mail = compose("Ayla", "cup_confirmed")
    assert "The live evening of 7 May takes place" in mail.subject
    assert "five minutes after" in " ".join(mail.text.split()) and f"/cups/{cup.pk}/" in mail.text
    assert "you have a bye" in compose("Gala", "cup_round").text
    with pytest.raises(NothingToSend):
        compose("Ayla", "cup_round")
    set_preference(user=user_of("Ayla"), key="mail_ends", value="no")
    assert "you meet Dain" in compose("Ayla", "cup_round").text
    push = make_push(Notice.objects.filter(user=user_of("Gala"), kind="cup_round").get())
    assert (push.title, push.path) == ("A round of your cup begins", f"/cups/{cup.pk}/")


def test_those_of_a_cancelled_cup_are_told_how_many_there_were():
    cup = make_cup()
    enter(cup, "Ayla")
    advance_cup(cup_id=cup.pk, now=cup.begins_at - DAY)
    assert "only 1 mage had signed up" in compose("Ayla", "cup_cancelled").text
