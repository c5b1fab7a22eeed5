/** What is written appears whole, or not at all. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openOutput, writeFileAtomically } from '../../src/adapters/files.ts'
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
    // The second file cannot get its place, after the first has its own.
    const part = readdirSync(folder).find((name) => /^\.b\.csv\..*\.part$/.test(name))
    rmSync(join(folder, part ?? assert.fail()))
    await assert.rejects(output.publish([]), { name: 'FileFault' })
    assert.equal(read(folder, 'a.csv'), 'earlier')
    assert.equal(await output.discard(), true)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
  })
})

test('a link that somebody planted under a temporary name leads nowhere: its target stays as it was', async () => {
  await withFolder(async (folder) => {
    const at = (name: string): string => join(folder, name)
    writeFileSync(at('target'), 'precious')
    mkdirSync(at('out'))
    for (const end of ['part', 'old']) symlinkSync('../target', at(`out/.a.csv.${process.pid}.${end}`))
    const output = await openOutput(at('out'), [], null)
    await output.append('a.csv', Buffer.from('new'))
    await output.publish([])
    assert.equal(read(folder, 'target'), 'precious')
    assert.equal(read(folder, 'out/a.csv'), 'new')
  })
})

test('only a file is overwritten: a link is followed to one, and a device, a pipe or a folder stays what it is', async () => {
  await withFolder(async (folder) => {
    const at = (name: string): string => join(folder, name)
    writeFileSync(at('file'), 'earlier')
    chmodSync(at('file'), 0o600)
    symlinkSync('file', at('link'))
    // Of no use to anybody else: a program that gets this wrong must not harm the machine.
    symlinkSync('pipe', at('device'))
    symlinkSync('nowhere', at('void'))
    mkdirSync(at('folder'))
    assert.equal(spawnSync('mkfifo', [at('pipe')]).status, 0)
    const names = readdirSync(folder)

    await writeFileAtomically(at('link'), 'new', true)
    assert.equal(read(folder, 'file'), 'new')
    assert.ok(lstatSync(at('link')).isSymbolicLink())
    assert.equal(statSync(at('file')).mode & 0o777, 0o600)
    for (const overwrite of [true, false]) {
      await assert.rejects(writeFileAtomically(at('device'), 'new', overwrite), /it is not a regular file/)
      await assert.rejects(writeFileAtomically(at('pipe'), 'new', overwrite), /it is not a regular file/)
      await assert.rejects(writeFileAtomically(at('folder'), 'new', overwrite), /it is a folder/)
      await assert.rejects(writeFileAtomically(at('void'), 'new', overwrite), /there is no such file/)
    }
    await assert.rejects(writeFileAtomically(at('file'), 'newer', false), /already exists: use --force/)
    assert.equal(read(folder, 'file'), 'new')
    assert.ok(lstatSync(at('device')).isSymbolicLink() && lstatSync(at('pipe')).isFIFO())
    assert.deepEqual(readdirSync(folder), names, 'nothing else is left')
  })
})

test('what an earlier run has left does not stand in the way', async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, `.evidence.json.${process.pid}.part`), 'half')
    await writeFileAtomically(join(folder, 'evidence.json'), 'whole', false)
    assert.equal(read(folder, 'evidence.json'), 'whole')
  })
})
