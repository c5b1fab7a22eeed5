/** Runs jobs in the load generator process, one at a time, and measures the server's CPU time. */

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { LoadJob, LoadReply, LoadResult } from './load.ts'
import { startNode } from './processes.ts'
import { medianOf } from '../report.ts'

export const verifyPath = '/api/v1/verify'
export const connections = 32
const graceMs = 60_000

export interface Target {
  readonly port: number
  readonly pid: number
}

export interface Traffic {
  /** Default: POST. */
  readonly method?: LoadJob['method']
  /** Default: the path of verify. */
  readonly path?: string
  /** Replaces `path`: several, used in turn. */
  readonly paths?: LoadJob['paths']
  readonly headers: LoadJob['headers']
  readonly body: LoadJob['body']
  /** Replaces `body`: one per connection. */
  readonly bodies?: readonly string[]
  readonly idempotencyKey: LoadJob['idempotencyKey']
  /** Default: a closed loop. */
  readonly ratePerSecond?: number
  /** Default: 32. */
  readonly connections?: number
}

export interface Measured extends LoadResult {
  readonly requestsPerSecond: number
  /** Per request, of the server's process, including the warm-up; null if the system does not report it. */
  readonly serverCpuUs: number | null
}

/** CPU use of the load generator in this run's closed loops, at one number of connections. */
interface LoaderUse {
  readonly connections: number
  readonly jobs: number
  /** Median over all jobs, per request. */
  readonly cpuUs: number
  /** Share of one core in the busiest job. */
  readonly cpuShareMax: number
}

export interface Loader {
  run(target: Target, traffic: Traffic, bound: LoadJob['bound']): Promise<Measured>
  use(): LoaderUse[]
}

export function startLoader(): Loader {
  const child = startNode(['bench/harness/load.ts'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const closedLoops: { readonly connections: number; readonly result: LoadResult }[] = []
  return {
    use() {
      return [...Map.groupBy(closedLoops, (one) => one.connections)]
        .toSorted(([left], [right]) => left - right)
        .map(([at, jobs]) => ({
          connections: at,
          jobs: jobs.length,
          cpuUs: medianOf(jobs.map(({ result }) => result.loaderCpuUs)),
          cpuShareMax: Math.max(...jobs.map(({ result }) => result.loaderCpuShare)),
        }))
    },
    async run(target, traffic, bound) {
      const plannedMs = 'requests' in bound ? bound.requests : bound.warmUpMs + bound.durationMs
      const job: LoadJob = {
        method: 'POST',
        paths: [traffic.path ?? verifyPath],
        ratePerSecond: null,
        connections,
        ...traffic,
        port: target.port,
        bound,
        timeLimitMs: plannedMs + graceMs,
      }
      const cpuBeforeMs = cpuMsOf(target.pid)
      const result = await runIn(child, job)
      const cpuAfterMs = cpuMsOf(target.pid)
      if (job.ratePerSecond === null) closedLoops.push({ connections: job.connections, result })
      const serverCpuUs =
        cpuBeforeMs === null || cpuAfterMs === null
          ? null
          : ((cpuAfterMs - cpuBeforeMs) * 1000) / result.requestsSent
      return { ...result, requestsPerSecond: (result.requests / result.elapsedMs) * 1000, serverCpuUs }
    },
  }
}

function runIn(child: ChildProcess, job: LoadJob): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(new Error('the load generator ended'))
    child.once('exit', onEnd)
    child.once('message', (reply: LoadReply) => {
      child.off('exit', onEnd)
      if (reply.ok) resolve(reply.result)
      else reject(new Error(`load on port ${job.port}: ${reply.message}`))
    })
    child.send(job)
  })
}

/** Linux counts in ticks of ten milliseconds. */
const msPerTick = 10

/** CPU time since the process started; null if the system does not report it. */
export function cpuMsOf(pid: number): number | null {
  const fields = procFile(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * msPerTick
}

/** Resident memory in bytes, current and peak; null if the system does not report it. */
export function memoryOf(pid: number): { residentBytes: number; residentBytesMax: number } | null {
  const status = procFile(pid, 'status')
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1]) * 1024
  return status === null ? null : { residentBytes: bytes('VmRSS'), residentBytesMax: bytes('VmHWM') }
}

function procFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}
