/** Opens clients that start a request and never finish it. */

import { connect, type Socket } from 'node:net'

const headNeverEnds = 'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: '
const bodyNeverEnds =
  'POST /api/v1/demo-verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"corridor"'

export interface SlowClients {
  /** The number of connected clients. */
  readonly open: () => number
  /** The number of clients that the server has disconnected, by status. */
  readonly ended: () => Readonly<Record<string, number>>
  /** Resolves when the server has disconnected this many. */
  allEnded(count: number): Promise<void>
  stop(): void
}

/** Connects all clients. With `stay`, a disconnected client reconnects at once. */
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
      for (const check of waiting) check()
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
        const check = (): void => {
          if (endedCount >= wanted) resolve()
        }
        waiting.add(check)
        check()
      }),
    stop() {
      isStopped = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
