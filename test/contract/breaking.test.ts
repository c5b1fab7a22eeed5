/** No change that breaks callers gets out without a new version and a note on it. docs/contract.md says how. */

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges } from '../../scripts/contract/breaking-changes.ts'
import type { Json } from '../../scripts/contract/document.ts'
import { unannounced } from '../../scripts/contract/version-note.ts'
import { withHarness } from '../helpers/harness.ts'

const folder = new URL('../../docs/contract/', import.meta.url)
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')

type Document = Json & { readonly info: { readonly version: string } }

const released = readdirSync(folder).map((name) => ({
  name,
  document: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Document,
}))

/** As numbers, so that 1.10 is later than 1.9. */
function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0
}

test('each released contract is named by its version', () => {
  assert.ok(released.length > 0, 'there is no released contract')
  for (const { name, document } of released) assert.equal(name, `v${document.info.version}.json`)
})

test('nothing breaks the released contract without a new major version and a note', async () => {
  const { document: last } = released.reduce((a, b) =>
    isLater(b.document.info.version, a.document.info.version) ? b : a,
  )
  await withHarness({}, async ({ get }) => {
    const now = (await get(null, '/openapi.json')).body as Document
    assert.ok(!isLater(last.info.version, now.info.version), 'the released contract is of the future')
    const changes = breakingChanges(last, now)
    const release = { released: last.info.version, version: now.info.version, changelog }
    assert.deepEqual(unannounced(changes, release), [], 'These break callers; see docs/contract.md.')
  })
})

const change = 'POST /api/v1/verify: it is gone'
const notes = (heading: string, text: string): string =>
  `# Changelog\n\n${heading}\n\n### Breaking\n\n${text}\n\n### Added\n\n- more\n\n## 1.3.0\n\n### Added\n\n- all\n`
const good = `- \`${change}\`: ask \`POST /api/v2/verify\`.`

const cases: readonly [name: string, version: string, changelog: string, passes: boolean][] = [
  ['a note under the new version passes', '2.0.0', notes('## 2.0.0', good), true],
  ['so does one with a date', '2.0.0', notes('## 2.0.0 (2026-04-01)', good), true],
  ['the major version must be a new one', '1.4.0', notes('## 1.4.0', good), false],
  ['the note must be under that version', '2.0.0', notes('## Unreleased', good), false],
  ['of a version, not of one that begins alike', '2.0.0', notes('## 2.0.01', good), false],
  ['it must name the change', '2.0.0', notes('## 2.0.0', '- `POST /api/v1/replay: it is gone`: so.'), false],
  ['and say something of it', '2.0.0', notes('## 2.0.0', `- \`${change}\``), false],
  ['a note elsewhere in the section is none', '2.0.0', notes('## 2.0.0', '').replace('- more', good), false],
]

for (const [name, version, text, passes] of cases) {
  test(`version notes: ${name}`, () => {
    const left = unannounced([change], { released: '1.3.0', version, changelog: text })
    assert.deepEqual(left, passes ? [] : [change])
  })
}
