/** Requests as bytes, and what a line, a proxy or an attacker may make of them. */

import type { Generated } from './generate.ts'
import type { Chance } from './random.ts'

/** As a correct client writes it, for a connection that ends with it. */
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

/** Lines that a head may have beside its own. */
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

type Maim = (bytes: Buffer, chance: Chance) => Buffer

/** What may be done to the bytes of a request, each as often as the next. */
const maims: readonly Maim[] = [
  (bytes) => bytes,
  (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  (bytes, chance) => {
    for (let changed = 0; changed <= chance.below(6); changed += 1)
      bytes[chance.below(bytes.length)] = chance.below(256)
    return bytes
  },
  (bytes, chance) => {
    const at = bytes.indexOf('\r\n') + 2
    const line = Buffer.from(`${chance.pick(addedLines)}\r\n`, 'latin1')
    return Buffer.concat([bytes.subarray(0, at), line, bytes.subarray(at)])
  },
  (bytes, chance) => {
    const at = chance.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), chance.bytes(1 + chance.below(30)), bytes.subarray(at)])
  },
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (bytes) => Buffer.concat([bytes, bytes]),
  (_bytes, chance) => Buffer.from(chance.bytes(1 + chance.below(500))),
  (bytes, chance) => {
    const version = chance.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.11', 'HTTP', ''])
    return Buffer.from(bytes.toString('latin1').replace('HTTP/1.1', version), 'latin1')
  },
]

/** HEAD is left out: its answers have a length and no body, which cannot be told from bytes alone. */
export function maimed(chance: Chance, asked: Generated): Buffer {
  return chance.pick(maims)(plain(asked, asked.method === 'HEAD' ? 'GET' : asked.method), chance)
}
