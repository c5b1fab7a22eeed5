/** A server that publishes to NATS, as tests look at it: its events over HTTP, its follower, and its end. */

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { checkedFetch } from './checked-fetch.ts'
import { serve, type Served } from './process.ts'

const deadlineMs = 60_000

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + deadlineMs
  while (!(await isSo())) {
    assert.ok(performance.now() < untilMs, 'it did not become so in time')
    await pause(20)
  }
}

/** Stops it; ends it in any case, so that nothing outlives a failed test. */
export async function withServer(
  settings: Readonly<Record<string, string>>,
  work: (server: Served) => Promise<void>,
): Promise<Served> {
  const server = await serve(settings)
  try {
    await work(server)
    assert.equal(await server.stop(), 0)
    return server
  } finally {
    server.child.kill('SIGKILL')
  }
}

async function get<Body>({ url }: Served, path: string, key: string): Promise<Body> {
  const answer = await checkedFetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()) as Body
}

export interface SeenEvent {
  readonly id: string
  readonly type: string
}

/** All of an owner's events, once there are so many at least. */
export async function eventsOf(server: Served, key: string, count: number): Promise<SeenEvent[]> {
  const events: SeenEvent[] = []
  let after = ''
  await until(async () => {
    const path = `/api/v1/events?limit=1000${after}`
    const page = await get<{ events: SeenEvent[]; next: string }>(server, path, key)
    events.push(...page.events)
    after = `&after=${page.next}`
    return events.length >= count && page.events.length === 0
  })
  return events
}

interface Ready {
  readonly followers: readonly Follower[]
}

interface Follower {
  readonly name: string
  readonly failing: boolean
  readonly lag_entries: number
}

export async function streamFollower(server: Served, key: string): Promise<Follower | undefined> {
  const { followers } = await get<Ready>(server, '/readyz', key)
  return followers.find(({ name }) => name === 'stream')
}

/** Resolves when everything is published, and the position says so. */
export const published = (server: Served, key: string): Promise<void> =>
  until(async () => (await streamFollower(server, key))?.lag_entries === 0)
