"""The client of docs/bots plays a whole duel against a bot of the running site."""

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.services.stack import ROOT, Stack

pytestmark = pytest.mark.journey
CLIENT = Path(ROOT) / "docs" / "bots" / "client.py"
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


def test_the_client_in_one_file_plays_a_whole_duel(stack: Stack):
    assert len(CLIENT.read_text().splitlines()) < 100
    token = re.search(r"token (\S+)", stack.manage("shell", "-c", MAKE_TOKEN))[1]
    command = [sys.executable, str(CLIENT), stack.url, token, "Apprentice"]
    refused = subprocess.run([*command[:3], "fm_wrong"], capture_output=True, text=True, timeout=120)
    assert (refused.returncode, refused.stderr) == (1, "This token is unknown, revoked or expired.\n")
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    request = urllib.request.Request(f"{stack.url}/api/v1/events/", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as stream:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        told = []
        while told[-1:] != ["battle_over"]:
            line = stream.readline().decode()
            told += [line.removeprefix("event: ").strip()] if line.startswith("event: ") else []
    assert told[0] == "battle_started" and told.count("turn_resolved") > 3
    assert re.fullmatch(r"Battle \d+: .*(Cogwheel|draw).*\n", done.stdout), done.stdout
