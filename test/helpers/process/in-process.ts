/** Commands without a process of their own: the same entry and the same parts, with streams, settings and signals that are theirs alone. */

import { EventEmitter, once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { cliDeps, type Host } from '../../../src/cli-deps.ts'
import { runCli } from '../../../src/cli/run.ts'
import { keyFileSetting } from '../installation-key.ts'

export interface Finished {
  readonly code: number | null
  /** The signal by which it ended, if it did. */
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** What it reads on its standard input; by default nothing. */
  readonly input?: string | Uint8Array
  readonly cwd?: string
}

/** The settings of whoever runs the tests are not the program's. */
export function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

/** Tests ask for figures over and over until they say what is waited for. */
export const oftenAsked = { FAIRWAY_LIMIT_PUBLIC: '100000000/60' } as const

/** Keeps what is written. */
class KeptOutput extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number

  readonly #onText: () => void

  constructor(columns: number | null, onText: () => void) {
    super({ decodeStrings: false })
    this.#onText = onText
    this.isTTY = columns !== null
    this.columns = columns ?? 0
  }

  override _write(piece: string | Buffer, _encoding: string, done: () => void): void {
    this.text += String(piece)
    this.#onText()
    done()
  }
}

type Ending = Pick<Finished, 'code' | 'signal'>

class CommandHost extends EventEmitter implements Host {
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Readable
  readonly stdout: KeptOutput
  readonly stderr: KeptOutput
  readonly pid = process.pid
  readonly #ended = Promise.withResolvers<Ending>()

  constructor(
    environment: Readonly<Record<string, string>>,
    input: string | Uint8Array = '',
    columns: number | null = null,
  ) {
    super()
    this.env = { ...inherited(), ...keyFileSetting(environment), ...environment }
    this.stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)], { objectMode: false })
    const onText = (): void => void this.emit('text')
    this.stdout = new KeptOutput(columns, onText)
    this.stderr = new KeptOutput(columns, onText)
  }

  /** As the system does: a signal that nobody waits for ends it. */
  kill(_pid: number, name: NodeJS.Signals): void {
    if (!this.emit(name, name)) this.#ended.resolve({ code: null, signal: name })
  }

  exit(code: number): void {
    this.#ended.resolve({ code, signal: null })
  }

  async run(args: readonly string[]): Promise<Finished> {
    const returned = runCli(['node', 'fairway', ...args], cliDeps(this))
    const ending = returned.then((code) => ({ code, signal: null }))
    const { code, signal } = await Promise.race([ending, this.#ended.promise])
    return { code, signal, stdout: this.stdout.text, stderr: this.stderr.text }
  }
}

/** Who is at work in which folder: a process has one at a time. */
const working = { count: 0, folder: '', home: '' }

async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (working.count > 0 && working.folder !== folder) throw new Error('commands run in two folders at once')
  if (working.count === 0) {
    Object.assign(working, { folder, home: process.cwd() })
    process.chdir(folder)
  }
  working.count += 1
  try {
    return await work()
  } finally {
    working.count -= 1
    if (working.count === 0) process.chdir(working.home)
  }
}

export interface InProcessOptions extends RunOptions {
  /** The width of the terminal that it writes to; by default it writes to none. */
  readonly columns?: number
}

/** Runs a command to its end. */
export async function runInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { input, cwd, columns }: InProcessOptions = {},
): Promise<Finished> {
  const host = new CommandHost(environment, input, columns)
  return cwd === undefined ? host.run(args) : inFolder(cwd, () => host.run(args))
}

/** A command that goes on until it is stopped. */
export interface Running {
  readonly output: () => string
  /** Resolves to the match when the pattern stands in what it wrote; fails where it ends before. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
  /** Sends a signal and waits for the end. */
  readonly stop: (name?: NodeJS.Signals) => Promise<number | null>
}

export function startInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const host = new CommandHost(environment)
  const ended = host.run(args)
  const output = (): string => host.stdout.text + host.stderr.text
  const over = ended.then(({ code }) => Promise.reject(new Error(`it ended with ${code}: ${output()}`)))
  // Of interest to those who wait for its words alone.
  over.catch(() => undefined)
  return {
    output,
    async said(pattern) {
      for (;;) {
        const found = pattern.exec(output())
        if (found !== null) return found
        await Promise.race([once(host, 'text'), over])
      }
    },
    signal: (name) => host.kill(host.pid, name),
    async stop(name = 'SIGTERM') {
      host.kill(host.pid, name)
      return (await ended).code
    },
  }
}

export interface ServedInProcess extends Running {
  readonly url: string
}

/** The server as `fairway serve` runs it, on a port of its own choice. */
export async function serveInProcess(
  environment: Readonly<Record<string, string>>,
): Promise<ServedInProcess> {
  const running = startInProcess(['serve'], { PORT: '0', ...oftenAsked, ...environment })
  const [, url = ''] = await running.said(/"url":"(http:[^"]+)"/)
  return { ...running, url }
}
