"""Tollgate webhooks in Python, with the client beside this file. Run: python3 verify.py"""

import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tollgate import Tollgate, WebhookVerificationError, read_secrets, verify_webhook

# The limits keep a retrieval within the 15 seconds that Tollgate waits for the response.
tollgate = Tollgate(
    os.environ["TOLLGATE_API_KEY"].strip(),
    os.environ["TOLLGATE_API_URL"].strip(),
    timeout=5,
    max_retries=1,
)
# While a secret is being replaced, the setting has two, separated by a comma.
secrets = read_secrets(os.environ.get("TOLLGATE_WEBHOOK_SECRET"))
MAX_BODY_BYTES = 1024 * 1024

# Use your database instead, with a unique index on the event's id.
handled = set()


def handle(event: dict) -> None:
    """Acts on an event. If it raises, Tollgate sends the event again."""
    if event["type"] != "payment.completed":
        return
    # Only the payment itself is proof. Compare its amount and currency with your order.
    payment = tollgate.payments.retrieve(event["data"]["object"]["id"])
    if payment["status"] != "completed":
        raise RuntimeError(f"{payment['id']} is {payment['status']}")
    # Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
    print(f"paid: {payment['order_id']}", flush=True)


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
        try:
            event = verify_webhook(self.rfile.read(int(length)), self.headers, secrets)
            if event["id"] not in handled:
                handle(event)
            # Only now: if the work failed, Tollgate must send the event again.
            handled.add(event["id"])
            return 200
        except WebhookVerificationError as error:
            return error.status
        except Exception as error:
            self.log_error("%r", error)
            return 500


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
