"""The email settings in `manage.py check --deploy`."""

import pytest

from email_gateway.checks import check_mail_settings, check_webhook

GOOD = {
    "FM_MAIL_DOMAIN": "play.wizards.org",
    "DEFAULT_FROM_EMAIL": "Firetop Mountain <fm@play.wizards.org>",
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "FM_MAIL_LEAVES_HOUSE": True,
    "EMAIL_HOST": "mail.wizards.org",
    "EMAIL_USE_TLS": True,
    "FM_SITE_URL": "https://wizards.org",
    "FM_MAIL_SIZE_LIMIT": 2_000_000,
    "FM_MAIL_WEBHOOK": "",
    "ANYMAIL": {},
}


def say(settings, **changes: object) -> list[str]:
    for name, value in {**GOOD, **changes}.items():
        setattr(settings, name, value)
    return [str(message.id).rpartition(".")[2] for message in [*check_webhook(), *check_mail_settings()]]


def test_a_complete_setup_gets_no_warnings(settings):
    assert say(settings) == []
    assert say(settings, DEFAULT_FROM_EMAIL="fm@wizards.org", EMAIL_HOST="localhost", EMAIL_USE_TLS=False) == []
    assert say(settings, FM_MAIL_WEBHOOK="postmark", ANYMAIL={"WEBHOOK_SECRET": "a:b"}) == []
    assert say(settings, FM_MAIL_WEBHOOK="mailgun", ANYMAIL={"MAILGUN_WEBHOOK_SIGNING_KEY": "x"}) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"FM_MAIL_DOMAIN": "localhost"}, ["E003", "W001"]),
        ({"FM_MAIL_DOMAIN": "wizards.test", "DEFAULT_FROM_EMAIL": "fm@wizards.test"}, ["E003"]),
        ({"DEFAULT_FROM_EMAIL": "fm@elsewhere.org"}, ["W001"]),
        ({"DEFAULT_FROM_EMAIL": "Firetop Mountain"}, ["W001"]),
        ({"DEFAULT_FROM_EMAIL": "fm@notplay.wizards.org.evil.org"}, ["W001"]),
        ({"FM_MAIL_LEAVES_HOUSE": False}, ["W002"]),
        ({"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}, ["W002"]),
        ({"EMAIL_USE_TLS": False}, ["W003"]),
        ({"FM_SITE_URL": "http://127.0.0.1:8000"}, ["W004"]),
        ({"FM_MAIL_SIZE_LIMIT": 10_000}, ["W005"]),
        ({"FM_MAIL_WEBHOOK": "pigeon"}, ["E001"]),
        ({"FM_MAIL_WEBHOOK": "base"}, ["E001"]),
        ({"FM_MAIL_WEBHOOK": "postmark"}, ["E002"]),
        ({"FM_MAIL_WEBHOOK": "postmark", "ANYMAIL": {"MAILGUN_WEBHOOK_SIGNING_KEY": "x"}}, ["E002"]),
    ],
)
def test_each_wrong_setting_is_named(settings, changes, told):
    assert say(settings, **changes) == told
