/** The client as it is published: packed, and installed in a project that has nothing else. */

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = new URL('../../../', import.meta.url).pathname
const execute = promisify(execFile)

export interface InstalledClient {
  /** The project's folder. */
  readonly project: string
  /** What the tarball holds. */
  readonly files: readonly string[]
}

/** Works on a copy, so that several tests may pack at once; needs no network, since there is nothing to fetch. */
export async function installClient(folder: string): Promise<InstalledClient> {
  const source = join(folder, 'client')
  const project = join(folder, 'project')
  const own = (path: string): boolean => !/\/client\/(?:node_modules|dist)(?:\/|$)/.test(path)
  cpSync(join(root, 'client'), source, { recursive: true, filter: own })
  symlinkSync(join(root, 'client', 'node_modules'), join(source, 'node_modules'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_update_notifier: 'false' }
  const packed = await execute('npm', ['pack', '--json', '--loglevel=error'], { cwd: source, env })
  const list = packed.stdout.slice(packed.stdout.indexOf('['))
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(list) as Packed[]
  mkdirSync(project)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'empty', private: true, type: 'module' }),
  )
  const install = [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    join(source, filename),
  ]
  await execute('npm', install, { cwd: project, env })
  return { project, files: files.map(({ path }) => path) }
}

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

/** Gives a project a package that this repository has. */
export function lend(project: string, name: string): void {
  const place = join(project, 'node_modules', name)
  mkdirSync(join(place, '..'), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), place)
}
