/** What is written appears whole, or not at all. */

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openOutput } from '../../src/adapters/files.ts'
import { withFolder } from '../helpers/folder.ts'

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

test('what is being written when all is discarded is gone too, and nothing can be published then', async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'a.csv'), 'earlier')
    const output = await openOutput(folder, [], null)
    const writing = output.append('a.csv', Buffer.from('x'))
    assert.equal(await output.discard(), true)
    await writing.catch(() => {})
    await assert.rejects(output.publish(['a.csv']))
    assert.deepEqual(readdirSync(folder), ['a.csv'])
    assert.equal(read(folder, 'a.csv'), 'earlier')
  })
})

test('a publish that fails puts back what was there', async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'a.csv'), 'earlier')
    const output = await openOutput(folder, [], null)
    await output.append('a.csv', Buffer.from('new'))
    await output.append('b.csv', Buffer.from('new'))
    // In the way of the second file, after the first has its place.
    mkdirSync(join(folder, 'b.csv'))
    mkdirSync(join(folder, `.b.csv.${process.pid}.old`))
    writeFileSync(join(folder, `.b.csv.${process.pid}.old`, 'x'), '')
    await assert.rejects(output.publish([]), { name: 'FileFault' })
    assert.equal(read(folder, 'a.csv'), 'earlier')
    assert.equal(await output.discard(), true)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
  })
})
