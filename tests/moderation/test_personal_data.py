"""What people ask of janitors about their own data: to get it, to have it erased, and to get no more email."""

import json
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.errors import NameTaken
from accounts.janitors import READ_ONLY_JANITORS
from accounts.models import Message, Name, User
from accounts.services.messages import send_message
from accounts.services.traces import record_traces
from accounts.services.users import create_user, set_language
from duels.models import ChatLine
from email_gateway.compose.outbox import deliver_due
from email_gateway.deliver.bounces import resume_email
from email_gateway.deliver.prune import prune_addresses
from email_gateway.deliver.stopped_addresses import resume_address, stop_address
from email_gateway.models import MailAddress
from moderation.models import JournalEntry
from moderation.services.user_actions import erase_for_janitor, send_export_for_janitor
from notifications.models import Delivery
from notifications.services.outbox import write_notice
from operations.registry import ERASED_WITH_USER, list_fields
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.moderation.test_janitors import make_person
from tests.refusals import refused
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db
ADDRESS = "anna@example.org"


@pytest.fixture
def jane():
    return make_janitor("Jane")


@pytest.fixture
def anna(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    user = create_user(name="Anna", now=timezone.now())
    EmailAddress.objects.create(user=user, email=ADDRESS, verified=True, primary=True)
    User.objects.filter(pk=user.pk).update(email=ADDRESS)
    user.refresh_from_db()
    return user


def details(by, **more):
    return {"by": by, "reason": WHY, "now": timezone.now(), **more}


def act(janitor, user, slug, **data):
    address = reverse("admin:accounts_user_act", args=[user.pk, slug])
    return log_in(janitor).post(address, {"reason": WHY, **data})


def mails_to(address):
    deliver_due(now=timezone.now())
    return [each for each in mail.outbox if each.to == [address]]


def test_the_data_goes_to_the_confirmed_address_and_to_nobody_else(jane, anna):
    answer = act(jane, anna, "export")
    assert answer.status_code == 302
    (sent,) = mails_to(ADDRESS)
    assert sent.subject == "Your data" and "Jane" in sent.body and WHY in " ".join(sent.body.split())
    (name, packed, kind) = sent.attachments[-1]
    assert (name, kind) == ("firetop-anna.zip", "application/zip")
    with ZipFile(BytesIO(packed)) as archive:
        exported = json.loads(archive.read("firetop-anna.json"))
    assert exported["user"]["username"] == "Anna" and exported["addresses"][0]["email"] == ADDRESS
    assert len(mail.outbox) == 1
    # No copy of it stays, where a janitor or another could look.
    delivery = Delivery.objects.get(notice__kind="data_export")
    assert (delivery.state, delivery.sealed_mail, delivery.text) == ("sent", "", "")
    assert "confirmed address" in log_in(jane).get(reverse("admin:accounts_user_change", args=[anna.pk])).text


def test_data_is_sent_once_an_hour_and_never_without_a_confirmed_address(jane, anna):
    send_export_for_janitor(user=anna, **details(jane))
    with refused("just_exported"):
        send_export_for_janitor(user=anna, **details(jane))
    later = timezone.now() + timedelta(hours=1, minutes=1)
    send_export_for_janitor(user=anna, **details(jane, now=later))
    assert JournalEntry.objects.filter(user=anna, kind="exported").count() == 2
    EmailAddress.objects.filter(user=anna).update(verified=False)
    with refused("no_address"):
        send_export_for_janitor(user=anna, **details(jane, now=later + timedelta(hours=2)))
    assert len(mails_to(ADDRESS)) == 0


@pytest.mark.parametrize("act_on", [send_export_for_janitor, erase_for_janitor])
def test_only_a_janitor_who_is_not_concerned_acts_on_the_data_of_another(jane, anna, act_on):
    reader = make_person("Rita", group=READ_ONLY_JANITORS, is_staff=True)
    for by in (reader, make_person("Pavel")):
        with refused("no_permission"):
            act_on(user=anna, **details(by))
    with refused("own_account"):
        act_on(user=jane, **details(jane))
    start_fight(make_mage("Froodal", anna), make_mage("Bung", jane))
    with refused("in_battle_together"):
        act_on(user=anna, **details(jane))
    assert User.objects.get(pk=anna.pk).is_active and not JournalEntry.objects.exists()


def test_erasing_asks_for_the_name_and_leaves_nothing_that_the_user_wrote(jane, anna):
    battle = start_fight(make_mage("Froodal", create_user(name="Boris", now=timezone.now())), make_mage("Bung")).battle
    now = timezone.now()
    ChatLine.objects.create(battle=battle, user=anna, room="spectators", text="My words", once="1", created_at=now)
    boris = User.objects.get(username="Boris")
    send_message(writer=anna, reader=boris, text="My words", once="1", now=now)
    record_traces(user=anna, address="192.0.2.7", device="", now=now)
    assert act(jane, anna, "erase", name="Boris").status_code == 422
    assert User.objects.get(pk=anna.pk).is_active
    assert act(jane, anna, "erase", name="anna").status_code == 302
    user = User.objects.get(pk=anna.pk)
    assert not user.is_active and "nna" not in user.username
    for model, field in list_fields(ERASED_WITH_USER):
        assert not model._default_manager.filter(**{field: user}).exists(), model
    # The farewell still reaches them, and then nobody's rows have their words or their name.
    (farewell,) = mails_to(ADDRESS)
    assert "Anna" in farewell.subject
    found = {
        model._meta.label
        for model in apps.get_models()
        for row in model._default_manager.values()
        if "My words" in str(row) or "Anna" in str(row)
    }
    assert found <= {"notifications.Delivery"}, found
    with refused("erased"):
        erase_for_janitor(user=user, **details(jane))
    assert act(jane, user, "erase", name=user.username).status_code == 422
    # Anyone may have the name.
    create_user(name="Anna", now=now)
    assert Message.objects.count() == 0


def test_a_mage_keeps_the_name_that_their_erased_user_had(jane, anna):
    mage = make_mage("Anna", anna)
    erase_for_janitor(user=anna, **details(jane))
    mage.refresh_from_db()
    assert not mage.is_alive and Name.objects.get(key="anna").kind == "mage"
    with pytest.raises(NameTaken):
        create_user(name="Anna", now=timezone.now())


def test_nobody_is_erased_in_the_middle_of_a_battle(jane, anna):
    start_fight(make_mage("Froodal", anna), make_mage("Bung"))
    assert act(jane, anna, "erase", name="Anna").status_code == 422
    assert User.objects.get(pk=anna.pk).is_active and not JournalEntry.objects.exists()


def stop(janitor, address=ADDRESS):
    return log_in(janitor).post(reverse("admin:email_gateway_mailaddress_add"), {"address": address, "reason": WHY})


def tell(user, number):
    write_notice(
        key=f"code{number}", user=user, kind="login_code", facts={}, secrets={"code": "K7Q2"}, address=ADDRESS,
        now=timezone.now(),
    )  # fmt: skip


def test_a_stopped_address_gets_nothing_not_even_codes_until_it_is_resumed(jane, anna):
    tell(anna, 1)
    assert len(mails_to(ADDRESS)) == 1
    assert stop(jane, "Anna@Example.org").status_code == 302
    assert stop(jane).status_code == 200 and "already stopped" in stop(jane).text
    tell(anna, 2)
    assert len(mails_to(ADDRESS)) == 1
    assert Delivery.objects.order_by("pk").last().reason == "stopped"
    anna.refresh_from_db()
    assert anna.is_email_stopped and JournalEntry.objects.get(user=anna).kind == "mail_stopped"
    row = MailAddress.objects.get(address=ADDRESS)
    assert resume_address(row=row, **details(jane)) and not resume_address(row=row, **details(jane))
    tell(anna, 3)
    subjects = [each.subject for each in mails_to(ADDRESS)]
    assert subjects == ["Your login code", "A janitor changed your account", "Your login code"]


def test_an_address_resumed_in_the_list_gives_its_reason_in_the_language_of_its_user(jane, anna):
    set_language(user=anna, language="de")
    stop(jane)
    row = MailAddress.objects.get(address=ADDRESS)
    log_in(jane).post("/admin/email_gateway/mailaddress/", {"action": "resume", "_selected_action": [row.pk]})
    assert JournalEntry.objects.get(user=anna, kind="mail_resumed").reason == "In der Liste wieder aufgenommen."


def test_an_address_without_an_account_is_stopped_and_remembered(jane, anna):
    assert stop(jane, "stranger@example.net").status_code == 302
    prune_addresses(now=timezone.now() + timedelta(days=400))
    row = MailAddress.objects.get(address="stranger@example.net")
    assert row.stopped_at and not JournalEntry.objects.exists()
    assert stop(jane, "no address").status_code == 200 and not MailAddress.objects.filter(address="no address").exists()


def test_the_user_themself_resumes_what_was_stopped_for_them(jane, anna):
    stop(jane)
    resume_email(user=User.objects.get(pk=anna.pk), now=timezone.now())
    assert MailAddress.objects.get(address=ADDRESS).stopped_at is None
    assert not User.objects.get(pk=anna.pk).is_email_stopped


def test_nobody_stops_the_email_of_an_opponent_or_without_permission(jane, anna):
    reader = make_person("Rita", group=READ_ONLY_JANITORS, is_staff=True)
    assert stop(reader).status_code == 403
    with refused("no_permission"):
        stop_address(address=ADDRESS, **details(reader))
    start_fight(make_mage("Froodal", anna), make_mage("Bung", jane))
    assert "another janitor must do this" in stop(jane).text
    assert not MailAddress.objects.filter(stopped_at__isnull=False).exists()
