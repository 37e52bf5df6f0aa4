"""The one configuration file (TOML). What is wrong with it is named all at once."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import stat
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from firetop_client.wire import check_address, check_token

WHO = ("everyone", "bots", "people", "nobody")
ON_FAILURE = ("wait", "surrender")
MOST_AT_ONCE = 100
# Of a battle.
MOST_MAGES = 50


class ConfigError(Exception):
    """The configuration cannot be used; `problems` names everything that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Rules:
    """Which challenges are accepted. An empty list allows everything."""

    who: str
    users: tuple[str, ...]
    never: tuple[str, ...]
    rulesets: tuple[str, ...]
    paces: tuple[str, ...]
    stakes: tuple[str, ...]
    smallest: int
    largest: int
    # Also those that anyone may join; otherwise only invitations.
    open: bool
    # Whether an invitation that breaks the rules is declined, or left alone.
    decline: bool


@dataclass(frozen=True)
class Config:
    """A bridge: a site, a program, and what it plays. The token is in no text of it."""

    url: str
    token_env: str
    token_file: Path | None
    command: tuple[str, ...]
    folder: Path
    patience: float
    tries: int
    on_failure: str
    mages: tuple[str, ...]
    at_once: int
    rules: Rules

    @property
    def token_place(self) -> str:
        """Which member of the file says where the token is."""
        return "site.token_env" if self.token_file is None else "site.token_file"

    def read_token(self) -> str:
        """Return the token. Raises ConfigError."""
        token = self._find_token()
        try:
            return check_token(token)
        except ValueError as error:
            raise ConfigError([f"{self.token_place}: {error}"]) from None

    def _find_token(self) -> str:
        if self.token_file is None:
            token = os.environ.get(self.token_env, "").strip()
            if not token:
                raise ConfigError([f"site.token_env: the environment has no {self.token_env}, or it is empty."])
            return token
        name = self.token_file
        try:
            if name.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise ConfigError([f"site.token_file: others can read {name}: run chmod 600 {name}"])
            token = name.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise ConfigError([f"site.token_file: {name} cannot be read: {type(error).__name__}."]) from None
        if not token:
            raise ConfigError([f"site.token_file: {name} is empty."])
        return token


def read_config(path: Path) -> Config:
    """Return what a file configures. Raises ConfigError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        raise ConfigError([f"{path} cannot be read: {type(error).__name__}."]) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"{path} is not TOML: {error}"]) from None
    reader = Reader(data)
    config = reader.read(path.resolve().parent)
    if reader.problems:
        raise ConfigError(reader.problems)
    return config


class Reader:
    """Reads the members of a file, and collects what is wrong with them."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data, self.problems = data, list[str]()
        self.asked: dict[str, set[str]] = {}

    def read(self, folder: Path) -> Config:
        """Return the configuration; without meaning if there are problems."""
        file = self.text("site", "token_file", "")
        config = Config(
            url=self.address(),
            token_env=self.text("site", "token_env", ""),
            token_file=folder / file if file else None,
            command=self.command(folder),
            folder=folder,
            patience=self.number("program", "patience", 60, 1, 3600),
            tries=self.whole("program", "tries", 3, 1, 10),
            on_failure=self.choice("program", "on_failure", ON_FAILURE),
            mages=self.texts("play", "mages"),
            at_once=self.whole("play", "at_once", 1, 1, MOST_AT_ONCE),
            rules=Rules(
                who=self.choice("accept", "who", WHO),
                users=self.texts("accept", "users"),
                never=self.texts("accept", "never"),
                rulesets=self.texts("accept", "rulesets"),
                paces=self.texts("accept", "paces"),
                stakes=self.texts("accept", "stakes"),
                smallest=self.whole("accept", "smallest", 2, 2, MOST_MAGES),
                largest=self.whole("accept", "largest", 2, 2, MOST_MAGES),
                open=self.flag("accept", "open", False),
                decline=self.flag("accept", "decline", True),
            ),
        )
        if config.rules.smallest > config.rules.largest:
            self.problems.append("accept.smallest: must not be more than accept.largest.")
        if isinstance(self.data.get("site"), dict) and "token" in self.data["site"]:
            self.asked["site"].add("token")
            self.problems.append("site.token: the token does not belong into this file: use token_file or token_env.")
        elif bool(config.token_env) == bool(config.token_file):
            self.problems.append("site: name either token_file or token_env.")
        self.name_unknown()
        return config

    def address(self) -> str:
        known = len(self.problems)
        url = self.text("site", "url", None)
        if len(self.problems) > known:
            return ""
        try:
            return check_address(url)
        except ValueError as error:
            self.problems.append(f"site.url: {error}")
            return ""

    def command(self, folder: Path) -> tuple[str, ...]:
        value = self.find("program", "command", None)
        if isinstance(value, list) and value and all(isinstance(each, str) and each for each in value):
            return self.existing(value, folder)
        if isinstance(value, str):
            try:
                if words := shlex.split(value):
                    return self.existing(words, folder)
            except ValueError as error:
                self.problems.append(f"program.command: {error}.")
                return ()
        if value is not None:
            self.problems.append(
                'program.command: must be a command line, such as "awk -f bot.awk", or a list of words.'
            )
        return ()

    def existing(self, words: Sequence[str], folder: Path) -> tuple[str, ...]:
        """Return the command, and name the problem of a program that cannot be started in this folder."""
        name = words[0]
        if shutil.which(folder / name if os.sep in name else name) is None:
            self.problems.append(f"program.command: there is no program {name}, or it cannot be run.")
        return tuple(words)

    def text(self, table: str, name: str, default: str | None) -> str:
        return str(self.typed(table, name, default, str, "a text") or "")

    def texts(self, table: str, name: str) -> tuple[str, ...]:
        value = self.find(table, name, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.problems.append(f"{table}.{name}: must be a list of texts.")
            return ()
        return tuple(value)

    def choice(self, table: str, name: str, known: Sequence[str]) -> str:
        value = self.text(table, name, known[0])
        if value not in known:
            self.problems.append(f"{table}.{name}: {value!r} is none of {', '.join(known)}.{suggest(value, known)}")
        return value

    def flag(self, table: str, name: str, default: bool) -> bool:
        return bool(self.typed(table, name, default, bool, "true or false"))

    def number(self, table: str, name: str, default: float, least: float, most: float) -> float:
        value = self.find(table, name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            self.problems.append(f"{table}.{name}: must be a number from {least:g} to {most:g}.")
            return default
        return value

    def whole(self, table: str, name: str, default: int, least: int, most: int) -> int:
        value = self.find(table, name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.problems.append(f"{table}.{name}: must be a whole number from {least} to {most}.")
            return default
        return value

    def typed(self, table: str, name: str, default: Any, kind: type, words: str) -> Any:
        value = self.find(table, name, default)
        if value is not None and not isinstance(value, kind):
            self.problems.append(f"{table}.{name}: must be {words}.")
            return default
        return value

    def find(self, table: str, name: str, default: Any) -> Any:
        """Return a member. Without a default, it must be there."""
        self.asked.setdefault(table, set()).add(name)
        found = self.data.get(table, {})
        if isinstance(found, dict) and name in found:
            return found[name]
        if default is None and isinstance(found, dict):
            self.problems.append(f"{table}.{name}: is missing.")
        return default

    def name_unknown(self) -> None:
        """Name the tables and members that nothing asked for."""
        for table, members in self.data.items():
            if table not in self.asked:
                self.problems.append(f"{table}: there is no such table.{suggest(table, self.asked)}")
            elif not isinstance(members, dict):
                self.problems.append(f"{table}: must be a table: [{table}]")
            else:
                self.problems += [
                    f"{table}.{name}: is unknown.{suggest(name, self.asked[table])}"
                    for name in members
                    if name not in self.asked[table]
                ]


def check_names(
    config: Config, known: Mapping[str, Sequence[str]], own_mages: Iterable[str], scopes: Iterable[str]
) -> Config:
    """Return the configuration with the names as the site spells them: of rulesets, paces and stakes, and of the
    user's mages. Raises ConfigError for names that it does not have, and for a token that may not play."""
    rules, problems = config.rules, list[str]()

    def spell(place: str, given: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
        spelt = {name.lower(): name for name in names}
        problems.extend(
            f"{place}: the site has no {name!r}.{suggest(name, spelt.values())}"
            for name in given
            if name.lower() not in spelt
        )
        return tuple(spelt.get(name.lower(), name) for name in given)

    checked = replace(
        config,
        rules=replace(
            rules,
            rulesets=spell("accept.rulesets", rules.rulesets, known["rulesets"]),
            paces=spell("accept.paces", rules.paces, known["paces"]),
            stakes=spell("accept.stakes", rules.stakes, known["stakes"]),
        ),
        mages=spell("play.mages", config.mages, own_mages),
    )
    if "play" not in scopes:
        problems.append(f"{config.token_place}: the token must not play. Create one with the scope play.")
    if problems:
        raise ConfigError(problems)
    return checked


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word as a sentence, or nothing."""
    near = difflib.get_close_matches(word, list(known), 1)
    return f" Did you mean {near[0]}?" if near else ""
