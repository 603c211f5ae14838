"""Sessions in the database, as Django keeps them; what no session can be called is not even looked for."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str | None) -> bool:
        """PostgreSQL fails on some of what a cookie may hold, such as a NUL; keys are letters and digits."""
        return bool(key) and len(str(key)) == 32 and str(key).isascii() and str(key).isalnum()
