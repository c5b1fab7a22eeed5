"""How bytes are read as a response: each case as a whole, and byte by byte."""

from __future__ import annotations

from fairway._http import BrokenResponse, Response, reading

ok = b"HTTP/1.1 200 OK\r\n"
chunked = ok + b"transfer-encoding: chunked\r\n\r\n"


def read(parts: list[bytes]) -> Response | None:
    """None if the response is broken, or the connection ends before it does."""
    reader = reading()
    next(reader)
    try:
        for part in [*parts, b""]:
            reader.send(part)
    except StopIteration as done:
        response: Response = done.value
        return response
    except BrokenResponse:
        return None
    raise AssertionError("the end of the connection was not the end of the response")


whole: dict[bytes, tuple[str, bool]] = {
    ok + b"content-length: 2\r\n\r\n{}": ("{}", True),
    ok + b"Content-Length:\t2 \r\nconnection: Close\r\n\r\n{}": ("{}", False),
    ok + b"content-length: 0\r\n\r\n": ("", True),
    ok + b"\r\n{}": ("{}", False),
    b"HTTP/1.0 200\r\ncontent-length: 2\r\n\r\n{}": ("{}", False),
    b"HTTP/1.1 103 Early\r\nlink: x\r\n\r\n" * 2 + ok + b"content-length: 2\r\n\r\n{}": ("{}", True),
    b"HTTP/1.1 204 No Content\r\n\r\n": ("", True),
    b"HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n": ("", True),
    ok + b"content-length: 5\r\n\r\n\xef\xbb\xbf{}": ("{}", True),
    ok + b"content-length: 3\r\n\r\n\xff{}": ("\ufffd{}", True),
    chunked + b"1\r\n{\r\n0001;a=b\r\n}\r\n0\r\ntrailer: x\r\n\r\n": ("{}", True),
    chunked + b"A ; x\r\n0123456789\r\n000\r\n\r\n": ("0123456789", True),
}
for sent, (text, keeps_alive) in whole.items():
    for parts in ([sent], [bytes([byte]) for byte in sent]):
        response = read(parts)
        assert response is not None, sent
        assert (response.text, response.keeps_alive) == (text, keeps_alive), (sent, response)
    # Without a length, the end of the connection is that of the response.
    if b"\r\n\r\n{}" not in sent or b"ength" in sent:
        assert read([sent[:-1]]) is None, sent

broken = [
    b"",
    b"HTTP/2 200 OK\r\n\r\n",
    b"HTTP/1.1 0200 OK\r\n\r\n",
    b"ICY 200 OK\r\n\r\n",
    ok + b"content-length: 2\r\ncontent-length: 2\r\n\r\n{}",
    ok + b"content-length: +2\r\n\r\n{}",
    ok + b"content-length: 2\xa0\r\n\r\n{}",
    ok + "content-length: \u0662\r\n\r\n{}".encode(),
    ok + b"content-length : 2\r\n\r\n{}",
    ok + b"a: b\r\n folded\r\ncontent-length: 2\r\n\r\n{}",
    ok + b"a: b\nc: d\r\ncontent-length: 2\r\n\r\n{}",
    ok + b"a: b\0\r\ncontent-length: 2\r\n\r\n{}",
    ok + b"content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ok + b"transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ok + b"a: " + b"b" * 70_000 + b"\r\n\r\n",
    chunked + b"-1\r\n",
    chunked + b"0x2\r\n{}\r\n0\r\n\r\n",
    chunked + b"\x0b2\r\n{}\r\n0\r\n\r\n",
    chunked + b"2\n{}\r\n0\r\n\r\n",
    chunked + b"1\r\n{}\r\n0\r\n\r\n",
    chunked + b"2;" + b"x" * 9_000,
]
for sent in broken:
    for parts in ([sent], [bytes([byte]) for byte in sent]):
        assert read(parts) is None, sent[:99]

# Bytes after the response are those of nobody.
after = read([ok + b"content-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n"])
assert after is not None and not after.keeps_alive
