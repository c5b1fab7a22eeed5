/** The entry of the program: what it keeps of its compiled code is kept where only the owner of the code may write. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { withFolder } from '../../helpers/folder.ts'

const root = new URL('../../../', import.meta.url).pathname

test('compiled code is kept beside the code, and never in the folder that all users share', async () => {
  await withFolder(async (folder) => {
    const env = { PATH: process.env['PATH'], TMPDIR: folder, HOME: folder }
    const { stdout } = await promisify(execFile)(process.execPath, [`${root}bin/fairway.js`, '--version'], {
      env,
    })
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
    assert.deepEqual(readdirSync(folder), [])
    assert.ok(existsSync(`${root}node_modules/.cache/fairway`))
  })
})
