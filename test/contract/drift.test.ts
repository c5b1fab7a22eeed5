/** What is checked in is what the service publishes: the document, and the types that the client is made with. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentFile, documentText, typesFile, typesText } from '../../scripts/generate-contract.ts'
import { withHarness } from '../helpers/harness.ts'

/** A whole document is no message: only where the two part is shown. */
function assertSame(path: URL, now: string): void {
  const kept = readFileSync(path, 'utf8').split('\n')
  const made = now.split('\n')
  const at = made.findIndex((line, index) => line !== kept[index])
  const differs = at >= 0 || made.length !== kept.length
  const line = at < 0 ? made.length : at
  const places = `line ${line + 1} has\n  ${kept[line]}\nand would have\n  ${made[line]}`
  assert.ok(!differs, `${path.pathname} is out of date: run \`npm run generate\`.\n${places}`)
}

test('docs/openapi.json is the document that the service publishes', async () => {
  await withHarness({}, async ({ get }) => {
    const { text } = await get(null, '/openapi.json')
    assertSame(documentFile, await documentText(JSON.parse(text) as object))
  })
})

test('the types of the client are those of docs/openapi.json', async () => {
  assertSame(typesFile, await typesText())
})
