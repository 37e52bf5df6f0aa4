"""Backing up all rows and restoring them: the result is compared row by row."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from email_gateway.compose.notices import compose_notice
from email_gateway.models import LocalMail
from fm_site.upkeep import backup
from fm_site.upkeep.backup import BackupFailed, back_up, find_database, list_backups, replace_database, restore
from fm_site.upkeep.restore_drill import MANAGE
from fm_site.upkeep.tasks import back_up_site
from notifications.models import Notice
from notifications.services.deliveries import prune_notices
from notifications.services.outbox import write_notice
from operations.models import Chore
from operations.services.chores import claim_chore
from tests.duels.fights import start_fight
from tests.scenes import DAY, make_mage

pytestmark = pytest.mark.usefixtures("programs")

NOW = datetime(2031, 5, 4, 3, 0, tzinfo=UTC)


def read_rows(database):
    """Every row of every table of ours, read directly from the database."""
    tables = sorted(model._meta.db_table for model in apps.get_models())
    with closing(connect(database)) as own, closing(own.cursor()) as cursor:
        return {table: sorted(map(repr, cursor.execute(f'SELECT * FROM "{table}"').fetchall())) for table in tables}


def run(database, *statements):
    with closing(connect(database)) as own:
        for statement in statements:
            own.execute(statement)
        own.commit()


def has_table(database, name):
    with closing(connect(database)) as own:
        return name in str(own.execute(f"SELECT name FROM {TABLES[connection.vendor]}").fetchall())


TABLES = {"sqlite": "sqlite_master", "postgresql": "(SELECT tablename AS name FROM pg_tables) AS tables"}


def list_own_databases(database):
    """The names of the database and of those that a restore makes of it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [database["NAME"]])
        return sorted((name for (name,) in cursor.fetchall()), key=len)


def connect(database):
    if connection.vendor == "sqlite":
        return sqlite3.connect(database["NAME"], uri=True)
    host = database["HOST"] or database["OPTIONS"].get("host", "")
    return psycopg.connect(dbname=database["NAME"], host=host, user=database["USER"])


@pytest.fixture
def empty_database(tmp_path):
    """A database without tables, of the kind under test."""
    mine = connection.settings_dict
    if connection.vendor == "sqlite":
        yield {**mine, "NAME": str(tmp_path / "restored.sqlite3")}
        return
    name = f"{mine['NAME']}_restored"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield {**mine, "NAME": name}
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}_before" WITH (FORCE)')


@pytest.mark.django_db(transaction=True)
def test_a_restored_copy_is_identical_row_by_row(empty_database, tmp_path):
    for name in ("Anna", "Boris"):
        user = create_user(name=name, email=f"{name}@example.org", password="dfw-psw-swd", now=NOW)
        register_mage(user=user, name=f"M{name}", now=NOW)
    copy = back_up(tmp_path / "copies", keep=3, now=NOW)
    assert copy.stat().st_mode & 0o077 == 0 and copy.name.startswith("firetop-20310504T030000Z.")
    before = read_rows(connection.settings_dict)
    create_user(name="Cedric", now=NOW)
    restore(copy, empty_database)
    assert read_rows(empty_database) == before
    assert len(before["accounts_user"]) == 2 and len(before["accounts_mage"]) == 2
    # Over the existing rows, and tables of a newer release that refer to ours.
    newer = "CREATE TABLE newer (mage_id bigint REFERENCES accounts_mage (id))"
    run(empty_database, newer, "UPDATE accounts_mage SET name = 'Other ' || id")
    kept = replace_database(copy, empty_database)
    assert read_rows(empty_database) == before and not has_table(empty_database, "newer")
    if kept:
        assert has_table({**empty_database, "NAME": kept}, "newer")
    copy.write_bytes(copy.read_bytes()[:2000])
    with pytest.raises(BackupFailed):
        replace_database(copy, empty_database)
    if connection.vendor == "postgresql":
        assert read_rows(empty_database) == before
        assert list_own_databases(empty_database) == [empty_database["NAME"], kept]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_programs_of_postgresql_pass_a_pooler(settings, tmp_path):
    """What pg_dump sets for its session would stay in a connection that the pooler gives to others."""
    assert find_database() == connection.settings_dict
    settings.FM_DIRECT_DATABASE = {"NAME": "fm", "HOST": str(tmp_path), "OPTIONS": {}}
    with pytest.raises(BackupFailed, match=f'"{tmp_path}/'):
        back_up(tmp_path / "copies", keep=3, now=NOW)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_restore_waits_until_the_services_are_stopped(empty_database, tmp_path):
    copy = back_up(tmp_path / "copies", keep=3, now=NOW)
    with closing(connect(empty_database)), pytest.raises(BackupFailed, match=r"in use \(1 connections\)\. Stop"):
        replace_database(copy, empty_database)
    assert list_own_databases(empty_database) == [empty_database["NAME"]]
    replace_database(copy, empty_database)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_command_replaces_the_database_of_its_settings(empty_database, tmp_path, settings):
    create_user(name="Anna", now=NOW)
    copy = back_up(tmp_path / "copies", keep=3, now=NOW)
    run(empty_database, "CREATE TABLE newer (id bigint)")
    host = empty_database["HOST"] or empty_database["OPTIONS"].get("host", "")
    environment = {
        **os.environ,
        "DATABASE_URL": f"postgres://{empty_database['USER']}@/{empty_database['NAME']}?host={host}",
        "FM_DATA_DIR": str(tmp_path / "data"),
        "FM_POSTGRES_PROGRAMS": settings.FM_POSTGRES_PROGRAMS,
        "DEBUG": "1",
    }
    command = [sys.executable, str(MANAGE), "restore_backup", str(copy), "--yes"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"kept as {empty_database['NAME']}_before" in done.stdout and not has_table(empty_database, "newer")
    assert len(read_rows(empty_database)["accounts_user"]) == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_failed_restore_tells_its_first_error(empty_database, tmp_path):
    copy = back_up(tmp_path / "copies", keep=3, now=NOW)
    run(empty_database, "CREATE TABLE accounts_user (id bigint)")
    with pytest.raises(BackupFailed, match='relation "accounts_user" already exists'):
        restore(copy, empty_database)


@pytest.mark.django_db
def test_only_the_newest_copies_are_kept_and_other_files_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "dump_postgres", lambda place: place.write_text("rows"))
    monkeypatch.setattr(backup, "copy_sqlite", lambda place: place.write_text("rows"))
    (tmp_path / "notes.txt").write_text("mine")
    made = [back_up(tmp_path, keep=2, now=NOW + day * DAY) for day in range(4)]
    assert list_backups(tmp_path) == [made[3], made[2]]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([made[2].name, made[3].name, "notes.txt"])


@pytest.mark.django_db
def test_a_copy_dated_in_the_future_replaces_no_right_one(tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "dump_postgres", lambda place: place.write_text("rows"))
    monkeypatch.setattr(backup, "copy_sqlite", lambda place: place.write_text("rows"))
    back_up(tmp_path, keep=2, now=NOW + 40 * DAY)
    made = [back_up(tmp_path, keep=2, now=NOW + day * DAY) for day in range(3)]
    assert set(list_backups(tmp_path)) == {made[2], made[1]}


@pytest.mark.django_db
def test_a_failed_copy_leaves_older_ones_and_the_janitors_are_notified_once(settings, monkeypatch):
    janitor = create_user(name="Jane", email="jane@example.org", now=NOW, email_verified=True)
    User.objects.filter(pk=janitor.pk).update(is_staff=True)

    def fail(place):
        place.write_text("half of the rows")
        raise BackupFailed("The disk is full.")

    monkeypatch.setattr(backup, "dump_postgres", fail)
    monkeypatch.setattr(backup, "copy_sqlite", fail)
    settings.FM_BACKUP_DIR.mkdir()
    (settings.FM_BACKUP_DIR / "firetop-20310503T030000Z.dump").write_text("rows")
    assert back_up_site() == "" and back_up_site() == ""
    assert [path.name for path in settings.FM_BACKUP_DIR.iterdir()] == ["firetop-20310503T030000Z.dump"]
    notice = Notice.objects.get(kind="chore_fails")
    assert "The disk is full." in compose_notice(kind=notice.kind, facts=notice.facts, user=janitor).text
    assert Chore.objects.get().done_at is None


@pytest.mark.django_db
def test_a_chore_is_claimed_once_a_day_and_taken_over_from_a_dead_worker():
    chore = claim_chore(name="backup", now=NOW)
    assert chore and claim_chore(name="backup", now=NOW + timedelta(minutes=59)) is None
    assert claim_chore(name="backup", now=NOW + timedelta(minutes=60)) == chore
    Chore.objects.update(done_at=NOW)
    assert claim_chore(name="backup", now=NOW + timedelta(hours=5)) is None
    assert claim_chore(name="backup", now=NOW + DAY) not in (None, chore)


@pytest.mark.django_db
def test_restoring_asks_first_and_explains_errors(tmp_path):
    file = tmp_path / "firetop-x.other"
    with pytest.raises(CommandError, match="Add --yes"):
        call_command("restore_backup", str(file))
    with pytest.raises(BackupFailed, match="does not exist"):
        restore(file, connection.settings_dict)
    file.write_text("rows")
    with pytest.raises(BackupFailed, match="another kind of database"):
        restore(file, connection.settings_dict)


@pytest.mark.django_db(transaction=True)
def test_restoring_without_the_secret_key_of_the_backup_says_what_is_missing(monkeypatch, capsys):
    # Restoring would replace the rows of the tests; what is counted afterwards is real.
    monkeypatch.setattr("fm_site.management.commands.restore_backup.replace_database", lambda backup, database: "")
    call_command("restore_backup", "x.sqlite3", "--yes")
    assert capsys.readouterr().err == ""
    LocalMail.objects.create(message_id="x", sealed=Fernet(Fernet.generate_key()).encrypt(b"x"))
    call_command("restore_backup", "x.sqlite3", "--yes")
    assert "its secret key cannot read 1 encrypted rows" in capsys.readouterr().err


@pytest.mark.django_db
def test_old_notices_are_deleted_and_unsent_ones_stay():
    anna = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    boris = create_user(name="Boris", now=NOW)
    now = timezone.now()
    for age, user in ((200, anna), (200, boris), (10, boris)):
        write_notice(key=f"{age}{user.pk}", user=user, kind="account_changed", facts={}, now=now - age * DAY)
    assert prune_notices(now=now) == 1
    assert sorted(Notice.objects.values_list("key", flat=True)) == sorted([f"200{anna.pk}", f"10{boris.pk}"])


@pytest.mark.django_db
def test_restoring_first_says_what_is_lost(capsys):
    start_fight(make_mage("Froodal"), make_mage("Bung")).order("Froodal", "P/D")

    def ask(name):
        with pytest.raises(CommandError, match="Add --yes"):
            call_command("restore_backup", name)
        return " ".join(capsys.readouterr().out.split())

    told = ask("firetop-20310504T030000Z.dump")
    assert "made on 4 May 2031 at 03:00:00 UTC" in told
    assert all(each in told for each in ("battles begun: 1", "orders: 1", "new users: 2", "new mages: 2")), told
    assert "turns played" not in told
    assert "nothing that is counted" in ask("firetop-20320504T030000Z.dump")
    assert "doesn't say when" in ask("other.dump")
