"""The bot of docs/bots.md, with the client's wheel as a release has it, plays a rated duel on the running site."""

import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile

import pytest

from fm_site.compiling.compiler import build_wheel
from tests.services.stack import ROOT, Stack

pytestmark = pytest.mark.journey
MAKE_TOKEN = """
from django.utils import timezone
from accounts.models import User
from accounts.services.mages import register_mage
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
user = create_user(name="Gadgeteer", now=timezone.now())
register_mage(user=user, name="Cogwheel", now=timezone.now())
print("token", issue_api_token(user=user, name="client", now=timezone.now())[1])
"""


def test_the_bot_of_the_document_plays_a_rated_duel_with_the_wheel_of_the_release(stack: Stack, tmp_path):
    (example,) = re.findall(r"```python\n(import os.*?)```", (ROOT / "docs/bots.md").read_text(), re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 30
    (tmp_path / "bot.py").write_text(example)
    build_wheel(tmp_path, compiled=False, package=ROOT / "packages" / "firetop_client")
    (wheel,) = tmp_path.glob("firetop_client-*-py3-none-any.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path)
    token = re.search(r"token (\S+)", stack.manage("shell", "-c", MAKE_TOKEN))[1]

    def run(secret):
        environment = {**os.environ, "FIRETOP_TOKEN": secret, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "bot.py", stack.url]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment)

    refused = run("fm_wrong")
    assert refused.returncode == 1 and "401 token" in refused.stderr and "fm_wrong" not in refused.stderr
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    request = urllib.request.Request(f"{stack.url}/api/v1/events/", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as stream:
        done = run(token)
        assert done.returncode == 0, done.stderr
        told = []
        while told[-1:] != ["battle_over"]:
            line = stream.readline().decode()
            told += [line.removeprefix("event: ").strip()] if line.startswith("event: ") else []
    assert told[0] == "battle_started" and told.count("turn_resolved") > 3
    assert re.fullmatch(r"Battle \d+: .*(Cogwheel|draw).*\n", done.stdout), done.stdout
    number = re.search(r"\d+", done.stdout)[0]
    with urllib.request.urlopen(f"{stack.url}/api/v1/battles/{number}/", timeout=60) as answer:
        assert json.load(answer)["stakes"] == "bots"
