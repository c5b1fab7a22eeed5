/** The threat model: whole, and every test that it rests on is there. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/threat-model.md', root), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'))

test('all ten risks of the OWASP list of 2023 have a row, with a test that covers it', () => {
  const risks = rows.filter((row) => /^\| API\d+ /.test(row))
  assert.deepEqual(
    risks.map((row) => /^\| (API\d+) /.exec(row)?.[1]),
    Array.from({ length: 10 }, (_, place) => `API${place + 1}`),
  )
  for (const row of risks) assert.match(row, /`test\/[^`]+\.test\.ts`[^|]*\|$/, row.slice(0, 60))
})

test('every attack names a test, and every test that is named exists', () => {
  const [, attacks = ''] = page.split('## Attacks one by one')
  const listed = attacks.split('\n').filter((line) => /^\| (?!-|Attack )/.test(line))
  assert.ok(listed.length > 10, 'the attacks were not found')
  for (const row of listed) assert.match(row, /`test\/[^`]+`/, row.slice(0, 60))
  const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)
  const missing = named.filter((path) => !existsSync(new URL(path, root)))
  assert.deepEqual(missing, [])
})
