"""Verifies that a webhook is from Fairway, unchanged and recent."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping, Protocol, Sequence, Union

from ._answer import parse_json

if TYPE_CHECKING:
    from . import types

WebhookFault = Literal["missing_signature", "wrong_signature", "too_old", "unreadable"]


class HeaderItems(Protocol):
    """Headers of a framework: a dict, an `email.message.Message`, or a type of its own."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


WebhookHeaders = Union[HeaderItems, Iterable["tuple[Any, Any]"]]
"""Names and values, as text or bytes. A repeated header may be several pairs, or one with a list."""


class WebhookVerificationError(Exception):
    """The webhook is not authentic: ignore it and respond with 400."""

    def __init__(self, fault: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault

    def __reduce__(self) -> tuple[Any, ...]:
        # Python would copy it, or send it to another process, with the message alone.
        return type(self), (self.fault, str(self))


_tolerance_seconds = 300
"""The value used by the Standard Webhooks libraries."""
_event_age_seconds_max = 51 * 60 + _tolerance_seconds
"""The last of five attempts is made 51 minutes after the first."""
_secret_bytes_min = 24
"""The minimum of Standard Webhooks. Fairway's own have 32."""
_signatures_max = 10
"""Fairway sends at most five, one per valid secret. Limits the work for forged requests."""
_standard_names = ("webhook-id", "webhook-timestamp", "webhook-signature")
_contract_name = "x-svc-signature"
_names = (*_standard_names, _contract_name)


def verify_webhook(
    body: bytes | str,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = _tolerance_seconds,
    require_timestamp: bool = True,
    event_age_seconds_max: float = _event_age_seconds_max,
    now_seconds: float | None = None,
) -> types.WebhookEvent:
    """Returns the event if it is authentic; raises WebhookVerificationError if it is not.

    `body` is the raw request body, not the result of a body parser. `secret` is the secret from the registration;
    during a rotation, pass both the old and the new one. `require_timestamp=False` accepts requests with
    `X-SVC-Signature` alone, which signs no timestamp: whoever has seen one can send it again, until the event is older
    than `event_age_seconds_max`. Fairway itself always sends both. `now_seconds` is the current time, for tests.
    """
    raw = _bytes_of(body)
    secrets = [secret] if secret is None or isinstance(secret, (str, bytes)) else list(secret)
    if not secrets:
        raise ValueError("Pass at least one secret to verify a webhook.")
    keys = [_key_of(one) for one in secrets]
    now = time.time() if now_seconds is None else now_seconds
    values = _values_of(headers)
    standard = _standard_of(values)
    if standard is not None:
        _check_standard(raw, standard, keys)
        _check_time(now - int(standard.timestamp), tolerance_seconds, tolerance_seconds, "was sent")
        return _event_of(raw)
    signature = values.get(_contract_name, [])
    if len(signature) != 1 or require_timestamp:
        raise _missing()
    if not _any_valid([key.contract for key in keys], [_from_hex(signature[0])], raw):
        raise _wrong("X-SVC-Signature")
    event = _event_of(raw)
    _check_time(now - _seconds_of(event), event_age_seconds_max, tolerance_seconds, "was created")
    return event


@dataclass(frozen=True)
class _Standard:
    id: str
    timestamp: str
    signatures: str


@dataclass(frozen=True)
class _Keys:
    contract: bytes
    """The secret text, including its prefix."""
    standard: bytes
    """The decoded secret."""


def _values_of(headers: WebhookHeaders) -> dict[str, list[str]]:
    """All values of the signatures' headers, by lower-case name."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    values: dict[str, list[str]] = {}
    for pair_name, value in pairs:
        name = _text(pair_name).lower()
        if name in _names and value is not None:
            several = value if isinstance(value, (list, tuple)) else [value]
            values.setdefault(name, []).extend(_text(one) for one in several)
    return values


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _standard_of(values: Mapping[str, list[str]]) -> _Standard | None:
    """None if all three are missing. Rejects an incomplete set, so that an attacker cannot bypass the timestamp."""
    found = [values.get(name, []) for name in _standard_names]
    if not any(found):
        return None
    if any(len(one) != 1 for one in found):
        raise _missing()
    return _Standard(found[0][0], found[1][0], found[2][0])


def _key_of(secret: str) -> _Keys:
    is_secret = isinstance(secret, str) and secret.startswith("whsec_")
    standard = _from_base64(secret[len("whsec_") :]) if is_secret else None
    if standard is None or len(standard) < _secret_bytes_min:
        raise ValueError(
            f"The secret must be whsec_ followed by base64 of at least {_secret_bytes_min} bytes, "
            "exactly as returned by the registration."
        )
    return _Keys(secret.encode(), standard)


def _bytes_of(body: bytes | str) -> bytes:
    """Raises ValueError for a bug in the receiver, such as a parsed body."""
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise ValueError("The body must be the raw text or bytes: a parsed body cannot be verified.")


def _check_standard(body: bytes, standard: _Standard, keys: Sequence[_Keys]) -> None:
    """Tries all pairs of keys and signatures, since a rotation has several of each."""
    signed = f"{standard.id}.{standard.timestamp}.".encode("utf-8", "surrogatepass") + body
    items = standard.signatures.split(" ")[:_signatures_max]
    candidates = [_from_base64(item[3:]) for item in items if item.startswith("v1,")]
    is_time = re.fullmatch(r"[0-9]{1,12}", standard.timestamp) is not None
    if not is_time or not _any_valid([key.standard for key in keys], candidates, signed):
        raise _wrong("webhook-signature")


def _any_valid(secrets: Sequence[bytes], signatures: Sequence[bytes | None], signed: bytes) -> bool:
    is_valid = False
    for secret in secrets:
        expected = hmac.new(secret, signed, hashlib.sha256).digest()
        for signature in signatures:
            is_valid = hmac.compare_digest(expected, signature or b"") or is_valid
    return is_valid


def _missing() -> WebhookVerificationError:
    return WebhookVerificationError(
        "missing_signature",
        "The signature is missing or incomplete: webhook-id, webhook-timestamp and webhook-signature are needed, "
        "each once.",
    )


def _wrong(header: str) -> WebhookVerificationError:
    return WebhookVerificationError(
        "wrong_signature", f"{header} does not match: check the secret, and that the body is unchanged."
    )


def _check_time(age: float, age_max: float, ahead_max: float, verb: str) -> None:
    """Allows times in the future only within the clock tolerance."""
    if not -ahead_max <= age <= age_max:
        raise WebhookVerificationError(
            "too_old",
            f"The event {verb} {age:.0f} seconds ago; the accepted range is {-ahead_max:g} to {age_max:g}.",
        )


def _seconds_of(event: types.WebhookEvent) -> float:
    """The time of creation; before all time if there is none."""
    try:
        text = str(event.get("created_at"))
        # Python 3.10 does not read the Z.
        return datetime.fromisoformat(re.sub(r"Z$", "+00:00", text)).timestamp()
    except (ValueError, OverflowError, OSError):
        return float("-inf")


def _event_of(body: bytes) -> types.WebhookEvent:
    try:
        value: types.WebhookEvent = parse_json(body.decode("utf-8-sig"))
        if isinstance(value, dict) and "event" in value:
            return value
    except (ValueError, RecursionError):
        pass
    raise WebhookVerificationError("unreadable", "The body is not a Fairway event.")


def _from_base64(text: str) -> bytes | None:
    """None if the text is not base64."""
    if re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", text) is None or len(text) % 4 != 0:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _from_hex(text: str) -> bytes | None:
    """None if the text is not hexadecimal."""
    return bytes.fromhex(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) else None
