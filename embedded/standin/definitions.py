"""Reads the definitions of a collection's indexes once for each operation.

By itself SecantusDB reads and decodes all of them up to eight times to find or write one document,
which takes a third of its time. An operation sees one state of the database. It changes one thing
in a definition, that the index contains arrays, and reads that from the table itself.
"""

from functools import wraps

from secantus import storage

OPERATIONS = (
    "find_matching",
    "_insert_chunk",
    "_update_chunk",
    "_update_matching_single_txn",
    "_delete_chunk",
    "_delete_matching_single_txn",
)

read_all = storage.Storage._iter_indexes


def iter_indexes(self, db, coll):
    """Returns the definitions as `_iter_indexes` of SecantusDB. Within an operation, keeps them."""
    known = getattr(self._tls, "definitions", None)
    if known is None:
        return read_all(self, db, coll)
    if (db, coll) not in known:
        known[db, coll] = list(read_all(self, db, coll))
    return known[db, coll]


def once(operation):
    """Returns the operation, which forgets the definitions when it ends."""

    @wraps(operation)
    def run(self, *args, **options):
        outer = getattr(self._tls, "definitions", None)
        self._tls.definitions = {}
        try:
            return operation(self, *args, **options)
        finally:
            self._tls.definitions = outer

    return run


def install():
    storage.Storage._iter_indexes = iter_indexes
    for name in OPERATIONS:
        setattr(storage.Storage, name, once(getattr(storage.Storage, name)))
