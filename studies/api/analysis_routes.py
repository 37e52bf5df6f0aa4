"""The API of analyses, hints in practice, and the thoughts of bots: what their pages show, to the same readers."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router
from ninja.responses import Status

from accounts.api_access import PLAY, READ, caller_of
from duels.errors import NoHint
from duels.models import Battle
from duels.selectors.viewer import find_battle
from operations.errors import TooManyAttempts
from operations.web.api_schema import may_refuse
from operations.web.client_address import client_address, network_of
from operations.web.problems import Refusal, Refusals, refuse
from rules_engine.bots.advice import Hint
from rules_engine.bots.findings import describe_finding, grade_of
from rules_engine.bots.review import Change, Facts, describe_roll, mark_move, split_change
from studies.analysis_page import list_totals, name_mixed
from studies.api import analysis_schema as api_schema
from studies.errors import StudyRefused
from studies.selectors.analyses import AnalysisReport, read_report
from studies.selectors.chances import Chances, make_chances
from studies.services.analyses import ask_for_analysis
from studies.services.ask_bots import ANALYSES, ask_for_hints, ask_for_reasons

router = Router(tags=["Battles"])
ANSWERS = {200: api_schema.Analysis, 202: api_schema.Analysis}


@router.get(
    "/{int:number}/analysis/",
    auth=READ,
    url_name="battle_analysis",
    response={**ANSWERS, **may_refuse(400, 404, 409)},
    summary="Read the analysis of a battle",
)
def read_analysis(
    request: HttpRequest,
    number: int,
    by: Annotated[api_schema.Bot, Query(description="Whose analysis.")] = "Magus",
) -> Status[api_schema.Analysis]:
    """The analysis of a battle that is over, turn by turn; 202 with its progress while it is being made, and 404 if
    nobody has asked for it."""
    battle = find_battle(number=number)
    if not battle.is_over:
        raise StudyRefused("not_over")
    return _answer(battle, read_report(battle, request.user, by))


@router.post(
    "/{int:number}/analysis/",
    auth=PLAY,
    url_name="battle_analysis",
    response={**ANSWERS, **may_refuse(400, 404, 409, 413, 415, 422, 429)},
    summary="Ask for an analysis",
)
def request_analysis(request: HttpRequest, number: int, sent: api_schema.AnalysisWish) -> Status[api_schema.Analysis]:
    """Queue the analysis of a battle that is over; 202 with its progress, or the analysis if it is done. Asking twice
    changes nothing."""
    user = caller_of(request)
    ANALYSES.check_and_count(str(user.pk))
    battle = find_battle(number=number)
    ask_for_analysis(battle=battle, user=user, now=timezone.now(), strength=sent.by)
    return _answer(battle, read_report(battle, user, sent.by))


@router.post(
    "/{int:number}/hint/",
    auth=PLAY,
    url_name="battle_hint",
    response={200: api_schema.Hints, **may_refuse(400, 403, 404, 409, 413, 415, 422, 429)},
    summary="Ask for a hint in practice",
)
def ask_hint(request: HttpRequest, number: int, sent: api_schema.HintWish) -> api_schema.Hints:
    """Up to three moves that the Magus would consider with what your mage sees. Only in practice, while your mage has
    gestures to choose, and not in a position like that of a running battle of yours. Changes nothing."""
    hints = ask_for_hints(number=number, user=caller_of(request), mage=sent.mage)
    return api_schema.Hints(battle=number, hints=[_write_hint(each) for each in hints])


@router.get(
    "/{int:number}/thoughts/",
    auth=READ,
    url_name="battle_thoughts",
    response={200: api_schema.Thoughts, **may_refuse(404, 409, 429)},
    summary="Read what the bots think",
)
def read_thoughts(request: HttpRequest, number: int) -> api_schema.Thoughts:
    """Why the bots gave their last gestures: for everyone once the battle is over, for the players of running practice
    if their mage saw all gestures of the turn."""
    told = ask_for_reasons(number=number, user=request.user, network=network_of(client_address(request)))
    thoughts = [api_schema.BotThought(mage=each.mage, turn=each.label, text=each.text) for each in told.reasons]
    return api_schema.Thoughts(battle=number, thoughts=thoughts)


def _write_hint(hint: Hint) -> api_schema.MoveHint:
    return api_schema.MoveHint(
        text=hint.text(),
        gestures=hint.move.gestures,
        spells=list(hint.move.spells),
        orders=list(hint.move.lines),
        share=round(hint.move.share, 3),
        chance=round(hint.chance, 3),
        threatens=list(hint.threatens),
        answer=hint.risks.text() if hint.risks is not None else None,
    )


def _answer(battle: Battle, report: AnalysisReport | None) -> Status[api_schema.Analysis]:
    """Return an analysis, with 202 until it is done. Raises StudyRefused for one that failed, and Refusal for none."""
    if report is None:
        detail = _("Nobody has asked for this analysis. Ask for it with POST.")
        raise Refusal(refuse(HTTPStatus.NOT_FOUND, "not_analysed", detail))
    if report.failed:
        raise StudyRefused("failed")
    chances = make_chances(report.facts, report.winners, None, report.withheld or {})
    is_done = report.is_done and chances is not None
    told = api_schema.Analysis(
        battle=battle.number,
        by=report.strength,
        state="done" if is_done else "waiting",
        turns_done=report.done,
        turns_in_all=report.total,
        outdated=report.is_outdated,
        decided=next((facts["label"] for facts in report.facts if facts["seq"] == report.decided), None),
        turns=[_write_turn(report, chances, place) for place in range(len(report.facts))] if chances else [],
        totals=list(_list_totals(report)) if chances else [],
    )
    return Status(HTTPStatus.OK if is_done else HTTPStatus.ACCEPTED, told)


def _write_turn(report: AnalysisReport, chances: Chances, place: int) -> api_schema.TurnAnalysis:
    facts = report.facts[place]
    withheld = (report.withheld or {}).get(facts["seq"])
    if withheld is not None:
        return api_schema.TurnAnalysis(turn=facts["label"], withheld=withheld, mages=[], rolls=[], findings=[])
    return api_schema.TurnAnalysis(
        turn=facts["label"],
        withheld=None,
        mages=[_write_mage(facts, mage, chances, place) for mage in facts["mages"]],
        rolls=list(_list_rolls(facts.get("rolls", ()))),
        findings=[
            api_schema.AnalysisFinding(
                mage=each["mage"], kind=each["kind"], text=describe_finding(each), clause=each["clause"]
            )
            for each in facts["findings"]
        ],
    )


def _write_mage(facts: Facts, mage: str, chances: Chances, place: int) -> api_schema.AnalysedMage:
    before, after = chances.curves[mage][place], chances.curves[mage][place + 1]
    split = None
    if before is not None and after is not None:
        split = split_change(facts, mage, Change(place, before, after))
    move = facts["moves"].get(mage)
    return api_schema.AnalysedMage(
        mage=mage,
        before=before,
        after=after,
        skill=round(split.skill, 3) if split else None,
        luck=round(split.luck, 3) if split else None,
        move=_write_move(move) if move else None,
        mix=[
            api_schema.MixedMove(
                share=each["share"],
                gestures=each["gestures"],
                spells=each["spells"],
                move=name_mixed(each),
                orders=each["orders"],
            )
            for each in facts.get("mixes", {}).get(mage, ())
        ],
    )


def _write_move(move: Facts) -> api_schema.JudgedMove:
    grade = grade_of(move)
    following = grade.get("next")
    best = api_schema.PlayedMove(gestures=grade["better"], spells=grade["better_spells"], chance=grade["best"])
    return api_schema.JudgedMove(
        gestures=move["gestures"],
        spells=move["spells"],
        chance=grade["chance"],
        mark=mark_move(move),
        best=best,
        next_best=api_schema.PlayedMove(
            gestures=following["gestures"], spells=following["spells"], chance=following["chance"]
        )
        if following
        else None,
        by_sight=bool(move.get("known")),
    )


def _list_rolls(rolls: Sequence[Facts]) -> Iterator[api_schema.WeighedRoll]:
    for roll in rolls:
        gave = [api_schema.RollGain(mage=mage, chance=chance) for mage, chance in roll["gave"].items()]
        yield api_schema.WeighedRoll(roll=describe_roll(roll), gave=gave)


def _list_totals(report: AnalysisReport) -> Iterator[api_schema.MageTotal]:
    accuracy = dict(report.accuracy)
    for mage, split in list_totals(report):
        yield api_schema.MageTotal(
            mage=mage, accuracy=accuracy.get(mage), skill=round(split.skill, 3), luck=round(split.luck, 3)
        )


def _refuse_too_many(request: HttpRequest, error: TooManyAttempts) -> JsonResponse:
    answer = refuse(HTTPStatus.TOO_MANY_REQUESTS, "too_many", str(error))
    answer["Retry-After"] = str(error.seconds)
    return answer


def _refuse(request: HttpRequest, error: StudyRefused | NoHint) -> JsonResponse:
    code = error.code if error.code == "not_over" else "refused"
    return refuse(HTTPStatus.CONFLICT, code, str(error), reason=error.code)


# The response to each error of the selectors and services.
REFUSALS: Refusals = {
    StudyRefused: _refuse,
    NoHint: _refuse,
    TooManyAttempts: _refuse_too_many,
}
