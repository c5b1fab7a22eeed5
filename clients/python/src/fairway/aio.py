"""The asynchronous client."""

from __future__ import annotations

import asyncio
import copy
import ssl
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Literal, Sequence, TypeVar, overload

from . import _base as base
from ._answer import Answer
from ._attempts import Outcome, Wait, is_failure
from ._events import AsyncEventStream, EventsQuery
from ._listing import AsyncListing, Page, without_header
from ._operations import AsyncOperations
from ._request import Limits, Request, Runtime
from ._streams import AsyncConnections
from .decision import VerifyResult, hold_of
from .errors import UnavailableError

if TYPE_CHECKING:
    from . import types

T = TypeVar("T")


class AsyncFairwayClient(AsyncOperations):
    """The methods of `FairwayClient`, to be awaited. Cancelling a call closes its connection.

    The arguments are those of `FairwayClient`.
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
        self._connections = AsyncConnections(self._settings.service, self._settings.tls(ssl_context))
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
    ) -> AsyncFairwayClient:
        """The same client with other limits, over the same connections."""
        other = copy.copy(self)
        other._limits = self._limits.changed(max_retries, timeout_seconds, total_timeout_seconds)
        return other

    async def aclose(self) -> None:
        """Closes idle connections. A later call opens a new one."""
        await self._connections.aclose()

    async def __aenter__(self) -> AsyncFairwayClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def verify(
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
            decision = await self._send(request)
        except UnavailableError as error:
            return hold_of(error, key)
        return decision

    def events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait_s: int | None = None,
        follow: bool = True,
    ) -> AsyncEventStream:
        """Your events in the order of the log. With `follow=False` a loop ends after the last one."""

        async def read(query: EventsQuery) -> types.EventsPage:
            return await self._send(base.events_request(query), base.events_limits(self._limits, query))

        return AsyncEventStream(read, EventsQuery(after, limit, wait_s, follow))

    @overload
    async def batch_assess(
        self,
        payments: types.BatchRequest | str,
        *,
        format: Literal["json"] = "json",
        report_name: str | None = None,
    ) -> types.BatchResponse: ...
    @overload
    async def batch_assess(
        self, payments: types.BatchRequest | str, *, format: Literal["csv"], report_name: str | None = None
    ) -> str: ...
    async def batch_assess(
        self,
        payments: types.BatchRequest | str,
        *,
        format: Literal["json", "csv"] = "json",
        report_name: str | None = None,
    ) -> types.BatchResponse | str:
        """Assesses up to 500 past payments, as JSON or as CSV text. Nothing is recorded."""
        request: Request[types.BatchResponse | str] = base.batch_request(payments, format, report_name)
        return await self._send(request)

    async def keep_batch_report(
        self, payments: types.BatchRequest | str, *, report_name: str | None = None
    ) -> types.KeptReportResponse:
        """Assesses up to 500 past payments and keeps the report for everybody of the owner."""
        return await self._send(base.keep_report_request(payments, report_name))

    @overload
    async def batch_report(
        self, report_id: str, *, format: Literal["json"] = "json"
    ) -> types.KeptReportDetails: ...
    @overload
    async def batch_report(self, report_id: str, *, format: Literal["csv", "html"]) -> str: ...
    async def batch_report(
        self, report_id: str, *, format: base.Format = "json"
    ) -> types.KeptReportDetails | str:
        """A kept report with its figures and rows; its rows as CSV text; or a self-contained HTML page."""
        request: Request[types.KeptReportDetails | str] = base.report_request(report_id, format)
        return await self._send(request)

    @overload
    async def export_audit(self, id: str, *, format: Literal["json"] = "json") -> types.AuditExport: ...
    @overload
    async def export_audit(self, id: str, *, format: Literal["csv"]) -> str: ...
    async def export_audit(
        self, id: str, *, format: Literal["json", "csv"] = "json"
    ) -> types.AuditExport | str:
        """The evidence bundle of a decision. `fairway audit verify` verifies it offline."""
        request: Request[types.AuditExport | str] = base.audit_export_request(id, format)
        return await self._send(request)

    async def report_outcomes(
        self, outcomes: Sequence[types.OutcomeRow] | str, *, dry_run: bool = False
    ) -> types.OutcomesResponse:
        """Reports how up to 500 payments ended, as rows or as CSV text: all of them, or none.

        Repeating it is safe: a row that was reported before with the same content is `unchanged`. `dry_run` checks
        every row and records nothing.
        """
        return await self._send(base.outcomes_request(outcomes, dry_run))

    async def ready(self) -> types.Ready:
        """Whether this instance takes requests, and how far its followers are. A probe, not an operation."""
        return await self._send(base.ready_request())

    async def _send(self, request: Request[T], limits: Limits | None = None) -> T:
        return request.read(await self._answer(request, limits))

    async def _answer(self, request: Request[Any], limits: Limits | None = None) -> Answer:
        sent = self._settings.bytes_of(request)
        sleep = self._settings.runtime.sleep or asyncio.sleep
        steps = self._settings.attempts(request, limits or self._limits)
        outcome: Outcome | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                answer: Answer = done.value
                return answer
            if isinstance(step, Wait):
                await sleep(step.seconds)
                outcome = None
                continue
            try:
                outcome = await self._connections.exchange(sent, step.timeout_seconds)
            except Exception as error:
                if not is_failure(error):
                    raise
                outcome = error

    def _list(self, request: Request[Any], member: str) -> AsyncListing[Any]:
        async def read(cursor: str | None) -> Page[Any]:
            return base.page_of(await self._answer(request.with_query(cursor=cursor)), member)

        return AsyncListing(read, base.cursor_of(request))

    async def _export(self, request: Request[Any]) -> AsyncIterator[str]:
        table = base.export_request(request)

        async def read(cursor: str | None) -> Page[str]:
            return base.csv_page_of(await self._answer(table.with_query(cursor=cursor)))

        is_first = True
        async for page in AsyncListing(read, base.cursor_of(request)):
            lines = without_header(page, is_first)
            is_first = False
            if lines:
                yield lines
