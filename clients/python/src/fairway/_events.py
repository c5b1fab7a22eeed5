"""The event stream: iterate over all events, or read page by page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator

from .errors import UnexpectedAnswerError

if TYPE_CHECKING:
    from . import types

_wait_seconds = 20
"""How long a request waits for an event."""
_follow_wait_seconds_min = 1
"""Without a wait, following would be a loop of requests without a pause."""
_limit = 1_000
"""The most that the server gives: fewer requests for the same events."""


@dataclass(frozen=True)
class EventsQuery:
    after: str | None
    limit: int | None
    wait_s: int | None
    follow: bool

    def following(self, after: str | None) -> EventsQuery:
        """The query of one request of a loop."""
        asked = _wait_seconds if self.wait_s is None else self.wait_s
        wait_s = max(_follow_wait_seconds_min, asked) if self.follow else 0
        return EventsQuery(after, _limit if self.limit is None else self.limit, wait_s, self.follow)


def _checked(page: types.EventsPage, after: str | None) -> types.EventsPage:
    if page["events"] and page["next"] == after:
        raise UnexpectedAnswerError(
            "The answer has events and the cursor that was sent, so they would come for ever."
        )
    return page


class EventStream(Iterable["types.StreamedEvent"]):
    """`for event in stream` waits for further events, and does not end by itself.

    Store `event["id"]` once the event is processed, and pass it as `after` to go on from there.
    """

    def __init__(self, read: Callable[[EventsQuery], types.EventsPage], query: EventsQuery) -> None:
        self._read = read
        self._query = query

    def page(self) -> types.EventsPage:
        """The first events after the cursor, without waiting unless `wait_s` says so."""
        return self._read(self._query)

    def pages(self) -> Iterator[types.EventsPage]:
        after = self._query.after
        while True:
            page = _checked(self._read(self._query.following(after)), after)
            if page["events"]:
                yield page
            elif not self._query.follow:
                return
            after = page["next"]

    def __iter__(self) -> Iterator[types.StreamedEvent]:
        for page in self.pages():
            yield from page["events"]


class AsyncEventStream(AsyncIterable["types.StreamedEvent"]):
    """`async for event in stream` waits for further events, and does not end by itself.

    Store `event["id"]` once the event is processed, and pass it as `after` to go on from there.
    """

    def __init__(
        self, read: Callable[[EventsQuery], Awaitable[types.EventsPage]], query: EventsQuery
    ) -> None:
        self._read = read
        self._query = query

    async def page(self) -> types.EventsPage:
        """The first events after the cursor, without waiting unless `wait_s` says so."""
        return await self._read(self._query)

    async def pages(self) -> AsyncIterator[types.EventsPage]:
        after = self._query.after
        while True:
            page = _checked(await self._read(self._query.following(after)), after)
            if page["events"]:
                yield page
            elif not self._query.follow:
                return
            after = page["next"]

    async def __aiter__(self) -> AsyncIterator[types.StreamedEvent]:
        async for page in self.pages():
            for event in page["events"]:
                yield event
