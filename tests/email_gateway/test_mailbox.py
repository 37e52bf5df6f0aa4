"""The local mailbox: only for this machine, and only with DEBUG."""

import pytest
from django.test import Client
from django.urls import reverse

from email_gateway.models import LocalMail
from tests.email_gateway.world import MailWorld

pytestmark = pytest.mark.once

PAGES = ["email_gateway:mailbox", "email_gateway:mail", "email_gateway:mail_html", "email_gateway:mail_source"]


@pytest.fixture
def mailed(world: MailWorld, settings) -> MailWorld:
    settings.DEBUG = True
    world.mage("Froodal", world.user("Frode"))
    world.mage("Bung", world.user("Bill"))
    world.send("USER Frode three-black-moths\nNEWGAME Froodal CHALLENGE Bung COMMENT <b>x</b>")
    return world


def address_of(page: str) -> str:
    newest = LocalMail.objects.first()
    assert newest is not None
    return reverse(page) if page.endswith("mailbox") else reverse(page, args=[newest.pk])


@pytest.mark.parametrize("page", PAGES)
def test_this_machine_reads_it_while_debug_is_on(mailed: MailWorld, page):
    answer = Client().get(address_of(page))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "visitor",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=192.0.2.7"},
    ],
)
def test_nobody_else_learns_that_it_is_there(mailed: MailWorld, page, visitor):
    assert Client(**visitor).get(address_of(page)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_without_debug_it_is_not_there(mailed: MailWorld, settings, page):
    settings.DEBUG = False
    assert Client().get(address_of(page)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_read_only(mailed: MailWorld, page):
    assert Client().post(address_of(page)).status_code == 405


def test_an_unknown_email_is_not_found(mailed: MailWorld):
    assert Client().get("/mailbox/999999/").status_code == 404


def test_the_list_can_be_narrowed_to_an_address(mailed: MailWorld):
    page = Client().get("/mailbox/?to=bill").content.decode()
    assert "Froodal challenges Bung" in page and "frode@example.org" not in page


def test_the_html_part_is_shown_in_a_sandbox(mailed: MailWorld):
    answer = Client().get(address_of("email_gateway:mail_html"))
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy and "allow-scripts" not in policy
    assert "<b>x</b>" not in answer.content.decode()


def test_the_source_is_the_email_as_sent(mailed: MailWorld):
    answer = Client().get(address_of("email_gateway:mail_source"))
    assert answer["Content-Type"].startswith("text/plain")
    assert "Message-ID: <" in answer.content.decode() and "Auto-Submitted: " in answer.content.decode()
