"""What threads have freed goes back to the system."""

import subprocess
import sys

import pytest

# Two thirds of what is drawn for a picture, in each of eight threads at a time, as page threads do.
DRAW = """
import threading
{first}
def read_memory():
    return int(open("/proc/self/statm").read().split()[1]) * 4 // 1024
def draw():
    for _ in range(3):
        for megabytes in (20, 5):
            bytearray(megabytes * 1024 * 1024)
    everyone.wait()
    everyone.wait()
everyone = threading.Barrier(9)
before = read_memory()
for _ in range(8):
    threading.Thread(target=draw).start()
everyone.wait()
print(read_memory() - before)
everyone.wait()
"""


def measure(first):
    """The megabytes that a process has gained when its threads have drawn and freed everything."""
    done = subprocess.run(
        [sys.executable, "-c", DRAW.format(first=first)], capture_output=True, text=True, check=True, timeout=60
    )
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's heap")
def test_threads_keep_none_of_the_large_blocks_that_they_have_freed():
    assert measure("from fm_site.run.memory import return_freed_memory\nreturn_freed_memory()") < 15
