/** Real NATS servers with JetStream on the loopback interface, and a look into their streams. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { freePort } from '../process/free-port.ts'
import { natsNeeded } from '../process/runtimes.ts'

export interface NatsServer {
  readonly port: number
  readonly name: string
  /** Ends it; by default at once, as a crash does. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Brings it up again, on its port and with its files. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
}

export interface NatsServerOptions {
  readonly name?: string
  readonly args?: readonly string[]
}

/** Resolves when it takes connections. */
export async function startNats(
  folder: string,
  { name = 'alone', args = [] }: NatsServerOptions = {},
): Promise<NatsServer> {
  const port = await freePort()
  const all = ['-a', '127.0.0.1', '-p', String(port), '-n', name, '-js', '-sd', join(folder, name), ...args]
  let child: ChildProcess | null = null
  const server: NatsServer = {
    port,
    name,
    async start() {
      child = spawn(natsNeeded.path(), all, { stdio: ['ignore', 'ignore', 'pipe'] })
      await ready(child)
    },
    async stop(signal = 'SIGKILL') {
      if (child === null) return
      const ended = once(child, 'exit')
      child.kill('SIGCONT')
      child.kill(signal)
      if (child.exitCode === null && child.signalCode === null) await ended
      child = null
    },
    signal: (signal) => void child?.kill(signal),
  }
  await server.start()
  return server
}

async function ready(child: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (said.includes('Server is ready')) return
      said += chunk.toString()
      if (said.includes('Server is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${said}`)))
  })
}

/** Three servers that hold copies of each other's streams. */
export async function startNatsCluster(folder: string): Promise<NatsServer[]> {
  const ports = [await freePort(), await freePort(), await freePort()]
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(',')
  return Promise.all(
    ports.map((port, place) => {
      const cluster = ['--cluster_name', 'tests', '--cluster', `nats://127.0.0.1:${port}`, '--routes', routes]
      return startNats(folder, { name: `n${place + 1}`, args: cluster })
    }),
  )
}

export async function withNats(
  servers: readonly NatsServer[],
  work: (connection: NatsConnection) => Promise<void>,
): Promise<void> {
  try {
    const connection = await connectTo(servers)
    await work(connection).finally(() => connection.close())
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

export const connectTo = (servers: readonly NatsServer[], more: object = {}): Promise<NatsConnection> =>
  connect({
    servers: servers.map(({ port }) => `127.0.0.1:${port}`),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    ...more,
  })

export interface Stored {
  readonly subject: string
  readonly messageId: string
  readonly body: string
}

/** Everything that the stream holds, in its order. */
export async function storedIn(connection: NatsConnection, stream = 'fairway-events'): Promise<Stored[]> {
  const manager = await jetstreamManager(connection)
  // The leader's number: a copy that is read may still be catching up.
  const { messages } = (await manager.streams.info(stream)).state
  const consumer = await jetstream(connection).consumers.get(stream)
  const stored: Stored[] = []
  while (stored.length < messages) {
    const max = Math.min(500, messages - stored.length)
    for await (const message of await consumer.fetch({ max_messages: max, expires: 5_000 })) {
      const messageId = message.headers?.get('Nats-Msg-Id') ?? ''
      stored.push({ subject: message.subject, messageId, body: message.string() })
    }
  }
  return stored
}

/** The server that leads the stream; empty while there is none. */
export async function leaderOf(connection: NatsConnection, stream = 'fairway-events'): Promise<string> {
  const manager = await jetstreamManager(connection)
  const { cluster } = await manager.streams.info(stream)
  return cluster?.leader ?? ''
}
