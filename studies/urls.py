"""URLs of learning: lessons, puzzles, classics, studies. What belongs to a battle is under the battle's address."""

from django.urls import path

from studies.views import (
    analyses,
    classics,
    collections,
    lessons,
    library,
    notes,
    own_mistakes,
    puzzles,
    studies,
    what_if,
)

app_name = "studies"

urlpatterns = [
    path("learn/", lessons.show_lessons, name="lessons"),
    path("learn/next/", lessons.go_on, name="learn_on"),
    path("learn/<slug:slug>/", lessons.show_task, name="lesson_start"),
    path("learn/<slug:slug>/done/", lessons.show_lesson_done, name="lesson_done"),
    path("learn/<slug:slug>/<int:step>/", lessons.show_task, name="lesson"),
    path("learn/<slug:slug>/<int:step>/card.png", lessons.show_lesson_card, name="lesson_card"),
    path("puzzles/", puzzles.show_puzzles, name="puzzles"),
    path("puzzles/daily/", puzzles.show_daily, name="daily_puzzle"),
    path("puzzles/daily/notify/", puzzles.notify_daily, name="notify_daily"),
    path("puzzles/<int:number>/", puzzles.show_puzzle, name="puzzle"),
    path("puzzles/<int:number>/card.png", puzzles.show_puzzle_card, name="puzzle_card"),
    path("battles/<int:number>/what-if/", studies.list_for_battle, name="of_battle"),
    path("battles/<int:number>/what-if/<int:seq>/", what_if.try_turn, name="try"),
    path("battles/<int:number>/analysis/", analyses.show_analysis, name="analysis"),
    path("battles/<int:number>/mistakes/", own_mistakes.begin_mistakes, name="mistakes"),
    path("battles/<int:number>/mistakes/<int:seq>/", own_mistakes.show_mistake, name="mistake"),
    path("battles/<int:number>/notes/", notes.show_notes, name="notes"),
    path("studies/", studies.list_own, name="mine"),
    path("classics/", classics.list_classics, name="classics"),
    path("classics/<slug:slug>/", classics.show_classic, name="classic"),
    path("classics/<slug:slug>/card.png", classics.show_classic_card, name="classic_card"),
    path("classics/<slug:slug>/<int:seq>/", classics.show_turn, name="classic_turn"),
    path("classics/<slug:slug>/study/", classics.study_classic, name="study_classic"),
    path("collections/", collections.list_collections, name="collections"),
    path("collections/add/", collections.add, name="add_to_collection"),
    path("collections/<str:collection>/", collections.show_collection, name="collection"),
    path("studies/import/", library.import_one, name="import"),
    path("studies/position/", library.set_up_one, name="position"),
    path("studies/<str:study>/analysis/", analyses.show_study_analysis, name="study_analysis"),
    path("studies/<str:study>/replay/", library.show_replay, name="replay"),
    path("studies/<str:study>/replay/<int:seq>/", library.show_replay, name="replay_turn"),
    path("studies/<str:study>/record.txt", library.download_record, name="record"),
    path("studies/<str:study>/record.json", library.download_json, name="json"),
    path("studies/<str:study>/copy/", library.copy_one, name="copy"),
    path("studies/<str:study>/", what_if.show_study, name="study"),
    path("studies/<str:study>/<int:branch>/", what_if.show_study, name="branch"),
    path("studies/<str:study>/<int:branch>/change/", studies.change_study, name="change"),
]
