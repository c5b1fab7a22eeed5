/** Bytes over a socket, and the answers that came back for them. */

import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** However long a server may take over what it does not understand, it does not take longer. */
const patienceMs = 20_000

/**
 * Sends the bytes and reads until the other side has ended. Null: it did not end in time. Who waits for more than was
 * sent is told after a while that none will come; not at once, since Node then drops an answer that is under way.
 */
export function sendRaw(
  port: number,
  bytes: Uint8Array,
  { noMoreAfterMs = null }: { noMoreAfterMs?: number | null } = {},
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      resolve(null)
    }, patienceMs)
    const ending = noMoreAfterMs === null ? undefined : setTimeout(() => socket.end(), noMoreAfterMs)
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    // A server may hang up before it has read all: what it said before that counts.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      clearTimeout(ending)
      resolve(Buffer.concat(received))
    })
    socket.write(bytes)
  })
}

/** Every answer that the bytes hold; throws where they are no answers of HTTP/1.1 with a length. */
export function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const headEnds = rest.indexOf('\r\n\r\n')
    if (headEnds < 0) throw new Error(`no answer: ${rest.subarray(0, 80).toString('latin1')}`)
    const [first = '', ...lines] = rest.subarray(0, headEnds).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(first)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new Error(`no status line: ${first.slice(0, 80)}`)
    const headers = Object.fromEntries(lines.map(headerOf))
    const bodyEnds = headEnds + 4 + (status < 200 ? 0 : lengthOf(headers))
    if (bodyEnds > rest.length) throw new Error(`an answer ends too early: ${first}`)
    if (status >= 200)
      answers.push({ status, headers, text: rest.subarray(headEnds + 4, bodyEnds).toString() })
    rest = rest.subarray(bodyEnds)
  }
  return answers
}

function headerOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
  if (name === '') throw new Error(`no header: ${line.slice(0, 80)}`)
  return [name.toLowerCase(), value]
}

function lengthOf(headers: Readonly<Record<string, string>>): number {
  const stated = headers['content-length']
  if (stated === undefined || headers['transfer-encoding'] !== undefined)
    throw new Error('an answer without a length')
  return Number(stated)
}
