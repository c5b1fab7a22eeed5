/** POST /api/v1/request-access: anybody may ask, and gets a sandbox key at once; people decide about a live one. */

import { Type } from 'typebox'
import type { RequestAccess, RequestOutcome } from '../../app/access/access.ts'
import { isEmail, sandboxKeysPerEmailMax } from '../../core/identity/access.ts'
import type { App } from '../types.ts'
import { clientAddress } from '../client-address.ts'
import { invalid, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import { named, errorResponses, isBlank, response, textPattern, wordsPattern } from '../schemas/common.ts'

const AccessBody = named(
  'AccessRequest',
  Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: limits.accessNameLengthMax,
      pattern: wordsPattern,
      description: 'Who asks: a person, a team, a company.',
    }),
    email: Type.String({
      minLength: 1,
      maxLength: limits.accessEmailLengthMax,
      description: `Where the answer goes. One address may have ${sandboxKeysPerEmailMax} active sandbox keys.`,
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: limits.accessReasonLengthMax,
      pattern: textPattern,
      description: 'What for, in words; an operator reads it.',
    }),
    recaptcha_token: Type.String({
      minLength: 1,
      maxLength: limits.captchaTokenLengthMax,
      description: 'What the captcha on your page gave; any text where this instance has none set up.',
    }),
  }),
)

const AccessAnswer = named(
  'AccessResponse',
  Type.Object(
    {
      access_request_id: Type.String({ description: 'Quote it when you ask about the request.' }),
      status: Type.Enum(['received']),
      message: Type.String({ description: 'For people; may change.' }),
      sandbox_key: Type.String({ description: 'For shadow mode, usable at once. It is not shown again.' }),
    },
    { description: 'The request is recorded. A live key, if it is approved, comes by another way.' },
  ),
)

const problems: Readonly<Record<Exclude<RequestOutcome['kind'], 'received'>, Problem>> = {
  captcha_refused: invalid([
    { path: '/recaptcha_token', message: 'was not accepted by the captcha service: solve the captcha again' },
  ]),
  captcha_unavailable: {
    code: 'CAPTCHA_UNAVAILABLE',
    message: `The captcha service does not answer, so the request was not taken. Retry in ${limits.captchaRetryAfterSeconds} seconds.`,
    retryAfterSeconds: limits.captchaRetryAfterSeconds,
  },
  too_many_keys: {
    code: 'RATE_LIMITED',
    message: `This email address has its ${sandboxKeysPerEmailMax} active sandbox keys already: use one of them, or have an operator end one.`,
    retryAfterSeconds: limits.accessQuotaRetryAfterSeconds,
  },
}

export function registerRequestAccess(app: App, requestAccess: RequestAccess): void {
  app.route({
    method: 'POST',
    url: '/api/v1/request-access',
    config: { open: 'request-access' },
    schema: {
      operationId: 'requestAccess',
      tags: ['Access'],
      summary: 'Ask for access, and get a sandbox key at once',
      description:
        'The sandbox key has an owner of its own, all scopes, and no end. People decide about a live key, which is handed over by another way. Nothing that anybody has is changed by a request.',
      body: AccessBody,
      response: {
        200: response(AccessAnswer, 'limited'),
        ...errorResponses('limited', 400, 413, 415, 429, 500, 503),
      },
    },
    async handler(request, reply) {
      const { name, email, reason, recaptcha_token: captchaToken } = request.body
      const errors = formErrors({ name, email, reason })
      if (errors.length > 0) return sendProblem(reply, invalid(errors))
      const outcome = await requestAccess({
        name: name.trim(),
        email,
        reason,
        captchaToken,
        clientAddress: clientAddress(request),
      })
      if (outcome.kind !== 'received') return sendProblem(reply, problems[outcome.kind])
      return {
        access_request_id: outcome.accessRequestId,
        status: 'received' as const,
        message:
          'Your request is recorded and will be reviewed. The sandbox key works at once, in shadow mode; keep it safe, it is not shown again.',
        sandbox_key: outcome.sandboxKey,
      }
    },
  })
}

function formErrors({ name, email, reason }: Record<'name' | 'email' | 'reason', string>): FieldError[] {
  const blank = 'must not be blank'
  return [
    ...(isBlank(name) ? [{ path: '/name', message: blank }] : []),
    ...(isEmail(email)
      ? []
      : [{ path: '/email', message: 'must be an email address, like payments@example.com' }]),
    ...(isBlank(reason) ? [{ path: '/reason', message: blank }] : []),
  ]
}
