/** A `traceparent` header, read as the standard says. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { formatTraceparent, parseTraceparent } from '../../../src/core/operate/trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const context = { traceId, parentId, isSampled: true }

test('a valid header is read, one of a later version too, and only the flag that we know', () => {
  assert.deepEqual(parseTraceparent(`00-${traceId}-${parentId}-01`), context)
  assert.deepEqual(parseTraceparent(` 00-${traceId}-${parentId}-01 `), context)
  assert.deepEqual(parseTraceparent(`00-${traceId}-${parentId}-00`), { ...context, isSampled: false })
  assert.deepEqual(parseTraceparent(`00-${traceId}-${parentId}-fe`), { ...context, isSampled: false })
  assert.deepEqual(parseTraceparent(`cc-${traceId}-${parentId}-03`), context)
  assert.deepEqual(parseTraceparent(`cc-${traceId}-${parentId}-01-what-the-future-will-be-like`), context)
})

test('what is no header of a trace is as none', () => {
  for (const text of [
    '',
    'hello',
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `cc-${traceId}-${parentId}-01.more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\n`.repeat(2),
  ]) {
    assert.equal(parseTraceparent(text), null, text)
  }
})

test('what goes on is the same trace with another span, and is itself valid; nothing that comes in makes it throw', () => {
  const child = formatTraceparent(context, 'b7ad6b7169203331')
  assert.equal(child, `00-${traceId}-b7ad6b7169203331-01`)
  assert.deepEqual(parseTraceparent(child), { ...context, parentId: 'b7ad6b7169203331' })
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = parseTraceparent(text)
      assert.ok(read === null || /^[0-9a-f]{32}$/.test(read.traceId))
    }),
  )
})
