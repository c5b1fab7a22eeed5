"""The synchronous client."""

from __future__ import annotations

import copy
import ssl
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Literal, Sequence, TypeVar, overload

from . import _base as base
from ._answer import Answer
from ._attempts import Outcome, Wait, is_failure
from ._events import EventsQuery, EventStream
from ._listing import Listing, Page, without_header
from ._operations import Operations
from ._request import Limits, Request, Runtime
from ._sockets import Connections
from .decision import VerifyResult, hold_of
from .errors import UnavailableError

if TYPE_CHECKING:
    from . import types

T = TypeVar("T")


class FairwayClient(Operations):
    """One method for each operation of the API, named after it. Threads may share a client.

    `base_url` is the URL of the service, with or without a path. `api_key` is not required for the demo, health and
    other public endpoints. A call is repeated after 1, 2, 4 and 8 seconds, or after `Retry-After`, up to `max_retries`
    times; an attempt takes `timeout_seconds` at most, and the call `total_timeout_seconds`. `ssl_context` is for
    certificates of your own. `runtime` replaces clock, sleep and random numbers in tests.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        max_retries: int | None = None,
        timeout_seconds: float | None = None,
        total_timeout_seconds: float | None = None,
        ssl_context: ssl.SSLContext | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        limits = Limits().changed(max_retries, timeout_seconds, total_timeout_seconds)
        self._settings = base.Settings(base_url, api_key, runtime or Runtime())
        self._connections = Connections(self._settings.service, self._settings.tls(ssl_context))
        self._limits = limits

    @property
    def base_url(self) -> str:
        return self._settings.service.url

    def with_options(
        self,
        *,
        max_retries: int | None = None,
        timeout_seconds: float | None = None,
        total_timeout_seconds: float | None = None,
    ) -> FairwayClient:
        """The same client with other limits, over the same connections."""
        other = copy.copy(self)
        other._limits = self._limits.changed(max_retries, timeout_seconds, total_timeout_seconds)
        return other

    def close(self) -> None:
        """Closes idle connections. A later call opens a new one."""
        self._connections.close()

    def __enter__(self) -> FairwayClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def verify(
        self,
        body: types.VerifyRequest,
        *,
        idempotency_key: str | None = None,
        mode: types.Mode | None = None,
    ) -> VerifyResult:
        """Returns a decision, which is recorded permanently, or a hold if the service could not decide.

        Every call has an idempotency key, so that a retry never decides twice: set your own, one for each payment, if
        you may repeat the call later. The mode defaults to that of the API key.
        """
        request, key = base.verify_request(body, idempotency_key, mode)
        try:
            return self._send(request)
        except UnavailableError as error:
            return hold_of(error, key)

    def events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait_s: int | None = None,
        follow: bool = True,
    ) -> EventStream:
        """Your events in the order of the log. With `follow=False` a loop ends after the last one."""

        def read(query: EventsQuery) -> types.EventsPage:
            return self._send(base.events_request(query), base.events_limits(self._limits, query))

        return EventStream(read, EventsQuery(after, limit, wait_s, follow))

    @overload
    def batch_assess(
        self,
        payments: types.BatchRequest | str,
        *,
        format: Literal["json"] = "json",
        report_name: str | None = None,
    ) -> types.BatchResponse: ...
    @overload
    def batch_assess(
        self, payments: types.BatchRequest | str, *, format: Literal["csv"], report_name: str | None = None
    ) -> str: ...
    def batch_assess(
        self,
        payments: types.BatchRequest | str,
        *,
        format: Literal["json", "csv"] = "json",
        report_name: str | None = None,
    ) -> types.BatchResponse | str:
        """Assesses up to 500 past payments, as JSON or as CSV text. Nothing is recorded."""
        request: Request[types.BatchResponse | str] = base.batch_request(payments, format, report_name)
        return self._send(request)

    def keep_batch_report(
        self, payments: types.BatchRequest | str, *, report_name: str | None = None
    ) -> types.KeptReportResponse:
        """Assesses up to 500 past payments and keeps the report for everybody of the owner."""
        return self._send(base.keep_report_request(payments, report_name))

    @overload
    def batch_report(
        self, report_id: str, *, format: Literal["json"] = "json"
    ) -> types.KeptReportDetails: ...
    @overload
    def batch_report(self, report_id: str, *, format: Literal["csv", "html"]) -> str: ...
    def batch_report(
        self, report_id: str, *, format: base.Format = "json"
    ) -> types.KeptReportDetails | str:
        """A kept report with its figures and rows; its rows as CSV text; or a self-contained HTML page."""
        request: Request[types.KeptReportDetails | str] = base.report_request(report_id, format)
        return self._send(request)

    @overload
    def export_audit(self, id: str, *, format: Literal["json"] = "json") -> types.AuditExport: ...
    @overload
    def export_audit(self, id: str, *, format: Literal["csv"]) -> str: ...
    def export_audit(
        self, id: str, *, format: Literal["json", "csv"] = "json"
    ) -> types.AuditExport | str:
        """The evidence bundle of a decision. `fairway audit verify` verifies it offline."""
        request: Request[types.AuditExport | str] = base.audit_export_request(id, format)
        return self._send(request)

    def report_outcomes(
        self, outcomes: Sequence[types.OutcomeRow] | str, *, dry_run: bool = False
    ) -> types.OutcomesResponse:
        """Reports how up to 500 payments ended, as rows or as CSV text: all of them, or none.

        Repeating it is safe: a row that was reported before with the same content is `unchanged`. `dry_run` checks
        every row and records nothing.
        """
        return self._send(base.outcomes_request(outcomes, dry_run))

    def ready(self) -> types.Ready:
        """Whether this instance takes requests, and how far its followers are. A probe, not an operation."""
        return self._send(base.ready_request())

    def _send(self, request: Request[T], limits: Limits | None = None) -> T:
        return request.read(self._answer(request, limits))

    def _answer(self, request: Request[Any], limits: Limits | None = None) -> Answer:
        sent = self._settings.bytes_of(request)
        sleep = self._settings.runtime.sleep or time.sleep
        steps = self._settings.attempts(request, limits or self._limits)
        outcome: Outcome | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                answer: Answer = done.value
                return answer
            if isinstance(step, Wait):
                sleep(step.seconds)
                outcome = None
                continue
            try:
                outcome = self._connections.exchange(sent, step.timeout_seconds)
            except Exception as error:
                if not is_failure(error):
                    raise
                outcome = error

    def _list(self, request: Request[Any], member: str) -> Listing[Any]:
        def read(cursor: str | None) -> Page[Any]:
            return base.page_of(self._answer(request.with_query(cursor=cursor)), member)

        return Listing(read, base.cursor_of(request))

    def _export(self, request: Request[Any]) -> Iterator[str]:
        table = base.export_request(request)

        def read(cursor: str | None) -> Page[str]:
            return base.csv_page_of(self._answer(table.with_query(cursor=cursor)))

        is_first = True
        for page in Listing(read, base.cursor_of(request)):
            lines = without_header(page, is_first)
            is_first = False
            if lines:
                yield lines
