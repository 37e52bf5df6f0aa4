"""The problems of orders in a response, which is never much longer than the orders."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import ngettext

from rules_engine import Problem

# The size limit in bytes of an error response: the larger of a minimum and a multiple of the submitted text.
LEAST_ROOM = 4000
MOST_TIMES = 6
# The most characters quoted of a wrong line.
LONGEST_ECHO = 400
# The overhead of one problem in bytes, without its texts.
ROOM_FOR_ONE = 140


def limit_problems(problems: Sequence[Problem], *, size: int) -> list[Problem]:
    """Return the problems of a text of `size` bytes, cut off where the response would get much longer than the text.

    The last one then says how many are left out. Real orders never reach the limit.
    """
    room, kept = LEAST_ROOM + MOST_TIMES * size, []
    for each in problems:
        problem = replace(each, text=_clip(each.text), message=_clip(each.message))
        # The message appears twice: in the list and in the sentence for people.
        room -= ROOM_FOR_ONE + 2 * len(problem.message.encode()) + len(problem.text.encode()) * 2
        if room < 0:
            break
        kept.append(problem)
    left = len(problems) - len(kept)
    if left:
        words = ngettext("One more line is wrong.", "%(n)s more lines are wrong.", left) % {"n": left}
        kept.append(replace(problems[-1], code="more", message=words, text="", nearest=None))
    return kept


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST_ECHO else f"{text[:LONGEST_ECHO]}…"
