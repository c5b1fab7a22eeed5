/** An admin's jobs of maintenance in tests. */

import assert from 'node:assert/strict'
import { checkedLog } from './database/log-check.ts'
import { withHarness, type Answer, type Harness, type HarnessOptions } from './harness.ts'
import { person, read, write, type SignedInPerson } from './people.ts'

export const jobsPath = '/api/v1/admin/jobs'

export async function withAdmin(
  options: HarnessOptions,
  work: (harness: Harness, admin: SignedInPerson) => Promise<void>,
): Promise<void> {
  await withHarness(options, async (harness) => work(harness, await person(harness, 'admin', null)))
}

/** Starts a job and waits for its end. */
export async function finish(harness: Harness, admin: SignedInPerson, body: object): Promise<Answer['body']> {
  const started = await write(harness, admin, jobsPath, body)
  assert.equal(started.status, 200, started.text)
  assert.equal(started.body.status, 'running')
  await harness.maintained()
  return (await read(harness, admin, `${jobsPath}/${started.body.job_id}`)).body
}

interface ActView {
  readonly kind: string
  readonly subject: string
  readonly by: { readonly id: string }
  readonly detail: Readonly<Record<string, unknown>>
}

export async function actsOf(harness: Harness, admin: SignedInPerson, kind: string): Promise<ActView[]> {
  return (await read(harness, admin, `/api/v1/admin/activity?kind=${kind}`)).body.activity
}

export async function isSound(harness: Harness): Promise<void> {
  await harness.seal()
  assert.deepEqual((await checkedLog(harness.store)).findings, [])
}
