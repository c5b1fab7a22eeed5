"""Reads responses: the body that was asked for, or the error."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any, Mapping

from ._http import Response
from .errors import FairwayError, UnexpectedAnswerError, error_class


@dataclass(frozen=True)
class Answer:
    """A response with status 200."""

    headers: Mapping[str, str]
    text: str
    attempts: int
    idempotency_key: str | None


def read_retry_after(text: str | None, now_seconds: float) -> float | None:
    """Parses seconds or an HTTP date; None if it is neither."""
    trimmed = (text or "").strip()
    if re.fullmatch(r"[0-9]+", trimmed):
        # The language reads no integer of thousands of digits.
        return int(trimmed) if len(trimmed) <= 9 else float(trimmed)
    if re.match(r"[A-Za-z]{3,9}, ", trimmed) is None:
        return None
    try:
        return max(0, ceil(parsedate_to_datetime(trimmed).timestamp() - now_seconds))
    except (ValueError, OverflowError):
        return None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def parse_json(text: str) -> Any:
    """Raises ValueError or RecursionError for anything else, such as NaN, which the standard library accepts."""
    return json.loads(text, parse_constant=_refuse_constant)


def _read_json(text: str) -> Any:
    """None if the text is not a JSON object or array."""
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None


def _unexpected_message(status: int) -> str:
    if 300 <= status < 400:
        return "The URL redirects to another, and the key is not sent there: set the final URL as base_url."
    return f"Unexpected response with status {status}, not from Fairway. Check the URL and any proxy."


def refusal(response: Response, attempts: int, idempotency_key: str | None) -> FairwayError:
    """The error in a response, with as many members as the response provides."""
    body = _read_json(response.text)
    members: dict[str, Any] = body if isinstance(body, dict) else {}

    def text_of(name: str) -> str | None:
        value = members.get(name)
        return value if isinstance(value, str) else None

    def items_of(name: str) -> list[Any]:
        value = members.get(name)
        return value if isinstance(value, list) else []

    message = text_of("message")
    return error_class(response.status)(
        _unexpected_message(response.status) if message is None else message,
        status=response.status,
        code=text_of("code"),
        request_id=text_of("request_id") or response.headers.get("x-request-id"),
        retry_after_seconds=read_retry_after(response.headers.get("retry-after"), time.time()),
        unavailable_signals=items_of("unavailable_signals"),
        signals_without_feed=items_of("signals_without_feed"),
        errors=items_of("errors"),
        idempotency_key=idempotency_key,
        attempts=attempts,
    )


def unexpected(message: str, answer: Answer) -> FairwayError:
    """A 200 that is not from Fairway. A decision may still have been made, so the error has the idempotency key."""
    return UnexpectedAnswerError(
        message,
        status=200,
        request_id=answer.headers.get("x-request-id"),
        idempotency_key=answer.idempotency_key,
        attempts=answer.attempts,
    )


def json_of(answer: Answer) -> Any:
    """The JSON body of a response."""
    body = _read_json(text_of(answer))
    if body is None:
        raise unexpected("The response is not JSON. Check that the URL is that of a Fairway service.", answer)
    return body


def object_of(answer: Answer) -> Any:
    body = json_of(answer)
    if not isinstance(body, dict):
        raise unexpected("The response is not an object. Check that the URL is that of a Fairway service.", answer)
    return body


def items_of(answer: Answer, member: str) -> list[Any]:
    """The list in a response, or in the member of its body."""
    body = json_of(answer) if member == "" else object_of(answer).get(member)
    if not isinstance(body, list):
        raise unexpected("The response is not a list. Check that the URL is that of a Fairway service.", answer)
    return body


def text_of(answer: Answer) -> str:
    if answer.headers.get("content-encoding", "identity").lower() != "identity":
        raise unexpected("The response is compressed, although the request forbids it. Check any proxy.", answer)
    return answer.text


def csv_of(answer: Answer) -> str:
    """The CSV text of a response."""
    text = text_of(answer)
    if re.match(r"text/csv\b", answer.headers.get("content-type", ""), re.IGNORECASE) is None:
        raise unexpected("The response is not CSV. Check that the URL is that of a Fairway service.", answer)
    return text
