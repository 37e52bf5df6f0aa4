"""A form that is sent twice acts once."""

import re
import threading

import pytest
from django.http import HttpResponse, HttpResponseRedirect
from django.test import Client, RequestFactory

from duels.models import Combatant, Deadline
from operations.web.repeated_forms import ActOncePerForm

TAKE = {"act": "take", "mage": "Froodal"}


class Browser:
    """A player's browser, which sends the token of the page that it shows."""

    def __init__(self, fight, name):
        self.client = Client(enforce_csrf_checks=True)
        self.client.force_login(fight.user(name))
        self.page = f"/battles/{fight.number}/"
        self.load()

    def load(self):
        html = self.client.get(self.page).content.decode()
        self.token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', html)[1]

    def send(self, fields):
        return self.client.post(f"{self.page}time/", {**fields, "csrfmiddlewaretoken": self.token})


@pytest.fixture
def player(duel):
    return Browser(duel, "Froodal")


def count_taken():
    return Combatant.objects.get(mage__name="Froodal").extensions_taken


def test_a_double_click_takes_extra_time_once(player):
    urls = [player.send(TAKE).url for _click in range(2)]
    assert urls[0] == urls[1] and count_taken() == 1
    messages = player.client.get(player.page).content.decode()
    assert messages.count("Your deadline is extended.") == 1


def test_the_form_of_a_page_that_was_loaded_again_acts_again(player):
    player.send(TAKE)
    player.load()
    player.send(TAKE)
    assert count_taken() == 2


def test_another_form_of_the_same_page_acts(player, duel):
    player.send({"act": "give", "mage": "Froodal", "other": "Bung"})
    player.send(TAKE)
    assert count_taken() == 1 and Deadline.objects.get(combatant__mage__name="Bung").extensions == 1


def test_the_token_of_another_user_is_of_no_use(player, duel):
    other = Browser(duel, "Bung")
    player.send(TAKE)
    other.token = player.token
    assert other.send(TAKE).status_code == 403


@pytest.fixture
def send(db, admin_user):
    """A function that sends the same form to a view, behind the middleware."""

    def send_form(view):
        request = RequestFactory().post("/somewhere/", {"csrfmiddlewaretoken": "abc"})
        request.user = admin_user
        middleware = ActOncePerForm(lambda request: middleware.process_view(request, view, (), {}) or view(request))
        return middleware(request)

    return send_form


def test_a_copy_waits_for_the_response_to_the_first(send):
    begun, calls = threading.Event(), []

    def view(request):
        calls.append(request)
        begun.set()
        first_may_end.wait(5)
        return HttpResponseRedirect("/there/")

    first_may_end = threading.Event()
    first = threading.Thread(target=send, args=(view,))
    first.start()
    begun.wait(5)
    threading.Timer(0.1, first_may_end.set).start()
    assert send(view).url == "/there/" and len(calls) == 1
    first.join()


@pytest.mark.parametrize("kind", ["a page with problems", "a cookie", "an error"])
def test_the_view_handles_a_copy_too_after(send, kind):
    calls = []

    def view(request):
        calls.append(request)
        if kind == "an error":
            return HttpResponse(status=500)
        response = HttpResponseRedirect("/there/") if kind == "a cookie" else HttpResponse(status=422)
        if kind == "a cookie":
            response.set_cookie("sessionid", "new")
        return response

    responses = [send(view) for _copy in range(2)]
    assert responses[0].status_code == responses[1].status_code and len(calls) == 2
