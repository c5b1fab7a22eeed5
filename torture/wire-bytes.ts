/** Serialises requests to bytes and mutates them, as a bad network, proxy or attacker might. */

import type { Generated } from './generate.ts'
import type { Rng } from './random.ts'

/** The request as a correct client sends it, on a connection that closes after it. */
function plain({ url, headers, body }: Generated, method: string): Buffer {
  const lines = [
    `${method} ${url} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Header lines to inject. */
const addedLines: readonly string[] = [
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  ' folded',
  'Host: another',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Expect: 100-continue',
  'Connection: keep-alive',
  'X: \u0000',
  'No colon',
  ': no name',
  'A: b\nC: d',
  'A: b\rC: d',
  `Long: ${'x'.repeat(20_000)}`,
  ...Array.from({ length: 3 }, (_, round) => `N${round}: v\r\n`.repeat(900).trimEnd()),
]

type Mutation = (bytes: Buffer, rng: Rng) => Buffer

/** Mutations of a request's bytes, equally likely. */
const mutations: readonly Mutation[] = [
  (bytes) => bytes,
  (bytes, rng) => bytes.subarray(0, rng.below(bytes.length)),
  (bytes, rng) => {
    for (let changed = 0; changed <= rng.below(6); changed += 1)
      bytes[rng.below(bytes.length)] = rng.below(256)
    return bytes
  },
  (bytes, rng) => {
    const at = bytes.indexOf('\r\n') + 2
    const line = Buffer.from(`${rng.pick(addedLines)}\r\n`, 'latin1')
    return Buffer.concat([bytes.subarray(0, at), line, bytes.subarray(at)])
  },
  (bytes, rng) => {
    const at = rng.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), rng.bytes(1 + rng.below(30)), bytes.subarray(at)])
  },
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (bytes) => Buffer.concat([bytes, bytes]),
  (_bytes, rng) => Buffer.from(rng.bytes(1 + rng.below(500))),
  (bytes, rng) => {
    const version = rng.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.11', 'HTTP', ''])
    return Buffer.from(bytes.toString('latin1').replace('HTTP/1.1', version), 'latin1')
  },
]

/** HEAD becomes GET: its responses have a length but no body, which the bytes alone do not show. */
export function mutated(rng: Rng, request: Generated): Buffer {
  return rng.pick(mutations)(plain(request, request.method === 'HEAD' ? 'GET' : request.method), rng)
}
