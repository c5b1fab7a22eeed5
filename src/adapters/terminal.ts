/** The terminal of a user command: whether there is one, how wide, with colour or not, and whom to ask. */

import { Writable } from 'node:stream'

type Environment = Readonly<Record<string, string | undefined>>

/** `NO_COLOR` and `FORCE_COLOR` as they are used everywhere; whoever wants none comes first. */
export function hasColour(environment: Environment, isTerminal: boolean): boolean {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: term = '' } = environment
  if (none !== '') return false
  if (forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && term !== 'dumb'
}

/** `isTTY` is undefined where it is none, whatever its type says. */
const isTerminal = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true

export function openTerminal(environment: Environment) {
  const { stdin, stdout, stderr } = process
  const isOutputTerminal = isTerminal(stdout)
  return {
    isOutputTerminal,
    // Some terminals say that they have no columns.
    columns: isOutputTerminal && stdout.columns > 0 ? stdout.columns : null,
    hasColour: hasColour(environment, isOutputTerminal),
    isErrorTerminal: isTerminal(stderr),
    isInputTerminal: isTerminal(stdin),
    askLine: (question: string) => ask(question, stderr, true),
    askHidden: (question: string) => ask(question, nowhere(), true),
    readLine: () => ask('', nowhere(), false),
  }
}

/** What is typed is echoed there, where nobody sees it. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** The question goes to the error output: standard output is the command's answer. */
async function ask(question: string, echo: NodeJS.WritableStream, terminal: boolean): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  const lines = createInterface({ input: process.stdin, output: echo, terminal })
  // Only now: from here on the terminal itself shows nothing of what is typed.
  process.stderr.write(question)
  const isHidden = terminal && echo !== process.stderr
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(null))
      // In this mode the terminal leaves Ctrl-C to us.
      lines.once('SIGINT', () => {
        lines.close()
        process.stderr.write('\n')
        process.kill(process.pid, 'SIGINT')
      })
    })
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}
