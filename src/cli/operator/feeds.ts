/** `fairway feeds`: checks the live feeds. For operators. */

import { InvalidArgumentError, type Command } from 'commander'
import type { FeedResult, FeedResults } from '../../app/ports/feeds.ts'
import {
  corridorRule,
  parseCorridor,
  supportedCorridors,
  type Corridor,
} from '../../core/reference/corridor.ts'
import { currencyRule, defaultCurrency, parseCurrency, type Currency } from '../../core/reference/currency.ts'
import { riskThousandthsOf } from '../../core/live/live-reading.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { amountMax } from '../../core/assess/transaction.ts'
import { counted, moneyText } from '../../core/explain/wording.ts'
import { CommandFailure, plain, type CliDeps } from '../deps.ts'
import { table } from '../table.ts'

interface CheckOptions {
  readonly file?: string
  readonly corridor: Corridor
  readonly amount: number
  readonly currency: Currency
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
    .option('--corridor <corridor>', 'Corridor of the payment', parseSupported, supportedCorridors[0])
    .option('--amount <amount>', 'Amount of the payment', parseAmount, 1_000)
    .option('--currency <currency>', 'Currency of the amount', readCurrency, defaultCurrency)
    .option('--key <key-id>', "Read the outcomes of this key's owner")
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
The exit code is 1 if a feed cannot be read.

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
    const query = { ...options, ownerId: key?.ownerId ?? null }
    const results = await opened.feeds.read(query).finally(() => opened.close())
    report(deps, options, rowsOf(results, deps.clock.nowMs()))
  } finally {
    await store?.close()
  }
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

type Row = ReturnType<typeof rowOf>

function rowsOf(results: FeedResults, nowMs: number): Row[] {
  return signalNames.map((signal) => rowOf(signal, results[signal], nowMs))
}

function rowOf(signal: SignalName, result: FeedResult, nowMs: number) {
  const isRead = result.kind === 'read'
  const observedAtMs = isRead ? result.observedAtMs : null
  return {
    signal,
    source: result.feed,
    value: isRead ? result.value : null,
    risk_value: isRead ? riskThousandthsOf(signal, result.scaled) / 1000 : null,
    age_ms: observedAtMs === null ? null : Math.max(0, nowMs - observedAtMs),
    latency_ms: Math.round(result.latencyMs * 10) / 10,
    error: isRead ? null : result.fault,
    detail: isRead ? null : result.detail,
  }
}

function report(
  { process: { stdout } }: CliDeps,
  { corridor, amount, currency, json }: CheckOptions,
  rows: readonly Row[],
): void {
  const failed = rows.filter(({ error }) => error !== null).length
  if (json) stdout.write(`${JSON.stringify({ corridor, amount, currency, feeds: rows })}\n`)
  else stdout.write(`${tableOf(rows).join('\n')}\n`)
  const payment = `${moneyText(amount, currency)} on ${corridor}`
  if (failed > 0) {
    throw new CommandFailure(
      `${failed} of ${rows.length} signals cannot be read: live verify of ${payment} would return 503`,
    )
  }
  if (!json) stdout.write(`All ${rows.length} signals can be read: live verify of ${payment} can decide.\n`)
}

function tableOf(rows: readonly Row[]): string[] {
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

function parseSupported(text: string): Corridor {
  const corridor = parseCorridor(text)
  if (corridor === null) throw new InvalidArgumentError(`It ${corridorRule}.`)
  if (!supportedCorridors.includes(corridor)) {
    throw new InvalidArgumentError(`Feeds exist only for ${supportedCorridors.join(' and ')}.`)
  }
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
