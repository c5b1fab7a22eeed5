/** Publishes events to NATS JetStream: the event sink. */

import { once } from 'node:events'
import { connect as dial } from 'node:net'
import type { JetStreamApiError, JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { EventSink, SinkMessage } from '../app/ports/events.ts'
import type { NatsServers, NatsSettings } from '../core/events/nats-servers.ts'

export interface NatsOptions extends NatsSettings {
  /** The longest wait for a connection to one server, and for an answer of the server. */
  readonly waitMs?: number
}

const streamName = 'fairway-events'
const subjectPrefix = 'fairway.events'
const nanosecondsPerMinute = 60_000_000_000
/** A message with an id that was stored within this time is not stored again. */
const duplicateWindow = 10 * nanosecondsPerMinute
/** Messages that wait for their confirmation at a time. */
const inFlightMax = 256
/** Messages per request when a stream is read. */
const messagesPerRead = 1_000
const standardWaitMs = 5_000
/** JetStream's code for a message that does not follow the one that it names. */
const wrongLastMessage = 10_070

/** The packages, which are installed only where they are needed. */
async function loadPackages() {
  try {
    return {
      transport: await import('@nats-io/transport-node'),
      js: await import('@nats-io/jetstream'),
    }
  } catch (cause) {
    throw new Error(
      'FAIRWAY_NATS_URL needs packages that are not installed: npm install @nats-io/transport-node @nats-io/jetstream',
      { cause },
    )
  }
}

/** Fails with one clear line if the packages are not installed. */
export async function checkNatsPackages(): Promise<void> {
  await loadPackages()
}

/** Does not wait for a server: the first call connects. */
export async function openNats(options: NatsOptions): Promise<EventSink> {
  return new NatsSink(await loadPackages(), options)
}

interface Connected {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
}

/**
 * A connection that failed is closed, and the next call opens another. So nothing waits in a buffer for a server that is
 * away, and there is one mechanism of repetition: the caller's.
 */
class NatsSink implements EventSink {
  readonly #packages: Awaited<ReturnType<typeof loadPackages>>
  readonly #options: NatsOptions
  readonly #waitMs: number
  #connected: Connected | null = null
  #isClosed = false

  constructor(packages: Awaited<ReturnType<typeof loadPackages>>, options: NatsOptions) {
    this.#packages = packages
    this.#options = options
    this.#waitMs = options.waitMs ?? standardWaitMs
  }

  publish(messages: readonly SinkMessage[]): Promise<void> {
    return this.#attempt(async ({ client }) => {
      for (let from = 0; from < messages.length;)
        from += await this.#publishRun(client, messages.slice(from, from + inFlightMax))
    })
  }

  ids(ownerId: string): Promise<ReadonlySet<string>> {
    return this.#attempt(async ({ client, manager }) => {
      const subject = `${subjectPrefix}.${tokenOf(ownerId)}.>`
      const stream = await manager.streams.find(subject)
      const { state } = await manager.streams.info(stream, { subjects_filter: subject })
      // The leader's number: the reads below may come from a copy that is still catching up.
      let left = Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0)
      const options = { filter_subjects: subject, headers_only: true }
      const consumer = await client.consumers.get(stream, options)
      const ids = new Set<string>()
      while (left > 0) {
        const before = left
        const max = Math.min(left, messagesPerRead)
        for await (const message of await consumer.fetch({ max_messages: max, expires: this.#waitMs })) {
          left -= 1
          ids.add(eventIdOf(message.headers?.get('Nats-Msg-Id') ?? ''))
        }
        if (left === before) throw new Error(`${left} messages did not arrive in time`)
      }
      return ids
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#disconnect()
  }

  /**
   * Each message but the first names its predecessor, and the server refuses it if another message came between or the
   * predecessor was lost: so events are stored in their order, whatever fails. Returns how many were stored.
   */
  async #publishRun(client: JetStreamClient, messages: readonly SinkMessage[]): Promise<number> {
    const results = await Promise.allSettled(
      messages.map(({ ownerId, type, messageId, body }, place) => {
        const previous = messages[place - 1]
        return client.publish(`${subjectPrefix}.${tokenOf(ownerId)}.${type}`, body, {
          msgID: messageId,
          timeout: this.#waitMs,
          ...(previous === undefined ? {} : { expect: { lastMsgID: previous.messageId } }),
        })
      }),
    )
    const failed = results.findIndex(({ status }) => status === 'rejected')
    if (failed === -1) return messages.length
    const { reason } = results[failed] as PromiseRejectedResult
    // Everything before it is stored, so it may follow any message now.
    if (failed > 0 && (reason as Partial<JetStreamApiError>).code === wrongLastMessage) return failed
    throw reason
  }

  async #attempt<Result>(work: (connected: Connected) => Promise<Result>): Promise<Result> {
    try {
      return await work(await this.#connect())
    } catch (error) {
      await this.#disconnect()
      // eslint-disable-next-line preserve-caught-error -- the client's error may hold credentials
      throw new Error(`nats: ${this.#safeText(error)}`)
    }
  }

  async #connect(): Promise<Connected> {
    if (this.#isClosed) throw new Error('closed')
    if (this.#connected !== null && !this.#connected.connection.isClosed()) return this.#connected
    const { transport, js } = this.#packages
    const { servers } = this.#options
    const timeout = this.#waitMs
    const connection = await transport.connect({
      servers: await answering(servers.hosts, timeout),
      name: 'fairway',
      reconnect: false,
      // A stack for each message would double the cost of publishing.
      noAsyncTraces: true,
      timeout,
      ...(servers.isTls ? { tls: {} } : {}),
      ...signInOf(servers),
    })
    try {
      const manager = await js.jetstreamManager(connection, { timeout })
      await this.#ensureStream(manager)
      if (this.#isClosed) throw new Error('closed')
      this.#connected = { connection, manager, client: js.jetstream(connection, { timeout }) }
      return this.#connected
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** An existing stream is used as it is, if it takes the events of all owners. */
  async #ensureStream({ streams }: JetStreamManager): Promise<void> {
    const subject = `${subjectPrefix}.>`
    const [name] = await streams.names(subject).next()
    if (name !== undefined) {
      const { config } = await streams.info(name)
      if (config.subjects.some(takesAll)) return
      throw new Error(`the stream ${name} takes only some of ${subject}: let it take all or none`)
    }
    const { StorageType } = this.#packages.js
    await streams.add({
      name: streamName,
      subjects: [subject],
      storage: StorageType.File,
      num_replicas: this.#options.replicas,
      duplicate_window: duplicateWindow,
    })
  }

  async #disconnect(): Promise<void> {
    const connected = this.#connected
    this.#connected = null
    await connected?.connection.close()
  }

  /** The client's message, without credentials. */
  #safeText(error: unknown): string {
    const text = error instanceof Error ? textOf(error) : String(error)
    const { credentials } = this.#options.servers
    if (credentials === null) return text
    const secret = credentials.kind === 'token' ? credentials.token : credentials.password
    return text.replaceAll(secret, '[secret]')
  }
}

/** The client calls it so, too, while a stream has no leader. */
const textOf = ({ name, message }: Error): string =>
  name === 'JetStreamNotEnabled' ? 'no stream answers: JetStream is not enabled, or has no leader' : message

/** Whether a stream with this subject takes every event. No other stream can take one of them then. */
function takesAll(pattern: string): boolean {
  const tokens = pattern.split('.')
  const wanted = [...subjectPrefix.split('.'), 'OWNER']
  const rest = tokens.indexOf('>')
  const fixed = tokens.slice(0, rest)
  return (
    rest !== -1 &&
    rest <= wanted.length &&
    fixed.every((token, place) => token === '*' || token === wanted[place])
  )
}

function signInOf({ credentials }: NatsServers) {
  if (credentials === null) return {}
  return credentials.kind === 'token'
    ? { token: credentials.token }
    : { user: credentials.user, pass: credentials.password }
}

/**
 * The servers that greet a connection. The client leaves its socket open if a server accepts it and says nothing, so it
 * must not try such a server.
 */
async function answering(hosts: readonly string[], waitMs: number): Promise<string[]> {
  const greeted = await Promise.all(hosts.map((host) => greets(host, waitMs)))
  const found = hosts.filter((_, place) => greeted[place])
  if (found.length === 0) throw new Error('no server answers')
  return found
}

async function greets(host: string, waitMs: number): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${host}`)
  const socket = dial(Number(port), hostname.replaceAll(/[[\]]/g, ''))
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(waitMs) })
    return true
  } catch {
    return false
  } finally {
    // It may still fail while it ends.
    socket.on('error', () => undefined)
    socket.destroy()
  }
}

/** An owner's id as one token of a subject. */
const tokenOf = (ownerId: string): string =>
  ownerId.replaceAll(/[^\w-]/g, (character) => `%${character.codePointAt(0)?.toString(16)}`)

/** An event's id has no full stop; a message's id may have more behind one. */
const eventIdOf = (messageId: string): string => messageId.split('.', 1)[0] ?? messageId
