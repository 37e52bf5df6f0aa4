"""The site's URLs."""

from allauth.account.views import password_reset, request_login_code
from django.contrib import admin
from django.urls import include, path

from accounts.even_time import answer_after_even_time
from accounts.views import arms
from accounts.views.logins import show_logins
from challenges.views import bots, lobby, mages, play
from fm_site.api import docs_page as api_docs
from fm_site.api import problems as api_problems
from fm_site.api import routers as api
from fm_site.pages import (
    battle_hooks,
    calendar,
    cards,
    close_account,
    crawlers,
    embeds,
    feeds,
    follows,
    home,
    inbox,
    keep,
    ladder,
    mage_end,
    news,
    private_notes,
    profiles,
    rulebook,
    statistics,
    watch,
)
from fm_site.pages import front as views
from fm_site.serving import pwa, security
from fm_site.upkeep import status_page
from studies.views import pictures as position_pictures

urlpatterns = [
    # The pages and calls of battles are asked for most, and each pattern before them costs a search.
    path("", home.show_home, name="home"),
    path(f"api/{api.VERSION}/", include((api.urlpatterns, "api"))),
    # Paths without a version, from before there was one.
    path("api/", include((api.urlpatterns, "api"), "old_api")),
    path("api/docs/", api_docs.show_docs, name="api_docs"),
    path("api/problems/<slug:code>/", api_problems.show_problem, name="api_problem"),
    path("battles/", watch.show_battles, name="battles"),
    path("battles/featured/", watch.show_featured, name="featured"),
    path("battles/exhibition/<int:pk>/", watch.show_exhibition_page, name="exhibition"),
    path("", include("duels.urls")),
    path("", include("pictures.urls")),
    path("battles/<int:number>/follow/", follows.follow_one_battle, name="follow_battle"),
    path("battles/<int:number>/hooks/", battle_hooks.edit_battle_hooks, name="battle_hooks"),
    path("battles/<int:number>/hooks/<int:hook_id>/", battle_hooks.edit_battle_hook, name="battle_hook"),
    path("battles/<int:number>/note/", private_notes.note_battle, name="note_on_battle"),
    path("embed/battles/<int:number>/", embeds.embed_replay, name="embed"),
    path("embed/battles/<int:number>/poster/", embeds.embed_poster, name="embed_poster"),
    path("embed/battles/<int:number>/<int:seq>/", embeds.embed_replay, name="embed_turn"),
    path("embed/battles/<int:number>/<int:seq>/position.svg", position_pictures.show_svg, name="embed_picture"),
    path("oembed/", embeds.show_oembed, name="oembed"),
    path("stage/", views.show_front, name="stage"),
    path("manifest.webmanifest", pwa.show_manifest, name="manifest"),
    path("sw.js", pwa.show_worker, name="service_worker"),
    path("waiting/", views.show_waiting, name="waiting"),
    path("news/", news.show_news, name="news"),
    path("news/<int:pk>/", news.follow_line, name="news_line"),
    path("news/panel/", news.show_panel, name="news_panel"),
    path("news/seen/", news.mark_all_seen, name="news_seen"),
    path("inbox/", inbox.show_inbox, name="inbox"),
    path("inbox/<slug:name>/", inbox.show_thread, name="thread"),
    path("inbox/<slug:name>/delete/", inbox.remove_thread, name="remove_thread"),
    path("messages/new/", inbox.write_message, name="write_message"),
    path("rules/", rulebook.show_rules, name="rules"),
    path("rules/<slug:name>/", rulebook.show_ruleset, name="ruleset"),
    path("rules/<slug:name>/against/<slug:other>/", rulebook.compare, name="compare_rulesets"),
    path("", include("accounts.urls")),
    path("ladder/", ladder.show_ladder, name="ladder"),
    path("cards/<slug:page>.png", cards.show_page_card, name="page_card"),
    path("robots.txt", crawlers.show_robots, name="robots"),
    path("sitemap.xml", crawlers.show_sitemap, name="sitemap"),
    path("favicon.ico", pwa.show_favicon, name="favicon"),
    path("statistics/", statistics.show_statistics, name="statistics"),
    path("openings/", statistics.show_openings, name="openings"),
    path(".well-known/security.txt", security.show_security_txt, name="security_txt"),
    path("status/", status_page.show_status, name="status"),
    path("privacy/", views.show_privacy, name="privacy"),
    path("dump/", statistics.show_dump, name="dump"),
    path("dump/<str:name>", statistics.download_part, name="dump_part"),
    path("users/<slug:name>/", profiles.show_user, name="user"),
    path("users/<slug:name>/follow/", follows.follow_player, name="follow_user"),
    path("users/<slug:name>/note/", private_notes.note_user, name="note_on_user"),
    path("following/", follows.list_followed, name="following"),
    path("calendar/<slug:secret>.ics", calendar.show_calendar, name="calendar"),
    path("feeds/battles.atom", feeds.show_battle_feed, name="battle_feed"),
    path("feeds/announcements.atom", feeds.show_announcement_feed, name="announcement_feed"),
    path("feeds/users/<slug:name>.atom", feeds.show_player_feed, name="player_feed"),
    path("mages/<slug:name>/", profiles.show_mage, name="mage"),
    path("mages/<slug:name>/leave/", mages.let_go, name="let_go"),
    path("mages/<slug:name>/arms.svg", arms.show_svg, name="arms_svg"),
    path("mages/<slug:name>/arms-<int:size>.png", arms.show_png, name="arms_png"),
    path("mages/<slug:name>/card.png", cards.show_mage_card, name="mage_card"),
    path("mages/<slug:name>/end/", mage_end.show_end, name="mage_end"),
    path("mages/<slug:name>/end/lines/", mage_end.add_line, name="add_obituary_line"),
    path("mages/<slug:name>/end/lines/<int:line>/remove/", mage_end.remove_line, name="remove_obituary_line"),
    path("", include("email_gateway.urls")),
    path("play/", play.show_play, name="play"),
    path("lobby/", lobby.show_lobby, name="lobby"),
    path("lobby/by-email/", lobby.choose_talk_by_email, name="talk_by_email"),
    path("lobby/join/", lobby.join, name="join_in_lobby"),
    path("lobby/line/", lobby.act_on_line, name="room_line"),
    path("bots/", bots.show_bots, name="bots"),
    path("keep/", keep.keep_mage, name="keep"),
    path("", include("studies.urls")),
    path("challenges/", include("challenges.urls")),
    path("accounts/export/", close_account.export_account, name="export_account"),
    path("accounts/close/", close_account.close_account, name="close_account"),
    path("accounts/password/reset/", answer_after_even_time(password_reset), name="account_reset_password"),
    path("accounts/login/code/", answer_after_even_time(request_login_code), name="account_request_login_code"),
    path("accounts/sessions/", show_logins, name="usersessions_list"),
    path("accounts/", include("allauth.urls")),
    path("", include("moderation.urls")),
    path("admin/", admin.site.urls),
]
