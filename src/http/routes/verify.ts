/** POST /api/v1/verify: one recorded decision for one payment. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { environmentOf } from '../../app/verify/answer.ts'
import {
  fingerprintOf,
  type Verify,
  type VerifyCommand,
  type VerifyOutcome,
} from '../../app/verify/verify.ts'
import type { Span } from '../../app/ports/tracing.ts'
import type { App } from '../types.ts'
import { credentialOf } from '../../app/people/caller.ts'
import { callerOf, headerValues } from '../auth.ts'
import {
  invalid,
  ProblemError,
  sendProblem,
  signalsUnavailable,
  type FieldError,
  type Problem,
} from '../errors.ts'
import { limits } from '../limits.ts'
import { readCorridor, readCurrency, warnOfCountries } from '../input/payment.ts'
import { asSent, warningsOf } from '../input/validator.ts'
import { errorResponses, keyed, response } from '../schemas/common.ts'
import { VerifyAnswer, VerifyBody, VerifyQuery } from '../schemas/verify.ts'

export const verifyPath = '/api/v1/verify'

export function registerVerify(app: App, verify: Verify): void {
  app.route({
    method: 'POST',
    url: verifyPath,
    config: { access: { scope: 'decision:read', limit: 'verify', isAdmittedLater: true } },
    schema: {
      operationId: 'verify',
      tags: ['Decisions'],
      summary: 'Verify a corridor before a payment',
      description:
        'Returns one decision and records it permanently. Send an idempotency key so that a retry never decides twice.',
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
      if (!parsed.ok) throw new ProblemError(invalid(parsed.errors))
      const outcome = await verify(parsed.command)
      if (outcome.kind === 'not_admitted') return reply
      if (outcome.kind !== 'decided') return sendProblem(reply, problemOf(outcome))
      describe(request.span, parsed.command, outcome)
      return sendAnswer(reply, outcome)
    },
  })
}

type Decided = Extract<VerifyOutcome, { kind: 'decided' }>

function describe(span: Span | null, { corridor }: VerifyCommand, { mode, verdict }: Decided): void {
  span?.set({ 'fairway.corridor': corridor, 'fairway.mode': mode, 'fairway.decision': verdict })
}

/** The answer is already text: the exact text that is stored. */
function sendAnswer(reply: FastifyReply, { requestId, mode, answer }: Decided): FastifyReply {
  return reply
    .header('x-request-id', requestId)
    .header('x-svc-environment', environmentOf[mode])
    .type('application/json; charset=utf-8')
    .send(answer)
}

function problemOf(outcome: Exclude<VerifyOutcome, Decided | { kind: 'not_admitted' }>): Problem {
  switch (outcome.kind) {
    case 'live_refused':
      return {
        code: 'FORBIDDEN',
        message:
          'Live mode requires a live key, and this key is for shadow mode. Use a live key or mode=shadow.',
      }
    case 'conflict':
      return {
        code: 'IDEMPOTENCY_CONFLICT',
        message:
          'This idempotency key was used with a different body. Send the original body to get its answer, or use a new key.',
      }
    case 'sandbox_spent':
      return {
        code: 'RATE_LIMITED',
        message: `A sandbox makes at most ${outcome.dailyMax} decisions in 24 hours. Repeat earlier requests with their idempotency keys, wait for Retry-After seconds, or use another key.`,
        retryAfterSeconds: Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)),
      }
    case 'signals_unavailable':
      return signalsUnavailable(outcome)
  }
}

/** For the API reference only. The code reads the raw headers, since this one may be sent twice. */
const idempotencyHeader = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description: 'Same as `idempotency_key` in the body. If both are sent, they must be equal.',
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

  warnOfCountries(body, corridor)
  const { by, ownerId, type } = callerOf(request)
  request.timer.mark('request_validated')
  return {
    ok: true,
    command: {
      caller: { keyId: credentialOf(by), ownerId, type },
      mode,
      corridor,
      amount: body.amount ?? null,
      currency,
      correlationId: body.correlation_id ?? null,
      idempotencyKey: key.value,
      warnings: warningsOf(body),
      fingerprint: (settledMode) => fingerprintOf(asSent(body), settledMode),
      timer: request.timer,
      owed: request.owed,
    },
  }
}

/** Reads the key from the header or the body; all values sent must be equal. */
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
  const keys = new Set(inBody === undefined ? inHeaders : [...inHeaders, inBody])
  if (keys.size > 1)
    return { value: null, error: { path, message: 'must be the same in the headers and the body' } }
  const [value] = keys
  return { value: value ?? null, error: null }
}
