"""How the asynchronous client behaves in event loops: each check runs against a server in its own loop."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Any, Awaitable, Callable

from fairway import AsyncFairwayClient

answer = b'HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"status":"ok"}'
Check = Callable[[AsyncFairwayClient], Awaitable[None]]


class Peer:
    """Answers every request, and calls `answered` once it has."""

    def __init__(self) -> None:
        self.answered: Callable[[], None] = lambda: None
        self.serving: set[asyncio.Task[Any] | None] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.serving.add(asyncio.current_task())
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(answer)
                self.answered()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        finally:
            self.serving.discard(asyncio.current_task())


async def with_peer(work: Callable[[Peer, str], Awaitable[None]]) -> None:
    peer = Peer()
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
    await work(peer, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    server.close()
    # Connections that were made last may not be served yet.
    for _ in range(9):
        await asyncio.sleep(0)
    while peer.serving:
        await asyncio.sleep(0)


async def cancelled(task: asyncio.Task[Any], was_told: bool) -> None:
    try:
        await task
    except asyncio.CancelledError:
        return
    assert not was_told, "the cancellation was lost"


async def cancel_answered(peer: Peer, url: str) -> None:
    """Cancels a call some turns of the loop after its answer was sent, until it is too late."""
    loop = asyncio.get_running_loop()
    async with AsyncFairwayClient(url, max_retries=0) as client:
        await client.health()
        for turns in range(16):
            told: list[bool] = []
            task = asyncio.create_task(client.health())

            def turn(left: int) -> None:
                if left == 0:
                    told.append(task.cancel())
                else:
                    loop.call_soon(turn, left - 1)

            peer.answered = lambda: turn(turns)
            await asyncio.wait({task})
            await cancelled(task, any(told))


async def cancel_connecting(peer: Peer, url: str) -> None:
    """Cancels a call some turns after it was begun, with a connection of its own."""
    for turns in range(40):
        async with AsyncFairwayClient(url, max_retries=0) as client:
            task = asyncio.create_task(client.health())
            for _ in range(turns):
                await asyncio.sleep(0)
            await cancelled(task, task.cancel())


class Foreign:
    """A transport of another implementation."""

    def __init__(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class ForeignLoop(asyncio.SelectorEventLoop):
    """Like uvloop: without happy eyeballs, and with transports that are no instances of those of asyncio."""

    async def create_connection(  # type: ignore[override]
        self, factory: Callable[[], Any], host: Any = None, port: Any = None, *, sock: Any = None, **options: Any
    ) -> Any:
        assert set(options) <= {"ssl", "family", "proto", "flags", "local_addr", "server_hostname"}, options

        def made() -> Any:
            protocol = factory()
            connection_made = protocol.connection_made
            protocol.connection_made = lambda transport: connection_made(Foreign(transport))
            return protocol

        return await super().create_connection(made, host, port, sock=sock, **options)


async def reuse(peer: Peer, url: str) -> None:
    answers = 0

    def answered() -> None:
        nonlocal answers
        answers += 1

    peer.answered = answered
    async with AsyncFairwayClient(url, max_retries=0, timeout_seconds=float("inf")) as client:
        await client.health()
        await client.health()
    assert answers == 2


unraisable: list[Any] = []
sys.unraisablehook = unraisable.append
for is_debug in (False, True):
    asyncio.run(with_peer(cancel_answered), debug=is_debug)
    asyncio.run(with_peer(cancel_connecting), debug=is_debug)
foreign = ForeignLoop()
foreign.run_until_complete(with_peer(reuse))
foreign.close()
gc.collect()
assert not unraisable, [one.exc_value for one in unraisable]
