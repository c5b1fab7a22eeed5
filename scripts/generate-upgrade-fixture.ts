/**
 * Makes `test/fixtures/version-0.1`: a database that version 0.1 wrote, with what it answered about it. Run once, with
 * `node scripts/generate-upgrade-fixture.ts`, in a full clone: the program is taken from the history.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { openTestReceiver } from '../test/helpers/peers/receiver.ts'
import { finished, serve, start, type IssuedJson } from '../test/helpers/process/process.ts'
import { takeRelease } from '../torture/upgrade/released.ts'

const target = new URL('../test/fixtures/version-0.1/', import.meta.url).pathname

// eslint-disable-next-line typescript/no-explicit-any -- answers are stored as they are
type Json = any

interface Caller {
  readonly url: string
  readonly key: string
}

async function ask({ url, key }: Caller, path: string, body?: object, more: object = {}): Promise<Json> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** A request with its idempotency key, and the answer that a repetition must get, too. */
interface Payment {
  readonly idempotency_key: string
  readonly body: object
  readonly answer: Json
}

/** Test amounts: every decision, a corridor without support, and a repeat of the cooldown. */
const bodies: readonly object[] = [
  { corridor: 'GB-NG', amount: 1000, currency: 'GBP', correlation_id: 'invoice-1' },
  { corridor: 'NG-GB', amount: 250_000.5, currency: 'NGN', correlation_id: 'invoice-2' },
  { corridor: 'GB-NG', amount: 1000.01, currency: 'GBP', correlation_id: 'invoice-3' },
  { corridor: 'GB-NG', amount: 1000.04, currency: 'GBP' },
  { corridor: 'GB-NG', amount: 60_000, currency: 'GBP', correlation_id: 'invoice-4' },
  { corridor: 'GB-KE', amount: 40, currency: 'GBP' },
  { corridor: 'GB-NG', amount: 1000.08, currency: 'GBP', correlation_id: 'invoice-5' },
  { corridor: 'GB-NG', amount: 10, currency: 'GBP', correlation_id: 'invoice-6' },
]

/** Stopped by the policy alone, which opens no cooldown. */
const stopped = { corridor: 'NG-GB', amount: 45_000, currency: 'NGN', correlation_id: 'invoice-7' }

const policy = {
  name: 'Large amounts',
  rules: [{ id: 'large', when: 'amount > 40000.0', then: 'NO-GO', message: 'A person decides.' }],
}

async function verify(caller: Caller, name: string, body: object): Promise<Payment> {
  const answer = await ask(caller, '/api/v1/verify', body, { 'idempotency-key': name })
  return { idempotency_key: name, body, answer }
}

async function settle(author: Caller, approver: Caller, payments: readonly Payment[]): Promise<string> {
  const idOf = (at: number): string => payments[at]?.answer.request_id
  await ask(author, '/api/v1/override', {
    request_id: idOf(2),
    action: 'EXECUTE',
    reason_code: 'PAYEE_CALLED',
    justification: 'The payee was called and confirmed.',
  })
  await ask(author, `/api/v1/decision/${idOf(0)}/outcome`, { outcome: 'COMPLETED' })
  await ask(author, `/api/v1/decision/${idOf(3)}/outcome`, { outcome: 'FAILED' })
  const reviewId = `rev_${idOf(4).slice(-26).toLowerCase()}`
  const review = `/api/v1/reviews/${reviewId}`
  const hasReview = (): Promise<boolean> => ask(author, review).then(Boolean, () => false)
  await until(hasReview)
  await ask(author, `${review}/claim`, {})
  await ask(author, `${review}/comment`, { text: 'The payee is new.' })
  await ask(author, `${review}/propose`, {
    action: 'REJECT',
    reason_code: 'PAYEE_UNKNOWN',
    justification: 'Nobody knows the payee.',
  })
  await ask(approver, `${review}/approve`, {})
  return reviewId
}

async function promote(author: Caller, approver: Caller): Promise<void> {
  const { policy_id: policyId } = await ask(author, '/api/v1/policies', policy)
  await ask(author, `/api/v1/policies/${policyId}/candidate`, {})
  await ask(approver, `/api/v1/policies/${policyId}/promote`, { reason: 'Asked for by the board.' })
  const isInForce = async (): Promise<boolean> =>
    (await ask(author, `/api/v1/policies/${policyId}`)).status === 'active'
  await until(isInForce)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(100)
}

/** Answers of 0.1 about its records. The list of dropped deliveries stays as long as the endpoint. */
async function read(author: Caller, reviewId: string, failing: string): Promise<Json> {
  const history = await ask(author, '/api/verifications?limit=50')
  const decisions: Record<string, Json> = {}
  for (const { request_id: id } of history) {
    decisions[id] = {
      audit: await ask(author, `/api/v1/audit/${id}`),
      explanation: await ask(author, `/api/v1/decision/${id}/explanation`),
    }
  }
  return {
    history,
    decisions,
    review: await ask(author, `/api/v1/reviews/${reviewId}`),
    policies: await ask(author, '/api/v1/policies'),
    webhooks: await ask(author, '/api/v1/webhooks'),
    dropped: await ask(author, `/api/v1/webhooks/${failing}/deliveries?limit=50`),
  }
}

async function record(author: Caller, approver: Caller): Promise<{ recorded: Json; exported: Json }> {
  const taking = await openTestReceiver()
  const refusing = await openTestReceiver(() => 500)
  try {
    const healthy = await ask(author, '/api/v1/webhooks', { url: taking.url })
    const failing = await ask(author, '/api/v1/webhooks', { url: refusing.url })
    const payments: Payment[] = []
    for (const body of bodies) payments.push(await verify(author, `payment-${payments.length + 1}`, body))
    const reviewId = await settle(author, approver, payments)
    await promote(author, approver)
    // Instances believe a policy for 0.7 seconds.
    await wait(2_000)
    payments.push(await verify(author, `payment-${payments.length + 1}`, stopped))
    // Of each payment and both overrides.
    const events = payments.length + 2
    for (const [{ webhook_id: id }, status] of [
      [healthy, 'delivered'],
      [failing, 'dropped'],
    ]) {
      await until(async () => {
        const all: Json[] = await ask(author, `/api/v1/webhooks/${id}/deliveries?limit=50`)
        return all.length === events && all.every((one) => one.status === status)
      })
    }
    const recorded = await read(author, reviewId, failing.webhook_id)
    const overridden = payments[2]?.answer.request_id
    const exported = await ask(author, `/api/v1/audit/export/${overridden}`)
    return { recorded: { payments, ...recorded }, exported }
  } finally {
    await taking.close()
    await refusing.close()
  }
}

/** Into one file, without what is free in it. */
function compact(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.exec('VACUUM')
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

const folder = mkdtempSync(join(tmpdir(), 'fairway-fixture-'))
const released = takeRelease()
const database = join(folder, 'fairway.db')
const environment = {
  DATABASE_URL: `sqlite:${database}`,
  FAIRWAY_CIP_PROBE_S: '0',
  FAIRWAY_REVIEW_EXPIRES_S: '2592000',
  FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
  FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1',
}

async function command(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await finished(start(args, environment, released))
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const issueArgs = ['keys', 'issue', '--type', 'test', '--json']
const issue = async (...more: readonly string[]): Promise<IssuedJson> =>
  JSON.parse(await command(...issueArgs, ...more)) as IssuedJson

try {
  const author = await issue('--owner', 'Payments team')
  const approver = await issue('--owner', 'Approvals', '--for-owner', author.owner_id)
  const server = await serve(environment, released)
  const { recorded, exported } = await record(
    { url: server.url, key: author.key },
    { url: server.url, key: approver.key },
  )
  if ((await server.stop()) !== 0) throw new Error(server.output())
  compact(database)
  const backup = join(folder, 'backup.gz')
  await command('backup', backup)
  writeFileSync(join(target, 'backup.gz'), readFileSync(backup))
  const text = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`
  writeFileSync(join(target, 'recorded.json'), text({ key: author.key, ...recorded }))
  writeFileSync(join(target, 'export.json'), text(exported))
  const files = ['fairway.db', 'fairway.db.key']
  execFileSync('tar', ['-C', folder, '--owner=0', '--group=0', '-czf', join(target, 'data.tar.gz'), ...files])
} finally {
  released.remove()
  rmSync(folder, { recursive: true, force: true })
}
