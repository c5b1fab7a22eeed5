/** Reads the document of a policy from a file, and words its faults. */

import type { DocumentFault } from '../../../core/policy/document.ts'
import { isObject } from '../../../core/reference/json.ts'
import { CommandFailure, type CliDeps } from '../../deps.ts'
import { clean } from '../../redact.ts'
import { readSmallText } from '../../small-file.ts'
import { widthOf } from '../../width.ts'

export interface DocumentFile {
  readonly name: string
  readonly document: unknown
}

/** `-` reads standard input. */
export async function readDocumentFile(deps: CliDeps, path: string): Promise<DocumentFile> {
  const { name, text } = await readSmallText(deps, path, 'policy')
  try {
    return { name, document: JSON.parse(text) as unknown }
  } catch (error) {
    throw new CommandFailure(`${name} is not valid JSON: ${(error as Error).message}`)
  }
}

/** `/rules/0/when, character 5: is not valid: …` */
export function faultText({ path, message, position }: DocumentFault): string {
  const place = path === '' ? 'the document' : path
  return `${place}${position === undefined ? '' : `, character ${position}`}: ${message}`
}

/** The fault and, in an expression, the place below it. */
export function faultLines(fault: DocumentFault, document: unknown): string[] {
  const expression = expressionAt(document, fault.path)
  const lines = [`  ${clean(faultText(fault))}`]
  if (fault.position === undefined || expression === null) return lines
  const start = expression.lastIndexOf('\n', fault.position - 2) + 1
  const [line = ''] = expression.slice(start).split('\n')
  const before = clean(expression.slice(start, fault.position - 1))
  return [...lines, `    ${clean(line)}`, `    ${' '.repeat(widthOf(before))}^`]
}

/** The text at `/rules/N/when`. */
function expressionAt(document: unknown, path: string): string | null {
  const [, index] = /^\/rules\/(\d+)\/when$/.exec(path) ?? []
  if (index === undefined || !isObject(document) || !Array.isArray(document['rules'])) return null
  const rule: unknown = document['rules'][Number(index)]
  return isObject(rule) && typeof rule['when'] === 'string' ? rule['when'] : null
}
