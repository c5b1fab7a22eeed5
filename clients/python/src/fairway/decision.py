"""The result of verify: a decision or a hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union, overload

from ._answer import Answer, object_of, unexpected
from .errors import UnavailableError

if TYPE_CHECKING:
    from typing_extensions import TypeGuard

    from . import types


@dataclass(frozen=True)
class Hold:
    """The service could not decide (503), so the payment must wait.

    A hold is never an allow. It has no `decision`, and its truth cannot be tested, so that it cannot be mistaken for
    one.
    """

    message: str
    """The reason, for humans."""
    code: str | None
    """None if a proxy answered instead of Fairway."""
    request_id: str | None
    retry_after_seconds: float
    """Seconds to wait before the next attempt."""
    unavailable_signals: tuple[str, ...]
    signals_without_feed: tuple[str, ...]
    """Those of them for which no feed is set up: waiting does not help."""
    idempotency_key: str
    """Retry with this key and the same body, so that nothing is decided twice."""

    def __bool__(self) -> bool:
        raise TypeError("A hold is neither a yes nor a no: check isinstance(answer, Hold), or use allows(answer).")


VerifyResult = Union["types.VerifyResponse", Hold]
"""A type checker requires a check for `Hold` before any member of a decision, even `NO-GO`, can be read."""


@overload
def allows(value: VerifyResult) -> TypeGuard[types.VerifyResponse]: ...
@overload
def allows(value: str) -> bool: ...
def allows(value: VerifyResult | str) -> bool:
    """True for `GO` only: not for `DEGRADED`, a hold, or a decision unknown to this version."""
    if isinstance(value, Hold):
        return False
    return (value if isinstance(value, str) else value["decision"]) == "GO"


_hold_seconds = 120
"""For a 503 without `Retry-After`; the service sends the same value."""


def decided(answer: Answer) -> types.VerifyResponse:
    """Raises if the response contains no valid decision."""
    body: types.VerifyResponse = object_of(answer)
    if body.get("decision") in ("GO", "DEGRADED", "NO-GO"):
        return body
    raise unexpected("The response has no decision. Check that the URL is that of a Fairway service.", answer)


def hold_of(error: UnavailableError, idempotency_key: str) -> Hold:
    retry_after = error.retry_after_seconds
    return Hold(
        message=str(error),
        code=error.code,
        request_id=error.request_id,
        retry_after_seconds=_hold_seconds if retry_after is None else retry_after,
        unavailable_signals=error.unavailable_signals,
        signals_without_feed=error.signals_without_feed,
        idempotency_key=idempotency_key,
    )
