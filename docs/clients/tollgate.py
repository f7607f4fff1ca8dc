"""The client of Tollgate for Python 3.8 and newer. Copy this file into your project.

    tollgate = Tollgate(os.environ["TOLLGATE_API_KEY"], "https://api.pay.example")
    payment = tollgate.payments.create(
        amount=12500,
        currency="AMD",
        return_url="https://shop.example/return",
        idempotency_key="order-1001",
    )

It needs the standard library only. Amounts are integers in the currency's minor unit: 1900 is
19.00 EUR. Objects are dicts. They keep every field that the service sends, known here or not.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from email.message import Message
from typing import Any, Dict, Iterable, Iterator, Mapping, NamedTuple

VERSION = "0.1.0"

# The longest wait of the client's own, after any number of retries.
_DELAY_MAX_SECONDS = 8.0
# If the service asks for a longer wait, the caller gets the error at once.
_RETRY_AFTER_MAX_SECONDS = 60
_OPEN_STATUSES = ("created", "processing")

# The fields of these dicts are in the service's reference.
Payment = Dict[str, Any]
Refund = Dict[str, Any]
Event = Dict[str, Any]


class TollgateError(Exception):
    """The base of all errors of this module. None contains the API key or a secret."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class TollgateUsageError(TollgateError):
    """A mistake in the calling program. No request was sent."""


class TollgateApiError(TollgateError):
    """An error response. With a status below 500, the request had no effect."""

    def __init__(self, status: int, headers: Message, fields: dict[str, Any], key: str | None):
        super().__init__(fields.get("message") or f"The response has status {status}.")
        self.status = status
        # Stable: branch on this. `unknown` if the response is not Tollgate's, but a proxy's.
        self.code: str = fields.get("code") or "unknown"
        # The first parameter that is wrong. `errors` has everything that is wrong.
        self.param: str | None = fields.get("param")
        self.errors: list[dict[str, Any]] = fields.get("errors") or []
        self.doc_url: str | None = fields.get("doc_url")
        # The request's id in the service's log. Quote it when you ask for help.
        self.request_id: str | None = fields.get("request_id") or headers.get("Request-Id")
        seconds = headers.get("Retry-After") or ""
        self.retry_after = int(seconds) if re.fullmatch("[0-9]{1,9}", seconds) else None
        self.idempotency_key = key
        self.retryable = status in (408, 429) or status >= 500

    def __str__(self) -> str:
        return f"{self.message} ({self.code}, {self.request_id})"


class TollgateConnectionError(TollgateError):
    """No usable response, so the effect is unknown. Call again with `idempotency_key`."""

    def __init__(self, message: str, idempotency_key: str | None, retryable: bool = True) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        self.retryable = retryable


class WebhookVerificationError(TollgateError):
    """A webhook request that must not be trusted. Respond with `status`."""

    status = 400


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Reports a redirect as an error. Following it would send the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Call(NamedTuple):
    """A request, the same for every try. It is a POST if it has `data`."""

    path: str
    expects: str
    data: bytes | None = None
    key: str | None = None


class _Transport:
    def __init__(self, api_key: str, base_url: str, timeout: float, max_retries: int) -> None:
        self._api_key = api_key
        self._base_url = base_url
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def get(self, path: str, expects: str, params: Mapping[str, Any]) -> dict[str, Any]:
        query = _query_of(params)
        return self._send(_Call(path + (f"?{query}" if query else ""), expects))

    def post(self, path: str, expects: str, body: object, key: str | None) -> dict[str, Any]:
        key = str(uuid.uuid4()) if key is None else key
        if not isinstance(key, str) or not re.fullmatch("[!-~]{1,255}", key):
            raise TollgateUsageError("idempotency_key must be 1 to 255 visible ASCII characters.")
        try:
            data = json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError) as cause:
            raise TollgateUsageError(f"A parameter cannot be sent as JSON: {cause}") from cause
        return self._send(_Call(path, expects, data, key))

    def _send(self, call: _Call) -> dict[str, Any]:
        retries = 0
        while True:
            try:
                return self._attempt(call)
            except (TollgateApiError, TollgateConnectionError) as error:
                seconds = getattr(error, "retry_after", None) or 0
                is_last = retries >= self._max_retries or seconds > _RETRY_AFTER_MAX_SECONDS
                if is_last or not error.retryable:
                    raise
            # Full jitter: clients that were cut off together do not retry together.
            own = random.random() * min(_DELAY_MAX_SECONDS, 0.5 * 2**retries)
            time.sleep(seconds + own)
            retries += 1

    def _attempt(self, call: _Call) -> dict[str, Any]:
        key = call.key
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json"}
        headers["User-Agent"] = f"tollgate-python/{VERSION}"
        if key is not None:
            headers.update({"Content-Type": "application/json", "Idempotency-Key": key})
        request = urllib.request.Request(self._base_url + call.path, call.data, headers)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                value = _parse(response.read())
        except urllib.error.HTTPError as error:
            with error:
                found = _parse_error(error)
            raise TollgateApiError(error.code, error.headers, found, key) from None
        except (OSError, http.client.HTTPException) as cause:
            message = f"The service could not be reached: {cause or type(cause).__name__}"
            raise TollgateConnectionError(message, key) from cause
        if isinstance(value, dict) and value.get("object") == call.expects:
            return value
        message = f"The response has no {call.expects}; check base_url."
        raise TollgateConnectionError(message, key, retryable=False)


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _parse_error(error: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        value = _parse(error.read())
    except (OSError, http.client.HTTPException):
        return {}
    found = value.get("error") if isinstance(value, dict) else None
    # A proxy's error may have another form.
    return found if isinstance(found, dict) and isinstance(found.get("code"), str) else {}


def _query_of(params: Mapping[str, Any]) -> str:
    """Returns the query string. `{"gte": 1}` becomes `name[gte]=1`; a list is joined by commas."""
    pairs = []
    for name, value in params.items():
        bounds = value.items() if isinstance(value, dict) else [(None, value)]
        for bound, each in bounds:
            if isinstance(each, (list, tuple, set)):
                each = ",".join(each)
            if isinstance(each, datetime):
                each = each.astimezone().isoformat()
            if each is not None:
                pairs.append((name if bound is None else f"{name}[{bound}]", each))
    return urllib.parse.urlencode(pairs)


def _path_of(id: str) -> str:
    if not isinstance(id, str) or not id.strip():
        raise TollgateUsageError("The id is empty. Did an earlier step not store it?")
    # Dots would name another resource.
    if id in (".", ".."):
        raise TollgateUsageError("The id is not a Tollgate id.")
    return urllib.parse.quote(id, safe="", errors="replace")


class _Resource:
    """Objects of one kind, such as those of `/v1/refunds`."""

    def __init__(self, transport: _Transport, path: str, object: str) -> None:
        self._transport = transport
        self._path = path
        self._object = object

    def retrieve(self, id: str) -> dict[str, Any]:
        """Returns the object as it is now; an event as it was sent."""
        return self._transport.get(f"{self._path}/{_path_of(id)}", self._object, {})

    def page(self, **params: Any) -> dict[str, Any]:
        """Returns one page as it is: its objects are `data`, newest first."""
        return self._transport.get(self._path, "list", params)

    def list(self, **params: Any) -> Iterator[dict[str, Any]]:
        """Yields every object of all pages, newest to oldest; with `ending_before` the reverse.

        `limit` is the length of a page. Filters are as in the service's reference; those with
        bounds are dicts, such as `created_at={"gte": datetime(...)}`.
        """
        is_forward = params.get("ending_before") is not None
        seen: set[str] = set()
        while True:
            page = self.page(**params)
            found = page["data"][::-1] if is_forward else page["data"]
            fresh = [each for each in found if each["id"] not in seen]
            seen.update(each["id"] for each in fresh)
            yield from fresh
            if not page["has_more"]:
                return
            if not fresh:
                message = "The list does not end: a page has nothing new."
                raise TollgateConnectionError(message, None, retryable=False)
            params["ending_before" if is_forward else "starting_after"] = fresh[-1]["id"]


class Reconciled(NamedTuple):
    """Payments by their status; ids that the service does not know; and what failed."""

    settled: list[Payment]
    open: list[Payment]
    missing: list[str]
    failed: list[tuple[str, TollgateError]]


class Payments(_Resource):
    def create(
        self,
        *,
        amount: int,
        currency: str,
        return_url: str,
        idempotency_key: str | None = None,
        **more: Any,
    ) -> Payment:
        """Creates a payment. Send the customer to its `checkout_url`.

        Give an `idempotency_key` that belongs to the order: the order then has one payment,
        however often you call this. Without one, only the client's own retries are safe.
        """
        body = {"amount": amount, "currency": currency, "return_url": return_url, **more}
        return self._transport.post(self._path, self._object, body, idempotency_key)

    def update(self, id: str, *, idempotency_key: str | None = None, **params: Any) -> Payment:
        """Changes the `metadata` and `description` of an open payment, and returns it.

        `None` removes a key of the metadata, and keys that are left out stay.
        """
        path = f"{self._path}/{_path_of(id)}"
        return self._transport.post(path, self._object, params, idempotency_key)

    def cancel(self, id: str, *, idempotency_key: str | None = None, **params: Any) -> Payment:
        """Cancels a payment that the customer has not begun to pay, and returns it."""
        path = f"{self._path}/{_path_of(id)}/cancel"
        return self._transport.post(path, self._object, params, idempotency_key)

    def reconcile(self, open_ids: Iterable[str], *, concurrency: int = 5) -> Reconciled:
        """Retrieves the payments that are still open in your records, and sorts them by status.

        Run it on a timer: it finds payments whose webhook you missed. Each id is retrieved once,
        and one that fails does not stop the others.
        """
        if isinstance(open_ids, str):
            raise TollgateUsageError("Pass the ids as a list.")
        result = Reconciled([], [], [], [])
        ids = list(dict.fromkeys(open_ids))
        with ThreadPoolExecutor(max_workers=concurrency) as pool:
            for id, found in zip(ids, pool.map(self._find, ids)):
                if not isinstance(found, TollgateError):
                    is_open = found["status"] in _OPEN_STATUSES
                    (result.open if is_open else result.settled).append(found)
                elif isinstance(found, TollgateApiError) and found.code == "resource_missing":
                    result.missing.append(id)
                else:
                    result.failed.append((id, found))
        return result

    def _find(self, id: str) -> Payment | TollgateError:
        try:
            return self.retrieve(id)
        except TollgateError as error:
            return error


class Refunds(_Resource):
    def create(self, *, payment_id: str, idempotency_key: str | None = None, **more: Any) -> Refund:
        """Creates a refund. Without an `amount`, it refunds the whole remaining amount.

        Give an `idempotency_key` that belongs to the reason for the refund, so that a second
        click does not give the money back twice.
        """
        body = {"payment_id": payment_id, **more}
        return self._transport.post(self._path, self._object, body, idempotency_key)


class Currencies:
    def __init__(self, transport: _Transport) -> None:
        self._transport = transport

    def list(self) -> Iterator[dict[str, Any]]:
        """Yields every currency, in one request."""
        yield from self._transport.get("/v1/currencies", "list", {})["data"]


class Sandbox:
    """Test mode: decides in place of the customer and the bank. Needs a test key."""

    def __init__(self, transport: _Transport) -> None:
        self._transport = transport

    def outcome(self, payment_id: str, outcome: str) -> Payment:
        """Pays the payment with this outcome, such as `approve` or `card_declined`."""
        path = f"/v1/test/payments/{_path_of(payment_id)}/outcome"
        return self._transport.post(path, "payment", {"outcome": outcome}, None)

    def advance(self, payment_id: str, to: str) -> Payment:
        """Makes the next step due now: `expiry`, `bank_answer` or `next_webhook_attempt`."""
        path = f"/v1/test/payments/{_path_of(payment_id)}/advance"
        return self._transport.post(path, "payment", {"to": to}, None)


class Tollgate:
    """A client for one secret API key. Create one for the whole program; threads can share it.

    Retries connection errors, 408, 429 and 5xx, up to `max_retries` times. All tries of a POST
    have the same idempotency key. `timeout` is in seconds, for connecting and for each wait for
    data.
    """

    def __init__(
        self, api_key: str | None, base_url: str, *, timeout: float = 30.0, max_retries: int = 2
    ) -> None:
        if not api_key or not re.fullmatch("sk_(test|live)_[!-~]+", api_key):
            # Never shows the key: messages end up in logs.
            raise TollgateUsageError("api_key must be a secret key, sk_test_... or sk_live_...")
        if not re.fullmatch(r"https?://[^\s?#@]+", base_url) or base_url.rstrip("/")[-3:] == "/v1":
            raise TollgateUsageError("base_url must be the address of the API, without /v1.")
        transport = _Transport(api_key, base_url.rstrip("/"), timeout, max_retries)
        self.payments = Payments(transport, "/v1/payments", "payment")
        self.refunds = Refunds(transport, "/v1/refunds", "refund")
        self.events = _Resource(transport, "/v1/events", "event")
        endpoint = ("/v1/webhook-endpoints", "webhook_endpoint")
        self.webhook_endpoints = _Resource(transport, *endpoint)
        self.currencies = Currencies(transport)
        self.test = Sandbox(transport)


def read_secrets(setting: str | None) -> list[str]:
    """Returns the webhook secrets of a setting: one, or several separated by commas.

    Call it when your program starts: a malformed secret would refuse every webhook.
    """
    secrets = [text.strip() for text in (setting or "").split(",")]
    if not all(re.fullmatch("whsec_[A-Za-z0-9+/]{2,}={0,2}", secret) for secret in secrets):
        raise TollgateUsageError("The webhook secret is missing, or is not whsec_ and base64.")
    return secrets


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | list[str] | None,
    tolerance_seconds: int = 300,
) -> Event:
    """Returns the event of a genuine webhook request; else raises WebhookVerificationError.

    Pass the raw body and the headers of your framework's request. While a secret is being
    replaced, pass both: one that fits is enough.
    """
    if not isinstance(body, (bytes, bytearray)):
        raise TollgateUsageError("Pass the raw body as bytes: the signature covers them exactly.")
    wanted = read_secrets(",".join(secrets) if isinstance(secrets, list) else secrets)
    lower = [(name.lower(), value) for name, value in headers.items()]
    timestamps = [value for name, value in lower if name == "service-timestamp"]
    signatures = ",".join(value for name, value in lower if name == "service-signature")
    if len(timestamps) != 1 or not re.fullmatch("[0-9]{1,12}", timestamps[0]) or not signatures:
        raise WebhookVerificationError("The signature headers are missing or malformed.")
    if abs(int(time.time()) - int(timestamps[0])) > tolerance_seconds:
        message = f"It was signed more than {tolerance_seconds} s from now; check the clock."
        raise WebhookVerificationError(message)
    signed = timestamps[0].encode() + b"." + body
    macs = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in wanted]
    given = [part.strip().encode("utf-8", "replace") for part in signatures.split(",")]
    if not any(hmac.compare_digest(one, f"v1={mac}".encode()) for one in given for mac in macs):
        raise WebhookVerificationError("No signature fits. Check the secret and the raw body.")
    event = _parse(bytes(body))
    if isinstance(event, dict) and isinstance(event.get("id"), str) and "type" in event:
        return event
    raise WebhookVerificationError("The body is signed, but it is not an event.")
