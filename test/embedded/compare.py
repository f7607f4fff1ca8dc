"""Compares the lists of the stand-in with those of SecantusDB by itself, over random rows.

Prints the lists that differ, the number of those that an index serves, and the most documents that
one of these has decoded beyond its limit.
"""

import json
import random
import sys
import tempfile

import standin
from secantus.storage import Storage

ROWS = 200
LISTS = 300
INDEXES = (
    {"m": 1, "_id": -1},
    {"m": 1, "status": 1, "_id": -1},
    {"m": 1, "terms": 1, "_id": -1},
)

random.seed(int(sys.argv[1]))
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
    }


def list_of(place):
    """Returns the filter and the options of a list, most of which an index serves."""
    fields = random.choice(
        [{}, {}, {"status": "failed"}, {"terms": "till:1"}, {"status": {"$ne": "failed"}}]
        + [{"amount": 1}, {"terms": None}, {"status": {"$in": ["created", "failed"]}}]
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
    is_sorted = options["sort"] in ({"_id": 1}, {"_id": -1})
    start = "$l" if options["sort"] == {"_id": -1} else "$g"
    near = [name for name in found.get("_id", {}) if name.startswith(start)]
    return plain and is_sorted and len(near) < 2 and options["limit"] > 0


with tempfile.TemporaryDirectory() as folder:
    place = Storage(folder, enable_oplog=False)
    for index in INDEXES:
        name = "_".join(f"{field}_{way}" for field, way in index.items())
        place.create_index("db", "rows", name, index)
    place.insert("db", "rows", [row(nth) for nth in range(ROWS)])
    Storage._docs_by_recordids = counting
    different, beyond, narrow = [], 0, 0
    for _ in range(LISTS):
        found, options = list_of(place)
        expected = standin.read_all(place, "db", "rows", found, **options)
        decoded = 0
        if place.find_matching("db", "rows", found, **options) != expected:
            different.append([found, options])
        if is_narrow(found, options):
            narrow += 1
            beyond = max(beyond, decoded - options["limit"] - options.get("skip", 0))
    place.close()
    print(json.dumps({"narrow": narrow, "different": different[:3], "beyond": beyond}))
