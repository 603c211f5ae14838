"""How the log is written: a line of JSON an event for a real site, plain text for people who try it out.

What is logged is for the code that logs; here only what must never be in it is left out.
"""

import logging
from typing import Any

import structlog

TOLD = ("view", "method", "status", "ms", "player", "code")  # of what a line brings along, this much


class RoutesForPaths(logging.Filter):
    """Some paths hold a key that lets somebody in, so Django's lines name the route, which is the path's pattern."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; keep it."""
        request = getattr(record, "request", None)
        path, match = getattr(request, "path", None), getattr(request, "resolver_match", None)
        if path is not None and isinstance(record.args, tuple):
            record.args = tuple(f"/{match.route}" if match and arg == path else arg for arg in record.args)
        return True


def logging_for(*, json: bool) -> dict[str, Any]:
    """Django's LOGGING."""
    before = [
        structlog.contextvars.merge_contextvars,  # request, attempt, race
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(allow=TOLD),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,  # as text, without the values of variables
    ]
    last = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"routes": {"()": RoutesForPaths}},
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": before,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["routes"]}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "accounts": {"level": "INFO"},
            "config": {"level": "INFO"},
            "games": {"level": "INFO"},
            "django": {"handlers": [], "level": "WARNING"},
            # What was only not found, meant for another site or no sense at all is told once, by config.requests.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            "django.security.csrf": {"level": "WARNING"},  # says why
        },
    }
