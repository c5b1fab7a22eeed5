"""Sends the payouts of a queue that Fairway allows. Nothing is sent twice, and nothing is lost.

    FAIRWAY_API_KEY=pk_test_… python payout_worker.py payouts.db [--once]

The queue is the table of SCHEMA in an SQLite database. Several workers may share it. Call your own rail in `send`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import sys
import time
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from fairway import ConflictError, FairwayClient, FairwayError, Hold, allows
from fairway.types import VerifyResponse

SCHEMA = """
CREATE TABLE payouts (
  id TEXT PRIMARY KEY NOT NULL,
  corridor TEXT NOT NULL,
  amount TEXT NOT NULL,  -- as text: SQLite's own fractions are floats
  currency TEXT NOT NULL,
  payee TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',  -- then sending and sent, or refused, or review (by a person)
  round INTEGER NOT NULL DEFAULT 1,  -- in another round Fairway decides anew
  not_before REAL NOT NULL DEFAULT 0,  -- in seconds since 1970
  request_id TEXT,
  note TEXT
)"""

CLAIM_SECONDS = 60  # Longer than a question, which takes 10 seconds at most.
PAUSE_SECONDS = 30


class Payout(NamedTuple):
    id: str
    corridor: str
    amount: str
    currency: str
    payee: str
    round: int


def send(payout: Payout, partner: str | None) -> None:
    """Returns once the rail has the payout. If the rail takes idempotency keys, give it the id of the payout."""
    print(f"to the rail: {payout.id} {Decimal(payout.amount):f} {payout.currency} to {payout.payee}", flush=True)


def claim(db: sqlite3.Connection) -> Payout | None:
    """Returns the next payout that is due. If this worker dies, the payout is due again once the claim has run out."""
    claimed = db.execute(
        "UPDATE payouts SET not_before = ? WHERE rowid = (SELECT rowid FROM payouts"
        " WHERE state = 'waiting' AND not_before <= ? ORDER BY not_before, rowid LIMIT 1)"
        " RETURNING id, corridor, amount, currency, payee, round",
        (time.time() + CLAIM_SECONDS, time.time()),
    ).fetchall()
    return Payout(*claimed[0]) if claimed else None


def record(
    db: sqlite3.Connection,
    payout: Payout,
    state: str,
    note: str,
    request_id: str | None = None,
    wait: float = 0,
    rounds: int = 0,
) -> bool:
    """Returns False if another worker has taken the payout out of `waiting`: only one of them may send it."""
    recorded = db.execute(
        "UPDATE payouts SET state = ?, note = ?, request_id = ?, not_before = ?, round = round + ?"
        " WHERE id = ? AND state = 'waiting' AND round = ?",
        (state, note, request_id, time.time() + wait, rounds, payout.id, payout.round),
    )
    if recorded.rowcount == 1:
        print(f"{payout.id}: {state}: {note}", flush=True)
    return recorded.rowcount == 1


def gate(db: sqlite3.Connection, client: FairwayClient, payout: Payout) -> None:
    try:
        amount = Decimal(payout.amount)
        if not amount > 0:
            raise ValueError("the amount is not above 0")
        answer = client.verify(
            {
                "corridor": payout.corridor,
                "amount": amount,
                "currency": payout.currency,
                "correlation_id": payout.id,
            },
            # Stored before the question, so that a second one after a crash gets the same decision.
            idempotency_key=f"{payout.id}/{payout.round}",
        )
    except FairwayError as error:
        note = " ".join([str(error), *(item["message"] for item in error.errors)])
        if error.status in (401, 403):
            record(db, payout, "waiting", note, error.request_id)
            sys.exit("Fairway does not accept the API key: nothing more is sent")
        if error.code == "INVALID_REQUEST":
            record(db, payout, "refused", note, error.request_id)
        elif isinstance(error, ConflictError):
            record(db, payout, "review", note, error.request_id)
        else:
            # The next payout would get no answer either, so all of them wait. This one comes last: it may be the cause.
            wait = error.retry_after_seconds or PAUSE_SECONDS
            pause = "UPDATE payouts SET not_before = max(not_before, ?) WHERE state = 'waiting'"
            db.execute(pause, (time.time() + wait,))
            record(db, payout, "waiting", note, error.request_id, wait)
    except ArithmeticError:
        record(db, payout, "refused", "the amount is not a number")
    except (TypeError, ValueError) as error:
        record(db, payout, "refused", str(error))
    else:
        if isinstance(answer, Hold):
            record(db, payout, "waiting", answer.message, answer.request_id, answer.retry_after_seconds or PAUSE_SECONDS)
        else:
            act(db, payout, answer)


def act(db: sqlite3.Connection, payout: Payout, answer: VerifyResponse) -> None:
    decision, request_id = f"{answer['decision']} {answer['recommended_action']}", answer["request_id"]
    for warning in answer.get("warnings", []):
        print(f"{payout.id}: warning: {warning['message']}", file=sys.stderr, flush=True)
    valid_until = answer.get("valid_until", "1970-01-01T00:00:00Z").replace("Z", "+00:00")
    if answer["decision"] == "NO-GO":
        record(db, payout, "refused", decision, request_id)
    elif not allows(answer) or answer["recommended_action"] != "PROCEED":
        record(db, payout, "review", decision, request_id)
    elif datetime.fromisoformat(valid_until) <= datetime.now(timezone.utc):
        # A worker that died may have got this answer long ago.
        record(db, payout, "waiting", "the decision has expired", request_id, PAUSE_SECONDS, rounds=1)
    # On disk before the money moves. If this worker dies before `sent`, nobody sends it again.
    elif record(db, payout, "sending", decision, request_id):
        send(payout, answer["recommended_partner"])
        db.execute("UPDATE payouts SET state = 'sent' WHERE id = ? AND state = 'sending'", (payout.id,))
        print(f"{payout.id}: sent: {request_id}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Send the payouts of a queue that Fairway allows.")
    parser.add_argument("database", type=Path)
    parser.add_argument("--once", action="store_true", help="end as soon as no payout is due")
    options = parser.parse_args()
    try:
        url = os.environ.get("FAIRWAY_URL", "http://127.0.0.1:8080")
        # No retries: the payout waits in the queue, not in the worker.
        client = FairwayClient(url, os.environ["FAIRWAY_API_KEY"], max_retries=0)
        # Not created: with a wrong path, the queue would seem to be empty.
        file = f"{options.database.absolute().as_uri()}?mode=rw"
        db = sqlite3.connect(file, timeout=30, isolation_level=None, uri=True)
    except KeyError:
        sys.exit("Set FAIRWAY_API_KEY to a key with the scope decision:read")
    except ValueError as error:
        sys.exit(str(error))
    except sqlite3.Error as error:
        sys.exit(f"{options.database}: {error}")
    stopping: list[int] = []
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda number, _: stopping.append(number))
    while not stopping:
        payout = claim(db)
        if payout is not None:
            gate(db, client, payout)
        elif options.once:
            break
        else:
            time.sleep(1)


if __name__ == "__main__":
    main()
