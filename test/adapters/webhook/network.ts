/** What the tests of the way out need of a network, all of it on the loopback interface: names, receivers, a sentinel. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createUDPServer, Packet } from 'dns2'
import {
  createResolver,
  type NameResolver,
  type ResolverOptions,
} from '../../../src/adapters/webhook/resolver.ts'

export interface Sentinel {
  readonly port: number
  /** Fails unless nobody ever connected. */
  assertUntouched(): Promise<void>
}

/** Listens on every address of this machine, of both families where it has both. */
export async function openSentinel(t: TestContext): Promise<Sentinel> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).end()
  })
  const hosts = await listenEverywhere(server)
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  let ownConnections = 0
  return {
    port,
    async assertUntouched() {
      // Connections are accepted in their order: when ours was seen, every earlier one was.
      for (const host of hosts) {
        const seen = once(server, 'connection')
        connect({ host, port }).on('error', () => undefined)
        ownConnections += 1
        await seen
      }
      assert.equal(connections - ownConnections, 0, 'connections at the sentinel')
    },
  }
}

async function listenEverywhere(server: Server): Promise<string[]> {
  try {
    server.listen({ port: 0, host: '::' })
    await once(server, 'listening')
    return ['127.0.0.1', '::1']
  } catch {
    server.listen({ port: 0, host: '0.0.0.0' })
    await once(server, 'listening')
    return ['127.0.0.1']
  }
}

/** The addresses of a name, or that there is no such name, or no answer at all. */
export type Answer = readonly string[] | 'missing' | 'broken' | 'silence'

export interface Names extends NameResolver {
  /** Every question so far, as `A name`. */
  readonly asked: readonly string[]
}

/** A resolver that asks a real name server on loopback. */
export async function openNames(
  t: TestContext,
  answer: (name: string, type: 'A' | 'AAAA') => Answer,
  options: Pick<ResolverOptions, 'timeoutMs'> = {},
): Promise<Names> {
  const asked: string[] = []
  const server = createUDPServer((request, send) => {
    const [question] = request.questions
    assert.ok(question)
    const type = question.type === Packet.TYPE.A ? 'A' : 'AAAA'
    asked.push(`${type} ${question.name}`)
    const found = answer(question.name, type)
    if (found === 'silence') return
    const response = Packet.createResponseFromRequest(request)
    if (found === 'missing') response.header.rcode = Packet.RCODE.NXDOMAIN
    else if (found === 'broken') response.header.rcode = Packet.RCODE.SERVFAIL
    else {
      const records = found.map((address) =>
        Packet.createResourceFromQuestion(question, { address, ttl: 300 }),
      )
      response.answers.push(...records)
    }
    void send(response)
  })
  await server.listen(0, '127.0.0.1')
  const resolver = createResolver({ ...options, servers: [`127.0.0.1:${server.address().port}`] })
  t.after(() => {
    resolver.close()
    server.close()
  })
  return { ...resolver, asked }
}

export interface RawServer {
  readonly port: number
  readonly connections: () => number
}

/** A receiver that does with a connection what it likes. */
export async function openRaw(
  t: TestContext,
  onConnection: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket.on('error', () => undefined))
    onConnection(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}
