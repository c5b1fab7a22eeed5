/** User commands under test: a terminal that is none, settings that are nobody's, and real processes with a home of their own. */

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { SettingsText, Terminal, UserDeps } from '../../../src/cli/user/session/deps.ts'
import { freePort } from './free-port.ts'
import { runInProcess, type Finished, type InProcessOptions } from './in-process.ts'
import { finished, run } from './process.ts'

export function terminalOf(more: Partial<Terminal> = {}): Terminal {
  const nobody = (): Promise<null> => Promise.resolve(null)
  return {
    isOutputTerminal: true,
    columns: 80,
    hasColour: false,
    isErrorTerminal: false,
    isInputTerminal: false,
    write: () => undefined,
    writeError: () => undefined,
    promptLine: nobody,
    askHidden: nobody,
    readLine: nobody,
    ...more,
  }
}

interface Settings {
  readonly url?: string
  readonly apiKey?: string
  readonly file?: SettingsText
}

export const settingsFilePath = '/home/user/.config/fairway/config.json'

/** `reads` counts how often the file was looked at. */
export function userOf({ url, apiKey, file = { kind: 'absent' } }: Settings): UserDeps & { reads: number } {
  const user = {
    reads: 0,
    environment: { url: url ?? null, apiKey: apiKey ?? null },
    terminal: terminalOf(),
    settingsFile: {
      path: settingsFilePath,
      read() {
        user.reads += 1
        return Promise.resolve(file)
      },
      write: () => Promise.reject(new Error('nothing is written here')),
      remove: () => Promise.reject(new Error('nothing is removed here')),
    },
    writeFile: () => Promise.reject(new Error('nothing is written here')),
    startServer: () => Promise.reject(new Error('nothing is started here')),
  }
  return user
}

/** A home folder of its own, so that nothing touches that of whoever runs the tests. */
export function homeIn(folder: string): Record<string, string> {
  return { HOME: folder, XDG_CONFIG_HOME: join(folder, 'settings'), TMPDIR: folder }
}

export const configIn = (folder: string): string => join(folder, 'settings', 'fairway', 'config.json')

export function writeConfig(folder: string, text: string, mode = 0o600): string {
  const path = configIn(folder)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

export interface FairwayOptions extends InProcessOptions {
  /** In a process of its own, and not on the terminal of a test. */
  readonly asProcess?: true
}

export type Fairway = (
  args: readonly string[],
  more?: Readonly<Record<string, string>>,
  options?: FairwayOptions,
) => Promise<Finished>

/** Runs commands of one user: by default in this process. */
export function fairwayOf(folder: string, environment: Readonly<Record<string, string>>): Fairway {
  return (args, more = {}, { asProcess, ...options } = {}) => {
    const settings = { ...homeIn(folder), ...environment, ...more }
    return asProcess ? run(args, settings, options) : runInProcess(args, settings, options)
  }
}

/** An address at which nobody listens. */
export const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`

/** A server that answers everything alike, and counts. */
export async function answering(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  work: (url: string, seen: () => number) => Promise<void>,
): Promise<void> {
  let requests = 0
  const stub = createHttpServer((_request, response) => {
    requests += 1
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(stub.address() as AddressInfo).port}`, () => requests)
  } finally {
    stub.closeAllConnections()
    await new Promise((resolve) => stub.close(resolve))
  }
}

const main = new URL('../../../src/main.ts', import.meta.url).pathname

export interface AtTerminal {
  readonly columns?: number
  /** What somebody types when they are asked. */
  readonly answers?: readonly (readonly [question: string, typed: string])[]
}

/** Runs a command on a real terminal. Its status is the command's, and both outputs are the terminal's. */
export async function onTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { columns = 120, answers = [] }: AtTerminal = {},
): Promise<Finished> {
  const words = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns} rows 40; exec ${words.join(' ')}`, '/dev/null'],
    {
      env: { PATH, NODE_COMPILE_CACHE, TERM: 'xterm-256color', ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const open = [...answers]
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const [next] = open
    if (next === undefined || !said.includes(next[0])) return
    open.shift()
    said = ''
    child.stdin.write(next[1])
  })
  const result = await finished(child)
  child.stdin.destroy()
  return result
}
