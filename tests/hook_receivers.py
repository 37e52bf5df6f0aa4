"""Receivers on this machine that take messages as Discord, Slack, Matrix, ntfy and a program do, and refuse what these
would refuse or show in another way than it was meant."""

import base64
import hashlib
import hmac
import json
import re
import threading
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

HIDDEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x09\x0b-\x1f]")
LINK = re.compile(r"http://[a-z0-9.:]+/[a-z0-9/]*(#[a-z0-9-]+)?")
# What Discord reads as formatting, a mention or a link where no backslash stands before it.
MARKDOWN = re.compile(r"(?<!\\)(?:\\\\)*[*_~`|>#\[\]()<@:-]")


class Refused(Exception):
    """What the service would answer."""


def check(is_right, why):
    if not is_right:
        raise Refused(why)


class Receiver:
    """A server that keeps what it showed to people in `shown`, and answers 400 with the reason to everything else."""

    format, path, room, token = "", "/", "", ""

    def __init__(self):
        self.shown, self.refused, self.calls, self.answers = [], [], [], []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def take(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.append(body)
                if receiver.answers:
                    status, answer = receiver.answers.pop(0), b""
                else:
                    try:
                        status, answer = receiver.take(self.command, self.path, self.headers, body)
                    except Refused as error:
                        receiver.refused.append(str(error))
                        status, answer = 400, b""
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                if 300 <= status < 400:
                    self.send_header("Location", receiver.url)
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_PUT = do_GET = take

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.site = f"http://127.0.0.1:{self.http.server_port}"
        self.url = self.site + self.path
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    @property
    def target(self):
        """What a user enters to reach it."""
        return {"url": self.url, "room": self.room, "token": self.token}

    def read(self, body, headers):
        check(headers["Content-Type"] == "application/json", "not JSON")
        check("FiretopMountain" in headers["User-Agent"], "no name")
        return json.loads(body)

    def show(self, text):
        check(text.strip() and not HIDDEN.search(text), f"hidden characters in {text!r}")
        self.shown.append(text)


class Discord(Receiver):
    format, path = "discord", "/api/webhooks/1190000000000000001/a-b_C9"

    def take(self, method, path, headers, body):
        said = self.read(body, headers)
        check((method, path) == ("POST", self.path), "10015: unknown webhook")
        check(set(said) <= {"content", "allowed_mentions", "flags"}, "unknown field")
        check(0 < len(said["content"]) <= 2000, "50006: empty or too long")
        check(said["allowed_mentions"] == {"parse": []} and said["flags"] & 4, "it could mention or unfurl")
        text, _newline, link = said["content"].rpartition("\n")
        check(LINK.fullmatch(link), f"no link: {link}")
        check(not MARKDOWN.search(text), f"formatting in {text!r}")
        self.show(re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text))
        return 204, b""


class Slack(Receiver):
    format, path = "slack", "/services/T0/B0/x9y8"

    def take(self, method, path, headers, body):
        said = self.read(body, headers)
        check((method, path) == ("POST", self.path), "no_service")
        check(said["mrkdwn"] is False and said["parse"] == "none" and said["link_names"] is False, "it could format")
        check(said["unfurl_links"] is False and len(said["text"]) <= 40_000, "msg_too_long")
        text, _newline, link = said["text"].rpartition("\n")
        check(LINK.fullmatch(link[1:-1]) and (link[0], link[-1]) == ("<", ">"), f"no link: {link}")
        check(not re.search(r"[<>]|&(?!amp;|lt;|gt;)", text), f"a mention or link in {text!r}")
        self.show(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        return 200, b"ok"


class _Shown(HTMLParser):
    """The text of a message, which has only line ends and links."""

    def __init__(self):
        super().__init__()
        self.text, self.links = "", []

    def handle_starttag(self, tag, attributes):
        check(tag in ("br", "a"), f"<{tag}>")
        self.links += [value for name, value in attributes if name == "href"]
        self.text += "\n" if tag == "br" else ""

    def handle_data(self, data):
        self.text += data


class Matrix(Receiver):
    format, room, token = "matrix", "!Duels:matrix.example", "syt_bot_1"

    def __init__(self):
        super().__init__()
        self.known = {}

    def take(self, method, path, headers, body):
        said = self.read(body, headers)
        check(headers["Authorization"] == f"Bearer {self.token}", "M_UNKNOWN_TOKEN")
        place, _slash, mark = path.rpartition("/")
        check(method == "PUT", "M_UNRECOGNIZED")
        check(unquote(place) == f"/_matrix/client/v3/rooms/{self.room}/send/m.room.message", "M_NOT_FOUND")
        check("!" not in place and re.fullmatch(r"[0-9A-Za-z.~_-]+", mark), "M_INVALID_PARAM")
        if mark not in self.known:  # the same transaction is the same message
            check(said["msgtype"] == "m.notice" and said["m.mentions"] == {}, "it could mention")
            check(said["format"] == "org.matrix.custom.html", "M_BAD_JSON")
            page = _Shown()
            page.feed(said["formatted_body"])
            check(page.text == said["body"], "two different texts")
            text, _newline, link = said["body"].rpartition("\n")
            check(LINK.fullmatch(link) and page.links == [link], f"no link: {link}")
            self.show(text)
            self.known[mark] = len(self.known)
        return 200, json.dumps({"event_id": f"${self.known[mark]}"}).encode()


class Ntfy(Receiver):
    format, path, token = "ntfy", "/anna-duels", "tk_1"

    def take(self, method, path, headers, body):
        said = self.read(body, headers)
        check(headers["Authorization"] == f"Bearer {self.token}", "40101: unauthorized")
        check((method, path) == ("POST", "/") and said["topic"] == "anna-duels", "40401: page not found")
        check(set(said) <= {"topic", "title", "message", "click", "markdown"}, "unknown field")
        check(said["markdown"] is False and LINK.fullmatch(said["click"]), "it could format")
        check(len(said["message"].encode()) <= 4096 and "\n" not in said["title"], "40012: too long")
        self.show(f"{said['title']}\n{said['message']}")
        return 200, json.dumps({"id": "x", "event": "message"}).encode()


class Program(Receiver):
    format, path, secret = "json", "/events", ""

    def take(self, method, path, headers, body):
        event = self.read(body, headers)
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        mark = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        check(hmac.compare_digest(mark, headers["webhook-signature"]), "not signed")
        check(headers["webhook-id"] == event["id"] and method == "POST", "another id")
        # A program knows an event again by its id; what it may know of a battle it reads itself.
        self.shown.append(" ".join(str(event[name]) for name in ("type", "battle", "challenge", "url")))
        return 204, b""


CHATS = (Discord, Slack, Matrix, Ntfy)
RECEIVERS = (*CHATS, Program)
