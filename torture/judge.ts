/** What holds of every answer, however strange the question was. */

import { scenarioOf } from '../src/core/shadow/test-amounts.ts'
import type { Generated } from './generate.ts'

const keyLike = /(?:pk_(?:test|live)_|svc-sandbox-)[0-9a-z]{20,}/

/** Stacks, paths and packages of ours: nobody outside needs to know. */
const insides = /\bat [\w.<> ]+ \(|node_modules|\/src\/|\.ts:\d+|fastify|sqlite|postgres|node:internal/i

interface Held {
  readonly code?: string
  readonly unavailable_signals?: readonly string[]
}

/** Whether the contract itself asks for a 503: the test amount that has two providers out of reach, or no feeds. */
function asksForHold({ body }: Generated, isLive: boolean): boolean {
  if (isLive) return true
  try {
    const { amount } = JSON.parse(body?.toString() ?? '') as { amount?: unknown }
    return typeof amount === 'number' && (scenarioOf(amount)?.unreachable.length ?? 0) > 0
  } catch {
    return false
  }
}

/** A sentence where a status is a fault of ours; null where it is not. */
export function faultOfStatus(
  asked: Generated,
  { status, body, isLive }: { status: number; body: unknown; isLive: boolean },
): string | null {
  if (status < 500) return null
  const held = body as Held | undefined
  const isHold = held?.code === 'SIGNALS_UNAVAILABLE' && (held.unavailable_signals?.length ?? 0) > 0
  return status === 503 && isHold && asksForHold(asked, isLive) ? null : `answered ${status}`
}

/** Of an error nothing of the inside may be seen; bodies of 200s may hold what callers sent. */
export function leakIn(status: number, text: string): string | null {
  if (status < 400) return null
  const echoed = insides.exec(text)?.[0]
  return echoed === undefined ? null : `shows "${echoed}" of the inside`
}

/** A line is one JSON object, whatever was sent, and holds no key. */
export function faultOfLogLine(line: string): string | null {
  if (keyLike.test(line)) return 'a key is in the log'
  if (!line.endsWith('\n') || line.indexOf('\n') !== line.length - 1) return 'a log entry is not one line'
  try {
    const { msg } = JSON.parse(line) as { msg?: string }
    return msg === 'unexpected fault' ? `an unexpected fault is in the log: ${line.slice(0, 400)}` : null
  } catch {
    return 'a log entry is no JSON'
  }
}

/** One line for a request, short enough to read. */
export function tell({ method, url, headers, body }: Generated): string {
  const { authorization: _secret, ...shown } = headers
  const text = body === null ? '' : JSON.stringify(body.subarray(0, 200).toString('latin1'))
  return `${method} ${url.slice(0, 200)} ${JSON.stringify(shown).slice(0, 200)} ${text}`
}
