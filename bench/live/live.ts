/** Measures live verify relative to shadow verify on one service, with cached and uncached feeds. */

import { signalNames } from '../../src/core/decision/signals.ts'
import { everydayBody, type Bench } from '../bench.ts'
import { benchAtOnce } from './at-once.ts'
import { benchLargeWorld } from './large-world.ts'
import { startLiveService, type FeedsRule, type LiveService } from './feeds.ts'
import { connections, type Measured, type Traffic } from '../harness/loader.ts'
import { spreadOf, type Row, type Target } from '../report.ts'
import { trafficOf, verifyOnce, type Engine } from '../harness/service.ts'
import { figures } from '../verify/throughput.ts'

/** Discarded at the start of each round, while the service switches modes. */
const roundWarmUpMs = 200

const modes = ['shadow', 'live'] as const
type Mode = (typeof modes)[number]

interface Setup extends FeedsRule {
  readonly name: string
  readonly target: Target | null
  /** The minimum and maximum of provider requests in a round. */
  readonly requestRange: (verifies: number, seconds: number) => readonly [number, number]
}

const feedCount = signalNames.length

const setups: readonly Setup[] = [
  {
    name: 'cached for 1 s by corridor',
    cacheMs: 1_000,
    // Without the amount: otherwise every amount would have its own cache entry.
    query: 'corridor={corridor}',
    partners: 0,
    target: { bound: 'at least', value: 0.6 },
    requestRange: (_verifies, seconds) => [
      // A round shorter than the cache time may need no requests.
      feedCount * Math.floor(seconds / 2),
      feedCount * Math.ceil(seconds + 1),
    ],
  },
  {
    name: 'not cached, by amount',
    cacheMs: 0,
    // With the amount, which differs per connection: concurrent requests share no read.
    query: 'corridor={corridor}&amount={amount}',
    partners: 0,
    target: null,
    requestRange: (verifies) => [feedCount * verifies, feedCount * verifies],
  },
  {
    name: '28 of 4 partners, cached for 1 s',
    cacheMs: 1_000,
    query: 'corridor={corridor}',
    partners: 4,
    target: { bound: 'at least', value: 0.6 },
    requestRange: (_verifies, seconds) => [
      4 * feedCount * Math.floor(seconds / 2),
      4 * feedCount * Math.ceil(seconds + 1),
    ],
  },
]

/** Everyday payments without test amounts. */
const bodies = Array.from({ length: connections }, (_, place) => ({
  ...everydayBody,
  amount: everydayBody.amount + place,
}))

interface LiveRound extends Measured {
  readonly providerRequests: number
  /** The time in which the provider received them. */
  readonly providerMs: number
}

export async function benchLive(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) {
    for (const setup of setups) rows.push(...(await benchSetup(bench, engine, setup)))
    rows.push(await benchAtOnce(bench, engine))
  }
  rows.push(...(await benchLargeWorld(bench)))
  return rows
}

async function benchSetup(bench: Bench, engine: Engine, setup: Setup): Promise<Row[]> {
  const { sizes, loader, print } = bench
  const service = await startLiveService(bench, engine, setup)
  const traffic = { shadow: trafficIn('shadow', service), live: trafficIn('live', service) }
  for (const mode of modes) {
    await checkAnswers(service, traffic[mode], mode)
    await loader.run(service.server, traffic[mode], { warmUpMs: 0, durationMs: sizes.warmUpMs })
  }
  const bound = { warmUpMs: roundWarmUpMs, durationMs: sizes.roundMs }
  const shadow: Measured[] = []
  const live: LiveRound[] = []
  const turns: Readonly<Record<Mode, () => Promise<unknown>>> = {
    shadow: async () => shadow.push(await loader.run(service.server, traffic.shadow, bound)),
    live: async () => live.push(await liveRound(bench, service, traffic.live, setup)),
  }
  for (let round = 1; round <= sizes.rounds; round += 1) {
    // The order alternates, so that neither is always first.
    for (const mode of round % 2 === 1 ? modes : modes.toReversed()) await turns[mode]()
  }
  await service.stop()
  const sum = (pick: (round: LiveRound) => number): string =>
    live.reduce((total, round) => total + pick(round), 0).toLocaleString('en-GB')
  print(
    `live on ${engine}, ${setup.name}: ${sizes.rounds} rounds; the provider received ${sum((round) => round.providerRequests)} ` +
      `requests for ${sum((round) => round.requestsSent)} live verifies`,
  )
  return rowsOf(engine, setup, shadow, live)
}

function trafficIn(mode: Mode, { keys }: LiveService): Traffic {
  return { ...trafficOf(keys[mode], everydayBody), bodies: bodies.map((body) => JSON.stringify(body)) }
}

/** Checks each payment once: GO, in the mode of the row, without a cooldown. */
async function checkAnswers({ server }: LiveService, traffic: Traffic, mode: Mode): Promise<void> {
  for (const body of traffic.bodies ?? []) {
    const answer = await verifyOnce(server, { ...traffic, body })
    const isRight = answer['decision'] === 'GO' && answer['mode'] === mode && !('cooldown' in answer)
    if (!isRight) throw new Error(`"${mode} verify" got an unexpected answer: ${JSON.stringify(answer)}`)
  }
}

/** Fails if the provider got too few requests for uncached feeds, or too many for cached ones. */
async function liveRound(
  { loader, sizes }: Bench,
  { server, providerRequests }: LiveService,
  traffic: Traffic,
  { name, requestRange }: Setup,
): Promise<LiveRound> {
  const countBefore = await providerRequests()
  const startedMs = performance.now()
  const measured = await loader.run(server, traffic, {
    warmUpMs: roundWarmUpMs,
    durationMs: sizes.roundMs,
  })
  const providerMs = performance.now() - startedMs
  const count = (await providerRequests()) - countBefore
  const [min, max] = requestRange(measured.requestsSent, providerMs / 1000)
  if (count < min || count > max) {
    throw new Error(`feeds ${name}: the provider received ${count} requests, expected ${min} to ${max}`)
  }
  return { ...measured, providerRequests: count, providerMs }
}

/** Ratios compare with shadow verify in the same round. */
function rowsOf(
  engine: Engine,
  { name, target }: Setup,
  shadow: readonly Measured[],
  live: readonly LiveRound[],
): Row[] {
  const ratios = live.map(
    (result, round) => result.requestsPerSecond / (shadow[round]?.requestsPerSecond ?? Number.NaN),
  )
  const providerPerSecond = live.map(
    ({ providerRequests, providerMs }) => (providerRequests * 1000) / providerMs,
  )
  return [
    {
      group: 'live',
      row: `${engine}: shadow verify, feeds ${name}`,
      ratio: null,
      target: null,
      ...figures({ results: [...shadow] }),
    },
    {
      group: 'live',
      row: `${engine}: live verify, feeds ${name}, relative to shadow`,
      ratio: spreadOf(ratios),
      target,
      ...figures({ results: [...live] }),
    },
    {
      group: 'live',
      row: `${engine}: provider requests, feeds ${name}`,
      value: spreadOf(providerPerSecond).median,
      unit: 'requests/s',
      ratio: null,
      target: null,
      detail: { providerPerSecond: spreadOf(providerPerSecond) },
    },
  ]
}
