"""Make calls and read streams over HTTP, with and without asyncio."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, TypeVar, overload

import httpx

from firetop_client.wire import (
    CALL_SECONDS,
    PREFIX,
    SILENT_SECONDS,
    UNSET,
    Message,
    MessageReader,
    Patience,
    Reconnection,
    Unset,
    check_address,
    check_open,
    keep,
    make_headers,
    name_call,
    read_answer,
    write_query,
)

__all__ = ["UNSET", "AsyncTransport", "SyncTransport", "Unset"]

T = TypeVar("T")
log = logging.getLogger("firetop_client")
STREAMING = httpx.Timeout(CALL_SECONDS, read=SILENT_SECONDS)


class SyncTransport:
    """The connection to a site.

    `patience` says for how many seconds a call is made again if the site is busy or does not answer; each call has one
    effect, however often it is made. `language` is the language of the site's sentences.
    """

    def __init__(self, url: str, token: str = "", *, patience: float = 90.0, language: str = "") -> None:
        self.url, self.patience = check_address(url), patience
        self._http = httpx.Client(
            base_url=self.url + PREFIX, headers=make_headers(token, language), timeout=CALL_SECONDS
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @overload
    def call(
        self, method: str, path: str, kind: type[T], *, query: Mapping[str, Any] | None = ..., body: Any = ...
    ) -> T: ...

    @overload
    def call(
        self, method: str, path: str, kind: None, *, query: Mapping[str, Any] | None = ..., body: Any = ...
    ) -> None: ...

    def call(
        self,
        method: str,
        path: str,
        kind: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> T | None:
        """Make a call and return its answer. Raises Problem, Unreachable, UnexpectedAnswer."""
        patience, headers = Patience(self.patience), name_call(method)
        sent = None if body is None else keep(body)
        while True:
            check_open(self._http)
            answer: httpx.Response | httpx.TransportError
            try:
                answer = self._http.request(method, path, params=write_query(query), json=sent, headers=headers)
            except httpx.TransportError as error:
                answer = error
            pause = patience.wait_after(answer)
            if pause is None and isinstance(answer, httpx.Response):
                return read_answer(kind, answer)
            time.sleep(pause or 0)

    def stream(self, path: str, *, query: Mapping[str, Any] | None = None, last: str = "") -> Iterator[Message]:
        """Yield the messages of a stream. It is opened again whenever it breaks, and ends when the site says so.
        Raises Problem."""
        place = Reconnection(last)
        while True:
            check_open(self._http)
            try:
                with self._http.stream(
                    "GET", path, params=write_query(query), headers=place.headers(), timeout=STREAMING
                ) as answer:
                    if answer.status_code == 204:
                        return
                    if answer.status_code != 200:
                        answer.read()
                        place.refuse(answer)
                    else:
                        reader = MessageReader()
                        for part in answer.iter_bytes():
                            for message in reader.feed(part):
                                place.note(reader, has_message=True)
                                yield message
                            place.note(reader)
            except httpx.TransportError as error:
                log.info("stream of %s broke off: %s", path, type(error).__name__)
            time.sleep(place.pause())


class AsyncTransport:
    """The connection to a site, for asyncio. See SyncTransport."""

    def __init__(self, url: str, token: str = "", *, patience: float = 90.0, language: str = "") -> None:
        self.url, self.patience = check_address(url), patience
        self._http = httpx.AsyncClient(
            base_url=self.url + PREFIX, headers=make_headers(token, language), timeout=CALL_SECONDS
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    @overload
    async def call(
        self, method: str, path: str, kind: type[T], *, query: Mapping[str, Any] | None = ..., body: Any = ...
    ) -> T: ...

    @overload
    async def call(
        self, method: str, path: str, kind: None, *, query: Mapping[str, Any] | None = ..., body: Any = ...
    ) -> None: ...

    async def call(
        self,
        method: str,
        path: str,
        kind: type[T] | None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> T | None:
        """Make a call and return its answer. Raises Problem, Unreachable, UnexpectedAnswer."""
        patience, headers = Patience(self.patience), name_call(method)
        sent = None if body is None else keep(body)
        while True:
            check_open(self._http)
            answer: httpx.Response | httpx.TransportError
            try:
                answer = await self._http.request(method, path, params=write_query(query), json=sent, headers=headers)
            except httpx.TransportError as error:
                answer = error
            pause = patience.wait_after(answer)
            if pause is None and isinstance(answer, httpx.Response):
                return read_answer(kind, answer)
            await asyncio.sleep(pause or 0)

    async def stream(
        self, path: str, *, query: Mapping[str, Any] | None = None, last: str = ""
    ) -> AsyncIterator[Message]:
        """Yield the messages of a stream. It is opened again whenever it breaks, and ends when the site says so.
        Raises Problem."""
        place = Reconnection(last)
        while True:
            check_open(self._http)
            try:
                async with self._http.stream(
                    "GET", path, params=write_query(query), headers=place.headers(), timeout=STREAMING
                ) as answer:
                    if answer.status_code == 204:
                        return
                    if answer.status_code != 200:
                        await answer.aread()
                        place.refuse(answer)
                    else:
                        reader = MessageReader()
                        async for part in answer.aiter_bytes():
                            for message in reader.feed(part):
                                place.note(reader, has_message=True)
                                yield message
                            place.note(reader)
            except httpx.TransportError as error:
                log.info("stream of %s broke off: %s", path, type(error).__name__)
            await asyncio.sleep(place.pause())
