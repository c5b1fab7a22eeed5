/** Reads a bundle from JSON or CSV and rejects files that cannot be audit exports. */

import { exportVersion, type Bundle } from './bundle.ts'
import { fromCsv, InvalidBundle } from './csv-form.ts'
import { isObject } from '../../core/reference/json.ts'

export function readBundle(text: string): Bundle {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  const value = trimmed.startsWith('{') ? parseJson(trimmed) : fromCsv(text)
  rejectInvalidValues(value)
  if (!isObject(value) || !isObject(value['record']) || !isObject(value['integrity'])) {
    throw new InvalidBundle('is not an audit export: record or integrity is missing')
  }
  const { integrity } = value
  if (!isObject(integrity['member_hashes']) || typeof integrity['record_hash'] !== 'string') {
    throw new InvalidBundle('is not an audit export: its hashes are missing')
  }
  const { export_version: version } = value
  if (
    typeof version === 'number' &&
    !(Number.isInteger(version) && version >= 1 && version <= exportVersion)
  ) {
    throw new InvalidBundle(
      `has export version ${version}; this release reads versions 1 to ${exportVersion}`,
    )
  }
  return value as unknown as Bundle
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidBundle(`is not valid JSON: ${(error as Error).message}`)
  }
  // Of a repeated name, JSON.parse takes the last value; a person may read the first.
  if (countNamesInText(text) !== countNames(value))
    throw new InvalidBundle('repeats a member name in an object')
  return value
}

/** Counts member names in valid JSON text: strings followed by a colon. */
function countNamesInText(text: string): number {
  let count = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/gs)) if (colon !== undefined) count += 1
  return count
}

function countNames(value: unknown): number {
  let count = 0
  for (const { node } of nodesOf(value)) if (isObject(node)) count += Object.keys(node).length
  return count
}

interface Place {
  readonly node: unknown
  readonly path: string
}

/** Iterative: the nesting of a file may exceed the call stack. */
function* nodesOf(root: unknown): Generator<Place> {
  const stack: Place[] = [{ node: root, path: '' }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next
    const { node, path } = next
    if (typeof node !== 'object' || node === null) continue
    for (const [name, member] of Object.entries(node)) stack.push({ node: member, path: `${path}/${name}` })
  }
}

const depthMax = 16

/** Rejects values that canonical JSON cannot represent, and nesting deeper than any export. */
function rejectInvalidValues(value: unknown): void {
  for (const { node, path } of nodesOf(value)) {
    const isInvalid =
      (typeof node === 'number' && !Number.isFinite(node)) ||
      (typeof node === 'string' && !node.isWellFormed())
    if (isInvalid) throw new InvalidBundle(`has an invalid value at ${path}`)
    if (path.split('/').length > depthMax) throw new InvalidBundle('is nested deeper than any export')
  }
}
