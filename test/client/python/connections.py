"""How the clients hold connections. The first argument names the check; standard input has what it needs."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import fairway
from fairway import AsyncFairwayClient, FairwayClient

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


def closed() -> None:
    """The server ends the connection after an answer, and says so on standard input."""
    with FairwayClient(url, max_retries=0) as client:
        client.health()
        sys.stdin.readline()
        client.health()
    sys.stdin.readline()

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url, max_retries=0) as client:
            await client.health()
            await asyncio.to_thread(sys.stdin.readline)
            await client.health()

    asyncio.run(asynchronous())


def unasked() -> None:
    """The server sends a second answer that nobody asked for, and says so on standard input."""
    with FairwayClient(url, "k", max_retries=0) as client:
        print(client.verify({"corridor": "GB-NG"}))
        sys.stdin.readline()
        print(client.verify({"corridor": "GB-NG"}))
    sys.stdin.readline()

    async def asynchronous() -> None:
        async with AsyncFairwayClient(url, "k", max_retries=0) as client:
            print(await client.verify({"corridor": "GB-NG"}))
            await asyncio.to_thread(sys.stdin.readline)
            print(await client.verify({"corridor": "GB-NG"}))

    asyncio.run(asynchronous())


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


checks = [reuse, closed, unasked, loops, forks, threads, cancel, slow, tls, numbers]
next(check for check in checks if check.__name__ == sys.argv[1])()
