"""Paginated lists: iterate over all items, or read page by page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generic,
    Iterable,
    Iterator,
    Sequence,
    TypeVar,
)
from urllib.parse import parse_qs

from .errors import UnexpectedAnswerError

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    items: Sequence[T]
    next_cursor: str | None
    """The cursor of the next page; None after the last page."""


def next_cursor_of(link: str | None) -> str | None:
    """Takes only the cursor from `Link: <…?cursor=X>; rel="next"`: the key is never sent to a URL from a response."""
    nexts = [part for part in (link or "").split(",") if re.search(r';\s*rel="?next"?', part)]
    if not nexts:
        return None
    query = re.search(r"\?([^>#]*)", nexts[0])
    cursors = parse_qs(query[1], keep_blank_values=True).get("cursor") if query else None
    if cursors is None:
        # Stopping here would return an incomplete list as complete.
        raise UnexpectedAnswerError("The response links to a next page without a cursor.")
    return cursors[0]


def _checked_next(page: Page[T], cursor: str | None) -> str | None:
    if page.next_cursor is not None and page.next_cursor == cursor:
        raise UnexpectedAnswerError(
            "The next page has the same cursor as this page, so the list would never end."
        )
    return page.next_cursor


class Listing(Iterable[T]):
    """`for item in listing` reads page after page."""

    def __init__(self, read: Callable[[str | None], Page[T]], cursor: str | None) -> None:
        self._read = read
        self._cursor = cursor

    def page(self) -> Page[T]:
        """The first page, or the page at the given cursor."""
        return self._read(self._cursor)

    def pages(self) -> Iterator[Sequence[T]]:
        cursor = self._cursor
        while True:
            page = self._read(cursor)
            yield page.items
            cursor = _checked_next(page, cursor)
            if cursor is None:
                return

    def __iter__(self) -> Iterator[T]:
        for items in self.pages():
            yield from items


class AsyncListing(AsyncIterable[T]):
    """`async for item in listing` reads page after page."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page[T]]], cursor: str | None) -> None:
        self._read = read
        self._cursor = cursor

    async def page(self) -> Page[T]:
        """The first page, or the page at the given cursor."""
        return await self._read(self._cursor)

    async def pages(self) -> AsyncIterator[Sequence[T]]:
        cursor = self._cursor
        while True:
            page = await self._read(cursor)
            yield page.items
            cursor = _checked_next(page, cursor)
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for items in self.pages():
            for item in items:
                yield item


def without_header(page: str, is_first: bool) -> str:
    """The lines of a page of CSV, as part of one table."""
    return page if is_first else page[page.find("\n") + 1 :]
