/**
 * Writes docs/openapi.json, the contract as the running service publishes it, and from it the types of the client.
 * Run with `npm run generate`; tests check that both are what this makes.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { format } from 'prettier'
import { startHarness } from '../test/helpers/harness.ts'

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

export async function typesText(): Promise<string> {
  const nodes = await openapiTS(readFileSync(documentFile, 'utf8'), {
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
  const harness = await startHarness()
  try {
    writeFileSync(documentFile, await documentText(harness.app.swagger()))
  } finally {
    await harness.close()
  }
  writeFileSync(typesFile, await typesText())
}
