/** The Python of this machine, with the client of `clients/python`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

export const pythonClient = join(root, 'clients', 'python')
export const python = process.env['PYTHON'] ?? 'python3'

/** Modules are not compiled into the checkout. A warning, such as of a connection that was left open, is an error. */
export const pythonEnvironment = {
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONPATH: join(pythonClient, 'src'),
  PYTHONWARNINGS: 'error',
}

const scriptMsMax = 60_000

interface RunningProgram {
  readonly write: (text: string) => void
  /** Ends its standard input. */
  readonly close: () => void
  /** What it printed, once it has ended; throws if it failed. */
  readonly done: () => Promise<string>
}

interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

function start(program: string, args: readonly string[], options: ProgramOptions): RunningProgram {
  const { env = pythonEnvironment, cwd = root } = options
  const child = spawn(program, args, { cwd, env, timeout: scriptMsMax, killSignal: 'SIGKILL' })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text))
  child.stdin.on('error', () => undefined)
  const closed = once(child, 'close') as Promise<[number | null]>
  return {
    write: (text) => void child.stdin.write(text),
    close: () => void child.stdin.end(),
    async done() {
      const [code] = await closed
      if (code === 0) return printed.stdout
      throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed.stdout}${printed.stderr}`)
    },
  }
}

/** Runs a program to its end and returns what it printed. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<string> {
  const running = start(program, args, options)
  running.close()
  return running.done()
}

/** Starts a script of the tests, with a value as the first line of its standard input. */
export function startPython(script: string, input: unknown, ...args: string[]): RunningProgram {
  const running = start(python, [script, ...args], {})
  running.write(`${JSON.stringify(input)}\n`)
  return running
}

export const runPython = (script: string, input: unknown, ...args: string[]): Promise<string> =>
  startPython(script, input, ...args).done()
