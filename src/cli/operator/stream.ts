/** `fairway stream reconcile`: compares the NATS stream with the database and republishes missing events. */

import type { Command } from 'commander'
import { reconcile, type OwnerReconciled } from '../../app/events/stream/reconcile.ts'
import { prefixedId } from '../../app/verify/ids.ts'
import type { Store } from '../../app/ports/store.ts'
import { CommandFailure, storeWork, type CliDeps } from '../deps.ts'
import { table } from '../table.ts'

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
counts again. Servers keep running. Exits with 1 if events are still missing. Docs: docs/nats.md

Example:
  fairway stream reconcile --owner own_…`,
    )
    .action(async (options: ReconcileOptions) => {
      let missing = 0
      await storeWork(deps)(async (store) => {
        const owners = await reconciled(deps, store, options.owner ?? null)
        for (const { inDatabase, inStreamAfter } of owners) missing += inDatabase - inStreamAfter
        return options.json ? JSON.stringify({ owners: owners.map(ownerJson), missing }) : ownersText(owners)
      })
      if (missing > 0)
        throw new CommandFailure(
          `${missing} events are still missing: check the stream's limits, then run it again`,
        )
    })
}

async function reconciled(deps: CliDeps, store: Store, ownerId: string | null): Promise<OwnerReconciled[]> {
  const { nats } = deps.config()
  if (nats === null) throw new CommandFailure('FAIRWAY_NATS_URL is not set: there is no stream')
  const { origin } = await store.log.head()
  // Before the first start of a server.
  if (origin === null) return []
  if (ownerId !== null && (await store.events.newest([ownerId])).get(ownerId) === -1)
    throw new CommandFailure(
      `${JSON.stringify(ownerId)} has no events: fairway keys list shows the owners' ids`,
    )
  const sink = await deps.openEventSink(nats)
  try {
    const runId = prefixedId('run', deps.random)
    const owners: OwnerReconciled[] = []
    const work = reconcile({ events: store.events, sink, origin, runId }, ownerId)
    for await (const owner of work) owners.push(owner)
    return owners
  } finally {
    await sink.close()
  }
}

function ownerJson(owner: OwnerReconciled) {
  return {
    owner_id: owner.ownerId,
    in_database: owner.inDatabase,
    in_stream: owner.inStream,
    republished: owner.republished,
    in_stream_after: owner.inStreamAfter,
  }
}

function ownersText(owners: readonly OwnerReconciled[]): string {
  const rows = owners.map(({ ownerId, inDatabase, inStream, republished, inStreamAfter }) => [
    ownerId,
    ...[inDatabase, inStream, republished, inStreamAfter].map(String),
  ])
  const total = owners.reduce((sum, { republished }) => sum + republished, 0)
  return [
    ...table(['OWNER', 'DATABASE', 'STREAM', 'REPUBLISHED', 'STREAM AFTER'], rows),
    '',
    `Owners: ${owners.length}. Republished events: ${total}.`,
  ].join('\n')
}
