/** Files of secrets: bounded, and each fault by its path, never with the contents. */

import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSecretFile, secretOf } from '../../src/adapters/secret-file.ts'
import { withFolder } from '../helpers/folder.ts'

const limit = 16 * 1024

test('a file is read up to its bound', () =>
  withFolder((folder) => {
    const path = join(folder, 'secret')
    for (const text of ['hunter2\n', '', 'x'.repeat(limit)]) {
      writeFileSync(path, text)
      assert.deepEqual(readSecretFile(path), { kind: 'read', text })
    }
    // As container engines mount them.
    chmodSync(path, 0o444)
    assert.equal(readSecretFile(path).kind, 'read')
    return Promise.resolve()
  }))

test('one that is missing, a folder, too large, endless or not text is a fault with its path', () =>
  withFolder((folder) => {
    const path = join(folder, 'secret')
    const faultOf = (content: string | Buffer): unknown => {
      writeFileSync(path, content)
      return readSecretFile(path)
    }
    const fault = (reason: string) => ({ kind: 'fault', reason })
    assert.deepEqual(readSecretFile(path), fault(`cannot read ${path}: there is no such file`))
    assert.deepEqual(readSecretFile(folder), fault(`cannot read ${folder}: it is a folder`))
    assert.deepEqual(
      faultOf('x'.repeat(limit + 1)),
      fault(`${path} is too large for a secret: more than ${limit} bytes`),
    )
    assert.deepEqual(
      readSecretFile('/dev/zero'),
      fault(`/dev/zero is too large for a secret: more than ${limit} bytes`),
    )
    assert.deepEqual(faultOf(Buffer.from([0x68, 0xff])), fault(`${path} is not valid UTF-8`))
    return Promise.resolve()
  }))

test('a secret of the feeds comes from its variable or from a file, and not from both', () =>
  withFolder((folder) => {
    const path = join(folder, 'token')
    writeFileSync(path, 'hunter2\n')
    assert.deepEqual(secretOf({ FX_TOKEN: 'a' }, 'FX_TOKEN'), { kind: 'read', text: 'a' })
    assert.deepEqual(secretOf({ FX_TOKEN_FILE: path }, 'FX_TOKEN'), { kind: 'read', text: 'hunter2' })
    assert.deepEqual(secretOf({}, 'FX_TOKEN'), { kind: 'read', text: '' })
    assert.deepEqual(secretOf({ FX_TOKEN: 'a', FX_TOKEN_FILE: path }, 'FX_TOKEN'), {
      kind: 'fault',
      reason: 'FX_TOKEN and FX_TOKEN_FILE are both set: unset one of them',
    })
    return Promise.resolve()
  }))
