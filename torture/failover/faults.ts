/** The troubles of the failover experiment, each done for real to the present primary. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster, Primary } from './cluster.ts'

const pollMs = 100
const pausedMs = 20_000
/** Longer than Patroni's lease of 20 s. */
const cutMs = 30_000
const withoutEtcdMs = 20_000
const failoverMsMax = 300_000

export type Fault = keyof typeof faults

/** Waits until a server answers as the primary of this timeline or a later one. */
export async function untilPrimary(cluster: Cluster, timeline: number): Promise<Primary> {
  const untilMs = performance.now() + failoverMsMax
  for (;;) {
    const now = await cluster.primary()
    if (now !== null && now.timeline >= timeline) return now
    if (performance.now() > untilMs) throw new Error('no server becomes the primary')
    await pause(pollMs)
  }
}

/**
 * Each ends when all is as before. A host that returns in the moment when its lease expires may go on as the primary, and
 * without etcd nothing is promoted.
 */
export const faults = {
  async 'server killed'(cluster: Cluster, before: Primary) {
    process.kill(cluster.postmasterOf(before.host), 'SIGKILL')
    await untilPrimary(cluster, before.timeline + 1)
  },
  async 'host lost'(cluster: Cluster, before: Primary) {
    await cluster.loseHost(before.host)
    await untilPrimary(cluster, before.timeline + 1)
    cluster.startPatroni(before.host)
  },
  async 'host stopped for 20 s'(_cluster: Cluster, before: Primary) {
    before.host.signal('SIGSTOP')
    await pause(pausedMs)
    before.host.signal('SIGCONT')
  },
  async 'network cut for 30 s'(_cluster: Cluster, before: Primary) {
    before.host.cut()
    await pause(cutMs)
    before.host.heal()
  },
  async 'etcd lost for 20 s'(cluster: Cluster) {
    await cluster.killEtcd()
    await pause(withoutEtcdMs)
    cluster.startEtcd()
  },
} satisfies Readonly<Record<string, (cluster: Cluster, before: Primary) => Promise<void>>>

/** In ten: what a year brings most often comes most often. */
export const course: readonly Fault[] = [
  'server killed',
  'host lost',
  'server killed',
  'host stopped for 20 s',
  'server killed',
  'etcd lost for 20 s',
  'server killed',
  'network cut for 30 s',
  'server killed',
  'host lost',
]
