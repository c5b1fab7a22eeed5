/** `fairway feeds`: checks the live feeds. For operators. */

import { InvalidArgumentError, type Command } from 'commander'
import {
  checkFeeds,
  corridorsToCheck,
  type CheckedSignal,
  type FeedCheck,
} from '../../app/inspect/check-feeds.ts'
import type { FeedSet } from '../../app/ports/feeds.ts'
import type { Clock } from '../../app/ports/system.ts'
import { corridorRule, parseCorridor, type Corridor } from '../../core/reference/corridor.ts'
import { currencyRule, parseCurrency, type Currency } from '../../core/reference/currency.ts'
import { amountMax } from '../../core/assess/transaction.ts'
import { counted, moneyText } from '../../core/explain/wording.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { table } from '../table.ts'

interface CheckOptions {
  readonly file?: string
  readonly corridor?: Corridor
  readonly partner?: string
  readonly amount: number
  readonly currency?: Currency
  readonly key?: string
  readonly json?: true
}

export function registerFeeds(program: Command, deps: CliDeps): void {
  const feeds = program
    .command('feeds')
    .description('Check the live signal feeds')
    .addHelpText('after', '\nExample:\n  fairway feeds check --file examples/feeds/feeds.json')
  feeds
    .command('check')
    .description('Read every feed once and show the results')
    .option('--file <path>', 'Feeds file; default: FAIRWAY_LIVE_FEEDS')
    .option('--corridor <corridor>', 'Check only this corridor', readCorridor)
    .option('--partner <id>', 'Check only this partner')
    .option('--amount <amount>', 'Amount of the payment', parseAmount, 1_000)
    .option('--currency <currency>', "Currency of the amount; default: the corridor's first", readCurrency)
    .option('--key <key-id>', "Read the outcomes of this key's owner")
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Shows a table for each corridor and partner. The exit code is 1 if a feed cannot be read.

Example:
  fairway feeds check --file examples/feeds/feeds.json --corridor GB-NG --amount 1000`,
    )
    .action((options: CheckOptions) => check(deps, options))
  feeds
    .command('schema')
    .description('Print the JSON Schema of the feeds file')
    .addHelpText('after', '\nExample:\n  fairway feeds schema > feeds.schema.json')
    .action(async () => {
      deps.process.stdout.write(`${JSON.stringify(await deps.feedsSchema(), null, 2)}\n`)
    })
}

async function check(deps: CliDeps, options: CheckOptions): Promise<void> {
  const config = deps.config()
  const path = options.file ?? config.liveFeedsFile
  if (path === null) throw new CommandFailure('no feeds file: set FAIRWAY_LIVE_FEEDS or use --file')
  const store = options.key === undefined ? null : await deps.openStore(config)
  try {
    const key = options.key === undefined ? null : await store?.keys.find(options.key)
    if (options.key !== undefined && (key === null || key === undefined)) {
      throw new CommandFailure(
        `unknown key ${JSON.stringify(options.key)}: run fairway keys list for all keys`,
      )
    }
    const opened = await deps.openFeeds(path, store)
    if (opened.kind === 'bad') throw badFile(deps, path, opened.findings, options.json === true)
    try {
      const checks = await readChecks(opened.feeds, options, key?.ownerId ?? null, deps.clock)
      report(deps, checks, options)
    } finally {
      await opened.feeds.close()
    }
  } finally {
    await store?.close()
  }
}

/** Fails for a corridor or a partner that is not in the file. */
async function readChecks(
  feeds: FeedSet,
  options: CheckOptions,
  ownerId: string | null,
  clock: Clock,
): Promise<FeedCheck[]> {
  const corridor = options.corridor ?? null
  const partner = options.partner ?? null
  const query = { corridor, partner, amount: options.amount, currency: options.currency ?? null, ownerId }
  if (corridorsToCheck(feeds, query).length > 0) return checkFeeds(feeds, query, clock)
  const known = [...feeds.world.corridors.keys()].join(', ')
  throw new CommandFailure(
    partner === null
      ? `${corridor} is not a corridor of this file: it has ${known}`
      : `${partner} is not a partner of ${corridor ?? 'any corridor'} in this file`,
  )
}

/** Prints every finding on a line of its own. */
function badFile(
  { process: { stdout, stderr } }: CliDeps,
  path: string,
  findings: readonly string[],
  isJson: boolean,
): CommandFailure {
  if (isJson) stdout.write(`${JSON.stringify({ file: path, errors: findings })}\n`)
  else for (const finding of findings) stderr.write(`${plain(path)} ${plain(finding)}\n`)
  return new CommandFailure(`the feeds file has ${counted(findings.length, 'error')}`)
}

function report({ process: { stdout } }: CliDeps, checks: readonly FeedCheck[], options: CheckOptions): void {
  const isJson = options.json === true
  const failed = checks.filter(({ feeds }) => feeds.some(({ error }) => error !== null))
  if (isJson) {
    const [only, ...others] = checks
    const isPlain = only?.partner === null && others.length === 0
    stdout.write(`${JSON.stringify(isPlain ? withoutPartner(only) : { checks })}\n`)
  } else {
    for (const one of checks) {
      stdout.write(`${titleOf(one)}\n${tableOf(one.feeds).join('\n')}\n\n`)
    }
  }
  if (failed.length > 0) throw new CommandFailure(failureText(failed, checks, options.partner !== undefined))
  if (!isJson) {
    const [{ feeds } = { feeds: [] }] = checks
    stdout.write(`All ${feeds.length} signals can be read: live verify can decide.\n`)
  }
}

const withoutPartner = ({ partner: _none, ...rest }: FeedCheck) => rest

function titleOf({ corridor, partner, amount, currency }: FeedCheck): string {
  const through = partner === null ? '' : ` through ${plain(partner)}`
  return `${moneyText(amount, currency)} on ${corridor}${through}`
}

/** A partner that cannot be read is left out, and only a corridor without any other holds. */
function failureText(
  failed: readonly FeedCheck[],
  checks: readonly FeedCheck[],
  isOnePartner: boolean,
): string {
  const held = [...new Set(failed.map(({ corridor }) => corridor))].filter((corridor) =>
    checks.every((one) => one.corridor !== corridor || failed.includes(one)),
  )
  const [first] = failed
  const count = first?.feeds.filter(({ error }) => error !== null).length ?? 0
  const what =
    failed.length === 1 && first !== undefined
      ? `${count} of ${first.feeds.length} signals cannot be read for ${titleOf(first)}`
      : `signals cannot be read for ${failed.length} of ${checks.length} corridors and partners`
  // Whether another partner is fit is not known if only one was read.
  return held.length === 0 || isOnePartner
    ? `${what}: verify leaves ${failed.length === 1 ? 'this partner' : 'these partners'} out`
    : `${what}: live verify on ${held.join(', ')} would return 503`
}

function tableOf(rows: readonly CheckedSignal[]): string[] {
  return table(
    ['SIGNAL', 'SOURCE', 'VALUE', 'HEALTH', 'AGE', 'LATENCY', 'ERROR'],
    rows.map((row) => [
      row.signal,
      row.source ?? '-',
      row.value === null ? '-' : String(row.value),
      row.risk_value === null ? '-' : row.risk_value.toFixed(3),
      row.age_ms === null ? '-' : ageText(row.age_ms),
      `${row.latency_ms} ms`,
      row.error === null ? '-' : `${row.error}: ${row.detail ?? ''}`,
    ]),
  )
}

/** Uses the largest unit that keeps enough precision. */
function ageText(ageMs: number): string {
  if (ageMs < 1_000) return `${ageMs} ms`
  const seconds = ageMs / 1_000
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

function readCorridor(text: string): Corridor {
  const corridor = parseCorridor(text)
  if (corridor === null) throw new InvalidArgumentError(`It ${corridorRule}.`)
  return corridor
}

function parseAmount(text: string): number {
  const amount = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(amount <= amountMax)) throw new InvalidArgumentError(`Expected a number from 0 to ${amountMax}.`)
  return amount
}

function readCurrency(text: string): Currency {
  const currency = parseCurrency(text)
  if (currency === null) throw new InvalidArgumentError(`It ${currencyRule}.`)
  return currency
}
