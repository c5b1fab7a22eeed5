/** Every test belongs to a run: `npm test` with its rooms, `npm run test:e2e`, or `npm run test:slow`. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { testsIn } from './helpers/room.ts'

const root = resolve(import.meta.dirname, '..')

/** The tests that a script runs: by its patterns, with a room standing for what is in it. */
function runBy(script: string): string[] {
  const patterns = [...script.matchAll(/'([^']+)'/g)].map(([, pattern = '']) => pattern)
  return patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root }).flatMap((path) =>
      path.startsWith('test/rooms/') ? inRoom(path) : [path],
    ),
  )
}

function inRoom(path: string): string[] {
  const [, folders = ''] = /runRoom\(([\s\S]*)\)/.exec(readFileSync(join(root, path), 'utf8')) ?? []
  return [...folders.matchAll(/'([^']+)'/g)].flatMap(([, folder = '']) => testsIn(folder))
}

test('npm test, test:e2e and test:slow run every test file, each once', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>
  }
  const run = ['test', 'test:e2e', 'test:slow'].flatMap((name) => runBy(scripts[name] ?? ''))
  const all = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  assert.ok(all.length > 200, 'the tests were not found')
  assert.deepEqual(run.toSorted(), all.toSorted())
})
