/** Masked members: logs and exports show a keyed hash, and a masked bundle still verifies. */

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createLogger } from '../../../src/adapters/logger.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { historyCsv } from '../../../src/app/inspect/history-csv.ts'
import { activityCsv } from '../../../src/app/operate/activity-csv.ts'
import { createMask, maskKeyOf } from '../../../src/app/operate/mask.ts'
import { readConfig } from '../../../src/config.ts'
import { maskableNames } from '../../../src/core/operate/maskable.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness } from '../../helpers/harness.ts'
import { unlimited } from '../../helpers/people.ts'
import { degraded, override } from '../../helpers/webhooks.ts'

const masked = /^masked:[0-9a-f]{16}$/
const maskOf = (names: readonly string[], seed = 1) => {
  const mask = createMask(names)
  mask.use(maskKeyOf(new Uint8Array(32).fill(seed)))
  return mask
}

/** The column of each line below the header; no cell here has a comma. */
function columnOf(csv: string, name: string): string[] {
  const [header = '', ...lines] = csv.trim().split(/\r?\n/)
  const place = header.split(',').indexOf(name)
  return lines.map((line) => line.split(',')[place] ?? '')
}

test('equal values have equal hashes under one key, and others under another', () => {
  const [one, other] = [maskOf(['amount', 'reason']), maskOf(['amount'], 2)]
  assert.match(String(one.value('amount', 5)), masked)
  assert.equal(one.value('amount', 5), one.value('reason', '5'))
  assert.notEqual(one.value('amount', 5), one.value('amount', 6))
  assert.notEqual(one.value('amount', 5), other.value('amount', 5))
  assert.deepEqual([one.value('corridor', 'GB-NG'), one.value('amount', null)], ['GB-NG', null])
  assert.equal(one.value('amount', '(erased)'), '(erased)')
  assert.equal(createMask(['amount']).value('amount', 5), 'masked', 'without a key they are all the same')
})

test('every column of the two lists can be masked, and no other name is taken', () => {
  const none = createMask([])
  const columns = [historyCsv([]), activityCsv([], none)].flatMap((csv) => csv.trim().split(','))
  const known = new Set<string>(maskableNames)
  assert.deepEqual(
    columns.filter((name) => !known.has(name)),
    [],
  )
  assert.deepEqual(readConfig({ FAIRWAY_LOG_MASK: 'amount, justification' }).logMask, [
    'amount',
    'justification',
  ])
  assert.throws(
    () => readConfig({ FAIRWAY_LOG_MASK: 'amount,amounts' }),
    /FAIRWAY_LOG_MASK must be names from request_id, .*correlation_id, justification/,
  )
})

test('a mask of the corridor or the currency hides the columns that tell the same', async () => {
  const settings = { ...unlimited, FAIRWAY_LOG_MASK: 'corridor,currency' }
  await withHarness({ settings }, async (harness) => {
    const { key } = await harness.issue()
    await harness.verify(key, { corridor: 'GB-NG', amount: 5, currency: 'USD' })
    const { text } = await harness.get(key, '/api/verifications?format=csv')
    assert.match(columnOf(text, 'request_currency')[0] ?? '', masked)
    assert.match(columnOf(text, 'settlement_currency')[0] ?? '', masked)
    assert.doesNotMatch(text, /USD|NGN/)
  })
  const names = (text: string) => readConfig({ FAIRWAY_LOG_MASK: text }).logMask
  assert.deepEqual(names('currency'), ['currency', 'request_currency'])
  assert.deepEqual(names('request_currency'), ['request_currency', 'currency'])
})

test('a log line shows no masked member at any depth, in an error or in a bound member', () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const mask = maskOf(['correlation_id', 'amount'])
  const logger = createLogger({ logLevel: 'info', logFormat: 'json' }, stream, mask)
  const error = Object.assign(new Error('it failed'), { amount: 777 })
  logger
    .child({ correlation_id: 'of jane' })
    .info({ err: error, deep: [{ more: { correlation_id: 'of jane', kept: 'shown' } }] }, 'a line')
  const [line = ''] = lines
  assert.ok(!line.includes('of jane') && !line.includes('777') && line.includes('shown'))
  const read = JSON.parse(line) as Record<string, unknown>
  assert.equal(read['correlation_id'], mask.value('correlation_id', 'of jane'))
  assert.equal(read['msg'], 'a line')
})

test('the activity in CSV masks its columns and members of the detail', () => {
  const by = { kind: 'person' as const, id: 'prs_1', name: 'Jane Doe' }
  const detail = { owner_id: 'own_1', scopes: 'all' }
  const act = { act_id: 'act_1', kind: 'key.created' as const, subject: 'key_1', by, at: 'now', detail }
  const csv = activityCsv([{ ...act, leaf_index: 7 }], maskOf(['by_name', 'owner_id']))
  assert.ok(!csv.includes('Jane Doe') && !csv.includes('own_1'))
  assert.ok(csv.includes('prs_1') && csv.includes('masked:') && csv.includes('all'))
})

for (const engine of engines) {
  test(`${engine}: the history in CSV masks its columns, and answers in JSON do not`, async () => {
    const settings = { ...unlimited, FAIRWAY_LOG_MASK: 'correlation_id,amount' }
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      for (const amount of [5, 5, 6])
        await harness.verify(key, { corridor: 'NG-GB', amount, correlation_id: 'of jane' })
      const { text } = await harness.get(key, '/api/verifications?format=csv')
      const amounts = columnOf(text, 'amount')
      assert.ok(amounts.every((cell) => masked.test(cell)))
      assert.equal(new Set(amounts).size, 2)
      assert.equal(new Set(columnOf(text, 'correlation_id')).size, 1)
      assert.ok(!text.includes('of jane'))
      assert.deepEqual(new Set(columnOf(text, 'corridor')), new Set(['NG-GB']))
      const { body } = await harness.get(key, '/api/verifications')
      assert.equal(body[0].correlation_id, 'of jane')
    })
  })

  test(`${engine}: the bundle of a repeat withholds both correlation ids and verifies`, async () => {
    const settings = { ...unlimited, FAIRWAY_LOG_MASK: 'correlation_id' }
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const stopped = { corridor: 'GB-NG', amount: 600_000 }
      await harness.verify(key, { ...stopped, correlation_id: 'of jane' })
      const { body } = await harness.verify(key, { ...stopped, correlation_id: 'of joe' })
      await harness.seal()
      const { text } = await harness.get(key, `/api/v1/audit/export/${body.request_id}`)
      assert.ok(!text.includes('of jane') && !text.includes('of joe') && text.includes('"source_record":{'))
      assert.deepEqual(verifyBundle(text).findings, [])
    })
  })

  test(`${engine}: a bundle withholds masked texts and verifies; unmasked texts stay`, async () => {
    const settings = { ...unlimited, FAIRWAY_LOG_MASK: 'justification,amount' }
    await withHarness({ engine, settings }, async (harness) => {
      const { key } = await harness.issue()
      const id = await degraded(harness, key, { correlation_id: 'of jane' })
      await override(harness, key, id, { justification: 'jane was called' })
      await harness.seal()
      for (const format of ['json', 'csv']) {
        const { text } = await harness.get(key, `/api/v1/audit/export/${id}?format=${format}`)
        assert.ok(!text.includes('jane was called') && text.includes('of jane'))
        const verified = verifyBundle(text)
        assert.deepEqual([verified.findings, verified.seal !== null], [[], true])
      }
    })
  })
}
