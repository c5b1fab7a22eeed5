/** Secrets at rest: only the key opens them, and only for what they belong to. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../../src/adapters/system.ts'
import { createSecretBox } from '../../../src/app/log/secret-box.ts'

const [newest, older, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const boxOf = (...seeds: Buffer[]) => createSecretBox(seeds, systemRandom)

test('what is sealed opens for what it belongs to, says nothing of its text, and is another each time', () => {
  const box = boxOf(newest)
  const sealed = box.seal('whsec_secret', 'whk_1')
  assert.doesNotMatch(sealed, /whsec|secret/)
  assert.equal(box.open(sealed, 'whk_1'), 'whsec_secret')
  assert.equal(box.open(sealed, 'whk_2'), null, 'not for another endpoint')
  assert.notEqual(box.seal('whsec_secret', 'whk_1'), sealed)
})

test('without its key, or with a byte changed, it does not open', () => {
  const sealed = boxOf(newest).seal('whsec_secret', 'whk_1')
  assert.equal(boxOf(other).open(sealed, 'whk_1'), null)
  const [form, id, encoded = ''] = sealed.split('.')
  const bytes = Buffer.from(encoded, 'base64url')
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    assert.equal(boxOf(newest).open(`${form}.${id}.${changed.toString('base64url')}`, 'whk_1'), null)
  }
  assert.equal(boxOf(newest).open(`${form}.${id}.AAAA`, 'whk_1'), null)
})

test('an earlier key opens what it sealed, and the newest seals; a text of before is as it is', () => {
  const sealed = boxOf(older).seal('whsec_secret', 'whk_1')
  const box = boxOf(newest, older)
  assert.equal(box.open(sealed, 'whk_1'), 'whsec_secret')
  assert.deepEqual([box.isCurrent(sealed), box.isCurrent(box.seal('x', 'y'))], [false, true])
  assert.equal(box.open('whsec_plain', 'whk_1'), 'whsec_plain')
  assert.equal(box.isCurrent('whsec_plain'), false)
})
