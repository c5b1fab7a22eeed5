/** Formats the list of keys: status, expiry, successor and last use. */

import type { ListedKey } from '../../../app/ports/identity/keys.ts'
import { isActive } from '../../../app/access/keys.ts'
import { expiresSoon, keyStatus } from '../../../app/access/views.ts'
import { table } from '../../table.ts'
import { dayMs, hourMs, iso } from '../../../core/time/durations.ts'
import { counted } from '../../../core/explain/wording.ts'

/** One line for each other active key of the owner: an operator who replaces one key should know of the rest. */
export function otherKeysText(
  keys: readonly ListedKey[],
  { ownerId, except, nowMs }: { ownerId: string; except: readonly string[]; nowMs: number },
): string[] {
  return keys
    .filter((key) => key.ownerId === ownerId && !except.includes(key.keyId) && isActive(key, nowMs))
    .map((key) => `This owner has another active key: ${key.keyId} (${key.type}).`)
}

export function keyListText(keys: readonly ListedKey[], nowMs: number): string {
  const rows = keys.map((key) => [
    key.keyId,
    key.type,
    key.ownerLabel,
    expiresSoon(key, nowMs) ? 'expires soon' : keyStatus(key, nowMs),
    key.scopes.length === 0 ? 'all' : key.scopes.join(' '),
    day(key.createdAtMs),
    expiryText(key, nowMs),
    key.lastUsedAtMs === null ? 'never' : iso(key.lastUsedAtMs),
    key.revokedAtMs === null ? '-' : day(key.revokedAtMs),
  ])
  const head = [
    'KEY ID',
    'TYPE',
    { title: 'OWNER', widthMax: 40 },
    'STATUS',
    'SCOPES',
    'CREATED',
    'EXPIRES',
    'LAST USED',
    'REVOKED',
  ]
  return [...table(head, rows), ...expiryLines(keys, nowMs)].join('\n')
}

/** The keys that expire soon, below the table, with the commands that replace them. */
function expiryLines(keys: readonly ListedKey[], nowMs: number): string[] {
  const lines: string[] = []
  const unreplaced: string[] = []
  for (const key of keys) {
    if (!expiresSoon(key, nowMs) || key.expiresAtMs === null) continue
    const wait = waitText(key.expiresAtMs - nowMs)
    const successor = successorOf(key, keys, nowMs)
    if (successor === null) unreplaced.push(`${key.keyId} (${wait})`)
    else lines.push(`${key.keyId} expires ${wait}: ${successor.keyId} replaces it.`)
  }
  if (unreplaced.length > 0) {
    const verb = unreplaced.length === 1 ? '1 key expires' : `${unreplaced.length} keys expire`
    lines.push(`${verb} soon and must be replaced: ${unreplaced.join(', ')}`)
    lines.push(
      'To replace a key, run: fairway keys rotate KEY_ID, or fairway access approve ID --replaces KEY_ID',
    )
  }
  return lines.length === 0 ? [] : ['', ...lines]
}

/** A later key of the same owner that outlives this one. */
function successorOf(key: ListedKey, keys: readonly ListedKey[], nowMs: number): ListedKey | null {
  return (
    keys.findLast(
      (other) =>
        other.ownerId === key.ownerId &&
        other.createdAtMs >= key.createdAtMs &&
        isActive(other, nowMs) &&
        !expiresSoon(other, nowMs),
    ) ?? null
  )
}

function expiryText(key: ListedKey, nowMs: number): string {
  if (key.expiresAtMs === null) return 'never'
  return isActive(key, nowMs)
    ? `${day(key.expiresAtMs)} ${waitText(key.expiresAtMs - nowMs)}`
    : day(key.expiresAtMs)
}

function day(ms: number): string {
  return iso(ms).slice(0, 10)
}

/** Rounded to the largest unit with a value of at least 1: a new live key shows 90 days, not 89. */
function waitText(ms: number): string {
  const hours = Math.round(ms / hourMs)
  if (hours >= 24) return `in ${counted(Math.round(ms / dayMs), 'day')}`
  return hours >= 1 ? `in ${counted(hours, 'hour')}` : 'within the hour'
}
