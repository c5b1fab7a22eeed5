/** Months of records in the hands of an admin, on PostgreSQL: looked at, detached, attached, and refused with the reason. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Harness } from '../../helpers/harness.ts'
import { withPast } from '../../helpers/database/months.ts'
import { person, read, write, type SignedInPerson } from '../../helpers/people.ts'

const url = '/api/v1/admin/months'

async function move(harness: Harness, admin: SignedInPerson, kind: string, month: string) {
  const started = await write(harness, admin, '/api/v1/admin/jobs', { kind, month, reason: 'Old.' })
  assert.equal(started.status, 200, started.text)
  await harness.maintained()
  return (await read(harness, admin, `/api/v1/admin/jobs/${started.body.job_id}`)).body
}

test('a month is checked, detached and attached again by jobs, and stands in the list as it is', async () => {
  await withPast(async (past) => {
    const [id] = await past.record('2020-03', 2)
    await past.record('2020-06', 1)
    await past.deliver()
    const admin = await person(past, 'admin', null)
    const check = async (month: string) => (await write(past, admin, `${url}/${month}/check`, {})).body
    assert.deepEqual(await check('2020-03'), { month: '2020-03', can_detach: true, detail: null })
    const recent = await check('2020-06')
    assert.deepEqual([recent.can_detach, /too recent/.test(recent.detail)], [false, true])
    assert.equal((await write(past, admin, `${url}/March/check`, {})).status, 400)

    const detached = await move(past, admin, 'detach_month', '2020-03')
    assert.deepEqual([detached.status, detached.result.records], ['done', 2], detached.error)
    assert.equal((await past.get(past.key, `/api/v1/audit/${id}`)).status, 404)
    const list = (await read(past, admin, url)).body
    const march = list.months.find(({ month }: { month: string }) => month === '2020-03')
    assert.deepEqual(
      [list.partitioned, march.state, march.records, march.detached_by, march.fingerprint],
      [true, 'detached', 2, admin.personId, detached.result.fingerprint],
    )
    const again = await move(past, admin, 'detach_month', '2020-03')
    assert.deepEqual([again.status, /already detached/.test(again.error)], ['failed', true])

    const attached = await move(past, admin, 'attach_month', '2020-03')
    assert.deepEqual([attached.status, attached.result.records], ['done', 2], attached.error)
    assert.equal((await past.get(past.key, `/api/v1/audit/${id}`)).status, 200)
    const { activity } = (await read(past, admin, '/api/v1/admin/activity?kind=maintenance.ended')).body
    assert.deepEqual(
      activity.map(({ detail }: { detail: { job: string; status: string } }) => [detail.job, detail.status]),
      [
        ['attach_month', 'done'],
        ['detach_month', 'failed'],
        ['detach_month', 'done'],
      ],
    )
    assert.ok(activity.every(({ by }: { by: { id: string } }) => by.id === admin.personId))
  })
})
