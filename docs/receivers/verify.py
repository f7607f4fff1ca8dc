"""Tollgate webhooks with Python's standard library alone (3.9 or newer). Run: python3 verify.py"""

import hashlib
import hmac
import json
import os
import re
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API_URL = os.environ["TOLLGATE_API_URL"]
API_KEY = os.environ["TOLLGATE_API_KEY"]
# Several secrets with commas between them are all accepted: that is how you change one.
SECRETS = [text for text in os.environ["TOLLGATE_WEBHOOK_SECRET"].split(",") if text]
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024

# Use your database here, with a unique key on the event's id: a set is empty after a restart.
handled = set()


def is_genuine(body: bytes, timestamp: str, signatures: str, now: float) -> bool:
    """Whether Tollgate signed these bytes, at most 5 minutes from now either way."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    given = [part.strip().encode() for part in signatures.split(",")]
    message = timestamp.encode() + b"." + body
    genuine = False
    for secret in SECRETS:
        mac = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
        for one in given:
            # compare_digest takes as long for a near miss as for a far one.
            genuine |= hmac.compare_digest(one, b"v1=" + mac.encode())
    return genuine


def handle(event: dict) -> None:
    """What your shop does with an event. When it raises, Tollgate sends the event again."""
    if event["type"] != "payment.completed":
        return
    # The event is a reason to ask. This answer is the proof.
    payment = retrieve_payment(event["data"]["object"]["id"])
    if payment["status"] != "completed":
        raise RuntimeError(f"{payment['id']} is {payment['status']}")
    # Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
    # parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
    print(f"paid: {payment['order_id']}", flush=True)


def retrieve_payment(payment_id: str) -> dict:
    request = urllib.request.Request(
        f"{API_URL}/v1/payments/{payment_id}",
        headers={"Authorization": f"Bearer {API_KEY}"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


class Receiver(BaseHTTPRequestHandler):
    # Seconds for a sender that stops in the middle; without, it would hold a thread for ever.
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/webhooks" or not re.fullmatch(r"[0-9]{1,7}", length):
            return self.answer(400)
        if int(length) > MAX_BODY_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        timestamp = self.headers.get("Service-Timestamp", "")
        signatures = self.headers.get("Service-Signature", "")
        if not is_genuine(body, timestamp, signatures, time.time()):
            return self.answer(401)
        event = json.loads(body)
        try:
            if event["id"] not in handled:
                handle(event)
        except Exception as error:
            self.log_error("%s: %r", event["id"], error)
            return self.answer(500)
        # Only now: an event whose work failed has to come again.
        handled.add(event["id"])
        return self.answer(200)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "9000"))
    ThreadingHTTPServer(("", port), Receiver).serve_forever()
