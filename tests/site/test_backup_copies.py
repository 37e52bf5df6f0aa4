"""Backups leave the machine encrypted, come back, and are restored once a week to see that they can be."""

import shutil
import socket
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.services.users import create_user
from duels.models import Turn
from fm_site.upkeep import restore_drill
from fm_site.upkeep.backup import BackupFailed, back_up
from fm_site.upkeep.backup_copies import choose_old, copy_backup
from fm_site.upkeep.desk_warnings import list_site_sections
from fm_site.upkeep.restore_drill import drill_restore
from fm_site.upkeep.tasks import back_up_site, drill_restore_weekly
from notifications.models import Notice
from operations.models import Chore
from operations.remote_files import is_remote
from tests.duels.fights import start_fight
from tests.scenes import make_mage

pytestmark = pytest.mark.usefixtures("programs")

NOW = datetime(2031, 5, 4, 3, 0, tzinfo=UTC)


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture
def backup(tmp_path):
    (tmp_path / "backups").mkdir()
    file = tmp_path / "backups" / "firetop-20310504T030000Z.dump"
    file.write_bytes(b"all the rows" * 100)
    return file


@pytest.fixture
def age_key(tmp_path):
    made = subprocess.run(["age-keygen", "-o", tmp_path / "key"], capture_output=True, text=True, check=True)
    return made.stderr.split()[-1]


@needs("age")
def test_a_copy_by_age_is_read_by_its_recipient_alone(backup, age_key, tmp_path):
    place = copy_backup(backup, to=str(tmp_path / "away"), recipient=age_key, keep=3)
    assert place.endswith("firetop-20310504T030000Z.dump.age") and Path(place).stat().st_mode & 0o077 == 0
    assert b"rows" not in Path(place).read_bytes()
    read = subprocess.run(["age", "--decrypt", "-i", tmp_path / "key", place], capture_output=True, check=True)
    assert read.stdout == backup.read_bytes()
    subprocess.run(["age-keygen", "-o", tmp_path / "other"], capture_output=True, check=True)
    assert subprocess.run(["age", "--decrypt", "-i", tmp_path / "other", place], capture_output=True).returncode
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]


@needs("gpg")
def test_a_copy_by_gpg_is_read_with_the_key(backup, tmp_path, monkeypatch):
    home = tmp_path / "gnupg"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    key = ("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "backup@example.org", "default", "default")
    try:
        subprocess.run(key, capture_output=True, check=True)
        place = copy_backup(backup, to=str(tmp_path / "away"), recipient="backup@example.org", keep=3)
        read = subprocess.run(["gpg", "--batch", "--decrypt", place], capture_output=True, check=True)
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], capture_output=True)
    assert place.endswith(".dump.gpg") and read.stdout == backup.read_bytes()


@needs("rclone")
def test_rclone_takes_a_copy_to_its_target_and_keeps_the_newest(backup, tmp_path, monkeypatch):
    monkeypatch.setenv("RCLONE_CONFIG", str(tmp_path / "rclone.conf"))
    (tmp_path / "rclone.conf").write_text(f"[offsite]\ntype = alias\nremote = {tmp_path / 'away'}\n")
    (tmp_path / "away").mkdir()
    for name in ("firetop-20310501T030000Z.dump.age", "firetop-20310503T030000Z.dump.age", "notes.txt"):
        (tmp_path / "away" / name).write_text("older")
    assert copy_backup(backup, to="offsite:", recipient="", keep=2) == f"offsite:{backup.name}"
    kept = {file.name for file in (tmp_path / "away").iterdir()}
    assert kept == {backup.name, "firetop-20310503T030000Z.dump.age", "notes.txt"}
    with pytest.raises(BackupFailed, match="rclone failed"):
        copy_backup(backup, to="nowhere:x", recipient="", keep=2)


@pytest.mark.parametrize(
    ("to", "remote"),
    [
        ("offsite:firetop", True),
        (":sftp,host=b.example:x", True),
        ("/var/backups", False),
        ("../x", False),
        ("x", False),
    ],
)
def test_an_rclone_target_is_recognised_by_its_colon(to, remote):
    assert is_remote(to) is remote


def test_old_copies_are_chosen_by_their_names_and_other_files_let_be():
    names = [f"firetop-2031050{day}T030000Z.dump.age" for day in (1, 2, 3, 9)] + ["firetop.txt", "x.dump.age"]
    # The ninth is from a clock that was ahead.
    assert choose_old(names, names[2], 2) == [names[0], names[3]]


@pytest.mark.django_db
@needs("age")
def test_a_program_or_key_that_is_wrong_fails_with_its_reason(backup, tmp_path, monkeypatch):
    with pytest.raises(BackupFailed, match="age failed"):
        copy_backup(backup, to=str(tmp_path / "away"), recipient="age1nonsense", keep=3)
    assert not (tmp_path / "away").exists()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupFailed, match="age is not installed"):
        copy_backup(backup, to=str(tmp_path / "away"), recipient="age1" + "q" * 58, keep=3)
    with pytest.raises(CommandError, match="Say where"):
        call_command("back_up", recipient="age1x")


@pytest.mark.django_db(transaction=True)
@needs("age")
def test_the_nightly_backup_is_copied_where_the_settings_say(settings, tmp_path, age_key):
    settings.FM_BACKUP_TO, settings.FM_BACKUP_RECIPIENT = str(tmp_path / "away"), age_key
    name = back_up_site()
    assert [file.name for file in (tmp_path / "away").iterdir()] == [f"{name}.age"]
    assert str(tmp_path / "away") in Chore.objects.get().remark


@pytest.fixture
def played():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("P/-", "W/-")
    return fight


def list_databases():
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE '%%_drill'")
        return cursor.fetchall()


@pytest.fixture
def same_database(monkeypatch):
    """The process that looks into the restored database reaches the server of the tests."""
    if connection.vendor == "sqlite":
        return
    mine = connection.settings_dict
    host = mine["HOST"] or mine["OPTIONS"].get("host", "")
    monkeypatch.setenv("DATABASE_URL", f"postgres://{mine['USER']}@/{mine['NAME']}?host={host}")


@pytest.mark.django_db(transaction=True)
def test_a_drill_restores_the_newest_backup_and_replays_its_battles(
    settings, played, same_database, recorded_migrations
):
    back_up(settings.FM_BACKUP_DIR, keep=3, now=NOW)
    create_user(name="Later", now=timezone.now())
    drill = drill_restore()
    assert (drill.users, drill.battles, drill.replayed, drill.different) == (2, 1, 1, [])
    assert list_databases() == [] and User.objects.filter(username="Later").exists()


@pytest.mark.django_db(transaction=True)
def test_a_drill_names_the_battle_that_replays_differently_and_notifies_janitors(
    settings, played, same_database, recorded_migrations
):
    turn = Turn.objects.exclude(resolved_at=None).get()
    type(played.battle).objects.update(seed="another seed")
    Turn.objects.filter(pk=turn.pk).update(throws=[["nonsense", 1]])
    back_up(settings.FM_BACKUP_DIR, keep=3, now=NOW)
    janitor = create_user(name="Jane", email="jane@example.org", now=NOW, email_verified=True)
    User.objects.filter(pk=janitor.pk).update(is_staff=True)
    assert drill_restore_weekly() == ""
    assert f"different: {played.number}" in Chore.objects.get(name=restore_drill.DRILL).remark
    assert Notice.objects.get(kind="chore_fails").facts["chore"] == restore_drill.DRILL
    assert "The restore drill failed" in [row.what for row in list_site_sections()[0].items]


@pytest.mark.django_db(transaction=True)
def test_a_drill_of_a_damaged_backup_fails_and_leaves_nothing(settings, played, same_database):
    file = back_up(settings.FM_BACKUP_DIR, keep=3, now=NOW)
    file.write_bytes(file.read_bytes()[:3000])
    with pytest.raises(BackupFailed):
        drill_restore()
    assert list_databases() == []


@pytest.mark.django_db(transaction=True)
def test_the_weekly_drill_reports_at_the_desk(settings, played, same_database, recorded_migrations):
    back_up(settings.FM_BACKUP_DIR, keep=3, now=NOW)
    result = drill_restore_weekly()
    assert "1 battles, 1 replayed" in result and drill_restore_weekly() == ""
    sections = {section.title: section for section in list_site_sections()}
    assert [(row.what, row.more) for row in sections["Backups"].items] == [("Restore drill", result)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("folder_is_empty", [True, False])
def test_a_machine_that_keeps_no_backups_makes_none_and_raises_no_alarm(settings, folder_is_empty):
    """Its worker leaves the chores of the night to the machine that is named."""
    if not folder_is_empty:
        settings.FM_BACKUP_DIR.mkdir()
        (settings.FM_BACKUP_DIR / "firetop-20300101T000000Z.dump").write_text("of another time")
    settings.FM_BACKUP_HOST = "another"
    assert back_up_site() == drill_restore_weekly() == ""
    assert not Chore.objects.exists() and not Notice.objects.exists()
    settings.FM_BACKUP_HOST = socket.gethostname()
    assert back_up_site().startswith("firetop-")
    assert Chore.objects.get().done_at is not None


@pytest.mark.django_db(transaction=True)
def test_only_the_machine_that_has_the_last_backup_drills_and_the_desk_misses_a_drill(
    settings, played, same_database, recorded_migrations, tmp_path
):
    """Also if no machine is named, and each has folders of its own."""
    here = settings.FM_BACKUP_DIR
    assert back_up_site().startswith("firetop-")
    settings.FM_BACKUP_DIR = tmp_path / "of another machine"
    assert drill_restore_weekly() == ""
    settings.FM_BACKUP_DIR.mkdir()
    (settings.FM_BACKUP_DIR / "firetop-20300101T000000Z.dump").write_text("of another time")
    assert drill_restore_weekly() == "" and not Chore.objects.filter(name=restore_drill.DRILL).exists()
    settings.FM_BACKUP_DIR = here
    assert "1 replayed" in drill_restore_weekly() and not Notice.objects.filter(kind="chore_fails").exists()
    late = "There is no recent restore drill"
    assert late not in [row.what for row in list_site_sections()[0].items]
    Chore.objects.filter(name=restore_drill.DRILL).update(done_at=timezone.now() - timedelta(days=16))
    assert late in [row.what for row in list_site_sections()[0].items]


def test_without_a_backup_a_drill_says_so():
    with pytest.raises(BackupFailed, match="There is no backup"):
        drill_restore()
