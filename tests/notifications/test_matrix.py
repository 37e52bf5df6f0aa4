"""The matrix of notices and channels: what is stored, what presets choose, and that each choice is heeded."""

from typing import get_args

import pytest

from accounts.api_schema import HookEvent
from email_gateway.compose.parts.stop_mails import stop_mails
from notifications.hook_events import OWN_EVENTS
from notifications.kinds import KINDS
from notifications.matrix import CHANNELS, PRESETS, SUBJECTS, choose_preset, find_preset, list_keys
from notifications.models import Delivery, Preference
from notifications.preferences import PREFERENCES
from notifications.selectors.notices import find_mail_choice, find_mail_choices, preferences_of
from notifications.services.hooks import set_webhook
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from tests.scenes import NOW, log_in, make_user

pytestmark = pytest.mark.django_db


def read_form(client):
    """The fields of the page as a browser sends them."""
    form = client.get("/accounts/notices/").context["form"]
    chosen = {field.html_name: field.value() for field in form}
    return {name: "on" if value is True else value for name, value in chosen.items() if value is not False}


def test_the_matrix_has_each_preference_of_a_channel_once():
    channelled = {key for key in PREFERENCES if key.partition("_")[0] in CHANNELS}
    assert set(list_keys()) == channelled - {"mail_unconfirmed", "mail_quiet", "mail_subjects"}
    assert len(list(list_keys())) == len(set(list_keys()))
    assert {kind.subject for kind in KINDS.values()} - {"", "unconfirmed"} <= set(SUBJECTS)


def test_choices_of_before_are_what_they_were(anna):
    """Who had battles in one daily email still has their beginnings and ends there, and nobody is asked again."""
    set_preference(user=anna, key="mail_turns", value="digest")
    set_preference(user=anna, key="push_turns", value="no")
    assert find_mail_choice(anna, "battle_finished") == "digest"
    assert find_mail_choices([anna], "battle_finished") == {anna.pk: "digest"}
    chosen = preferences_of(anna)
    assert (chosen["mail_ends"], chosen["push_ends"]) == ("digest", "no")
    set_preference(user=anna, key="mail_ends", value="no")
    assert find_mail_choices([anna], "battle_finished") == {anna.pk: "no"}
    assert find_mail_choices([anna], "turn_resolved") == {anna.pk: "digest"}


def test_saving_the_page_as_it_is_changes_nothing(anna):
    set_preference(user=anna, key="mail_turns", value="digest")
    set_preference(user=anna, key="mail_news", value="no")
    before = preferences_of(anna)
    client = log_in(anna)
    assert client.post("/accounts/notices/", read_form(client)).status_code == 302
    assert preferences_of(anna) == before


def test_a_box_is_saved_at_once_and_names_the_preset(anna):
    client = log_in(anna)
    data = read_form(client)
    del data["mail_ends"]
    answer = client.post("/accounts/notices/", {**data, "at_once": "1"})
    assert answer.json() == {"preset": ""}
    assert preferences_of(anna)["mail_ends"] == "no"
    wrong = client.post("/accounts/notices/", {**data, "digest_hour": "99", "at_once": "1"})
    assert wrong.status_code == 422 and wrong.json()["problem"]
    assert preferences_of(anna)["digest_hour"] == "7"


def test_emails_may_come_once_a_day_each_by_itself(anna):
    client = log_in(anna)
    client.post("/accounts/notices/", {**read_form(client), "daily_turns": "on"})
    assert preferences_of(anna)["mail_turns"] == "digest"
    assert find_preset(preferences_of(anna)) == "usual"
    data = read_form(client)
    assert data["daily_turns"] == data["mail_turns"] == "on"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_makes_all_choices_and_keeps_the_daily_email(anna, name):
    set_preference(user=anna, key="mail_turns", value="digest")
    client = log_in(anna)
    assert client.post("/accounts/notices/", {"preset": name}).status_code == 302
    chosen = preferences_of(anna)
    assert find_preset(chosen) == name
    assert chosen["mail_turns"] == "digest"
    assert choose_preset(name, chosen) == {key: chosen[key] for key in list_keys()}
    page = client.get("/accounts/notices/").text
    assert f'value="{name}" aria-pressed="true"' in page


def test_quiet_is_your_move_alone():
    on = {key for key, value in PRESETS["quiet"].items() if value != "no"}
    assert on == {"mail_turns", "push_turns", "hook_turns"}


def test_the_usual_choices_are_those_of_a_new_user():
    assert find_preset(preferences_of(make_user("Newcomer"))) == "usual"
    assert not Preference.objects.exists()


@pytest.mark.parametrize(
    ("kind", "key"),
    [("turn_resolved", "hook_turns"), ("deadline_alarm", "hook_deadlines"), ("battle_finished", "hook_ends")],
)
def test_a_webhook_is_called_only_about_what_its_user_wants(anna, kind, key):
    set_webhook(user=anna, url="https://bot.example/events", now=NOW)
    write_notice(key="one", user=anna, kind=kind, facts={"battle": 3}, now=NOW)
    set_preference(user=anna, key=key, value="no")
    write_notice(key="two", user=anna, kind=kind, facts={"battle": 3}, now=NOW)
    write_notice(key="three", user=anna, kind="mage_claimed", facts={"battle": 3}, now=NOW)
    called = Delivery.objects.filter(channel=Delivery.Channel.WEBHOOK).values_list("notice__key", flat=True)
    assert sorted(called) == ["one", "three"]


def test_the_link_that_stops_emails_about_battles_stops_all_of_them(anna):
    set_preference(user=anna, key="mail_ends", value="digest")
    stop_mails(user=anna, what="mail_turns")
    assert {preferences_of(anna)[key] for key in ("mail_turns", "mail_ends")} == {"no"}


def test_every_subject_that_is_emailed_daily_has_its_box(anna):
    form = log_in(anna).get("/accounts/notices/").context["form"]
    assert len(form.daily) == sum(subject.may_be_daily for subject in SUBJECTS.values())


def test_the_api_offers_the_same_events_of_hooks_as_the_page():
    assert list(get_args(HookEvent)) == list(OWN_EVENTS)


def test_the_settings_say_whether_the_puzzle_of_the_day_is_told(client, anna):
    client.force_login(anna)
    assert "You are not notified of the puzzle of the day." in client.get("/accounts/settings/").text
    set_preference(user=anna, key="push_daily", value="yes")
    assert "You are notified of the puzzle of the day." in client.get("/accounts/settings/").text
