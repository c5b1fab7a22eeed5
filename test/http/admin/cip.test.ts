/** The stages of the platform in the hands of an admin: the gate, a step with its act, and what is refused. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/core/time/durations.ts'
import { checkedLog } from '../../helpers/database/log-check.ts'
import { withHarness } from '../../helpers/harness.ts'
import { simulatedFeeds as feeds } from '../../helpers/live.ts'
import { observeDays, observeFeeds } from '../../helpers/observations.ts'
import { person, read, write } from '../../helpers/people.ts'

const url = '/api/v1/admin/cip'
const reference = 'CHANGE-1042'

test('a step forward is refused with the reason until the gate is passed, and then recorded with its act', async () => {
  await withHarness({ feeds }, async (harness) => {
    await observeDays(harness, 14)
    const early = await person(harness, 'admin', null)
    const step = { to: 'provisional', blend_weight: 0.07, reference, reason: 'Reviewed on Monday.' }
    const refused = await write(harness, early, `${url}/transitions`, step)
    assert.deepEqual([refused.status, refused.body.code], [409, 'ADMIN_CONFLICT'])
    assert.match(refused.body.message, /^Refused: .*13 of the 14 complete days/)
    const before = (await read(harness, early, url)).body
    assert.deepEqual(
      [before.stage, before.quality_gate.passed, before.transitions],
      ['telemetry_only', false, []],
    )
    assert.deepEqual(before.stages[2], {
      stage: 'provisional',
      blend_weight_min: 0.05,
      blend_weight_max: 0.1,
    })

    harness.clock.advance(dayMs)
    await observeFeeds(harness)
    const admin = await person(harness, 'admin', null)
    const made = await write(harness, admin, `${url}/transitions`, step)
    assert.equal(made.status, 200, made.text)
    assert.deepEqual(
      [made.body.to, made.body.blend_weight, made.body.made_by_name],
      ['provisional', 0.07, admin.name],
    )
    const after = (await read(harness, admin, url)).body
    assert.deepEqual([after.stage, after.blend_weight, after.governed_by], ['provisional', 0.07, reference])
    assert.deepEqual(after.transitions, [made.body])
    const { activity } = (await read(harness, admin, '/api/v1/admin/activity?kind=cip')).body
    assert.deepEqual(
      activity.map(({ kind, by }: { kind: string; by: { id: string } }) => [kind, by.id]),
      [['cip.transitioned', admin.personId]],
    )
    await harness.seal()
    assert.deepEqual((await checkedLog(harness.store)).findings, [])
    const back = await write(harness, admin, `${url}/transitions`, { to: 'telemetry_only', reference })
    assert.deepEqual([back.status, back.body.blend_weight], [200, 0])
  })
})

test('bad input names the member, and records nothing', async () => {
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    for (const [body, path] of [
      [{ to: 'full', reference }, '/to'],
      [{ to: 'scoring_passive' }, ''],
      [{ to: 'scoring_passive', reference: 'no spaces' }, '/reference'],
      [{ to: 'provisional', blend_weight: 0.055, reference }, '/blend_weight'],
      [{ to: 'provisional', blend_weight: 2, reference }, '/blend_weight'],
    ] as const) {
      const answer = await write(harness, admin, `${url}/transitions`, body)
      assert.equal(answer.status, 400, answer.text)
      if (path !== '') assert.equal(answer.body.errors[0].path, path)
    }
    assert.deepEqual((await read(harness, admin, url)).body.transitions, [])
  })
})
