"""Keep an attempt's game with it, so that a player's history can be filtered by game without asking for every deal."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps, schema_editor):
    Attempt, Deal = apps.get_model("games", "Attempt"), apps.get_model("games", "Deal")
    Attempt.objects.update(game=Subquery(Deal.objects.filter(pk=OuterRef("deal_id")).values("game")))


class Migration(migrations.Migration):

    dependencies = [("games", "0002_history")]

    operations = [
        migrations.AddField("attempt", "game", models.CharField(default="", max_length=30), preserve_default=False),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            "attempt", models.CheckConstraint(condition=models.Q(("game", ""), _negated=True), name="attempt_of_a_game")
        ),
        migrations.AddIndex(
            "attempt", models.Index(fields=["player", "game", "-touched_at", "-id"], name="attempt_by_game")
        ),
        migrations.AddIndex(
            "attempt", models.Index(fields=["player", "outcome", "-touched_at", "-id"], name="attempt_by_outcome")
        ),
        migrations.AddIndex(
            "attempt", models.Index(fields=["player", "game", "outcome", "-touched_at", "-id"], name="attempt_by_both")
        ),
    ]
