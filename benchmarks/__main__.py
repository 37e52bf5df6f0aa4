"""`./run bench [ARGS]`: how fast turns are played (ARGS go there), then how fast mail is taken and obeyed.

The exit code is the first one's, so that a missing --calibrate is still said; without a fault there, the second's.
"""

import subprocess
import sys

PARTS = (("rules_engine", "bench"), ("benchmarks.mail_intake",))


def main(arguments: list[str]) -> int:
    """Run both and return the exit code."""
    turns = subprocess.call([sys.executable, "-m", *PARTS[0], *arguments])
    if any(one in ("-h", "--help") for one in arguments):
        return turns
    mails = subprocess.call([sys.executable, "-m", *PARTS[1]])
    return turns or mails


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
