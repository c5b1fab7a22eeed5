"""Connections of the synchronous client."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import time
from collections import deque

from ._http import Response, reading
from ._request import Service

idle_seconds_max = 4.0
"""Servers close idle connections after five seconds or more: a request must not meet the end of one."""
read_bytes = 65_536
_socket_seconds_max = 1_000_000.0
"""A socket takes no endless time-out."""


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
        if response.keeps_alive:
            self._idle.append((connection, time.monotonic(), os.getpid()))
        else:
            connection.close()
        return response

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
            if process == os.getpid() and time.monotonic() - since < idle_seconds_max and _is_quiet(connection):
                return connection
            connection.close()

    def _connect(self, deadline: float) -> socket.socket:
        failure: OSError | None = None
        for family, kind, protocol, _, address in socket.getaddrinfo(
            self._service.host, self._service.port, type=socket.SOCK_STREAM
        ):
            connection = socket.socket(family, kind, protocol)
            try:
                connection.settimeout(_left(deadline))
                connection.connect(address)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is None:
                    return connection
                return self._tls.wrap_socket(connection, server_hostname=self._service.host)
            except OSError as error:
                connection.close()
                failure = failure or error
            except BaseException:
                connection.close()
                raise
        raise failure or OSError("the host has no address")


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is up")
    return min(left, _socket_seconds_max)


def _exchange(connection: socket.socket, request: bytes, deadline: float) -> Response:
    connection.settimeout(_left(deadline))
    connection.sendall(request)
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


def _is_quiet(connection: socket.socket) -> bool:
    """False if the server has closed the connection, or sent bytes that nobody asked for."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            return not selector.select(0)
    except (OSError, ValueError):
        return False


