"""Requests, limits and their checks. Misuse raises ValueError before anything is sent."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isfinite
from random import random
from typing import Any, Callable, Generic, Mapping, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from ._answer import Answer, json_of

T = TypeVar("T")
QueryValue = Union[str, int, float, Decimal, bool, None]


@dataclass(frozen=True)
class Request(Generic[T]):
    """One call of an operation. `T` is the type of its answer."""

    method: str
    path: str
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: object = None
    """An object is sent as JSON, text as CSV."""
    accept: str = "application/json"
    needs_key: bool = True
    has_effect: bool = False
    """Repeated only after a 429, which says that nothing happened."""
    idempotency_key: str | None = None
    """For verify: makes a retry safe."""
    read: Callable[[Answer], T] = json_of

    def with_query(self, **query: QueryValue) -> Request[T]:
        return replace(self, query={**self.query, **query})

    def target(self) -> str:
        """The path and the query."""
        query = {name: _query_text(value) for name, value in self.query.items() if value is not None}
        return f"{self.path}?{urlencode(query)}" if query else self.path

    def content(self) -> bytes | None:
        if self.body is None:
            return None
        if isinstance(self.body, str):
            return self.body.encode()
        try:
            text = json.dumps(self.body, allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=_number)
        except TypeError as error:  # A name that is no text.
            raise ValueError(str(error)) from None
        return text.encode()


def _query_text(value: QueryValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _number(value: object) -> float:
    """A Decimal as a number of JSON that is read as the same value."""
    if not isinstance(value, Decimal):
        raise ValueError(f"{type(value).__name__} cannot be sent as JSON")
    number = float(value)
    if not isfinite(number) or Decimal(repr(number)) != value:
        raise ValueError(f"{value} cannot be sent exactly: a JSON number has about 15 digits")
    return number


def path(template: str, *parts: str) -> str:
    """Encodes parts of a path. An empty part, `.` or `..` would address another path."""
    for part in parts:
        if not isinstance(part, str) or re.fullmatch(r"\.{0,2}", part):
            raise ValueError(f'"{part}" is not a valid id or corridor')
    return template.format(*(quote(part, safe="") for part in parts))


@dataclass(frozen=True)
class Service:
    """Where the service is."""

    url: str
    """Without a slash at the end."""
    is_https: bool
    host: str
    port: int
    authority: str
    path: str


def checked_base_url(text: str) -> Service:
    if not isinstance(text, str) or re.fullmatch(r"[\x21-\x7e]+", text) is None:
        raise ValueError("base_url must be a complete URL in ASCII, like https://fairway.example.com")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
        parts = urlsplit("")
    if not host:
        raise ValueError("base_url must be a complete URL, like https://fairway.example.com")
    if parts.scheme not in ("http", "https"):
        raise ValueError("base_url must use http or https")
    if "@" in parts.netloc:
        raise ValueError("base_url must not contain a user name or password")
    if "?" in text or "#" in text:
        raise ValueError("base_url must not contain a query or fragment")
    if not _is_authority(parts.netloc, host):
        raise ValueError("base_url must have the name or address of a host, like https://fairway.example.com")
    root = parts.path.rstrip("/")
    is_https = parts.scheme == "https"
    url = f"{parts.scheme}://{parts.netloc.lower()}{root}"
    if port is None:
        port = 443 if is_https else 80
    return Service(url, is_https, host, port, parts.netloc.lower(), root)


def _is_authority(authority: str, host: str) -> bool:
    try:
        host.encode("idna")  # As connecting does: it refuses empty labels and those of more than 63 characters.
    except UnicodeError:
        return False
    return re.fullmatch(r"([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?", authority) is not None


def checked_key(key: str) -> str:
    if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]+", key):
        return key
    raise ValueError("api_key must be the key exactly as issued, without spaces or line breaks")


def checked_idempotency_key(in_body: str | None, in_option: str | None) -> str | None:
    """The key of the body or of the option; None if neither has one."""
    if in_body is not None and in_option is not None and in_body != in_option:
        raise ValueError("idempotency_key differs in the body and the argument: send one, or the same twice")
    key = in_body if in_option is None else in_option
    if key is None or (isinstance(key, str) and re.fullmatch(r"[\x20-\x7e]{1,255}", key)):
        return key
    raise ValueError("The idempotency key must have 1 to 255 printable ASCII characters")


@dataclass(frozen=True)
class Limits:
    """The bounds of a call. The defaults are those that the contract prescribes for a 500."""

    max_retries: int = 4
    timeout_seconds: float = 10
    total_timeout_seconds: float = 60

    def changed(
        self, max_retries: int | None, timeout_seconds: float | None, total_timeout_seconds: float | None
    ) -> Limits:
        """Rejects NaN, with which a call would never end or never start."""
        limits = Limits(
            self.max_retries if max_retries is None else max_retries,
            self.timeout_seconds if timeout_seconds is None else timeout_seconds,
            self.total_timeout_seconds if total_timeout_seconds is None else total_timeout_seconds,
        )
        if isinstance(limits.max_retries, bool) or not isinstance(limits.max_retries, int) or limits.max_retries < 0:
            raise ValueError("max_retries must be a whole number, 0 or more")
        if not _is_positive(limits.timeout_seconds):
            raise ValueError("timeout_seconds must be a number greater than 0")
        if not _is_positive(limits.total_timeout_seconds):
            raise ValueError("total_timeout_seconds must be a number greater than 0")
        return limits


def _is_positive(seconds: float) -> bool:
    return isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0


@dataclass(frozen=True)
class Runtime:
    """The clock, random numbers and sleep, replaceable for tests."""

    now: Callable[[], float] = time.monotonic
    """Monotonic seconds from an arbitrary start."""
    random: Callable[[], float] = random
    """From 0 (inclusive) to 1 (exclusive)."""
    sleep: Callable[[float], Any] | None = None
    """Takes seconds; for the asynchronous client, returns an awaitable. Defaults to the standard library's."""
