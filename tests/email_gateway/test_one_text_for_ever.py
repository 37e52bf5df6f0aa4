"""A Message-ID has one text: it is fixed with the notice, however late or often the email is sent."""

from collections.abc import Callable

from accounts.models import User
from challenges.services.answers import accept_challenge, withdraw_challenge
from challenges.services.create import create_challenge
from duels.terms import Terms
from email_gateway.compose.notices import compose_notice
from email_gateway.compose.outbox import deliver_due
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice, SkipReason
from notifications.selectors.notices import facts_with_secrets
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld, body, whole_body

# In the fourth turn Bung is asked which of two spells the paralysed hand casts.
TURNS = [("F/-", "-/-"), ("F/-", "W/-"), ("F/-", "W/-"), ("LH -\nRH -\nPARALYZE LH Bung", "-/-")]


def note_new(told: dict[str, str]) -> None:
    """Remember what each email that is not noted yet says if it is written now, as its notice has just been."""
    for delivery in Delivery.objects.filter(state="due", channel="mail").select_related("notice__user"):
        notice = delivery.notice
        if delivery.message_id not in told:
            facts = facts_with_secrets(notice)
            told[delivery.message_id] = compose_notice(kind=notice.kind, facts=facts, user=notice.user).text.strip()


def play(duel: MailedDuel, after_each: Callable[[], object]) -> None:
    """Play a duel in which someone is asked in the middle of a turn, and which a surrender ends."""
    for froodal, bung in TURNS:
        duel.world.order(duel.battle, duel.froodal, froodal)
        duel.world.order(duel.battle, duel.bung, bung)
        after_each()
    assert duel.reload().stage == 1
    duel.world.order(duel.battle, duel.bung, "CHOOSE LH Shield")
    after_each()
    duel.world.order(duel.battle, duel.froodal, "P/P")
    duel.world.order(duel.battle, duel.bung, "-/-")
    after_each()
    assert duel.reload().is_over


def test_a_late_email_of_a_battle_has_its_original_text(duel: MailedDuel) -> None:
    told: dict[str, str] = {}
    play(duel, lambda: note_new(told))
    assert {notice.kind for notice in Notice.objects.all()} >= {"stage_asked", "turn_resolved", "battle_finished"}
    late = {str(mail["Message-ID"]): body(mail).strip() for mail in duel.world.new_mails()}
    assert len(late) >= 8
    assert late == told
    (asked,) = Notice.objects.filter(kind="stage_asked")
    assert "a question for you" in late[asked.deliveries.get().message_id]


def test_an_email_that_is_sent_again_is_the_same_although_the_battle_continued(duel: MailedDuel, monkeypatch) -> None:
    sent: list[str] = []

    def send_and_die(message, address, now):
        sent.append(message.body)
        raise OSError("the server took it and the line broke")

    duel.world.order(duel.battle, duel.froodal, "-/-")
    duel.world.order(duel.battle, duel.bung, "-/-")
    with monkeypatch.context() as patch:
        patch.setattr("email_gateway.deliver.send.send_message", send_and_die)
        deliver_due(now=duel.world.now)
    duel.world.order(duel.battle, duel.froodal, "-/-")
    duel.world.order(duel.battle, duel.bung, "P/P")
    Delivery.objects.filter(notice__kind="battle_finished").delete()
    duel.world.wait(minutes=10)
    again = [whole_body(mail).strip() for mail in duel.world.new_mails()]
    assert len(sent) == 2 and sorted(again) == sorted(text.strip() for text in sent)


def test_a_daily_email_that_is_sent_again_has_the_same_text(duel: MailedDuel, monkeypatch) -> None:
    sent: list[str] = []

    def send_and_die(message, address, now):
        sent.append(message.body)
        raise OSError("the server took it and the line broke")

    set_preference(user=duel.bung.user, key="mail_turns", value="digest")
    duel.world.order(duel.battle, duel.froodal, "-/-")
    duel.world.order(duel.battle, duel.bung, "-/-")
    Delivery.objects.filter(channel="mail").delete()
    duel.world.wait(days=1)
    with monkeypatch.context() as patch:
        patch.setattr("email_gateway.deliver.send.send_message", send_and_die)
        deliver_due(now=duel.world.now)
    duel.world.order(duel.battle, duel.froodal, "-/-")
    duel.world.order(duel.battle, duel.bung, "P/P")
    Delivery.objects.filter(channel="mail").delete()
    duel.world.wait(minutes=10)
    again = [whole_body(mail).strip() for mail in duel.world.new_mails()]
    assert len(sent) == 1 and [text.strip() for text in sent] == again


def test_a_late_email_about_a_challenge_has_its_original_text(world: MailWorld) -> None:
    froodal, bung, ulf = (world.mage(name) for name in ("Froodal", "Bung", "Ulf"))
    told: dict[str, str] = {}
    terms = Terms()
    challenge = create_challenge(challenger=froodal, terms=terms, invited=[bung, ulf], now=world.now)
    note_new(told)
    invitations = set(told)
    accept_challenge(number=challenge.number, mage=bung, now=world.now)
    note_new(told)
    withdraw_challenge(number=challenge.number, mage=froodal, now=world.now)
    note_new(told)
    late = {str(mail["Message-ID"]): body(mail).strip() for mail in world.new_mails()}
    assert late and late == {key: text for key, text in told.items() if key in late}
    # Emails that ask for an answer that is no longer possible are not sent; all others are.
    assert set(told) - set(late) <= invitations
    skipped = Delivery.objects.filter(state="skipped")
    assert set(skipped.values_list("reason", flat=True)) == {SkipReason.SETTLED}


def test_emails_with_a_code_or_about_the_account_do_not_change_with_the_name(world: MailWorld) -> None:
    user = world.user("Frode")
    told: dict[str, str] = {}
    for kind, secrets in (("login_code", {"code": "ABC123"}), ("account_changed", None)):
        facts = {"what": "password_changed"}
        write_notice(key=kind, user=user, kind=kind, facts=facts, secrets=secrets, address=user.email, now=world.now)
    note_new(told)
    User.objects.filter(pk=user.pk).update(username="Frodegar")
    late = {str(mail["Message-ID"]): body(mail).strip() for mail in world.new_mails()}
    assert late == told and "ABC123" in "".join(late.values())


def test_every_kind_of_email_is_written_with_its_notice(world: MailWorld, monkeypatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "email_gateway.compose.outbox.compose_notice", lambda *, kind, **_: written.append(kind) or 1 / 0
    )
    user = world.user("Frode")
    for kind in KINDS:
        write_notice(key=kind, user=user, kind=kind, facts={}, address=user.email, now=world.now)
    made = {delivery.notice.kind for delivery in Delivery.objects.filter(channel="mail").select_related("notice")}
    assert set(written) == made >= {"stage_asked", "challenged", "vacation_over", "message", "user_act"}
    # An email that cannot be written undoes nothing: the notice stays, and sending it tries again.
    assert Notice.objects.count() == len(KINDS)


def test_an_emails_text_is_sealed_and_deleted_once_it_is_sent(world: MailWorld) -> None:
    user = world.user("Frode")
    secrets = {"code": "ABC123"}
    write_notice(key="a", user=user, kind="login_code", facts={}, secrets=secrets, address=user.email, now=world.now)
    delivery = Delivery.objects.get()
    assert delivery.sealed_mail and "ABC123" not in delivery.sealed_mail
    assert world.new_mails()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.sealed_mail) == ("sent", "")
