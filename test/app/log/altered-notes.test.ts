/** A signed note is what it is to the letter: nothing in it can be written otherwise and still pass. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedBy, readNote, signedNote, signerOf } from '../../../src/app/log/checkpoint.ts'
import { emptyRoot } from '../../../src/app/log/merkle.ts'

const origin = 'fairway/0123456789abcdef'
const signer = signerOf(new Uint8Array(32).fill(7))
const verifier = { origin, publicKey: signer.publicKey }
const madeAtMs = Date.parse('2026-03-01T12:00:00.000Z')
const note = signedNote({ origin, size: 12, root: emptyRoot, previous: 7, madeAtMs }, signer)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('')

test('a note is signed by its key', () => {
  assert.ok(isSignedBy(note, verifier))
})

test('whichever letter of a note is another, it is not signed any more', () => {
  const passed: string[] = []
  for (let at = 0; at < note.length; at += 1) {
    for (const letter of ['A', 'B', 'a', '0', '1', '9', '=', '+', ' ', '\n']) {
      const altered = note.slice(0, at) + letter + note.slice(at + 1)
      if (altered !== note && isSignedBy(altered, verifier)) passed.push(altered)
    }
  }
  assert.deepEqual(passed, [])
})

test('the last letter of a signature has one spelling', () => {
  const at = note.lastIndexOf('=') - 1
  const passed = letters.filter((letter) =>
    isSignedBy(note.slice(0, at) + letter + note.slice(at + 1), verifier),
  )
  assert.deepEqual(passed, [note[at]])
})

test('a time that there is not makes it no note', () => {
  for (const time of ['2026-13-01T12:00:00.000Z', '2026-03-32T12:00:00.000Z', '2026-03-01T12:61:00.000Z']) {
    assert.equal(readNote(note.replace('2026-03-01T12:00:00.000Z', time)), null, time)
  }
})
