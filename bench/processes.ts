/** Starts what the bench needs and sees to it that no process and no directory of it is left behind. */

import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const stopMsMax = 15_000

const root = join(import.meta.dirname, '..')

const running = new Set<ChildProcess>()
const directories = new Set<string>()
const closers = new Set<() => Promise<void>>()

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
}

/** `node` with these arguments, in the project's root; settings of the surrounding shell do not reach it. */
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

/** Asks the process to end, and makes it end when it does not. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await ended
  clearTimeout(timer)
}

/** Runs `node` to its end and gives its standard output; anything but success is an error that says what it said. */
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
  let complaint = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code ?? signal}: ${complaint.trim()}`)
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

/** Something that takes a while to close, such as a database server: closed at the end, whatever the end is. */
export function closeAtEnd(close: () => Promise<void>): void {
  closers.add(close)
}

/** The orderly end. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stopProcess))
  for (const close of closers) await close()
  closers.clear()
  for (const directory of directories) removeDirectory(directory)
}

let interrupted = false

/** True once a signal has asked for the end: what fails after that is no news. */
export function wasInterrupted(): boolean {
  return interrupted
}

/** Covers the other ends: a signal closes in order, and what is still there when the process exits is ended at once. */
export function guardEnds(): void {
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
