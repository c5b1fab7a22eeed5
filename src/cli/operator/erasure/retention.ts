/** `fairway retention`: reports and erases personal text that is older than the retention period. For operators. */

import type { Command } from 'commander'
import {
  applyRetention,
  reportRetention,
  retainedSince,
  type RetentionReport,
} from '../../../app/erasure/retention.ts'
import { clean, type Cleaning } from '../../../app/erasure/erase-texts.ts'
import { retentionView } from '../../../app/erasure/views.ts'
import type { TextKind } from '../../../app/ports/privacy/erasure.ts'
import type { Store } from '../../../app/ports/store.ts'
import { counted } from '../../../core/explain/wording.ts'
import { iso } from '../../../core/time/durations.ts'
import { CommandFailure, storeWork, type CliDeps } from '../../deps.ts'
import { countBar } from '../../progress.ts'
import { refuseUncleaned } from './clean.ts'

interface Options {
  readonly json?: true
}

const kindNames: Readonly<Record<TextKind, string>> = {
  correlation_id: 'correlation ids',
  justification: 'justifications of overrides',
  review_text: 'texts of reviews',
}

export function registerRetention(program: Command, deps: CliDeps): void {
  const retention = program
    .command('retention')
    .description('Report and erase personal text beyond its retention period')
    .addHelpText(
      'after',
      '\nFAIRWAY_RETENTION_DAYS is the period in days. Docs: docs/erasure.md\n\nExample:\n  fairway retention report',
    )
  const withStore = storeWork(deps)
  retention
    .command('report')
    .description('Show what would be erased, and change nothing')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway retention report')
    .action(({ json }: Options) => {
      const beforeMs = beforeOf(deps)
      return withStore(async (store) => {
        const report = await reportRetention(portsOf(store, deps), beforeMs)
        return json ? JSON.stringify(retentionView(report)) : reportText(report)
      })
    })
  retention
    .command('apply')
    .description('Erase personal text that is older than the period')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
For a job that runs once a day, beside the server. An interrupted run loses nothing: the next one goes on. The exit code
is 0 if nothing is left to erase, also if there was nothing to do, and 4 if traces of it could not be cleaned from the files
of the database. Docs: docs/erasure.md

Example:
  fairway retention apply`,
    )
    .action(async ({ json }: Options) => {
      const beforeMs = beforeOf(deps)
      let cleaning: Cleaning = 'none'
      await withStore(async (store) => {
        const erased = await apply(store, deps, { beforeMs, json: json === true })
        cleaning = await clean({ store })
        return erased
      })
      refuseUncleaned(cleaning)
    })
}

const portsOf = (store: Store, { clock, random }: CliDeps) => ({ store, clock, random })

function beforeOf(deps: CliDeps): number {
  const { retentionDays } = deps.config()
  if (retentionDays === Infinity)
    throw new CommandFailure('FAIRWAY_RETENTION_DAYS is not set: personal text is kept for ever')
  return retainedSince(deps.clock.nowMs(), retentionDays)
}

async function apply(
  store: Store,
  deps: CliDeps,
  { beforeMs, json }: { readonly beforeMs: number; readonly json: boolean },
): Promise<string> {
  const ports = portsOf(store, deps)
  const { texts, batchReports } = await reportRetention(ports, beforeMs)
  const all = texts.reduce((sum, aged) => sum + aged.texts, 0)
  const bar = countBar('texts', deps.process.stderr)
  try {
    const by = deps.operator()
    const erased = await applyRetention(ports, { beforeMs, by }, (done) =>
      bar.update(done, Math.max(done, all)),
    )
    bar.stop()
    return json
      ? JSON.stringify({ before: iso(beforeMs), erased, batch_reports: batchReports })
      : `Erased ${counted(erased, 'text')} and ${counted(batchReports, 'kept batch report')} from before ${iso(beforeMs)}.`
  } finally {
    bar.stop()
  }
}

function reportText({ beforeMs, texts, inUse, sealed, batchReports }: RetentionReport): string {
  const lines = texts.map(({ kind, month, texts: count }) => `  ${month}  ${count}  ${kindNames[kind]}`)
  return [
    `Personal text from before ${iso(beforeMs)} would be erased:`,
    ...(lines.length === 0 ? ['  none'] : lines),
    `Kept batch reports that would be deleted: ${batchReports}`,
    `Kept for now, because their review is not closed: ${counted(inUse, 'text')}`,
    `Cannot be erased, because they are part of sealed records of the old form: ${counted(sealed, 'text')}`,
  ].join('\n')
}
