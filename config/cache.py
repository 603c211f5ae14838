"""Where processes count together how often somebody has asked. Nothing that has to last is here."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class RedisWhileThere(RedisCache):
    """Without Redis nothing is counted for the while, so nobody is throttled: better than to let nobody in."""

    def _tried(self, ask: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return ask()
        except RedisError as error:
            logger.warning("nothing is throttled: %s", error)
            return otherwise

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._tried(lambda: super(RedisWhileThere, self).add(*args, **kwargs), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._tried(lambda: super(RedisWhileThere, self).get(key, default, version), default)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._tried(lambda: super(RedisWhileThere, self).set(*args, **kwargs), None)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._tried(lambda: super(RedisWhileThere, self).delete(*args, **kwargs), False)
