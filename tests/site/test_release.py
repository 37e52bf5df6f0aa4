"""`./run release` makes the same bytes of the same commit, or says why it makes nothing."""

import json
import os
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from fm_site.releasing import release
from fm_site.releasing.release import CannotRelease, check_release, list_names, make_release, tag_commit, write_tag_text
from tests.services.stack import ROOT

pytestmark = pytest.mark.once
CHANGELOG = """# Changelog

## Unreleased

## 7.1.0

One line, by area: [7.1.0 in detail](docs/releases/7.1.0.md).

### Battles
- A turn tells its story.

## 7.0.0

Old.
"""


def git(folder, *arguments):
    who = ("-c", "user.name=Keeper", "-c", "user.email=keeper@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Release it")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with a small engine and our other packages, ready to be released as 7.1.0."""
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "Keeper")
        monkeypatch.setenv(f"{name}_EMAIL", "keeper@example.org")
        monkeypatch.setenv(f"{name}_DATE", "2031-05-04T12:00:00Z")
    folder = tmp_path / "checkout"
    (folder / "rules_engine").mkdir(parents=True)
    (folder / "rules_engine" / "__init__.py").write_text("")
    (folder / "run").write_text("")
    (folder / "run").chmod(0o755)
    for name in git(ROOT, "ls-files", "packages").split():
        if (ROOT / "packages" / Path(name).parts[1] / "pyproject.toml").exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    for name in ("requirements.txt", "requirements-release.txt", "README.md", "LICENSE"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    project = (ROOT / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(re.sub(r'^version = ".+"$', 'version = "7.1.0"', project, flags=re.M))
    (folder / "CHANGELOG.md").write_text(CHANGELOG)
    (folder / ".gitignore").write_text("/var/\n__pycache__/\n")
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def read_files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def without_tools(monkeypatch):
    """The bill of materials needs the network, the first time."""

    def write_none(made_of, _source, made):
        (made / f"{made_of.folder_name}.cdx.json").write_text("{}")

    monkeypatch.setattr(release, "write_bill_of_materials", write_none)


def make_twice(checkout, tmp_path):
    """Make the release twice, by users with other masks, from checkouts with other modes; return both."""
    make_release(check_release(checkout), tmp_path / "first")
    before = os.umask(0o077)
    second = tmp_path / "second-checkout"
    git(tmp_path, "clone", "--quiet", str(checkout), str(second))
    (second / "CHANGELOG.md").chmod(0o664)
    (second / "rules_engine" / "__pycache__").mkdir()
    (second / "rules_engine" / "__pycache__" / "old.py").write_text("")
    try:
        make_release(check_release(second), tmp_path / "second")
    finally:
        os.umask(before)
    return read_files(tmp_path / "first"), read_files(tmp_path / "second")


def test_two_runs_make_the_same_bytes(checkout, tmp_path, without_tools):
    first, second = make_twice(checkout, tmp_path)
    assert sorted(first) == list_names(check_release(checkout))
    assert [name for name in first if first[name] != second[name]] == []
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "first", check=True)
    assert first["SHA256SUMS"].count(b"\n") == len(first) - 1
    with tarfile.open(tmp_path / "first" / "firetop-mountain-7.1.0.tar.gz") as archive:
        packed = {member.name.removeprefix("firetop-mountain-7.1.0/"): member.mode for member in archive}
        times = {member.mtime for member in archive}
    tracked = set(git(checkout, "ls-files").split())
    assert tracked < set(packed) and packed["run"] == 0o755 and packed["CHANGELOG.md"] == 0o644
    with zipfile.ZipFile(tmp_path / "first" / "rules_engine-7.1.0-py3-none-any.whl") as wheel:
        assert "rules_engine/__init__.py" in wheel.namelist()
        assert {entry.date_time[:3] for entry in wheel.infolist()} == {(2031, 5, 4)}
    with zipfile.ZipFile(tmp_path / "first" / "firetop_client-7.1.0-py3-none-any.whl") as wheel:
        assert {"firetop_client/py.typed", "firetop_client/calls.py"} < set(wheel.namelist())
        (told,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/METADATA"))
        assert "Requires-Dist: httpx<0.29,>=0.28" in told and "License-File: LICENSE" in told
    with zipfile.ZipFile(tmp_path / "first" / "firetop_bridge-7.1.0-py3-none-any.whl") as wheel:
        read = {name.rpartition("/")[2]: wheel.read(name).decode() for name in wheel.namelist()}
        assert "Requires-Dist: firetop-client==7.1.0" in read["METADATA"]
        assert "firetop-bridge = firetop_bridge.__main__:main" in read["entry_points.txt"]
    # Neither flags, time nor system, whatever Python packed it.
    assert first["firetop-mountain-7.1.0.tar.gz"][3:10] == bytes([0, 0, 0, 0, 0, 2, 255])
    assert times == {int(check_release(checkout).epoch)}


@pytest.mark.slow
def test_two_runs_make_the_same_bill_of_materials(checkout, tmp_path, monkeypatch):
    python = release.install_tools(ROOT)
    monkeypatch.setattr(release, "install_tools", lambda _root: python)
    first, second = make_twice(checkout, tmp_path)
    assert [name for name in first if first[name] != second[name]] == []
    bill = json.loads(first["firetop-mountain-7.1.0.cdx.json"])
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "7.1.0")
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.M))
    assert {part["name"]: part["version"] for part in bill["components"]} == locked
    assert all(part["externalReferences"][0]["hashes"] for part in bill["components"])


def test_the_tag_has_the_changelog_as_its_text_and_is_made_once(checkout):
    ready = check_release(checkout)
    assert tag_commit(ready) and not tag_commit(ready)
    assert git(checkout, "cat-file", "-t", "v7.1.0").strip() == "tag"
    assert git(checkout, "tag", "--list", "--format=%(contents)", "v7.1.0").strip() == ready.text.strip()
    assert ready.text == (
        "Firetop Mountain 7.1.0\n\nOne line, by area: 7.1.0 in detail (docs/releases/7.1.0.md).\n\n"
        "### Battles\n- A turn tells its story.\n"
    )
    assert check_release(checkout) == ready


@pytest.mark.parametrize(
    ("changelog", "reason"),
    [
        (CHANGELOG.replace("## 7.1.0", "## 7.0.9"), "nothing about 7.1.0"),
        (re.sub(r"(## 7\.1\.0\n).*(?=## 7\.0\.0)", r"\1\n", CHANGELOG, flags=re.S), "nothing about 7.1.0"),
        (CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- New.\n"), "lines under Unreleased"),
    ],
)
def test_a_version_without_its_section_of_the_changelog_is_not_released(changelog, reason):
    with pytest.raises(CannotRelease, match=reason):
        write_tag_text("7.1.0", changelog)


def test_neither_a_changed_checkout_nor_a_tag_elsewhere_is_released(checkout):
    (checkout / "new.txt").write_text("new")
    with pytest.raises(CannotRelease, match="not committed"):
        check_release(checkout)
    git(checkout, "tag", "v7.1.0")
    commit(checkout)
    with pytest.raises(CannotRelease, match=r"the tag v7\.1\.0 is on another commit"):
        check_release(checkout)


def test_a_dry_run_makes_nothing_and_a_full_folder_is_left_alone(
    checkout, tmp_path, monkeypatch, capsys, without_tools
):
    monkeypatch.setattr(release, "ROOT", checkout)
    folder = tmp_path / "made"
    assert release.main(["--dry-run", "--to", str(folder)]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in list_names(check_release(checkout))) and "A turn tells its story." in told
    assert not folder.exists() and git(checkout, "tag") == ""
    folder.mkdir()
    assert release.main(["--to", str(folder)]) == 0
    assert git(checkout, "tag") == "v7.1.0\n" and "git push origin v7.1.0" in capsys.readouterr().out
    assert release.main(["--to", str(folder)]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_documents_name_no_tag_but_the_one_that_the_command_makes():
    """A checkout with unreleased changes makes none."""
    try:
        write_tag_text(release.read_version(ROOT), (ROOT / "CHANGELOG.md").read_text())
        made = {f"v{release.read_version(ROOT)}"}
    except CannotRelease:
        made = set()
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.*")]
    pages += [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
    named = {path.name: re.findall(r"(?<![\w@.])v\d+\.\d+(?:\.\d+)*\b", path.read_text()) for path in pages}
    assert {name: tags for name, tags in named.items() if set(tags) - made} == {}
    # No command checks out anything else.
    commands = re.findall(r"git (?:-C \S+ )?(?:clone --branch|checkout) (\S+)", (ROOT / "docs/hosting.md").read_text())
    assert set(commands) <= {"TAG"}


def test_the_hosted_job_publishes_what_the_command_makes():
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]["release"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands[0] == "./run release --to dist"
    assert f"--notes-file dist/{release.TAG_TEXT}" in commands[-1] and " dist/* " in commands[-1]
