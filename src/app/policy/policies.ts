/** Use cases of policies: create, list, make a candidate, promote, roll back, backtest, report, try. */

import { lifeOf, type ChangeKind, type PolicyLife, type PolicyStatus } from '../../core/policy/life.ts'
import { reportOf, type PolicyReport, type Redecided } from '../../core/policy/report.ts'
import { parseRequestId } from '../../core/identity/request-id.ts'
import type { DocumentFault, PolicyDocument } from '../../core/policy/document.ts'
import { actsBy } from '../operate/acts.ts'
import type {
  Backtest,
  BacktestRange,
  Candidate,
  Changed,
  PolicyOwner,
  StoredChange,
  StoredPolicy,
} from '../ports/policies.ts'
import type { Actor } from '../ports/records.ts'
import type { Store } from '../ports/store.ts'
import type { Clock, Random } from '../ports/system.ts'
import { createIds, type Ids } from '../verify/ids.ts'
import type { ActivePolicies } from './active.ts'
import { sumsFor } from './candidate.ts'
import { compilePolicy, type CompiledPolicy } from './compile.ts'
import type { PolicyLibrary } from './library.ts'
import { redecide } from './redecide.ts'

export const policiesPerOwnerMax = 1_000
/** Anybody can have a sandbox, and policies are kept for ever. */
export const policiesPerSandboxMax = 20
/** Of all documents together, so that a list of them stays short. */
export const policyBytesPerOwnerMax = 5_000_000
const policyIdPattern = /^pol_[0-9a-z]{26}$/
const backtestIdPattern = /^bkt_[0-9a-z]{26}$/
/** Of one owner, that have not ended. */
export const waitingBacktestsMax = 3
/** Policies read at a time, to find those of a status. */
const pageSize = 100

/** A policy with its place in life. */
export interface ListedPolicy extends StoredPolicy {
  readonly status: PolicyStatus
  /** Those of this policy, oldest first. */
  readonly changes: readonly StoredChange[]
}

type Created =
  | { readonly kind: 'created'; readonly policy: ListedPolicy }
  | { readonly kind: 'faulty'; readonly faults: readonly DocumentFault[] }
  | { readonly kind: 'too_many' }

/** Null if the caller has no such policy. */
export type ChangeResult =
  | { readonly kind: 'changed'; readonly policy: ListedPolicy; readonly life: PolicyLife }
  | Extract<Changed, { kind: 'refused' }>
  | null

type Checked =
  | { readonly kind: 'valid'; readonly document: PolicyDocument; readonly tried: Redecided | null }
  | { readonly kind: 'faulty'; readonly faults: readonly DocumentFault[] }
  /** The decision to try it on does not exist, or cannot be decided again. */
  | { readonly kind: 'unknown_decision' }

export interface CandidateReport extends Pick<Candidate, 'sinceMs' | 'untilMs'> {
  readonly report: PolicyReport
}

export interface PoliciesDeps {
  readonly store: Store
  readonly library: PolicyLibrary
  readonly active: ActivePolicies
  readonly clock: Clock
  readonly random: Random
  /** Looks for backtests to run. */
  readonly nudge: () => void
  /** Resolves when the candidates' reports are up to date. */
  readonly followed: () => Promise<void>
}

/** Of one owner, or of the installation. */
export interface OwnPolicies {
  create(document: unknown, by: Actor, reference?: string, countMax?: number): Promise<Created>
  find(policyId: string): Promise<ListedPolicy | null>
  life(): Promise<PolicyLife>
  /** Newest first. */
  list(query: { before: string | null; limit: number; status: PolicyStatus | null }): Promise<ListedPolicy[]>
  candidate(policyId: string, by: Actor, reason?: string): Promise<ChangeResult>
  promote(policyId: string, by: Actor, reason: string): Promise<ChangeResult>
  rollback(by: Actor, reason: string): Promise<ChangeResult>
  /** Null if it never was a candidate; undefined if there is no such policy. */
  report(policyId: string): Promise<CandidateReport | null | undefined>
  check(document: unknown, requestId: string | null): Promise<Checked>
  /** Null if there is no such policy; `too_many` if others have to end first. */
  startBacktest(policyId: string, range: BacktestRange): Promise<Backtest | 'too_many' | null>
  findBacktest(policyId: string, backtestId: string): Promise<Backtest | null>
  /** Of whatever policy of the owner. */
  backtest(backtestId: string): Promise<Backtest | null>
  backtests(policyId: string, limit: number): Promise<Backtest[] | null>
  /** False if it has ended; null if there is none. */
  cancelBacktest(policyId: string, backtestId: string): Promise<boolean | null>
}

export type PoliciesFor = (ownerId: PolicyOwner) => OwnPolicies

/** One generator for all owners, so that ids of the same millisecond are in order, too. */
interface Parts extends PoliciesDeps {
  readonly ids: Ids
}

export function createPolicies(given: PoliciesDeps): PoliciesFor {
  const deps: Parts = { ...given, ids: createIds(given) }
  return (ownerId) => {
    const owned = new Owned(deps, ownerId)
    return {
      ...lifeCases(deps, owned),
      ...backtestCases(deps, owned),
      find: (policyId) => owned.find(policyId),
      life: async () => lifeOf(await deps.store.policies.changes(ownerId)),
      list: (query) => owned.list(query),
      check: (document, requestId) => check(deps, ownerId, document, requestId),
    }
  }
}

/** Reads of one owner's policies: another's id is an unknown id. */
class Owned {
  readonly ownerId: PolicyOwner
  readonly #store: Store['policies']

  constructor({ store }: PoliciesDeps, ownerId: PolicyOwner) {
    this.ownerId = ownerId
    this.#store = store.policies
  }

  async stored(policyId: string): Promise<StoredPolicy | null> {
    if (!policyIdPattern.test(policyId)) return null
    const policy = await this.#store.find(policyId)
    return policy?.ownerId === this.ownerId ? policy : null
  }

  async find(policyId: string): Promise<ListedPolicy | null> {
    const policy = await this.stored(policyId)
    return policy === null ? null : this.listed(policy, await this.#store.changes(this.ownerId))
  }

  listed(policy: StoredPolicy, changes: readonly StoredChange[], life = lifeOf(changes)): ListedPolicy {
    const own = changes.filter(({ policyId }) => policyId === policy.policyId)
    return { ...policy, status: life.stateOf(policy.policyId), changes: own }
  }

  async list({ before, limit, status }: Parameters<OwnPolicies['list']>[0]): Promise<ListedPolicy[]> {
    const changes = await this.#store.changes(this.ownerId)
    const life = lifeOf(changes)
    const found: ListedPolicy[] = []
    for (let last = before; found.length < limit;) {
      const page = await this.#store.list(this.ownerId, { before: last, limit: pageSize })
      const listed = page.map((policy) => this.listed(policy, changes, life))
      found.push(...listed.filter((policy) => status === null || policy.status === status))
      last = page.at(-1)?.policyId ?? null
      if (page.length < pageSize) break
    }
    return found.slice(0, limit)
  }
}

type LifeCases = Pick<OwnPolicies, 'create' | 'candidate' | 'promote' | 'rollback' | 'report'>

/** The owner and the principal in the act of a change, and the session of a person. */
const actorMembers = (ownerId: PolicyOwner, { principalId, sessionId }: Actor) => ({
  owner_id: ownerId,
  principal_id: principalId,
  ...(sessionId === undefined ? {} : { session_id: sessionId }),
})

function lifeCases(deps: Parts, owned: Owned): LifeCases {
  const { store, library, active, followed, ids } = deps
  const { ownerId } = owned
  const describe = (by: Actor) => actsBy(by.kind === 'operator' ? by.name : by.id, deps)

  async function change(
    kind: ChangeKind,
    id: string | null,
    by: Actor,
    reason: string | null,
  ): Promise<ChangeResult> {
    if (id !== null && (await owned.stored(id)) === null) return null
    const detail = {
      ...actorMembers(ownerId, by),
      reason,
      four_eyes: kind === 'promoted' && by.kind !== 'operator' ? 1 : 0,
    }
    const act = describe(by)({ kind: `policy.${kind}`, subject: '', detail })
    const wanted = { ownerId, kind, policyId: id, by, reason, atMs: act.atMs }
    const changed = await store.policies.change(wanted, act)
    if (changed.kind === 'refused') return changed
    await active.refresh()
    const policy = await owned.find(changed.change.policyId)
    const life = lifeOf(await store.policies.changes(ownerId))
    return policy === null ? null : { kind: 'changed', policy, life }
  }

  return {
    async create(document, by, reference, countMax = policiesPerOwnerMax) {
      const compiled = compilePolicy(document)
      if (compiled.kind === 'faulty') return compiled
      const { id: policyId, atMs } = ids.next('pol')
      const { sha256 } = compiled.as(policyId)
      const text = JSON.stringify(compiled.document)
      const stored = { policyId, ownerId, document: text, sha256, createdAtMs: atMs, createdBy: by }
      const detail = { ...actorMembers(ownerId, by), sha256, reference: reference ?? null }
      const act = describe(by)({ kind: 'policy.created', subject: policyId, detail })
      const limits = { countMax, bytesMax: policyBytesPerOwnerMax }
      if (!(await store.policies.insert(stored, limits, act))) return { kind: 'too_many' }
      return { kind: 'created', policy: owned.listed(stored, []) }
    },
    candidate: (policyId, by, reason) => change('candidate', policyId, by, reason ?? null),
    promote: (policyId, by, reason) => change('promoted', policyId, by, reason),
    rollback: (by, reason) => change('rolled_back', null, by, reason),
    async report(policyId) {
      if ((await owned.stored(policyId)) === null) return undefined
      await followed()
      const candidate = await store.policies.candidate(policyId)
      if (candidate === null) return null
      const { sinceMs, untilMs, sums } = candidate
      const report = reportOf(sums ?? sumsFor(await library.find(policyId)))
      return { sinceMs, untilMs, report }
    },
  }
}

type BacktestCases = Pick<
  OwnPolicies,
  'startBacktest' | 'findBacktest' | 'backtest' | 'backtests' | 'cancelBacktest'
>

function backtestCases(deps: Parts, owned: Owned): BacktestCases {
  const { store, clock, nudge, ids } = deps
  const { ownerId } = owned
  const findAny = async (backtestId: string): Promise<Backtest | null> => {
    const backtest = backtestIdPattern.test(backtestId) ? await store.policies.findBacktest(backtestId) : null
    return backtest?.ownerId === ownerId ? backtest : null
  }
  const find = async (policyId: string, backtestId: string): Promise<Backtest | null> => {
    const backtest = await findAny(backtestId)
    return backtest?.policyId === policyId ? backtest : null
  }
  return {
    async startBacktest(policyId, { fromMs, toMs, mode }) {
      if ((await owned.stored(policyId)) === null) return null
      const { id: backtestId, atMs } = ids.next('bkt')
      const backtest: Backtest = {
        backtestId,
        policyId,
        ownerId,
        fromMs,
        toMs,
        mode,
        status: 'queued',
        createdAtMs: atMs,
        endedAtMs: null,
        progress: { done: 0, total: null, upTo: null },
        sums: null,
        error: null,
      }
      if (!(await store.policies.insertBacktest(backtest, waitingBacktestsMax))) return 'too_many'
      nudge()
      return backtest
    },
    findBacktest: find,
    backtest: findAny,
    async backtests(policyId, limit) {
      return (await owned.stored(policyId)) === null ? null : store.policies.backtests(policyId, limit)
    },
    async cancelBacktest(policyId, backtestId) {
      if ((await find(policyId, backtestId)) === null) return null
      return store.policies.cancelBacktest(backtestId, clock.nowMs())
    },
  }
}

/** The id of a policy that is not stored. */
const unstoredId = 'pol_unstored'

async function check(
  { store, library }: PoliciesDeps,
  ownerId: PolicyOwner,
  value: unknown,
  requestId: string | null,
): Promise<Checked> {
  const compiled = compilePolicy(value)
  if (compiled.kind === 'faulty') return compiled
  const { document } = compiled
  if (requestId === null || ownerId === null) return { kind: 'valid', document, tried: null }
  const parsed = parseRequestId(requestId)
  const record = parsed === null ? null : await store.forOwner(ownerId).find(parsed.id)
  if (record === null) return { kind: 'unknown_decision' }
  const policy: CompiledPolicy = compiled.as(unstoredId)
  const tried = await redecide({ record, outcome: null }, { policy, ownerId }, library)
  return tried === null ? { kind: 'unknown_decision' } : { kind: 'valid', document, tried }
}
