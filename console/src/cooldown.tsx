/** Cooldowns: the mark of a decision that repeats another, and open cooldowns with their end. */

import type { CorridorHealth } from '@fairway/client'
import { Link } from 'wouter'
import { formatWait } from './format.ts'
import { useNowMs } from './now.ts'
import { Notice } from './ui/state.tsx'
import { Time } from './ui/time.tsx'

const hrefOf = (id: string): string => `/verifications/${encodeURIComponent(id)}`

/** Leads to the decision that a cooldown repeated. */
export function RepeatMark({ source }: { readonly source: string | null }) {
  if (source === null) return null
  return (
    <Link href={hrefOf(source)} className="chip chip-link" title={`Repeats ${source} during a cooldown`}>
      Repeat
    </Link>
  )
}

function openAt(corridors: readonly Pick<CorridorHealth, 'corridor' | 'cooldown'>[], nowMs: number) {
  return corridors.flatMap(({ corridor, cooldown }) => {
    if (cooldown === null) return []
    const left = Math.ceil((Date.parse(cooldown.expires_at) - nowMs) / 1_000)
    return left > 0 ? [{ corridor, ...cooldown, left }] : []
  })
}

/** Nothing if no corridor has an open cooldown. */
export function OpenCooldowns({
  of,
}: {
  readonly of: readonly Pick<CorridorHealth, 'corridor' | 'cooldown'>[]
}) {
  const open = openAt(of, useNowMs())
  if (open.length === 0) return null
  return (
    <Notice tone="degraded" title={open.length === 1 ? 'Open cooldown' : 'Open cooldowns'}>
      <ul className="cooldowns">
        {open.map(({ corridor, source_request_id: source, expires_at: end, left }) => (
          <li key={corridor}>
            <Link href={`/corridors/${corridor}`}>{corridor}</Link>: verify repeats{' '}
            <Link href={hrefOf(source)}>a NO-GO</Link> until <Time at={end} />, {formatWait(left)} left.
          </li>
        ))}
      </ul>
    </Notice>
  )
}
