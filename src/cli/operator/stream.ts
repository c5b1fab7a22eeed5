/** `fairway stream reconcile`: compares the NATS stream with the database and republishes missing events. */

import type { Command } from 'commander'
import { reconcile, type OwnerReconciled, type Reconciled } from '../../app/events/stream/reconcile.ts'
import { prefixedId } from '../../app/verify/ids.ts'
import type { Store } from '../../app/ports/store.ts'
import { counted } from '../../core/explain/wording.ts'
import { CommandFailure, storeWork, type CliDeps } from '../deps.ts'
import { table } from '../table.ts'
import { sleep } from '../user/session/session.ts'

/** Between two looks at what servers have published. */
const pauseMs = 250

interface ReconcileOptions {
  readonly owner?: string
  readonly json?: true
}

export function registerStream(program: Command, deps: CliDeps): void {
  const stream = program
    .command('stream')
    .description('Compare the NATS stream with the database')
    .addHelpText('after', '\nExample:\n  fairway stream reconcile')
  stream
    .command('reconcile')
    .description('Republish events that the NATS stream lacks')
    .option('--owner <owner-id>', 'Only the events of this owner')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Counts each owner's events in the database and in the stream, publishes those that the stream lacks in their order, and
counts again. Servers keep running. Exits with 1 if events are still missing, or if no server has published some of those
that were recorded before the command. Docs: docs/nats.md

Example:
  fairway stream reconcile --owner own_…`,
    )
    .action(async (options: ReconcileOptions) => {
      let result = nothing
      await storeWork(deps)(async (store) => {
        result = await reconciled(deps, store, options.owner ?? null)
        return options.json ? resultJson(result) : resultText(result)
      })
      failIfIncomplete(result)
    })
}

const nothing: Reconciled = { owners: [], unpublished: 0, failure: null }

async function reconciled(deps: CliDeps, store: Store, ownerId: string | null): Promise<Reconciled> {
  const { nats } = deps.config()
  if (nats === null) throw new CommandFailure('FAIRWAY_NATS_URL is not set: there is no stream')
  const { origin } = await store.log.head()
  // Before the first start of a server.
  if (origin === null) return nothing
  if (ownerId !== null && (await store.events.newest([ownerId])).get(ownerId) === -1)
    throw new CommandFailure(
      `${JSON.stringify(ownerId)} has no events: fairway keys list shows the owners' ids`,
    )
  const sink = await deps.openEventSink(nats)
  try {
    const { journal, events } = store
    const runId = prefixedId('run', deps.random)
    const pause = () => sleep(pauseMs)
    return await reconcile({ journal, events, sink, origin, runId, pause }, ownerId)
  } finally {
    await sink.close()
  }
}

/** In all: what the stream lacked, what of it was published again, and what it still lacks. */
function totalsOf({ owners }: Reconciled) {
  const sum = (countOf: (owner: OwnerReconciled) => number): number =>
    owners.reduce((total, owner) => total + countOf(owner), 0)
  return {
    lacked: sum(({ inDatabase, inStream }) => inDatabase - inStream),
    republished: sum(({ republished }) => republished),
    missing: sum(({ inDatabase, inStreamAfter }) => inDatabase - inStreamAfter),
  }
}

function failIfIncomplete(result: Reconciled): void {
  const { unpublished, failure } = result
  const { missing } = totalsOf(result)
  if (failure !== null)
    throw new CommandFailure(
      `${failure.message}. The counts end there: ${counted(missing, 'event is', 'events are')} known to be missing. Run it again`,
    )
  const faults = [
    ...(missing > 0
      ? [
          `${counted(missing, 'event is', 'events are')} still missing: check the stream's limits, then run it again`,
        ]
      : []),
    ...(unpublished > 0
      ? [
          `${counted(unpublished, 'event was', 'events were')} published by no server: start one with FAIRWAY_NATS_URL, or see its follower stream`,
        ]
      : []),
  ]
  const [first, ...more] = faults
  if (first !== undefined) throw new CommandFailure(first, 1, more)
}

function resultJson(result: Reconciled): string {
  const owners = result.owners.map((owner) => ({
    owner_id: owner.ownerId,
    in_database: owner.inDatabase,
    in_stream: owner.inStream,
    republished: owner.republished,
    in_stream_after: owner.inStreamAfter,
  }))
  const { missing, lacked, republished } = totalsOf(result)
  const { unpublished, failure } = result
  return JSON.stringify({ owners, lacked, republished, missing, unpublished, is_complete: failure === null })
}

function resultText(result: Reconciled): string {
  const rows = result.owners.map(({ ownerId, inDatabase, inStream, republished, inStreamAfter }) => [
    ownerId,
    ...[inDatabase, inStream, republished, inStreamAfter].map(String),
  ])
  const { lacked, republished, missing } = totalsOf(result)
  return [
    ...table(['OWNER', 'DATABASE', 'STREAM', 'REPUBLISHED', 'STREAM AFTER'], rows),
    '',
    `Owners: ${rows.length}. Missing events: ${lacked}. Republished: ${republished}. Still missing: ${missing}.`,
    `Not published by any server yet: ${result.unpublished}.`,
  ].join('\n')
}
