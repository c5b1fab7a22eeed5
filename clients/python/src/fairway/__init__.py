"""The Python client of Fairway, payment corridor verification: one decision before money moves.

It needs nothing but the standard library.
"""

from ._events import AsyncEventStream, EventStream
from ._listing import AsyncListing, Listing, Page
from ._request import Runtime
from ._version import version as __version__
from .aio import AsyncFairwayClient
from .client import FairwayClient
from .decision import Hold, VerifyResult, allows
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    FairwayError,
    InvalidRequestError,
    NotFoundError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnavailableError,
    UnexpectedAnswerError,
    UnprocessableError,
)
from .webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncEventStream",
    "AsyncFairwayClient",
    "AsyncListing",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "EventStream",
    "FairwayClient",
    "FairwayError",
    "Hold",
    "InvalidRequestError",
    "Listing",
    "NotFoundError",
    "Page",
    "PermissionError",
    "RateLimitError",
    "Runtime",
    "ServerError",
    "TimeoutError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "UnprocessableError",
    "VerifyResult",
    "WebhookVerificationError",
    "__version__",
    "allows",
    "verify_webhook",
]
