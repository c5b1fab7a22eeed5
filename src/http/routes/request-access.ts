/** POST /api/v1/request-access: issues a sandbox key at once; an operator reviews the request for a live key. */

import { Type } from 'typebox'
import type { RequestAccess, RequestOutcome } from '../../app/access/access.ts'
import { isEmail, sandboxKeysPerClientMax, sandboxKeysPerEmailMax } from '../../core/identity/access.ts'
import type { App } from '../types.ts'
import { clientAddress, clientGroup } from '../client-address.ts'
import { invalid, sendProblem, type FieldError, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import {
  named,
  errorResponses,
  isBlank,
  response,
  multilinePattern,
  singleLinePattern,
  withWarnings,
} from '../schemas/common.ts'

const AccessBody = named(
  'AccessRequest',
  Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: limits.accessNameLengthMax,
      pattern: singleLinePattern,
      description: 'The person, team or company that requests access.',
    }),
    email: Type.String({
      minLength: 1,
      maxLength: limits.accessEmailLengthMax,
      description: `Your email address, for the reply. Each address may have ${sandboxKeysPerEmailMax} active sandbox keys, and each network address ${sandboxKeysPerClientMax}.`,
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: limits.accessReasonLengthMax,
      pattern: multilinePattern,
      description: 'The intended use. An operator reads it.',
    }),
    recaptcha_token: Type.String({
      minLength: 1,
      maxLength: limits.captchaTokenLengthMax,
      description:
        'The token from the captcha on your page. Any text if this instance has no captcha configured.',
    }),
  }),
)

const AccessAnswer = named(
  'AccessResponse',
  Type.Object(
    {
      access_request_id: Type.String({ description: 'Quote it when you enquire about the request.' }),
      status: Type.Enum(['received']),
      message: Type.String({ description: 'For humans. The text may change.' }),
      sandbox_key: Type.String({ description: 'For shadow mode, usable at once. Shown only once.' }),
    },
    { description: 'The request is recorded. If it is approved, a live key is delivered separately.' },
  ),
)

function quotaProblem(who: string, keysMax: number): Problem {
  return {
    code: 'RATE_LIMITED',
    message: `${who} already has ${keysMax} active sandbox keys. Use one of them, or ask an operator to revoke one.`,
    retryAfterSeconds: limits.accessQuotaRetryAfterSeconds,
  }
}

const problems: Readonly<Record<Exclude<RequestOutcome['kind'], 'received'>, Problem>> = {
  captcha_refused: invalid([
    { path: '/recaptcha_token', message: 'was rejected by the captcha service; solve the captcha again' },
  ]),
  captcha_unavailable: {
    code: 'CAPTCHA_UNAVAILABLE',
    message: `The captcha service is unavailable, so the request was not recorded. Retry in ${limits.captchaRetryAfterSeconds} seconds.`,
    retryAfterSeconds: limits.captchaRetryAfterSeconds,
  },
  email_full: quotaProblem('This email address', sandboxKeysPerEmailMax),
  client_full: quotaProblem('Your network address', sandboxKeysPerClientMax),
}

export function registerRequestAccess(app: App, requestAccess: RequestAccess): void {
  app.route({
    method: 'POST',
    url: '/api/v1/request-access',
    config: { publicWindow: 'request-access' },
    schema: {
      operationId: 'requestAccess',
      tags: ['Access'],
      summary: 'Request access and receive a sandbox key',
      description:
        'The sandbox key has its own owner and all scopes except policy:approve and review:approve, and does not expire. An operator reviews the request; a live key is delivered separately. A request changes no existing key.',
      body: AccessBody,
      response: {
        200: response(withWarnings(AccessAnswer), 'limited'),
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
        clientGroup: clientGroup(request),
      })
      if (outcome.kind !== 'received') return sendProblem(reply, problems[outcome.kind])
      return {
        access_request_id: outcome.accessRequestId,
        status: 'received' as const,
        message:
          'Your request is recorded and will be reviewed. The sandbox key works at once, in shadow mode. Store it safely: it is not shown again.',
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
