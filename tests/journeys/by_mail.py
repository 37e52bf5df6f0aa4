"""The steps of every email player: sign up, register a mage, send orders with the mail password."""

import re

from tests.journeys.letterbox import Letter, Mailbox, MailPlayer


def password_of(user: str) -> str:
    return f"heh-{user}-moths"


def join_by_mail(mailbox: Mailbox, user: str, mage: str) -> MailPlayer:
    """A user who has never seen the website, with a mage. `user` begins with its only capital."""
    player = MailPlayer(mailbox, f"{user.lower()}@example.org")
    password = player.secrets.note("mail password", password_of(user))
    confirm = player.order(f"NEWUSER {user} {password}")
    assert "with the one line CONFIRM" in " ".join(confirm.text.split())
    done = player.order("CONFIRM", to=confirm.reply_to)
    assert f"You are now {user}." in done.text
    assert f"{mage} is registered" in order_as(player, f"REGISTER {mage}").text
    return player


def order_as(player: MailPlayer, *lines: str) -> Letter:
    """Send these lines after a USER line and return the answer."""
    user = player.address.partition("@")[0].capitalize()
    return player.order(f"USER {user} {password_of(user)}", *lines)


def fight_by_mail(challenger: MailPlayer, mage: str, other: MailPlayer, against: str) -> int:
    """Challenge, be accepted, and return the number of the battle."""
    assert "Challenge" in order_as(challenger, f"NEWGAME {mage} CHALLENGE {against}").text
    # The answer to REGISTER lists every mage too, but its subject has no number.
    invitation = other.wait_for(lambda letter: mage in letter.text and re.search(r"\d", letter.subject), "invitation")
    number = int("".join(filter(str.isdigit, invitation.subject)))
    assert "OK" in order_as(other, f"ACCEPT {number} {against}").text
    return number
