"""Orders count by when they arrived (FM-SLOW-6): in time although they waited, too late although no sweep has run."""

import json
import threading
from base64 import b64encode
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.utils import timezone

from accounts.services.mail_passwords import set_mail_password
from duels import wakeups
from duels.errors import StaleOrders, TimeIsOver, TooLate
from duels.models import Combatant, Deadline, MissedTurn, OrderSheet
from duels.services.clocks.deadlines import find_last_forfeit, process_deadlines
from duels.services.clocks.extra_time import take_time
from duels.services.clocks.sweep import sweep_deadlines
from duels.services.lock import lock_battle
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.tasks import run_deadlines
from duels.terms import Terms
from email_gateway.addresses import make_turn_address
from email_gateway.models import InboundMail
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.process_mail import claim_inbound, process_mail
from fm_site.serving.buffered_pages import BufferedPages
from operations.models import Maintenance, Outage
from operations.services.outages import record_heartbeat
from operations.services.policy import set_policy
from operations.web.arrival import find_arrival
from tests.duels.fights import Fight, start_fight
from tests.email_gateway.world import MailWorld, body, write_mail
from tests.scenes import NOW, make_mage, make_user
from tests.services.web_server import ask, get, serve
from tests.ui.rendering import client_of

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
FORFEIT = NOW + 21 * DAY
pytestmark = pytest.mark.django_db


@pytest.fixture
def woken(monkeypatch):
    """The tasks that were woken."""
    tasks: list[str] = []
    monkeypatch.setattr(wakeups, "wake_worker", tasks.append)
    monkeypatch.setattr(wakeups.cache, "add", lambda *_: True)
    return tasks


@pytest.fixture
def overdue(duel):
    """Froodal is ready, and Bung has had the final notice: at FORFEIT they run out of time."""
    duel.order("Froodal", "W/S")
    assert sweep_deadlines(now=NOW + 19 * DAY) == 1
    assert Deadline.objects.get().forfeit_at == FORFEIT
    return duel


def start_overdue(*, late_by: timedelta) -> Fight:
    """A duel in which Bung's forfeit moment was so long ago, by the real clock, and no sweep has run since."""
    began = timezone.now() - 21 * DAY - late_by
    mages = [make_mage("Froodal"), make_mage("Bung")]
    battle = start_battle(number=take_number(), terms=Terms(), mages=mages, now=began)
    fight = Fight(battle, {mage.name: mage for mage in mages})
    fight.order("Froodal", "W/S", now=began)
    assert sweep_deadlines(now=began + 19 * DAY) == 1
    return fight


def read_lines(fight: Fight, name: str) -> list[str]:
    return OrderSheet.objects.get(combatant=fight.combatant(name), stage__closed_at=None).lines


class TestTheForfeitMoment:
    @pytest.mark.django_db(transaction=True)
    def test_orders_after_it_are_refused_although_no_sweep_has_run_and_the_sweep_is_woken(self, overdue, woken):
        with pytest.raises(TooLate, match="Bung's time for turn 1, with the grace period, was over"):
            overdue.order("Bung", "F/S", now=FORFEIT + 3 * SECOND)
        assert read_lines(overdue, "Bung") == [] and woken == ["duels.tasks.sweep_deadlines"]

    def test_orders_within_the_tolerance_count(self, overdue, woken):
        assert overdue.order("Bung", "F/S", now=FORFEIT + 2 * SECOND).outcome == "resolved"
        assert woken == []

    def test_orders_that_arrived_in_time_count_however_long_they_waited(self, overdue):
        assert overdue.order("Bung", "F/S", now=FORFEIT + HOUR, arrived_at=FORFEIT - SECOND).outcome == "resolved"

    def test_the_tolerance_is_the_sites_policy(self, overdue):
        numbers = {"late_orders_seconds": 30}
        set_policy(by=make_user("Keeper"), why="Slow lines.", numbers=numbers, now=NOW)
        with pytest.raises(TooLate):
            overdue.order("Bung", "F/S", now=FORFEIT + 31 * SECOND)
        assert overdue.order("Bung", "F/S", now=FORFEIT + 30 * SECOND).outcome == "resolved"

    def test_without_the_final_notice_there_is_none(self, duel):
        """No sweep has run for a month: the player got no notice, and the grace period has not begun."""
        duel.order("Froodal", "W/S")
        assert duel.order("Bung", "F/S", now=NOW + 30 * DAY).outcome == "resolved"

    def test_it_moves_with_an_outage_that_no_sweep_has_given_back(self, overdue):
        Outage.objects.create(part="beat", started_at=FORFEIT - 2 * HOUR, ended_at=FORFEIT - HOUR)
        assert overdue.order("Bung", "F/S", now=FORFEIT + HOUR - SECOND).outcome == "resolved"

    def test_it_holds_for_parts_of_orders_and_not_for_a_question_about_the_status(self, overdue):
        with pytest.raises(TooLate):
            overdue.order("Bung", "LH F", now=FORFEIT + HOUR, ready=None)
        assert overdue.order("Bung", "", now=FORFEIT + HOUR, ready=None).outcome == "status"

    def test_a_janitor_is_never_too_late(self, overdue):
        assert overdue.order("Bung", "F/S", via="janitor", now=FORFEIT + HOUR).outcome == "resolved"

    def test_extra_time_after_it_is_refused_and_not_used_up(self, overdue):
        with pytest.raises(TooLate):
            take_time(combatant=overdue.combatant("Bung"), now=FORFEIT + 3 * SECOND)
        assert Combatant.objects.get(mage__name="Bung").extensions_taken == 0
        take_time(combatant=overdue.combatant("Bung"), now=FORFEIT + HOUR, arrived_at=FORFEIT)


class TestWhileTheSiteIsInDoubt:
    def test_nothing_is_too_late_during_maintenance(self, overdue):
        keeper = make_user("Keeper")
        Maintenance.objects.create(reason="New cellar.", started_at=FORFEIT, started_by=keeper)
        assert overdue.order("Bung", "F/S", now=FORFEIT + HOUR).outcome == "resolved"

    def test_nothing_is_too_late_while_the_background_work_is_silent(self, overdue):
        """The silence began before the moment and is not recorded as an outage yet."""
        record_heartbeat(part="beat", now=FORFEIT - HOUR)
        assert overdue.order("Bung", "F/S", now=FORFEIT + HOUR).outcome == "resolved"


class TestOnTheWay:
    def test_the_page_says_why_and_shows_the_orders_again(self, woken):
        fight = start_overdue(late_by=4 * SECOND)
        form = {"stage": str(fight.key()), "LH": "F", "RH": "S", "act": "ready"}
        page = client_of(fight.user("Bung")).post(f"/battles/{fight.number}/", form)
        assert page.status_code == 409
        said = page.content.decode()
        assert "This came too late: Bung&#x27;s time for turn 1, with the grace period, was over." in said
        assert "Your orders were not used." in said and "That turn is over" not in said
        assert read_lines(fight, "Bung") == []

    def test_the_api_has_a_code_for_it(self):
        fight = start_overdue(late_by=4 * SECOND)
        sent = json.dumps({"orders": "F/S", "ready": True})
        answer = client_of(fight.user("Bung")).post(
            f"/api/battles/{fight.number}/orders/", sent, content_type="application/json"
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "too_late")
        assert read_lines(fight, "Bung") == []

    @pytest.mark.parametrize(("waited", "status"), [(10, 302), (1, 409)], ids=["arrived in time", "arrived too late"])
    def test_a_page_counts_from_when_its_request_was_complete(self, waited, status):
        """It waited so many seconds for a page thread; the forfeit moment was eight seconds ago."""
        fight = start_overdue(late_by=8 * SECOND)
        form = {"stage": str(fight.key()), "LH": "F", "RH": "S", "act": "ready"}
        scope = {"arrived_at": timezone.now() - waited * SECOND}
        page = client_of(fight.user("Bung")).post(f"/battles/{fight.number}/", form, **{"asgi.scope": scope})
        assert page.status_code == status

    def test_the_server_notes_the_arrival_before_the_request_waits_for_a_page_thread(self):
        arrivals, go_on = {}, threading.Event()

        def pages(environ, start_response):
            request = type("Request", (), {"META": environ})
            arrivals[environ["PATH_INFO"]] = find_arrival(request), timezone.now()
            if environ["PATH_INFO"] == "/first":
                go_on.wait(10)
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [b"got"]

        with serve(BufferedPages(pages, threads=1, body_limit=1000)) as port:
            asking = [threading.Thread(target=ask, args=(port, get(path))) for path in ("/first", "/second")]
            asking[0].start()
            while not arrivals:
                pass
            asking[1].start()
            threading.Event().wait(0.5)
            go_on.set()
            for each in asking:
                each.join(10)
        arrived, begun = arrivals["/second"]
        assert begun - arrived >= timedelta(seconds=0.4)
        # The first one waited for nothing.
        assert arrivals["/first"][1] - arrivals["/first"][0] < begun - arrived

    def test_the_sweep_leaves_time_for_pages_that_arrived_in_time(self):
        """A page may wait 20 seconds for its thread and the battle's lock, and two more seconds are tolerated."""
        fight = start_overdue(late_by=15 * SECOND)
        assert run_deadlines() == 0
        arrived = timezone.now() - 16 * SECOND
        assert fight.order("Bung", "F/S", now=timezone.now(), arrived_at=arrived).outcome == "resolved"

    def test_the_sweep_ends_the_mage_after_that(self):
        fight = start_overdue(late_by=23 * SECOND)
        assert run_deadlines() == 1
        fight.battle.refresh_from_db()
        assert fight.battle.is_over and fight.battle.result["absent"] == ["Bung"]

    @pytest.mark.postgres
    @pytest.mark.django_db(transaction=True)
    def test_orders_that_wait_for_the_battles_lock_count_from_their_arrival(self, overdue):
        said = []

        def order():
            try:
                said.append(overdue.order("Bung", "F/S", now=FORFEIT + 9 * SECOND, arrived_at=FORFEIT + SECOND))
            finally:
                connection.close()

        with transaction.atomic():
            lock_battle(overdue.battle.pk)
            waiting = threading.Thread(target=order)
            waiting.start()
            waiting.join(0.3)
            assert waiting.is_alive(), "it waits for the lock"
        waiting.join(10)
        assert said[0].outcome == "resolved"

    def test_whoever_forfeited_before_stays_forfeited(self, melee):
        for name in ("Ayla", "Borin"):
            melee.order(name, "W/S")
        sweep_deadlines(now=NOW + 19 * DAY)
        sweep_deadlines(now=FORFEIT)
        with pytest.raises((TimeIsOver, StaleOrders)):
            melee.order("Cormac", "P/P", now=FORFEIT + HOUR, stage=melee.key()._replace(seq=1))


class TestMail:
    @pytest.fixture
    def writer(self, overdue, settings):
        settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
        user = overdue.user("Bung")
        set_mail_password(user=user, raw="three-black-moths", now=NOW)
        EmailAddress.objects.create(user=user, email="b@example.org", verified=True, primary=True)
        return overdue

    def receive(self, fight, *, at: datetime) -> InboundMail:
        text = f"USER Bung_user three-black-moths\nGAME {fight.number}\nLH F\nRH S\nEND\n"
        return ingest_mail(
            raw=write_mail(text, sender="b@example.org"), mail_from="b@example.org", rcpt_tos=["fm@localhost"], now=at
        )

    def process(self, mail, *, at: datetime) -> str:
        claimed = claim_inbound(mail_id=mail.pk, now=at)
        assert claimed is not None
        process_mail(mail=claimed, now=at)
        mail.refresh_from_db()
        return mail.state

    def test_the_sweep_waits_for_email_that_arrived_in_time_and_then_it_counts(self, writer):
        mail = self.receive(writer, at=FORFEIT + 2 * SECOND)
        assert sweep_deadlines(now=FORFEIT + HOUR) == 0
        assert self.process(mail, at=FORFEIT + HOUR) == "processed"
        writer.battle.refresh_from_db()
        assert (writer.battle.seq, writer.battle.is_over) == (2, False)

    def test_email_that_arrived_too_late_is_refused_with_the_reason_and_holds_up_nobody(self, writer):
        mail = self.receive(writer, at=FORFEIT + 3 * SECOND)
        assert self.process(mail, at=FORFEIT + 4 * SECOND) == "processed"
        answers = [" ".join(body(each).split()) for each in MailWorld(now=FORFEIT + HOUR).new_mails()]
        assert any("Too late: the time for these orders was over." in each for each in answers)
        assert any("Bung's time for turn 1, with the grace period, was over." in each for each in answers)
        self.receive(writer, at=FORFEIT + 5 * SECOND)
        assert sweep_deadlines(now=FORFEIT + HOUR) == 1

    def test_no_deadline_is_missed_while_email_that_arrived_before_it_waits(self, duel):
        duel.order("Froodal", "W/S")
        self.receive(duel, at=NOW + 19 * DAY)
        assert sweep_deadlines(now=NOW + 19 * DAY + HOUR) == 0
        assert not MissedTurn.objects.exists()
        InboundMail.objects.update(state="stuck")
        assert sweep_deadlines(now=NOW + 19 * DAY + HOUR) == 1
        assert Deadline.objects.get().forfeit_at == FORFEIT + HOUR, "the whole grace period follows the final notice"

    def test_an_email_that_fails_on_our_side_holds_up_only_the_battles_of_its_writer(self, writer):
        stranger = b"From: x@example.org\r\nMessage-ID: <1@x>\r\n\r\nUSER Somebody else\n"
        ingest_mail(raw=stranger, mail_from="x@example.org", rcpt_tos=["fm@localhost"], now=FORFEIT)
        assert sweep_deadlines(now=FORFEIT + SECOND) == 0, "everyone waits for the first attempt"
        InboundMail.objects.update(attempts=1, state="claimed")
        assert sweep_deadlines(now=FORFEIT + SECOND) == 0, "and while it runs"
        InboundMail.objects.update(attempts=1, state="received")
        assert sweep_deadlines(now=FORFEIT + SECOND) == 1

    @pytest.mark.parametrize("by", ["its sender", "its reply address", "its USER line", "an encoded USER line"])
    def test_its_writer_waits_for_it_until_it_is_given_up(self, writer, by):
        user = writer.user("Bung")
        reply_to = make_turn_address(user_id=user.pk, battle=writer.number, seq=1, attempt=0)
        lines = b"USER bung_user three-black-moths\nGAME 1\nLH F\n"
        head = b"From: x@example.org\r\nMessage-ID: <2@x>\r\n"
        raw, sender, to = {
            "its sender": (b"From: B <B@example.org>\r\n\r\nLH F\r\n", "bounces@lists.example", "fm@localhost"),
            "its reply address": (head + b"\r\nLH F\r\n", "x@example.org", reply_to),
            "its USER line": (head + b"\r\n" + lines, "x@example.org", "fm@localhost"),
            "an encoded USER line": (
                head + b"Content-Transfer-Encoding: base64\r\n\r\n" + b64encode(lines),
                "x@example.org",
                "fm@localhost",
            ),
        }[by]
        ingest_mail(raw=raw, mail_from=sender, rcpt_tos=[to], now=FORFEIT)
        InboundMail.objects.update(attempts=4, state="received")
        assert sweep_deadlines(now=FORFEIT + HOUR) == 0
        # A worker that died each time has never marked it as stuck.
        InboundMail.objects.update(attempts=6, state="claimed")
        assert sweep_deadlines(now=FORFEIT + HOUR) == 1

    def test_time_that_an_email_waited_is_not_taken_from_a_time_bank(self):
        fight = start_fight(make_mage("Froodal"), make_mage("Bung"), pace="bank")
        fight.order("Bung", "F/S", now=NOW + 9 * HOUR, arrived_at=NOW + HOUR)
        assert Combatant.objects.get(mage__name="Bung").bank == timedelta(hours=239)


def test_the_sweep_that_leaves_time_is_never_earlier_than_orders_are_refused():
    """Between the last orders that count and the forfeit lies the longest wait of a page."""
    assert NOW - find_last_forfeit(now=NOW) == 22 * SECOND


def test_every_sweep_through_the_schedule_leaves_time(overdue):
    """Correcting absences takes due steps too."""
    assert (
        process_deadlines(battle_id=overdue.battle.pk, now=FORFEIT, forfeit_until=find_last_forfeit(now=FORFEIT)) == []
    )
    with pytest.raises(TooLate):
        submit_orders(combatant=overdue.combatant("Bung"), text="F/S", via="web", now=FORFEIT + HOUR, ready=True)
