/** Traces the system calls of a program with `strace`: incoming requests, file writes and syncs, outgoing responses. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Call {
  readonly kind: 'requested' | 'written' | 'synced' | 'sync failed' | 'answered'
  /** The start of a call for an answer, the end of a call for all others. */
  readonly atS: number
  /** The file or socket. */
  readonly place: string
}

export interface SyscallTrace {
  /** The command line to run the program under. */
  readonly under: readonly string[]
  /** The calls so far; complete when the program has ended or is idle. */
  calls(): Call[]
  remove(): void
}

/** The tracer is not the parent of the program, so the program can be observed and stopped as usual. */
export function openTrace(more: readonly string[] = []): SyscallTrace {
  const { status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=none', 'true'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`install strace and allow its use: ${stderr ?? 'it is not installed'}`)
  const folder = mkdtempSync(join(tmpdir(), 'fairway-trace-'))
  // PostgreSQL and its tracer may run as another user.
  chmodSync(folder, 0o777)
  const file = join(folder, 'calls')
  const calls = 'trace=read,write,writev,pwrite64,fsync,fdatasync'
  const form = ['-D', '-f', '--seccomp-bpf', '-y', '-ttt', '-T', '-s', '40', '-e', 'signal=none']
  return {
    under: ['strace', ...form, '-o', file, '-e', calls, ...more],
    calls: () => callsOf(readFileSync(file, 'latin1')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface Started {
  readonly atS: number
  readonly text: string
}

/** Parses a trace. A call interrupted by another thread is split over two lines and joined here. */
export function callsOf(trace: string): Call[] {
  const started = new Map<string, Started>()
  const calls: Call[] = []
  for (const line of trace.split('\n')) {
    const [, pid = '', at = '', text = ''] = /^(\d+)\s+(\d+\.\d+) (.*)$/.exec(line) ?? []
    const atS = Number(at)
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
    const before = resumed === undefined ? undefined : started.get(pid)
    if (text.endsWith(' <unfinished ...>')) {
      started.set(pid, { atS, text: text.slice(0, -' <unfinished ...>'.length) })
    } else if (before !== undefined) calls.push(...callOf(before.text + resumed, before.atS, atS))
    else calls.push(...callOf(text, atS, atS + Number(/<(\d+\.\d+)>$/.exec(text)?.[1] ?? 0)))
  }
  return calls.toSorted((left, right) => left.atS - right.atS)
}

/** Empty if the call is not relevant. */
function callOf(text: string, fromS: number, toS: number): Call[] {
  const [, name = '', place = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? []
  const isDone = !/ = -1 /.test(text)
  if (name === 'fsync' || name === 'fdatasync') {
    return [{ kind: isDone ? 'synced' : 'sync failed', atS: toS, place }]
  }
  if (name === 'pwrite64') return isDone ? [{ kind: 'written', atS: toS, place }] : []
  if (name === 'read' && text.includes('"POST /api/v1/verify'))
    return [{ kind: 'requested', atS: toS, place }]
  // Only writes: a read of such text is the response of a webhook receiver.
  if (name.startsWith('write') && text.includes('"HTTP/1.1 200'))
    return [{ kind: 'answered', atS: fromS, place }]
  return []
}

export interface Order {
  readonly answers: number
  readonly syncs: number
  readonly violations: string[]
}

/** Checks the calls of one sequential caller: between each request and its answer the log is written, then synced. */
export function orderOf(calls: readonly Call[], isLog: (place: string) => boolean): Order {
  const violations: string[] = []
  let answers = 0
  let syncs = 0
  let state: 'idle' | 'requested' | 'written' | 'synced' = 'idle'
  for (const { kind, place } of calls) {
    if (kind === 'requested') state = 'requested'
    else if (kind === 'answered' && state !== 'idle') {
      answers += 1
      if (state !== 'synced')
        violations.push(`answer ${answers} was sent when its record was ${state}, not synced`)
      state = 'idle'
    } else if (!isLog(place)) continue
    else if (kind === 'written' && state === 'requested') state = 'written'
    else if (kind === 'synced') {
      syncs += 1
      if (state === 'written') state = 'synced'
    }
  }
  return { answers, syncs, violations }
}
