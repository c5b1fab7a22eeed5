/** Makes one delivery attempt: signs and sends the event, and derives the delivery's next state. */

import type { TraceContext } from '../../../core/operate/trace-context.ts'
import { isDelivered, nextAttemptAtMs } from '../../../core/events/retry-schedule.ts'
import type { InstallationKey } from '../../log/installation-key.ts'
import type { SecretBox } from '../../log/secret-box.ts'
import type {
  Attempt,
  ClaimedDelivery,
  EndedClaim,
  SendOutcome,
  WebhookSecret,
  WebhookSender,
} from '../../ports/webhooks.ts'
import type { Clock, Random } from '../../ports/system.ts'
import type { Span, SpanOptions, Tracing } from '../../ports/tracing.ts'
import { envelopeOf } from './event-body.ts'
import { inSpan, traceHeaders } from '../../operate/spans.ts'
import { signatureHeaders } from './signature.ts'

export interface AttemptDeps {
  readonly sender: WebhookSender
  readonly clock: Clock
  readonly random: Random
  readonly retryDelaysMs: readonly number[]
  readonly tracing: Tracing | null
  readonly key: () => Promise<InstallationKey>
}

export interface Attempted {
  readonly attempt: Attempt
  readonly ended: EndedClaim
}

export async function attemptDelivery(deps: AttemptDeps, delivery: ClaimedDelivery): Promise<Attempted> {
  const { clock, sender, random } = deps
  const { box } = await deps.key()
  const secrets = openedSecrets(delivery, box)
  if (secrets === null) return unsentAttempt(deps, delivery)
  const atMs = clock.nowMs()
  const startedMs = clock.monotonicMs()
  const number = delivery.attemptNumber
  const { subject } = delivery
  const trace = subject.kind === 'decision' ? subject.record.trace : null
  const body = Buffer.from(JSON.stringify(envelopeOf(delivery)))
  const outcome = await inSpan(deps.tracing, 'webhook attempt', spanOf(delivery, trace), async (span) => {
    const sent = await sender.send({
      url: delivery.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Fairway-Webhooks/1',
        'x-svc-attempt': String(number),
        'x-svc-webhook-id': delivery.webhookId,
        ...(span === null ? traceHeaders(trace, random) : span.headers()),
        ...signatureHeaders(secrets, delivery.eventId, atMs, body),
      },
      body,
    })
    if (span !== null) describe(span, sent)
    return sent
  })
  const attempt: Attempt = {
    number,
    atMs,
    durationMs: Math.round(clock.monotonicMs() - startedMs),
    status: outcome.kind === 'answered' ? outcome.status : null,
    fault: outcome.kind === 'failed' ? outcome.fault : null,
    ...(outcome.kind === 'answered' && outcome.answer !== undefined ? { answer: outcome.answer } : {}),
  }
  return { attempt, ended: endOf(delivery, attempt, clock.nowMs(), deps.retryDelaysMs) }
}

/** In the trace of the decision, if it had one. The URL is the owner's, and may hold secrets. */
function spanOf(
  { webhookId, eventId, attemptNumber }: ClaimedDelivery,
  trace: TraceContext | null,
): SpanOptions {
  return {
    kind: 'client',
    parent: trace ?? 'none',
    attributes: {
      'http.request.method': 'POST',
      ...(attemptNumber > 1 ? { 'http.request.resend_count': attemptNumber - 1 } : {}),
      'fairway.webhook_id': webhookId,
      'fairway.event_id': eventId,
    },
  }
}

function describe(span: Span, sent: SendOutcome): void {
  if (sent.kind === 'failed') return span.fail(sent.fault)
  span.set({ 'http.response.status_code': sent.status })
  if (!isDelivered(sent.status)) span.fail(sent.status)
}

/** Null if the newest cannot be opened: nothing is sent that the receiver cannot check. */
function openedSecrets({ webhookId, secrets }: ClaimedDelivery, box: SecretBox): WebhookSecret[] | null {
  const opened = secrets.map(({ secret, endsAtMs }) => ({ secret: box.open(secret, webhookId), endsAtMs }))
  const known = opened.filter((one): one is WebhookSecret => one.secret !== null)
  return known[0]?.endsAtMs === null ? known : null
}

/** Nothing was sent, so nothing is counted: the same attempt is due again. */
function unsentAttempt({ clock, retryDelaysMs }: AttemptDeps, delivery: ClaimedDelivery): Attempted {
  const { attemptNumber: number } = delivery
  const atMs = clock.nowMs()
  const attempt: Attempt = { number, atMs, durationMs: 0, status: null, fault: 'secret_unavailable' }
  const dueAtMs = atMs + (retryDelaysMs[number - 1] ?? retryDelaysMs.at(-1) ?? 0)
  const attempts = [...madeBy(delivery), attempt]
  return {
    attempt,
    ended: { delivery, result: 'failed', state: 'pending', attemptNumber: number, dueAtMs, attempts },
  }
}

/** Earlier versions counted attempts that were not made, so those of other numbers stay. */
function madeBy({ attempts, attemptNumber }: ClaimedDelivery): Attempt[] {
  return attempts.filter(({ fault, number }) => fault !== 'secret_unavailable' || number !== attemptNumber)
}

/** The retry delay counts from the end of this attempt. */
function endOf(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  nowMs: number,
  retryDelaysMs: readonly number[],
): EndedClaim {
  const attempts = [...madeBy(delivery), attempt]
  const result = isDelivered(attempt.status) ? 'delivered' : 'failed'
  const common = { delivery, result, attempts, attemptNumber: attempt.number, dueAtMs: nowMs } as const
  // An event that was delivered before stays so, whatever becomes of it when it is sent again.
  if (attempts.some(({ status }) => isDelivered(status))) return { ...common, state: 'delivered' }
  const dueAtMs = nextAttemptAtMs(attempt.number, nowMs, retryDelaysMs)
  if (dueAtMs === null) return { ...common, state: 'dropped' }
  return { ...common, state: 'pending', attemptNumber: attempt.number + 1, dueAtMs }
}

/** Releases a claim without an attempt: the same attempt is due again, for any instance. */
export function releasedClaim(delivery: ClaimedDelivery, nowMs: number): EndedClaim {
  const { attemptNumber, attempts } = delivery
  return { delivery, result: null, state: 'pending', attemptNumber, dueAtMs: nowMs, attempts }
}
