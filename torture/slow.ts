/** Clients who begin a request and never finish it, as many as are wanted, for as long as they are wanted. */

import { connect, type Socket } from 'node:net'

const headNeverEnds = 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: '
const bodyNeverEnds =
  'POST /api/v1/demo-verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"corridor"'

export interface SlowClients {
  /** How many are connected now. */
  readonly open: () => number
  /** How many the server has ended, and with which status. */
  readonly ended: () => Readonly<Record<string, number>>
  /** Resolves once the server has ended so many of them. */
  allEnded(count: number): Promise<void>
  stop(): void
}

/** Connects them all; where `stay` is set, whoever is ended comes back at once. */
export async function slowClients(port: number, count: number, stay: boolean): Promise<SlowClients> {
  const sockets = new Set<Socket>()
  const ended: Record<string, number> = {}
  let endedCount = 0
  let isStopped = false
  const waiting = new Set<() => void>()

  function begin(place: number): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      if (isStopped) return
      const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'none'
      ended[status] = (ended[status] ?? 0) + 1
      endedCount += 1
      for (const look of waiting) look()
      if (stay) void begin(place)
    })
    sockets.add(socket)
    return new Promise((resolve) => {
      socket.once('close', () => resolve())
      socket.once('connect', () => {
        socket.write(place % 2 === 0 ? headNeverEnds : bodyNeverEnds)
        resolve()
      })
    })
  }

  await Promise.all(Array.from({ length: count }, (_, place) => begin(place)))
  return {
    open: () => sockets.size,
    ended: () => ended,
    allEnded: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (endedCount >= wanted) resolve()
        }
        waiting.add(look)
        look()
      }),
    stop() {
      isStopped = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
