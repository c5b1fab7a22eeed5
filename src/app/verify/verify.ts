/** Verifies one payment, in the order of section 4 of the specification. */

import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/reference/canonical-json.ts'
import { modeOfKeyType, type KeyType, type Mode } from '../../core/identity/api-key.ts'
import { clockSkewMsMax, withinCooldown } from '../../core/time/cooldown.ts'
import { dayMs } from '../../core/time/durations.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { currentRevision } from '../../core/decision/engine.ts'
import type { Policy } from '../../core/decision/policy.ts'
import type { Verdict } from '../../core/decision/score.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import { keepApart } from '../log/personal-text.ts'
import {
  composeAnswer,
  createAnswerReader,
  finishAnswer,
  repeatAnswer,
  wholeAnswer,
  type StoredAnswer,
  type Warning,
} from './answer.ts'
import { computedEvidence, cooldownEvidence } from './evidence.ts'
import { versionOf, type PoliciesInForce } from '../policy/in-force.ts'
import type { ActivePolicies } from '../policy/active.ts'
import { decideOn } from './partner-choice.ts'
import { windowAt } from './settlement-window.ts'
import type { Ids } from './ids.ts'
import type {
  Block,
  CommitCommand,
  IdempotencyClaim,
  LookupCommand,
  RepeatedRecord,
  Verification,
} from '../ports/records.ts'
import type { Limiter, OwedAdmission } from '../ports/limiter.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { SignalReport, SignalSource, UnavailableSignal } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import { traceHeaders } from '../operate/spans.ts'
import type { DecisionTimer } from './decision-timer.ts'

export interface VerifyCommand {
  readonly caller: { readonly ownerId: string; readonly keyId: string; readonly type: KeyType }
  /** Null selects the mode of the key. */
  readonly mode: Mode | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly correlationId: string | null
  readonly idempotencyKey: string | null
  /** Of the request itself; stored and repeated with its answer. */
  readonly warnings: readonly Warning[]
  /** The fingerprint of the body in a mode; called only if there is an idempotency key. */
  readonly fingerprint: (mode: Mode) => string
  readonly timer: DecisionTimer
  /** Null if the request is already admitted. */
  readonly owed?: OwedAdmission | null
}

export type VerifyOutcome =
  | {
      readonly kind: 'decided'
      readonly requestId: RequestId
      readonly mode: Mode
      readonly verdict: Verdict
      readonly answer: string
    }
  | { readonly kind: 'live_refused' }
  /** The caller has been answered. */
  | { readonly kind: 'not_admitted' }
  | { readonly kind: 'conflict' }
  /** A sandbox has made all its decisions of a day. */
  | { readonly kind: 'sandbox_spent'; readonly dailyMax: number; readonly retryAfterMs: number }
  | {
      readonly kind: 'signals_unavailable'
      readonly signals: readonly UnavailableSignal[]
      /** Those for which no feed is set up: waiting does not help. */
      readonly withoutFeed: readonly SignalName[]
    }

export interface VerifyDeps {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly signals: Readonly<Record<Mode, SignalSource>>
  readonly policy: Policy
  readonly policies: ActivePolicies
  readonly cooldownMs: number
  /** How long an answer is valid, unless a cut-off ends it. */
  readonly validMs: number
  /** Bounds the decisions of a sandbox in a day: their records cannot be deleted, and anybody can have one. */
  readonly sandbox?: { readonly limiter: Limiter; readonly dailyMax: number }
  readonly metrics?: Pick<Metrics, 'decided' | 'liveComputed'>
}

/** A command with its mode resolved. */
type Request = VerifyCommand & { readonly mode: Mode }
type Read = Exclude<SignalReport, { kind: 'unavailable' }>

interface Parts extends VerifyDeps {
  readonly readAnswer: ReturnType<typeof createAnswerReader>
}

export type Verify = (command: VerifyCommand) => Promise<VerifyOutcome>

export function createVerify(deps: VerifyDeps): Verify {
  const parts: Parts = { ...deps, readAnswer: createAnswerReader() }
  return async (command) => {
    const own = modeOfKeyType[command.caller.type]
    const mode = command.mode ?? own
    const request: Request = { ...command, mode }
    const { idempotencyKey, owed = null } = request
    const idempotency: IdempotencyClaim | null =
      idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: request.fingerprint(mode) }
    const wanted = { ownerId: request.caller.ownerId, mode, corridor: request.corridor, idempotency }

    // Live mode looks before it reads feeds: a replay must not depend on them.
    // So does a sandbox, whose replays do not count.
    const looksFirst = mode === 'live' || request.caller.type === 'sandbox'
    const expected = owed === null || looksFirst ? null : (deps.store.ahead?.expect(wanted) ?? null)
    if (owed !== null && expected !== null) {
      const outcome = await decideAhead(parts, request, { owed, idempotency, block: expected.block })
      if (outcome !== null) return outcome
      request.timer.decideAgain()
    } else if (owed !== null && !(await owed.settle())) return notAdmitted
    if (mode === 'live' && own !== 'live') return { kind: 'live_refused' }
    return decideAfterLook(parts, request, wanted)
  }
}

async function decideAfterLook(deps: Parts, request: Request, wanted: LookupCommand): Promise<VerifyOutcome> {
  const { timer, mode } = request
  const lookup = await deps.store.look(wanted)
  timer.mark('idempotency_checked')
  if (lookup.kind === 'conflict') return lookup
  if (lookup.kind === 'replay') return replayed(deps, lookup.record, timer)
  const spent = await spentSandbox(deps, request)
  if (spent !== null) return spent
  const prepared = await prepare(deps, request, lookup.block)
  if ('record' in prepared) return settle(deps, request, prepared, wanted.idempotency)

  const feeds = deps.signals[mode].signalsOf(request.corridor)
  const withoutFeed = signalNames.filter(
    (signal) => prepared.signals.includes(signal) && !feeds.includes(signal),
  )
  return { kind: 'signals_unavailable', signals: prepared.signals.toSorted(), withoutFeed }
}

async function spentSandbox({ sandbox }: Parts, { caller }: Request): Promise<VerifyOutcome | null> {
  if (caller.type !== 'sandbox' || sandbox === undefined) return null
  const { limiter, dailyMax } = sandbox
  const admission = await limiter.admit(`sandbox:${caller.ownerId}`, { count: dailyMax, windowMs: dayMs })
  return admission.admitted ? null : { kind: 'sandbox_spent', dailyMax, retryAfterMs: admission.retryAfterMs }
}

interface Ahead {
  readonly owed: OwedAdmission
  readonly idempotency: IdempotencyClaim | null
  readonly block: Block | null
}

/** Decides before anything is looked up, and asks for everything with the commit. Null: admitted, but look first. */
async function decideAhead(deps: Parts, request: Request, { owed, idempotency, block }: Ahead) {
  request.timer.mark('idempotency_checked')
  const prepared = await prepare(deps, request, block)
  const { ahead } = deps.store
  if (ahead === null || !('record' in prepared)) return (await owed.settle()) ? null : notAdmitted
  const nowMs = deps.clock.nowMs()
  const isRepeated = prepared.record.cooldownSourceId !== null
  const openSince = isRepeated ? null : { afterMs: nowMs - deps.cooldownMs, untilMs: nowMs + clockSkewMsMax }
  const ticket = owed.handOver()
  const { admission, isRecorded } = await ahead.commit({ ...prepared, idempotency, ticket, openSince })
  if (!owed.take(admission)) return notAdmitted
  return isRecorded ? decided(deps, request, prepared.record) : null
}

const notAdmitted: VerifyOutcome = { kind: 'not_admitted' }

type Unavailable = Extract<SignalReport, { kind: 'unavailable' }>

/** Repeats the decision of an open block, or reads the signals and decides. */
async function prepare(deps: Parts, request: Request, block: Block | null): Promise<Prepared | Unavailable> {
  const { timer, corridor, amount, currency, caller, mode } = request
  const blocked = block !== null && withinCooldown(block.blockedAtMs, deps.clock.nowMs(), deps.cooldownMs)
  timer.mark('cooldown_checked')
  if (blocked) return repeat(deps, request, block, deps.readAnswer(block.record))
  const headers = traceHeaders(timer.context, deps.random)
  const report = await deps.signals[mode].read({
    ownerId: caller.ownerId,
    corridor,
    amount,
    currency,
    headers,
  })
  timer.mark('signals_evaluated')
  if (report.kind === 'unavailable') return report
  // Read once: a promotion meanwhile holds for the next decision.
  const policies = deps.policies.of(caller.ownerId)
  return compute(deps, request, report, policies instanceof Promise ? await policies : policies)
}

type Prepared = Omit<CommitCommand, 'idempotency'>

/** Decides from the readings and prepares the record. */
function compute(
  deps: VerifyDeps,
  request: Request,
  report: Read,
  policies: PoliciesInForce | null,
): Prepared {
  const { timer, corridor, amount, currency, mode } = request
  const { policy, validMs } = deps
  const evaluatedAtMs = deps.clock.nowMs()
  const { window: settlementWindow, warnings } = windowAt(report.corridor, evaluatedAtMs)
  const moment = { policies, mode, atMs: evaluatedAtMs, isCalendarOpen: settlementWindow?.open ?? null }
  const payment = { corridor, amount, currency, policy, moment }
  const chosen = decideOn(report, payment, (stage) => timer.mark(stage))
  const { decision, read } = chosen
  const { requestId, recordedAtMs } = deps.ids.nextRequest()
  const answer = composeAnswer({
    ...read,
    ...answerMembers(request, warnings),
    decision,
    corridor,
    mode,
    requestId,
    recordedAtMs,
    evaluatedAtMs,
    validMs,
    settlementWindow,
    policyVersion: versionOf(policies),
  })
  timer.mark('record_prepared')
  const evidence = computedEvidence({ ...chosen, moments: timer, revision: currentRevision, validMs })
  const record: Verification = {
    ...requestMembers(request, deps.random),
    requestId,
    recordedAtMs,
    evaluatedAtMs,
    verdict: decision.verdict,
    scoreHundredths: decision.scoreHundredths,
    confidenceHundredths: decision.confidenceHundredths,
    cooldownSourceId: null,
    answer: JSON.stringify(answer),
    evidence: JSON.stringify(evidence),
  }
  const blocks = chosen.isBlocked && deps.cooldownMs > 0
  return {
    record,
    block: blocks ? { blockedAtMs: evaluatedAtMs, windowMs: deps.cooldownMs } : null,
    rollup: { reasonCodes: answer.reason_codes, latencyUs: timer.preparedUs() },
  }
}

/** A cooldown hit: the cached decision in a new record. It does not extend the window. */
function repeat(deps: VerifyDeps, request: Request, block: Block, cached: StoredAnswer): Prepared {
  const source = block.record
  const { requestId, recordedAtMs } = deps.ids.nextRequest()
  const { window: settlementWindow, warnings } = settlementOf(deps, request)
  const answer = repeatAnswer(
    cached,
    { ...answerMembers(request, warnings), requestId, recordedAtMs, settlementWindow },
    block.blockedAtMs + deps.cooldownMs,
  )
  request.timer.mark('record_prepared')
  const evidence = cooldownEvidence(source.requestId, request.timer, currentRevision)
  const record: Verification = {
    ...requestMembers(request, deps.random),
    requestId,
    recordedAtMs,
    evaluatedAtMs: source.evaluatedAtMs,
    verdict: source.verdict,
    scoreHundredths: source.scoreHundredths,
    confidenceHundredths: source.confidenceHundredths,
    cooldownSourceId: source.requestId,
    answer: JSON.stringify(answer),
    evidence: JSON.stringify(evidence),
  }
  const rollup = { reasonCodes: answer.reason_codes, latencyUs: request.timer.preparedUs() }
  return { record, block: null, rollup }
}

/** A repeat reads no signals, but its window is that of now. */
function settlementOf({ signals, clock }: VerifyDeps, { mode, corridor }: Request) {
  return windowAt(signals[mode].corridorOf(corridor), clock.nowMs())
}

/** The members of an answer that come from its own request. The correlation id is kept apart. */
function answerMembers({ amount, currency, warnings }: Request, more: readonly Warning[]) {
  const all = more.length === 0 ? warnings : [...warnings, ...more]
  return { amount, currency, warnings: all, correlationId: null, revision: currentRevision }
}

/** The members of a record that come from its own request. */
function requestMembers(request: Request, random: Random) {
  const { correlationId } = request
  return {
    form: 2 as const,
    ownerId: request.caller.ownerId,
    keyId: request.caller.keyId,
    mode: request.mode,
    corridor: request.corridor,
    amount: request.amount,
    currency: request.currency,
    correlationId,
    personalText: correlationId === null ? null : keepApart(correlationId, random),
  }
}

/** Answers only after the commit is durable. If another request used the key first, answers with its record. */
async function settle(
  deps: VerifyDeps,
  request: Request,
  prepared: Prepared,
  idempotency: IdempotencyClaim | null,
): Promise<VerifyOutcome> {
  const { record } = prepared
  const claim = await deps.store.commit({ ...prepared, idempotency })
  if (claim.kind === 'conflict') return claim
  if (claim.kind === 'replay') return replayed(deps, claim.record, request.timer)
  return decided(deps, request, record)
}

function decided(deps: VerifyDeps, request: Request, record: Verification): VerifyOutcome {
  const { requestId, mode, verdict, corridor, cooldownSourceId } = record
  const isComputed = cooldownSourceId === null
  deps.metrics?.decided(verdict, mode, isComputed ? 'computed' : 'cooldown')
  if (isComputed && mode === 'live')
    deps.metrics?.liveComputed(verdict, deps.signals.live.corridorOf(corridor)?.corridor ?? null)
  return {
    kind: 'decided',
    requestId,
    mode,
    verdict,
    answer: finishAnswer(wholeAnswer(record), false, request.timer.elapsedMs()),
  }
}

function replayed({ metrics }: VerifyDeps, record: RepeatedRecord, timer: DecisionTimer): VerifyOutcome {
  const { requestId, mode, verdict } = record
  metrics?.decided(verdict, mode, 'replay')
  const answer = finishAnswer(wholeAnswer(record), true, timer.elapsedMs())
  return { kind: 'decided', requestId, mode, verdict, answer }
}

/**
 * Distinguishes two bodies under one idempotency key: a hash of the canonical JSON of the body, without the key, and of
 * the mode. Formatting and member order do not matter.
 */
export function fingerprintOf(body: Readonly<Record<string, unknown>>, mode: Mode): string {
  const { idempotency_key: _key, ...rest } = body
  return hash('sha256', `${mode}\n${canonicalJson(rest)}`, 'base64url')
}
