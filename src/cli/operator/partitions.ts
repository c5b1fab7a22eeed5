/** `fairway partitions`: the months of the records on PostgreSQL; take one away, bring it back, for operators. */

import type { Command } from 'commander'
import { attachMonth, detachMonth, type DetachOutcome } from '../../app/operate/partitions.ts'
import type { Attached, PartitionStore } from '../../app/ports/partitions.ts'
import type { Store } from '../../app/ports/store.ts'
import { parseMonth, type Month } from '../../core/time/month.ts'
import { plainText } from '../arguments.ts'
import { CommandFailure, storeWork, type CliDeps, type WithStore } from '../deps.ts'
import { monthJson, monthsText } from './partition-output.ts'

interface MoveOptions {
  readonly by?: string
  readonly dryRun?: true
  readonly json?: true
}

const byHelp = 'who does it; the name of your login unless given'

export function registerPartitions(program: Command, parts: CliDeps): void {
  const partitions = program
    .command('partitions')
    .description('months of records on PostgreSQL (for operators)')
    .addHelpText('after', '\nExample:\n  fairway partitions list')
  const withStore = storeWork(parts)
  registerList(partitions, withStore)
  registerDetach(partitions, parts, withStore)
  registerAttach(partitions, parts, withStore)
}

function registerList(partitions: Command, withStore: WithStore): void {
  partitions
    .command('list')
    .description('show every month: where it is, how many records it has, and how large it is')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway partitions list')
    .action((options: { json?: true }) =>
      withStore(async (store) => {
        const months = await partitionsOf(store).list()
        return options.json ? JSON.stringify(months.map(monthJson)) : monthsText(months)
      }),
    )
}

function registerDetach(partitions: Command, parts: CliDeps, withStore: WithStore): void {
  partitions
    .command('detach <month>')
    .description('take a past month out of the records; its table stays in the database until you move it')
    .option('--dry-run', 'only say whether it could go')
    .option('--by <name>', byHelp, plainText(200))
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Its records are unknown until it is attached again; their idempotency keys stay taken, and summaries still count them.
Readers and writers go on meanwhile. A detach that was interrupted is ended by running it again. Docs: docs/operators.md

Example:
  fairway partitions detach 2025-03`,
    )
    .action((text: string, options: MoveOptions) => {
      const month = monthOf(text)
      return withStore(async (store) => {
        const outcome = await detachMonth(
          { partitions: partitionsOf(store), clock: parts.clock },
          {
            month,
            by: options.by ?? parts.operator(),
            cooldownMs: parts.config().cooldownMs,
            isDryRun: options.dryRun === true,
          },
        )
        const [words, json] = detachedWords(month, outcome)
        return options.json ? JSON.stringify(json) : words
      })
    })
}

function registerAttach(partitions: Command, parts: CliDeps, withStore: WithStore): void {
  partitions
    .command('attach <month>')
    .description('bring a month back, after a look whether its table is what was detached')
    .option('--by <name>', byHelp, plainText(200))
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway partitions attach 2025-03')
    .action((text: string, options: MoveOptions) => {
      const month = monthOf(text)
      return withStore(async (store) => {
        const by = options.by ?? parts.operator()
        const deps = { partitions: partitionsOf(store), clock: parts.clock }
        const { table, records } = attachedOf(month, await attachMonth(deps, { month, by }))
        return options.json
          ? JSON.stringify({ month, state: 'attached', table, records })
          : `Attached ${month}: ${records} records are known again, and all as they were.`
      })
    })
}

function partitionsOf({ partitions }: Store): PartitionStore {
  if (partitions !== null) return partitions
  throw new CommandFailure('months are kept apart on PostgreSQL alone: on SQLite all records are in one file')
}

/** What is said of it, as text and as JSON; throws what is refused. */
function detachedWords(month: Month, outcome: DetachOutcome): [text: string, json: object] {
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
        `${month} can be detached. Nothing was done.`,
        { ...monthJson(outcome.stored), can_detach: true },
      ]
    case 'unknown':
      throw new CommandFailure(`there is no month ${month}: fairway partitions list shows them`)
    case 'away': {
      const { detached_at: at, detached_by: by } = whenJson(outcome.away)
      throw new CommandFailure(`${month} was detached already, at ${at} by ${by}`)
    }
    case 'too_new':
      throw new CommandFailure(
        `${month} is too new: it can be detached from ${new Date(outcome.fromMs).toISOString()}, a day after its end`,
      )
    case 'needed': {
      const { pendingDeliveries, openCooldowns } = outcome.needs
      throw new CommandFailure(
        `${month} is still needed: ${pendingDeliveries} webhook deliveries of its records are pending, ${openCooldowns} cooldowns are open`,
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
      throw new CommandFailure(`${month} is not detached: fairway partitions list shows what is`)
    case 'unfinished':
      throw new CommandFailure(
        `the detaching of ${month} was interrupted: end it first, with fairway partitions detach ${month}`,
      )
    case 'missing':
      throw new CommandFailure(`the table ${outcome.table} is not in the database: restore it first`)
    case 'changed':
      throw new CommandFailure(
        `the table ${outcome.table} is not what was detached, and stays away`,
        1,
        outcome.findings,
      )
    case 'busy':
      throw busy()
  }
}

function busy(): CommandFailure {
  return new CommandFailure('another fairway partitions command is at work on this database: wait for it')
}

function monthOf(text: string): Month {
  const month = parseMonth(text)
  if (month === null) throw new CommandFailure(`${JSON.stringify(text)} is no month: write it as 2026-03`)
  return month
}
