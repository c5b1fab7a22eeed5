/** A line between two parties that a test can cut and heal: reset at once, or silent, as a network that drops everything. */

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** `reset`: connections break, new ones too. `swallow`: they stay open, and nothing arrives any more, in either direction. */
  cut(how: 'reset' | 'swallow'): void
  /** What was swallowed arrives late, as packets that are sent again do. */
  heal(): void
  close(): Promise<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

/** Port 0 is any free one. */
export async function openTcpProxy(
  target: { host: string; port: number },
  listenPort = 0,
): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let state: 'open' | 'reset' | 'swallow' = 'open'
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (state === 'reset') near.resetAndDestroy()
    else pairs.add(joined(near, connect(target), (pair) => pairs.delete(pair)))
    if (state === 'swallow') hush(pairs)
  })
  server.listen(listenPort, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut(how) {
      state = how
      if (how === 'reset') breakAll()
      else hush(pairs)
    },
    heal() {
      state = 'open'
      for (const { near, far } of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
    },
  }
}

function joined(near: Socket, far: Socket, onEnd: (pair: Pair) => void): Pair {
  const pair = { near, far }
  far.on('error', () => undefined)
  near.pipe(far)
  far.pipe(near)
  near.once('close', () => far.destroy())
  far.once('close', () => {
    near.destroy()
    onEnd(pair)
  })
  return pair
}

function hush(pairs: ReadonlySet<Pair>): void {
  for (const { near, far } of pairs) {
    near.unpipe(far)
    far.unpipe(near)
    near.pause()
    far.pause()
  }
}
