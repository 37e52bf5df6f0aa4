from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0003_search"),
    ]

    operations = [
        migrations.AddField(
            model_name="countedbattle",
            name="with_bots",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(
            "UPDATE ladder_countedbattle SET with_bots = true WHERE id IN"
            " (SELECT side.battle_id FROM ladder_battleside side JOIN accounts_user u ON u.id = side.user_id"
            " WHERE u.is_bot)",
            migrations.RunSQL.noop,
        ),
        migrations.AddIndex(
            model_name="countedbattle",
            index=models.Index(fields=["with_bots", "-number"], name="counted_bots_latest"),
        ),
        migrations.AddIndex(
            model_name="countedbattle",
            index=models.Index(fields=["finished_at"], name="counted_date"),
        ),
    ]
