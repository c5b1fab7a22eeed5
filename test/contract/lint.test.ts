/** The document passes a linter that others use too, with no error and no warning. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { documentFile } from '../../scripts/generate-contract.ts'

/** Rules of the recommended set that are off, each with its reason. */
const switchedOff: Readonly<Record<string, string>> = {
  'no-ambiguous-paths': 'audit/export/{id} and audit/{id}/proof: no id is called export',
}

/** Rules that the recommended set leaves out, and that hold here. */
const switchedOn = [
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
  'operation-tag-defined',
  'tag-description',
]

async function findingsIn(source: string): Promise<string[]> {
  const off = Object.keys(switchedOff).map((rule) => [rule, 'off'] as const)
  const on = switchedOn.map((rule) => [rule, 'error'] as const)
  const rules = Object.fromEntries<'off' | 'error'>([...off, ...on])
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source, absoluteRef: documentFile.pathname, config })
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

test('the linter finds nothing in the document', async () => {
  assert.deepEqual(await findingsIn(readFileSync(documentFile, 'utf8')), [])
})

test('the linter would find a warning and an error', async () => {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as {
    info: Record<string, unknown>
    paths: Record<string, { get: Record<string, unknown> }>
  }
  delete document.info['license']
  delete document.paths['/api/health']?.get['summary']
  const rules = (await findingsIn(JSON.stringify(document))).map((finding) => finding.split(' ')[0])
  assert.deepEqual(new Set(rules), new Set(['info-license', 'operation-summary']))
})
