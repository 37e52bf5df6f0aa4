"""The Archmage plays what wins within two turns for certain."""

from rules_engine import Sheet
from rules_engine.bots import choose_orders
from rules_engine.bots.wins_in_two import TwoTurns as BotsProof
from rules_engine.bots.wins_in_two import list_orders
from rules_engine.bots.worth import Worth
from rules_engine.positions import set_up
from tests.rules_engine.bots.bot_games import LONG
from tests.rules_engine.bots.wins_in_two import TwoTurns, has_forced_win, play_it, read_wins

SHORT = 13  # every so many positions of the file in the short count
ALLOWED = 0.05


def test_the_archmage_misses_at_most_one_in_twenty():
    wins = read_wins()[:: 1 if LONG else SHORT]
    played = [play_it(text, mage, "Archmage") for text, mage in wins]
    missed = [(win, lines) for win, (won, lines) in zip(wins, played, strict=True) if not won]
    assert len(missed) <= ALLOWED * len(wins), missed


def test_the_positions_are_won_in_two_turns_and_not_in_one():
    for text, mage in read_wins()[:: 1 if LONG else 3 * SHORT]:
        state = set_up(text)
        assert not has_forced_win(state, mage)
        bots, proof = BotsProof(state, mage, Worth(state.ruleset.name), most=60_000), TwoTurns(state, mage)
        winning = (sheet for sheet in list_orders(state, mage, bots.worth, last=False) if bots.wins(sheet))
        assert any(proof.wins(sheet) for sheet in winning)


def test_a_win_outside_the_ten_likeliest_moves_is_found():
    state = set_up(
        "ruleset warlocks\n"
        "mage Ayla 9\nleft DSFFPSSWDSFWPSFWPWWWPPPSWD\nright DSWDWWWPPSDDSFSSDPPPSDFWFD\n"
        "mage Crom 4\nleft DSFSWWPSFWP-PSSWDPPPPSF-PS\nright DSWDPPSDFWFSSDDPPSFFFPSFWP\n"
        "creature Ogre of Ayla at Crom\n"
    )
    lines = choose_orders(state, mage="Ayla", strength="Archmage", seed="two", may_surrender=False)
    assert TwoTurns(state, "Ayla").wins(Sheet.from_lines(lines)), lines


def test_a_win_that_the_search_thinks_lost_is_found():
    """Crom has cast Poison, and a Counter Spell at Ayla stops her cure."""
    state = set_up(
        "ruleset waving-hands-active\n"
        "mage Ayla 11\nleft WWWSPSDFPSFWPDW\nright WWPSDFCWWPSDFSD\nhas poisoned 2\n"
        "mage Crom 5\nleft PSWDSFDS>PPPDWP\nright >WWWPFDWWFWDDSW\n"
    )
    lines = choose_orders(state, mage="Crom", strength="Archmage", seed="two", may_surrender=False)
    assert TwoTurns(state, "Crom").wins(Sheet.from_lines(lines)), lines
