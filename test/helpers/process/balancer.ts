/** A small HTTP balancer, as operators put one in front: it asks each instance for its health and spreads requests over those that are well. */

import { EventEmitter, once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { checkedFetch } from './checked-fetch.ts'

const checkEveryMs = 100
const checkPatienceMs = 2_000

export interface Balancer {
  readonly url: string
  /** Resolves when this instance is among those that get requests, or is not. */
  readonly until: (instance: string, state: 'in' | 'out') => Promise<void>
  close(): Promise<void>
}

export async function openBalancer(instances: readonly string[]): Promise<Balancer> {
  const well = new Set<string>()
  const changes = new EventEmitter()
  const closing = new AbortController()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const healthy = instances.filter((instance) => well.has(instance))
    turn += 1
    const chosen = healthy[turn % healthy.length]
    // It never answers for the service: where nobody is there, or somebody is lost, the line is cut.
    if (chosen === undefined) outgoing.destroy()
    else passOn(chosen, agent, incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const watch = async (instance: string): Promise<void> => {
    while (!closing.signal.aborted) {
      const isWell = await isHealthy(instance)
      if (isWell !== well.has(instance)) {
        if (isWell) well.add(instance)
        else well.delete(instance)
        changes.emit('change')
      }
      await pause(checkEveryMs, null, closing).catch(() => undefined)
    }
  }
  const watching = instances.map(watch)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async until(instance, state) {
      while (well.has(instance) !== (state === 'in')) await once(changes, 'change')
    },
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      agent.destroy()
      await Promise.all([closed, ...watching])
    },
  }
}

async function isHealthy(instance: string): Promise<boolean> {
  try {
    const answer = await checkedFetch(`${instance}/api/health`, {
      signal: AbortSignal.timeout(checkPatienceMs),
    })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

function passOn(instance: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path = '/', headers } = incoming
  const forwarded = request(new URL(path, instance), { method: method ?? 'GET', headers, agent })
  forwarded.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.once('error', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  forwarded.once('error', () => outgoing.destroy())
  incoming.once('error', () => forwarded.destroy())
  incoming.pipe(forwarded)
}
