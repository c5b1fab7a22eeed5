/** Reads a bundle from the text of a file, JSON or CSV, and refuses what no export can be. */

import { exportVersion, type Bundle } from './bundle.ts'
import { fromCsv, NoBundle } from './csv-form.ts'
import { isObject } from '../../core/reference/json.ts'

export function readBundle(text: string): Bundle {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  const value = trimmed.startsWith('{') ? parseJson(trimmed) : fromCsv(text)
  refuseOddities(value)
  if (!isObject(value) || !isObject(value['record']) || !isObject(value['integrity'])) {
    throw new NoBundle('is no audit export: record and integrity are missing')
  }
  const { integrity } = value
  if (!isObject(integrity['member_hashes']) || typeof integrity['record_hash'] !== 'string') {
    throw new NoBundle('is no audit export: its hashes are missing')
  }
  const { export_version: version } = value
  if (
    typeof version === 'number' &&
    !(Number.isInteger(version) && version >= 1 && version <= exportVersion)
  ) {
    throw new NoBundle(`is of export version ${version}, and this program knows 1 to ${exportVersion}`)
  }
  return value as unknown as Bundle
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new NoBundle(`is no JSON: ${(error as Error).message}`)
  }
  // Of a name that stands twice this program reads the last, a person perhaps the first.
  if (namesWritten(text) !== namesRead(value)) throw new NoBundle('has one name twice in an object')
  return value
}

/** The names of members in a text that is known to be JSON: strings with a colon after them. */
function namesWritten(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/gs)) if (colon !== undefined) count += 1
  return count
}

function namesRead(value: unknown): number {
  let count = 0
  for (const { node } of nodesOf(value)) if (isObject(node)) count += Object.keys(node).length
  return count
}

interface Place {
  readonly node: unknown
  readonly path: string
}

/** Without recursion: a file may be nested deeper than the stack. */
function* nodesOf(root: unknown): Generator<Place> {
  const left: Place[] = [{ node: root, path: '' }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next
    const { node, path } = next
    if (typeof node !== 'object' || node === null) continue
    for (const [name, member] of Object.entries(node)) left.push({ node: member, path: `${path}/${name}` })
  }
}

const depthMax = 16

/** What canonical JSON cannot carry, and what no export has. */
function refuseOddities(value: unknown): void {
  for (const { node, path } of nodesOf(value)) {
    const isOdd =
      (typeof node === 'number' && !Number.isFinite(node)) ||
      (typeof node === 'string' && !node.isWellFormed())
    if (isOdd) throw new NoBundle(`holds a value at ${path} that no export has`)
    if (path.split('/').length > depthMax) throw new NoBundle('is nested deeper than any export')
  }
}
