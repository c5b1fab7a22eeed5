/** No change that breaks callers gets out without a new version and a note on it. docs/contract.md says how. */

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges } from '../../scripts/contract/breaking-changes.ts'
import type { Json } from '../../scripts/contract/document.ts'
import { safetyExceptions, unseenExceptions } from '../../scripts/contract/safety-exceptions.ts'
import { unannounced } from '../../scripts/contract/version-note.ts'
import { contractVersion } from '../../src/http/openapi/version.ts'
import { withHarness } from '../helpers/harness.ts'

const folder = new URL('../../docs/contract/', import.meta.url)
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')

type Document = Json & { readonly info: { readonly version: string } }

/** As numbers, so that 1.10 is later than 1.9. */
const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

/** Oldest first. */
const released = readdirSync(folder)
  .map((name) => ({ name, document: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Document }))
  .toSorted((one, other) => byVersion(one.document.info.version, other.document.info.version))

test('each released contract is named by its version', () => {
  assert.ok(released.length > 0, 'there is no released contract')
  for (const { name, document } of released) assert.equal(name, `v${document.info.version}.json`)
})

/** What of each contract breaks callers of the one before, and was not told of. */
function untold(documents: readonly Document[], text: string): string[] {
  return documents.flatMap((after, at) => {
    const before = documents[at - 1]
    if (before === undefined) return []
    const release = { released: before.info.version, version: after.info.version, changelog: text }
    return unannounced(breakingChanges(before, after), release)
  })
}

test('nothing breaks a released contract without a new major version and a note: no later release, nor the service now', async () => {
  await withHarness({}, async ({ get }) => {
    const now = (await get(null, '/openapi.json')).body as Document
    const documents = [...released.map(({ document }) => document), now]
    const versions = documents.map(({ info }) => info.version)
    assert.deepEqual(versions, versions.toSorted(byVersion), 'a released contract is of the future')
    const excepted = new Set(safetyExceptions.map(({ change }) => change))
    const left = untold(documents, changelog).filter((change) => !excepted.has(change))
    assert.deepEqual(left, [], 'These break callers; see docs/contract.md.')
  })
})

test('every safety exception is a change that was made, and has a reason', async () => {
  await withHarness({}, async ({ get }) => {
    const now = (await get(null, '/openapi.json')).body as Document
    const made = breakingChanges(released[0]?.document ?? assert.fail(), now)
    for (const { change, reason } of safetyExceptions) {
      assert.ok(made.includes(change), `${change} is not a change of the released contract`)
      assert.match(reason, /^\p{Lu}.{30,}\.$/u)
    }
  })
})

test('the exceptions that no comparison can see are the table of docs/contract.md, and each has a reason', () => {
  const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')
  const rows = page
    .slice(page.indexOf('## Exceptions for safety'))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  assert.deepEqual(
    rows.slice(2),
    unseenExceptions.map(({ request, before, now }) => [request, before, now]),
  )
  for (const { reason } of unseenExceptions) assert.match(reason, /^\p{Lu}.{30,}\.$/u)
})

test('a release that breaks the one before is found, though the service is as that release', () => {
  const { document } = released[0] ?? assert.fail()
  const broken = structuredClone(document) as Document & {
    paths: Record<string, unknown>
    info: { version: string }
  }
  delete broken.paths['/api/v1/replay']
  broken.info.version = '1.1.0'
  assert.deepEqual(untold([document, broken, broken], changelog), ['POST /api/v1/replay: removed'])
})

test('the client has the version of the contract that it speaks', () => {
  const manifest = readFileSync(new URL('../../client/package.json', import.meta.url), 'utf8')
  assert.equal((JSON.parse(manifest) as { version: string }).version, contractVersion)
})

/** Forms in which the comparison would not see a change; whoever needs one teaches it first. */
const notUnderstood = new Set([
  'oneOf',
  'allOf',
  'not',
  'if',
  'const',
  'patternProperties',
  'discriminator',
  'style',
])

/** Where the document has such a form, or a list of no values. */
function* strange(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null || /\/examples?$/.test(path)) return
  for (const [name, member] of Object.entries(value)) {
    const isKeyword = !/\/(?:properties|paths|schemas|headers)$/.test(path)
    if (isKeyword && notUnderstood.has(name)) yield `${path}/${name}`
    if (name === 'enum' && Array.isArray(member) && member.length === 0) yield `${path}/enum`
    yield* strange(member, `${path}/${name}`)
  }
}

test('the document uses only forms in which a change is seen', async () => {
  await withHarness({}, async ({ get }) => {
    const { body } = await get(null, '/openapi.json')
    assert.deepEqual([...strange(body, '')], [])
    assert.equal(body.security, undefined, 'security of the whole document')
    for (const [path, methods] of Object.entries(body.paths as Record<string, object>)) {
      assert.ok(!('parameters' in methods), `${path} has parameters for all of its methods`)
    }
    assert.deepEqual([...strange({ a: { oneOf: [] }, b: { enum: [] } }, '')], ['/a/oneOf', '/b/enum'])
  })
})

const change = 'POST /api/v1/verify: removed'
const notes = (heading: string, text: string): string =>
  `# Changelog\n\n${heading}\n\n### Breaking\n\n${text}\n\n### Added\n\n- more\n\n## 1.3.0\n\n### Added\n\n- all\n`
const good = `- \`${change}\`: ask \`POST /api/v2/verify\`.`

const cases: readonly [name: string, version: string, changelog: string, passes: boolean][] = [
  ['a note under the new version passes', '2.0.0', notes('## 2.0.0', good), true],
  ['so does one with a date', '2.0.0', notes('## 2.0.0 (2026-04-01)', good), true],
  ['the major version must be a new one', '1.4.0', notes('## 1.4.0', good), false],
  ['the note must be under that version', '2.0.0', notes('## Unreleased', good), false],
  ['of a version, not of one that begins alike', '2.0.0', notes('## 2.0.01', good), false],
  ['it must name the change', '2.0.0', notes('## 2.0.0', '- `POST /api/v1/replay: removed`: so.'), false],
  ['and say something of it', '2.0.0', notes('## 2.0.0', `- \`${change}\``), false],
  ['a note elsewhere in the section is none', '2.0.0', notes('## 2.0.0', '').replace('- more', good), false],
]

for (const [name, version, text, passes] of cases) {
  test(`version notes: ${name}`, () => {
    const left = unannounced([change], { released: '1.3.0', version, changelog: text })
    assert.deepEqual(left, passes ? [] : [change])
  })
}
