/** A time in the browser's time zone, with UTC on hover. */

import { formatShortAge, formatTime, formatUtc } from '../format.ts'

export function Time({ at, seconds = true }: { readonly at: string; readonly seconds?: boolean }) {
  return (
    <time dateTime={at} title={formatUtc(at)} className="figures nowrap">
      {formatTime(at, seconds)}
    </time>
  )
}

/** Sorts times by age, the newest first; never is last. */
export const ageOf = (at: string | null): number | null => (at === null ? null : -Date.parse(at))

/** `3 min`: the age of a row, with the whole time on hover. */
export function ShortAge({ at, nowMs }: { readonly at: string; readonly nowMs: number }) {
  return (
    <time dateTime={at} title={`${formatTime(at)} (${formatUtc(at)})`} className="figures nowrap">
      {formatShortAge(nowMs - Date.parse(at))}
    </time>
  )
}

/** `5 min ago`, `in 12 d`: compact, with the time on hover. Null is `never`, or another word. */
export function Ago({
  at,
  nowMs,
  never = 'never',
}: {
  readonly at: string | null
  readonly nowMs: number
  readonly never?: string
}) {
  if (at === null) return <span className="soft">{never}</span>
  const ms = nowMs - Date.parse(at)
  const age = formatShortAge(Math.abs(ms))
  return (
    <time dateTime={at} title={`${formatTime(at)} (${formatUtc(at)})`} className="figures nowrap">
      {ms < 0 ? `in ${age}` : `${age} ago`}
    </time>
  )
}
