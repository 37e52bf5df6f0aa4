"""After the journeys, none of their passwords, codes, links or tokens is anywhere: log, file, row, email copy, Valkey.

This one runs last, and uses every kind of secret itself, so that it also works when it runs alone.
It must find other text of the same journeys, or it searched the wrong places.
"""

import re
import urllib.error
import urllib.request

import pytest

from tests.journeys.letterbox import Letter, Mailbox, MailPlayer
from tests.journeys.lying_about import find_words
from tests.journeys.pages import Page
from tests.journeys.secrets_used import Secrets
from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

pytestmark = pytest.mark.journey

KINDS = {
    "API token",
    "code",
    "link",
    "mail password",
    "password",
    "reply address",
    "wrong API token",
    "wrong mail password",
    "wrong password",
}
ADDRESS = "vera@example.org"


def fill_in(player: WebPlayer, page: Page, field: str, **values: str) -> Page:
    return player.send(page, page.find_form_with(field), **values)


def find_mail(mailbox: MailPlayer, words: str, seen: list[str]) -> Letter:
    letter = mailbox.wait_for(lambda one: words in one.text and one.message_id not in seen, f"mail with {words!r}")
    seen.append(letter.message_id)
    return letter


def find_code(letter: Letter, secrets: Secrets) -> str:
    found = re.search(r"^  (\S{6,})$", letter.text, re.M)
    assert found, letter.text
    return secrets.note("code", found[1])


def walk_with_passwords_and_codes(stack: Stack, vera: MailPlayer, secrets: Secrets) -> WebPlayer:
    """Sign up, confirm the address, log in wrongly, by code and rightly, reset the password."""
    seen: list[str] = []
    web = WebPlayer(stack.url)
    web.sign_up("Vera", email=ADDRESS, password=secrets.note("password", "seven-salt-stairs"))
    link = re.search(r"http\S+/(\S+)/$", find_mail(vera, "confirm your address", seen).text, re.M)
    assert link
    secrets.note("link", link[1])
    page = web.read(link[0].removeprefix(stack.url))
    confirm = next(form for form in page.forms if "/confirm-email/" in form.action)
    secrets.note("link", confirm.action.rstrip("/").rpartition("/")[2])
    web.send(page, confirm)

    wrong = WebPlayer(stack.url).log_in("Vera", secrets.note("wrong password", "seven-salt-stares"))
    assert wrong.address == "/accounts/login/"
    by_code = WebPlayer(stack.url)
    asked = fill_in(by_code, by_code.read("/accounts/login/code/"), "email", email=ADDRESS)
    code = find_code(find_mail(vera, "Your code to log in", seen), secrets)
    assert "Vera" in fill_in(by_code, asked, "code", code=code).html
    # One that is asked for and never used waits in its session.
    idle = WebPlayer(stack.url)
    fill_in(idle, idle.read("/accounts/login/code/"), "email", email=ADDRESS)
    find_code(find_mail(vera, "Your code to log in", seen), secrets)

    reset = WebPlayer(stack.url)
    asked = fill_in(reset, reset.read("/accounts/password/reset/"), "email", email=ADDRESS)
    code = find_code(find_mail(vera, "Your code to choose", seen), secrets)
    choosing = fill_in(reset, asked, "code", code=code)
    new = secrets.note("password", "eight-salt-stairs")
    fill_in(reset, choosing, "password1", password1=new, password2=new)
    again = WebPlayer(stack.url)
    assert again.log_in("Vera", new).address == "/"
    return again


def walk_with_api_tokens(stack: Stack, web: WebPlayer, secrets: Secrets) -> None:
    made = fill_in(web, web.read("/accounts/tokens/"), "name", name="my program", scope="play", days="30")
    found = re.search(r"shown this once:</b> <code>(\S+)</code>", made.html)
    assert found, made.html
    token = secrets.note("API token", found[1])
    assert call_api(stack, token) == 200
    assert call_api(stack, secrets.note("wrong API token", token[:-6] + "zzzzzz")) == 401


def call_api(stack: Stack, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{stack.url}/api/v1/me/", headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def walk_with_mail_passwords(vera: MailPlayer, web: WebPlayer, secrets: Secrets) -> None:
    """Set it on the site, use it rightly and wrongly, and in places where it does not belong."""
    password = secrets.note("mail password", "ninth-brass-gate")
    fill_in(web, web.read("/accounts/mail-password/"), "raw", raw=password)
    registered = vera.order(f"USER Vera {password}", "REGISTER Verity", password)
    assert "Verity is registered" in registered.text and password not in registered.text
    wrong = secrets.note("wrong mail password", "ninth-brass-gait")
    assert wrong not in vera.order(f"USER Vera {wrong}", "REGISTER Verily").text
    quoted = vera.send(f"SCORES\n\n> USER Vera {password}\n", subject=f"USER Vera {password}")
    assert password not in vera.answer_to(quoted).text


def walk_without_confirming(mailbox: Mailbox, secrets: Secrets) -> None:
    """A NEWUSER that nobody confirmed yet holds a mail password, and its answer an address that acts."""
    wilma = MailPlayer(mailbox, "wilma@example.org")
    asked = wilma.order(f"NEWUSER Wilma {secrets.note('mail password', 'tenth-brass-gate')}")
    assert asked.reply_to.partition("@")[0] in secrets.used["reply address"]


def test_no_secret_of_the_journeys_is_left_behind(stack: Stack, mailbox: Mailbox, secrets_used: Secrets) -> None:
    vera = MailPlayer(mailbox, ADDRESS)
    web = walk_with_passwords_and_codes(stack, vera, secrets_used)
    walk_with_api_tokens(stack, web, secrets_used)
    walk_with_mail_passwords(vera, web, secrets_used)
    walk_without_confirming(mailbox, secrets_used)

    assert set(secrets_used.used) >= KINDS
    found = find_words(stack, ["Verity", "my program", "REGISTER Verily", *(word for _, word in secrets_used.all())])
    assert {"Verity", "my program", "REGISTER Verily"} <= set(found), "the search does not see what is there"
    lying = {f"{kind} {word!r}": found[word] for kind, word in secrets_used.all() if word in found}
    assert not lying
