"""How the clients hold connections. The first argument names the check; standard input has what it needs."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import fairway
from fairway import AsyncFairwayClient, FairwayClient, _sockets, _streams

given: dict[str, Any] = json.loads(sys.stdin.readline())
url: str = given["url"]


def reuse() -> None:
    with FairwayClient(url) as client:
        for _ in range(3):
            client.health()
        quick = client.with_options(max_retries=0)
        quick.health()

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url) as client:
            for _ in range(3):
                await client.health()
            await client.with_options(max_retries=0).health()

    asyncio.run(asynchronous())


async def wait(is_blocked: bool) -> None:
    """For a line of standard input. Meanwhile, a blocked event loop sees nothing of its connections."""
    if is_blocked:
        sys.stdin.readline()
    else:
        await asyncio.to_thread(sys.stdin.readline)


def closed() -> None:
    """The server ends the connection after an answer, and says so on standard input."""
    with FairwayClient(url, max_retries=0) as client:
        client.health()
        sys.stdin.readline()
        client.health()

    async def asynchronous(is_blocked: bool) -> None:
        async with AsyncFairwayClient(url, max_retries=0) as client:
            await client.health()
            await wait(is_blocked)
            await client.health()

    for is_blocked in (False, True):
        sys.stdin.readline()
        asyncio.run(asynchronous(is_blocked))


def unasked() -> None:
    """The server sends a second answer that nobody asked for, and says so on standard input."""
    with FairwayClient(url, "k", max_retries=0) as client:
        print(client.verify({"corridor": "GB-NG"}))
        sys.stdin.readline()
        print(client.verify({"corridor": "GB-NG"}))

    async def asynchronous(is_blocked: bool) -> None:
        async with AsyncFairwayClient(url, "k", max_retries=0) as client:
            print(await client.verify({"corridor": "GB-NG"}))
            await wait(is_blocked)
            print(await client.verify({"corridor": "GB-NG"}))

    for is_blocked in (False, True):
        sys.stdin.readline()
        asyncio.run(asynchronous(is_blocked))


def late() -> None:
    """A second connection asks the server for an answer on the first one, and the server says when it is sent."""

    def provoke() -> None:
        with socket.create_connection(("127.0.0.1", given["port"])) as other:
            other.sendall(b"next")
            sys.stdin.readline()

    with FairwayClient(url, "k", max_retries=0) as client:
        print(client.verify({"corridor": "GB-NG"}))
        provoke()
        print(client.verify({"corridor": "GB-NG"}))

    async def asynchronous(is_blocked: bool) -> None:
        async with AsyncFairwayClient(url, "k", max_retries=0) as client:
            print(await client.verify({"corridor": "GB-NG"}))
            if is_blocked:
                provoke()
            else:
                await asyncio.to_thread(provoke)
            print(await client.verify({"corridor": "GB-NG"}))

    for is_blocked in (False, True):
        asyncio.run(asynchronous(is_blocked))


def loops() -> None:
    """A client outlives an event loop."""
    client = AsyncFairwayClient(url, max_retries=0)

    async def once() -> None:
        await client.health()

    asyncio.run(once())
    asyncio.run(once())

    async def end() -> None:
        await client.aclose()

    asyncio.run(end())


def forks() -> None:
    """A child process opens connections of its own."""
    with FairwayClient(url, max_retries=0) as client:
        client.health()
        child = os.fork()
        if child == 0:
            client.health()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        client.health()


def threads() -> None:
    with FairwayClient(url, max_retries=0) as client, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.health()["status"], range(80)))
    print(len(answers))

    shared = AsyncFairwayClient(url, max_retries=0)

    async def asynchronous() -> None:
        for _ in range(20):
            await shared.health()
        await shared.aclose()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(lambda: asyncio.run(asynchronous(), debug=True)) for _ in range(4)]:
            done.result()


def burst() -> None:
    """The server answers the first eight requests at once, and says when all their connections but one have ended."""
    now = 0
    setattr(_sockets, "time", SimpleNamespace(monotonic=lambda: now))
    client = FairwayClient(url, max_retries=0)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: client.health(), range(8)))
    for now in (3, 6):
        client.health()
    sys.stdin.readline()


def large() -> None:
    """The server answers before it has read the body, and closes the connection."""
    payments = "corridor\n" + "GB-NG\n" * 2_000_000
    trusted = ssl.create_default_context(cadata=given.get("certificate"))
    try:
        FairwayClient(url, "k", ssl_context=trusted).batch_assess(payments)
    except fairway.InvalidRequestError as error:
        print(error.status, error)

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url, "k", ssl_context=trusted) as client:
            try:
                await client.batch_assess(payments)
            except fairway.InvalidRequestError as error:
                print(error.status, error)

    asyncio.run(asynchronous())


def addresses() -> None:
    """A host has addresses of a family that the system lacks, without a server, and of a network that is silent."""
    (last,) = socket.getaddrinfo("127.0.0.1", given["port"], type=socket.SOCK_STREAM)
    with socket.create_server(("127.0.0.1", 0)) as gone:
        refused = gone.getsockname()
    kinds = (socket.SOCK_STREAM, 6, "")
    found = [(9_999, *kinds, refused), (socket.AF_INET, *kinds, refused)]
    found += [(socket.AF_INET, *kinds, ("192.0.2.1", 80)), last]
    setattr(socket, "getaddrinfo", lambda *_, **__: list(found))
    setattr(_sockets, "address_seconds_max", 0.1)
    setattr(_streams, "address_seconds_max", 0.1)
    with FairwayClient(url, max_retries=0) as client:
        print(client.health()["status"])

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url, max_retries=0) as client:
            print((await client.health())["status"])

    asyncio.run(asynchronous())


def cancel() -> None:
    """Says when the request is on its way; the server says when its connection has ended."""

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url, "k", max_retries=0) as client:
            task = asyncio.create_task(client.verify({"corridor": "GB-NG"}))
            await asyncio.to_thread(sys.stdin.readline)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                print("cancelled")

    asyncio.run(asynchronous())


def slow() -> None:
    """Bytes that never end do not extend the time of an attempt."""
    for head in ("head", "body"):
        try:
            FairwayClient(f"{url}/{head}", max_retries=0, timeout_seconds=0.2).health()
        except fairway.TimeoutError as error:
            print(type(error).__name__, error)

        async def asynchronous() -> None:
            try:
                await AsyncFairwayClient(f"{url}/{head}", max_retries=0, timeout_seconds=0.2).health()
            except fairway.TimeoutError as error:
                print(type(error).__name__, error)

        asyncio.run(asynchronous())


def tls() -> None:
    async def asynchronous(context: ssl.SSLContext | None) -> str:
        async with AsyncFairwayClient(url, max_retries=0, ssl_context=context) as client:
            return (await client.health())["status"]

    trusted = ssl.create_default_context(cadata=given["certificate"])
    with FairwayClient(url, max_retries=0, ssl_context=trusted) as client:
        print(client.health()["status"], asyncio.run(asynchronous(trusted)))
    for is_async in (False, True):
        try:
            if is_async:
                asyncio.run(asynchronous(None))
            else:
                FairwayClient(url, max_retries=0).health()
        except fairway.ConnectionError as error:
            print("CERTIFICATE_VERIFY_FAILED" in str(error))


def numbers() -> None:
    """Amounts are sent exactly, or not at all."""
    with FairwayClient(url, "k", max_retries=0) as client:
        for amount in ("1000", "0.10", "1234567890.12", "1E+3"):
            client.verify({"corridor": "GB-NG", "amount": Decimal(amount)})
        for wrong in (
            Decimal("0.1234567890123456789"),
            Decimal("NaN"),
            Decimal("1E+400"),
            float("nan"),
            float("inf"),
            object(),
            {1, 2},
        ):
            try:
                client.verify({"corridor": "GB-NG", "amount": wrong})  # type: ignore[typeddict-item]
            except ValueError:
                print("refused")


checks = [
    reuse,
    closed,
    unasked,
    late,
    loops,
    forks,
    threads,
    burst,
    large,
    addresses,
    cancel,
    slow,
    tls,
    numbers,
]
next(check for check in checks if check.__name__ == sys.argv[1])()
