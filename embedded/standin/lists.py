"""Stops at the limit of a list that an index sorts by `_id`, as mongod does.

By itself SecantusDB reads and sorts all documents that match: half a second for each page of a
merchant with 1,500 payments. The ids of a collection have one length, on which the order of an index
depends.
"""

from collections.abc import Mapping

from secantus import storage

BOUNDS = {"$gt", "$gte", "$lt", "$lte"}
# Greater than the rest of every index entry.
LAST = b"\xff" * 16

read_all = storage.Storage.find_matching


def find_matching(self, db, coll, filter=None, **options):
    """Reads as `find_matching` of SecantusDB, from the part of an index that has the results."""
    sort = dict(options.get("sort") or {})
    others = any(options.get(name) for name in ("hint", "collation", "min_bound", "max_bound"))
    limit = options.get("limit", 0)
    if others or limit <= 0 or not filter or sort not in ({"_id": 1}, {"_id": -1}):
        return read_all(self, db, coll, filter, **options)
    with self._lock:
        self._refresh_read_snapshot()
        wanted = limit + options.get("skip", 0)
        filter = narrowed(self, (db, coll), filter, (sort["_id"], wanted))
        return read_all(self, db, coll, filter, **options)


def narrowed(self, place, filter, order):
    """Returns the filter with a bound on `_id` beyond the last document that is wanted.

    Returns it unchanged unless an index has all its fields, and then `_id`.
    """
    direction, wanted = order
    bounds = filter.get("_id", {})
    fields = {name: value for name, value in filter.items() if name != "_id"}
    if not isinstance(bounds, Mapping) or not BOUNDS.issuperset(bounds):
        return filter
    if not all(isinstance(value, str) for value in fields.values()):
        return filter
    picked = self._pick_compound_range_index(*place, {**fields, "_id": {"$gt": ""}})
    near = [bounds[name] for name in starts(direction) if name in bounds]
    if picked is None or len(near) > 1:
        return filter
    entry = entry_at(self, (*place, picked[0]), keys_of(picked[1], fields, near), order)
    found = [] if entry is None else self._docs_by_recordids(*place, [entry])
    if not found:
        return filter
    far, op = found[0]["_id"], "$gte" if direction == -1 else "$lte"
    if op in bounds:
        far = max(far, bounds[op]) if direction == -1 else min(far, bounds[op])
    return {**filter, "_id": {**bounds, op: far}}


def starts(direction):
    """Returns the operators that bound the beginning of a list."""
    return ("$lt", "$lte") if direction == -1 else ("$gt", "$gte")


def keys_of(spec, fields, near):
    """Returns the beginning of all wanted entries, that of the first one, and its direction."""
    parts = [
        storage.encode_value_directed(fields[name], int(spec[name]), collation=None)
        for name in spec
        if name in fields
    ]
    prefix = storage.COMPOUND_SEP.join([*parts, b""])
    step = int(spec["_id"])
    first = [storage.encode_value_directed(value, step, collation=None) for value in near]
    return storage._escape_kb(prefix), storage._escape_kb(prefix + b"".join(first)), step


def entry_at(self, index, keys, order):
    """Returns the RecordId of the entry after `wanted` others; None if there are not so many."""
    prefix, first, step = keys
    direction, wanted = order
    cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
    is_forward = step == direction
    cursor.set_key(*index, first if is_forward else first + LAST)
    near = cursor.search_near()
    move = cursor.next if is_forward else cursor.prev
    is_before = near < 0 if is_forward else near > 0
    if near == storage.wt.WT_NOTFOUND or (is_before and move() != 0):
        return None
    # One more, because the first may be the bound itself.
    for nth in range(wanted + 1):
        *found, packed = cursor.get_key()
        packed = bytes(packed)
        if tuple(found) != index or not packed.startswith(prefix):
            return None
        if nth == wanted:
            return storage._unpack_entry(packed)[1]
        if move() != 0:
            return None


def install():
    storage.Storage.find_matching = find_matching
