/** Unknown, foreign and revoked ids and keys are indistinguishable, by answer and by response time. */

import { formatKey, keyRandomBytes } from '../../src/core/identity/api-key.ts'
import { formatRequestId, requestIdRandomBytes } from '../../src/core/identity/request-id.ts'
import { withHarness, type Harness } from '../../test/helpers/harness.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng, type Rng } from '../random.ts'

const counts = { long: 5_000, short: 40 }
/** The maximum rate of correct guesses for an observer of one response time each; 0.5 is pure chance. */
const guessMax = 0.55

/** A kind of request, with a random key or id. */
interface RequestKind {
  readonly name: string
  readonly create: (rng: Rng) => { key: string; url: string }
}

interface Pair {
  readonly unknown: RequestKind
  readonly other: RequestKind
}

async function pairsOf({ issue, verify, store, clock }: Harness): Promise<Pair[]> {
  const [owner, other, revoked] = [await issue(), await issue(), await issue()]
  await store.keys.revoke(revoked.record.keyId, clock.nowMs())
  const foreign: string[] = []
  for (let created = 0; created < 50; created += 1) {
    const { body } = await verify(owner.key, { corridor: 'GB-NG', amount: 1_000 + created })
    foreign.push((body as { request_id: string }).request_id)
  }
  const unknownId = (rng: Rng): string => formatRequestId(clock.nowMs(), rng.bytes(requestIdRandomBytes))
  const unknownKey = (rng: Rng): string => formatKey('pk_test_', rng.bytes(keyRandomBytes))
  const paths = ['/api/v1/audit/ID', '/api/v1/decision/ID/explanation', '/api/v1/audit/export/ID']
  const ofIds = paths.map((path) => ({
    unknown: {
      name: `${path} unknown`,
      create: (rng: Rng) => ({ key: other.key, url: path.replace('ID', unknownId(rng)) }),
    },
    other: {
      name: `${path} of another owner`,
      create: (rng: Rng) => ({ key: other.key, url: path.replace('ID', rng.pick(foreign)) }),
    },
  }))
  const settings = '/api/v1/organisation/settings'
  const ofKeys = {
    unknown: {
      name: 'an unknown key',
      create: (rng: Rng) => ({ key: unknownKey(rng), url: settings }),
    },
    other: {
      name: 'a revoked key',
      // Also generates an unknown key, so that both take equally long to create.
      create: (rng: Rng) => ({ key: unknownKey(rng) && revoked.key, url: settings }),
    },
  }
  return [...ofIds, ofKeys]
}

/** Times a request. `shown` is the response without members that differ by design: the id and the remaining limit. */
async function timed({ get }: Harness, { key, url }: { key: string; url: string }) {
  const startedMs = performance.now()
  const { status, headers, body } = await get(key, url)
  const tookMs = performance.now() - startedMs
  const { date: _date, 'x-request-id': _id, ratelimit: _left, ...rest } = headers
  const shown = JSON.stringify({ status, headers: rest, body: { ...(body as object), request_id: '' } })
  return { tookMs, shown }
}

/** The share of pairs in which the second takes longer, with ties counted half: the normalised Mann-Whitney U. */
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

async function observe(harness: Harness, pair: Pair, rng: Rng, count: number) {
  const shown = new Set<string>()
  const times: Record<'unknown' | 'other', number[]> = { unknown: [], other: [] }
  for (let turn = 0; turn < count * 2; turn += 1) {
    // In random order, so that other load on the machine affects both.
    const isOther = times.unknown.length >= count || (times.other.length < count && rng.below(2) === 0)
    const side = isOther ? 'other' : 'unknown'
    const result = await timed(harness, pair[side].create(rng))
    times[side].push(result.tookMs)
    shown.add(result.shown)
  }
  return { shown, share: shareLonger(times.unknown, times.other), times }
}

async function stress(harness: Harness, { seed, count, isShort }: Options): Promise<Outcome> {
  const rng = createRng(seed)
  const total = count ?? (isShort ? counts.short : counts.long)
  const figures: Record<string, string> = {}
  const violations: string[] = []
  for (const pair of await pairsOf(harness)) {
    await observe(harness, pair, rng, Math.min(total, 200))
    const { shown, share, times } = await observe(harness, pair, rng, total)
    const guess = Math.max(share, 1 - share)
    const name = `${pair.other.name} versus ${pair.unknown.name}`
    if (shown.size !== 1) violations.push(`${name}: the answers differ: ${[...shown].join(' ')}`)
    if (!isShort && guess > guessMax)
      violations.push(`${name}: guess rate ${guess.toFixed(3)} exceeds ${guessMax}`)
    figures[name] =
      `guess rate ${guess.toFixed(3)}, medians ${median(times.other).toFixed(3)} and ${median(times.unknown).toFixed(3)} ms, ${total} each`
  }
  return { figures, violations }
}

export const experiment: Experiment = {
  promise: 'unknown, foreign and revoked ids and keys are indistinguishable, by answer and by time',
  async run(options) {
    let outcome: Outcome = { figures: {}, violations: [] }
    await withHarness({ settings: { FAIRWAY_LIMIT_KEYED: '10000000/60' } }, async (harness) => {
      outcome = await stress(harness, options)
    })
    return outcome
  },
}
