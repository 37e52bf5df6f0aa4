"""The last release still works on the tables of this checkout, so that `firetop rollback` needs no backup: until the
next release, migrations only add (CONTRIBUTING.md).

tests/hosting/test_upgrade.py tries that with an older version itself; this says at once which line breaks it.
"""

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelManagers,
    AlterModelOptions,
    CreateModel,
    RemoveConstraint,
    RemoveIndex,
    RunPython,
)
from django.db.models import CharField, CheckConstraint, Q, Value

from tests.services.earlier_version import git, list_migrations
from tests.services.stack import ROOT

# What was there before there were release folders to go back to.
BEFORE_RELEASE_FOLDERS = {("accounts", "0025_remove_webhook")}
HARMLESS = (AddIndex, AlterModelManagers, AlterModelOptions, CreateModel, RemoveConstraint, RemoveIndex, RunPython)


class Tables:
    """The fields as the migrations so far have made them, and what is new since the last release."""

    def __init__(self):
        self.fields, self.new_models, self.new_fields = {}, set(), set()

    def list_fields_without_value(self):
        """Return the new fields of old tables that the last release cannot fill, as all migrations have left them."""
        fields = {place: self.fields[place] for place in self.new_fields}
        return sorted(
            ".".join(place)
            for place, field in fields.items()
            if not (field.null or field.has_db_default() or field.many_to_many)
        )

    def list_breaks(self, app, operation, others, *, is_released):
        """Take the operation in, and return the reasons why the last release would not work with it."""
        model = (app, getattr(operation, "model_name", getattr(operation, "name", "")).lower())
        found = []
        if isinstance(operation, CreateModel):
            self.fields |= {(*model, name): field for name, field in operation.fields}
            if not is_released:
                self.new_models.add(model)
        elif isinstance(operation, (AddField, AlterField)):
            place = (*model, operation.name)
            is_old = not is_released and model not in self.new_models
            if is_old and isinstance(operation, AddField):
                self.new_fields.add(place)
            elif is_old and place not in self.new_fields:
                found = list(list_breaks_of_change(self.fields[place], operation.field))
            self.fields[place] = operation.field
        elif isinstance(operation, AddConstraint):
            if not is_released and not self.allows(model, operation.constraint, others):
                found = ["the last release may write rows that the constraint refuses"]
        elif not is_released and not isinstance(operation, HARMLESS):
            found = [f"{type(operation).__name__} is no addition"]
        return found

    def allows(self, model, constraint, others):
        """Return whether rows of the last release fit: on a new table, with a new field, in place of another."""
        named = repr(constraint.deconstruct())
        return (
            model in self.new_models
            or any(f"'{field}" in named for app, name, field in self.new_fields if (app, name) == model)
            or any(isinstance(other, RemoveConstraint) and other.model_name.lower() == model[1] for other in others)
        )


def list_breaks_of_change(old, new):
    if type(old) is not type(new):
        yield f"the field was a {type(old).__name__}"
    if old.null and not new.null:
        yield "the last release writes null"
    if isinstance(new, CharField) and (new.max_length or 0) < (old.max_length or 0):
        yield "the last release writes longer texts"


def list_all_breaks(loader, released):
    """Return every migration since the release that takes something away, with its reasons, and the new fields without
    a value."""
    tables, found = Tables(), {}
    ours = {path.split("/")[0] for path in released}
    for app, name in loader.graph._generate_plan(loader.graph.leaf_nodes(), at_end=True):
        # Squashed ones do the same again.
        if loader.disk_migrations[app, name].replaces or (app not in ours and not (ROOT / app).is_dir()):
            continue
        operations = loader.disk_migrations[app, name].operations
        is_released = f"{app}/migrations/{name}.py" in released
        for operation in operations:
            reasons = tables.list_breaks(app, operation, operations, is_released=is_released)
            if reasons:
                found.setdefault((app, name), []).extend(reasons)
    return found, tables.list_fields_without_value()


@pytest.mark.once
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without git there is no earlier version")
def test_the_last_release_works_on_the_tables_of_this_one():
    version = next(line for line in (ROOT / "pyproject.toml").read_text().splitlines() if line.startswith("version = "))
    commits = git("log", "--format=%H", f"-S{version}", "--", "pyproject.toml").split()
    released = list_migrations(commits[0] if commits else "HEAD")
    loader = MigrationLoader(None, replace_migrations=False)
    found, without_value = list_all_breaks(loader, set(released))
    assert without_value == [], "the last release writes rows without them: they need null=True or a db_default"
    assert {place: why for place, why in found.items() if place not in BEFORE_RELEASE_FOLDERS} == {}
    if BEFORE_RELEASE_FOLDERS - found.keys():
        assert not BEFORE_RELEASE_FOLDERS & found.keys(), "after the next release, this list is empty: delete it"


def made(field, old=None):
    """Return what is wrong with a new field of an old table, or with another form of `old`."""
    tables = Tables()
    if old is not None:
        tables.fields["app", "model", "name"] = old
    kind = AddField if old is None else AlterField
    return tables.list_breaks("app", kind("Model", "name", field), [], is_released=False) or (
        tables.list_fields_without_value()
    )


def test_a_new_field_needs_a_value_that_the_database_knows():
    assert made(CharField(max_length=9)) and made(CharField(max_length=9, default="x"))
    assert not made(CharField(max_length=9, null=True)) and not made(CharField(max_length=9, db_default=Value("")))


def test_a_field_may_only_become_wider():
    short, long = CharField(max_length=5), CharField(max_length=9)
    assert made(short, old=long) and not made(long, old=short)
    assert made(short, old=CharField(max_length=5, null=True)) and not made(
        CharField(max_length=5, null=True), old=short
    )


def test_a_new_constraint_on_an_old_table_is_none_for_the_rows_of_the_last_release():
    rule = AddConstraint("Model", CheckConstraint(condition=Q(name=""), name="rule"))
    tables = Tables()
    assert tables.list_breaks("app", rule, [rule], is_released=False)
    assert not tables.list_breaks("app", rule, [RemoveConstraint("Model", "rule"), rule], is_released=False)
