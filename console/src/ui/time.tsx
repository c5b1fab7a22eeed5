/** A time in the browser's time zone, with UTC on hover. */

import { formatTime, formatUtc } from '../format.ts'

export function Time({ at, seconds = true }: { readonly at: string; readonly seconds?: boolean }) {
  return (
    <time dateTime={at} title={formatUtc(at)} className="figures nowrap">
      {formatTime(at, seconds)}
    </time>
  )
}
