"""Runs SecantusDB, which ends transactions whose client died after 10 seconds instead of 60.

Its server takes this as an argument, but its command has no option for it. mongod is told the
same (mongo.ts): documents of such a transaction are locked until it ends.
"""

import sys
from functools import partial

from secantus import cli
from secantus.server import SecantusDBServer

TRANSACTION_LIFETIME_SECONDS = 10.0

cli.SecantusDBServer = partial(
    SecantusDBServer, transaction_lifetime_seconds=TRANSACTION_LIFETIME_SECONDS
)

if __name__ == "__main__":
    sys.exit(cli.main())
