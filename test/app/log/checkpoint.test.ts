/** Checkpoints are signed notes that anybody with the log's public key can check. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isSignedBy,
  readNote,
  readVerifierKey,
  signedNote,
  signerOf,
  verifierKey,
  type Checkpoint,
} from '../../../src/app/log/checkpoint.ts'
import { leafHash } from '../../../src/app/log/merkle.ts'

const signer = signerOf(Buffer.alloc(32, 7))
const origin = 'fairway/0123456789abcdef'
const madeAtMs = Date.UTC(2026, 10, 16)
const checkpoint: Checkpoint = { origin, size: 12, root: leafHash('x'), previous: 7, madeAtMs }
const note = signedNote(checkpoint, signer)
const verifier = readVerifierKey(verifierKey(origin, signer.publicKey)) ?? assert.fail('no key')

test('a note says origin, size, root, which came before, and time, each on a line, and who signed it', () => {
  const lines = note.split('\n')
  assert.deepEqual(lines.slice(0, 6), [
    origin,
    '12',
    leafHash('x'),
    'previous 7',
    'time 2026-11-16T00:00:00.000Z',
    '',
  ])
  assert.match(lines[6] ?? '', /^\u2014 fairway\/0123456789abcdef [A-Za-z0-9+/]{91}=$/)
  assert.deepEqual(readNote(note), checkpoint)
  assert.ok(isSignedBy(note, verifier))
})

test('Ed25519 as RFC 8032 has it: the key and signature of its first test', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
  const known = signerOf(seed)
  assert.equal(
    Buffer.from(known.publicKey).toString('hex'),
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  )
  assert.match(
    known.sign('').toString('hex'),
    /^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155/,
  )
})

test('a note whose size, root, time or signature was changed is not signed, nor by another key or name', () => {
  const changed = [
    note.replace('\n12\n', '\n13\n'),
    note.replace(leafHash('x'), leafHash('y')),
    note.replace('T00:00:00.000Z', 'T00:00:00.001Z'),
    note.replace(/.{6}=\n$/, 'AAAAAA=\n'),
    note.replaceAll(origin, 'fairway/another'),
  ]
  for (const text of changed) assert.equal(isSignedBy(text, verifier), false, text)
  const stranger = signerOf(Buffer.alloc(32, 8))
  assert.equal(isSignedBy(signedNote(checkpoint, stranger), verifier), false)
})

test('a text that is no note and a key that is no key are two errors', () => {
  for (const text of [
    '',
    'x',
    note.trimEnd(),
    `\n${note}`,
    note.replace('\n12\n', '\n012\n'),
    note.replace('time ', ''),
  ]) {
    assert.equal(readNote(text), null, JSON.stringify(text))
  }
  const key = verifierKey(origin, signer.publicKey)
  for (const text of ['', key.slice(1), key.slice(0, -4), key.replace(/\+[0-9a-f]{8}\+/, '+00000000+')]) {
    assert.equal(readVerifierKey(text), null, text)
  }
})
