/** Checks that must hold for every response, whatever the request. */

import { scenarioOf } from '../src/core/shadow/test-amounts.ts'
import type { Generated } from './generate.ts'

const keyLike = /(?:pk_(?:test|live)_|svc-sandbox-)[0-9a-z]{20,}/

/** Traces of internals: stacks, paths and packages. */
const internals = /\bat [\w.<> ]+ \(|node_modules|\/src\/|\.ts:\d+|fastify|sqlite|postgres|node:internal/i

interface HoldBody {
  readonly code?: string
  readonly unavailable_signals?: readonly string[]
}

/** Whether the contract requires a 503: for the test amount with unreachable providers, or without live feeds. */
function requiresHold({ body }: Generated, isLive: boolean): boolean {
  if (isLive) return true
  try {
    const { amount } = JSON.parse(body?.toString() ?? '') as { amount?: unknown }
    return typeof amount === 'number' && (scenarioOf(amount)?.unreachable.length ?? 0) > 0
  } catch {
    return false
  }
}

/** Returns a sentence if the status is a server fault, otherwise null. */
export function faultOfStatus(
  request: Generated,
  { status, body, isLive }: { status: number; body: unknown; isLive: boolean },
): string | null {
  if (status < 500) return null
  const hold = body as HoldBody | undefined
  const isHold = hold?.code === 'SIGNALS_UNAVAILABLE' && (hold.unavailable_signals?.length ?? 0) > 0
  return status === 503 && isHold && requiresHold(request, isLive) ? null : `answered ${status}`
}

/** Checks that an error exposes no internals. Successful responses may contain what callers sent. */
export function leakIn(status: number, text: string): string | null {
  if (status < 400) return null
  const leaked = internals.exec(text)?.[0]
  return leaked === undefined ? null : `exposes the internal text "${leaked}"`
}

/** Checks that a log entry is one line with one JSON object and contains no key. */
export function faultOfLogLine(line: string): string | null {
  if (keyLike.test(line)) return 'the log contains a key'
  if (!line.endsWith('\n') || line.indexOf('\n') !== line.length - 1) return 'a log entry is not one line'
  try {
    const { msg } = JSON.parse(line) as { msg?: string }
    return msg === 'http: unexpected error'
      ? `the log contains an unexpected error: ${line.slice(0, 400)}`
      : null
  } catch {
    return 'a log entry is not JSON'
  }
}

/** Describes a request in one short line, without its key. */
export function describeRequest({ method, url, headers, body }: Generated): string {
  const { authorization: _secret, ...shown } = headers
  const text = body === null ? '' : JSON.stringify(body.subarray(0, 200).toString('latin1'))
  return `${method} ${url.slice(0, 200)} ${JSON.stringify(shown).slice(0, 200)} ${text}`
}
