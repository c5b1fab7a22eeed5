/** What is unknown, another's, or ended cannot be told apart: not by the answer, and not by the time that it takes. */

import { formatKey, keyRandomBytes } from '../../src/core/identity/api-key.ts'
import { formatRequestId, requestIdRandomBytes } from '../../src/core/identity/request-id.ts'
import { withHarness, type Harness } from '../../test/helpers/harness.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf, type Chance } from '../random.ts'

const counts = { long: 5_000, short: 40 }
/** How often an observer may guess right who sees one time of each; 0.5 is no better than a coin. */
const guessMax = 0.55

/** One way to ask, with a key and for an id. */
interface Way {
  readonly name: string
  readonly ask: (chance: Chance) => { key: string; url: string }
}

interface Pair {
  readonly unknown: Way
  readonly other: Way
}

async function pairsOf({ issue, verify, store, clock }: Harness): Promise<Pair[]> {
  const [owner, stranger, revoked] = [await issue(), await issue(), await issue()]
  await store.keys.revoke(revoked.record.keyId, clock.nowMs())
  const foreign: string[] = []
  for (let made = 0; made < 50; made += 1) {
    const { body } = await verify(owner.key, { corridor: 'GB-NG', amount: 1_000 + made })
    foreign.push((body as { request_id: string }).request_id)
  }
  const unknownId = (chance: Chance): string =>
    formatRequestId(clock.nowMs(), chance.bytes(requestIdRandomBytes))
  const unknownKey = (chance: Chance): string => formatKey('pk_test_', chance.bytes(keyRandomBytes))
  const paths = ['/api/v1/audit/ID', '/api/v1/decision/ID/explanation', '/api/v1/audit/export/ID']
  const ofIds = paths.map((path) => ({
    unknown: {
      name: `${path} unknown`,
      ask: (chance: Chance) => ({ key: stranger.key, url: path.replace('ID', unknownId(chance)) }),
    },
    other: {
      name: `${path} of another owner`,
      ask: (chance: Chance) => ({ key: stranger.key, url: path.replace('ID', chance.pick(foreign)) }),
    },
  }))
  const settings = '/api/v1/organisation/settings'
  const ofKeys = {
    unknown: {
      name: 'an unknown key',
      ask: (chance: Chance) => ({ key: unknownKey(chance), url: settings }),
    },
    other: {
      name: 'a revoked key',
      // As much chance is used up as for an unknown one, so that making it takes as long.
      ask: (chance: Chance) => ({ key: unknownKey(chance) && revoked.key, url: settings }),
    },
  }
  return [...ofIds, ofKeys]
}

/** The answer without what differs by design: its id and the places left. */
async function timed({ get }: Harness, { key, url }: { key: string; url: string }) {
  const startedMs = performance.now()
  const { status, headers, body } = await get(key, url)
  const tookMs = performance.now() - startedMs
  const { date: _date, 'x-request-id': _id, ratelimit: _left, ...rest } = headers
  const shown = JSON.stringify({ status, headers: rest, body: { ...(body as object), request_id: '' } })
  return { tookMs, shown }
}

/** The share of pairs in which the second takes longer, ties counted half: the area under the curve of Mann and Whitney. */
export function shareLonger(first: readonly number[], second: readonly number[]): number {
  const sorted = first.toSorted((one, other) => one - other)
  const below = (value: number, isTieBelow: boolean): number => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = sorted[middle] ?? 0
      if (at < value || (isTieBelow && at === value)) low = middle + 1
      else high = middle
    }
    return low
  }
  const wins = second.reduce((sum, value) => sum + (below(value, false) + below(value, true)) / 2, 0)
  return wins / (first.length * second.length)
}

const median = (sample: readonly number[]): number =>
  sample.toSorted((one, other) => one - other)[sample.length >>> 1] ?? 0

async function observe(harness: Harness, pair: Pair, chance: Chance, count: number) {
  const shown = new Set<string>()
  const times: Record<'unknown' | 'other', number[]> = { unknown: [], other: [] }
  for (let turn = 0; turn < count * 2; turn += 1) {
    // In an order that nobody can foresee: what else the machine does falls on both.
    const which = times.unknown.length >= count || (times.other.length < count && chance.below(2) === 0)
    const side = which ? 'other' : 'unknown'
    const seen = await timed(harness, pair[side].ask(chance))
    times[side].push(seen.tookMs)
    shown.add(seen.shown)
  }
  return { shown, share: shareLonger(times.unknown, times.other), times }
}

async function torment(harness: Harness, { seed, count, isShort }: Options): Promise<Outcome> {
  const chance = chanceOf(seed)
  const total = count ?? (isShort ? counts.short : counts.long)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  for (const pair of await pairsOf(harness)) {
    await observe(harness, pair, chance, Math.min(total, 200))
    const { shown, share, times } = await observe(harness, pair, chance, total)
    const guess = Math.max(share, 1 - share)
    const name = `${pair.other.name} against ${pair.unknown.name}`
    if (shown.size !== 1) violations.push(`${name}: the answers differ: ${[...shown].join(' ')}`)
    if (!isShort && guess > guessMax)
      violations.push(`${name}: guessed right ${guess.toFixed(3)} of the time`)
    figures[name] =
      `guessed right ${guess.toFixed(3)}, medians ${median(times.other).toFixed(3)} and ${median(times.unknown).toFixed(3)} ms, ${total} each`
  }
  return { figures, violations }
}

export const experiment: Experiment = {
  promise: 'what is unknown, of another owner or revoked cannot be told apart, by answer or by time',
  async run(options) {
    let outcome: Outcome = { figures: {}, violations: [] }
    await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '10000000/60' } }, async (harness) => {
      outcome = await torment(harness, options)
    })
    return outcome
  },
}
