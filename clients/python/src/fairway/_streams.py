"""Connections of the asynchronous client."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections import deque
from typing import Tuple

from ._http import Response, reading
from ._request import Service
from ._sockets import idle_seconds_max, read_bytes

Stream = Tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncConnections:
    """Sends requests over connections that are kept for the next one. A cancelled request closes its connection."""

    def __init__(self, service: Service, tls: ssl.SSLContext | None) -> None:
        self._service = service
        self._tls = tls
        # A stream belongs to its event loop, and to the process that opened it.
        self._idle: deque[tuple[Stream, float, int, asyncio.AbstractEventLoop]] = deque()

    async def exchange(self, request: bytes, timeout_seconds: float) -> Response:
        """Returns the response; raises OSError or BrokenResponse if there is none in time."""
        try:
            return await asyncio.wait_for(self._exchange(request), timeout_seconds)
        except asyncio.TimeoutError:  # Not that of `builtins` in Python 3.10.
            raise TimeoutError("the time is up") from None

    async def aclose(self) -> None:
        """Closes the connections that no request uses."""
        while self._idle:
            (_, writer), *_ = self._idle.pop()
            _close(writer)

    async def _exchange(self, request: bytes) -> Response:
        stream = self._reused() or await asyncio.open_connection(
            self._service.host, self._service.port, ssl=self._tls, happy_eyeballs_delay=0.25
        )
        reader, writer = stream
        is_kept = False
        try:
            writer.write(request)
            await writer.drain()
            response = await _read(reader)
            is_kept = response.keeps_alive
        finally:
            if is_kept:
                self._idle.append((stream, time.monotonic(), os.getpid(), asyncio.get_running_loop()))
            else:
                _close(writer)
        return response

    def _reused(self) -> Stream | None:
        while self._idle:
            (reader, writer), since, process, loop = self._idle.pop()
            is_mine = process == os.getpid() and loop is asyncio.get_running_loop()
            if is_mine and time.monotonic() - since < idle_seconds_max and not reader.at_eof():
                return reader, writer
            _close(writer)
        return None


async def _read(stream: asyncio.StreamReader) -> Response:
    reader = reading()
    next(reader)
    while True:
        received = await stream.read(read_bytes)
        try:
            reader.send(received)
        except StopIteration as done:
            response: Response = done.value
            return response


def _close(writer: asyncio.StreamWriter) -> None:
    try:
        writer.transport.abort()
    except RuntimeError:  # Its event loop is closed, and the connection with it.
        pass
