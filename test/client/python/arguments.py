"""What callers pass by mistake, and what may be passed: clients, calls, webhooks and copies of errors."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from typing import Any, Callable

import fairway
from fairway import FairwayClient, FairwayError, WebhookVerificationError, verify_webhook

given: dict[str, Any] = json.loads(sys.stdin.readline())
key = "pk_test_topsecret"
secret: str = given["secret"]


def refused(work: Callable[[], object]) -> None:
    try:
        work()
    except ValueError as error:
        assert key not in str(error) and "whsec_x" not in str(error), error
    else:
        raise AssertionError("a mistake was not refused")


def fault(work: Callable[[], object]) -> str:
    try:
        work()
    except WebhookVerificationError as error:
        return error.fault
    return "none"


for url in [
    "http://a..b",
    f"http://{'a' * 64}.example.com",
    "http://a\\b",
    "http://a,b",
    "http://a%2eb",
    "http://a[::1]",
    "http://[::1",
    "http://[fe80::1%25eth0]",
    "http://a:",
    "http://a:70000",
    "http://ü.example.com",
    "http://a b",
    None,
    b"http://a",
]:
    refused(lambda: FairwayClient(url))  # type: ignore[arg-type]
ipv6 = FairwayClient("HTTP://[::1]:80/base//")
assert ipv6.base_url == "http://[::1]:80/base"

for name in ("max_retries", "timeout_seconds", "total_timeout_seconds"):
    for wrong in (True, "5", [], -1, float("nan")):
        limits: dict[str, Any] = {name: wrong}
        refused(lambda: FairwayClient("http://a", key, **limits))

client: Any = FairwayClient(given["url"], key, max_retries=0)
for call in [
    lambda: client.verify(None),
    lambda: client.verify("GB-NG"),
    lambda: client.verify({("corridor",): 1}),
    lambda: client.verify({"corridor": "\ud800"}),
    lambda: client.verify({"corridor": "GB-NG"}, idempotency_key=b"k"),
    lambda: client.batch_report("r", format="pdf"),
    lambda: client.audit("\ud800"),
    lambda: client.audit(None),
]:
    refused(call)
body = {"corridor": "GB-NG", "more": [1]}
before = copy.deepcopy(body)
try:
    client.verify(body, mode="live\r\nx: y")
except FairwayError as error:
    copies = (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error)))
    for one in copies:
        assert type(one) is fairway.InvalidRequestError
        assert (str(one), vars(one)) == (str(error), vars(error))
    assert key not in f"{error} {error!r} {vars(error)} {client!r} {client._settings!r}"
assert body == before

# A response in an encoding that was not asked for is neither a decision nor a table.
for read in (client.health, lambda: client.batch_assess("corridor\n", format="csv")):
    try:
        read()
    except fairway.UnexpectedAnswerError as error:
        assert "compressed" in str(error)
    else:
        raise AssertionError("a compressed response was taken")

raw: str = given["body"]
headers: dict[str, str] = given["headers"]
now: float = given["now"]
accepted: list[Any] = [
    headers,
    list(headers.items()),
    [(name.upper().encode(), value.encode()) for name, value in headers.items()],
    {name: [value] for name, value in headers.items()},
    {**headers, "content-length": 5, "x-none": None, "wsgi.input": iter(())},
]
for one in accepted:
    for text in (raw, raw.encode(), bytearray(raw.encode()), memoryview(raw.encode())):
        event = verify_webhook(text, one, secret, now_seconds=now)  # type: ignore[arg-type]
        assert event["event"] == "webhook.test"
stamp = headers["webhook-timestamp"]
for other, expected in {
    f"{stamp} ": "wrong_signature",
    f"+{stamp}": "wrong_signature",
    stamp.translate({48 + digit: 0x660 + digit for digit in range(10)}): "wrong_signature",
    "\ud800": "wrong_signature",
}.items():
    changed = {**headers, "webhook-timestamp": other}
    assert fault(lambda: verify_webhook(raw, changed, secret, now_seconds=now)) == expected, other
twice = [*headers.items(), ("Webhook-Id", headers["webhook-id"])]
assert fault(lambda: verify_webhook(raw, twice, secret)) == "missing_signature"
without = {name: None if name == "webhook-id" else value for name, value in headers.items()}
assert fault(lambda: verify_webhook(raw, without, secret)) == "missing_signature"
assert fault(lambda: verify_webhook("\ud800", headers, secret)) == "wrong_signature"
mistaken: list[Any] = [None, secret.encode(), "", "whsec_x", [], [None], (secret, None)]
for one in mistaken:
    refused(lambda: verify_webhook(raw, headers, one))
refused(lambda: verify_webhook(json.loads(raw), headers, secret))
again = pickle.loads(pickle.dumps(WebhookVerificationError("too_old", "old")))
assert (again.fault, str(again)) == ("too_old", "old")
