"""Connections of the asynchronous client."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections import deque

from ._http import BrokenResponse, Reading, Response, reading
from ._request import Service
from ._sockets import idle_seconds_max


class AsyncConnections:
    """Sends requests over connections that are kept for the next one. A cancelled request closes its connection."""

    def __init__(self, service: Service, tls: ssl.SSLContext | None) -> None:
        self._service = service
        self._tls = tls
        self._idle: deque[_Connection] = deque()

    async def exchange(self, request: bytes, timeout_seconds: float) -> Response:
        """Returns the response; raises OSError or BrokenResponse if there is none in time."""
        try:
            return await asyncio.wait_for(self._exchange(request), timeout_seconds)
        except asyncio.TimeoutError:  # Not that of `builtins` in Python 3.10.
            raise TimeoutError("the time is up") from None

    async def aclose(self) -> None:
        """Closes the connections that no request uses."""
        while self._idle:
            self._idle.pop().close()

    async def _exchange(self, request: bytes) -> Response:
        connection = self._reused() or await self._connect()
        is_kept = False
        try:
            response = await connection.exchange(request)
            is_kept = response.keeps_alive
        finally:
            if is_kept:
                self._idle.append(connection)
            else:
                connection.close()
        return response

    async def _connect(self) -> _Connection:
        _, connection = await asyncio.get_running_loop().create_connection(
            _Connection, self._service.host, self._service.port, ssl=self._tls, happy_eyeballs_delay=0.25
        )
        return connection

    def _reused(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return None


class _Connection(asyncio.Protocol):
    """Belongs to its event loop, and to the process that opened it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = os.getpid()
        self._idle_since = time.monotonic()
        self._transport: asyncio.Transport | None = None
        self._reader: Reading | None = None
        self._response: asyncio.Future[Response] | None = None

    def is_usable(self) -> bool:
        is_mine = self._process == os.getpid() and self._loop is asyncio.get_running_loop()
        is_fresh = time.monotonic() - self._idle_since < idle_seconds_max
        return is_mine and is_fresh and self._transport is not None

    def exchange(self, request: bytes) -> asyncio.Future[Response]:
        response: asyncio.Future[Response] = self._loop.create_future()
        if self._transport is None:
            response.set_exception(BrokenResponse("the connection was closed"))
            return response
        self._reader = reading()
        next(self._reader)
        self._response = response
        self._transport.write(request)
        return response

    def close(self) -> None:
        transport, self._transport = self._transport, None
        # That of a loop that has ended is closed, and that of a parent process must stay open.
        if transport is not None and not self._loop.is_closed() and self._process == os.getpid():
            transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        reader, response = self._reader, self._response
        if reader is None or response is None or response.done():
            # Bytes that nobody asked for must not be taken for the next answer.
            self.close()
            return
        try:
            reader.send(data)
        except StopIteration as done:
            self._idle_since = time.monotonic()
            response.set_result(done.value)
        except BrokenResponse as error:
            response.set_exception(error)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        response = self._response
        if response is None or response.done():
            return
        if error is not None:
            response.set_exception(error)
        else:
            self.data_received(b"")
