"""Writes random rows to SecantusDB and lists them: `compare.py <seed> [ours]`.

Prints the results of all writes and lists, the number of lists that an index serves, and the most
documents that one of these has decoded beyond its limit. With `ours`, SecantusDB has the changes of
the stand-in.
"""

import json
import random
import sys
import tempfile

import definitions
import lists
import retries
import tablekeys
from secantus import transactions
from secantus.storage import Storage
from wiredtiger import swig_wiredtiger as wiredtiger

ROWS = 200
STEPS = 400
INDEXES = (
    {"m": 1, "_id": -1},
    {"m": 1, "status": 1, "_id": -1},
    {"m": 1, "terms": 1, "_id": -1},
    {"tag": 1},
)

random.seed(int(sys.argv[1]))
if "ours" in sys.argv:
    for part in (definitions, lists, retries, tablekeys):
        part.install()
transactions._RETRYABLE_RECORD_MAX = 10
transactions._RETRYABLE_RECORD_LIFETIME_SECONDS = 60.0
decoded = 0
fetch = Storage._docs_by_recordids


def counting(self, db, coll, recordids):
    global decoded
    docs = fetch(self, db, coll, recordids)
    decoded += len(docs)
    return docs


def row(nth):
    return {
        "_id": f"pay_{nth * 7919 % ROWS:06d}",
        "m": random.choice("aab"),
        "status": random.choice(["created", "failed", "failed"]),
        "terms": random.sample(["=1", "*4242", "till:1", "till:2"], 2),
        "amount": random.randrange(3),
        # One index holds the first arrays only after a while, and strings that contain NUL.
        "tag": random.choice(["x", "x\0y", "", None]) if nth < ROWS else ["x", str(nth)],
        "order": f"order\0{nth}",
    }


def list_of():
    """Returns the filter and the options of a list, most of which an index serves."""
    fields = random.choice(
        [{}, {}, {"status": "failed"}, {"terms": "till:1"}, {"status": {"$ne": "failed"}}]
        + [{"tag": "x"}, {"tag": "x\0y"}, {"amount": 1}, {"terms": None}, {"status": {"$in": ["created", "failed"]}}]
    )
    names = random.choice([[], [], ["$lt"], ["$gt"], ["$lte"], ["$gte"], ["$gt", "$lt"]])
    names = random.choice([names, names, ["$gte", "$lt"], ["$gt", "$gte"], ["$lte", "$gt"]])
    bounds = {name: f"pay_{random.randrange(ROWS):06d}" for name in names}
    found = {"m": random.choice("abc"), **fields, **({"_id": bounds} if bounds else {})}
    sort = random.choice([{"_id": -1}, {"_id": -1}, {"_id": 1}, {"amount": 1}, None])
    more = {"skip": 3} if random.random() < 0.1 else {}
    if random.random() < 0.3:
        more["projection"] = {"terms": 0}
    return found, {"sort": sort, "limit": random.choice([0, 1, 2, 25]), **more}


def is_narrow(found, options):
    """Returns true if an index has all results of the list in order, and few others."""
    plain = all(isinstance(value, str) for name, value in found.items() if name != "_id")
    plain = plain and "tag" not in found
    is_sorted = options["sort"] in ({"_id": 1}, {"_id": -1})
    start = "$l" if options["sort"] == {"_id": -1} else "$g"
    near = [name for name in found.get("_id", {}) if name.startswith(start)]
    return plain and is_sorted and len(near) < 2 and options["limit"] > 0


def write(place, nth):
    """Inserts, changes or deletes rows. Returns the result, or the name of the error."""
    some = {"_id": f"pay_{random.randrange(ROWS):06d}"}
    new_tag = random.choice(["x", "z", ["x", "z"] if nth > STEPS / 2 else "x"])
    change = {"$set": {"status": random.choice(["created", "failed"]), "tag": new_tag}}
    order = f"order\0{random.randrange(2 * ROWS)}"
    kind = random.choice(["insert", "update", "update", "unique", "many", "delete"])
    try:
        if kind == "insert":
            rows = [row(ROWS + nth), {**row(nth), "_id": f"new_{nth:06d}", "order": order}]
            return place.insert("db", "rows", rows if nth > STEPS / 2 else rows[1:])
        if kind == "delete":
            return place.delete_matching("db", "rows", some)
        if kind == "unique":
            change = {"$set": {"order": order}}
        found = {"m": "b", "amount": 1} if kind == "many" else some
        return place.update_matching("db", "rows", found, change, multi=kind == "many")
    except Exception as error:
        return type(error).__name__


def packed():
    """Returns random keys as they are packed, and unpacked again."""
    form = random.choice(["SS", "SSS", "SSSu", "SSq", "u", "q"])
    some = {"S": ["", "rows", "é", "cut\0here"], "u": [b"", b"a\0b", b"\0"], "q": [-1, 300]}
    key = wiredtiger.pack(form, *(random.choice(some[kind]) for kind in form))
    return bytes(key), wiredtiger.unpack(form, key)


def remembered():
    """Returns which results of 30 writes are remembered afterwards. At most 10 are, for a minute."""
    clock = 0
    registry = transactions.TransactionRegistry(time_func=lambda: clock)
    for nth in range(30):
        clock += random.choice([0, 1, 20])
        registry.record_retryable(b"session", nth, b"", {"ok": 1.0, "n": nth})
    return [registry.retryable_reply(b"session", nth, b"") for nth in range(30)]


with tempfile.TemporaryDirectory() as folder:
    place = Storage(folder, enable_oplog=False)
    for index in INDEXES:
        name = "_".join(f"{field}_{way}" for field, way in index.items())
        place.create_index("db", "rows", name, index)
    place.create_index("db", "rows", "order", {"order": 1}, options={"unique": True})
    place.insert("db", "rows", [row(nth) for nth in range(ROWS)])
    Storage._docs_by_recordids = counting
    results, beyond, narrow = [repr(remembered())], 0, 0
    for nth in range(STEPS):
        results.append(repr((packed(), write(place, nth))))
        found, options = list_of()
        decoded = 0
        results.append(repr(place.find_matching("db", "rows", found, **options)))
        if is_narrow(found, options):
            narrow += 1
            beyond = max(beyond, decoded - options["limit"] - options.get("skip", 0))
    place.close()
    print(json.dumps({"narrow": narrow, "results": results, "beyond": beyond}))
