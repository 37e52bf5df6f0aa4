"""Bring the terms of open challenges, and the changes proposed to them, up to words for what is at stake."""

from django.db import migrations

from duels.terms import Terms


def write_stakes(apps, schema_editor):
    for challenge in apps.get_model("challenges", "Challenge").objects.filter(status="open"):
        challenge.terms = Terms.from_json(challenge.terms).to_json()
        challenge.save(update_fields=["terms"])
    for proposal in apps.get_model("challenges", "Proposal").objects.filter(state="pending"):
        if "rated" in proposal.change:
            rated = proposal.change.pop("rated")
            proposal.change["stakes"] = "ladder" if rated else "friendly"
            proposal.save(update_fields=["change"])


class Migration(migrations.Migration):
    dependencies = [("challenges", "0004_stale")]

    operations = [migrations.RunPython(write_stakes, migrations.RunPython.noop)]
