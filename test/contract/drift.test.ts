/** What is checked in is what the service publishes: the document, the types of the clients and the operations of the tools. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  documentFile,
  documentText,
  operationsFile,
  operationsText,
  pythonModules,
  typesFile,
  typesText,
} from '../../scripts/generate-contract.ts'
import { pictureFiles } from '../../scripts/generate-pictures.ts'
import { withHarness } from '../helpers/harness.ts'
import { simulatedFeeds } from '../helpers/live.ts'

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

/** Every setting that the service is put together with, at another value than its own. */
const changed = {
  LOG_LEVEL: 'silent',
  FAIRWAY_COOLDOWN_S: '0',
  FAIRWAY_LIMIT_VERIFY: '1/1',
  FAIRWAY_LIMIT_KEYED: '2/2',
  FAIRWAY_LIMIT_BATCH: '3/3',
  FAIRWAY_LIMIT_DEMO: '4/4',
  FAIRWAY_LIMIT_ACCESS: '5/5',
  FAIRWAY_TRUST_PROXY: '1',
  FAIRWAY_POLICY_CAPS: 'NGN=100/200',
  FAIRWAY_CIP_PROBE_S: '0',
  FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,2,3,4',
  FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
  FAIRWAY_RECAPTCHA_SECRET: 'a-secret',
}

test('no setting, engine or feed changes the document', async () => {
  await withHarness({}, async ({ app }) => {
    const usual = JSON.stringify(app.swagger())
    const options = { engine: 'postgres', settings: changed, feeds: simulatedFeeds } as const
    await withHarness(options, async (other) => {
      assert.ok(usual === JSON.stringify(other.app.swagger()), 'it is another one')
    })
  })
})

test('the types of the client are those of docs/openapi.json', async () => {
  assertSame(typesFile, await typesText())
})

test('the operations of the tools, with their arguments, are those of docs/openapi.json', async () => {
  assertSame(operationsFile, await operationsText())
})

test('the types and the methods of the Python client are those of docs/openapi.json', () => {
  for (const { file, text } of pythonModules()) assertSame(file, text)
})

test('the pictures of the guide are those that their source draws', () => {
  for (const { file, text } of pictureFiles) assertSame(file, text)
})
