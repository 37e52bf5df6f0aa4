"""The API of the caller's news: the lines of the bell and of the page of news."""

from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from accounts.api_access import PLAY, READ_OWN, caller_of
from accounts.selectors.news import list_news, list_news_page
from fm_site.api import news_schema as api_schema
from fm_site.notices.news_lines import describe_news
from notifications.services.news import mark_news_seen
from operations.web.api_schema import MOST_NUMBER, may_refuse

router = Router(tags=["You"])
ON_A_PAGE = 50


@router.get(
    "/",
    auth=READ_OWN,
    url_name="news",
    response={200: api_schema.News, **may_refuse(400)},
    summary="Read your news",
)
def read_own_news(
    request: HttpRequest,
    part: Annotated[
        Literal["you", "followed"] | None,
        Query(description="Only what happened to you, or to users you follow; without it, everything."),
    ] = None,
    before: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="Only lines before this one.")] = None,
) -> api_schema.News:
    """Your news, at most 50 lines, as the page of news shows them. Reading marks nothing as read."""
    user = caller_of(request)
    notices, is_more = list_news_page(user.pk, part=part or "", before=before, most=ON_A_PAGE)
    times = {notice.pk: notice.created_at for notice in notices}
    return api_schema.News(
        lines=[
            api_schema.NewsLine(
                line=line.pk,
                at=times[line.pk],
                words=line.words,
                text=line.text,
                url=line.url,
                unread=line.is_unseen,
            )
            for line in describe_news(notices, user, now=timezone.now())
        ],
        more=is_more,
    )


@router.post(
    "/seen/",
    auth=PLAY,
    url_name="news_seen",
    response={200: api_schema.UnreadNews, **may_refuse(400, 409, 413, 415, 422)},
    summary="Mark news as read",
)
def mark_own_news_read(request: HttpRequest, sent: api_schema.ReadNews) -> api_schema.UnreadNews:
    """Note that you have read these lines, or all of your news. Numbers that are not yours change nothing."""
    user = caller_of(request)
    mark_news_seen(user=user, lines=sent.lines)
    return api_schema.UnreadNews(unread=list_news(user.pk).filter(is_unseen=True).count())
