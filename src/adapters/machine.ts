/** This machine as the doctor and a start find it: Node.js, files, room on the disk, and who holds a port. */

import { once } from 'node:events'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { FileLook, Machine, PortLook } from '../app/ports/operate/doctor.ts'
import { BadSetting } from '../core/operate/settings.ts'
import { isPackage, programFolder } from './threads/installation.ts'

export const machine: Machine = {
  node: () => ({ version: process.versions.node, needed: neededNode() }),
  lookAt,
  realPath,
  folderOf: (path) => dirname(realPath(path)),
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
  lookAtPort,
}

/** A package names them in its manifest; a checkout runs TypeScript, which needs a later one. */
function neededNode(): string {
  const [name, form] = isPackage
    ? ['package.json', /"node":\s*"([^"]+)"/]
    : [join('bin', 'require-node.js'), /nodeMajorMin = (\d+)/]
  const [, found] = form.exec(readFileSync(join(programFolder, name), 'utf8')) ?? []
  if (found === undefined) throw new Error(`${name} names no version of Node.js`)
  return isPackage ? found : `>=${found}`
}

/** SQLite keeps its other files beside the file that a link leads to. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Windows protects files by access control lists. */
const hasModes = process.platform !== 'win32'
const missingCodes = new Set(['ENOENT', 'ENOTDIR'])

async function lookAt(path: string): Promise<FileLook | null> {
  const may = (right: number): Promise<boolean> =>
    access(path, right).then(
      () => true,
      () => false,
    )
  try {
    const stats = await stat(path)
    return {
      kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
      isReadable: await may(constants.R_OK),
      isWritable: await may(constants.W_OK),
      mode: hasModes ? stats.mode & 0o777 : null,
      bytes: stats.size,
    }
  } catch (error) {
    if (missingCodes.has(String((error as NodeJS.ErrnoException).code))) return null
    return { kind: 'unknown', isReadable: false, isWritable: false, mode: null, bytes: 0 }
  }
}

/** Opens the port for a moment if nobody answers there, as a server would do, and lets it go. */
async function lookAtPort(host: string, port: number): Promise<PortLook> {
  const holder = await askHolder(host, port)
  if (holder !== null) return holder
  try {
    await requireFreePort(host, port)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return code === 'EADDRINUSE' ? { kind: 'taken' } : { kind: 'unusable', code }
  }
  return { kind: 'free' }
}

const answerMsMax = 3_000
/** Ample for the answers of this program. */
const answerBytesMax = 4_096

/** An address that stands for every one of the machine is asked at the machine's own. */
const ownAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Null unless Fairway answers. */
async function askHolder(host: string, port: number): Promise<PortLook | null> {
  const address = ownAddresses[host] ?? host
  const origin = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  const startedMs = performance.now()
  const alive = await answerOf(`${origin}/livez`)
  const answeredMs = Math.round(performance.now() - startedMs)
  if (alive?.['status'] !== 'alive') return null
  const health = await answerOf(`${origin}/api/health`)
  const isHealthy = health?.['status'] === 'healthy' && typeof health['version'] === 'string'
  return { kind: 'fairway', answeredMs, version: isHealthy ? String(health['version']) : null }
}

/** Null for no answer in time, a refusal, or an answer that this program would not give. */
async function answerOf(url: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerMsMax) })
    const length = response.headers.get('content-length')
    if (!response.ok || length === null || Number(length) > answerBytesMax) {
      await response.body?.cancel()
      return null
    }
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** A mistyped path would otherwise look like an empty installation. */
export function requireDatabaseFolder(databaseUrl: string): void {
  if (!databaseUrl.startsWith('sqlite:')) return
  const folder = dirname(resolve(databaseUrl.slice('sqlite:'.length)))
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) return
  const fault = stats === undefined ? 'does not exist: create it' : 'is not a folder: make it one'
  throw new BadSetting(
    'DATABASE_URL',
    `the folder of the database, ${folder}, ${fault}, or correct DATABASE_URL`,
  )
}

/** Opens the port for a moment, as a server would do. Fails as `listen` does. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer((socket) => socket.destroy())
  await once(probe.listen({ host, port, exclusive: true }), 'listening')
  await once(probe.close(), 'close')
}
