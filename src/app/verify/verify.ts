/** One verification, in the order of the contract's section 4; it reads like the flow there. */

import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { modeOfKeyType, type KeyType, type Mode } from '../../core/identity/api-key.ts'
import { withinCooldown } from '../../core/time/cooldown.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { decide } from '../../core/decision/decide.ts'
import type { Policy } from '../../core/decision/policy.ts'
import type { RequestId } from '../../core/identity/request-id.ts'
import { composeAnswer, createAnswerReader, finishAnswer, repeatAnswer, type KeptAnswer } from './answer.ts'
import { computedEvidence, cooldownEvidence } from './evidence.ts'
import type { Ids } from './ids.ts'
import type {
  Block,
  CommitCommand,
  IdempotencyClaim,
  RepeatedRecord,
  Verification,
} from '../ports/records.ts'
import type { Clock, Random } from '../ports/system.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { SignalReport, SignalSource, UnavailableSignal } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import { traceHeaders } from '../operate/spans.ts'
import type { DecisionTimer } from './decision-timer.ts'

export interface VerifyCommand {
  readonly caller: { readonly ownerId: string; readonly keyId: string; readonly type: KeyType }
  /** Null: what the key is for. */
  readonly mode: Mode | null
  readonly corridor: Corridor
  readonly amount: number | null
  readonly currency: Currency
  readonly correlationId: string | null
  readonly idempotencyKey: string | null
  /** Of the body in a mode; asked for only when there is an idempotency key. */
  readonly fingerprint: (mode: Mode) => string
  readonly trace: DecisionTimer
}

export type VerifyOutcome =
  | { readonly kind: 'decided'; readonly requestId: RequestId; readonly mode: Mode; readonly answer: string }
  | { readonly kind: 'live_refused' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'signals_unavailable'; readonly signals: readonly UnavailableSignal[] }

export interface VerifyDeps {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly signals: Readonly<Record<Mode, SignalSource>>
  readonly policy: Policy
  readonly cooldownMs: number
  readonly metrics?: Pick<Metrics, 'decided' | 'held'>
}

/** A command whose mode is settled. */
type Request = VerifyCommand & { readonly mode: Mode }
type Read = Extract<SignalReport, { kind: 'read' }>

export type Verify = (command: VerifyCommand) => Promise<VerifyOutcome>

export function createVerify(deps: VerifyDeps): Verify {
  const readAnswer = createAnswerReader()
  return async (command) => {
    const own = modeOfKeyType[command.caller.type]
    const mode = command.mode ?? own
    if (mode === 'live' && own !== 'live') return { kind: 'live_refused' }
    const request: Request = { ...command, mode }
    const { trace, idempotencyKey } = request

    const idempotency: IdempotencyClaim | null =
      idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: request.fingerprint(mode) }
    const look = await deps.store.look({
      ownerId: request.caller.ownerId,
      mode,
      corridor: request.corridor,
      idempotency,
    })
    trace.mark('idempotency_checked')
    if (look.kind === 'conflict') return look
    if (look.kind === 'replay') return replayed(deps, look.record, trace)

    const { block } = look
    const blocked = block !== null && withinCooldown(block.blockedAtMs, deps.clock.nowMs(), deps.cooldownMs)
    trace.mark('cooldown_checked')
    if (blocked) {
      const repeated = repeat(deps, request, block, readAnswer(block.record))
      return settle(deps, request, repeated, idempotency)
    }

    const { corridor, amount, currency, caller } = request
    const headers = traceHeaders(trace.context, deps.random)
    const asked = { ownerId: caller.ownerId, corridor, amount, currency, headers }
    const report = await deps.signals[mode].read(asked)
    trace.mark('signals_evaluated')
    if (report.kind === 'unavailable') {
      deps.metrics?.held(mode)
      return { kind: 'signals_unavailable', signals: report.signals.toSorted() }
    }
    return settle(deps, request, compute(deps, request, report), idempotency)
  }
}

type Prepared = Omit<CommitCommand, 'idempotency'>

/** Decides from the readings and prepares the record of it. */
function compute(deps: VerifyDeps, request: Request, report: Read): Prepared {
  const { trace, corridor, amount, currency, mode } = request
  const decision = decide(
    {
      corridor,
      amount,
      currency,
      readings: report.readings,
      policy: deps.policy,
      telemetry: report.telemetry ?? null,
    },
    (stage) => trace.mark(stage),
  )
  const evaluatedAtMs = deps.clock.nowMs()
  const { requestId, recordedAtMs } = deps.ids.nextRequest()
  const answer = composeAnswer({
    decision,
    readings: report.readings,
    corridor,
    mode,
    requestId,
    recordedAtMs,
    evaluatedAtMs,
    correlationId: request.correlationId,
    volatility: report.volatility,
    recommendedPartner: report.recommendedPartner,
  })
  trace.mark('record_prepared')
  const evidence = computedEvidence(decision, report, trace)
  const record: Verification = {
    ...ownMembers(request),
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
  const blocks = decision.verdict === 'NO-GO' && deps.cooldownMs > 0
  return {
    record,
    block: blocks ? { blockedAtMs: evaluatedAtMs, windowMs: deps.cooldownMs } : null,
    noted: { reasonCodes: answer.reason_codes, latencyUs: trace.preparedUs() },
  }
}

/** A cooldown hit: the cached decision, in a record of its own. It never moves the window. */
function repeat(deps: VerifyDeps, request: Request, block: Block, cached: KeptAnswer): Prepared {
  const source = block.record
  const { requestId, recordedAtMs } = deps.ids.nextRequest()
  const answer = repeatAnswer(
    cached,
    { requestId, recordedAtMs, correlationId: request.correlationId },
    block.blockedAtMs + deps.cooldownMs,
  )
  request.trace.mark('record_prepared')
  const evidence = cooldownEvidence(source.requestId, request.trace)
  const record: Verification = {
    ...ownMembers(request),
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
  const noted = { reasonCodes: answer.reason_codes, latencyUs: request.trace.preparedUs() }
  return { record, block: null, noted }
}

/** What a record has of its own request, whatever the decision. */
function ownMembers(request: Request) {
  return {
    ownerId: request.caller.ownerId,
    keyId: request.caller.keyId,
    mode: request.mode,
    corridor: request.corridor,
    amount: request.amount,
    currency: request.currency,
    correlationId: request.correlationId,
  }
}

/** Answers only what is durable: ours if we were first with this key, else what the first one was told. */
async function settle(
  deps: VerifyDeps,
  request: Request,
  prepared: Prepared,
  idempotency: IdempotencyClaim | null,
): Promise<VerifyOutcome> {
  const { record } = prepared
  const claim = await deps.store.commit({ ...prepared, idempotency })
  if (claim.kind === 'conflict') return claim
  if (claim.kind === 'replay') return replayed(deps, claim.record, request.trace)
  const { requestId, mode, verdict, cooldownSourceId } = record
  deps.metrics?.decided(verdict, mode, cooldownSourceId === null ? 'computed' : 'cooldown')
  return {
    kind: 'decided',
    requestId,
    mode,
    answer: finishAnswer(record.answer, false, request.trace.elapsedMs()),
  }
}

function replayed({ metrics }: VerifyDeps, record: RepeatedRecord, trace: DecisionTimer): VerifyOutcome {
  metrics?.decided(record.verdict, record.mode, 'replay')
  const answer = finishAnswer(record.answer, true, trace.elapsedMs())
  return { kind: 'decided', requestId: record.requestId, mode: record.mode, answer }
}

/**
 * The fingerprint by which two bodies under one idempotency key are told apart: of the body as it was sent, less the key
 * itself, and of the mode. The same payment asked twice has the same one, in any layout.
 */
export function fingerprintOf(body: Readonly<Record<string, unknown>>, mode: Mode): string {
  const { idempotency_key: _key, ...rest } = body
  return hash('sha256', `${mode}\n${canonicalize(rest) ?? ''}`, 'base64url')
}
