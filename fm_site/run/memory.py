"""How the C library keeps the memory that Python has freed."""

import contextlib
import ctypes

# From glibc's malloc.h.
TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
LARGE, KEPT_FREE = 1024 * 1024, 4 * 1024 * 1024
ARENAS = 2


def return_freed_memory() -> None:
    """Have large blocks go back to the system once they are freed, and let all threads share two heaps.

    Otherwise each thread has its own heap, and keeps in it the largest block it has ever freed: 20 MB in a thread
    that has drawn one picture. Call it before threads start; children inherit it. Without glibc it does nothing.
    """
    with contextlib.suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in ((ARENA_MAX, ARENAS), (MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, KEPT_FREE)):
            mallopt(option, value)
