/** A real Prometheus scrapes two instances: it counts nothing twice, its alerts fire in real trouble, and the dashboard has data. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, type RunningPostgres } from '../helpers/database/postgres.ts'
import { withFolder } from '../helpers/folder.ts'
import {
  dashboardQueries,
  eventually,
  startPrometheus,
  timeFactor,
  type Alert,
  type Prometheus,
} from '../helpers/peers/prometheus.ts'
import { calm, feedsAt, openTestProvider, providerBody, text } from '../helpers/peers/provider.ts'
import { openTestReceiver } from '../helpers/peers/receiver.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { ask, issueByCli, serve, type Served } from '../helpers/process/process.ts'
import { prometheusNeeded } from '../helpers/process/runtimes.ts'
import { times } from '../helpers/process/workers.ts'
import { goodOverride, overrideUrl } from '../helpers/webhooks.ts'
import type { SignalName } from '../../src/core/decision/signals.ts'

const { skip } = prometheusNeeded

/** The second instance has two workers, which Prometheus must see as one. */
const workers = ['1', '2']

const settings = {
  FAIRWAY_REVIEW_DUE_S: '1',
  FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
  // A busy machine is no part of it.
  FAIRWAY_SHED_LAG_MS: '0',
}

interface Scene {
  /** Tells how long things took. */
  readonly print: (line: string) => void
  readonly prometheus: Prometheus
  readonly postgres: RunningPostgres
  readonly instances: readonly Served[]
  readonly key: string
  /** Of the same service, with a limit of one request. */
  readonly limitedKey: string
  /** A signal whose values have been too old for a minute; none at first. */
  stale: SignalName | null
}

type Closing = (() => Promise<unknown>)[]

/** Healthy values of this moment, but for the stale one. */
const openProvider = (scene: Pick<Scene, 'stale'>) =>
  openTestProvider(({ signal }) => {
    const observedAtMs = Date.now() - (signal === scene.stale ? 360_000 : 0)
    return text(providerBody(calm[signal as SignalName], observedAtMs))
  })

async function openScene(folder: string, closing: Closing): Promise<Omit<Scene, 'print'>> {
  const state: Pick<Scene, 'stale'> = { stale: null }
  const [postgres, provider, receiver] = [
    await startPostgres(),
    await openProvider(state),
    await openTestReceiver(),
  ]
  closing.push(() => postgres.stop(), provider.close, receiver.close)
  const feedsFile = join(folder, 'feeds.json')
  writeFileSync(feedsFile, JSON.stringify(feedsAt(provider.origin)))
  const environment = { ...settings, DATABASE_URL: postgres.url, FAIRWAY_LIVE_FEEDS: feedsFile }
  const { key, owner_id: ownerId } = await issueByCli(
    postgres.url,
    '--type',
    'live',
    '--limit-verify',
    '1000000/60',
  )
  const { key: limitedKey } = await issueByCli(postgres.url, '--for-owner', ownerId, '--limit-verify', '1/60')
  const instances: Served[] = []
  for (const count of workers) {
    const served = await serve({ ...environment, FAIRWAY_WORKERS: count })
    closing.unshift(() => served.stop('SIGKILL'))
    instances.push(served)
  }
  await post(instances, key, '/api/v1/webhooks', { url: receiver.url })
  const prometheus = await startPrometheus(
    folder,
    instances.map(({ url }) => new URL(url).host),
  )
  closing.unshift(() => prometheus.stop())
  return Object.assign(state, { prometheus, postgres, instances, key, limitedKey })
}

async function withScene(print: Scene['print'], work: (scene: Scene) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const closing: Closing = []
    try {
      await work(Object.assign(await openScene(folder, closing), { print }))
    } finally {
      for (const close of closing) await close()
    }
  })
}

/** To the first instance. */
async function post(
  [instance]: readonly Served[],
  key: string,
  path: string,
  body: object,
): Promise<Response> {
  const answer = await checkedFetch(`${instance?.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return answer
}

/** More than one at once, so that every worker gets some. */
const paymentsATurn = 4

/** One turn: some payments to each instance. The statuses are what they are, since troubles come. */
async function pay({ instances, key }: Scene): Promise<number[]> {
  const paid = instances.flatMap(({ url }) =>
    Array.from({ length: paymentsATurn }, async () => {
      const answer = await ask(url, key, { corridor: 'GB-NG', amount: 10, currency: 'GBP' })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  return Promise.all(paid)
}

/** Pays in the background while the work goes on. */
async function withTraffic(scene: Scene, work: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const traffic = (async () => {
    while (!over.signal.aborted) {
      await pay(scene)
      await pause(200)
    }
  })()
  try {
    await work()
  } finally {
    over.abort()
    await traffic
  }
}

/** A figure from the shared database counts once; figures that each instance counts add up. */
async function checkCounts(scene: Scene): Promise<void> {
  const turns = 5
  const statuses = (await times(turns, () => pay(scene))).flat()
  const count = turns * paymentsATurn * scene.instances.length
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(statuses.length, count)
  const expected: Readonly<Record<string, number>> = {
    'count(up{job="fairway"} == 1)': 2,
    'count(count by (instance) (fairway_processes))': 2,
    'sum(fairway_processes)': 3,
    'min(fairway_records)': count,
    'max(fairway_records)': count,
    // The acts that issued two keys are leaves, too.
    'max(fairway_log_size)': count + 2,
    'sum(fairway_decisions_total)': count,
    'sum(fairway_live_decisions_total)': count,
    'sum(fairway_http_requests_total{route="/api/v1/verify"})': count,
    'sum(fairway_webhook_attempts_total{outcome="delivered"})': count,
    'count(fairway_feed_up == 1)': 14,
    'max(fairway_follower_lag_seconds)': 0,
  }
  const queries = Object.keys(expected)
  await eventually(
    `figures of ${count} decisions`,
    async () => {
      const values = await Promise.all(queries.map((query) => scene.prometheus.value(query)))
      return Object.fromEntries(queries.map((query, at) => [query, values[at]]))
    },
    (found) => queries.every((query) => found[query] === expected[query]),
  )
}

interface Trouble {
  readonly alert: string
  readonly about: { readonly labels?: object; readonly summary: RegExp }
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
}

/** The alert has never fired, fires in the trouble as it should, once for all instances, and resolves after it. */
async function checkAlert(
  { prometheus, print }: Scene,
  { alert, about, begin, end }: Trouble,
): Promise<void> {
  assert.ok(!(await prometheus.fired()).includes(alert), `${alert} before its trouble`)
  await begin()
  const fromMs = performance.now()
  const firing = (): Promise<Alert[]> => prometheus.firing(alert)
  const isRight = ([one, ...others]: Alert[]): boolean =>
    one !== undefined && others.length === 0 && about.summary.test(one.annotations['summary'] ?? '')
  const [fired] = await eventually(`${alert} fires`, firing, isRight)
  const seconds = Math.round((performance.now() - fromMs) / 1000)
  print(`${alert} fires after ${seconds} s, which stands for ${seconds * timeFactor} s`)
  const { alertname: _name, severity, ...labels } = fired?.labels ?? {}
  assert.deepEqual([severity, labels], ['page', about.labels ?? {}])
  await end()
  await eventually(`${alert} resolves`, firing, (alerts) => alerts.length === 0)
}

/** Another connection holds the row of a follower. */
function followerLags({ postgres }: Scene): Trouble {
  const holder = new pg.Client({ connectionString: postgres.url })
  return {
    alert: 'FairwayFollowerBehind',
    about: { labels: { follower: 'totals' }, summary: /^The follower totals is .+ behind/ },
    async begin() {
      await holder.connect()
      await holder.query("BEGIN; SELECT position FROM followers WHERE name = 'totals' FOR UPDATE")
    },
    async end() {
      await holder.query('COMMIT')
      await holder.end()
    },
  }
}

const feedGoesStale = (scene: Scene): Trouble => ({
  alert: 'FairwayFeedDown',
  about: { labels: { signal: 'fx_volatility' }, summary: /^The live feed of fx_volatility fails/ },
  begin: () => Promise.resolve(void (scene.stale = 'fx_volatility')),
  end: () => Promise.resolve(void (scene.stale = null)),
})

const primaryIsLost = ({ postgres }: Scene): Trouble => ({
  alert: 'FairwayStoreAway',
  about: { summary: /^Instances whose database does not respond: 2; every decision there is a hold$/ },
  begin: () => postgres.halt('kill'),
  end: () => postgres.resume(),
})

/** Nobody looks at a payment that needs a person. */
function reviewIsOverdue({ instances, key }: Scene): Trouble {
  let requestId = ''
  return {
    alert: 'FairwayReviewsOverdue',
    about: { summary: /^A live payment waits for a review that was due .+ ago$/ },
    async begin() {
      const answer = await post(instances, key, '/api/v1/verify', { corridor: 'US-MX', amount: 10 })
      const { decision, request_id: id } = (await answer.json()) as { decision: string; request_id: string }
      assert.equal(decision, 'DEGRADED')
      requestId = id
    },
    end: async () =>
      void (await post(instances, key, overrideUrl, { ...goodOverride, request_id: requestId })),
  }
}

/** Nothing of this was wrong at any time. Whether the machine was fast enough for others is not asked. */
const innocent = ['FairwayWebhooksLate', 'FairwayWebhooksDropped', 'FairwayNoGoShare', 'FairwayShedding']

async function checkDashboard({ prometheus }: Scene, fromMs: number): Promise<void> {
  const job = await prometheus.query('group by (job) (fairway_processes)')
  assert.deepEqual(
    job.map(({ metric }) => metric['job']),
    ['fairway'],
  )
  const empty: string[] = []
  for (const { title, query } of dashboardQueries()) {
    const found = await prometheus.range(query, fromMs)
    const values = found.flatMap((series) => series.values ?? []).map(([, value]) => Number(value))
    if (!values.some((value) => Number.isFinite(value))) empty.push(`${title}: ${query}`)
  }
  // Nobody has changed the key.
  assert.deepEqual(
    empty.filter((one) => !one.startsWith('Log: last key change:')),
    [],
  )
}

test(
  'two instances are counted once, four troubles fire their alerts, and every panel has data',
  { skip },
  async (context) => {
    const print = (line: string): void => context.diagnostic(line)
    await withScene(print, async (scene) => {
      const fromMs = Date.now()
      await checkCounts(scene)
      for (const status of [200, 429]) {
        const payment = { corridor: 'GB-NG', amount: 10 }
        assert.equal((await ask(scene.instances[0]?.url ?? '', scene.limitedKey, payment)).status, status)
      }
      await withTraffic(scene, async () => {
        // The review takes longest: the others have their trouble meanwhile.
        await Promise.all([
          checkAlert(scene, reviewIsOverdue(scene)),
          checkAlert(scene, followerLags(scene)).then(() => checkAlert(scene, feedGoesStale(scene))),
        ])
        await checkAlert(scene, primaryIsLost(scene))
      })
      const fired = await scene.prometheus.fired()
      assert.deepEqual(
        innocent.filter((alert) => fired.includes(alert)),
        [],
      )
      await checkDashboard(scene, fromMs)
    })
  },
)
