/** What a program asks of the system, as `strace` tells it: requests that come in, writes and syncs of files, answers that go out. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Call {
  readonly kind: 'asked' | 'written' | 'synced' | 'sync failed' | 'answered'
  /** An answer counts from its beginning, all else from its end. */
  readonly atS: number
  /** The file, or the socket. */
  readonly place: string
}

export interface SyscallTrace {
  /** What the program is to be run under. */
  readonly under: readonly string[]
  /** All of it, when the program has ended or is idle. */
  calls(): Call[]
  remove(): void
}

/** The tracer is not the program's parent: the program can be watched and stopped as if it were alone. */
export function openTrace(more: readonly string[] = []): SyscallTrace {
  const { status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=none', 'true'], { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`strace is needed, and the permission to use it: ${stderr ?? 'it is not installed'}`)
  const folder = mkdtempSync(join(tmpdir(), 'fairway-trace-'))
  // PostgreSQL, and whoever watches it, may be another user.
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

/** A call during which another thread speaks stands in two lines: it is put together again. */
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

/** None where it is of no interest. */
function callOf(text: string, fromS: number, toS: number): Call[] {
  const [, name = '', place = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? []
  const isDone = !/ = -1 /.test(text)
  if (name === 'fsync' || name === 'fdatasync') {
    return [{ kind: isDone ? 'synced' : 'sync failed', atS: toS, place }]
  }
  if (name === 'pwrite64') return isDone ? [{ kind: 'written', atS: toS, place }] : []
  if (name === 'read' && text.includes('"POST /api/v1/verify')) return [{ kind: 'asked', atS: toS, place }]
  // What it reads so is the answer of a receiver of webhooks.
  if (name.startsWith('write') && text.includes('"HTTP/1.1 200'))
    return [{ kind: 'answered', atS: fromS, place }]
  return []
}

export interface Order {
  readonly answers: number
  readonly syncs: number
  readonly violations: string[]
}

/** Of one caller, who asks for one decision after the other: between each question and its answer the log was written, and then synced. */
export function orderOf(calls: readonly Call[], isLog: (place: string) => boolean): Order {
  const violations: string[] = []
  let answers = 0
  let syncs = 0
  let state: 'idle' | 'asked' | 'written' | 'synced' = 'idle'
  for (const { kind, place } of calls) {
    if (kind === 'asked') state = 'asked'
    else if (kind === 'answered' && state !== 'idle') {
      answers += 1
      if (state !== 'synced')
        violations.push(`answer ${answers} left when its record was ${state}, not synced`)
      state = 'idle'
    } else if (!isLog(place)) continue
    else if (kind === 'written' && state === 'asked') state = 'written'
    else if (kind === 'synced') {
      syncs += 1
      if (state === 'written') state = 'synced'
    }
  }
  return { answers, syncs, violations }
}
