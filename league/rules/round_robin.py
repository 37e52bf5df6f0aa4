"""Who meets whom in a group: the circle method over an even number of slots. A free slot is a bye for its opponent."""

SLOTS = 8
ROUNDS = SLOTS - 1
# The order in which slots are filled: opponents of round 1 side by side, so that small groups begin with duels too.
FILLED = (1, 8, 2, 7, 3, 6, 4, 5)


def find_opponent(slot: int, round_number: int, *, slots: int = SLOTS) -> int:
    """Return the slot that `slot` (from 1) meets in that round (from 1; there is one round less than slots).

    The last slot stays where it is; the others move on by one place each round. The one opposite meets it.
    """
    rounds = slots - 1
    if not 1 <= slot <= slots or not 1 <= round_number <= rounds:
        raise ValueError(f"There is no slot {slot} in round {round_number}.")
    if slot == slots:
        return round_number
    if slot == round_number:
        return slots
    return (2 * round_number - slot - 1) % rounds + 1


def list_pairs(round_number: int, *, slots: int = SLOTS) -> list[tuple[int, int]]:
    """Return the pairs of slots of a round: board 1 first, the lower slot of each pair first."""
    pairs = ((slot, find_opponent(slot, round_number, slots=slots)) for slot in range(1, slots + 1))
    return [pair for pair in pairs if pair[0] < pair[1]]
