"""Forgets the results of old writes from the oldest on.

SecantusDB keeps the result of each write for drivers that repeat it after a broken connection. By
itself it searches all of them at each write, for those that are too old: with its 10,000 it does
only a few dozen writes per second.
"""

from secantus import transactions


def prune(self):
    """Removes results that are too old or too many. The first ones are the oldest."""
    results = self._retryable
    oldest = self._time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    while results:
        key, (_reply, recorded_at, _identity) = next(iter(results.items()))
        if recorded_at >= oldest and len(results) <= transactions._RETRYABLE_RECORD_MAX:
            return
        del results[key]


def install():
    transactions.TransactionRegistry._prune_retryable_locked = prune
