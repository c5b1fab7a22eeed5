"""Connections of the asynchronous client."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import time
from collections import deque
from typing import Any, Coroutine, TypeVar, cast

from ._http import BrokenResponse, Reading, Response, reading
from ._request import Service
from ._sockets import address_seconds_max, idle_seconds_max, is_quiet

T = TypeVar("T")


class AsyncConnections:
    """Sends requests over connections that are kept for the next one. A cancelled request closes its connection."""

    def __init__(self, service: Service, tls: ssl.SSLContext | None) -> None:
        self._service = service
        self._tls = tls
        self._idle: deque[_Connection] = deque()

    async def exchange(self, request: bytes, timeout_seconds: float) -> Response:
        """Returns the response; raises OSError or BrokenResponse if there is none in time."""
        return await _within(timeout_seconds, self._exchange(request))

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
        loop = asyncio.get_running_loop()
        host = self._service.host
        addresses = await loop.getaddrinfo(host, self._service.port, type=socket.SOCK_STREAM)
        while True:
            family, kind, protocol, _, address = addresses.pop(0)
            try:
                connected = await _connected(
                    socket.socket(family, kind, protocol), address, address_seconds_max if addresses else None
                )
                break
            except OSError:
                if not addresses:
                    raise
        _, connection = await loop.create_connection(
            _Connection, sock=connected, ssl=self._tls, server_hostname=None if self._tls is None else host
        )
        return connection

    def _reused(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return None


async def _within(seconds: float | None, work: Coroutine[Any, Any, T]) -> T:
    """Like `asyncio.wait_for`, which loses cancellations in Python 3.10 and 3.11. Raises `builtins.TimeoutError`."""
    task = asyncio.ensure_future(work)
    # The failure of work that was cancelled must not be logged as one that nobody looked at.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if task.cancel():
            await asyncio.wait({task})
    if task.cancelled():
        raise TimeoutError("the time is up")
    return task.result()


async def _connected(connection: socket.socket, address: Any, seconds: float | None) -> socket.socket:
    """The socket stays that of the caller, so that no cancellation leaves it open."""
    try:
        connection.setblocking(False)
        await _within(seconds, asyncio.get_running_loop().sock_connect(connection, address))
    except BaseException:
        connection.close()
        raise
    return connection


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
        if not (is_mine and is_fresh) or self._transport is None or self._transport.is_closing():
            return False
        # The loop may not have had the time to see that the server has closed the connection, or sent bytes.
        return is_quiet(self._transport.get_extra_info("socket"))

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
        # That of a parent process must stay open.
        if transport is None or self._process != os.getpid():
            return
        if self._loop is asyncio.get_running_loop():
            transport.abort()
        elif not self._loop.is_closed():
            # The other loop may be that of another thread.
            self._loop.call_soon_threadsafe(transport.abort)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # The transports of uvloop are no instances of those of asyncio.
        self._transport = cast(asyncio.Transport, transport)

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
