"""The document about the bots' strength has the figures of the file that `league --write` made."""

from pathlib import Path

from challenges.selectors.bot_ladder import list_pool_bots, list_pool_rows
from challenges.selectors.bots import list_bot_matches
from ladder.pool import DEVIATION, find_start, list_pool_results, pool_number
from rules_engine.bots.pool import NUMBER, PROGRAMS
from rules_engine.bots.tools.pool_league import rate_players, write_result

DOCUMENT = (Path(__file__).parents[1] / "docs" / "bot-strength.md").read_text(encoding="utf-8")


def write_table():
    """The table of the document."""
    bots = list_pool_bots()
    lines = [f"| program | {' | '.join(bots)} |", f"|---{'|---' * len(bots)}|"]
    for row in list_pool_rows():
        cells = [f"{each.share} ±{each.margin} ({each.games})" if each else "" for each in row.results]
        lines.append(f"| {row.program} | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_the_document_has_the_table_and_the_matches_of_the_file():
    assert write_table() in DOCUMENT
    for match in list_bot_matches():
        row = f"| {match.stronger} over {match.weaker} § |"
        assert any(line.startswith(row) and f"{match.share} % ±{match.margin} | {match.battles} |" in line
                   for line in DOCUMENT.splitlines()), match  # fmt: skip


def test_the_file_is_of_this_pool_and_its_ratings_follow_from_its_results(tmp_path):
    assert pool_number() == NUMBER and {row.program for row in list_pool_rows()} >= PROGRAMS.keys()
    rows = [vars(each) for each in list_pool_results()]
    for bot in ("Apprentice", "Journeyman", "Warder", "Magus", "Archmage"):
        start = find_start(bot)
        assert round(rate_players(rows)[bot]) == start.rating and start.deviation == DEVIATION
    assert find_start("Warder").rating == 1500 and find_start("Nobody") is None
    for row in (*rows, rows[0]):
        write_result(tmp_path / "pool.json", row)
    assert (tmp_path / "pool.json").read_text() == (Path(__file__).parents[1] / "ladder" / "pool.json").read_text()
