"""The error classes of the clients. All have the same attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from . import types


class FairwayError(Exception):
    """The base class of all errors of a call."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        unavailable_signals: Sequence[str] = (),
        signals_without_feed: Sequence[str] = (),
        errors: Sequence[types.ErrorErrorsItem] = (),
        idempotency_key: str | None = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status; None without a response."""
        self.code = code
        """A stable code for programs; None if the response was not from Fairway."""
        self.request_id = request_id
        """Quote it when you report the error."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds to wait before a retry, if the response specified them."""
        self.unavailable_signals = tuple(unavailable_signals)
        """With 503: the unavailable signals."""
        self.signals_without_feed = tuple(signals_without_feed)
        """Those of them for which no feed is set up: waiting does not help."""
        self.errors = tuple(errors)
        """With 400: each invalid member and what is wrong with it."""
        self.idempotency_key = idempotency_key
        """For verify: retry with this key and the same body, so that nothing is decided twice."""
        self.attempts = attempts
        """The number of attempts made."""


class InvalidRequestError(FairwayError):
    """400 and other 4xx without a class of their own: correct the request. `errors` lists what is wrong."""


class AuthenticationError(FairwayError):
    """401: the key is missing, malformed, unknown, expired or revoked."""


class PermissionError(FairwayError):
    """403: the key is valid but lacks permission, or `FOUR_EYES`: your own proposal."""


class NotFoundError(FairwayError):
    """404: no such record for this key."""


class ConflictError(FairwayError):
    """409: a reused idempotency key, a second override or outcome, or a change that the state forbids."""


class UnprocessableError(FairwayError):
    """422: the request is well formed, but cannot be fulfilled."""


class RateLimitError(FairwayError):
    """429, after all retries."""


class ServerError(FairwayError):
    """5xx, after all retries. For verify the result is unknown: hold."""


class UnavailableError(ServerError):
    """503: a dependency is unavailable. `verify` does not raise it: it returns a hold."""


class ConnectionError(FairwayError):
    """No response, after all retries. For verify the result is unknown: hold."""


class TimeoutError(ConnectionError):
    """No response in time."""


class UnexpectedAnswerError(FairwayError):
    """The response is not from Fairway: another service runs at this URL."""


_classes: dict[int, type[FairwayError]] = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_class(status: int) -> type[FairwayError]:
    if status in _classes:
        return _classes[status]
    return ServerError if status >= 500 else InvalidRequestError if status >= 400 else UnexpectedAnswerError
