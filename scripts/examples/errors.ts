/** A request for every error that the document shows. */

import { once } from 'node:events'
import { request as ask } from 'node:http'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import type { Answer, Harness } from '../../test/helpers/harness.ts'
import { post } from '../../test/helpers/post.ts'
import { override } from '../../test/helpers/webhooks.ts'
import type { Stage } from './stage.ts'

export interface Refusal {
  readonly status: number
  /** Where the answer has no headers of a rate limit, though others of its status have. */
  readonly isUnlimited?: true
  /** How one comes by it. */
  readonly summary: string
  readonly give: (stage: Stage) => Promise<Pick<Answer, 'status' | 'text' | 'body'>>
}

const url = '/api/v1/verify'
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' }

const verify = (stage: Stage, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  stage.verify(stage.key, body, { headers })

/** A fresh decision of this score, by its amount. */
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
  return override(stage, stage.key, id)
}

async function exceed(stage: Stage): Promise<Answer> {
  const { key } = await stage.issue({ limit: { count: 2, windowMs: 60_000 } })
  await stage.verify(key, payment)
  await stage.verify(key, payment)
  return stage.verify(key, payment)
}

/** As no library sends it: in HTTP/1.1, without a host. */
async function withoutHost({ app }: Harness): Promise<Pick<Answer, 'status' | 'text' | 'body'>> {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const asked = ask(`${base}/api/health`, { setHost: false, agent: false }).end()
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage]
  const told = await text(response)
  return { status: response.statusCode ?? 0, text: told, body: JSON.parse(told) as unknown }
}

const fileOf = ({ databaseUrl }: Harness): string => databaseUrl.slice('sqlite:'.length)

/** A table is missing: a fault that nobody can foresee. */
async function meetFault(stage: Stage): Promise<Answer> {
  const saboteur = new DatabaseSync(fileOf(stage))
  saboteur.exec('ALTER TABLE cooldowns RENAME TO gone')
  const answer = await verify(stage, payment)
  saboteur.exec('ALTER TABLE gone RENAME TO cooldowns')
  saboteur.close()
  return answer
}

export const refusals: readonly Refusal[] = [
  {
    status: 400,
    summary: 'A verification without a corridor, and of a negative amount',
    give: (stage) => verify(stage, { amount: -1 }),
  },
  { status: 400, isUnlimited: true, summary: 'A request that names no host', give: withoutHost },
  { status: 401, summary: 'No key', give: (stage) => post(stage, url, payment) },
  {
    status: 403,
    summary: 'A verification in live mode, with a test key',
    give: (stage) => stage.verify(stage.key, payment, { mode: 'live' }),
  },
  {
    status: 404,
    summary: 'An id that nobody has, or somebody else',
    give: (stage) => stage.get(stage.key, '/api/v1/audit/SVC-2026-00000000000000000000000000'),
  },
  {
    status: 409,
    summary: 'A verification under an idempotency key that was used with another body',
    give: async (stage) => {
      await verify(stage, payment, { 'idempotency-key': 'order-7' })
      return verify(stage, { ...payment, amount: 2000 }, { 'idempotency-key': 'order-7' })
    },
  },
  { status: 409, summary: 'A second override of a decision', give: overrideTwice },
  { status: 409, summary: 'A second outcome of a decision', give: reportTwice },
  {
    status: 413,
    summary: 'A verification of 100 kB',
    give: (stage) => verify(stage, { ...payment, correlation_id: 'x'.repeat(100_000) }),
  },
  {
    status: 415,
    summary: 'A verification as plain text',
    give: (stage) => verify(stage, 'GB-NG 1000 GBP', { 'content-type': 'text/plain' }),
  },
  {
    status: 422,
    summary: 'An override of a GO',
    give: async (stage) => override(stage, stage.key, await decided(stage, 1000)),
  },
  { status: 429, summary: 'A third verification with a key that may do two a minute', give: exceed },
  { status: 500, summary: 'A table of the store is missing', give: meetFault },
  {
    status: 503,
    summary: 'A verification with the test amount for providers that cannot be reached',
    give: (stage) => verify(stage, { ...payment, amount: 1000.09 }),
  },
  {
    status: 503,
    summary: 'A request for access while the captcha service is down',
    give: (stage) => {
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
