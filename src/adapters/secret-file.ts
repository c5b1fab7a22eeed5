/** Reads the file that holds a secret, as vaults, systemd and container engines put it in place. */

import { closeSync, openSync, readSync } from 'node:fs'
import type { Environment, ReadFile } from '../core/operate/settings.ts'
import { faultOf } from './files.ts'

/** Ample for a key, a password or an address. */
const bytesMax = 16 * 1024

export const readSecretFile: ReadFile = (path) => {
  try {
    const bytes = firstBytes(path)
    if (bytes.length > bytesMax)
      return { kind: 'fault', reason: `${path} is too large for a secret: more than ${bytesMax} bytes` }
    return { kind: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'fault', reason: `${path} is not valid UTF-8` }
    return { kind: 'fault', reason: faultOf(`cannot read ${path}`, error).message }
  }
}

/** The value of `NAME`, or of the file that `NAME_FILE` names; empty if neither is set. */
export function secretOf(environment: Environment, name: string): ReturnType<ReadFile> {
  const valueOf = (variable: string): string =>
    Object.hasOwn(environment, variable) ? (environment[variable] ?? '') : ''
  const [text, path] = [valueOf(name), valueOf(`${name}_FILE`)]
  if (path === '') return { kind: 'read', text }
  if (text !== '')
    return { kind: 'fault', reason: `${name} and ${name}_FILE are both set: unset one of them` }
  const file = readSecretFile(path)
  return file.kind === 'read' ? { ...file, text: file.text.trim() } : file
}

/** One more than the most, so that a device without an end is found to be too large. */
function firstBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(bytesMax + 1)
    let length = 0
    for (let count = -1; count !== 0; length += count)
      count = readSync(descriptor, buffer, length, buffer.length - length, null)
    return buffer.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
