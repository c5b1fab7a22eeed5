/** The log in both formats: no secret, and no character that controls the terminal. */

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createLogger } from '../../src/adapters/logger.ts'

const key = 'pk_test_0123456789abcdefghjkmnpqrstvwxyz012345'

function logged(logFormat: 'json' | 'text', write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  const sink = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      text += piece
      done()
    },
  })
  write(createLogger({ logLevel: 'info', logFormat }, sink))
  return text
}

test('text is one line with time, level, message and fields', () => {
  const text = logged('text', (log) => log.warn({ webhook_id: 'whk_1', count: 2 }, 'webhooks: no answer'))
  assert.match(text, /^\d\d:\d\d:\d\d warn {2}webhooks: no answer webhook_id=whk_1 count=2\n$/)
})

test('an error has its stack below the line', () => {
  const text = logged('text', (log) => log.error({ err: new Error('broken') }, 'http: unexpected error'))
  assert.match(text, /^\d\d:\d\d:\d\d error http: unexpected error\n {2}Error: broken\n {6}at /)
})

for (const format of ['json', 'text'] as const) {
  test(`no key reaches the log, wherever it stands (${format})`, () => {
    const text = logged(format, (log) => log.error({ err: new Error(`for ${key}`), at: key }, `said ${key}`))
    assert.ok(!text.includes(key))
    assert.match(text, /said \[key\]/)
  })
}

test('what a caller has chosen cannot control the terminal or forge a line', () => {
  const text = logged('text', (log) =>
    log.warn(
      { name: 'a\u001b[2Jb\nc\u009bd', list: ['\u001b]0;x\u0007'], err: new Error('e\u001b[1m') },
      'm\u001b[31m\nn',
    ),
  )
  assert.doesNotMatch(text, /(?!\n)\p{C}/u)
  assert.match(text.split('\n')[0] ?? '', /m \[31m n name=a \[2Jb c d list=/)
})
