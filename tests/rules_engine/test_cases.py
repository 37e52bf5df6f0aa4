"""Every rule case, in every ruleset that it names."""

from pathlib import Path

import pytest

from tests.rules_engine.case_files import Case, CaseError, read_cases
from tests.rules_engine.case_play import CaseFailed, play_case

FOLDER = Path(__file__).parent / "cases"
ALL = [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]
PLAYED = [(case, ruleset) for case in ALL for ruleset in case.rulesets]


@pytest.mark.parametrize(
    ("case", "ruleset"), PLAYED, ids=[f"{case.line.place.split(':')[0][:-4]}: {case.title} [{r}]" for case, r in PLAYED]
)
def test_case(case: Case, ruleset: str) -> None:
    play_case(case, ruleset)


def test_all_42_cases_of_the_original_server_are_present() -> None:
    cited = {reference for case in ALL for reference in case.cites}
    assert [n for n in range(1, 43) if f"engine 12.{n}" not in cited] == []


def test_titles_are_unique() -> None:
    titles = [(case.line.place.split(":")[0], case.title) for case in ALL]
    assert len(titles) == len(set(titles))


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.txt"
    path.write_text(text)
    return path


def test_a_false_claim_fails_with_file_and_line(tmp_path: Path) -> None:
    path = write(
        tmp_path, "case Wrong\ncites FM-MISSILE-2\nbefore\n  Ayla S / -\nturn\n  Ayla D/-\nthen\n  Crom hp 15\n"
    )
    with pytest.raises(CaseFailed, match=r"mine\.txt:8 under firetop-server: 'Crom hp 15': it is 14"):
        play_case(read_cases(path)[0], "firetop-server")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("turn\n", r"mine\.txt:1: a file begins with 'case TITLE'"),
        ("case A\ncites X\nfrobnicate\n", r"mine\.txt:3: not a word of the case format"),
        ("case A\nturn\n  Nobody D/P\n", r"mine\.txt:3: no mage of this case is called Nobody"),
        ("case A\ncites X\nturns many\n", r"mine\.txt:3: how many turns\?"),
        ("case A\ncites X\nthen warlocks\n", r"mine\.txt:3: this case is not played under that ruleset"),
        ("case A\nturn\nthen\n  Ayla hp 15\n", r"mine\.txt:1: this case cites nothing"),
        ("case A\ncites X\nturn\n", r"mine\.txt:1: this case claims nothing"),
        ("case A\ncites X\nbefore\n  Ayla SQ / -\n", r"mine\.txt:4: gestures are written NAME LEFT / RIGHT"),
        ("case A\ncites X\nturn\n  chance Ayla lucky\n", r"mine\.txt:4: chance is"),
    ],
)
def test_an_unreadable_line_is_reported(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(CaseError, match=complaint):
        read_cases(write(tmp_path, text))


def test_an_unknown_claim_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path, "case A\ncites X\nturn\nthen\n  Ayla is happy\n")
    with pytest.raises(CaseError, match=r"mine\.txt:5: no such fact"):
        play_case(read_cases(path)[0], "firetop-server")
