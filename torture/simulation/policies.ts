/** Policies in a simulated world: they change at any time, and every record names one that was in force. */

import { createRunPart, runWhole } from '../../src/app/policy/backtest.ts'
import { sumsFor } from '../../src/app/policy/candidate.ts'
import { createPolicyLibrary } from '../../src/app/policy/library.ts'
import { reportOf } from '../../src/core/policy/report.ts'
import { canonicalJson } from '../../src/core/reference/canonical-json.ts'
import { unlessUnavailable } from './instance.ts'
import { ensure } from './inspect/violation.ts'
import type { World } from './world.ts'

const documents = [
  { name: 'Amounts', require_amount: true, rules: [rule('large', 'amount > 1000', 'DEGRADED')] },
  { name: 'Flags', go_floor: 0.9, rules: [rule('flagged', 'size(flagged) > 0', 'NO-GO')] },
  {
    name: 'Never live',
    rules: [rule('live', 'mode == "live"', 'NO-GO'), rule('partner', 'partner == "x"', 'NO-GO')],
  },
  { name: 'Caps', caps: { GBP: { review_above: 100, block_above: 2_000 } } },
]

function rule(id: string, when: string, then: string) {
  return { id, when, then, message: `Rule ${id}.` }
}

const actor = (name: string) => ({ kind: 'key' as const, id: `key_${name}`, name, principalId: name })

/** An owner's policy is written, becomes the candidate, is promoted by another principal, or is rolled back. */
export function changePolicies(world: World): void {
  const { rng, policies } = world
  const instance = world.pickInstance()
  const { ownerId } = rng.pick(world.callers).record
  const own = instance.policies(ownerId)
  const written = policies.written.get(ownerId) ?? []
  const what = rng.next()
  const document = rng.pick(documents)
  const chosen = written.length === 0 ? null : rng.pick(written)
  const work = async (): Promise<void> => {
    if (chosen !== null && what < 0.2) return ignored(own.rollback(actor('approver'), 'Simulated.'))
    const created = chosen === null ? await unlessUnavailable(own.create(document, actor('author'))) : null
    const policyId = created?.kind === 'created' ? created.policy.policyId : chosen
    if (policyId === null) return
    if (what < 0.6) return ignored(own.promote(policyId, actor('approver'), 'Simulated.'))
    await ignored(own.candidate(policyId, actor('author')))
  }
  void world.watch(work(), instance.life)
}

async function ignored(work: Promise<unknown>): Promise<void> {
  await unlessUnavailable(work)
}

/** The report of every candidate equals the backtest of the same stretch. */
export async function checkCandidates({ truth, books }: World): Promise<void> {
  const library = createPolicyLibrary(truth.policies)
  const run = createRunPart({ store: truth.policies, library })
  for (const { policyId, ownerId, sinceMs, untilMs } of await truth.policies.candidates(0)) {
    // An ended one is followed for a minute, and the clock of a world may be set.
    if (untilMs !== null) continue
    const { sums = null } = (await truth.policies.candidate(policyId)) ?? {}
    const stretch = { policyId, ownerId, fromMs: sinceMs, toMs: Date.UTC(9999, 0), mode: null }
    const followed = reportOf(sums ?? sumsFor(await library.find(policyId)))
    const backtested = reportOf(await runWhole(run, stretch))
    const [left, right] = [canonicalJson(followed), canonicalJson(backtested)]
    ensure(left === right, `the candidate's report is ${left}, and its backtest ${right}`)
    books.count('candidates compared')
    if (backtested.unchanged < backtested.records) books.count('candidates with flips')
  }
}
