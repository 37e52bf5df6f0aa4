"""A program that speaks the line protocol of bots, as a process of its own for each battle."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# The API takes bodies of 16,000 bytes, with the orders as JSON.
MOST_LINES, MOST_BYTES = 100, 15_000
TOO_LONG = f"its answer has more than {MOST_LINES} lines or {MOST_BYTES} bytes"
# How long a program may take to read the result of a battle, and to stop.
GOODBYE_SECONDS = 5.0


class ProgramFailed(Exception):
    """The program gave no answer that can be used; it has been stopped."""


class Program:
    """One process of the program. It is started when it is first asked, and again after a failure."""

    def __init__(self, command: Sequence[str], *, folder: Path, patience: float, hidden: Sequence[str] = ()) -> None:
        self.command, self.folder, self.patience = tuple(command), folder, patience
        # The program has no business with the token.
        self.environment = {name: value for name, value in os.environ.items() if name not in hidden}
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, position: Mapping[str, Any]) -> list[str]:
        """Return its order lines. Raises ProgramFailed."""
        try:
            async with asyncio.timeout(self.patience):
                await self._forget_rest()
                await self._write({"kind": "orders", **position})
                return await self._read_answer()
        except TimeoutError:
            await self.stop()
            raise ProgramFailed(f"no answer within {self.patience:g} seconds") from None
        except ConnectionError:
            await self.stop()
            raise ProgramFailed("it stopped without an answer") from None
        except (OSError, ValueError) as error:
            await self.stop()
            raise ProgramFailed(f"{self.command[0]}: {error or type(error).__name__}") from None
        except ProgramFailed:
            await self.stop()
            raise

    async def tell_end(self, mage: str, share: float) -> None:
        """Tell it the result of the battle, and let it stop."""
        if self.process is None:
            return
        with contextlib.suppress(OSError, TimeoutError, ProgramFailed):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self._write({"kind": "over", "mage": mage, "share": share})
                assert self.process.stdin is not None
                self.process.stdin.close()
                await _wait_for_end(self.process)
        await self.stop()

    async def stop(self) -> None:
        """End it, with everything that it has started."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        # What has left its group is not stopped, and may hold its output open.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await _wait_for_end(process)

    async def _write(self, message: Mapping[str, Any]) -> None:
        if self.process is None or self.process.returncode is not None:
            await self.stop()
            self.process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=self.folder,
                env=self.environment,
                limit=MOST_BYTES,
                start_new_session=True,
            )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        await self.process.stdin.drain()

    async def _forget_rest(self) -> None:
        """Drop what it has written before it is asked: it belongs to an earlier question."""
        if self.process is None or self.process.stdout is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.01):
                while await self.process.stdout.read(MOST_BYTES):
                    pass

    async def _read_answer(self) -> list[str]:
        assert self.process is not None and self.process.stdout is not None
        lines: list[str] = []
        length = 0
        while True:
            try:
                line = await self.process.stdout.readline()
            except ValueError:  # a line longer than the limit
                raise ProgramFailed(TOO_LONG) from None
            if not line:
                raise ProgramFailed("it stopped without an answer")
            length += len(line)
            text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
            if text.strip().upper() == "END":
                return lines
            lines.append(text)
            if len(lines) > MOST_LINES or length > MOST_BYTES:
                raise ProgramFailed(TOO_LONG)


async def _wait_for_end(process: asyncio.subprocess.Process) -> None:
    """Wait until a process has ended, and drop what it still writes: it only ends for asyncio once that is read."""
    assert process.stdout is not None
    while await process.stdout.read(MOST_BYTES):
        pass
    await process.wait()
