/** The real program as a process of its own: started, watched, stopped. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { keyFileSetting } from '../installation-key.ts'
import { checkedFetch } from './checked-fetch.ts'
import { inherited, oftenAsked, runInProcess, type Finished, type RunOptions } from './in-process.ts'

export type { Finished, RunOptions }

const main = new URL('../../../src/main.ts', import.meta.url).pathname

export interface StartOptions {
  readonly cwd?: string | undefined
  readonly stdin?: 'ignore' | 'pipe'
  /** A command that runs the program in its own place, as `strace -D` does: with its arguments, which the program follows. */
  readonly under?: readonly string[] | undefined
  /** The entry of another version of the program; today's if absent. */
  readonly entry?: string | undefined
  /** Another Node.js than this one. */
  readonly node?: string | undefined
}

/** Starts a command; its standard input stays open where it has one. */
export function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { cwd, stdin = 'ignore', under = [], entry = main, node = process.execPath }: StartOptions = {},
): ChildProcess {
  const [command = process.execPath, ...rest] = [...under, node, entry, ...args]
  return spawn(command, rest, {
    env: { ...inherited(), ...keyFileSetting(environment), ...environment },
    stdio: [stdin, 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
}

/** Starts the server with its log in this file, and waits until it says to its parent that it is up. */
export async function serveInto(
  logFile: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly stop: () => Promise<Finished> }> {
  const log = openSync(logFile, 'w')
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...inherited(), PORT: '0', ...environment },
    stdio: ['ignore', log, 'pipe', 'ipc'],
  })
  closeSync(log)
  const end = finished(child)
  const isUp = once(child, 'message') as Promise<[{ readonly url: string }]>
  const [{ url }] = await Promise.race([
    isUp,
    end.then(({ code, stderr }) => Promise.reject(new Error(`the server ended with ${code}: ${stderr}`))),
  ])
  return {
    url,
    stop() {
      child.kill('SIGTERM')
      return end
    },
  }
}

/** Runs a command to its end. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { input, cwd }: RunOptions = {},
): Promise<Finished> {
  const child = start(args, environment, { cwd, stdin: input === undefined ? 'ignore' : 'pipe' })
  child.stdin?.on('error', () => {
    // It may end before it has read everything.
  })
  child.stdin?.end(input)
  return finished(child)
}

/** Collects what a process says until it ends. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout, stderr }
}

export interface Served {
  readonly url: string
  readonly child: ChildProcess
  readonly output: () => string
  /** Resolves when the pattern stands in what it wrote. */
  readonly said: (pattern: RegExp) => Promise<void>
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Starts the server on a port of its own choice and waits until it says that it is up. */
export async function serve(
  environment: Readonly<Record<string, string>>,
  options: Pick<StartOptions, 'cwd' | 'under' | 'entry' | 'node'> = {},
): Promise<Served> {
  const child = start(['serve'], { PORT: '0', ...oftenAsked, ...environment }, options)
  let output = ''
  const ended = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString()
      const up = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (up !== undefined) resolve(up)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  return {
    url,
    child,
    output: () => output,
    async said(pattern) {
      while (!pattern.test(output)) await once(child.stdout ?? child, 'data')
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}

/** The codes of a hold while the database is away or the machine is overloaded: the same request may be sent again. */
export const holdCodes = /^(?:STORE_UNAVAILABLE|OVERLOADED)$/

export interface IssuedJson {
  readonly key_id: string
  readonly owner_id: string
  readonly key: string
  readonly [member: string]: unknown
}

export async function issueByCli(databaseUrl: string, ...more: readonly string[]): Promise<IssuedJson> {
  const args = ['keys', 'issue', '--type', 'test', '--owner', 'End to end', '--json', ...more]
  const { code, stdout, stderr } = await runInProcess(args, { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as IssuedJson
}

export function ask(url: string, key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return checkedFetch(`${url}/api/v1/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
