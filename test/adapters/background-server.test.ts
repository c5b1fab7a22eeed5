/** A server in the background: whose words are told, who may read them, and how it is known that it takes requests. */

import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startInBackground } from '../../src/adapters/background-server.ts'
import { withFolder } from '../helpers/folder.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function startIn(folder: string, code: string) {
  return startInBackground({ command: ['-e', code], environment: {}, logFile: join(folder, 'a', 'log') })
}

test('its last words are its own, and for its owner alone', () =>
  withFolder(async (folder) => {
    const first = await startIn(folder, "console.log('earlier words')")
    while (!first.hasEnded()) await turn()
    assert.deepEqual(await first.lastLogLines(), ['earlier words'])
    assert.equal(statSync(first.logFile).mode & 0o777, 0o600)
    const silent = await startIn(folder, '')
    while (!silent.hasEnded()) await turn()
    assert.deepEqual(await silent.lastLogLines(), [])
    writeFileSync(first.logFile, 'cut')
    assert.deepEqual(await silent.lastLogLines(), [], 'a log that was cut is no reason to fail')
  }))

test('it takes requests when it says so', () =>
  withFolder(async (folder) => {
    const server = await startIn(folder, "process.send('up'); setInterval(() => {}, 1000)")
    while (!server.isListening()) await turn()
    assert.equal(server.hasEnded(), false)
    await server.stop()
    assert.equal(server.hasEnded(), true)
    const silent = await startIn(folder, '')
    while (!silent.hasEnded()) await turn()
    assert.equal(silent.isListening(), false)
  }))
