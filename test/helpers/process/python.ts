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

/** Runs a program to its end and returns what it printed; throws if it failed. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<string> {
  const { input = '', env = pythonEnvironment, cwd = root } = options
  const child = spawn(program, args, { cwd, env, timeout: scriptMsMax, killSignal: 'SIGKILL' })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text))
  child.stdin.on('error', () => undefined).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return printed.stdout
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${printed.stdout}${printed.stderr}`)
}

/** Runs a script of the tests with a value on its standard input. */
export const runPython = (script: string, input: unknown, ...args: string[]): Promise<string> =>
  runProgram(python, [script, ...args], { input: JSON.stringify(input) })
