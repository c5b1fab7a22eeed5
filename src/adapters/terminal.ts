/** Terminal access for user commands: detection, width, colour and prompts. */

import { Writable, type Readable } from 'node:stream'

type Environment = Readonly<Record<string, string | undefined>>

/** Follows the `NO_COLOR` and `FORCE_COLOR` conventions; `NO_COLOR` takes precedence. */
export function hasColour(environment: Environment, isTerminal: boolean): boolean {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: term = '' } = environment
  if (none !== '') return false
  if (forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && term !== 'dumb'
}

interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The process that owns the terminal. */
interface Host {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly pid: number
  kill(pid: number, name: 'SIGINT'): unknown
}

/** `isTTY` is undefined, not false, if the stream is not a terminal. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true

export function openTerminal(host: Host) {
  const { env, stdin, stdout, stderr } = host
  const isOutputTerminal = isTerminal(stdout)
  const { columns = 0 } = stdout
  return {
    isOutputTerminal,
    // Some terminals report zero columns.
    columns: isOutputTerminal && columns > 0 ? columns : null,
    hasColour: hasColour(env, isOutputTerminal),
    isErrorTerminal: isTerminal(stderr),
    isInputTerminal: isTerminal(stdin),
    write: (text: string) => void stdout.write(text),
    writeError: (text: string) => void stderr.write(text),
    promptLine: (question: string) => ask(host, question, stderr, true),
    askHidden: (question: string) => ask(host, question, discardingStream(), true),
    readLine: () => ask(host, '', discardingStream(), false),
  }
}

/** Discards the echo of hidden input. */
function discardingStream(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** Prompts on standard error, because standard output carries the command's result. */
async function ask(
  host: Host,
  question: string,
  echo: NodeJS.WritableStream,
  terminal: boolean,
): Promise<string | null> {
  const { stdin, stderr } = host
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: stdin, output: echo, terminal })
  // Print the prompt only now that readline has turned off the terminal's own echo.
  stderr.write(question)
  const isHidden = terminal && echo !== stderr
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(null))
      // In raw mode the terminal does not turn Ctrl-C into a signal.
      lines.once('SIGINT', () => {
        lines.close()
        stderr.write('\n')
        host.kill(host.pid, 'SIGINT')
      })
    })
  } finally {
    lines.close()
    if (isHidden) stderr.write('\n')
  }
}
