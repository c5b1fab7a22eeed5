"""Calls every operation of both clients, each at a base URL of its own, where it fails. Reads the calls from standard input."""

import asyncio
import json
import sys
from typing import Any

from fairway import AsyncFairwayClient, FairwayClient, FairwayError, Runtime


async def no_wait(seconds: float) -> None:
    pass


def call(url: str, name: str, args: list[Any], keywords: dict[str, Any]) -> None:
    with FairwayClient(
        f"{url}/sync/{name}", "k", max_retries=1, runtime=Runtime(sleep=lambda _: None)
    ) as client:
        try:
            answer = getattr(client, name)(*args, **keywords)
            for _ in answer:
                pass
        except FairwayError:
            return
    raise AssertionError(f"{name} succeeded")


async def call_async(url: str, name: str, args: list[Any], keywords: dict[str, Any]) -> None:
    async with AsyncFairwayClient(
        f"{url}/async/{name}", "k", max_retries=1, runtime=Runtime(sleep=no_wait)
    ) as client:
        try:
            answer = getattr(client, name)(*args, **keywords)
            if hasattr(answer, "__aiter__"):
                async for _ in answer:
                    pass
            else:
                await answer
        except FairwayError:
            return
    raise AssertionError(f"{name} succeeded")


async def main() -> None:
    given = json.loads(sys.stdin.readline())
    for one in given["calls"]:
        call(given["url"], one["name"], one["args"], one["keywords"])
        await call_async(given["url"], one["name"], one["args"], one["keywords"])
    public = [name for name in dir(FairwayClient) if not name.startswith("_")]
    others = [name for name in dir(AsyncFairwayClient) if not name.startswith("_")]
    print(json.dumps({"sync": public, "async": others}))


asyncio.run(main())
