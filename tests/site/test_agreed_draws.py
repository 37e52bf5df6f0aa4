"""A draw by agreement is called the same wherever results are shown."""

import json

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.ties import follow_user
from duels.services.draws import accept_draw, offer_draw
from fm_site.notices.hook_texts import write_end
from ladder.tasks import sweep_unrated_battles
from notifications.models import Notice
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight
from tests.duels.test_draws import play_to
from tests.html import flat
from tests.scenes import NOW, log_in, make_user

pytestmark = pytest.mark.django_db
WORDS = "Draw, agreed in turn 5"


@pytest.fixture
def drawn(duel: Fight) -> Fight:
    follow_user(user=make_user("Reader"), followed=duel.user("Bung"), now=NOW)
    play_to(duel, 5)
    offer_draw(combatant=duel.combatant("Froodal"), now=NOW)
    accept_draw(combatant=duel.combatant("Bung"), now=NOW)
    sweep_unrated_battles()
    count_finished_battles()
    return duel


def test_every_page_that_shows_the_result_says_so(drawn):
    n, stranger = drawn.number, Client()
    for path in (
        f"/battles/{n}/",
        f"/battles/{n}/replay/",
        f"/battles/{n}/poster/",
        f"/battles/?ended_before={n + 1}",
        "/users/Bung_user/",
        "/mages/Bung/",
        "/feeds/users/Bung_user.atom",
        "/feeds/battles.atom",
    ):
        answer = stranger.get(path, follow=True)
        assert answer.status_code == 200 and WORDS in flat(answer), path
    for name, path in (("Bung", "/"), ("Bung", f"/battles/{n}/"), ("Froodal", f"/battles/{n}/")):
        assert WORDS in flat(log_in(drawn.user(name)).get(path)), (name, path)
    assert "agree on a draw" in flat(stranger.get("/battles/search/?ending=agreed"))


def test_news_hooks_and_programs_say_so(drawn):
    readers = (drawn.user("Bung"), User.objects.get(username="Reader"))
    own, followed = (flat(log_in(user).get("/news/")) for user in readers)
    assert f"Duel {drawn.number} against Froodal: draw, agreed in turn 5." in own
    assert f"Duel {drawn.number} of Froodal and Bung: draw, agreed in turn 5." in followed
    told = Notice.objects.filter(kind="battle_finished").first()
    assert f"It is over. {WORDS}." in write_end("battle_finished", told.facts, drawn.user("Bung")).text
    result = json.loads(Client().get(f"/api/battles/{drawn.number}/").content)["result"]
    assert (result["reason"], result["turn"], result["by"]) == ("agreed", "5", "Froodal")
