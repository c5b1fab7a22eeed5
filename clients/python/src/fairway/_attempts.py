"""The attempts of one call: time-outs and safe retries (contract, section 7). Without a socket, for both clients."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Callable, Generator, Union

from ._answer import Answer, refusal
from ._http import BrokenResponse, Response
from ._request import Limits, Runtime
from .errors import ConnectionError, FairwayError, TimeoutError

_first_delay_seconds = 1.0
_delay_seconds_max = 60.0
_jitter = 0.1
_attempt_seconds_min = 1.0
"""With less time left, an attempt could succeed but be reported as a time-out."""
_timer_seconds_max = 1_000_000.0
"""Sockets, event loops and sleeps take no endless times."""

_transient = frozenset((408, 429, 500, 502, 503, 504))
"""Retried if the call may be repeated."""
_refused = 429
"""Refused before any effect: always safe to repeat."""


def may_repeat(has_effect: bool, status: int | None) -> bool:
    """Whether to repeat a call after this status; None means no response."""
    if has_effect:
        return status == _refused
    return status is None or status in _transient


def retry_delay_seconds(attempt: int, retry_after_seconds: float | None, random: Callable[[], float]) -> float:
    """`Retry-After`, or 1 s doubling to 60 s with 10% jitter."""
    # Ignore zero: an immediate retry does not help.
    if retry_after_seconds is not None and retry_after_seconds > 0:
        return retry_after_seconds
    backoff = min(_first_delay_seconds * 2.0 ** min(attempt - 1, 16), _delay_seconds_max)
    return backoff * (1 - _jitter + 2 * _jitter * random())


@dataclass(frozen=True)
class Send:
    """Send the request, and answer with the response or the exception."""

    timeout_seconds: float


@dataclass(frozen=True)
class Wait:
    seconds: float


Outcome = Union[Response, Exception]
Attempts = Generator[Union[Send, Wait], Union[Outcome, None], Answer]


def attempts(has_effect: bool, idempotency_key: str | None, limits: Limits, runtime: Runtime) -> Attempts:
    """Returns a successful response; raises for anything else, after all retries."""
    deadline = runtime.now() + limits.total_timeout_seconds
    attempt = 0
    while True:
        attempt += 1
        # At least 1 ms, also if the sleep ended after the deadline.
        timeout = max(0.001, min(limits.timeout_seconds, deadline - runtime.now(), _timer_seconds_max))
        outcome = yield Send(timeout)
        if isinstance(outcome, Response) and outcome.status == 200:
            return Answer(outcome.headers, outcome.text, attempt, idempotency_key)
        error = _error_of(outcome, timeout, attempt, idempotency_key)
        delay = retry_delay_seconds(attempt, error.retry_after_seconds, runtime.random)
        left = deadline - runtime.now() - delay
        in_time = left >= min(limits.timeout_seconds, _attempt_seconds_min)
        if attempt > limits.max_retries or not in_time or not may_repeat(has_effect, error.status):
            raise error from (outcome if isinstance(outcome, Exception) else None)
        yield Wait(min(delay, _timer_seconds_max))


def is_failure(error: BaseException) -> bool:
    """Whether an exception says that there is no response, rather than that a program is wrong."""
    return isinstance(error, (OSError, BrokenResponse))


def _error_of(outcome: Outcome | None, timeout: float, attempt: int, idempotency_key: str | None) -> FairwayError:
    if isinstance(outcome, Response):
        return refusal(outcome, attempt, idempotency_key)
    if isinstance(outcome, builtins.TimeoutError):
        message = f"Fairway did not respond within {timeout:g} s."
        return TimeoutError(message, attempts=attempt, idempotency_key=idempotency_key)
    message = f"Fairway cannot be reached: {str(outcome) or type(outcome).__name__}."
    return ConnectionError(message, attempts=attempt, idempotency_key=idempotency_key)
