"""What calls a user back who gets no notifications on their device."""

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.selectors.users import has_confirmed_address
from notifications.preferences import AT_ONCE, NEVER
from notifications.selectors.notices import find_mail_choice


def explain_without_push(user: User, *, has_sound: bool = False) -> str:
    """Return in a sentence or two how `user` learns without notifications that it is their turn. `has_sound`: the open
    page says so, too."""
    choice = find_mail_choice(user, "turn_resolved")
    if user.is_guest:
        words = _("Turn on notifications, or you won't hear about your turn. If you keep this mage, we can email you.")
    elif not has_confirmed_address(user):
        words = _("Turn on notifications, or you won't hear about your turn: you have no confirmed email address.")
    elif user.is_email_stopped or choice == NEVER:
        words = _("Turn on notifications, or you won't hear about your turn: our emails to you are off.")
    elif choice == AT_ONCE:
        words = _("Without notifications, we email you.")
    else:
        words = _("Without notifications, it is in your daily email.")
    return " ".join([words, _("While this page is open, it makes a sound.")]) if has_sound else words
