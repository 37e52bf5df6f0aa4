"""The commands about one battle: replay, show, describe, transcript, record, verify."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rules_engine.audience import MageView, View, look
from rules_engine.commands.files import CommandFailed, name_problems, read_record
from rules_engine.errors import RulesError
from rules_engine.events import Viewer, visible_events
from rules_engine.narration import narrate_all
from rules_engine.records import (
    Chronicle,
    PlayedTurn,
    complete_record,
    describe_battle,
    list_commitments,
    play_record,
    show_battle,
    transcribe_battle,
    verify_record,
    write_record,
)


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    replay = _add(commands, "replay", replay_file, "play a record and print each turn")
    replay.add_argument("--mage", help="tell it to this mage; by default, to a spectator")
    replay.add_argument("--turn", help="only the turn with this label, such as 3 or 3H")
    replay.add_argument("--all", action="store_true", help="hide nothing")
    for name, run, words in (
        ("show", show_file, "the battle as a table"),
        ("describe", describe_file, "the battle as a story"),
        ("transcript", transcribe_file, "all gestures and all events"),
    ):
        command = _add(commands, name, run, words)
        command.add_argument("--all", action="store_true", help="hide nothing, even if the battle is still running")
        if name == "describe":
            command.add_argument("--why", action="store_true", help="with the rules and events behind each sentence")
    record = _add(commands, "record", record_file, "play a draft of orders; write the whole record")
    record.add_argument("-o", "--output", help="the file to write; by default, standard output")
    verify = commands.add_parser("verify", help="play records and compare with what they say")
    verify.add_argument("files", nargs="+", metavar="FILE")
    verify.add_argument(
        "--noted", action="append", default=[], metavar="HASH", help="a commitment you noted: each record must have it"
    )
    verify.add_argument("--no-events", action="store_true", help="ignore the digests of events")
    verify.set_defaults(run=verify_files)


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, run: object, words: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=words)
    command.add_argument("file", metavar="FILE", help="a game record; - is standard input")
    command.set_defaults(run=run)
    return command


def replay_file(arguments: argparse.Namespace) -> int:
    """Print each turn for one viewer."""
    chronicle = _play(arguments.file)
    if arguments.mage is not None and arguments.mage not in chronicle.mages:
        raise CommandFailed(f"{arguments.file}: no mage {arguments.mage}; there are {', '.join(chronicle.mages)}")
    turns = [turn for turn in chronicle.turns if arguments.turn in (None, turn.label)]
    if not turns:
        labels = ", ".join(turn.label for turn in chronicle.turns) or "none"
        raise CommandFailed(f"{arguments.file}: no turn {arguments.turn}; there are: {labels}")
    viewer = Viewer() if arguments.mage is None else Viewer.of(arguments.mage)
    if arguments.all or chronicle.outcome is not None:
        viewer = replace(viewer, sees_all=True)
    for turn in turns:
        print("\n".join(_describe_turn(turn, viewer, arguments.mage)), end="\n\n")
    return 0


def _describe_turn(turn: PlayedTurn, viewer: Viewer, me: str | None) -> Iterator[str]:
    yield from filter(None, narrate_all(visible_events(turn.events, viewer), me))
    view = look(turn.after, viewer)
    yield ""
    yield from (_status(mage) for mage in view.mages)
    yield from _creatures(view)


def _status(mage: MageView) -> str:
    points = "??" if mage.hp is None else str(mage.hp)
    marks = [e.name if e.permanent else f"{e.name} {e.turns}" for e in mage.enchantments]
    words = ", ".join([*([] if mage.standing == "in" else [mage.standing]), *marks])
    return f"{mage.name:<20} {points:>3}  {mage.left}  {mage.right}" + (f"  ({words})" if words else "")


def _creatures(view: View) -> Iterator[str]:
    for monster in view.monsters:
        yield f"{monster.name:<20} {monster.hp:>3}  of {monster.controller}, against {monster.target}"


def show_file(arguments: argparse.Namespace) -> int:
    print(show_battle(_play(arguments.file, open_to_all=arguments.all)), end="")
    return 0


def describe_file(arguments: argparse.Namespace) -> int:
    print(describe_battle(_play(arguments.file, open_to_all=arguments.all), why=arguments.why), end="")
    return 0


def transcribe_file(arguments: argparse.Namespace) -> int:
    print(transcribe_battle(_play(arguments.file, open_to_all=arguments.all)), end="")
    return 0


def record_file(arguments: argparse.Namespace) -> int:
    """Complete a draft."""
    draft = read_record(arguments.file, free_orders=True)
    try:
        text = write_record(complete_record(draft))
    except (RulesError, ValueError) as error:
        raise _failed(arguments.file, error) from error
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        Path(arguments.output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{arguments.output}: {error.strerror}") from error
    return 0


def verify_files(arguments: argparse.Namespace) -> int:
    """Print whether each record matches the rules; return 1 if any does not."""
    failed = 0
    for path in arguments.files:
        record = read_record(path)
        found = [str(each) for each in verify_record(record, events=not arguments.no_events)]
        known = set(list_commitments(record))
        found += [
            f"commitment {noted}: noted, but not in the record" for noted in arguments.noted if noted not in known
        ]
        print(f"{path}: {'differs' if found else 'holds'} ({len(record.turns)} turns)")
        for mismatch in found:
            print(f"  {mismatch}")
        if record.outcome is None:
            print("  no end: the battle was still running, or the rest of the record is missing")
        if record.proof is None:
            print("  no commitments: orders and rolls are only compared with the record itself")
        elif not found:
            print(f"  {len(known)} commitments hold, and every roll comes from the seed")
        failed += bool(found)
    return int(failed > 0)


def _play(path: str, *, open_to_all: bool = False) -> Chronicle:
    try:
        return replace(play_record(read_record(path)), open_to_all=open_to_all)
    except RulesError as error:
        raise _failed(path, error) from error


def _failed(path: str, error: Exception) -> CommandFailed:
    return CommandFailed(name_problems(path, error) if isinstance(error, RulesError) else f"{path}: {error}")
