"""Every form of every page, as a browser sees it, sent with random and hostile values: never a fault of ours, and no
row changes when someone sends it who has no right to.

FM_FUZZ=10000 sets how many times each address gets a form. FM_FUZZ_KEPT=PATH keeps how far each address is: the next
run continues there, and a run that is stopped loses nothing."""

import json
import os
import random
import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote_plus, urljoin, urlsplit

import pytest
from django.db import transaction

from notifications.models import Notice
from tests.journeys.pages import read_page
from tests.services.plugin import LONG
from tests.site.test_addresses import people, token
from tests.site.test_every_post import WITHOUT_TOKEN, browse, everybody, list_addresses, read_rows
from tests.site.test_hostile_requests import VALUES, as_bytes

__all__ = ["everybody", "people", "token"]

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("quiet")]
COUNT = int(os.environ.get("FM_FUZZ") or (100 if LONG else 1))
KEPT = Path(os.environ.get("FM_FUZZ_KEPT") or os.devnull)
# The roles that look for forms. Drawing every page for every role takes longest, so the short count has only two.
SEEKERS = None if LONG or "FM_FUZZ" in os.environ else ("owner", "janitor")
WRONG = ("visitor", "reader")
FORM = "application/x-www-form-urlencoded"


def read_forms(browser, address):
    """Return the forms of a page with the addresses they go to; none for an answer that is no page."""
    answer = browser.get(address)
    if answer.status_code != 200 or not answer.headers.get("Content-Type", "").startswith("text/html"):
        return []
    page = read_page(address, 200, answer.content.decode())
    return [(urlsplit(urljoin(address, form.action)), form) for form in page.forms]


@pytest.fixture
def forms(everybody, token):
    """By the address of each form: who saw it, its method, and what it sends and offers."""
    found = defaultdict(list)
    for who in SEEKERS or everybody:
        browser = browse(everybody[who])
        for address in {*list_addresses(token).values()}:
            for target, form in read_forms(browser, address):
                if not target.netloc:
                    found[target.path].append((who, form))
    return found


def fill(dice, form):
    """Return the body of a form that someone, or something, has filled in."""
    parts = []
    for name in {**form.fields, **form.offered}:
        choices = form.offered.get(name, [])
        luck = dice.random()
        if luck < 0.4:
            values = [form.fields.get(name, dice.choice(choices) if choices else "")]
        elif luck < 0.6 and choices:
            values = [dice.choice(choices)]
        elif luck < 0.7:
            values = [str(dice.randint(-3, 10 ** dice.randint(1, 20)))]
        elif luck < 0.8:
            values = dice.choice(([], [dice.choice(VALUES), dice.choice(VALUES)]))
        else:
            values = [dice.choice(VALUES)]
        # A field's own name may be wrong, too.
        called = name if dice.random() < 0.97 else dice.choice((f"{name}[]", name.upper(), ""))
        parts += [f"{quote_plus(called)}={quote_plus(as_bytes(value))}" for value in values]
    return "&".join(parts)


def send(browser, address, form, body):
    if form.method == "post":
        return browser.generic("POST", address, body, content_type=FORM)
    return browser.get(f"{address}?{body[:4000]}")


def test_no_form_breaks_its_page_and_those_of_others_change_nothing(everybody, forms, token):
    """One test, because to look for all the forms takes longest."""
    fill_in_everything(everybody, forms)
    for who in WRONG:
        send_those_of_others(everybody, forms, token, who)


def fill_in_everything(everybody, forms):
    """Everyone fills in the forms that they have seen, and now and then those of others; each address in turn."""
    assert len(forms) >= 40, sorted(forms)
    faults, done = [], json.loads(KEPT.read_text() or "{}") if KEPT.exists() else {}
    # A link with a secret is another one in each run.
    keys = {address: re.sub(r"[\w-]{20,}", "*", address) for address in forms}
    for number in range(min(done.get(key, 0) for key in keys.values()), COUNT):
        for address, seen in sorted(forms.items()):
            key = keys[address]
            if number >= done.get(key, 0):
                faults += try_form(random.Random(f"{key} {number}"), everybody, address, seen)
                done[key] = number + 1
        KEPT.write_text(json.dumps(done))
    assert not faults, "\n".join(faults[:20])


def try_form(dice, everybody, address, seen):
    """Send one form and take back what it did; return what was wrong with the answer."""
    who, form = dice.choice(seen)
    if dice.random() < 0.2:
        who = dice.choice(sorted(everybody))
    body = fill(dice, form)
    with transaction.atomic():
        try:
            status = send(browse(everybody[who]), address, form, body).status_code
            problem = str(status) if status >= 500 and status != 503 else ""
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        transaction.set_rollback(True)
    if not problem:
        return []
    fault = f"{who} {form.method} {address} {body[:600]}: {problem[:300]}"
    print(fault, flush=True)
    return [fault]


def send_those_of_others(everybody, forms, token, who):
    """Let a stranger and a read-only janitor send a form that was filled in with the right to do so."""
    addresses = list_addresses(token)
    open_to_all = {
        addresses[name] for name in {"account_signup", "accounts:language"} | WITHOUT_TOKEN if name in addresses
    }
    if everybody[who] is not None:
        # What every user may do, and others hear of: among thousands of forms, one is complete.
        open_to_all |= {addresses["new_report"], addresses["accounts:change_name"]}
        open_to_all |= {addresses["thread"], addresses["write_message"]}
    dice = random.Random(81)
    for address in addresses.values():
        browse(everybody[who]).get(address)
    before = read_rows(everybody[who])
    for address, seen in sorted(forms.items()):
        theirs = [form for owner, form in seen if owner not in WRONG and form.method == "post"]
        if address in open_to_all or not theirs:
            continue
        for _ in range(COUNT):
            form = dice.choice(theirs)
            assert send(browse(everybody[who]), address, form, fill(dice, form)).status_code < 500
    after = read_rows(everybody[who])
    newest = list(Notice.objects.order_by("-pk").values_list("kind", "key")[:3])
    assert {label for label in before if before[label] != after[label]} == set(), f"{who}: the newest notices: {newest}"
