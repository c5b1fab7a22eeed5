/** POST /api/v1/verify. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { environmentOf } from '../../app/verify/answer.ts'
import {
  fingerprintOf,
  type Verify,
  type VerifyCommand,
  type VerifyOutcome,
} from '../../app/verify/verify.ts'
import type { App } from '../types.ts'
import { callerOf, headerValues } from '../auth.ts'
import { invalid, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import { readCorridor, readCurrency } from '../input/payment.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { VerifyAnswer, VerifyBody, VerifyQuery } from '../schemas/verify.ts'

export function registerVerify(app: App, verify: Verify): void {
  app.route({
    method: 'POST',
    url: '/api/v1/verify',
    config: { access: { scope: 'decision:read', limit: 'verify' } },
    schema: {
      operationId: 'verify',
      tags: ['Decisions'],
      summary: 'Verify a corridor before a payment',
      description:
        'One decision, recorded once and for ever. Send an idempotency key so that a retry never decides twice.',
      security: keyed,
      querystring: VerifyQuery,
      headers: idempotencyHeader,
      body: VerifyBody,
      response: {
        200: response(VerifyAnswer, 'limited'),
        ...errorResponses('limited', 400, 401, 403, 409, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const parsed = parseCommand(request, request.body, request.query.mode ?? null)
      if (!parsed.ok) return sendProblem(reply, invalid(parsed.errors))
      const outcome = await verify(parsed.command)
      return outcome.kind === 'decided' ? sendAnswer(reply, outcome) : sendProblem(reply, problemOf(outcome))
    },
  })
}

type Decided = Extract<VerifyOutcome, { kind: 'decided' }>

/** The answer is text already, the very one that is kept. */
function sendAnswer(reply: FastifyReply, { requestId, mode, answer }: Decided): FastifyReply {
  return reply
    .header('x-request-id', requestId)
    .header('x-svc-environment', environmentOf[mode])
    .type('application/json; charset=utf-8')
    .send(answer)
}

function problemOf(outcome: Exclude<VerifyOutcome, Decided>): Problem {
  switch (outcome.kind) {
    case 'live_refused':
      return { code: 'FORBIDDEN', message: 'Live mode needs a live key; this key is for shadow mode.' }
    case 'conflict':
      return {
        code: 'IDEMPOTENCY_CONFLICT',
        message:
          'This idempotency key was used with a different body. Reuse it with the original body to get that answer, or take a new key.',
      }
    case 'signals_unavailable':
      return {
        code: 'SIGNALS_UNAVAILABLE',
        message:
          'Some signals cannot be read now, so nothing was decided. Treat this as hold and retry later.',
        retryAfterSeconds: limits.signalsRetryAfterSeconds,
        unavailableSignals: outcome.signals,
      }
  }
}

/** For the reference only: the header is read by hand, since it may come twice. */
const idempotencyHeader = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description: 'As `idempotency_key` in the body; when both are given they must be the same.',
    },
  },
}

type Body = Static<typeof VerifyBody>
type ParsedCommand = { ok: true; command: VerifyCommand } | { ok: false; errors: FieldError[] }

function parseCommand(request: FastifyRequest, body: Body, mode: 'shadow' | 'live' | null): ParsedCommand {
  const errors: FieldError[] = []
  const corridor = readCorridor(body.corridor, '/corridor', errors)
  const currency = readCurrency(body.currency, '/currency', errors)
  const key = idempotencyKey(request, body.idempotency_key)
  if (key.error !== null) errors.push(key.error)
  if (corridor === null || currency === null || errors.length > 0) return { ok: false, errors }

  const { keyId, ownerId, type } = callerOf(request)
  request.trace.mark('request_validated')
  return {
    ok: true,
    command: {
      caller: { keyId, ownerId, type },
      mode,
      corridor,
      amount: body.amount ?? null,
      currency,
      correlationId: body.correlation_id ?? null,
      idempotencyKey: key.value,
      fingerprint: (settledMode) => fingerprintOf(body, settledMode),
      trace: request.trace,
    },
  }
}

/** From the header or the body; given in several places it must be the same. */
function idempotencyKey(
  request: FastifyRequest,
  inBody: string | undefined,
): { value: string | null; error: FieldError | null } {
  const inHeaders = headerValues(request, 'idempotency-key')
  const path = '/headers/idempotency-key'
  for (const value of inHeaders) {
    if (
      value.length === 0 ||
      value.length > limits.idempotencyKeyLengthMax ||
      !/^[\x20-\x7e]+$/.test(value)
    ) {
      const message = `must have 1 to ${limits.idempotencyKeyLengthMax} printable ASCII characters`
      return { value: null, error: { path, message } }
    }
  }
  const given = new Set(inBody === undefined ? inHeaders : [...inHeaders, inBody])
  if (given.size > 1)
    return { value: null, error: { path, message: 'differs from another idempotency key given' } }
  const [value] = given
  return { value: value ?? null, error: null }
}
