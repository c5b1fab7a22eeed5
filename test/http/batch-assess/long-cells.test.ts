/** A cell that is far longer than any value: it is refused or read at once, since no rule looks at it more than a few times. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transactionColumns } from '../../../src/core/assess/transaction.ts'
import { withHarness } from '../../helpers/harness.ts'

const long = 100_000
const pumps = ['0', 'a', ' ', '.', '=', '0.']

test('no cell of any column keeps the service busy, as CSV or as JSON', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '100000/60' } }, async ({ issue, send }) => {
    const { key } = await issue()
    const ask = async (type: string, payload: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type }
      return (await send({ method: 'POST', url: '/api/v1/batch-assess', headers, payload })).status
    }
    for (const column of transactionColumns) {
      for (const pump of pumps) {
        const cell = `${pump.repeat(long / pump.length)}x`
        const columns = column === 'corridor' ? 'corridor' : `corridor,${column}`
        const row = column === 'corridor' ? cell : `GB-NG,${cell}`
        const asCsv = await ask('text/csv', `${columns}\n${row}\n`)
        const transactions = [{ corridor: 'GB-NG', [column]: cell }]
        const asJson = await ask('application/json', JSON.stringify({ transactions }))
        // Space around a value is not part of it, so that some are well-formed after all.
        assert.ok(asCsv === 400 || pump.trim() === '', `${column} ${pump}: ${asCsv}`)
        assert.equal(asJson, asCsv, `${column} ${pump}`)
      }
    }
  })
})
