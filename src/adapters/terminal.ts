/** The terminal of a user command: whether there is one, how wide, with colour or not, and whom to ask. */

import { Writable, type Readable } from 'node:stream'

type Environment = Readonly<Record<string, string | undefined>>

/** `NO_COLOR` and `FORCE_COLOR` as they are used everywhere; whoever wants none comes first. */
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

/** The process whose terminal it is. */
interface Host {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly pid: number
  kill(pid: number, name: 'SIGINT'): unknown
}

/** `isTTY` is undefined where it is none, whatever its type says. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true

export function openTerminal(host: Host) {
  const { env, stdin, stdout, stderr } = host
  const isOutputTerminal = isTerminal(stdout)
  const { columns = 0 } = stdout
  return {
    isOutputTerminal,
    // Some terminals say that they have no columns.
    columns: isOutputTerminal && columns > 0 ? columns : null,
    hasColour: hasColour(env, isOutputTerminal),
    isErrorTerminal: isTerminal(stderr),
    isInputTerminal: isTerminal(stdin),
    write: (text: string) => void stdout.write(text),
    writeError: (text: string) => void stderr.write(text),
    askLine: (question: string) => ask(host, question, stderr, true),
    askHidden: (question: string) => ask(host, question, nowhere(), true),
    readLine: () => ask(host, '', nowhere(), false),
  }
}

/** What is typed is echoed there, where nobody sees it. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** The question goes to the error output: standard output is the command's answer. */
async function ask(
  host: Host,
  question: string,
  echo: NodeJS.WritableStream,
  terminal: boolean,
): Promise<string | null> {
  const { stdin, stderr } = host
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: stdin, output: echo, terminal })
  // Only now: from here on the terminal itself shows nothing of what is typed.
  stderr.write(question)
  const isHidden = terminal && echo !== stderr
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(null))
      // In this mode the terminal leaves Ctrl-C to us.
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
