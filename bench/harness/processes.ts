/** Manages the benchmark's processes and temporary directories, and cleans them up at the end. */

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const stopMsMax = 15_000

const root = join(import.meta.dirname, '../..')

const running = new Set<ChildProcess>()
const directories = new Set<string>()
const closers = new Set<() => Promise<void>>()

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
}

/** Starts `node` in the project's root, without the environment of the shell. */
export function startNode(args: readonly string[], options: StartOptions = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...options.settings },
    stdio: options.stdio ?? 'pipe',
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Sends SIGTERM, then SIGKILL after a timeout. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await ended
  clearTimeout(timer)
}

/** Runs `node` and returns its standard output. Throws with its error output if it fails. */
export async function runNode(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  options: {
    readonly timeoutMs: number
    readonly showProgress?: boolean
    readonly onStart?: (pid: number) => void
  },
): Promise<string> {
  const stderr = options.showProgress === true ? 'inherit' : 'pipe'
  const child = startNode(args, { settings, stdio: ['ignore', 'pipe', stderr] })
  if (child.pid !== undefined) options.onStart?.(child.pid)
  let output = ''
  let errorOutput = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  if (code !== 0)
    throw new Error(`node ${args.join(' ')} ended with ${code ?? signal}: ${errorOutput.trim()}`)
  return output
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fairway-bench-'))
  directories.add(directory)
  return directory
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
  directories.delete(directory)
}

/** Registers a function that runs at the end, however the benchmark ends; for example to stop a database server. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.add(close)
}

/** Stops all processes and removes all directories. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stopProcess))
  for (const close of closers) await close()
  closers.clear()
  for (const directory of directories) removeDirectory(directory)
}

let interrupted = false

/** True after SIGINT or SIGTERM: later failures are expected. */
export function wasInterrupted(): boolean {
  return interrupted
}

/** Handles other ends: a signal stops everything in order, and an exit kills the remaining processes. */
export function handleExits(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      interrupted = true
      void stopAll().finally(() => process.exit(code))
    })
  }
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })
}
