/** The policies of the installation, in the database itself. For operators: not four eyes, and recorded as such. */

import type { Policy } from '../../../client/src/index.ts'
import { sequenceAll } from '../../app/followers/catch-up.ts'
import { createActivePolicies } from '../../app/policy/active.ts'
import { createRunPart, runWhole } from '../../app/policy/backtest.ts'
import { createFollowCandidates } from '../../app/policy/candidate.ts'
import { createPolicyLibrary, type PolicyLibrary } from '../../app/policy/library.ts'
import {
  createPolicies,
  policiesPerOwnerMax,
  type ChangeResult,
  type ListedPolicy,
  type OwnPolicies,
} from '../../app/policy/policies.ts'
import { candidateView, policyView } from '../../app/policy/views.ts'
import type { Actor } from '../../app/ports/records.ts'
import type { Store } from '../../app/ports/store.ts'
import type { DocumentFault } from '../../core/policy/document.ts'
import { reportOf } from '../../core/policy/report.ts'
import { iso } from '../../core/time/durations.ts'
import { parseIsoTime } from '../../core/time/iso-time.ts'
import { CommandFailure, type CliDeps } from '../deps.ts'
import { Stopped } from '../stop-signals.ts'
import { faultText } from '../user/policy/faults.ts'
import { commandText } from '../user/session/hints.ts'
import { timeText } from '../user/session/screen.ts'
import type {
  BacktestProgress,
  BacktestRange,
  FinishedBacktest,
  PolicyTarget,
} from '../user/policy/target.ts'

/** Opens the database for one command and always closes it afterwards. `reference` is null for one that only reads. */
export async function onInstallation(
  deps: CliDeps,
  reference: string | null,
  work: (target: PolicyTarget) => Promise<number>,
): Promise<number> {
  const store = await deps.openStore(deps.config())
  try {
    return await work(targetOn(store, deps, reference))
  } finally {
    await store.close()
  }
}

/** The use cases that a server has, without its work beside requests: what they wait for is done here. */
function policiesOf(store: Store, library: PolicyLibrary, { clock, random }: CliDeps): OwnPolicies {
  const follow = createFollowCandidates({ store: store.policies, library, clock })
  const sequenced = (): Promise<number> => sequenceAll(store.journal)
  return createPolicies({
    store,
    library,
    clock,
    random,
    active: createActivePolicies({ store: store.policies, library, clock }),
    nudge: () => {},
    followed: async () => follow(await sequenced(), () => false),
  })(null)
}

function targetOn(store: Store, deps: CliDeps, reference: string | null): PolicyTarget {
  const library = createPolicyLibrary(store.policies)
  const policies = policiesOf(store, library, deps)
  const name = deps.operator()
  const by: Actor = { kind: 'operator', id: name, name, principalId: `operator:${name}` }
  const change = reference ?? ''
  const changed = (result: ChangeResult, policyId: string) => {
    if (result?.kind === 'changed') return result
    throw result === null ? unknownPolicy(policyId) : new CommandFailure(refusals[result.refusal])
  }
  return {
    list: async (status) =>
      (await policies.list({ before: null, limit: policiesPerOwnerMax, status })).map(viewOf),
    find: async (id) => viewOf(known(await policies.find(id), id)),
    create: (document) => create(policies, document, by, change),
    candidate: async (id) => viewOf(changed(await policies.candidate(id, by, change), id).policy),
    async report(id) {
      const found = await policies.report(id)
      if (found === undefined) throw unknownPolicy(id)
      if (found !== null) return candidateView(found)
      throw new CommandFailure(`${id} has not been a candidate, so it has no report`)
    },
    async latestReport(id) {
      const found = await policies.report(id)
      if (found === undefined) throw unknownPolicy(id)
      return found === null
        ? { title: 'There is no report of this policy: it has not been a candidate.', report: null }
        : { title: `As the candidate since ${timeText(iso(found.sinceMs))}`, report: found.report }
    },
    promote: async (id, reason) =>
      viewOf(changed(await policies.promote(id, by, `${change}: ${reason}`), id).policy),
    async rollback(reason) {
      const { policy, life } = changed(await policies.rollback(by, `${change}: ${reason}`), '')
      return { rolled_back: policy.policyId, active: life.activeId }
    },
    async backtest(id, range, progress) {
      known(await policies.find(id), id)
      return runBacktest(store, library, { id, range, progress })
    },
    hint: (...words) =>
      commandText(
        [...words, '--installation', ...(isChange(words) ? ['--reference', 'CHANGE-ID'] : [])],
        null,
      ),
    recorded: { installation: true, four_eyes: false, operator: name, reference },
    notice: [
      `Recorded as an act of the operator ${name}, change ${change}. This is not four eyes, and is recorded as such.`,
    ],
  }
}

const isChange = ([, command = '']: readonly string[]): boolean =>
  ['create', 'candidate', 'promote', 'rollback'].includes(command)

const viewOf = (policy: ListedPolicy): Policy => policyView(policy)

async function create(
  policies: OwnPolicies,
  document: unknown,
  by: Actor,
  reference: string,
): Promise<Policy> {
  const created = await policies.create(document, by, reference)
  if (created.kind === 'created') return viewOf(created.policy)
  throw created.kind === 'faulty'
    ? faulty(created.faults)
    : new CommandFailure(`the limit of ${policiesPerOwnerMax} policies is reached`)
}

function faulty(faults: readonly DocumentFault[]): CommandFailure {
  return new CommandFailure('the document is invalid. Nothing was created:', 1, faults.map(faultText))
}

const refusals = {
  too_many_changes: 'the policies have been changed too often today; wait until tomorrow',
  four_eyes: 'the policy must be promoted by another principal than the one that wrote it',
  already_active: 'this policy is active already',
  already_candidate: 'this policy is the candidate already',
  nothing_to_roll_back: 'no policy of the installation is active, so there is nothing to roll back',
} satisfies Record<Extract<NonNullable<ChangeResult>, { kind: 'refused' }>['refusal'], string>

function unknownPolicy(policyId: string): CommandFailure {
  return new CommandFailure(
    `the installation has no policy ${JSON.stringify(policyId)}: run fairway policy list --installation`,
  )
}

function known(policy: ListedPolicy | null, policyId: string): ListedPolicy {
  if (policy === null) throw unknownPolicy(policyId)
  return policy
}

interface BacktestJob {
  readonly id: string
  readonly range: BacktestRange
  readonly progress: BacktestProgress
}

/** On the records of all owners, in this process. Nothing of it is stored. */
async function runBacktest(
  store: Store,
  library: PolicyLibrary,
  { id, range: { from, to, mode }, progress: { signal, onProgress } }: BacktestJob,
): Promise<FinishedBacktest> {
  const fromMs = parseIsoTime(from) ?? 0
  const toMs = parseIsoTime(to) ?? 0
  const stretch = { policyId: id, ownerId: null, fromMs, toMs, mode }
  const sums = await runWhole(
    createRunPart({ store: store.policies, library }),
    stretch,
    ({ done, total }) => {
      if (signal.reason instanceof Stopped)
        throw new CommandFailure('stopped; nothing was changed', signal.reason.exitCode)
      onProgress(done, total ?? done)
    },
  )
  return { policy_id: id, from: iso(fromMs), to: iso(toMs), mode, report: reportOf(sums) }
}
