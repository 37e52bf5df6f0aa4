"""The command ``firetop-bridge``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from firetop_client import AsyncFiretop, ClientError

from firetop_bridge.bridge import Bridge
from firetop_bridge.config import Config, ConfigError, read_config


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. The exit code is 0, 1 if the site refused, or 2 if the configuration is wrong."""
    parser = argparse.ArgumentParser(
        prog="firetop-bridge", description="Play a program that speaks the line protocol of bots on a site."
    )
    parser.add_argument("config", type=Path, help="the configuration (TOML)")
    parser.add_argument("--check", action="store_true", help="only check the configuration, also against the site")
    parser.add_argument("--battles", type=int, metavar="N", help="stop when N battles are over")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    # The client's own say which address is called, for every call.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        config = read_config(given.config)
        token = config.read_token()
        asyncio.run(run(config, token, most_battles=given.battles, only_check=given.check))
    except ConfigError as error:
        print(f"firetop-bridge: {given.config} cannot be used:", file=sys.stderr)
        print("\n".join(f"- {problem}" for problem in error.problems), file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"firetop-bridge: {error}", file=sys.stderr)
        return 1
    return 0


async def run(config: Config, token: str, *, most_battles: int | None, only_check: bool) -> None:
    """Run the bridge until it is interrupted: battles go on, and are found again at the next start."""
    async with AsyncFiretop(config.url, token) as site:
        bridge = Bridge(site, config, most_battles=most_battles)
        if only_check:
            await bridge.check()
            return
        task = asyncio.current_task()
        assert task is not None
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await bridge.run()


if __name__ == "__main__":
    sys.exit(main())
