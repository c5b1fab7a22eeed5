/**
 * Generates the recorded examples, docs/openapi.json with these examples, and from it the types of the client, the Python
 * client's types and methods, and the operations of the tools. Run with `npm run generate`; tests check that all are up to date.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { format } from 'prettier'
import { startHarness } from '../test/helpers/harness.ts'
import type { ApiDocument as PythonDocument } from './contract/python/document.ts'
import { pythonOperations } from './contract/python/operations.ts'
import { pythonTypes } from './contract/python/types.ts'
import { toolOperationsText, type ApiDocument } from './contract/tool-operations.ts'
import { recordExamples } from './examples/record.ts'

export const examplesFile = new URL('../src/http/openapi/examples.json', import.meta.url)
export const documentFile = new URL('../docs/openapi.json', import.meta.url)
export const typesFile = new URL('../client/src/openapi.ts', import.meta.url)
export const operationsFile = new URL('../src/mcp/operations.ts', import.meta.url)

const pythonFolder = new URL('../clients/python/src/fairway/', import.meta.url)

/** The formatted document, identical on every machine. */
export async function documentText(document: object): Promise<string> {
  return format(JSON.stringify(document), { parser: 'json', printWidth: 110 })
}

interface Generator {
  readonly default: (document: string, options: object) => Promise<unknown>
  readonly astToString: (nodes: unknown) => string
}

/** The generator is a dependency of the client, with its own TypeScript compiler. */
const { default: openapiTS, astToString } = createRequire(new URL('../client/package.json', import.meta.url))(
  'openapi-typescript',
) as Generator

const head =
  '/** The types of the API. Generated from docs/openapi.json by `npm run generate`. Do not edit. */\n\n'

/** Examples are left out of the types, where they would become very long comments. */
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

export async function operationsText(): Promise<string> {
  return toolOperationsText(JSON.parse(readFileSync(documentFile, 'utf8')) as ApiDocument)
}

interface GeneratedFile {
  readonly file: URL
  readonly text: string
}

/** The modules of the Python client that are generated. */
export function pythonModules(): readonly GeneratedFile[] {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as PythonDocument
  return [
    { file: new URL('types.py', pythonFolder), text: pythonTypes(document) },
    { file: new URL('_operations.py', pythonFolder), text: pythonOperations(document) },
  ]
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
  writeFileSync(operationsFile, await operationsText())
  for (const { file, text } of pythonModules()) writeFileSync(file, text)
}
