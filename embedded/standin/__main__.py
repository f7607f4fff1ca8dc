"""Runs SecantusDB with settings that its command has no options for, and with the parts beside this.

It ends the transactions of a dead client after 10 seconds instead of 60, as mongod does (mongo.ts).
Until then they lock their documents.
"""

import sys
from functools import partial

import definitions
import lists
import retries
import tablekeys
import turns
from secantus import cli, server
from secantus.storage import Storage

TRANSACTION_LIFETIME_SECONDS = 10.0


def open_storage(folder, **options):
    """Opens the data without an oplog, which only change streams and other members would read."""
    return Storage(folder, **{**options, "enable_oplog": False})


server.Storage = open_storage
cli.SecantusDBServer = partial(
    server.SecantusDBServer, transaction_lifetime_seconds=TRANSACTION_LIFETIME_SECONDS
)
for part in (lists, definitions, tablekeys, retries, turns):
    part.install()

if __name__ == "__main__":
    sys.exit(cli.main())
