"""Runs the Python examples of the guides for test/docs/examples.ts."""

import json
import sys

from tollgate import Tollgate

setup = json.load(sys.stdin)
names = {
    "tollgate": Tollgate(setup["key"], setup["url"]),
    "order": setup["order"],
    "open_payment_ids": [setup["order"]["payment_id"]],
    "last_event_id": setup["lastEventId"],
    "is_new": lambda id: True,
    "handle": lambda event: print("handled", event["type"]),
}
for guide, text in setup["programs"].items():
    print("==", guide)
    known = dict(names)
    exec(text, known)
    if "receive" in known:
        for headers in setup["deliveries"]:
            print(known["receive"](setup["body"].encode(), headers))
