/** A real Prometheus with the settings, rules and dashboard of deploy/, in which time goes by faster. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stringify } from 'yaml'
import { readText, readYaml, type Manifest } from '../deploy.ts'
import { freePort } from '../process/free-port.ts'
import { prometheusNeeded } from '../process/runtimes.ts'

/**
 * Nobody waits five minutes in a test, so every wait is shorter by this factor: intervals, `for`, ranges, offsets, and
 * thresholds on ages and lags. All else of the rules is as in deploy/. A threshold on how long the service takes for
 * something, such as half a second for a verify, is no wait and stays.
 */
export const timeFactor = 20

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function shorter(duration: string): string {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(duration) ?? assert.fail(`no duration: ${duration}`)
  return `${(Number(count) * unitMs[unit as keyof typeof unitMs]) / timeFactor}ms`
}

const inBrackets = /(?<=\[)\d+[smhd](?=\])/g
const afterOffset = /(?<=\boffset )\d+[smhd]\b/g
const waitMax = /(?<=(?:_age|_follower_lag)_seconds\) > )\d+/g

const shorterExpr = (expr: string): string =>
  expr
    .replaceAll(inBrackets, shorter)
    .replaceAll(afterOffset, shorter)
    .replaceAll(waitMax, (seconds) => String(Number(seconds) / timeFactor))

function shorterRules(): Manifest {
  const [{ groups }] = readYaml('deploy/prometheus/alerts.yaml')
  return {
    groups: groups.map(({ rules, interval, ...group }: Manifest) => ({
      ...group,
      ...(interval === undefined ? {} : { interval: shorter(interval) }),
      rules: rules.map(({ expr, for: wait, ...rule }: Manifest) => ({
        ...rule,
        expr: shorterExpr(expr),
        ...(wait === undefined ? {} : { for: shorter(wait) }),
      })),
    })),
  }
}

const [settings] = readYaml('deploy/prometheus/prometheus.yaml')

/** As Grafana fills in the variables of the dashboard; its rate interval is four scrapes. */
export function dashboardQueries(): { readonly title: string; readonly query: string }[] {
  const { panels } = JSON.parse(readText('deploy/grafana/fairway.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const scrapeMs = Number.parseInt(shorter(settings.global.scrape_interval))
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      title,
      query: shorterExpr(expr)
        .replaceAll('$job', 'fairway')
        .replaceAll('$__rate_interval', `${4 * scrapeMs}ms`),
    })),
  )
}

function writeSettings(folder: string, targets: readonly string[]): string {
  const [job] = settings.scrape_configs
  writeFileSync(join(folder, 'alerts.yaml'), stringify(shorterRules()))
  const file = join(folder, 'prometheus.yaml')
  const text = stringify({
    ...settings,
    // The evaluation interval is Prometheus's default.
    global: { scrape_interval: shorter(settings.global.scrape_interval), evaluation_interval: shorter('1m') },
    scrape_configs: [{ ...job, static_configs: [{ targets }] }],
  })
  writeFileSync(file, text)
  return file
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
}

/** A series at one moment, or over a time. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: readonly [atSeconds: number, value: string]
  readonly values?: readonly (readonly [atSeconds: number, value: string])[]
}

export class Prometheus {
  readonly #url: string
  readonly stop: () => Promise<void>

  constructor(url: string, stop: () => Promise<void>) {
    this.#url = url
    this.stop = stop
  }

  async #get(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Manifest> {
    const response = await fetch(`${this.#url}/api/v1/${path}?${String(new URLSearchParams(parameters))}`)
    const { status, data, error } = (await response.json()) as Manifest
    assert.equal(status, 'success', `${parameters['query']}: ${error}`)
    return data
  }

  async query(query: string): Promise<Series[]> {
    return (await this.#get('query', { query })).result
  }

  /** The value of the only series; null where there is none. */
  async value(query: string): Promise<number | null> {
    const [series, ...others] = await this.query(query)
    assert.deepEqual(others, [], query)
    return series?.value === undefined ? null : Number(series.value[1])
  }

  async range(query: string, fromMs: number): Promise<Series[]> {
    const [start, end] = [String(fromMs / 1000), String(Date.now() / 1000)]
    return (await this.#get('query_range', { query, start, end, step: '1' })).result
  }

  async firing(alertname: string): Promise<Alert[]> {
    const { alerts } = (await this.#get('alerts')) as { alerts: Alert[] }
    return alerts.filter(({ labels, state }) => labels['alertname'] === alertname && state === 'firing')
  }

  /** The names of all alerts that have fired since the start. */
  async fired(): Promise<string[]> {
    const found = await this.query('count by (alertname) (last_over_time(ALERTS{alertstate="firing"}[1h]))')
    return found.map(({ metric }) => metric['alertname'] ?? '').toSorted()
  }
}

/** Resolves when it takes queries. */
export async function startPrometheus(folder: string, targets: readonly string[]): Promise<Prometheus> {
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    prometheusNeeded.path(),
    [
      `--config.file=${writeSettings(folder, targets)}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      // Its default, as every other wait.
      `--query.lookback-delta=${shorter('5m')}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'close')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`prometheus ended with ${code}: ${said}`)))
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000)
      if (said.includes('Server is ready to receive web requests')) resolve()
    })
  })
  return new Prometheus(`http://${address}`, async () => {
    child.kill('SIGKILL')
    await ended
  })
}

const pollEveryMs = 100
const waitMsMax = 300_000

/** Asks until the answer is as it should be, and says the last one where it never is. */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
): Promise<Answer> {
  const giveUp = AbortSignal.timeout(waitMsMax)
  for (;;) {
    const answer = await ask()
    if (isRight(answer)) return answer
    assert.ok(!giveUp.aborted, `${what}: ${JSON.stringify(answer)}`)
    await pause(pollEveryMs)
  }
}
