/**
 * Writes the examples of the contract as the service answers them, docs/openapi.json as the service publishes it with
 * them, and from it the types of the client. Run with `npm run generate`; tests check that each is what this makes.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { format } from 'prettier'
import { startHarness } from '../test/helpers/harness.ts'
import { recordExamples } from './examples/record.ts'

export const examplesFile = new URL('../src/http/openapi/examples.json', import.meta.url)
export const documentFile = new URL('../docs/openapi.json', import.meta.url)
export const typesFile = new URL('../client/src/openapi.ts', import.meta.url)

/** The document as it is written down: the same wherever it is made. */
export async function documentText(document: object): Promise<string> {
  return format(JSON.stringify(document), { parser: 'json', printWidth: 110 })
}

interface Generator {
  readonly default: (document: string, options: object) => Promise<unknown>
  readonly astToString: (nodes: unknown) => string
}

/** The generator belongs to the client, with a compiler of its own. */
const { default: openapiTS, astToString } = createRequire(new URL('../client/package.json', import.meta.url))(
  'openapi-typescript',
) as Generator

const head =
  '/** The contract in types. Made from docs/openapi.json by `npm run generate`; not written by hand. */\n\n'

/** Examples belong to the reference; in the types they would be comments of a thousand lines. */
const withoutExamples = (name: string, value: unknown): unknown =>
  name === 'example' || name === 'examples' ? undefined : value

export async function typesText(): Promise<string> {
  const document: unknown = JSON.parse(readFileSync(documentFile, 'utf8'), withoutExamples)
  const nodes = await openapiTS(JSON.stringify(document), {
    immutable: true,
    defaultNonNullable: false,
  })
  return format(head + astToString(nodes), {
    parser: 'typescript',
    singleQuote: true,
    semi: false,
    printWidth: 110,
  })
}

if (import.meta.main) {
  writeFileSync(examplesFile, await documentText(await recordExamples()))
  const harness = await startHarness()
  try {
    writeFileSync(documentFile, await documentText(harness.app.swagger()))
  } finally {
    await harness.close()
  }
  writeFileSync(typesFile, await typesText())
}
