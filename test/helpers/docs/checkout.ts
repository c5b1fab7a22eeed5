/** A folder that looks like the checkout to whoever works in it, so that nothing is left in the real one. */

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeFolder, removeFolder } from './leftovers.ts'
import { withPorts } from './values.ts'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Not linked: what is written there is this run's own. */
const own = new Set(['.git', 'client', 'data', 'examples', 'test-output', 'bench-output'])

export interface Checkout {
  /** Everything of this run. */
  readonly folder: string
  /** The checkout in it. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

/** `ports`: what stands for the ports that the document names. */
export function makeCheckout(ports: ReadonlyMap<number, number>): Checkout {
  const folder = madeFolder('fairway-docs-')
  const directory = join(folder, 'fairway')
  const home = join(folder, 'home')
  const bin = join(folder, 'bin')
  // A start makes no folder of a DATABASE_URL that is set.
  for (const made of [directory, join(directory, 'data'), home, bin]) mkdirSync(made)
  for (const name of readdirSync(root)) {
    if (!own.has(name)) symlinkSync(join(root, name), join(directory, name))
  }
  copyExamples(join(directory, 'examples'), ports)
  copyClient(join(directory, 'client'))
  // As `npm link` does it.
  symlinkSync(join(root, 'bin', 'fairway.js'), join(bin, 'fairway'))
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return {
    folder,
    directory,
    environment: {
      PATH: [bin, dirname(process.execPath), PATH].join(':'),
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE,
      npm_config_update_notifier: 'false',
      // What a document installs is on this machine: it must not be fetched.
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      PIP_NO_INDEX: '1',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      // A reader's is 8080, where this machine may have something else.
      PORT: String(ports.get(8080) ?? 8080),
      FAIRWAY_URL: `http://127.0.0.1:${ports.get(8080) ?? 8080}`,
      // Where it is without this, in a checkout that is no folder of links: `quickstart` looks from the program's own folder.
      DATABASE_URL: `sqlite:${join(directory, 'data', 'fairway.db')}`,
    },
    remove: () => removeFolder(folder),
  }
}

/** Examples are copied, since they name ports too. */
function copyExamples(target: string, ports: ReadonlyMap<number, number>): void {
  const source = join(root, 'examples')
  if (!existsSync(source)) return
  cpSync(source, target, { recursive: true, filter: (path) => !path.includes('node_modules') })
  // Their ports have a default: `Number(process.env['PORT'] ?? 9000)`.
  const portOf = (digits: string): string => String(ports.get(Number(digits)) ?? digits)
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|json)$/.test(name)) continue
    const path = join(target, name)
    const text = readFileSync(path, 'utf8').replaceAll(/(?<= \?\? )\d{4}(?=\))/g, portOf)
    writeFileSync(path, withPorts(text, ports))
  }
}

/** The client is copied without what it is built into: a document may build it. */
function copyClient(target: string): void {
  const source = join(root, 'client')
  const isSource = (path: string): boolean => !/[\\/]client[\\/](?:dist|node_modules)$/.test(path)
  cpSync(source, target, { recursive: true, filter: isSource })
  symlinkSync(join(source, 'node_modules'), join(target, 'node_modules'))
}
