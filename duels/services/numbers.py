"""The numbers of challenges and battles."""

from duels.models import Number


def take_number() -> int:
    """Return the next number of the sequence that challenges and battles share. No number is given out twice."""
    return int(Number.objects.create().pk)
