/** Reviews in every state, sealed, and a stranger who changes them straight in the database. */

import assert from 'node:assert/strict'
import { engines } from '../../helpers/database/databases.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { unguarded, type DirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { decided, deskOn, done, expireOn, payments, reviewOf, type Desk } from '../../helpers/reviews.ts'
import { goodOverride, overrideUrl } from '../../helpers/webhooks.ts'

export type Run = DirectDatabase['run']

/** Reviews by how they ended, each with an act of every kind that leads there. */
export interface Made {
  readonly commented: string
  readonly proposed: string
  readonly approved: string
  readonly approvedGo: string
  readonly rejected: string
  readonly expired: string
  readonly overridden: string
}

async function makeReviews(harness: Harness, desk: Desk): Promise<Made> {
  const { proposer, approver } = desk
  const expired = await desk.open()
  harness.clock.advance(90_000_000)
  const commented = await desk.open()
  await done(harness, proposer, 'claim', commented)
  await done(harness, approver, 'comment', commented)
  await done(harness, proposer, 'release', commented)
  const rejected = await desk.proposed()
  await done(harness, approver, 'reject', rejected)
  const approved = await desk.proposed()
  await done(harness, approver, 'approve', approved, { reason: 'As proposed.' })
  const go = await decided(harness, proposer.key, payments.confirmPayee, 'GO')
  const approvedGo = reviewOf(String(go.request_id))
  await done(harness, proposer, 'propose', approvedGo)
  await done(harness, approver, 'approve', approvedGo)
  const blocked = await decided(harness, proposer.key, payments.blocked, 'NO-GO')
  const overridden = reviewOf(String(blocked.request_id))
  const headers = { ...proposer.headers, 'content-type': 'application/json' }
  const payload = JSON.stringify({ ...goodOverride, request_id: blocked.request_id })
  await harness.send({ method: 'POST', url: overrideUrl, headers, payload })
  const proposed = await desk.proposed()
  assert.equal((await desk.show(overridden)).status, 'overridden')
  await expireOn(harness)
  assert.equal((await desk.show(expired)).status, 'expired')
  return { commented, proposed, approved, approvedGo, rejected, expired, overridden }
}

/** Tables that an attack may change. */
const tables = ['reviews', 'review_changes', 'overrides', 'personal_texts', 'verifications']

export interface Scene {
  readonly harness: Harness
  readonly desk: Desk
  readonly made: Made
  /** As a stranger for whom there are no guards. */
  readonly run: Run
  readonly findings: () => Promise<string[]>
  readonly restore: () => Promise<void>
}

export async function withReviews(
  engine: (typeof engines)[number],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withHarness({ engine }, async (harness) => {
    const desk = await deskOn(harness)
    const made = await makeReviews(harness, desk)
    await harness.seal()
    const findings = async (): Promise<string[]> =>
      (await checkedLog(harness.store)).findings.map(({ place, message }) => `${place}: ${message}`)
    assert.deepEqual(await findings(), [], 'as it was made')
    await unguarded(harness.databaseUrl, async ({ run }) => {
      if (engine === 'postgres') await run('ALTER TABLE review_changes DISABLE TRIGGER ALL')
      for (const name of tables) await run(`CREATE TABLE original_${name} AS SELECT * FROM ${name}`)
      const restore = async (): Promise<void> => {
        for (const name of tables) {
          await run(`DELETE FROM ${name}`)
          await run(`INSERT INTO ${name} SELECT * FROM original_${name}`)
        }
      }
      await work({ harness, desk, made, run, findings, restore })
    })
  })
}
