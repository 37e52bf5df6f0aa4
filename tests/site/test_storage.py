"""Dump and backups on S3-compatible storage, which several machines reach by rclone."""

import hashlib
import re
import shutil
import socket
import subprocess
import time
import urllib.request

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command

from fm_site.releasing.release import install_tools
from fm_site.upkeep.backup_copies import copy_backup
from ladder.tasks import sweep_unrated_battles
from operations.models import Chore
from operations.programs import ProgramFailed
from operations.remote_files import delete_file, list_files, read_file
from studies.dump import check_dump, parse_index
from studies.tasks import write_battle_dump
from tests.duels.fights import start_fight
from tests.hosting.document import MACHINES
from tests.scenes import make_mage
from tests.services.plugin import LONG
from tests.services.stack import ROOT, find_free_ports

pytestmark = pytest.mark.django_db
needs_rclone = pytest.mark.skipif(shutil.which("rclone") is None, reason="rclone is not installed")
BUCKET = "offsite:firetop-dump"


@pytest.fixture
def offsite(tmp_path, monkeypatch):
    """A target of rclone that is a folder here."""
    (tmp_path / "away").mkdir()
    (tmp_path / "rclone.conf").write_text(f"[offsite]\ntype = alias\nremote = {tmp_path / 'away'}\n")
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    return tmp_path / "away"


@pytest.fixture
def storage(tmp_path, monkeypatch):
    """An S3-compatible server, which rclone reaches by the document's configuration."""
    (port,) = find_free_ports(1)
    python = install_tools(ROOT, "requirements-storage.txt")
    log = (tmp_path / "storage.log").open("wb")
    server = subprocess.Popen([python, "-m", "moto.server", "-p", str(port)], stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        written = re.search(r"^# (/etc/firetop/rclone.conf)\n(.+?)^```", MACHINES, re.M | re.S)
        conf = written[2].replace("https://s3.example.org", f"http://127.0.0.1:{port}")
        (tmp_path / "rclone.conf").write_text(conf)
        monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
        # Of this machine, for other storage.
        monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
        for bucket in ("firetop-dump", "firetop-backups"):
            subprocess.run(["rclone", "mkdir", f"offsite:{bucket}"], check=True)
        yield server
    finally:
        server.kill()
        server.wait()


def play_duel(first="Froodal", second="Bung"):
    fight = start_fight(make_mage(first), make_mage(second))
    fight.turns([("S/-", "P/-"), ("D/-", "-/-"), ("-/-", "P/P")])
    sweep_unrated_battles()
    return fight


def write_again():
    """Write the dump as on another day; return how many months were written."""
    Chore.objects.all().delete()
    cache.clear()
    return write_battle_dump()


@needs_rclone
def test_the_dump_of_another_machine_is_listed_here_and_only_what_changed_is_sent(offsite, settings, client):
    settings.FM_DUMP_TO, settings.FM_BACKUP_HOST = BUCKET, "another"
    assert "firetop" not in [path.name for path in offsite.iterdir()]
    assert client.get("/dump/").status_code == 200
    play_duel()
    assert write_again() == 1 and write_battle_dump() == 0
    folder = offsite / "firetop-dump"
    assert check_dump(folder) == (1, [])
    (battles,) = folder.glob("battles-*.jsonl.gz")
    assert battles.name in client.get("/dump/").text
    assert not settings.FM_DUMP_DIR.exists() and list(settings.DATA_DIR.glob("dump-*")) == []
    sent = battles.stat().st_mtime_ns
    (folder / "battles-1999-01.jsonl.gz").write_text("left by another release")
    assert write_again() == 0 and battles.stat().st_mtime_ns == sent
    assert not (folder / "battles-1999-01.jsonl.gz").exists()
    battles.unlink()
    assert write_again() == 1 and battles.exists()


@needs_rclone
def test_while_the_storage_is_away_only_the_dump_is(settings, client, monkeypatch, tmp_path):
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "empty.conf"))
    settings.FM_DUMP_TO = "nowhere:firetop-dump"
    client.raise_request_exception = False
    answer = client.get("/dump/")
    assert answer.status_code == 503 and answer["Retry-After"]
    assert client.get("/statistics/").status_code == 200
    with pytest.raises(ProgramFailed, match=r"rclone failed: .*nowhere"):
        write_battle_dump()
    assert Chore.objects.get().done_at is None
    with pytest.raises(CommandError, match="rclone failed"):
        call_command("write_dump")


def test_a_site_without_storage_writes_the_dump_on_the_named_machine_once_a_night(settings, tmp_path):
    settings.FM_DUMP_DIR, settings.FM_BACKUP_HOST = tmp_path / "dump", "another"
    play_duel()
    assert write_battle_dump() == 0 and not settings.FM_DUMP_DIR.exists()
    settings.FM_BACKUP_HOST = socket.gethostname()
    assert write_battle_dump() == 1 and check_dump(settings.FM_DUMP_DIR) == (1, [])
    play_duel("Ayla", "Crom")
    assert write_battle_dump() == 0


@needs_rclone
@pytest.mark.once
@pytest.mark.skipif(not LONG, reason="installs and starts a server")
def test_an_s3_compatible_storage_has_the_dump_and_the_backups(storage, settings, client, tmp_path):
    settings.FM_DUMP_TO = BUCKET
    play_duel()
    assert write_again() == 1 and write_again() == 0
    _, parts = parse_index(read_file(BUCKET, "index.json"))
    assert {part.name for part in parts} | {"index.json", "SHA256SUMS"} == set(list_files(BUCKET))
    for part in parts:
        answer = client.get(f"/dump/{part.name}")
        assert answer.status_code == 302 and "Expires=" in answer["Location"]
        # The link needs no key.
        with urllib.request.urlopen(answer["Location"]) as file:
            assert hashlib.sha256(file.read()).hexdigest() == part.sha256
    assert client.get("/dump/SHA256SUMS").status_code == 302
    assert client.get("/dump/battles-1999-01.jsonl.gz").status_code == client.get("/dump/secret_key").status_code == 404
    delete_file(BUCKET, parts[0].name)
    assert write_again() == 1 and parts[0].name in list_files(BUCKET)

    backups = "offsite:firetop-backups"
    for day in (1, 2, 3):
        backup = tmp_path / f"firetop-2031050{day}T030000Z.dump"
        backup.write_bytes(b"rows of day %d" % day)
        assert copy_backup(backup, to=backups, recipient="", keep=2) == f"{backups}/{backup.name}"
    assert list_files(backups) == ["firetop-20310502T030000Z.dump", "firetop-20310503T030000Z.dump"]
    assert read_file(backups, "firetop-20310503T030000Z.dump") == b"rows of day 3"

    storage.kill()
    storage.wait()
    cache.clear()
    client.raise_request_exception = False
    assert client.get("/dump/").status_code == 503
