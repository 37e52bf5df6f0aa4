"""The list of a user's sessions: recording one, listing those that are open, and ending the others.

Allauth's own functions store the key of the session, which is the log-in itself; these store its hash.
"""

from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.sessions import SessionStore, hash_session_key

LONGEST_USER_AGENT = 200


def record_login(*, user: User, session_key: str, address: str, user_agent: str, now: datetime) -> None:
    """Add a session of `user` to their list, and remove those that have ended."""
    list_logins(user=user, now=now)
    UserSession.objects.update_or_create(
        session_key=hash_session_key(session_key),
        defaults={"user": user, "ip": address, "user_agent": user_agent[:LONGEST_USER_AGENT], "last_seen_at": now},
        create_defaults={
            "user": user,
            "ip": address,
            "user_agent": user_agent[:LONGEST_USER_AGENT],
            "created_at": now,
            "last_seen_at": now,
        },
    )


def list_logins(*, user: User, now: datetime) -> list[UserSession]:
    """Return the open sessions of `user`, oldest first, and remove the others from their list."""
    logins = list(UserSession.objects.filter(user=user).order_by("created_at", "pk"))
    sessions = Session.objects.filter(session_key__in=[login.session_key for login in logins], expire_date__gt=now)
    is_open = {session.session_key: _is_logged_in(user, session) for session in sessions}
    ended = [login.pk for login in logins if not is_open.get(login.session_key)]
    UserSession.objects.filter(pk__in=ended).delete()
    return [login for login in logins if login.pk not in ended]


def end_other_logins(*, user: User, session_key: str) -> int:
    """End all sessions of `user` but the one with this key; return how many."""
    with transaction.atomic():
        others = UserSession.objects.filter(user=user).exclude(session_key=hash_session_key(session_key))
        keys = list(others.values_list("session_key", flat=True))
        Session.objects.filter(session_key__in=keys).delete()
        others.filter(session_key__in=keys).delete()
    return len(keys)


def _is_logged_in(user: User, session: Session) -> bool:
    """Return whether the session is the user's, and has not ended with an older password."""
    data = SessionStore().decode(session.session_data)
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    known = str(data.get(HASH_SESSION_KEY, ""))
    return data.get(SESSION_KEY) == str(user.pk) and any(constant_time_compare(known, each) for each in hashes)
