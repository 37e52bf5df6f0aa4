"""A release is replaced by the next one while pages are read and orders are given: nobody notices more than a pause.

As under systemd (deploy/systemd/firetop-web.socket), the listening socket belongs to another process, here the test.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from accounts.services.tokens import issue_api_token
from duels.models import OrderSheet
from fm_site.serving.static_files import SOURCES
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.plugin import LONG
from tests.services.stack import ROOT

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.django_db(transaction=True)]
SWITCHES = 4 if LONG else 1
READERS = 4 if LONG else 2
BATTLES = 100 if LONG else 20
PROGRAM = ("accounts", "challenges", "duels", "email_gateway", "fm_site", "ladder", "league", "locale", "moderation")
PROGRAM += ("notifications", "operations", "pictures", "rules_engine", "studies", "packages", "pyproject.toml")
NEW_STYLES = "css/second.css", "css/second.0123456789ab.css"


class Releases:
    """The folders of two releases, and the link to the current one. Only the second has a certain static file, and a
    line in every page that needs it."""

    def __init__(self, folder, settings):
        self.folder, self.link = folder, folder / "current"
        settings.STATIC_ROOT = self.make("first") / "static"
        settings.STORAGES = {
            **settings.STORAGES,
            "staticfiles": {"BACKEND": "fm_site.serving.static_files.HashedFiles"},
        }
        settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["css", "js", "svg", "txt", "json", "html", "woff2"]
        call_command("collectstatic", interactive=False, verbosity=0)
        second = self.make("second")
        shutil.copytree(settings.STATIC_ROOT, second / "static")
        added = '"paths": {{"{}": "{}", '.format(*NEW_STYLES)
        self.change(second / "static" / "staticfiles.json", '"paths": {', added)
        (second / "static" / NEW_STYLES[1]).write_text("/* the second release */")
        (second / "static" / SOURCES).write_text("0" * 64)
        line = f'<link rel="stylesheet" href="{{% static \'{NEW_STYLES[0]}\' %}}">\n    </head>'
        self.change(second / "fm_site" / "templates" / "base.html", "</head>", line)
        self.switch("first")

    def make(self, name):
        made = self.folder / "releases" / name
        made.mkdir(parents=True)
        for part in PROGRAM:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, made / part, copy_function=os.link)
            else:
                os.link(source, made / part)
        return made

    def change(self, file, old, new):
        """Replace the file, whose text other releases share."""
        text = file.read_text()
        assert text.count(old) == 1
        file.unlink()
        file.write_text(text.replace(old, new))

    def switch(self, name):
        new = self.folder / "new"
        new.symlink_to(self.folder / "releases" / name)
        new.replace(self.link)


class Socket:
    """The listening socket, and the web process that has it, as systemd starts and restarts it."""

    def __init__(self, releases):
        self.releases, self.process = releases, None
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port = self.listener.getsockname()[1]
        self.log = (releases.folder / "web.log").open("wb")
        database = connection.settings_dict
        self.environment = {
            **os.environ,
            "DATABASE_URL": os.environ["DATABASE_URL"].replace("@/postgres?", f"@/{database['NAME']}?"),
            "FM_STATIC_DIR": str(releases.link / "static"),
            "FM_HASHED_FILES": "1",
        }

    def start(self):
        number = self.listener.fileno()
        command = f"exec 3<&{number}; LISTEN_FDS=1 LISTEN_PID=$$ exec {sys.executable} -m fm_site.run.web"
        self.process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.releases.link,
            env=self.environment,
            pass_fds=[number],
            stdout=self.log,
            stderr=self.log,
        )

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.listener.close()
        self.log.close()


class Line:
    """A connection that is kept open between requests, as a proxy keeps it, for three seconds."""

    def __init__(self, port):
        self.port, self.client, self.used_at = port, None, 0.0

    def ask(self, method, path, body=None, **headers):
        """Return the status and the body. It tries once: whatever goes wrong, the user would see."""
        if self.client is None or time.monotonic() - self.used_at > 3:
            self.close()
            self.client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        self.client.request(method, path, body, headers)
        answer = self.client.getresponse()
        told = answer.status, answer.read().decode()
        self.used_at = time.monotonic()
        return told

    def close(self):
        if self.client:
            self.client.close()
            self.client = None


class Load:
    """Everybody who uses the site meanwhile."""

    def __init__(self, port, fights):
        self.port, self.fights, self.is_over = port, fights, threading.Event()
        self.failures, self.pages, self.sent = [], [], []
        self.now = timezone.now()

    def read(self, pause):
        line = Line(self.port)
        while not self.is_over.is_set():
            for path in ("/rules/", f"/battles/{self.fights[0].number}/", "/accounts/login/"):
                self.note(line, "GET", path, self.pages)
                self.is_over.wait(pause)
        line.close()

    def order(self, fights):
        """Give the orders of one mage in each battle."""
        line = Line(self.port)
        for fight, token in fights:
            body = json.dumps({"orders": "LH W\nRH P", "ready": True})
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            if self.note(line, "POST", f"/api/v1/battles/{fight.number}/orders/", [], body, **headers):
                self.sent.append(fight.number)
            self.is_over.wait(4 * SWITCHES / BATTLES)
        line.close()

    def note(self, line, method, path, found, *body, **headers):
        try:
            status, told = line.ask(method, path, *body, **headers)
        except (OSError, http.client.HTTPException) as error:
            self.failures.append((path, repr(error)))
            line.close()
            return False
        if status != 200:
            self.failures.append((path, status, told[:200]))
            return False
        found.append(told)
        return True


def test_a_release_is_replaced_under_load_without_a_failed_request(tmp_path, settings):
    fights = [start_fight(make_mage(f"Froodal{number}"), make_mage(f"Bung{number}")) for number in range(BATTLES)]
    tokens = [
        (fight, issue_api_token(user=fight.user(f"Froodal{number}"), name="test", now=timezone.now())[1])
        for number, fight in enumerate(fights)
    ]
    releases = Releases(tmp_path, settings)
    with Socket(releases) as web, ExitStack() as stack:
        wait_for_page(web.port)
        address = f"127.0.0.1:{web.port}"
        page = connect(f"ws://{address}/ws/battles/{fights[0].number}/", origin=f"http://{address}")
        stack.enter_context(page)
        load = Load(web.port, fights)
        work = [(load.read, [pause]) for pause in (0.02, 0.9, *[0.05] * (READERS - 2))] + [(load.order, [tokens])]
        threads = [threading.Thread(target=each, args=arguments, daemon=True) for each, arguments in work]
        stack.callback(load.is_over.set)
        for thread in threads:
            thread.start()
        time.sleep(1)
        for number in range(SWITCHES):
            releases.switch("first" if number % 2 else "second")
            time.sleep(0.3)
            web.stop()
            web.start()
            wait_for_page(web.port)
            time.sleep(1)
        threads[-1].join(120)
        load.is_over.set()
        for thread in threads:
            thread.join(60)
        with pytest.raises(ConnectionClosed) as ended:
            while True:
                page.recv(timeout=5)
    assert load.failures == [], (tmp_path / "web.log").read_text()[-3000:]
    assert ended.value.rcvd.code == 1012, "the page is told to connect again"
    assert load.sent == [fight.number for fight in fights]
    stored = OrderSheet.objects.filter(ready=True, text__contains="LH W").values_list(
        "stage__battle__number", flat=True
    )
    assert sorted(stored) == sorted(load.sent)
    # Each page is of one release, and what it links to is there.
    first = [text for text in load.pages if NEW_STYLES[1] not in text]
    assert first and len(first) < len(load.pages)
    links = {link for text in load.pages for link in re.findall(r"/static/([\w./-]+\.(?:css|js))", text)}
    collected = [folder / "static" for folder in (tmp_path / "releases").iterdir()]
    assert len(links) > 3 and all(any((folder / link).exists() for folder in collected) for link in links)


def wait_for_page(port):
    """Wait until the process that has just started answers, on connections that waited at the socket."""
    line = Line(port)
    assert line.ask("GET", "/health/live")[0] == 200
    line.close()
