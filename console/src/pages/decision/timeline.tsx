/** The measured moments of a decision, each a bar where it fell and as long as it took. */

import type { Timeline as Measured } from '@fairway/client'
import { formatMs, formatShare } from '../../format.ts'
import { codeWords } from '../../words.ts'
import type { AboutDecision } from './asks.ts'
import { Part, Section } from './section.tsx'

type Moment = Measured['events'][number]

/** Each begins where the one before it ended. */
function placed(events: readonly Moment[]) {
  let at = 0
  return events.map(({ event, duration_ms: duration }) => {
    const from = at
    at += duration
    return { event, duration, from }
  })
}

function Strip({ events, total }: { readonly events: readonly Moment[]; readonly total: number }) {
  const share = (ms: number): string => `${total === 0 ? 0 : (ms / total) * 100}%`
  return (
    <ol className="gantt">
      {placed(events).map(({ event, duration, from }) => (
        <li key={event}>
          <span>{codeWords(event)}</span>
          <span className="gantt-bar" aria-hidden="true">
            <span style={{ left: share(from), width: share(duration) }} />
          </span>
          <span className="num">{from === 0 && duration === 0 ? 'start' : formatMs(duration)}</span>
        </li>
      ))}
      <li className="step-sum">
        <span>In all</span>
        <span className="gantt-bar" aria-hidden="true" />
        <span className="num">{formatMs(total)}</span>
      </li>
    </ol>
  )
}

function says(events: readonly Moment[], total: number): string {
  const longest = events.toSorted((a, b) => b.duration_ms - a.duration_ms)[0]
  if (longest === undefined || total === 0) return ''
  const name = codeWords(longest.event).toLowerCase()
  return `${formatMs(total)} from arrival until the record was ready to be written. The longest step, “${name}”, took ${formatShare(longest.duration_ms, total)} of it.`
}

function Measurement({ of: { events, total_duration_ms: total, cooldown } }: { readonly of: Measured }) {
  if (cooldown === undefined) {
    return (
      <>
        <p>{says(events, total)}</p>
        <Strip events={events} total={total} />
      </>
    )
  }
  const { own_events: own, own_total_duration_ms: ownTotal } = cooldown
  return (
    <>
      <p>{says(own, ownTotal)}</p>
      <Strip events={own} total={ownTotal} />
      <details>
        <summary>The moments of its source</summary>
        <Strip events={events} total={total} />
      </details>
    </>
  )
}

export function TimelineSection({ about }: { readonly about: AboutDecision }) {
  return (
    <Section id="timeline" title="Timeline">
      <Part asked={about.timeline} height={320}>
        {(timeline) => <Measurement of={timeline} />}
      </Part>
    </Section>
  )
}
