"""The parts of a client that do not depend on how it waits."""

from __future__ import annotations

import ssl
import sys
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence

from ._answer import Answer, csv_of, items_of, json_of, object_of, text_of, unexpected
from ._attempts import Attempts, attempts
from ._events import EventsQuery
from ._http import request_bytes
from ._listing import Page, next_cursor_of
from ._request import (
    Limits,
    Request,
    Runtime,
    Service,
    checked_base_url,
    checked_idempotency_key,
    checked_key,
    path,
)
from ._version import version
from .decision import decided

if TYPE_CHECKING:
    from . import types

_accepted = {"json": "application/json", "csv": "text/csv", "html": "text/html"}
_readers: dict[str, Callable[[Answer], Any]] = {"json": json_of, "csv": csv_of, "html": text_of}
Format = Literal["json", "csv", "html"]

_export_page_records = 500
"""The maximum page size, so that an export needs few requests."""

_user_agent = f"fairway-python/{version} python/{sys.version_info.major}.{sys.version_info.minor}"


class Settings:
    """What a client was made with."""

    def __init__(self, base_url: str, api_key: str | None, runtime: Runtime) -> None:
        self.service: Service = checked_base_url(base_url)
        self.api_key = None if api_key is None else checked_key(api_key)
        self.runtime = runtime

    def tls(self, context: ssl.SSLContext | None) -> ssl.SSLContext | None:
        if not self.service.is_https:
            return None
        return ssl.create_default_context() if context is None else context

    def bytes_of(self, request: Request[Any]) -> bytes:
        """The request as it is sent at every attempt."""
        content = request.content()
        headers = {
            "host": self.service.authority,
            "user-agent": _user_agent,
            "accept": request.accept,
            # Without it, any encoding would be acceptable.
            "accept-encoding": "identity",
        }
        if request.needs_key:
            if self.api_key is None:
                raise ValueError("This call requires an API key: pass api_key to the client.")
            headers["authorization"] = f"Bearer {self.api_key}"
        if content is not None:
            headers["content-type"] = "text/csv" if isinstance(request.body, str) else "application/json"
        return request_bytes(request.method, self.service.path + request.target(), headers, content)

    def attempts(self, request: Request[Any], limits: Limits) -> Attempts:
        return attempts(request.has_effect, request.idempotency_key, limits, self.runtime)


def verify_request(
    body: types.VerifyRequest, idempotency_key: str | None, mode: types.Mode | None
) -> tuple[Request[types.VerifyResponse], str]:
    if not isinstance(body, Mapping):
        raise ValueError("The body must be a dict")
    key = checked_idempotency_key(body.get("idempotency_key"), idempotency_key) or str(uuid.uuid4())
    # In the body, which preserves leading and trailing spaces.
    sent: dict[str, Any] = {**body, "idempotency_key": key}
    request = Request("POST", "/api/v1/verify", {"mode": mode}, sent, idempotency_key=key, read=decided)
    return request, key


def batch_request(
    payments: types.BatchRequest | str, format: Format, report_name: str | None
) -> Request[Any]:
    query = {"format": format, "report_name": report_name}
    return Request(
        "POST", "/api/v1/batch-assess", query, payments, _accept(format), read=_readers[format]
    )


def keep_report_request(
    payments: types.BatchRequest | str, report_name: str | None
) -> Request[types.KeptReportResponse]:
    return Request("POST", "/api/v1/batch-reports", {"report_name": report_name}, payments, has_effect=True)


def report_request(report_id: str, format: Format) -> Request[Any]:
    target = path("/api/v1/batch-reports/{}", report_id)
    return Request("GET", target, {"format": format}, accept=_accept(format), read=_readers[format])


def audit_export_request(request_id: str, format: Format) -> Request[Any]:
    target = path("/api/v1/audit/export/{}", request_id)
    return Request("GET", target, {"format": format}, accept=_accept(format), read=_readers[format])


def outcomes_request(
    outcomes: Sequence[types.OutcomeRow] | str, dry_run: bool
) -> Request[types.OutcomesResponse]:
    body = outcomes if isinstance(outcomes, str) else {"outcomes": list(outcomes)}
    # A row that was reported before is unchanged, so that repeating is safe.
    return Request("POST", "/api/v1/outcomes", {"dry_run": True if dry_run else None}, body)


def events_request(query: EventsQuery) -> Request[types.EventsPage]:
    sent = {"after": query.after, "limit": query.limit, "wait_s": query.wait_s}
    return Request("GET", "/api/v1/events", sent, read=_events_page_of)


def _events_page_of(answer: Answer) -> types.EventsPage:
    page: types.EventsPage = object_of(answer)
    if not isinstance(page.get("events"), list) or not isinstance(page.get("next"), str):
        raise unexpected("The response has no events. Check that the URL is that of a Fairway service.", answer)
    return page


def events_limits(limits: Limits, query: EventsQuery) -> Limits:
    """A request waits longer for its answer than the server waits for an event."""
    wait = query.wait_s or 0
    return Limits(limits.max_retries, limits.timeout_seconds + wait, limits.total_timeout_seconds + wait)


def export_request(request: Request[Any]) -> Request[str]:
    """The request of a list, for its pages as CSV."""
    limit = request.query.get("limit")
    limit = _export_page_records if limit is None else limit
    table = request.with_query(limit=limit, format="csv")
    return replace(table, accept="text/csv", read=csv_of)


def ready_request() -> Request[types.Ready]:
    return Request("GET", "/readyz", needs_key=False)


def cursor_of(request: Request[Any]) -> str | None:
    cursor = request.query.get("cursor")
    return None if cursor is None else str(cursor)


def page_of(answer: Answer, member: str) -> Page[Any]:
    return Page(items_of(answer, member), next_cursor_of(answer.headers.get("link")))


def csv_page_of(answer: Answer) -> Page[str]:
    return Page([csv_of(answer)], next_cursor_of(answer.headers.get("link")))


def _accept(format: Format) -> str:
    if format not in _accepted:
        raise ValueError(f"format must be one of {', '.join(_accepted)}")
    return _accepted[format]
