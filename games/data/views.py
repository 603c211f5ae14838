"""The page "Your data" and the files it offers: one's own, whoever asks."""

from collections.abc import AsyncIterator

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from games.data import export
from games.models import Attempt


@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """What is kept of whoever looks, to take along or to delete."""
    assert isinstance(request.user, User)
    return render(request, "games/data.html", {"attempts": Attempt.objects.filter(player=request.user).count()})


@login_required
@require_POST
@limited("export")
def export_json(request: HttpRequest) -> StreamingHttpResponse:
    """Everything, with every move and its time."""
    assert isinstance(request.user, User)
    return _file(export.as_json(request.user), "application/json", "lilypad.json")


@login_required
@require_POST
@limited("export")
def export_csv(request: HttpRequest) -> StreamingHttpResponse:
    """A line a game, for a spreadsheet."""
    assert isinstance(request.user, User)
    return _file(export.as_csv(request.user), "text/csv; charset=utf-8", "lilypad.csv")


def _file(text: AsyncIterator[str], content_type: str, name: str) -> StreamingHttpResponse:
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
        "Content-Encoding": "identity",  # Django would compress each piece by itself, and browsers read only the first
    }
    return StreamingHttpResponse(text, content_type=content_type, headers=headers)
