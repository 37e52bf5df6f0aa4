"""A newcomer and a host, through pages and emails as they arrive: the offer, the mark, the ask, the duel, the notes."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.selectors.hosts import find_hosts
from accounts.services.hosts import mark_host, offer_to_host, stop_hosting, unmark_host
from accounts.services.ties import block_user
from accounts.services.vacations import start_vacation
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, HostedDuel
from challenges.selectors.hosting import find_host_to_ask, list_free_hosts
from challenges.selectors.seeks import list_seeks
from challenges.services.answers import accept_challenge, decline_challenge
from challenges.services.hosting import ask_host, open_notes, pass_on_hosted_duels
from challenges.services.retire_mages import leave_site
from duels.models import Battle, Combatant
from duels.services.orders import submit_orders
from email_gateway.compose.outbox import deliver_due
from fm_site.pages.export import export_user
from moderation.models import JournalEntry
from moderation.services.reports import suspend_user
from moderation.services.user_actions import mark_host_for_janitor, unmark_host_for_janitor
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.duels.janitors import make_janitor
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def make_host(name):
    """A host with a free mage called after them."""
    user = make_user(name)
    EmailAddress.objects.create(user=user, email=f"{name.lower()}@wizards.example", verified=True, primary=True)
    make_mage(f"{name}s_mage", user)
    offer_to_host(user=user, now=NOW)
    mark_host(user=user, now=NOW)
    return user


@pytest.fixture
def anna():
    """A newcomer with a mage."""
    user = make_user("Anna")
    EmailAddress.objects.create(user=user, email="anna@wizards.example", verified=True, primary=True)
    make_mage("Tamsin", user)
    return user


def tamsin(anna):
    return anna.mages.get()


def invited(challenge):
    return [seat.mage.user.username for seat in challenge.seats.filter(state="invited").order_by("pk")]


def play(number, **orders):
    """Play one turn with these orders of the mages."""
    for combatant in Combatant.objects.filter(battle__number=number).select_related("mage"):
        submit_orders(
            combatant=combatant, text=orders[combatant.mage.name], via="web", now=NOW, ready=True, confirmed=True
        )


def test_a_newcomer_asks_a_host_and_both_read_the_notes_at_the_end(anna, mailoutbox):
    # Clara offers it in her settings, and a janitor marks her.
    clara = make_user("Clara")
    EmailAddress.objects.create(user=clara, email="clara@wizards.example", verified=True, primary=True)
    emberlin = make_mage("Emberlin", clara)
    host = log_in(clara)
    assert "Offer to play newcomers" in host.get("/accounts/hosting/").text
    host.post("/accounts/hosting/")
    assert "The janitors see your offer" in host.get("/accounts/hosting/").text
    newcomer = log_in(anna)
    assert "Ask a host" not in newcomer.get("/").text, "an offer alone makes nobody a host"
    janitor = make_janitor()
    assert "Clara" in log_in(janitor).get("/admin/desk/").text
    mark_host_for_janitor(user=clara, by=janitor, reason="Patient and kind.", now=NOW)
    assert JournalEntry.objects.get().kind == "host_marked"
    assert "plays newcomers" in log_in(None).get("/users/Clara/").text

    # Anna asks her from her home page.
    clara.refresh_from_db()
    clara.last_active_at = timezone.now()
    clara.save()
    home = newcomer.get("/").text
    assert "Clara plays newcomers" in home and "Ask Clara for a duel" in home
    answer = newcomer.post("/challenges/host/", {"mage": "Tamsin", "host": "Clara"}, follow=True)
    assert "If Clara does not answer within a day, another host is asked." in answer.text
    challenge = Challenge.objects.get()
    assert challenge.terms["stakes"] == "friendly" and challenge.terms["pace"] == "day"
    assert "Ask a host" not in newcomer.get("/").text
    deliver_due(now=timezone.now())
    (asked,) = [mail for mail in mailoutbox if mail.to == ["clara@wizards.example"] and "challenges" in mail.subject]
    assert "newcomer's first duel with a person" in " ".join(asked.body.split())

    # Clara accepts, and both write notes, which stay sealed.
    accept_challenge(number=challenge.number, mage=emberlin, now=NOW)
    notes = f"/battles/{challenge.number}/notes/"
    host.post(notes, {"mage": "Emberlin", "text": "A shield first would be wiser here."})
    newcomer.post(notes, {"mage": "Tamsin", "text": "I hope she has not seen my missile."})
    for reader, other in ((newcomer, "A shield first"), (host, "my missile"), (log_in(None), "A shield first")):
        assert other not in reader.get(notes).text
        assert other not in reader.get(f"/battles/{challenge.number}/").text
    assert open_notes(now=NOW) == 0, "never before the end"

    # The end opens them to both.
    play(challenge.number, Emberlin="LH P\nRH P", Tamsin="LH -\nRH -")
    assert Battle.objects.get(number=challenge.number).is_over
    assert open_notes(now=NOW) == 1
    assert open_notes(now=NOW) == 0
    assert "A shield first" in newcomer.get(notes).text and "my missile" in host.get(notes).text
    told = Notice.objects.filter(kind="notes_open")
    assert {(each.user.username, *each.facts["others"]) for each in told} == {("Anna", "Emberlin"), ("Clara", "Tamsin")}
    assert "with Emberlin are open." in newcomer.get("/news/").text
    deliver_due(now=NOW)
    assert {mail.to[0] for mail in mailoutbox if "notes" in mail.subject} == {
        "anna@wizards.example",
        "clara@wizards.example",
    }
    assert find_host_to_ask(anna, now=NOW + 2 * DAY) is None, "Anna is no newcomer any more"


def test_hosts_take_turns_and_one_who_owes_an_answer_is_not_asked(anna):
    clara, otto = make_host("Clara"), make_host("Otto")
    assert find_host_to_ask(anna, now=NOW) == clara
    ask_host(mage=tamsin(anna), now=NOW)
    boris = make_user("Boris")
    bung = make_mage("Bung", boris)
    assert find_host_to_ask(boris, now=NOW) == otto
    ask_host(mage=bung, wanted="Clara", now=NOW)
    assert HostedDuel.objects.get(newcomer=boris).host == otto, "Clara is busy with Anna"
    third = make_mage("Crom")
    with pytest.raises(ChallengeRefused, match="No host is free"):
        ask_host(mage=third, now=NOW)


def test_who_is_named_on_the_page_is_asked_if_they_are_still_free(anna):
    make_host("Clara")
    make_host("Otto")
    assert invited(ask_host(mage=tamsin(anna), wanted="Otto", now=NOW)) == ["Otto"]


def test_without_an_answer_in_a_day_the_next_host_is_asked_and_then_anyone(anna):
    clara = make_host("Clara")
    make_host("Otto")
    challenge = ask_host(mage=tamsin(anna), now=NOW)
    assert pass_on_hosted_duels(now=NOW + DAY) == 0, "Clara's email has not been sent"
    deliver_due(now=NOW)
    assert pass_on_hosted_duels(now=NOW + DAY - MINUTE) == 0
    assert pass_on_hosted_duels(now=NOW + DAY) == 1
    assert pass_on_hosted_duels(now=NOW + DAY) == 0, "twice is once"
    deliver_due(now=NOW + DAY)
    assert invited(challenge) == ["Otto"]
    assert Notice.objects.filter(user=clara, kind="challenge_uninvited").count() == 1
    assert pass_on_hosted_duels(now=NOW + 2 * DAY) == 1
    challenge.refresh_from_db()
    assert challenge.mages_per_user == 1 and challenge.limit == 2 and invited(challenge) == ["Otto"]
    assert not Notice.objects.filter(user=anna, kind="change_adopted").exists(), "they see it on the page"
    assert "anyone can join" in log_in(anna).get(f"/challenges/{challenge.number}/").text
    assert list_seeks(now=NOW + 2 * DAY + MINUTE) == []
    assert list_seeks(now=NOW + 2 * DAY + 2 * MINUTE) == [challenge], "those who asked are told of it"
    accept_challenge(number=challenge.number, mage=make_mage("Wanda"), now=NOW + 2 * DAY)
    assert pass_on_hosted_duels(now=NOW + 9 * DAY) == 0


def _decline(host, challenge):
    decline_challenge(number=challenge.number, mage=host.mages.get(), now=NOW)


def _suspend(host, challenge):
    suspend_user(user=host, by=make_janitor(), reason="Rude.", ends_at=None, now=NOW)


def _leave(host, challenge):
    leave_site(user=host, now=NOW)


def _play_elsewhere(host, challenge):
    make_challenge(host.mages.get(), limit=4)


@pytest.mark.parametrize("happens", [_decline, _suspend, _leave, _play_elsewhere])
def test_a_host_who_cannot_play_is_replaced_at_once(anna, happens, django_capture_on_commit_callbacks):
    clara = make_host("Clara")
    make_host("Otto")
    challenge = ask_host(mage=tamsin(anna), now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        happens(clara, challenge)
    assert pass_on_hosted_duels(now=NOW + MINUTE) == 1
    assert invited(challenge) == ["Otto"]


def test_the_duel_of_a_newcomer_who_is_suspended_is_withdrawn_at_once(anna):
    clara = make_host("Clara")
    challenge = ask_host(mage=tamsin(anna), now=NOW)
    suspend_user(user=anna, by=make_janitor(), reason="Rude.", ends_at=None, now=NOW)
    assert pass_on_hosted_duels(now=NOW + MINUTE) == 1
    challenge.refresh_from_db()
    assert challenge.status == "withdrawn" and tamsin(anna).busy_with is None
    assert Notice.objects.filter(user=clara, kind="challenge_withdrawn").count() == 1
    assert pass_on_hosted_duels(now=NOW + DAY) == 0


@pytest.mark.parametrize(
    "happens",
    [
        lambda anna, host: block_user(user=anna, blocked=host, now=NOW),
        lambda anna, host: block_user(user=host, blocked=anna, now=NOW),
        lambda anna, host: suspend_user(user=host, by=make_janitor(), reason="Rude.", ends_at=None, now=NOW),
        lambda anna, host: stop_hosting(user=host),
        lambda anna, host: unmark_host(user=host),
        lambda anna, host: start_vacation(user=host, days=7, now=NOW),
        lambda anna, host: host.mages.update(died_at=NOW),
        lambda anna, host: make_challenge(host.mages.get(), limit=4),
        lambda anna, host: type(host).objects.filter(pk=host.pk).update(last_active_at=NOW - 15 * DAY),
    ],
    ids=["blocked", "blocks", "suspended", "stopped", "unmarked", "on vacation", "dead", "engaged", "long away"],
)
def test_a_host_who_is_not_free_is_not_offered(anna, happens):
    clara = make_host("Clara")
    assert find_host_to_ask(anna, now=NOW) == clara
    happens(anna, clara)
    assert find_host_to_ask(anna, now=NOW) is None and list_free_hosts(anna, now=NOW) == []
    with pytest.raises(ChallengeRefused):
        ask_host(mage=tamsin(anna), wanted="Clara", now=NOW)


def test_one_host_a_day_is_asked_and_guests_ask_none(anna):
    make_host("Clara")
    make_host("Otto")
    challenge = ask_host(mage=tamsin(anna), now=NOW)
    second = make_mage("Second", anna)
    with pytest.raises(ChallengeRefused, match="first duel"):
        ask_host(mage=second, now=NOW + MINUTE)
    anna.is_guest = True
    assert find_host_to_ask(anna, now=NOW + 3 * DAY) is None
    assert HostedDuel.objects.get().challenge == challenge


def test_the_mark_and_the_offer_are_in_the_download_and_go_with_the_account(anna):
    clara = make_host("Clara")
    ask_host(mage=tamsin(anna), now=NOW)
    assert export_user(clara, now=NOW)["hosting"][0]["marked_at"] == NOW
    assert export_user(anna, now=NOW)["hosts_asked"][0]["host"] == "Clara"
    assert find_hosts([clara.pk, anna.pk]) == {clara.pk}
    leave_site(user=clara, now=NOW)
    assert find_hosts([clara.pk]) == frozenset()
    dora = make_host("Dora")
    unmark_host_for_janitor(user=dora, by=make_janitor(), reason="Enough.", now=NOW)
    assert find_hosts([dora.pk]) == frozenset()
