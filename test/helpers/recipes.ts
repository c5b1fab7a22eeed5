/** The recipes of `examples` as a user has them: copied into a project of their own, with what it installs. */

import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { inherited } from './process/in-process.ts'
import { finished, type Finished } from './process/process.ts'
import { installClient, lend } from './process/package.ts'

const root = new URL('../../', import.meta.url).pathname

/** Copies files of `examples` into a new project with the packed client and these packages; its folder. */
export async function recipeProject(
  folder: string,
  files: readonly string[],
  packages: readonly string[],
): Promise<string> {
  const { project } = await installClient(folder)
  for (const name of packages) lend(project, name)
  for (const file of files) copyFileSync(join(root, 'examples', file), join(project, file))
  return project
}

/** A folder with the command `fairway`, as `npm link` puts it on the path. */
export function folderWithFairway(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(join(root, 'bin', 'fairway.js'), join(bin, 'fairway'))
  return bin
}

/** A program that goes on until it is stopped. */
export interface RunningRecipe {
  readonly child: ChildProcess
  readonly ended: Promise<Finished>
  readonly output: () => string
  /** Resolves to the match once the pattern stands in what it wrote; fails if it ends before. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly stop: (signal?: NodeJS.Signals) => Promise<Finished>
}

export function startRecipe(
  project: string,
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): RunningRecipe {
  return watchRecipe(
    spawn(process.execPath, [program, ...args], {
      cwd: project,
      env: { ...inherited(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
}

/** A process with its standard output and error as pipes. */
export function watchRecipe(child: ChildProcessByStdio<null, Readable, Readable>): RunningRecipe {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = finished(child)
  return {
    child,
    ended,
    output: () => output,
    async said(pattern) {
      for (;;) {
        const found = pattern.exec(output)
        if (found !== null) return found
        const isOver = await Promise.race([
          once(child.stdout, 'data').then(() => false),
          once(child.stderr, 'data').then(() => false),
          ended.then(() => true),
        ])
        if (isOver && !pattern.test(output)) throw new Error(`it ended and had said: ${output}`)
      }
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
