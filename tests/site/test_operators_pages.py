"""Pages of the operator: who writes them, what readers see of them, and what is still missing."""

from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.janitors import JANITORS, READ_ONLY_JANITORS
from accounts.models import User
from email_gateway.compose.notices import compose_notice
from moderation.models import Report
from moderation.services.reports import answer_report
from notifications.models import Delivery, Notice
from operations.encryption import unseal
from operations.models import SitePage
from operations.services.site_pages import save_site_page
from operations.site_page_drafts import DRAFTS, MISSING
from operations.text.markdown import render_markdown
from tests.scenes import DAY, NOW, log_in, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ADD = "/admin/operations/sitepage/add/"


def make_janitor(name, group=JANITORS):
    user = make_user(name)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.groups.add(Group.objects.get_or_create(name=group)[0])
    return user


def save(by, text, name="imprint", language="en", now=NOW):
    page = save_site_page(name=name, language=language, text=text, by=by, now=now)
    cache.clear()  # as on commit
    return page


def read(path, language="en", browser=None):
    return (browser or Client()).get(path, HTTP_ACCEPT_LANGUAGE=language).content.decode()


def test_a_janitor_fills_in_the_draft_and_every_version_is_kept():
    browser = log_in(make_janitor("Jane"))
    draft = browser.get(f"{ADD}?name=imprint&language=en").content.decode()
    assert "Postal address: ???" in draft
    first = {"name": "imprint", "language": "en", "text": "# Who\n\nAnna, ???"}
    assert browser.post(ADD, first).status_code == 302
    version = SitePage.objects.get()
    assert browser.post(ADD, {**first, "text": ""}).status_code == 200, "an empty form takes nothing down"
    assert browser.get(f"{ADD}?name=imprint&language=en").content.decode().count("Anna, ???") == 1
    changed = f"/admin/operations/sitepage/{version.pk}/change/"
    assert browser.post(changed, {"text": "Anna, Hamburg", "name": "terms"}).status_code == 302
    assert [(each.name, each.text) for each in SitePage.objects.order_by("pk")] == [
        ("imprint", "# Who\n\nAnna, ???"),
        ("imprint", "Anna, Hamburg"),
    ]
    assert "Hamburg" in read("/imprint/")
    assert browser.post(changed, {"text": ""}).status_code == 302
    assert Client().get("/imprint/").status_code == 404 and SitePage.objects.count() == 3
    assert browser.post(f"/admin/operations/sitepage/{version.pk}/delete/", {"post": "yes"}).status_code == 403


def test_nobody_else_writes_them():
    page = save(make_janitor("Jane"), "Anna")
    reader = log_in(make_janitor("Rita", READ_ONLY_JANITORS))
    change = f"/admin/operations/sitepage/{page.pk}/change/"
    form = {"name": "imprint", "language": "en", "text": "Mallory"}
    assert reader.get(change).status_code == 200
    for browser in (reader, log_in(make_user("Mallory")), Client()):
        for path in (ADD, change):
            assert browser.post(path, form).status_code in (302, 403)
    assert [each.text for each in SitePage.objects.all()] == ["Anna"]


def test_readers_see_their_language_else_another_with_its_date():
    jane = make_janitor("Jane")
    save(jane, "English text", now=NOW)
    save(jane, "English text again", now=NOW + DAY)
    english = read("/imprint/", "de")
    assert 'lang="en"><p>English text again</p>' in english and "2031-05-05T" in english
    save(jane, "Deutscher Text", language="de", now=NOW)
    assert 'lang="de"><p>Deutscher Text</p>' in read("/imprint/", "de")
    assert "English text again" in read("/imprint/", "en")
    save(jane, "", language="en", now=NOW)
    assert "Deutscher Text" in read("/imprint/", "en")


def test_pages_say_what_is_not_filled_in_and_only_those_that_exist_are_linked():
    jane = make_janitor("Jane")
    for name in ("imprint", "terms", "minimum-age", "accessibility"):
        answer = Client().get(f"/{name}/")
        assert answer.status_code == 404 and "has not written this page yet" in answer.content.decode()
        assert f'href="/{name}/"' not in read("/rules/")
    assert "has not yet filled in who is responsible" in read("/privacy/")
    desk = log_in(jane)
    assert read("/admin/desk/", browser=desk).count("<td>Missing</td>") == len(SitePage.Name)
    for name in SitePage.Name:
        save(jane, str(DRAFTS[name]), name=name)
        page = read(f"/{name}/")
        assert "<em>not filled in yet</em>" in page and MISSING not in page, name
        assert f'href="/{name}/"' in read("/rules/")
    assert "has not yet filled in who is responsible" not in read("/privacy/")
    words = read("/admin/desk/", browser=desk)
    assert "<td>Missing</td>" not in words and "Not filled in: 4" in words
    for name in SitePage.Name:
        save(jane, "All of it.", name=name)
    assert "Every page is filled in." in read("/admin/desk/", browser=desk)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[x](javascript:alert(1))",
        "[x](JaVa&#x53;cript&colon;alert(1))",
        "[x][k]\n\n[k]: vbscript:alert(1)",
        "[x](data:text/html,<script>)",
        '[x](https://example.org "a\\" onclick=alert(1) b=\\"")',
        "![x](https://tracker.example/a.png)",
        "<javascript:alert(1)>",
        "```<script>\n</code><script>\n```",
    ],
)
def test_hostile_markdown_stays_text(text):
    tags, addresses = [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append(tag)
            assert {name for name, _ in attrs} <= {"href", "title", "class"}
            addresses.extend(value for name, value in attrs if name == "href")

    Reader().feed(render_markdown(text))
    assert set(tags) <= {"p", "a", "pre", "code"}
    assert all(address.startswith("https://") for address in addresses)


def test_a_huge_nest_is_drawn_soon():
    assert len(render_markdown("> " * 5_000 + "x" + "[" * 5_000 + "*" * 5_000)) < 100_000


def test_no_page_reads_one_query_more():
    reader = log_in(make_user("Anna"))

    def count():
        reader.get("/rules/")  # the banner is cached
        with CaptureQueriesContext(connection) as queries:
            page = read("/rules/", browser=reader)
        return len(queries), 'href="/imprint/"' in page

    before, linked = count()
    assert not linked
    jane = make_janitor("Jane")
    for version in range(3):
        save(jane, f"Version {version}")
    assert count() == (before, True)


REPORT = {"where": "https://example.org/users/Anna/", "text": "It is forbidden.", "email": "", "faith": "on"}


def test_a_stranger_reports_and_gets_a_receipt_and_the_answer_and_then_their_address_is_gone():
    jane, anna = make_janitor("Jane"), make_user("Anna")
    browser = Client()
    assert "Why is it illegal?" in read("/illegal-content/", browser=browser)
    form = {**REPORT, "name": "Sam", "email": "Sam@example.org"}
    for _ in range(2):  # a double click
        assert browser.post("/illegal-content/", form, HTTP_ACCEPT_LANGUAGE="en").status_code == 302
    report = Report.objects.get()
    assert (report.about_user, report.reporter, report.stranger) == (anna, None, "Sam")
    assert f"Report {report.pk} sent" in read("/illegal-content/", browser=browser)
    notice = Notice.objects.get(kind="report_made")
    assert notice.user == jane
    told = compose_notice(kind="report_made", facts=notice.facts, user=jane)
    assert "Someone without an account reports Anna." in told.text and "A player reports" not in told.text
    receipt = unseal(Delivery.objects.get(address="sam@example.org").sealed_mail)["mail"]
    assert "forbidden" not in receipt and "Anna" not in receipt
    desk = log_in(jane)
    assert "a stranger" in read("/admin/desk/", browser=desk)
    page = read(f"/admin/moderation/report/{report.pk}/change/", browser=desk)
    assert "Sam" in page and "example.org/users/Anna/" in page and "sam@example.org" not in page
    done = desk.post(f"/admin/moderation/report/{report.pk}/change/", {"answer": "We removed it.", "seen": "none"})
    assert done.status_code == 302
    mails = [unseal(each.sealed_mail)["mail"] for each in Delivery.objects.filter(address="sam@example.org")]
    assert sum("We removed it." in mail and "postmaster@" in mail for mail in mails) == 1
    report.refresh_from_db()
    assert (report.state, report.stranger, report.email, report.language) == ("answered", "", "", "")
    answer_report(report=report, by=jane, answer="We removed all of it.", now=NOW)
    assert Delivery.objects.filter(address="sam@example.org").count() == len(mails)


def test_a_reported_janitor_learns_nothing_of_a_strangers_report():
    make_janitor("Jane")
    mallory = make_janitor("Mallory")
    for where in ("/users/Mallory/", "Mallory", "https://example.org/users/%4Dallory/?x=1"):
        Client().post("/illegal-content/", {**REPORT, "where": where})
    assert [each.about_user for each in Report.objects.all()] == [mallory] * 3
    assert not Notice.objects.filter(kind="report_made", user=mallory).exists()
    desk = log_in(mallory)
    assert "It is forbidden." not in read("/admin/moderation/report/", browser=desk)
    for report in Report.objects.all():
        assert "forbidden" not in read(f"/admin/moderation/report/{report.pk}/change/", browser=desk)


def test_strangers_cannot_flood_the_janitors_or_the_mailbox_of_another():
    make_janitor("Jane")
    form = {**REPORT, "where": "Somewhere", "email": "victim@example.org"}
    codes = [Client().post("/illegal-content/", {**form, "text": f"Report {each}"}).status_code for each in range(7)]
    assert codes == [302] * 5 + [422] * 2
    assert Report.objects.count() == 5 and Delivery.objects.filter(address="victim@example.org").count() == 1
    for missing in ("where", "text", "faith"):
        assert Client().post("/illegal-content/", {**REPORT, missing: ""}).status_code == 422
    assert Report.objects.count() == 5
    user = log_in(make_user("Anna"))
    assert user.post("/illegal-content/", REPORT).headers["Location"] == "/reports/new/"
    assert "/reports/new/" in read("/illegal-content/", browser=user) and Report.objects.count() == 5
