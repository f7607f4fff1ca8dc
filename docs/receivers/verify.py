"""Tollgate webhooks with Python's standard library alone (3.9 or newer). Run: python3 verify.py"""

import hashlib
import hmac
import json
import os
import re
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API_URL = os.environ["TOLLGATE_API_URL"].strip()
API_KEY = os.environ["TOLLGATE_API_KEY"].strip()
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024

# Use your database here, with a unique key on the event's id: a set is empty after a restart.
handled = set()


def read_secrets(setting: str) -> list:
    """All that are configured. Raises when one cannot be right: an empty key, say, is known to all."""
    # Several with commas between them are all accepted: that is how you change one.
    secrets = [text.strip() for text in setting.split(",") if text.strip()]
    if not secrets:
        raise ValueError("TOLLGATE_WEBHOOK_SECRET is missing")
    for number, secret in enumerate(secrets, start=1):
        if not re.fullmatch(r"whsec_[A-Za-z0-9+/]{2,}={0,2}", secret):
            which = f"secret {number} of {len(secrets)}"
            raise ValueError(f"TOLLGATE_WEBHOOK_SECRET: {which} is not whsec_ and base64")
    return secrets


# Read at the start, so that a wrong one ends this program here, and not each request.
SECRETS = read_secrets(os.environ.get("TOLLGATE_WEBHOOK_SECRET", ""))


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
    payment = event["data"]["object"]
    # Somebody tries this receiver out, with a payment that does not exist. Only in test mode.
    if not event["livemode"] and "tollgate_example" in payment["metadata"]:
        return
    # The event is a reason to ask. This answer is the proof.
    payment = retrieve_payment(payment["id"])
    if payment["status"] != "completed":
        raise RuntimeError(f"{payment['id']} is {payment['status']}")
    # Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
    # parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
    print(f"paid: {payment['order_id']}", flush=True)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another address; without one it is an error."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


API = urllib.request.build_opener(NoRedirect)


def retrieve_payment(payment_id: str) -> dict:
    request = urllib.request.Request(
        f"{API_URL}/v1/payments/{payment_id}",
        headers={"Authorization": f"Bearer {API_KEY}"},
    )
    with API.open(request, timeout=10) as response:
        return json.load(response)


class Receiver(BaseHTTPRequestHandler):
    # Seconds for a sender that stops in the middle; without, it would hold a thread for ever.
    timeout = 30

    def do_GET(self) -> None:
        self.answer(405)

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
        event = {}
        try:
            event = json.loads(body)
            if event["id"] not in handled:
                handle(event)
            # Only now: an event whose work failed has to come again.
            handled.add(event["id"])
            return self.answer(200)
        except Exception as error:
            self.log_error("%s: %r", event.get("id"), error)
            return self.answer(500)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "9000"))
    ThreadingHTTPServer(("", port), Receiver).serve_forever()
