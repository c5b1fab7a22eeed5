"""Runs the steps of a row with a client of Python: a line of JSON a step, and one back with its result.

The one argument says which client: `sync` or `async`. The program ends with its standard input.
"""

from __future__ import annotations

import asyncio
import base64
import copy
import inspect
import json
import math
import re
import sys
import traceback
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import fairway

Json = dict[str, Any]

MEMBERS = (
    "message status code request_id retry_after_seconds unavailable_signals signals_without_feed errors"
    " idempotency_key attempts"
).split()


class World:
    """Waiting takes no time and is written down."""

    def __init__(self, chance: float) -> None:
        self.now = 0.0
        self.chance = chance
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


class Driver:
    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.world = World(0.5)
        self.client: Any = None

    async def run(self, message: Json) -> Json:
        if "reset" in message:
            await self.close()
            self.world = World(message["reset"])
            return {"waits": []}
        self.world.waits = []
        before = copy.deepcopy(message)
        try:
            result = await self.step(message)
        except Exception as error:
            result = failure(error)
        if message != before:
            return {"crash": f"the arguments were changed: {message}"}
        return {**result, "waits": self.world.waits}

    async def step(self, message: Json) -> Json:
        if "open" in message:
            await self.close()
            self.client = self.opened(message["open"])
            return {"answer": None, "shown": repr(self.client) + str(self.client)}
        return check(message["webhook"]) if "webhook" in message else await self.call(message)

    def opened(self, options: Json) -> Any:
        given = snake_keys(options)
        base_url, api_key = given.pop("base_url"), given.pop("api_key", None)
        world = self.world
        if self.mode == "async":
            chosen = fairway.Runtime(now=lambda: world.now, random=lambda: world.chance, sleep=world.sleep_async)
            return fairway.AsyncFairwayClient(base_url, api_key, runtime=chosen, **limits(given))
        runtime = fairway.Runtime(now=lambda: world.now, random=lambda: world.chance, sleep=world.sleep)
        return fairway.FairwayClient(base_url, api_key, runtime=runtime, **limits(given))

    async def call(self, message: Json) -> Json:
        client = self.client
        if "limits" in message:
            client = client.with_options(**limits(snake_keys(message["limits"])))
        method = getattr(client, snake(message["call"]))
        query = {"from_" if name == "from" else name: value for name, value in message.get("query", {}).items()}
        options = snake_keys(message.get("options", {}))
        result = method(*message.get("args", []), **query, **options)
        read = message.get("read")
        if read is None:
            return answer_of(message["call"], await settled(result))
        if read == "page":
            return {"answer": plain(await settled(result.page()))}
        taken: list[Any] = []
        items = each(result.pages() if read == "pages" else result)
        try:
            async for item in items:
                taken.append(plain(item))
                if len(taken) >= message.get("take", sys.maxsize):
                    break
        except Exception as error:
            return {**failure(error), "taken": taken}
        finally:
            await items.aclose()  # type: ignore[attr-defined]
        return {"answer": taken}

    async def close(self) -> None:
        if self.client is not None:
            await settled(self.client.aclose() if self.mode == "async" else self.client.close())
        self.client = None


async def settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def each(items: Any) -> AsyncIterator[Any]:
    """The items of a loop of either kind, which ends when this one does."""
    if not hasattr(items, "__aiter__"):
        for item in items:
            yield item
        return
    loop = aiter(items)
    try:
        async for item in loop:
            yield item
    finally:
        if hasattr(loop, "aclose"):
            await loop.aclose()


def answer_of(call: str, value: Any) -> Json:
    if isinstance(value, fairway.Hold):
        hold = {camel(name): member for name, member in asdict(value).items()}
        return {"hold": hold, "allows": fairway.allows(value)}
    return {"answer": value, **({"allows": fairway.allows(value)} if call == "verify" else {})}


def plain(value: Any) -> Any:
    """A page as JSON has it."""
    if hasattr(value, "next_cursor"):
        return {"items": value.items, "nextCursor": value.next_cursor}
    return value


def check(webhook: Json) -> Json:
    body = webhook["body"]
    given = base64.b64decode(body["base64"]) if "base64" in body else body.get("text", body.get("parsed"))
    options = snake_keys(webhook.get("options", {}))
    event = fairway.verify_webhook(given, webhook["headers"], webhook["secret"], **options)
    return {"answer": event}


def failure(error: Exception) -> Json:
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error))
    if isinstance(error, fairway.WebhookVerificationError):
        return {"fault": error.fault, "shown": shown}
    if isinstance(error, fairway.FairwayError):
        classes = [one.__name__ for one in type(error).__mro__ if issubclass(one, fairway.FairwayError)]
        members = {camel(name): getattr(error, name, None) for name in MEMBERS}
        # JSON has no word for it.
        members = {name: None if value == math.inf else value for name, value in members.items()}
        return {"error": {**members, "message": str(error), "classes": classes}, "shown": shown}
    # Of their subclasses, such as errors of decoders, none is a message for a caller.
    if type(error) in (ValueError, TypeError):
        return {"misuse": str(error), "shown": shown}
    return {"crash": shown}


def limits(given: Json) -> Json:
    """JSON has no word for infinity."""
    return {name: float(value) if isinstance(value, str) else value for name, value in given.items()}


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def camel(name: str) -> str:
    return re.sub("_([a-z])", lambda letter: letter.group(1).upper(), name)


def snake_keys(given: Json) -> Json:
    return {snake(name): value for name, value in given.items()}


async def main(mode: str) -> None:
    driver = Driver(mode)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await driver.run(json.loads(line))), flush=True)
    await driver.close()


asyncio.run(main(sys.argv[1]))
