"""A player on the website without scripts: reads real pages over HTTP and sends their forms."""

import http.client
import http.cookiejar
import re
import urllib.error
import urllib.parse
import urllib.request

from tests.journeys.pages import Form, Page, read_page

SECONDS = 20


class WebPlayer:
    """One browser's worth of cookies on the site at `url` (no slash at its end). `name` is who signed up with it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = ""
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def read(self, path: str) -> Page:
        """The page at `path`, after any redirects. An error page is a page too; its status tells."""
        return self._open(urllib.request.Request(urllib.parse.urljoin(self.url, path)))

    def send(self, page: Page, form: Form, **values: str) -> Page:
        """Send a form of that page with these values filled in; returns where it leads."""
        unknown = set(values) - set(form.fields) - set(form.offered)
        assert not unknown, f"the form of {page.address} has no {sorted(unknown)}"
        data = urllib.parse.urlencode({**form.fields, **values}).encode()
        target = urllib.parse.urljoin(self.url + page.address, form.action)
        return self._open(urllib.request.Request(target, data, {"Referer": self.url + page.address}))

    def press(self, path: str, action: str, **values: str) -> Page:
        """Read the page at `path` and send the form on it that goes to `action` ("": to the page itself)."""
        page = self.read(path)
        return self.send(page, page.find_form(action), **values)

    def sign_up(self, name: str, *, email: str, password: str) -> Page:
        self.name = name
        page = self.read("/accounts/signup/")
        form = next(form for form in page.forms if "password1" in form.fields)
        return self.send(page, form, username=name, email=email, password1=password)

    def log_in(self, name: str, password: str, path: str = "/accounts/login/") -> Page:
        page = self.read(path)
        form = next(form for form in page.forms if "password" in form.fields)
        return self.send(page, form, login=name, password=password)

    def register_mage(self, name: str, then: str = "/challenges/") -> Page:
        """Register a mage on the way to the page `then`."""
        page = self.read(f"/accounts/mages/new/?next={then}")
        form = next(form for form in page.forms if "name" in form.fields)
        return self.send(page, form, name=name)

    def make_challenge(self, mage: str, **values: str) -> int:
        """Fill in the form of a new challenge; returns its number."""
        page = self.read("/challenges/new/")
        form = next(form for form in page.forms if "against" in form.fields)
        made = self.send(page, form, mage=mage, **values)
        found = re.fullmatch(r"/challenges/(\d+)/", made.address)
        assert found, f"no challenge was made, but {made.address} says:\n{made.html}"
        return int(found[1])

    def answer(self, number: int, act: str, **values: str) -> Page:
        """Press accept, decline, withdraw or start on the page of a challenge."""
        return self.press(f"/challenges/{number}/", f"/challenges/{number}/{act}/", **values)

    def _open(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as error:
            with error:
                return self._read(error)

    def _read(self, answer: "urllib.error.HTTPError | http.client.HTTPResponse") -> Page:
        html = answer.read().decode()
        return read_page(answer.url.removeprefix(self.url), answer.status or 0, html)
