"""HTTP/1.1 as bytes, without a socket: both clients share it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Generator, Mapping

_head_bytes_max = 65_536
_line_bytes_max = 8_192


class BrokenResponse(Exception):
    """The bytes are not a whole response of HTTP/1.1."""


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By lower-case name; repeated ones joined with a comma."""
    text: str
    keeps_alive: bool
    """Whether the connection may carry another request."""


def request_bytes(method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """Names and values must have been checked: a line break would begin another header."""
    length = {} if body is None and method == "GET" else {"content-length": str(len(body or b""))}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in {**headers, **length}.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (body or b"")


Reading = Generator[None, bytes, Response]
"""Takes received bytes with `send`, empty ones at the end of the connection, and returns the response."""


class _Bytes:
    """What has been received and not yet read."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def more(self) -> Generator[None, bytes, bool]:
        """False at the end of the connection."""
        received = yield
        self._buffer += received
        return received != b""

    def until(self, end: bytes, bytes_max: int) -> Generator[None, bytes, bytes]:
        searched = 0
        while (found := self._buffer.find(end, searched)) < 0 and len(self._buffer) <= bytes_max:
            searched = max(0, len(self._buffer) - len(end) + 1)
            if not (yield from self.more()):
                raise BrokenResponse("the connection was closed before the response was complete")
        if not 0 <= found <= bytes_max:
            raise BrokenResponse("a line or the head of the response is too long")
        return self._take(found + len(end))[: -len(end)]

    def exactly(self, count: int) -> Generator[None, bytes, bytes]:
        while len(self._buffer) < count:
            if not (yield from self.more()):
                raise BrokenResponse("the connection was closed before the response was complete")
        return self._take(count)

    def rest(self) -> Generator[None, bytes, bytes]:
        while (yield from self.more()):
            pass
        return self._take(len(self._buffer))

    def is_empty(self) -> bool:
        return not self._buffer

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def _headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon == "" or re.fullmatch(r"[!-9;-~]+", name) is None:
            raise BrokenResponse("a header of the response has no name")
        if re.search(r"[\0\r\n]", value):
            raise BrokenResponse("a header of the response has a line break")
        name, value = name.lower(), value.strip(" \t")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _chunks(received: _Bytes) -> Generator[None, bytes, bytes]:
    body = bytearray()
    while True:
        size = (yield from received.until(b"\r\n", _line_bytes_max)).split(b";")[0].strip(b" \t")
        if re.fullmatch(rb"[0-9A-Fa-f]{1,8}", size) is None:
            raise BrokenResponse("a chunk of the response has no length")
        if int(size, 16) == 0:
            break
        body += yield from received.exactly(int(size, 16))
        if (yield from received.exactly(2)) != b"\r\n":
            raise BrokenResponse("a chunk of the response is longer than its length")
    while (yield from received.until(b"\r\n", _line_bytes_max)) != b"":
        pass
    return bytes(body)


def reading() -> Reading:
    """Reads one response. Interim responses (1xx) are passed over."""
    received = _Bytes()
    while True:
        head = (yield from received.until(b"\r\n\r\n", _head_bytes_max)).decode("latin-1").split("\r\n")
        line = re.fullmatch(r"HTTP/1\.([01]) ([1-5][0-9]{2})(?: .*)?", head[0])
        if line is None:
            raise BrokenResponse("the response is not HTTP/1.1")
        status = int(line[2])
        if status >= 200:
            break
    headers = _headers(head[1:])
    length = headers.get("content-length")
    is_delimited = True
    if status in (204, 304):
        body = b""
    elif "transfer-encoding" in headers:
        if length is not None:
            raise BrokenResponse("the response has two lengths")
        if headers["transfer-encoding"].lower() != "chunked":
            raise BrokenResponse("the response has an unknown transfer encoding")
        body = yield from _chunks(received)
    elif length is not None:
        if re.fullmatch(r"[0-9]{1,12}", length) is None:
            raise BrokenResponse("the response has no valid length")
        body = yield from received.exactly(int(length))
    else:
        body = yield from received.rest()
        is_delimited = False
    closes = line[1] == "0" or "close" in headers.get("connection", "").lower()
    return Response(
        status=status,
        headers=headers,
        text=body.decode("utf-8-sig", "replace"),
        keeps_alive=is_delimited and not closes and received.is_empty(),
    )
