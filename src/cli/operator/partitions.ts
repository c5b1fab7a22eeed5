/** `fairway partitions`: lists, detaches and attaches months of records on PostgreSQL. For operators. */

import type { Command } from 'commander'
import { createFollowReviews } from '../../app/review/follow.ts'
import { createIds } from '../../app/verify/ids.ts'
import { attachMonth, detachMonth, type DetachOutcome } from '../../app/operate/partitions.ts'
import type { Attached, PartitionStore } from '../../app/ports/operate/partitions.ts'
import type { Store } from '../../app/ports/store.ts'
import { parseMonth, type Month } from '../../core/time/month.ts'
import { monthView } from '../../app/operate/month-view.ts'
import type { DropOutcome } from '../../app/archive/drop.ts'
import { actsBy } from '../../app/operate/acts.ts'
import { plainText } from '../arguments.ts'
import { countBar } from '../progress.ts'
import { withFolder } from './archives.ts'
import { CommandFailure, storeWork, type CliDeps, type WithStore } from '../deps.ts'
import { monthsText } from './partition-output.ts'

interface MoveOptions {
  readonly by?: string
  readonly dryRun?: true
  readonly json?: true
}

const byHelp = 'Name recorded with the operation; default: your login name'

export function registerPartitions(program: Command, deps: CliDeps): void {
  const partitions = program
    .command('partitions')
    .description('List, detach, attach and drop months (PostgreSQL)')
    .addHelpText('after', '\nExample:\n  fairway partitions list')
  const withStore = storeWork(deps)
  registerList(partitions, withStore)
  registerDetach(partitions, deps, withStore)
  registerAttach(partitions, deps, withStore)
  registerDrop(partitions, deps, withStore)
}

function registerList(partitions: Command, withStore: WithStore): void {
  partitions
    .command('list')
    .description('List all months with state, records and size')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway partitions list')
    .action((options: { json?: true }) =>
      withStore(async (store) => {
        const months = await partitionsOf(store).list()
        return options.json ? JSON.stringify(months.map(monthView)) : monthsText(months)
      }),
    )
}

function registerDetach(partitions: Command, deps: CliDeps, withStore: WithStore): void {
  partitions
    .command('detach <month>')
    .description('Detach a past month from the records')
    .option('--dry-run', 'Only check whether the month can be detached')
    .option('--by <name>', byHelp, plainText(200))
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
The month's table stays in the database until you move it. Its records cannot be read until the month is attached again;
their idempotency keys stay in use, and summaries still count them. Servers keep running. To complete an interrupted
detach, run it again. Docs: docs/postgresql.md

Example:
  fairway partitions detach 2025-03`,
    )
    .action((argument: string, options: MoveOptions) => {
      const month = monthOf(argument)
      return withStore(async (store) => {
        const outcome = await detachMonth(portsOf(store, deps), {
          month,
          by: options.by ?? deps.operator(),
          cooldownMs: deps.config().cooldownMs,
          isDryRun: options.dryRun === true,
        })
        const [text, json] = detachOutput(month, outcome)
        return options.json ? JSON.stringify(json) : text
      })
    })
}

function registerAttach(partitions: Command, deps: CliDeps, withStore: WithStore): void {
  partitions
    .command('attach <month>')
    .description('Attach a detached month after checking its table')
    .option('--by <name>', byHelp, plainText(200))
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway partitions attach 2025-03')
    .action((argument: string, options: MoveOptions) => {
      const month = monthOf(argument)
      return withStore(async (store) => {
        const by = options.by ?? deps.operator()
        const attached = await attachMonth(portsOf(store, deps), { month, by })
        const { table, records } = attachedOf(month, attached)
        return options.json
          ? JSON.stringify({ month, state: 'attached', table, records })
          : `Attached ${month}: ${records} records, verified unchanged.`
      })
    })
}

interface DropOptions extends MoveOptions {
  readonly archive: string
}

function registerDrop(partitions: Command, deps: CliDeps, withStore: WithStore): void {
  partitions
    .command('drop <month>')
    .description('Drop a detached month whose records are archived')
    .requiredOption('--archive <dir>', 'Archive of the month, as JSON lines, from fairway export')
    .option('--by <name>', byHelp, plainText(200))
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Verifies the archive, and looks up each of its records in the month's table. The table is dropped only if the archive
holds every record. The SHA-256 of the manifest is recorded as the receipt. It cannot be undone: keep the archive.
Docs: docs/archives.md

Example:
  fairway partitions drop 2025-03 --archive archive-2025-03`,
    )
    .action((argument: string, options: DropOptions) => {
      const month = monthOf(argument)
      return withStore(async (store) => {
        const { records, receipt, table } = droppedOf(month, await drop(store, deps, { month, options }))
        return options.json
          ? JSON.stringify({ month, state: 'dropped', table, records, manifest_sha256: receipt })
          : `Dropped ${month}: ${records} records are in the archive. Manifest SHA-256: ${receipt}`
      })
    })
}

async function drop(
  store: Store,
  deps: CliDeps,
  { month, options }: { readonly month: Month; readonly options: DropOptions },
): Promise<DropOutcome> {
  const { dropMonth } = await import('../../app/archive/drop.ts')
  const { InvalidArchive } = await import('../../app/archive/manifest.ts')
  const { clock, random } = deps
  const describe = actsBy(options.by ?? deps.operator(), { clock, random })
  const bar = countBar('leaves', deps.process.stderr)
  const onProgress = (done: number, all: number): void => bar.update(done, all)
  const partitions = partitionsOf(store)
  try {
    return await withFolder(deps, { path: options.archive, isRead: true }, (folder) =>
      dropMonth({ store, partitions, folder, describe, onProgress }, { month }),
    )
  } catch (error) {
    if (error instanceof InvalidArchive) throw new CommandFailure(`${options.archive}: ${error.message}`)
    throw error
  } finally {
    bar.stop()
  }
}

function droppedOf(month: Month, outcome: DropOutcome): Extract<DropOutcome, { kind: 'dropped' }> {
  switch (outcome.kind) {
    case 'dropped':
      return outcome
    case 'would_drop':
      throw new Error('a drop without a dry run only compared')
    case 'present':
      throw new CommandFailure(
        `${month} is not detached: detach it first with fairway partitions detach ${month}`,
      )
    case 'unknown':
      throw new CommandFailure(`no records of month ${month}: run fairway partitions list for all months`)
    case 'gone':
      throw new CommandFailure(`the table of ${month} is not in the database: the month is ${outcome.state}`)
    case 'refused':
      throw new CommandFailure(
        `${month} was not dropped: the archive is not a copy of it`,
        1,
        outcome.findings,
      )
    default:
      return refuse(month, outcome)
  }
}

/** Followers read records, so they are followed before a month is moved. */
function portsOf(store: Store, deps: CliDeps) {
  const { clock, random } = deps
  const ids = createIds({ clock, random })
  return {
    partitions: partitionsOf(store),
    clock,
    journal: store.journal,
    followReviews: createFollowReviews({ store: store.reviews, ids, terms: deps.config().reviews }),
  }
}

function partitionsOf({ partitions }: Store): PartitionStore {
  if (partitions !== null) return partitions
  throw new CommandFailure('fairway partitions requires PostgreSQL: on SQLite all records are in one table')
}

/** The result as text and as JSON; throws if the detach was refused. */
function detachOutput(month: Month, outcome: DetachOutcome): [text: string, json: object] {
  switch (outcome.kind) {
    case 'detached': {
      const { table, away } = outcome
      const { records, fingerprint } = away
      return [
        `Detached ${month}: ${records} records are in the table ${table}, fingerprint ${fingerprint}.`,
        { month, state: 'detached', table, records, fingerprint, ...whenJson(away) },
      ]
    }
    case 'would_detach':
      return [
        `${month} can be detached. Dry run: nothing was changed.`,
        { ...monthView(outcome.stored), can_detach: true },
      ]
    case 'unknown':
      throw new CommandFailure(`no records of month ${month}: run fairway partitions list for all months`)
    case 'away': {
      const { detached_at: at, detached_by: by } = whenJson(outcome.away)
      throw new CommandFailure(
        `${month} was already detached at ${at} by ${by}: to restore it, run fairway partitions attach ${month}`,
      )
    }
    case 'too_new':
      throw new CommandFailure(
        `${month} is too recent: it can be detached from ${new Date(outcome.fromMs).toISOString()}, one day after its end`,
      )
    case 'needed': {
      const { pendingDeliveries, openCooldowns, waitingReviews } = outcome.needs
      throw new CommandFailure(
        `${month} is still in use: ${pendingDeliveries} webhook deliveries of its records are pending, ${openCooldowns} cooldowns are open, ${waitingReviews} reviews are waiting: retry when they have ended`,
      )
    }
    case 'busy':
      throw busy()
  }
}

function whenJson({ detachedAtMs, detachedBy }: { detachedAtMs: number; detachedBy: string }) {
  return { detached_at: new Date(detachedAtMs).toISOString(), detached_by: detachedBy }
}

function attachedOf(month: Month, outcome: Attached): Extract<Attached, { kind: 'attached' }> {
  switch (outcome.kind) {
    case 'attached':
      return outcome
    case 'present':
      throw new CommandFailure(
        `${month} is not detached: run fairway partitions list for the state of all months`,
      )
    default:
      return refuse(month, outcome)
  }
}

/** Reasons that attaching and dropping share. */
function refuse(
  month: Month,
  outcome: Extract<Attached, { kind: 'unfinished' | 'missing' | 'changed' | 'busy' }>,
): never {
  switch (outcome.kind) {
    case 'unfinished':
      throw new CommandFailure(
        `detaching ${month} was interrupted: complete it first with fairway partitions detach ${month}`,
      )
    case 'missing':
      throw new CommandFailure(`table ${outcome.table} is not in the database: restore it first`)
    case 'changed':
      throw new CommandFailure(
        `table ${outcome.table} differs from the detached one: nothing was done`,
        1,
        outcome.findings,
      )
    case 'busy':
      throw busy()
  }
}

function busy(): CommandFailure {
  return new CommandFailure(
    'another fairway partitions command is running on this database: wait until it ends',
  )
}

function monthOf(text: string): Month {
  const month = parseMonth(text)
  if (month === null)
    throw new CommandFailure(`${JSON.stringify(text)} is not a month: write it as YYYY-MM, such as 2026-03`)
  return month
}
