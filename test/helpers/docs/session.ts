/** The terminals of a reader: one in which exports and folder hold from block to block, and one for each thing that keeps running. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, type Checkout } from './checkout.ts'
import { endProcess, forgetGroup, watchGroup } from './leftovers.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing that a document shows takes so long; what hangs is told with what it said. */
const blockMsMax = 60_000

/**
 * Only what would run the suite inside itself, or change what is installed, is answered in its place: the package step is what
 * brought us here, and packages, suite and benchmark are tried elsewhere. In the checkout npm does nothing else that is not
 * named here, since through the links it would write into the real one; in a folder that the reader has made it does as told, and
 * packages of this repository are lent to it. An HTTP error is a failure here, so that no example is refused unnoticed.
 */
const preludeOf = ({ folder, directory }: Checkout): string => `
npm() {
  case " $* " in *' --prefix'*|*' -C '*|*' -g '*|*' --global '*) refuse_npm "$@"; return 1 ;; esac
  case "$PWD/" in
    '${directory}'/*) npm_in_checkout "$@" ;;
    '${folder}'/*) npm_in_project "$@" ;;
    *) refuse_npm "$@" ;;
  esac
}
npm_in_checkout() {
  case "$*" in
    ci|install|link|test|'run check'|'run bench'|'run bench -- --quick') echo "npm $*: not run again" >&2 ;;
    start|'pack -w client'|'run -s provider'|'run -s identity-provider -- '*|'run -s fairway -- '*|'run -s backup -- '*) command npm "$@" ;;
    *) refuse_npm "$@" ;;
  esac
}
npm_in_project() {
  case "$*" in
    'install express'|'install fastify'|'install pg') ln -s "${root}node_modules/$2" "node_modules/$2" ;;
    *) command npm "$@" ;;
  esac
}
refuse_npm() {
  echo "npm $*: no document may do this outside of a folder of its own" >&2
  return 1
}
curl() { command curl --fail-with-body "$@"; }
keep_terminal() { { export -p; printf 'cd %q\\n' "$PWD"; } > '${join(folder, 'terminal.sh')}'; }
`

/** What announces that a program is ready. */
const ready = /[Ll]istening at https?:/

export class Session {
  readonly #checkout: Checkout
  readonly #running: Background[] = []
  readonly #left: number[] = []
  #printed = ''
  #count = 0

  constructor(checkout: Checkout) {
    this.#checkout = checkout
    writeFileSync(join(checkout.folder, 'prelude.sh'), preludeOf(checkout))
  }

  /** All that was printed so far, in the order in which it came. */
  get printed(): string {
    return this.#printed
  }

  /** Of the newest program that keeps running. */
  get background(): Background | null {
    return this.#running.at(-1) ?? null
  }

  /** Runs a block to its end; what it exports, and the folder that it has gone to, the next one has. */
  async run(script: string): Promise<Ended> {
    const child = this.#spawn(script, true)
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), blockMsMax)
    const output = this.#listen(child)
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      // A server that `quickstart` has started goes on without anybody, and tells its number.
      const started = /"server":\{"started":true,"pid":(\d+)/.exec(output.stdout)?.[1]
      if (started !== undefined) this.#left.push(Number(started))
      return { code, ...output }
    } finally {
      clearTimeout(timer)
      // What it left behind is not the next one's.
      endGroup(child, 'SIGKILL')
    }
  }

  /** Saves a text where the reader's terminal is. */
  async save(name: string, text: string): Promise<void> {
    const source = join(this.#checkout.folder, 'saved')
    writeFileSync(source, text)
    const { code, stderr } = await this.run(`cp '${source}' '${name}'`)
    if (code !== 0) throw new Error(stderr)
  }

  /** Starts a block that keeps running, and waits until it says that it is up. `inSession`: with what was exported before. */
  async start(name: string, script: string, inSession: boolean): Promise<void> {
    const child = this.#spawn(script, inSession)
    const background = new Background(name, child, this.#listen(child))
    this.#running.push(background)
    await background.says((output) => ready.test(output), 'that it is up')
  }

  /** Stops the servers, which another one is to take the place of. */
  async stopServers(): Promise<void> {
    const servers = this.#running.filter(({ output }) => /server: listening at/.test(output()))
    await Promise.all(servers.map((one) => one.stop()))
  }

  /** What keeps running must keep running. */
  check(): void {
    for (const one of this.#running) one.check()
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((one) => one.stop()))
    // Nobody hears of its end, so it gets no time to say goodbye; its data is thrown away.
    for (const pid of this.#left) endProcess(pid, 'SIGKILL')
  }

  #spawn(script: string, inSession: boolean): ChildProcess {
    const { folder, directory, environment } = this.#checkout
    const place = (name: string): string => `'${join(folder, name)}'`
    this.#count += 1
    const file = `block-${this.#count}.sh`
    writeFileSync(join(folder, file), script)
    const terminal = join(folder, 'terminal.sh')
    const whole = [
      'set -euo pipefail',
      `source ${place('prelude.sh')}`,
      inSession && existsSync(terminal) ? `source ${place('terminal.sh')}` : '',
      inSession ? 'trap keep_terminal EXIT' : '',
      `source ${place(file)}`,
    ]
    const child = spawn('bash', ['--noprofile', '--norc', '-c', whole.join('\n')], {
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    watchGroup(child.pid)
    child.once('close', () => forgetGroup(child.pid))
    return child
  }

  #listen(child: ChildProcess): { stdout: string; stderr: string } {
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk
        this.#printed += chunk
      })
    }
    return output
  }
}

/** Something that keeps running in a terminal of its own. */
export class Background {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #output: { stdout: string; stderr: string }
  #isStopped = false

  constructor(name: string, child: ChildProcess, output: { stdout: string; stderr: string }) {
    this.#name = name
    this.#child = child
    this.#output = output
  }

  output = (): string => this.#output.stderr + this.#output.stdout

  stdout = (): string => this.#output.stdout

  /** Waits until what it printed is as wanted. */
  async says(isSo: (output: string) => boolean, what: string): Promise<void> {
    const late = AbortSignal.timeout(blockMsMax)
    while (!isSo(this.output())) {
      this.check()
      const { stdout, stderr } = this.#child
      const waiting = new AbortController()
      const signal = AbortSignal.any([late, waiting.signal])
      const more = [stdout, stderr].map((stream) => once(stream ?? this.#child, 'data', { signal }))
      await Promise.race([...more, once(this.#child, 'close', { signal })]).catch(() => {
        throw new Error(`${this.#name} did not say ${what}; it said:\n${this.output()}`)
      })
      waiting.abort()
      await Promise.allSettled(more)
    }
  }

  check(): void {
    const { exitCode, signalCode } = this.#child
    if (this.#isStopped || (exitCode === null && signalCode === null)) return
    throw new Error(
      `${this.#name} ended by itself with ${exitCode ?? signalCode}; it said:\n${this.output()}`,
    )
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return endGroup(this.#child, 'SIGKILL')
    const ended = once(this.#child, 'close')
    endGroup(this.#child, 'SIGTERM')
    const timer = setTimeout(() => endGroup(this.#child, 'SIGKILL'), blockMsMax)
    await ended
    clearTimeout(timer)
  }
}

/** The shell and all that it started. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) endProcess(-pid, signal)
}
