"""Makes the calls of test/docs/driver.ts, one on each line of the input, with the Python client."""

import json
import sys

import tollgate as module


def call(line):
    name, args, settings = line["name"], line["args"], line["settings"]
    if name == "verify":
        body, headers, secrets = args
        return module.verify_webhook(body.encode(), headers, secrets)["id"]
    client = module.Tollgate(
        settings["apiKey"],
        settings["baseUrl"],
        timeout=settings["timeoutMs"] / 1000,
        max_retries=settings["maxRetries"],
    )
    if name == "payments.reconcile":
        found = client.payments.reconcile(args[0])
        failed = [id for id, _ in found.failed]
        ids = lambda payments: [each["id"] for each in payments]
        return [ids(found.settled), ids(found.open), found.missing, failed]
    resource, action = name.split(".")
    bound = getattr(getattr(client, resource), action)
    if action == "list":
        return [each["id"] for each in bound(**args[0])]
    key = {"idempotency_key": line["key"]} if line.get("key") is not None else {}
    if action == "create":
        return bound(**args[0], **key)
    return bound(*args, **key)


for text in sys.stdin:
    try:
        answer = {"value": call(json.loads(text))}
    except module.TollgateError as error:
        about = {"name": type(error).__name__, "text": str(error)}
        about["status"] = getattr(error, "status", None)
        answer = {"error": {**about, **vars(error)}}
    print(json.dumps(answer), flush=True)
