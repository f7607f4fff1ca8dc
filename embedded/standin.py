"""Runs SecantusDB with settings that its command has no options for.

It ends the transactions of a dead client after 10 seconds instead of 60, as mongod does (mongo.ts).
Until then they lock their documents.

It remembers the results of 500 writes instead of 10,000, for drivers that repeat a write after a
broken connection. Each write searches all of them twice: with 10,000 it does only a few dozen
writes per second. Our processes never have 500 writes in progress.
"""

import sys
from functools import partial

from secantus import cli, transactions
from secantus.server import SecantusDBServer

TRANSACTION_LIFETIME_SECONDS = 10.0
REMEMBERED_WRITES = 500

cli.SecantusDBServer = partial(
    SecantusDBServer, transaction_lifetime_seconds=TRANSACTION_LIFETIME_SECONDS
)
transactions._RETRYABLE_RECORD_MAX = REMEMBERED_WRITES

if __name__ == "__main__":
    sys.exit(cli.main())
