/** Sends bytes over a socket and parses the responses. */

import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The longest a server may take for any input. */
const timeoutMs = 20_000

/**
 * Sends the bytes and reads until the server closes the connection. Null: it did not close in time. `noMoreAfterMs`
 * closes the sending side after a while, for servers that wait for more; not at once, because Node would then drop a
 * pending response.
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
    }, timeoutMs)
    const ending = noMoreAfterMs === null ? undefined : setTimeout(() => socket.end(), noMoreAfterMs)
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    // A server may close the connection before it has read everything; what it sent before counts.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      clearTimeout(ending)
      resolve(Buffer.concat(received))
    })
    socket.write(bytes)
  })
}

/** Parses all responses in the bytes; throws unless they are HTTP/1.1 responses with a length. */
export function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const headEnds = rest.indexOf('\r\n\r\n')
    if (headEnds < 0) throw new Error(`not an HTTP response: ${rest.subarray(0, 80).toString('latin1')}`)
    const [first = '', ...lines] = rest.subarray(0, headEnds).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(first)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new Error(`not a status line: ${first.slice(0, 80)}`)
    const headers = Object.fromEntries(lines.map(headerOf))
    const bodyEnds = headEnds + 4 + (status < 200 ? 0 : lengthOf(headers))
    if (bodyEnds > rest.length) throw new Error(`a response is cut off: ${first}`)
    if (status >= 200)
      answers.push({ status, headers, text: rest.subarray(headEnds + 4, bodyEnds).toString() })
    rest = rest.subarray(bodyEnds)
  }
  return answers
}

function headerOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
  if (name === '') throw new Error(`not a header: ${line.slice(0, 80)}`)
  return [name.toLowerCase(), value]
}

function lengthOf(headers: Readonly<Record<string, string>>): number {
  const stated = headers['content-length']
  if (stated === undefined || headers['transfer-encoding'] !== undefined)
    throw new Error('a response without a length')
  return Number(stated)
}
