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
# While a secret is being replaced, the setting has two, separated by a comma.
SECRETS = [text.strip() for text in os.environ.get("TOLLGATE_WEBHOOK_SECRET", "").split(",")]
if not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{2,}={0,2}", secret) for secret in SECRETS):
    raise SystemExit("TOLLGATE_WEBHOOK_SECRET is missing, or is not whsec_ and base64")
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024

# Use your database instead, with a unique index on the event's id.
handled = set()


def is_genuine(body: bytes, timestamp: str, signatures: str) -> bool:
    """Returns True if Tollgate signed these bytes at most 5 minutes from now."""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    message = timestamp.encode() + b"." + body
    macs = [hmac.new(secret.encode(), message, hashlib.sha256).hexdigest() for secret in SECRETS]
    given = [part.strip().encode() for part in signatures.split(",")]
    return any(hmac.compare_digest(one, f"v1={mac}".encode()) for one in given for mac in macs)


def handle(event: dict) -> None:
    """Acts on an event. If it raises, Tollgate sends the event again."""
    if event["type"] != "payment.completed":
        return
    payment = event["data"]["object"]
    # `tollgate endpoint example` sends an example, whose payment does not exist.
    if not event["livemode"] and "tollgate_example" in payment["metadata"]:
        return
    # Only the payment itself is proof. Compare its amount and currency with your order.
    payment = retrieve_payment(payment["id"])
    if payment["status"] != "completed":
        raise RuntimeError(f"{payment['id']} is {payment['status']}")
    # Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
    print(f"paid: {payment['order_id']}", flush=True)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Raises an error on a redirect, which would send the key to another address."""

    def redirect_request(self, *_):
        return None


def retrieve_payment(payment_id: str) -> dict:
    url = f"{API_URL}/v1/payments/{payment_id}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {API_KEY}"})
    with urllib.request.build_opener(NoRedirect).open(request, timeout=10) as response:
        return json.load(response)


class Receiver(BaseHTTPRequestHandler):
    # Seconds without a byte, after which the connection is closed.
    timeout = 10

    def do_GET(self) -> None:
        self.send_error(405)

    def do_POST(self) -> None:
        self.send_response(self.receive())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        """Returns the status to respond with."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/webhooks" or not re.fullmatch(r"[0-9]{1,9}", length):
            return 400
        if int(length) > MAX_BODY_BYTES:
            return 413
        body = self.rfile.read(int(length))
        timestamp = self.headers.get("Service-Timestamp", "")
        if not is_genuine(body, timestamp, self.headers.get("Service-Signature", "")):
            return 400
        try:
            event = json.loads(body)
            if event["id"] not in handled:
                handle(event)
            # Only now: if the work failed, Tollgate must send the event again.
            handled.add(event["id"])
            return 200
        except Exception as error:
            self.log_error("%r", error)
            return 500


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
