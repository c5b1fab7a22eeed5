/** A release as the build stage of the image makes it, from nothing but what it is sent, and once more in another folder. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { productionPackages } from '../../../scripts/release/manifest.ts'
import { argumentsOf, restOf, stages } from '../../helpers/deploy.ts'

export const root = new URL('../../../', import.meta.url).pathname
export const execute = promisify(execFile)

/** Of all files of these tests. */
export const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
/** The `WORKDIR` of the build stage. */
const context = join(folder, 'build')
/** Another place for the second build: the bytes must not depend on it. */
const elsewhere = join(folder, 'elsewhere')

/** All files of a release, built twice. */
export const outs = [join(elsewhere, 'release'), join(folder, 'second')] as const

/** Builds all files of a release again, for a user whose files nobody else may read. */
export const release = (out: string) =>
  execute('sh', ['-c', 'umask 077 && exec "$0" "$@"', process.execPath, 'scripts/release.ts', '--out', out], {
    cwd: elsewhere,
  })

/** Copies a path of the context as `COPY` does, without what `.dockerignore` keeps away. */
function copyIn(from: string, to: string): void {
  const target = to.endsWith('/') ? join(context, to, basename(from)) : join(context, to)
  const isSent = (path: string): boolean => !/^(?:node_modules|dist)$/.test(basename(path))
  cpSync(join(root, from), target, { recursive: true, filter: isSent })
}

/** What `npm ci` installs: production packages as copies, which are packed, and links to the others. */
function providePackages(): void {
  const packed = new Set(productionPackages(root))
  const provide = (place: string): void => {
    const [from, to] = [join(root, place), join(context, place)]
    if (basename(place).startsWith('@')) {
      mkdirSync(to)
      for (const name of readdirSync(from)) provide(join(place, name))
    } else if (lstatSync(from).isSymbolicLink()) {
      // A workspace, which is the copy.
      symlinkSync(readlinkSync(from), to)
    } else if (packed.has(place)) cpSync(from, to, { recursive: true })
    else symlinkSync(from, to)
  }
  for (const workspace of ['', 'client', 'console']) {
    const modules = join(workspace, 'node_modules')
    if (!existsSync(join(root, modules))) continue
    mkdirSync(join(context, modules), { recursive: true })
    const names = readdirSync(join(root, modules)).filter((name) => name === '.bin' || !name.startsWith('.'))
    for (const name of names) provide(join(modules, name))
  }
}

/** The build stage, instruction by instruction; the packages are those of the checkout. */
async function buildStage(): Promise<void> {
  const [stage] = stages()
  mkdirSync(context)
  for (const one of stage?.instructions ?? assert.fail('the Dockerfile has no stage')) {
    const words = argumentsOf(one)
    if (one.getKeyword() === 'COPY') for (const from of words.slice(0, -1)) copyIn(from, words.at(-1) ?? '')
    if (one.getKeyword() !== 'RUN') continue
    if (words.slice(0, 2).join(' ') === 'npm ci') providePackages()
    else await execute('sh', ['-c', restOf(one)], { cwd: context, env: buildEnvironment })
  }
}

const buildEnvironment = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
}

before(async () => {
  await buildStage()
  renameSync(context, elsewhere)
  await release(outs[1])
})
after(async () => {
  // Some of it was made read-only.
  await execute('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

export function tarball(): string {
  const [out] = outs
  const name = readdirSync(out).find((file) => /^fairway-\d.*\.tgz$/.test(file))
  return join(out, name ?? assert.fail('no package was made'))
}
