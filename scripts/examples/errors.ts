/** Requests that produce every error in the OpenAPI document. */

import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import type { Answer, Harness } from '../../test/helpers/harness.ts'
import { post } from '../../test/helpers/post.ts'
import { override } from '../../test/helpers/webhooks.ts'
import { asPerson, becomeAdmin } from './people-scenes.ts'
import type { Stage } from './stage.ts'

export interface Refusal {
  readonly status: number
  /** The response has no rate-limit headers, although others of its status do. */
  readonly isUnlimited?: true
  /** The cause of the error. */
  readonly summary: string
  readonly provoke: (stage: Stage) => Promise<Pick<Answer, 'status' | 'text' | 'body'>>
}

const url = '/api/v1/verify'
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }

const verify = (stage: Stage, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  stage.verify(stage.key, body, { headers })

/** The id of a new decision for this amount. */
async function decided(stage: Stage, amount: number): Promise<string> {
  return String((await verify(stage, { ...payment, amount })).body.request_id)
}

async function reportTwice(stage: Stage): Promise<Answer> {
  const path = `/api/v1/decision/${await decided(stage, 1000)}/outcome`
  await post(stage, path, { outcome: 'COMPLETED' }, { key: stage.key })
  return post(stage, path, { outcome: 'FAILED' }, { key: stage.key })
}

async function overrideTwice(stage: Stage): Promise<Answer> {
  const id = await decided(stage, 85_000)
  await override(stage, stage.key, id)
  return override(stage, stage.key, id, { action: 'REJECT' })
}

async function approveNothing(stage: Stage): Promise<Answer> {
  const digits = (await decided(stage, 85_000)).slice(-26).toLowerCase()
  return post(stage, `/api/v1/reviews/rev_${digits}/approve`, {}, { key: stage.key })
}

async function inviteTwice(stage: Stage): Promise<Answer> {
  await becomeAdmin(stage)
  const body = { email: 'admin@example.com', roles: ['admin'] }
  return post(stage, '/api/v1/admin/people', body, { headers: asPerson(stage.ids) })
}

const draft = { name: 'Amounts are required', require_amount: true }

/** A new policy of the stage's key. */
async function drafted(stage: Stage): Promise<string> {
  const { body } = await post(stage, '/api/v1/policies', draft, { key: stage.key })
  return String(body.policy_id)
}

async function promoteOwn(stage: Stage): Promise<Answer> {
  const path = `/api/v1/policies/${await drafted(stage)}/promote`
  return post(stage, path, { reason: 'Reviewed.' }, { key: stage.key })
}

async function exceed(stage: Stage): Promise<Answer> {
  const { key } = await stage.issue({ limit: { count: 2, windowMs: 60_000 } })
  await stage.verify(key, payment)
  await stage.verify(key, payment)
  return stage.verify(key, payment)
}

/** An HTTP/1.1 request without a Host header, which most libraries cannot send. */
async function withoutHost({ app }: Harness): Promise<Pick<Answer, 'status' | 'text' | 'body'>> {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const request = httpRequest(`${base}/api/health`, { setHost: false, agent: false }).end()
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
  const content = await text(response)
  return { status: response.statusCode ?? 0, text: content, body: JSON.parse(content) as unknown }
}

const fileOf = ({ databaseUrl }: Harness): string => databaseUrl.slice('sqlite:'.length)

/** A trigger that fails for one request: an error that the service does not expect. */
async function causeFailure(stage: Stage): Promise<Answer> {
  const database = new DatabaseSync(fileOf(stage))
  database.exec("CREATE TRIGGER failing BEFORE INSERT ON journal_queue BEGIN SELECT json('{'); END")
  const answer = await verify(stage, payment)
  database.exec('DROP TRIGGER failing')
  database.close()
  return answer
}

export const refusals: readonly Refusal[] = [
  {
    status: 400,
    summary: 'A verification with no corridor and a negative amount',
    provoke: (stage) => verify(stage, { amount: -1 }),
  },
  { status: 400, isUnlimited: true, summary: 'A request without a host', provoke: withoutHost },
  { status: 401, summary: 'No key', provoke: (stage) => post(stage, url, payment) },
  {
    status: 403,
    summary: 'A verification in live mode with a test key',
    provoke: (stage) => stage.verify(stage.key, payment, { mode: 'live' }),
  },
  {
    status: 403,
    isUnlimited: true,
    summary: 'A sign-in from a page of another site',
    provoke: (stage) => post(stage, '/auth/login', { email: 'ada@example.com', password: 'any' }),
  },
  { status: 403, summary: 'A promotion by the principal who wrote the policy', provoke: promoteOwn },
  {
    status: 404,
    summary: 'An unknown id, or the id of another owner',
    provoke: (stage) => stage.get(stage.key, '/api/v1/audit/SVC-2026-00000000000000000000000000'),
  },
  {
    status: 409,
    summary: 'A verification with an idempotency key that was used with a different body',
    provoke: async (stage) => {
      await verify(stage, payment, { 'idempotency-key': 'order-7' })
      return verify(stage, { ...payment, amount: 2000 }, { 'idempotency-key': 'order-7' })
    },
  },
  { status: 409, summary: 'Another override of a decision', provoke: overrideTwice },
  { status: 409, summary: 'Another outcome of a decision', provoke: reportTwice },
  {
    status: 409,
    summary: 'A report of a policy that has not been a candidate',
    provoke: async (stage) => stage.get(stage.key, `/api/v1/policies/${await drafted(stage)}/report`),
  },
  { status: 409, summary: 'An approval of a review without a proposal', provoke: approveNothing },
  { status: 409, summary: 'An invitation for an email address that has an account', provoke: inviteTwice },
  {
    status: 413,
    summary: 'A verification with a body of 100 kB',
    provoke: (stage) => verify(stage, { ...payment, correlation_id: 'x'.repeat(100_000) }),
  },
  {
    status: 415,
    summary: 'A verification as plain text',
    provoke: (stage) => verify(stage, 'GB-NG 1000 GBP', { 'content-type': 'text/plain' }),
  },
  {
    status: 422,
    summary: 'An override of a GO',
    provoke: async (stage) => override(stage, stage.key, await decided(stage, 1000)),
  },
  { status: 429, summary: 'A third verification with a key limited to two per minute', provoke: exceed },
  { status: 500, summary: 'An unexpected error', provoke: causeFailure },
  {
    status: 503,
    summary: 'A verification with the test amount for unavailable signals',
    provoke: (stage) => verify(stage, { ...payment, amount: 1000.09 }),
  },
  {
    status: 503,
    summary: 'An access request while the captcha service is down',
    provoke: (stage) => {
      const form = {
        name: 'Payments team',
        email: 'payments@example.com',
        reason: 'Lagos',
        recaptcha_token: 'x',
      }
      return post(stage, '/api/v1/request-access', form)
    },
  },
]
