"""Running programs of the system."""

import subprocess

HOUR = 3600.0


class ProgramFailed(Exception):
    """A program is missing or failed; the text says which and why."""


def run_program(*command: str, seconds: float = HOUR, fine: tuple[int, ...] = (0,)) -> bytes:
    """Run a program and return its output; nothing if it ends with a code that is `fine` and not 0. Raises
    ProgramFailed with the last line that it says."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=seconds)
    except FileNotFoundError:
        raise ProgramFailed(f"{command[0]} is not installed.") from None
    except subprocess.TimeoutExpired:
        raise ProgramFailed(f"{command[0]} took more than {seconds:.0f} seconds.") from None
    if done.returncode not in fine:
        words = done.stderr.decode(errors="replace").strip().splitlines() or [f"code {done.returncode}"]
        raise ProgramFailed(f"{command[0]} failed: {words[-1]}")
    return b"" if done.returncode else done.stdout
