"""A program that reads a stream of the API, without a network."""

import json

from asgiref.testing import ApplicationCommunicator


async def no_page(scope, receive, send):
    raise AssertionError("the pages were asked")


class Stream:
    """One connection to a stream of the API, of events unless another path is given."""

    def __init__(self, app, text, last="", path="/api/v1/events/"):
        headers = [(b"authorization", f"Bearer {text}".encode()), (b"accept", b"text/event-stream")]
        headers += [(b"last-event-id", last.encode())] if last else []
        path, _, query = path.partition("?")
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "scheme": "https"}
        scope["query_string"] = query.encode()
        self.wire, self.text = ApplicationCommunicator(app, scope), ""

    async def open(self):
        await self.wire.send_input({"type": "http.request", "body": b""})
        return (await self.wire.receive_output(10))["status"]

    async def place(self):
        """The id that the stream begins with."""
        self.text += (await self.wire.receive_output(10))["body"].decode()
        return dict(line.split(": ", 1) for line in self.text.split("\n") if line).get("id", "")

    async def message(self):
        """The fields of the next message, with its data read."""
        while True:
            block, found, rest = self.text.partition("\n\n")
            if not found:
                self.text += (await self.wire.receive_output(10))["body"].decode()
                continue
            self.text = rest
            fields = dict(line.split(": ", 1) for line in block.split("\n") if line[:1] not in (":", ""))
            if "data" in fields:
                return {**fields, "data": json.loads(fields["data"])}

    async def event(self):
        """The data of the next event."""
        fields = await self.message()
        data = fields["data"]
        assert (fields["id"], fields["event"]) == (data["id"], data["type"])
        return data

    async def ends(self):
        """Whether the site ends the stream now, without another message."""
        return await self.wire.receive_output(5) == {"type": "http.response.body", "body": b""}

    async def is_silent(self, seconds=0.4):
        return "data:" not in self.text and await self.wire.receive_nothing(timeout=seconds)

    async def close(self):
        await self.wire.send_input({"type": "http.disconnect"})
        await self.wire.wait(5)
