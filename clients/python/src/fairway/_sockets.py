"""Connections of the synchronous client."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import time
from collections import deque
from typing import Any

from ._http import Response, reading
from ._request import Service

idle_seconds_max = 4.0
"""Servers close idle connections after five seconds or more: a request must not meet the end of one."""
read_bytes = 65_536
address_seconds_max = 2.0
"""Of a host with several addresses, one that is silent must not take the time of the others."""


class Connections:
    """Sends requests over connections that are kept for the next one. Threads may share it."""

    def __init__(self, service: Service, tls: ssl.SSLContext | None) -> None:
        self._service = service
        self._tls = tls
        # A child process after a fork must not use the connections of its parent.
        self._idle: deque[tuple[socket.socket, float, int]] = deque()

    def exchange(self, request: bytes, timeout_seconds: float) -> Response:
        """Returns the response; raises OSError or BrokenResponse if there is none in time."""
        deadline = time.monotonic() + timeout_seconds
        connection = self._reused() or self._connect(deadline)
        try:
            response = _exchange(connection, request, deadline)
        except BaseException:
            connection.close()
            raise
        self._close_old()
        if response.keeps_alive:
            self._idle.append((connection, time.monotonic(), os.getpid()))
        else:
            connection.close()
        return response

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that no request uses."""
        while self._idle:
            try:
                self._idle.pop()[0].close()
            except IndexError:  # Another thread was faster.
                return

    def _reused(self) -> socket.socket | None:
        while True:
            try:
                connection, since, process = self._idle.pop()
            except IndexError:
                return None
            if process == os.getpid() and time.monotonic() - since < idle_seconds_max and is_quiet(connection):
                return connection
            connection.close()

    def _close_old(self) -> None:
        """Those of a burst of requests would stay open, since the youngest is reused first."""
        while True:
            try:
                oldest = self._idle.popleft()
            except IndexError:
                return
            if time.monotonic() - oldest[1] < idle_seconds_max:
                self._idle.appendleft(oldest)
                return
            oldest[0].close()

    def _connect(self, deadline: float) -> socket.socket:
        addresses = socket.getaddrinfo(self._service.host, self._service.port, type=socket.SOCK_STREAM)
        while True:
            family, kind, protocol, _, address = addresses.pop(0)
            try:
                seconds = min(_left(deadline), address_seconds_max) if addresses else _left(deadline)
                connection = _connected(socket.socket(family, kind, protocol), address, seconds)
                break
            except OSError:
                if not addresses:
                    raise
        if self._tls is None:
            return connection
        try:
            connection.settimeout(_left(deadline))
            return self._tls.wrap_socket(connection, server_hostname=self._service.host)
        except BaseException:
            connection.close()
            raise


def _connected(connection: socket.socket, address: Any, seconds: float) -> socket.socket:
    try:
        connection.settimeout(seconds)
        connection.connect(address)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is up")
    return left


def _exchange(connection: socket.socket, request: bytes, deadline: float) -> Response:
    try:
        _send(connection, request, deadline)
    except (BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
        # A server may refuse a large body before its end, and its response is there to be read.
        pass
    reader = reading()
    next(reader)
    while True:
        connection.settimeout(_left(deadline))
        received = connection.recv(read_bytes)
        try:
            reader.send(received)
        except StopIteration as done:
            response: Response = done.value
            return response


def _send(connection: socket.socket, request: bytes, deadline: float) -> None:
    """Not `sendall`, which with TLS grants its time to each part."""
    left = memoryview(request)
    while left:
        connection.settimeout(_left(deadline))
        left = left[connection.send(left) :]


def is_quiet(connection: Any) -> bool:
    """False if the server has closed the connection, or sent bytes that nobody asked for."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            return not selector.select(0)
    except (OSError, ValueError):
        return False


