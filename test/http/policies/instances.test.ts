/** Policies on several instances: one order of changes, known to all within a second, and one version for each record. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { engines, type Engine } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { decideOn, idle, reviewAll, stopAll, teamOf, teamOn, type Team } from '../../helpers/policies.ts'

/** No cooldown, so that decisions do not depend on each other. */
const settings = { FAIRWAY_COOLDOWN_S: '0', FAIRWAY_LIMIT_KEYED: '1000000/60' }

/** Two instances on one database and one clock. */
async function withTwo(work: (one: Harness, other: Harness) => Promise<void>): Promise<void> {
  await withHarness({ engine: 'postgres', settings }, async (one) => {
    const other = await one.sibling()
    try {
      await work(one, other)
    } finally {
      await other.close()
    }
  })
}

test('a promotion and a rollback on one instance act on another within 700 ms of its clock', async () => {
  await withTwo(async (one, other) => {
    const team = await teamOn(one)
    const { key } = team.author
    const onOther = async (): Promise<unknown> => (await decideOn(other, key)).version
    assert.equal(await onOther(), null)
    const stop = await team.putInForce(stopAll)
    one.clock.advance(700)
    assert.deepEqual(await onOther(), { owner: stop, installation: null })
    const review = await team.putInForce(reviewAll)
    one.clock.advance(700)
    assert.deepEqual(await onOther(), { owner: review, installation: null })
    await team.rollBack()
    await team.rollBack()
    one.clock.advance(700)
    assert.equal(await onOther(), null)
  })
})

test('an instance that decides meets a change before it must, beside its decisions', async () => {
  await withTwo(async (one, other) => {
    const team = await teamOn(one)
    const { key } = team.author
    assert.equal((await decideOn(other, key)).version, null)
    const stop = await team.putInForce(stopAll)
    one.clock.advance(300)
    // The first of these starts the look; no time passes.
    const isMet = async (): Promise<boolean> => (await decideOn(other, key)).decision === 'NO-GO'
    while (!(await isMet())) await setImmediate()
    assert.deepEqual((await decideOn(other, key)).version, { owner: stop, installation: null })
  })
})

/** Takes a table away for as long as the work lasts. */
async function without({ databaseUrl }: Harness, table: string, work: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) =>
    withDirectDatabase(databaseUrl, ({ run }) => run(`ALTER TABLE ${from} RENAME TO ${to}`))
  await rename(table, 'put_away')
  try {
    await work()
  } finally {
    await rename('put_away', table)
  }
}

const countOf = async ({ databaseUrl }: Harness): Promise<number> =>
  (await rowsOf(databaseUrl, 'SELECT request_id FROM verifications')).length

for (const engine of engines) {
  test(`${engine}: an instance that cannot learn which policies are in force decides nothing`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      await decideOn(harness, key)
      await without(harness, 'policy_head', async () => {
        await decideOn(harness, key)
        harness.clock.advance(700)
        for (let turn = 0; turn < 2; turn += 1) {
          const { status } = await harness.verify(key, { corridor: 'GB-NG', amount: 1 })
          assert.ok(status >= 500, `${status}`)
        }
      })
      assert.equal(await countOf(harness), 2)
      await decideOn(harness, key)
    })
  })

  test(`${engine}: a policy in force that cannot be read stops the decisions of its owner alone`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const [team, other] = [await teamOn(harness), await teamOn(harness)]
      await team.putInForce(idle)
      // As if a later version of the program did not take its document any more.
      await withDirectDatabase(harness.databaseUrl, async ({ run }) => {
        const actor = 'actor_kind, actor_id, actor_name, principal_id'
        await run(
          `INSERT INTO policies SELECT 'pol_00000000000000000000faulty', owner_id, '{}', sha256, created_at_ms, ${actor} FROM policies`,
        )
        await run(`INSERT INTO policy_changes
          SELECT number + 1, owner_id, kind, 'pol_00000000000000000000faulty', reason, at_ms, ${actor} FROM policy_changes`)
        await run('UPDATE policy_head SET changes = changes + 1')
      })
      harness.clock.advance(700)
      const { status } = await harness.verify(team.author.key, { corridor: 'GB-NG', amount: 1 })
      assert.ok(status >= 500, `${status}`)
      assert.equal(await countOf(harness), 0)
      await decideOn(harness, other.author.key)
      assert.equal((await team.rollBack()).status, 200)
      await decideOn(harness, team.author.key)
    })
  })

  test(`${engine}: of many changes at once each takes its turn, and one policy is active at the end`, async () => {
    await withHarness({ engine, settings }, async (harness) => {
      const team = await teamOn(harness)
      const sibling = engine === 'postgres' ? await harness.sibling() : null
      const teams = [team, sibling === null ? team : teamOf(sibling, team.author, team.approver)]
      try {
        await raceOn(teams)
      } finally {
        await sibling?.close()
      }
    })
  })
}

const statusesOf = (answers: readonly Answer[]): Record<number, number> => {
  const groups = Map.groupBy(answers, ({ status }) => status)
  return Object.fromEntries([...groups].map(([status, some]) => [status, some.length]))
}

async function raceOn(teams: readonly Team[]): Promise<void> {
  const [team = assert.fail()] = teams
  const turns = <Result>(items: readonly string[], work: (of: Team, item: string) => Promise<Result>) =>
    Promise.all(items.map((item, place) => work(teams[place % teams.length] ?? team, item)))
  const ids: string[] = []
  for (let count = 0; count < 6; count += 1) ids.push(await team.create(idle))

  const promotions = await turns(ids, (of, id) => of.promote(id))
  assert.deepEqual(statusesOf(promotions), { 200: 6 })
  const { active } = (await team.list()).body
  assert.ok(ids.includes(active))
  assert.equal((await team.list('?status=active')).body.policies.length, 1)
  assert.equal((await team.list('?status=retired')).body.policies.length, 5)

  const again = ids.find((id) => id !== active) ?? assert.fail()
  const repeated = await turns(Array<string>(4).fill(again), (of, id) => of.promote(id))
  assert.deepEqual(statusesOf(repeated), { 200: 1, 409: 3 })

  const candidates = await turns(ids, (of, id) => of.makeCandidate(id))
  assert.deepEqual(statusesOf(candidates), { 200: 5, 409: 1 })
  assert.equal((await team.list('?status=candidate')).body.policies.length, 1)

  // Seven promotions were made.
  const rollbacks = await turns(Array<string>(9).fill(''), (of) => of.rollBack())
  assert.deepEqual(statusesOf(rollbacks), { 200: 7, 409: 2 })
  assert.equal((await team.list()).body.active, null)
}

interface Named {
  readonly answer: Answer['body']
  readonly evidence: {
    readonly policies?: {
      readonly owner: { policy_id: string } | null
      readonly fired: readonly { policy_id: string }[]
    }
  }
}

async function recordedOn(harness: Harness): Promise<Named[]> {
  const rows = await rowsOf(harness.databaseUrl, 'SELECT answer, evidence FROM verifications')
  return rows.map((row) => ({
    answer: JSON.parse(String(row['answer'])),
    evidence: JSON.parse(String(row['evidence'])) as Named['evidence'],
  }))
}

const decisionUnder = (id: string | null, stop: string, review: string): string =>
  id === null ? 'GO' : id === stop ? 'NO-GO' : id === review ? 'DEGRADED' : assert.fail(id)

async function changeAndDecide(one: Harness, other: Harness, engine: Engine): Promise<void> {
  const team = await teamOn(one)
  const [stop, review] = [await team.create(stopAll), await team.create(reviewAll)]
  const { key } = team.author
  const work = { isGoingOn: true }
  const caller = async (harness: Harness): Promise<void> => {
    while (work.isGoingOn) await decideOn(harness, key)
  }
  const callers = [one, other, one, other].map(caller)
  for (let turn = 0; turn < 5; turn += 1) {
    for (const change of [() => team.promote(stop), () => team.promote(review), () => team.rollBack()]) {
      assert.equal((await change()).status, 200)
      one.clock.advance(350)
      await decideOn(other, key)
    }
    await team.rollBack()
  }
  work.isGoingOn = false
  await Promise.all(callers)
  const versions = new Set<string | null>()
  for (const { answer, evidence } of await recordedOn(one)) {
    const id = answer.policy_version?.owner ?? null
    versions.add(id)
    assert.equal(answer.decision, decisionUnder(id, stop, review), `${engine}: ${answer.request_id}`)
    assert.equal(evidence.policies?.owner?.policy_id ?? null, id)
    assert.deepEqual(evidence.policies?.fired.map(({ policy_id: of }) => of) ?? [], id === null ? [] : [id])
  }
  assert.deepEqual(versions, new Set([null, stop, review]))
}

test('sqlite: decisions in the middle of changes are each made under one version, which they name', async () => {
  await withHarness({ settings }, (harness) => changeAndDecide(harness, harness, 'sqlite'))
})

test('postgres: decisions in the middle of changes are each made under one version, on any instance', async () => {
  await withTwo((one, other) => changeAndDecide(one, other, 'postgres'))
})
