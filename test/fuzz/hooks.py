"""Makes generated requests follow rules that no schema can express.

Changes only requests that are meant to be valid, and only where their validity depends on the
clock, on other parameters, or on stored objects.
"""

import datetime
import os
import random
import uuid

import schemathesis
from hypothesis import provisional

LIFETIME = datetime.timedelta(hours=1)

# The filters that cannot be combined with a key of the metadata.
OTHERS = ("status", "order_id")
# Every key leaves room for such a value. The limit is on both together.
MAX_VALUE_CHARS = 15
# A change adds to the keys that the payment has.
MAX_CHANGED_KEYS = 3

AMOUNTS = ("amount", "expected_refundable")

# Our own format.
schemathesis.openapi.format("http-url", provisional.urls())

# Completed payments, so that refunds can be accepted.
PAYMENTS = os.environ.get("FUZZ_PAYMENTS", "").split(",")

# These depend on stored objects, or on a rule about card numbers that no schema can express.
REFUSED_BY_STATE = {"cursor_invalid", "refund_too_large", "card_number_refused"}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if case.headers and "Idempotency-Key" in case.headers:
        # A key that was used with another body would be refused.
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if isinstance(case.body, dict) and isinstance(case.body.get("expires_at"), str):
        moment = datetime.datetime.now(datetime.timezone.utc) + LIFETIME
        case.body["expires_at"] = moment.isoformat()
    if isinstance(case.body, dict):
        # A schema accepts 100.0 as an integer, but the API refuses it.
        for name in AMOUNTS:
            if isinstance(case.body.get(name), float):
                case.body[name] = int(case.body[name])
    if case.operation.label == "POST /v1/payments/{payment_id}" and isinstance(case.body, dict):
        keep_few(case.body.get("metadata"))
    if case.operation.label == "POST /v1/refunds" and isinstance(case.body, dict):
        case.body["payment_id"] = random.choice([case.body["payment_id"], *PAYMENTS])
    if case.query:
        keep_one(case.query, ("starting_after", "ending_before"))
        keep_pair(case.query)


def keep_one(query, names):
    given = [name for name in names if name in query]
    for name in given[1:]:
        del query[name]


def keep_few(metadata):
    for name in list(metadata or ())[MAX_CHANGED_KEYS:]:
        del metadata[name]


def keep_pair(query):
    pairs = [name for name in query if name.startswith("metadata.")]
    keep_one(query, pairs)
    for name in pairs[:1]:
        query[name] = query[name][:MAX_VALUE_CHARS]
        for other in OTHERS:
            query.pop(other, None)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not (failure.code == "ST202" and code_of(response) in REFUSED_BY_STATE)


def code_of(response):
    error = response.json()
    return error.get("error", error).get("code")
