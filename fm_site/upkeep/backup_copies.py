"""Copies of backups elsewhere: encrypted for a recipient, in a folder or a target of rclone.

A copy can be read only with the recipient's private key, which is not on this machine.
"""

import os
import re
import tempfile
from pathlib import Path

from fm_site.upkeep.backup import ENDINGS, START, BackupFailed
from operations.programs import ProgramFailed, run_program
from operations.remote_files import delete_file, is_remote, list_files, place_of, send_file

AGE = re.compile(r"age1[0-9a-z]+|ssh-(?:ed25519|rsa) .+")
NAME = re.compile(rf"{START}\d{{8}}T\d{{6}}Z(?:{'|'.join(map(re.escape, ENDINGS.values()))})(?:\.age|\.gpg)?")


def copy_backup(backup: Path, *, to: str, recipient: str, keep: int) -> str:
    """Copy a backup into a folder or an rclone target, encrypted if there is a recipient; delete all copies there but
    the newest `keep`. Return the copy's place. Raises BackupFailed, and then leaves older copies alone."""
    with tempfile.TemporaryDirectory(dir=backup.parent, prefix=".copy-") as scratch:
        try:
            source = encrypt(backup, recipient, Path(scratch)) if recipient else backup
            copy = copy_by_rclone if is_remote(to) else copy_to_folder
            return copy(source, to, keep)
        except ProgramFailed as error:
            raise BackupFailed(str(error)) from error


def encrypt(backup: Path, recipient: str, folder: Path) -> Path:
    """Return the backup encrypted by age, or by gpg for any other kind of recipient."""
    by_age = AGE.fullmatch(recipient) is not None
    target = folder / f"{backup.name}.{'age' if by_age else 'gpg'}"
    if by_age:
        run_program("age", "--encrypt", "--recipient", recipient, "--output", str(target), str(backup))
    else:
        # The operator names the key; nobody is there to confirm that it is trusted.
        options = ("--batch", "--yes", "--trust-model", "always", "--recipient", recipient)
        run_program("gpg", *options, "--output", str(target), "--encrypt", str(backup))
    return target


def copy_to_folder(source: Path, to: str, keep: int) -> str:
    folder = Path(to)
    target = folder / source.name
    part = target.with_name(f".{target.name}.part{os.getpid()}")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(source.read_bytes())
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise BackupFailed(f"Cannot write to {folder}: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    for name in choose_old([path.name for path in folder.iterdir()], target.name, keep):
        (folder / name).unlink(missing_ok=True)
    return str(target)


def copy_by_rclone(source: Path, to: str, keep: int) -> str:
    send_file(source, to)
    names = list_files(to)
    if source.name not in names:
        raise BackupFailed(f"{to} does not have the copy that was sent there.")
    for name in choose_old(names, source.name, keep):
        delete_file(to, name)
    return place_of(to, source.name)


def choose_old(names: list[str], newest: str, keep: int) -> list[str]:
    """Return the copies to delete: our own that are older than the newest `keep`. A name from the future comes
    from a wrong clock: it is not the newest, and is deleted before all others."""
    ours = sorted((name for name in names if NAME.fullmatch(name)), reverse=True)
    return sorted(ours, key=lambda name: name <= newest, reverse=True)[max(keep, 1) :]
