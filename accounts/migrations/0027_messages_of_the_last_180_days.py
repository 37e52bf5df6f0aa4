"""Move the messages of the last 180 days into the threads of their writers and readers. They were notices only."""

from datetime import timedelta

from django.db import migrations
from django.db.models.functions import Lower
from django.utils import timezone

KEPT = timedelta(days=180)
AT_ONCE = 500


def move_in(apps, schema_editor):
    """Make a message of each notice of one. The name of its writer's mage says who wrote it."""
    notices = apps.get_model("notifications", "Notice").objects
    old = notices.filter(kind="message", created_at__gte=timezone.now() - KEPT).select_related("user").order_by("pk")
    batch = []
    for notice in old.iterator(chunk_size=AT_ONCE):
        batch.append(notice)
        if len(batch) == AT_ONCE:
            _move(apps, batch)
            batch = []
    _move(apps, batch)


def _move(apps, notices):
    Mage, Message = apps.get_model("accounts", "Mage"), apps.get_model("accounts", "Message")
    names = {str(notice.facts.get("mage", "")).lower() for notice in notices}
    mages = Mage.objects.alias(key=Lower("name")).filter(key__in=names).select_related("user")
    writers = {mage.name.lower(): mage.user for mage in mages}
    made = []
    for notice in notices:
        writer = writers.get(str(notice.facts.get("mage", "")).lower())
        text = str(notice.facts.get("text", "")).strip()
        if not text or writer is None or writer.pk == notice.user_id:
            continue
        if not (writer.is_active or notice.user.is_active):
            continue
        made.append(
            Message(
                writer=writer,
                reader=notice.user,
                text=text,
                written_at=notice.created_at,
                once=f"notice {notice.pk}",
                is_unread=notice.is_unseen and notice.user.is_active,
                is_kept_by_writer=writer.is_active,
                is_kept_by_reader=notice.user.is_active,
                notice=notice,
            )
        )
    for message in Message.objects.bulk_create(made):
        notice = message.notice
        notice.facts = notice.facts | {"user": message.writer.username, "message": message.pk}
        notice.save(update_fields=["facts"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0026_messages"),
    ]

    operations = [
        migrations.RunPython(move_in, migrations.RunPython.noop, elidable=True),
    ]
