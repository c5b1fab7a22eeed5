/** Tampering with the history in its short form, on both engines. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { experiment } from '../../torture/experiments/tamper.ts'
import { runShortForm } from '../helpers/short-form.ts'

test('whatever is changed in the history straight in the database is found, and so is a log cut off', async () => {
  const { figures } = await runShortForm('tamper', experiment)
  for (const engine of ['sqlite', 'postgres']) {
    for (const kind of ['edit', 'deletion', 'insertion', 'reordering']) {
      assert.ok(Number(figures[`${engine}: ${kind}`]) > 0, `no ${kind} on ${engine}`)
    }
  }
})
