/** Runs installed files as somebody who may not change them. */

import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { before } from 'node:test'
import { argumentsOf, named, stages } from '../../helpers/deploy.ts'
import { execute, folder } from './built.ts'

/** Has a copy of Node.js, since a user without rights may not reach the one of this process. */
export const bin = join(folder, 'bin')

before(() => {
  mkdirSync(bin)
  copyFileSync(process.execPath, join(bin, 'node'))
  for (const path of [folder, bin, join(bin, 'node')]) chmodSync(path, 0o755)
})

const isRoot = process.getuid?.() === 0

/** The user of the image where this process may become it; else nobody else. */
export function userOfImage(): { uid?: number; gid?: number } {
  if (!isRoot) return {}
  const users = named(stages().at(-1) ?? assert.fail('no stage'), 'USER')
  const [uid, gid] = users.flatMap(argumentsOf).join('').split(':').map(Number)
  return uid === undefined || gid === undefined ? assert.fail('no numbers') : { uid, gid }
}

/** Takes the right to write from this process, where it cannot become another user. */
export async function protect(path: string): Promise<void> {
  if (!isRoot) await execute('chmod', ['-R', 'a-w', path])
}

/** The address of a server that has just been started. */
export function addressOf(server: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
}
