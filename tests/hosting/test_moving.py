"""docs/change-of-domain.md, docs/moving.md and docs/queues.md: their commands run, and what they promise holds."""

import io
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date, timedelta

import pytest
import redis
from django.conf import settings as site_settings
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.services.users import create_user
from duels.models import OrderSheet
from email_gateway.addresses import find_mailbox, is_own_address
from email_gateway.compose.parts import write_stop_link
from email_gateway.errors import UnknownMailbox
from email_gateway.models import InboundMail
from email_gateway.receive.intake import ingest_mail
from fm_site.upkeep.queues import measure_queues
from notifications.models import Delivery
from notifications.selectors.notices import preferences_of
from notifications.services.deliveries import queue_delivery
from tests.email_gateway.conftest import MailedDuel, duel, saved_mailed_duel, world
from tests.email_gateway.world import reply_address, write_mail
from tests.hosting.document import ROOT, list_blocks, list_commands
from tests.scenes import NOW, log_in

__all__ = ["duel", "saved_mailed_duel", "world"]

NEW, OLD = "new.example.org", "localhost"
LAST_DAY = date(2031, 11, 30)
AFTER = NOW + timedelta(days=300)
# What `firetop` runs; test_installer.py and test_every_command.py run the command itself.
MANAGE = f"{sys.executable} manage.py"
WORDS = {
    "firetop manage": MANAGE,
    "firetop back-up": f"{MANAGE} back_up",
    "firetop restore": f"{MANAGE} restore_backup --yes",
}
# Why a command of these pages is not run here.
NOT_HERE = {"systemctl": "no systemd runs here; the machines' services are stopped, or not started, by the test"}


def test_every_command_of_these_pages_is_run_or_has_a_reason():
    run = re.compile(r"firetop (manage queues|manage check|back-up|restore)\b")
    left = [
        line
        for page in ("change-of-domain", "moving", "queues")
        for line in list_commands(page)
        if not run.match(line) and not line.startswith(tuple(NOT_HERE))
    ]
    assert left == []


# --- the domain ------------------------------------------------------------------------------------------------------


@pytest.fixture
def moved(settings):
    """The site under its new domain, by the document's lines."""
    text = (ROOT / "docs" / "change-of-domain.md").read_text()
    lines = re.search(r"^```ini\n(.*?)^```", text, re.M | re.S)[1].splitlines()
    written = dict(line.split("=", 1) for line in lines)
    assert written["FM_FORMER_DOMAINS"] == f"old.example.org={LAST_DAY}"
    settings.FM_SITE_URL, settings.FM_MAIL_DOMAIN = written["FM_SITE_URL"], written["FM_MAIL_DOMAIN"]
    settings.FM_FORMER_DOMAINS = {"old.example.org": LAST_DAY, OLD: LAST_DAY}
    settings.ALLOWED_HOSTS = [written["ALLOWED_HOSTS"], *settings.FM_FORMER_DOMAINS]
    return settings


def test_the_environment_of_the_document_is_read(tmp_path):
    code = "from django.conf import settings as s; print(s.FM_FORMER_DOMAINS, s.ALLOWED_HOSTS)"
    more = {"FM_FORMER_DOMAINS": f"Old.example.org={LAST_DAY}", "ALLOWED_HOSTS": NEW, "FM_DATA_DIR": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **more, "DJANGO_SETTINGS_MODULE": "fm_site.settings"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.strip() == f"{{'old.example.org': {LAST_DAY!r}}} ['{NEW}', 'old.example.org']"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/rules/", "/battles/12/?turn=3&next=%2Frules%2F", "/mail/stop/abc:d/", "/nothing/"])
def test_a_link_to_the_old_domain_leads_to_the_same_page_of_the_new_one(moved, path, monkeypatch):
    for host in ("old.example.org", "OLD.example.org:443"):
        answer = Client(HTTP_HOST=host).get(path)
        assert (answer.status_code, answer["Location"]) == (301, f"https://{NEW}{path}")
        assert answer["Cache-Control"] == "max-age=86400" and not answer.cookies
    assert Client(HTTP_HOST=NEW).get("/rules/").status_code == 200
    monkeypatch.setattr("django.utils.timezone.now", lambda: AFTER)
    answer = Client(HTTP_HOST="old.example.org").get(path)
    assert answer.status_code == 410 and f"https://{NEW}" in answer.text


@pytest.mark.django_db
def test_what_is_sent_to_the_old_domain_is_taken_there_until_its_last_day(moved, monkeypatch):
    anna = create_user(name="Anna", now=NOW)
    # One click in the mail program, which may not be redirected.
    stop = write_stop_link(anna, "mail_turns").removeprefix(moved.FM_SITE_URL)
    assert Client(HTTP_HOST=OLD).post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert preferences_of(anna)["mail_turns"] == "no"
    # A form of a page that was open, with the session and token of the old domain.
    page = log_in(anna, HTTP_HOST=OLD, enforce_csrf_checks=True)
    page.cookies["csrftoken"] = "a" * 32
    form = {"csrfmiddlewaretoken": "a" * 32, "text": "I play.", "next": "/"}
    sent = page.post(reverse("accounts:about"), form, headers={"origin": f"http://{OLD}"})
    assert sent.status_code == 302
    anna.refresh_from_db()
    assert anna.about == "I play."
    # The next page is on the new domain.
    assert page.get(sent["Location"])["Location"].startswith(f"https://{NEW}/")
    assert Client(HTTP_HOST=OLD).get("/api/v1/openapi.json").status_code == 200
    monkeypatch.setattr("django.utils.timezone.now", lambda: AFTER)
    assert {Client(HTTP_HOST=OLD).post(stop).status_code, Client(HTTP_HOST=OLD).get("/api/v1/").status_code} == {410}


def test_a_reply_to_an_old_email_is_processed_and_new_ones_come_from_the_new_domain(duel: MailedDuel, moved):
    moved.FM_MAIL_DOMAIN, moved.FM_FORMER_DOMAINS, before = OLD, {}, moved.FM_FORMER_DOMAINS
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    old = {str(mail["To"]): reply_address(mail) for mail in duel.world.new_mails()}["frode@example.org"]
    assert old.endswith(f"@{OLD}")
    moved.FM_MAIL_DOMAIN, moved.FM_FORMER_DOMAINS = NEW, before
    (receipt,) = duel.world.send("LH F\nRH S\nEND\n", sender="frode@example.org", to=old)
    sheet = OrderSheet.objects.filter(combatant__mage=duel.froodal).order_by("-pk").first()
    assert "LH F" in sheet.text and is_own_address(old)
    duel.world.order(duel.battle, duel.bung, "S/W")
    for mail in (receipt, *duel.world.new_mails()):
        assert f"@{NEW}" in str(mail["Message-ID"]) and f"@{NEW}" in str(mail["Reply-To"])
    assert f"https://{NEW}/" in mail.get_body(("plain",)).get_content()


@pytest.mark.django_db
def test_after_the_last_day_the_old_domain_has_no_mailboxes_but_what_was_accepted_is_processed(moved):
    address = f"fm@{OLD}"
    assert find_mailbox(address, LAST_DAY) == find_mailbox(f"fm@{NEW}", LAST_DAY)
    with pytest.raises(UnknownMailbox):
        find_mailbox(address, LAST_DAY + timedelta(days=1))
    mail = write_mail("HELP\n", sender="wil@example.org")
    ingest_mail(raw=mail, mail_from="wil@example.org", rcpt_tos=[address], now=NOW)
    with pytest.raises(UnknownMailbox):
        ingest_mail(raw=mail, mail_from="wil@example.org", rcpt_tos=[address], now=AFTER)
    assert find_mailbox(address).kind == "orders"


@pytest.mark.django_db
def test_the_check_of_the_document_warns_of_domains_that_are_current_or_have_ended(moved):
    (line,) = [line for line in list_commands("change-of-domain") if "check" in line]
    assert line == "firetop manage check --deploy --tag security"
    moved.FM_FORMER_DOMAINS = {"old.example.org": date(2000, 1, 1), NEW: date(2999, 1, 1)}
    found = {each.id for each in run_checks(tags=["security"], include_deployment_checks=True)}
    assert {"email_gateway.W006", "email_gateway.W007"} <= found
    moved.FM_FORMER_DOMAINS = {"old.example.org": date(2999, 1, 1)}
    found = {each.id for each in run_checks(tags=["security"], include_deployment_checks=True)}
    assert not {"email_gateway.W006", "email_gateway.W007"} & found


# --- queues ----------------------------------------------------------------------------------------------------------


def run_page(number):
    """Run a block of docs/queues.md; return what its commands print."""
    told = io.StringIO()
    for line in list_blocks("queues")[number]:
        name, *options = shlex.split(line.removeprefix("firetop manage "))
        call_command(name, *options, stdout=told)
    return told.getvalue()


def fill_queues():
    for hours in (0, 60):
        mail = '{"subject": "Hello", "text": "Hello"}'
        now = timezone.now() - timedelta(hours=hours)
        queue_delivery(mail=mail, subject="Hello", address="anna@example.org", user=None, now=now)
    mail = write_mail("HELP\n", sender="wil@example.org")
    ingest_mail(raw=mail, mail_from="wil@example.org", rcpt_tos=["fm@localhost"], now=timezone.now())
    with redis.Redis.from_url(site_settings.REDIS_URL) as broker:
        broker.rpush("firetop", "{}", "{}")


def count():
    return {queue.name: queue.waiting for queue in measure_queues(now=timezone.now())}


@pytest.mark.django_db
def test_queues_are_shown_drained_and_dropped_by_the_commands_of_the_page():
    show, drain, drop_tasks, drop_old = range(4)
    run_page(drop_tasks)
    fill_queues()
    told = run_page(show)
    assert "email to send: 2 waiting, 2 due, the oldest since" in told and "email to process: 1 waiting, 1 due" in told
    assert "tasks: firetop: 2 waiting" in told
    text = (ROOT / "docs" / "queues.md").read_text()
    assert all(f"\n{name}: " in text for name in count())
    # Dropping: only what is old, and only with --yes.
    with pytest.raises(CommandError, match="never sent"):
        call_command("queues", "--drop", "mail")
    assert "1 dropped." in run_page(drop_old)
    dropped = Delivery.objects.get(state="failed")
    assert (dropped.error, dropped.sealed_mail) == ("Dropped by the operator.", "")
    # Twice is as good as once.
    assert "1 dropped." not in run_page(drop_old) and "2 tasks removed." in run_page(drop_tasks)
    assert "0 tasks removed." in run_page(drop_tasks)
    run_page(drain)
    assert set(count().values()) == {0}
    assert InboundMail.objects.get().state == "processed"
    assert list(Delivery.objects.exclude(pk=dropped.pk).values_list("state", flat=True).distinct()) == ["sent"]


@pytest.mark.django_db
def test_draining_ends_while_the_mail_server_is_down(settings):
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        9,
    )
    fill_queues()
    call_command("queues", "--drain", stdout=io.StringIO())
    assert count()["email to send"] >= 2 and count()["email to process"] == 0
    call_command("queues", "--drop", "tasks", stdout=io.StringIO())


# --- machines --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_site_moves_to_another_machine_with_every_row(tmp_path):
    """Two data folders and databases; only the backup, the key and the environment go from one to the other."""

    def run(machine, line, **more):
        folder = tmp_path / machine
        environment = {
            "PATH": os.environ["PATH"],
            "FM_DATA_DIR": str(folder),
            "REDIS_URL": site_settings.REDIS_URL,
            "ALLOWED_HOSTS": "play.example.org",
            "FM_SITE_URL": "https://play.example.org",
            "FM_MAIL_DOMAIN": "play.example.org",
            "FM_TRUSTED_PROXIES": "127.0.0.1",
            "EMAIL_URL": "smtp://127.0.0.1:25",
            **more,
        }
        for word, ours in WORDS.items():
            line = line.replace(word, ours)
        line = line.replace("/var/backups/firetop", str(tmp_path / "move"))
        done = subprocess.run(["bash", "-euc", line], env=environment, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def read_rows(machine):
        with closing(sqlite3.connect(tmp_path / machine / "db.sqlite3")) as rows:
            names = [name for (name,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: sorted(map(repr, rows.execute(f'SELECT * FROM "{name}"'))) for name in names}

    for machine in ("old", "new"):
        (tmp_path / machine).mkdir()
    leave, arrive = list_blocks("moving")
    run("old", f"{MANAGE} migrate -v 0")
    keeper = f"{MANAGE} createsuperuser --noinput --username Keeper --email keeper@example.org"
    run("old", keeper, DJANGO_SUPERUSER_PASSWORD="open sesame 7")
    backup = [run("old", line) for line in leave if not line.startswith("systemctl")][-1].strip()
    before = read_rows("old")
    (tmp_path / "new" / "secret_key").write_bytes((tmp_path / "old" / "secret_key").read_bytes())
    restore, *rest = [line for line in arrive if not line.startswith("systemctl")]
    run("new", restore.replace("/var/backups/firetop/BACKUP", backup))
    assert {name: rows for name, rows in read_rows("new").items() if rows} == {k: v for k, v in before.items() if v}
    for line in (f"{MANAGE} prepare_site", *rest):
        run("new", line)
    # Preparing adds what the release brings, such as its bots.
    after = read_rows("new")
    assert set(before["accounts_user"]) < set(after["accounts_user"]) and "Keeper" in str(after["accounts_name"])
