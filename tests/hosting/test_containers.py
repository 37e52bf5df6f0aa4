"""The images are built and started with buildah: the site serves pages with their static files, and the relay takes
email to it and signs what it sends."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.hosting.containers import build, buildah
from tests.hosting.machine import ROOT
from tests.services.plugin import LONG

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not LONG, reason="builds a Debian and two images"),
    pytest.mark.skipif(
        os.getuid() != 0 or not all(map(shutil.which, ("buildah", "debootstrap", "unshare", "ip"))),
        reason="needs root, buildah, debootstrap, unshare and ip",
    ),
]
LARGEST_COMPRESSED = 250_000_000


@pytest.fixture
def images(tmp_path):
    """The images, made from Debian's packages alone."""
    root = tmp_path / "debian"
    command = ("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", str(root))
    done = subprocess.run((*command, "http://deb.debian.org/debian"), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    # What Debian's own slim image leaves out, too.
    for place in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale"):
        shutil.rmtree(root / place)
        (root / place).mkdir()
    base = "localhost/firetop-debian-tried"
    container = buildah("from", "scratch")
    buildah("copy", "-q", container, str(root), "/")
    buildah("commit", "-q", "--rm", container, base)
    shutil.rmtree(root)
    made = [build(target, base) for target in ("site", "relay")]
    yield made
    for image in (*made, base):
        buildah("rmi", "--force", image)


def test_the_containers_serve_the_site_and_its_email(images, tmp_path):
    packed, folder = tmp_path / "packed", tmp_path / "site"
    folder.mkdir()
    buildah("push", "--compression-format", "gzip", images[0], f"dir:{packed}")
    assert sum(file.stat().st_size for file in packed.iterdir()) < LARGEST_COMPRESSED

    for place in (folder, *folder.parents):
        place.chmod(place.stat().st_mode | 0o055)
    command = ("unshare", "--net", sys.executable, "-m", "tests.hosting.containers", str(folder))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-6000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["ready"] == 200
    assert found["styles"] and set(found["styles"].values()) == {200}
    assert found["who"] == "10001" and found["left out"] == []
    signature = found["answer"].replace("\r\n\t", " ").replace("\r\n", "\n").partition("DKIM-Signature:")[2]
    assert "d=play.example.org" in signature and "s=sel1" in signature
    assert "message-id" in re.search(r"\sh=[^;]+;", signature)[0].lower()
