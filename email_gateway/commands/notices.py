"""NOTICES: what a user is told, and where."""

from django.utils.translation import gettext as _

from accounts.models import User
from challenges.seek_choices import DAILY, LIVE, SLOW
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from notifications.matrix import EMAIL, HOOK, PAGE, PRESETS, PUSH, SUBJECTS, Subject, choose_preset
from notifications.preferences import AT_ONCE, DIGEST, NEVER, PREFERENCES
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import choose_notices

PLACES = {"PAGE": PAGE, "EMAIL": EMAIL, "PUSH": PUSH, "HOOKS": HOOK}
CHOICES = {"ON": AT_ONCE, "OFF": NEVER, "DAILY": DIGEST}
# Duels of these paces, and how far the rating of someone who looks for one may be from the user's.
SEEKS = "SEEKS"
PACES = {"LIVE": LIVE, "DAY": DAILY, "SLOW": SLOW}
SAID = {value: word for word, value in CHOICES.items()}


def handle_notices(talk: Conversation, rest: str) -> list[str]:
    """NOTICES: list what the user is told, and where; NOTICES QUIET, USUAL or ALL: choose everything; NOTICES what
    where ON, OFF or DAILY: choose one thing; NOTICES SEEKS pace band: choose of which open duels to tell them."""
    words = [word.upper() for word in split_words(rest)]
    user = _find_user(talk, words)
    chosen = preferences_of(user)
    if len(words) == 1 and words[0].lower() in PRESETS:
        choose_notices(user=user, wanted=choose_preset(words[0].lower(), chosen))
    elif len(words) == 3 and words[0] == SEEKS and words[1] in PACES:
        choose_notices(user=user, wanted=_read_band(words[1], words[2]))
    elif len(words) == 3:
        choose_notices(user=user, wanted=_read_choice(*words))
    elif words:
        raise _refuse(_("NOTICES takes what, where, and ON, OFF or DAILY."), words)
    return [list_notices(preferences_of(user))]


def _find_user(talk: Conversation, words: list[str]) -> User:
    """Return who chooses. The reply address of an email of the lobby's room is enough to change those emails."""
    user = talk.state.user
    if user is not None and talk.get_token("room") is not None and words[:2] == ["TALK", "EMAIL"]:
        return talk.check_hold("NOTICES", user)
    return talk.require_user("NOTICES")


def _read_choice(what: str, where: str, choice: str) -> dict[str, str]:
    subject, channel, value = SUBJECTS.get(what.lower()), PLACES.get(where), CHOICES.get(choice)
    if subject is None:
        known = ", ".join(name.upper() for name in SUBJECTS)
        reason = _("We tell nobody about %(what)s, only about %(known)s.") % {"what": what, "known": known}
        raise _refuse(reason, [where, choice])
    if channel is None or value is None:
        raise _refuse(_("NOTICES takes what, where, and ON, OFF or DAILY."), [what, where, choice])
    if not subject.offers(channel, value):
        raise _refuse(
            _("%(what)s by %(where)s cannot be %(choice)s.") % {"what": what, "where": where, "choice": choice},
            [what, where],
        )
    return {subject.key(channel): value}


def _read_band(pace: str, word: str) -> dict[str, str]:
    key = PACES[pace]
    band = NEVER if word == "OFF" else word.lower()
    if band not in dict(PREFERENCES[key].values):
        raise OrderRejected(
            _("SEEKS %(pace)s takes how far ratings may be apart: 100, 200, 400, ANY or OFF.") % {"pace": pace},
            nearest=f"NOTICES SEEKS {pace} 200",
        )
    return {key: band}


def _refuse(reason: str, words: list[str]) -> OrderRejected:
    """Return a rejection; its nearest form is a choice that exists, with what these words say of it."""
    what = next((word for word in words if word.lower() in SUBJECTS), "TURNS")
    where = next((word for word in words if word in PLACES), "EMAIL")
    choices = [*(word for word in words if word in CHOICES), "DAILY", *CHOICES]
    subject = SUBJECTS[what.lower()]
    choice = next((one for one in choices if subject.offers(PLACES[where], CHOICES[one])), None)
    return OrderRejected(reason, nearest=f"NOTICES {what} {where} {choice}" if choice else "NOTICES TURNS EMAIL DAILY")


def list_notices(chosen: dict[str, str]) -> str:
    """Return the matrix as a table: what, and for each place ON, OFF, DAILY, always or -; then, for each pace, how far
    the rating of someone who looks for a duel may be from the user's."""
    rows = [["", *PLACES]]
    for name, subject in SUBJECTS.items():
        rows.append([name.upper(), *(_say(subject, channel, chosen) for channel in PLACES.values())])
    bands = [["", *PACES], [SEEKS, *(_say_band(chosen[key]) for key in PACES.values())]]
    return "\n\n".join(map(_lay_out, (rows, bands)))


def _say_band(band: str) -> str:
    return SAID.get(band, band.upper())


def _lay_out(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _say(subject: Subject, channel: str, chosen: dict[str, str]) -> str:
    key = subject.key(channel)
    if key:
        return SAID[chosen[key]]
    return _("always") if channel in subject.always else "-"
