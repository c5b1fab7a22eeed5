/** Live verify beside shadow verify on one service, in turns: what seven feeds cost, cached and not. */

import { signalNames } from '../src/core/decision/signals.ts'
import { everydayBody, type Bench } from './bench.ts'
import { startLiveService, type FeedsRule, type LiveService } from './live-feeds.ts'
import { connections, type Measured, type Traffic } from './loader.ts'
import { spreadOf, type Row, type Target } from './report.ts'
import { trafficOf, verifyOnce, type Engine } from './service.ts'
import { figures } from './throughput.ts'

/** At the start of every round, while the service turns from one mode to the other. */
const roundWarmUpMs = 200

const modes = ['shadow', 'live'] as const
type Mode = (typeof modes)[number]

interface Setup extends FeedsRule {
  readonly name: string
  readonly target: Target | null
  /** The fewest and the most that a round of so many verifies in so many seconds can ask of the provider. */
  readonly askedWithin: (verifies: number, seconds: number) => readonly [number, number]
}

const feedCount = signalNames.length

const setups: readonly Setup[] = [
  {
    name: 'cached for 1 s by corridor',
    cacheMs: 1_000,
    // Without the amount, or every amount would have a value of its own and the cache would serve few.
    query: 'corridor={corridor}',
    target: { bound: 'at least', value: 0.6 },
    askedWithin: (_verifies, seconds) => [
      // A round that is shorter than the cache may find all of it there.
      feedCount * Math.floor(seconds / 2),
      feedCount * Math.ceil(seconds + 1),
    ],
  },
  {
    name: 'not cached, by amount',
    cacheMs: 0,
    // With the amount, of which each connection has its own: those who wait at once share no read.
    query: 'corridor={corridor}&amount={amount}',
    target: null,
    askedWithin: (verifies) => [feedCount * verifies, feedCount * verifies],
  },
]

/** All of them are everyday payments, far from the amounts that mean something in the sandbox. */
const bodies = Array.from({ length: connections }, (_, place) => ({
  ...everydayBody,
  amount: everydayBody.amount + place,
}))

interface LiveRound extends Measured {
  /** Requests that the provider saw, and in what time. */
  readonly asked: number
  readonly askedMs: number
}

export async function benchLive(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) {
    for (const setup of setups) rows.push(...(await benchSetup(bench, engine, setup)))
  }
  return rows
}

async function benchSetup(bench: Bench, engine: Engine, setup: Setup): Promise<Row[]> {
  const { sizes, loader, say } = bench
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
    // The order turns with every round, so that neither always comes first.
    for (const mode of round % 2 === 1 ? modes : modes.toReversed()) await turns[mode]()
  }
  await service.stop()
  const sum = (pick: (round: LiveRound) => number): string =>
    live.reduce((total, round) => total + pick(round), 0).toLocaleString('en-GB')
  say(
    `live on ${engine}, ${setup.name}: ${sizes.rounds} rounds; the provider saw ${sum((round) => round.asked)} ` +
      `requests for ${sum((round) => round.requestsSent)} live verifies`,
  )
  return rowsOf(engine, setup, shadow, live)
}

function trafficIn(mode: Mode, { keys }: LiveService): Traffic {
  return { ...trafficOf(keys[mode], everydayBody), bodies: bodies.map((body) => JSON.stringify(body)) }
}

/** Each payment once: all are allowed, in the mode that the row speaks of, and none is a repetition. */
async function checkAnswers({ server }: LiveService, traffic: Traffic, mode: Mode): Promise<void> {
  for (const body of traffic.bodies ?? []) {
    const answer = await verifyOnce(server, { ...traffic, body })
    const isRight = answer['decision'] === 'GO' && answer['mode'] === mode && !('cooldown' in answer)
    if (!isRight) throw new Error(`"${mode} verify" got another kind of answer: ${JSON.stringify(answer)}`)
  }
}

/** Fails where the provider saw too little for the feeds to have been read, or too much for a cache. */
async function liveRound(
  { loader, sizes }: Bench,
  { server, asked }: LiveService,
  traffic: Traffic,
  { name, askedWithin }: Setup,
): Promise<LiveRound> {
  const askedBefore = await asked()
  const startedMs = performance.now()
  const measured = await loader.run(server, traffic, {
    warmUpMs: roundWarmUpMs,
    durationMs: sizes.roundMs,
  })
  const askedMs = performance.now() - startedMs
  const seen = (await asked()) - askedBefore
  const [least, most] = askedWithin(measured.requestsSent, askedMs / 1000)
  if (seen < least || seen > most) {
    throw new Error(`feeds ${name}: the provider saw ${seen} requests, not ${least} to ${most}`)
  }
  return { ...measured, asked: seen, askedMs }
}

/** Each round's ratio is to shadow verify in the same round. */
function rowsOf(
  engine: Engine,
  { name, target }: Setup,
  shadow: readonly Measured[],
  live: readonly LiveRound[],
): Row[] {
  const ratios = live.map(
    (result, round) => result.requestsPerSecond / (shadow[round]?.requestsPerSecond ?? Number.NaN),
  )
  const askedPerSecond = live.map(({ asked, askedMs }) => (asked * 1000) / askedMs)
  return [
    {
      group: 'live',
      row: `${engine}: shadow verify beside feeds ${name}`,
      ratio: null,
      target: null,
      ...figures({ results: [...shadow] }),
    },
    {
      group: 'live',
      row: `${engine}: live verify, feeds ${name}, to shadow`,
      ratio: spreadOf(ratios),
      target,
      ...figures({ results: [...live] }),
    },
    {
      group: 'live',
      row: `${engine}: what the provider saw, feeds ${name}`,
      value: spreadOf(askedPerSecond).median,
      unit: 'requests/s',
      ratio: null,
      target: null,
      detail: { askedPerSecond: spreadOf(askedPerSecond) },
    },
  ]
}
