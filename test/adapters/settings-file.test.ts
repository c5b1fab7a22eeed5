/** The settings file: for its owner alone, whole or not at all, and where each system keeps such files. */

import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openSettingsFile, settingsPath } from '../../src/adapters/settings-file.ts'
import { withFolder } from '../helpers/folder.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('it is written with mode 600 in a folder of mode 700, whatever the umask, and nothing else is left', () =>
  withFolder(async (folder) => {
    const umask = process.umask(0)
    try {
      const file = openSettingsFile(join(folder, 'new', 'fairway', 'config.json'))
      await file.write('first')
      await file.write('second')
      assert.equal(modeOf(file.path), 0o600)
      assert.equal(modeOf(dirname(file.path)), 0o700)
      assert.deepEqual(readdirSync(dirname(file.path)), ['config.json'])
      assert.deepEqual(await file.read(), { kind: 'read', text: 'second' })
    } finally {
      process.umask(umask)
    }
  }))

test('a file that others may use is mended by writing it', () =>
  withFolder(async (folder) => {
    const file = openSettingsFile(join(folder, 'config.json'))
    writeFileSync(file.path, 'old')
    chmodSync(file.path, 0o666)
    await file.write('new')
    assert.equal(modeOf(file.path), 0o600)
  }))

test('any right of the group or of others makes it unreadable to us', () =>
  withFolder(async (folder) => {
    const file = openSettingsFile(join(folder, 'config.json'))
    writeFileSync(file.path, 'text')
    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o644, 0o666]) {
      chmodSync(file.path, mode)
      assert.deepEqual(await file.read(), { kind: 'open_to_others' }, mode.toString(8))
    }
    for (const mode of [0o600, 0o400]) {
      chmodSync(file.path, mode)
      assert.deepEqual(await file.read(), { kind: 'read', text: 'text' }, mode.toString(8))
    }
  }))

test('where there is none that is no fault; a folder in its place is one', () =>
  withFolder(async (folder) => {
    assert.deepEqual(await openSettingsFile(join(folder, 'nowhere', 'config.json')).read(), {
      kind: 'absent',
    })
    const path = join(folder, 'config.json')
    mkdirSync(path, { mode: 0o700 })
    await assert.rejects(openSettingsFile(path).read(), /cannot read .*config\.json: it is a folder/)
    await assert.rejects(openSettingsFile(path).write('x'), /cannot write .*config\.json/)
  }))

test('a link to it stays a link', () =>
  withFolder(async (folder) => {
    const kept = join(folder, 'kept.json')
    writeFileSync(kept, 'old', { mode: 0o600 })
    const file = openSettingsFile(join(folder, 'config.json'))
    symlinkSync(kept, file.path)
    await file.write('new')
    assert.ok(lstatSync(file.path).isSymbolicLink())
    assert.equal(readFileSync(kept, 'utf8'), 'new')
  }))

test('it lies where the system keeps the settings of users', () => {
  const usual = join(homedir(), '.config', 'fairway', 'config.json')
  assert.equal(settingsPath({ XDG_CONFIG_HOME: '/xdg' }, 'linux'), '/xdg/fairway/config.json')
  assert.equal(settingsPath({}, 'linux'), usual)
  assert.equal(settingsPath({ XDG_CONFIG_HOME: '' }, 'darwin'), usual)
  assert.equal(settingsPath({ XDG_CONFIG_HOME: 'relative' }, 'linux'), usual)
  assert.match(settingsPath({ APPDATA: '/roaming' }, 'win32') ?? '', /roaming.fairway.config\.json$/)
})

test('without a home there is no file: nothing is read, and nothing is put into the folder that happens to be there', async () => {
  const { HOME } = process.env
  try {
    for (const home of ['', 'relative']) {
      process.env['HOME'] = home
      assert.equal(settingsPath({}, 'linux'), null)
    }
  } finally {
    process.env['HOME'] = HOME
  }
  const none = openSettingsFile(null)
  assert.deepEqual(await none.read(), { kind: 'absent' })
  await assert.rejects(none.write('{}'), { name: 'FileFault', message: /no home folder/ })
  await none.remove()
})
