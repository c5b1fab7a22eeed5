/** The entry of the program: what it keeps of its compiled code is kept where only the owner of the code may write. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { withFolder } from '../../helpers/folder.ts'

const root = new URL('../../../', import.meta.url).pathname

test('the version is that of the package, and compiled code is kept beside the code, and never in the folder that all users share', async () => {
  await withFolder(async (folder) => {
    const env = { PATH: process.env['PATH'], TMPDIR: folder, HOME: folder }
    const { stdout } = await promisify(execFile)(process.execPath, [`${root}bin/fairway.js`, '--version'], {
      env,
    })
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
    assert.equal(stdout, `${version}\n`)
    assert.deepEqual(readdirSync(folder), [])
    assert.ok(existsSync(`${root}node_modules/.cache/fairway`))
  })
})
