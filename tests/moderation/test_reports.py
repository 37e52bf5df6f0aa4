"""Reports, warnings and suspensions: from the player to the janitor and back, by page, API and email."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.janitors import JANITORS
from accounts.models import AccountWarning, Sanction, User
from accounts.selectors.hold import read_hold
from accounts.services.hold import acknowledge_warnings
from accounts.services.mages import register_mage
from accounts.services.messages import send_message
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user, set_language
from challenges.models import Challenge
from email_gateway.compose.notices import compose_notice
from moderation.models import JournalEntry, Report
from moderation.services.reports import (
    answer_report,
    lift_sanction,
    make_report,
    make_strangers_report,
    suspend_user,
    sweep_sanctions,
    warn_user,
    withdraw_warning,
)
from moderation.services.user_journal import list_undoable_entries, undo_user_entry
from notifications.models import Notice
from notifications.services.preferences import set_preference
from tests.refusals import refused
from tests.scenes import DAY, HOUR, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOW = timezone.now()


def make_person(name, *, janitor=False):
    user = create_user(name=name, email=f"{name}@example.org", now=NOW, email_verified=True)
    if janitor:
        User.objects.filter(pk=user.pk).update(is_staff=True)
        user.groups.add(Group.objects.get_or_create(name=JANITORS)[0])
    return User.objects.get(pk=user.pk)


def browse(user):
    browser = log_in(user)
    return browser


def kinds(user):
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def jane():
    return make_person("Jane", janitor=True)


@pytest.fixture
def anna():
    return make_person("Anna")


@pytest.fixture
def boris():
    return make_person("Boris")


def test_a_report_reaches_only_the_janitors_and_its_answer_only_the_reporter(jane, anna, boris):
    browser = browse(anna)
    answer = browser.post("/reports/new/", {"about": "boris", "text": "He <b>cheats</b>."})
    assert (answer.status_code, answer["Location"]) == (302, "/reports/")
    assert "New" in browser.get("/reports/").content.decode()
    report = Report.objects.get()
    assert (report.about_user, kinds(jane)) == (boris, ["report_made"])
    notice = compose_notice(kind="report_made", facts=Notice.objects.get(kind="report_made").facts, user=jane)
    assert notice.subject == "A report about Boris" and f"/admin/moderation/report/{report.pk}/" in notice.text
    desk = browse(jane)
    desk.post("/admin/moderation/report/", {"action": "assign", "_selected_action": [report.pk]})
    assert "In progress" in browser.get("/reports/").content.decode()
    desk.post(f"/admin/moderation/report/{report.pk}/change/", {"answer": "We have spoken with them."})
    page = browser.get("/reports/").content.decode()
    assert "We have spoken with them." in page and "&lt;b&gt;cheats&lt;/b&gt;" in page
    assert (kinds(anna), kinds(boris)) == (["report_answered"], [])
    assert "We have spoken" not in browse(boris).get("/reports/").content.decode()


def test_a_janitor_can_neither_see_nor_answer_a_report_about_them(jane, anna):
    report = make_report(reporter=anna, about_user=jane, text="Rude.", now=NOW)
    desk = browse(jane)
    assert kinds(jane) == []
    assert "Rude." not in desk.get("/admin/moderation/report/").content.decode()
    assert desk.get(f"/admin/moderation/report/{report.pk}/change/").status_code == 302
    with refused("about_you"):
        answer_report(report=report, by=jane, answer="No.", now=NOW)


def test_a_janitor_cannot_answer_their_own_report(jane, boris):
    report = make_report(reporter=jane, about_user=boris, text="Rude.", now=NOW)
    assert kinds(jane) == []
    assert "Boris" not in browse(jane).get("/admin/moderation/report/").content.decode()
    with refused("own_report"):
        answer_report(report=report, by=jane, answer="I agree.", now=NOW)


def test_no_log_or_journal_tells_a_janitor_that_they_were_reported(jane, anna):
    kurt = make_person("Kurt", janitor=True)
    send_message(writer=kurt, reader=anna, text="You are slow", once="1", now=NOW)
    report = make_report(reporter=anna, about_user=kurt, text="Rude.", with_messages=True, now=NOW)
    desk = browse(jane)
    desk.post("/admin/moderation/report/", {"action": "read_messages", "_selected_action": report.pk})
    pages = ("moderation/journalentry/", "admin/logentry/", f"accounts/user/{kurt.pk}/change/",
             f"accounts/user/{kurt.pk}/history/")  # fmt: skip
    for page in pages:
        shown = [browser.get(f"/admin/{page}").content.decode() for browser in (desk, browse(kurt))]
        assert ["read the messages with Kurt" in text for text in shown] == [True, False], page
        assert f"report {report.pk}" not in shown[1], page


def test_a_report_sent_twice_is_one_and_reports_are_limited(anna, boris):
    first, second = (make_report(reporter=anna, about_user=boris, text="Late.", now=NOW) for _ in range(2))
    assert first == second
    for number in range(1, 10):
        make_report(reporter=anna, about_battle=number, text="Stuck.", now=NOW)
    with refused("too_many_reports"):
        make_report(reporter=anna, about_battle=99, text="Stuck.", now=NOW)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"about": "Borys", "text": "x"}, "No user or mage is called Borys. Did you mean Boris?"),
        ({"about": "77", "text": "x"}, "There is no battle 77."),
        ({"about": "Anna", "text": "x"}, "You cannot report yourself."),
        ({"about": "", "text": ""}, "This field is required."),
    ],
)
def test_a_report_about_an_unknown_name_suggests_the_nearest(anna, boris, form, words):
    answer = browse(anna).post("/reports/new/", form)
    assert answer.status_code == 422 and words in answer.content.decode()


def test_a_warning_is_on_every_page_until_it_is_acknowledged(jane, anna):
    warning = warn_user(user=anna, by=jane, text="No <i>insults</i>, please.", now=NOW)
    browser = browse(anna)
    for path in ("/", "/challenges/", "/battles/"):
        assert browser.get(path).headers["Location"].startswith("/accounts/hold/?next="), path
    assert "No &lt;i&gt;insults&lt;/i&gt;, please." in browser.get("/accounts/hold/").content.decode()
    assert browser.post("/challenges/new/", {}).status_code == 403
    shown = {"next": "/challenges/", "warning": [warning.pk]}
    # Given while they read the first.
    second = warn_user(user=anna, by=jane, text="No threats either.", now=NOW)
    browser.post("/accounts/hold/", shown)
    assert "No threats either." in browser.get("/accounts/hold/").content.decode()
    second.refresh_from_db()
    assert second.acknowledged_at is None
    answer = browser.post("/accounts/hold/", {**shown, "warning": ["x", second.pk]})
    assert (answer["Location"], browser.get("/challenges/").status_code) == ("/challenges/", 200)
    warning.refresh_from_db()
    assert warning.acknowledged_at and acknowledge_warnings(user=anna, now=NOW) == 0


def test_a_withdrawn_warning_disappears(jane, anna):
    warning = warn_user(user=anna, by=jane, text="Mind your words.", now=NOW)
    details = {"warning": warning, "by": jane, "reason": "It was a joke.", "now": NOW}
    assert withdraw_warning(**details) and not withdraw_warning(**details)
    assert kinds(anna) == ["account_warned", "user_act"]
    assert browse(anna).get("/").status_code == 200


def test_a_suspended_user_can_only_read_and_sees_why_until_when_and_how_to_appeal(jane, anna):
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    _, token = issue_api_token(user=anna, name="mine", now=NOW)
    set_preference(user=anna, key="time_zone", value="America/New_York")
    suspend_user(user=anna, by=jane, reason="Three insults.", ends_at=NOW + 3 * DAY, now=NOW)
    browser = browse(anna)
    for path in ("/", "/challenges/", "/battles/", "/accounts/settings/"):
        assert browser.get(path).status_code == 200, path
    refused = browser.post("/challenges/new/", {"mage": mage.name, "open": "on"})
    page = refused.content.decode()
    assert refused.status_code == 403
    assert "Three insults." in page and "postmaster@" in page and f"{NOW + 3 * DAY:%Y-%m-%d}" in page
    ends = (NOW + 3 * DAY).astimezone(ZoneInfo("America/New_York"))
    assert f"{ends:%-d %B %Y, %H:%M} America/New York" in page
    mail = compose_notice(kind="user_suspended", facts=Notice.objects.get(kind="user_suspended").facts, user=anna)
    assert f"until {ends:%A %-d %B %Y, %H:%M} (America/New York)" in " ".join(mail.text.split())
    assert not Challenge.objects.exists()
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    answer = Client().post("/api/battles/1/orders/", {"orders": "LH F"}, content_type="application/json", **bearer)
    assert (answer.status_code, answer.json()["code"]) == (403, "held")
    assert browser.post("/reports/new/", {"about": "Jane", "text": "Unfair."}).status_code == 302
    kept = browser.post(f"/accounts/mages/{mage.pk}/keep/")
    assert (kept.status_code, browser.post("/accounts/mages/new/", {"name": "Next"}).status_code) == (302, 403)
    before = mage.last_active_at
    mage.refresh_from_db()
    assert mage.last_active_at > before, "a suspended user must not become idle"
    assert browser.post("/accounts/logout/").status_code == 302


def test_a_suspension_ends_on_time_without_a_sweep_and_one_notice_follows(jane, anna):
    suspend_user(user=anna, by=jane, reason="Enough.", ends_at=NOW + DAY, now=NOW)
    anna.refresh_from_db()
    assert read_hold(anna, NOW + DAY - timedelta(seconds=1)) and read_hold(anna, NOW + DAY) is None
    assert sweep_sanctions(now=NOW + DAY - timedelta(seconds=1)) == 0
    assert (sweep_sanctions(now=NOW + DAY), sweep_sanctions(now=NOW + DAY)) == (1, 0)
    anna.refresh_from_db()
    assert not anna.is_held and kinds(anna) == ["user_suspended", "suspension_over"]


def test_lifting_undoes_a_suspension(jane, anna):
    before = User.objects.filter(pk=anna.pk).values().get()
    sanction = suspend_user(user=anna, by=jane, reason="Enough.", ends_at=None, now=NOW)
    with refused("already_suspended"):
        suspend_user(user=anna, by=jane, reason="More.", ends_at=None, now=NOW)
    assert lift_sanction(sanction=sanction, by=jane, why="Wrong one.", now=NOW)
    assert not lift_sanction(sanction=sanction, by=jane, why="Again.", now=NOW)
    assert User.objects.filter(pk=anna.pk).values().get() == before


def test_a_lift_can_be_undone_only_until_the_suspension_would_have_ended(jane, anna):
    sanction = suspend_user(user=anna, by=jane, reason="Enough.", ends_at=NOW + DAY, now=NOW)
    lift_sanction(sanction=sanction, by=jane, why="Wrong one.", now=NOW)
    entry = JournalEntry.objects.get(kind="lifted")
    assert list_undoable_entries(user=anna, entries=[entry], now=NOW + DAY - HOUR) == [entry]
    assert list_undoable_entries(user=anna, entries=[entry], now=NOW + DAY) == []
    with refused("changed_since", match="would have ended"):
        undo_user_entry(entry=entry, by=jane, reason="Right after all.", now=NOW + DAY)
    undo_user_entry(entry=entry, by=jane, reason="Right after all.", now=NOW + DAY - HOUR)
    assert Sanction.objects.open().filter(user=anna).exists()


def test_the_same_warning_is_given_once_until_it_is_acknowledged(jane, anna):
    desk, data = browse(jane), {"user": anna.pk, "text": "Mind."}
    assert desk.post("/admin/accounts/accountwarning/add/", data).status_code == 302
    assert "Jane has already given Anna this warning." in desk.post("/admin/accounts/accountwarning/add/", data).text
    assert kinds(anna) == ["account_warned"]
    acknowledge_warnings(user=anna, now=NOW)
    assert desk.post("/admin/accounts/accountwarning/add/", data).status_code == 302


def test_janitors_warn_and_suspend_in_their_tables_and_undo_both(jane, anna):
    desk = browse(jane)
    empty = desk.post("/admin/accounts/accountwarning/add/", {"user": anna.pk, "text": " "})
    assert empty.status_code == 200 and not AccountWarning.objects.exists()
    assert desk.post("/admin/accounts/accountwarning/add/", {"user": anna.pk, "text": "Mind."}).status_code == 302
    past = {"user": anna.pk, "reason": "x", "ends_at_0": "2020-01-01", "ends_at_1": "00:00"}
    assert "Choose an end in the future." in desk.post("/admin/accounts/sanction/add/", past).content.decode()
    assert desk.post("/admin/accounts/sanction/add/", {"user": anna.pk, "reason": "Enough."}).status_code == 302
    assert AccountWarning.objects.get().given_by == Sanction.objects.get().imposed_by == jane
    desk.post(
        "/admin/accounts/accountwarning/",
        {"action": "withdraw", "_selected_action": [AccountWarning.objects.get().pk]},
    )
    desk.post("/admin/accounts/sanction/", {"action": "lift", "_selected_action": [Sanction.objects.get().pk]})
    anna.refresh_from_db()
    assert not anna.is_held


@pytest.mark.parametrize("kind", ["account_warned", "user_suspended", "suspension_over", "report_answered"])
def test_the_emails_say_what_was_decided_and_where_to_appeal(jane, anna, boris, kind):
    warn_user(user=anna, by=jane, text="Mind <b>your</b> words.", now=NOW)
    sanction = suspend_user(user=anna, by=jane, reason="Three insults.", ends_at=NOW + DAY, now=NOW)
    lift_sanction(sanction=sanction, by=jane, why="Served.", now=NOW)
    answer_report(
        report=make_report(reporter=anna, about_user=boris, text="Late.", now=NOW), by=jane, answer="Seen.", now=NOW
    )
    notice = Notice.objects.get(kind=kind)
    mail = compose_notice(kind=kind, facts=notice.facts, user=anna)
    words = {
        "account_warned": ("The janitor Jane warns you:", "| Mind <b>your</b> words.", "ACKNOWLEDGE", "postmaster@"),
        "user_suspended": ("| Three insults.", "You are suspended until", "The janitor Jane decided", "postmaster@"),
        "suspension_over": ("You can play and write again.", "The janitor Jane lifted it and", "reason: Served."),
        "report_answered": ("You reported Boris.", "| Seen."),
    }[kind]
    assert all(word in mail.text for word in words) and "<b>your" not in mail.html
    assert not mail.unsubscribe


def test_a_janitor_never_replaces_the_answer_of_another_unawares(jane, anna, boris):
    rolf = make_person("Rolf", janitor=True)
    report = make_report(reporter=anna, about_user=boris, text="Boris is rude.", now=NOW)
    page = f"/admin/moderation/report/{report.pk}/change/"
    first, second = browse(jane), browse(rolf)
    marks = [browser.get(page).context["adminform"].form["seen"].value() for browser in (first, second)]
    assert first.post(page, {"answer": "We look into it.", "seen": marks[0]}).status_code == 302
    late = second.post(page, {"answer": "No.", "seen": marks[1]})
    form = late.context["adminform"].form
    assert "Jane has answered after you opened this page: “We look into it.”" in form.non_field_errors()[0]
    report.refresh_from_db()
    assert (report.answer, report.janitor) == ("We look into it.", jane)
    assert kinds(anna).count("report_answered") == 1
    assert second.post(page, {"answer": "No.", "seen": form["seen"].value()}).status_code == 302
    report.refresh_from_db()
    assert (report.answer, report.janitor) == ("No.", rolf)


def test_the_page_says_whether_an_answer_is_sent(jane, anna, boris):
    stranger = {"where": "/", "text": "Bad.", "name": "", "language": "de", "about": (boris, None), "now": NOW}
    reports = {
        "user": make_report(reporter=anna, about_user=boris, text="Boris is rude.", now=NOW),
        "no address": make_strangers_report(email="", **stranger),
        "address": make_strangers_report(email="x@example.org", **stranger),
    }
    sent, saved, same = "on its way to", "saved but not sent", "nothing was sent"
    expected = {"user": [sent, same, sent], "no address": [saved, same, saved], "address": [sent, same, saved]}
    desk = browse(jane)
    for name, report in reports.items():
        page = f"/admin/moderation/report/{report.pk}/change/"
        for text, words in zip(("Thanks.", "Thanks.", "Thank you."), expected[name], strict=True):
            seen = desk.get(page).context["adminform"].form["seen"].value()
            answer = desk.post(page, {"answer": text, "seen": seen}, follow=True)
            told = [str(each) for each in answer.context["messages"]]
            assert len(told) == 1 and words in told[0], (name, text)


def test_what_is_undone_in_a_list_gives_its_reason_in_the_language_of_the_user(jane, anna):
    set_language(user=anna, language="de")
    warning = warn_user(user=anna, by=jane, text="No.", now=NOW)
    sanction = suspend_user(user=anna, by=jane, reason="No.", ends_at=None, now=NOW)
    desk = browse(jane)
    for row, action in ((warning, "withdraw"), (sanction, "lift")):
        address = f"/admin/accounts/{row._meta.model_name}/"
        desk.post(address, {"action": action, "_selected_action": [row.pk]})
    reasons = dict(JournalEntry.objects.values_list("kind", "reason"))
    assert reasons["withdrawn"] == "In der Liste zurückgenommen."
    assert reasons["lifted"] == "In der Liste aufgehoben."


def test_a_janitor_who_takes_a_taken_report_learns_who_has_it(jane, anna, boris):
    rolf = make_person("Rolf", janitor=True)
    report = make_report(reporter=anna, about_user=boris, text="Boris is rude.", now=NOW)
    data = {"action": "assign", "_selected_action": report.pk}
    for user in (jane, rolf):
        answer = browse(user).post("/admin/moderation/report/", data, follow=True)
    told = [str(each) for each in answer.context["messages"]]
    assert told[0] == "Assigned to you: 0." and told[1].endswith(", Jane.")
