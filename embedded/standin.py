"""Runs SecantusDB with what its command has no option for.

It ends transactions whose client died after 10 seconds instead of 60. mongod is told the same
(mongo.ts): documents of such a transaction are locked until it ends.

It remembers the answers of 500 writes instead of 10,000, for drivers that repeat one after their
connection broke. With every write it looks through all of them, twice: with 10,000 it came to a
few dozen writes a second, and 500 are more than all of our processes have under way.
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
