/** The last released version, taken from the repository's history, with today's packages. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A release moves this on. Its schema is 17. */
const releasedCommit = 'ec6268f0ea9d6d0dae030c856898d1ef07dff3bf'
/** The parts that the program needs, without its tests. */
const parts = ['bin', 'src', 'client/src', 'package.json']
const root = fileURLToPath(new URL('../..', import.meta.url))

interface Released {
  /** The entry of its program. */
  readonly entry: string
  remove(): void
}

/** Why it cannot be had here; null if it can. */
export function whyNoRelease(): string | null {
  try {
    git('cat-file', '-e', `${releasedCommit}^{commit}`)
    return null
  } catch {
    return `the released version (commit ${releasedCommit.slice(0, 8)}) is not in this checkout: a full clone has it`
  }
}

export function takeRelease(): Released {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-released-'))
  const archive = join(folder, 'released.tar')
  const program = join(folder, 'program')
  mkdirSync(program)
  git('archive', `--output=${archive}`, releasedCommit, ...parts)
  execFileSync('tar', ['-x', '-f', archive, '-C', program])
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'))
  return {
    entry: join(program, 'src', 'main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function git(...args: readonly string[]): void {
  execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
}
