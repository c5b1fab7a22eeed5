/** The measured steps of a decision, drawn as bars along its duration. */

import type { Timeline as Measured } from '@fairway/client'
import { formatMs, formatShare } from '../../format.ts'
import { codeLabel } from '../../labels.ts'
import type { DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

type Step = Measured['events'][number]

/** Each step starts where the previous one ended. */
function placed(events: readonly Step[]) {
  let at = 0
  return events.map(({ event, duration_ms: duration }) => {
    const from = at
    at += duration
    return { event, duration, from }
  })
}

function Strip({ events, total }: { readonly events: readonly Step[]; readonly total: number }) {
  const share = (ms: number): string => `${total === 0 ? 0 : (ms / total) * 100}%`
  return (
    <ol className="gantt">
      {placed(events).map(({ event, duration, from }) => (
        <li key={event}>
          <span>{codeLabel(event)}</span>
          <span className="gantt-bar" aria-hidden="true">
            <span style={{ left: share(from), width: share(duration) }} />
          </span>
          <span className="num">{from === 0 && duration === 0 ? 'start' : formatMs(duration)}</span>
        </li>
      ))}
      <li className="step-sum">
        <span>Total</span>
        <span className="gantt-bar" aria-hidden="true" />
        <span className="num">{formatMs(total)}</span>
      </li>
    </ol>
  )
}

function summaryOf(events: readonly Step[], total: number): string {
  const longest = events.toSorted((a, b) => b.duration_ms - a.duration_ms)[0]
  if (longest === undefined || total === 0) return ''
  const name = codeLabel(longest.event).toLowerCase()
  return `${formatMs(total)} from arrival to prepared record. Longest step: ${name} (${formatShare(longest.duration_ms, total)}).`
}

function Measurement({ of: { events, total_duration_ms: total, cooldown } }: { readonly of: Measured }) {
  if (cooldown === undefined) {
    return (
      <>
        <p>{summaryOf(events, total)}</p>
        <Strip events={events} total={total} />
      </>
    )
  }
  const { own_events: own, own_total_duration_ms: ownTotal } = cooldown
  return (
    <>
      <p>{summaryOf(own, ownTotal)}</p>
      <Strip events={own} total={ownTotal} />
      <details>
        <summary>Timeline of the original decision</summary>
        <Strip events={events} total={total} />
      </details>
    </>
  )
}

export function TimelineSection({ queries }: { readonly queries: DecisionQueries }) {
  return (
    <Section id="timeline" title="Timeline">
      <Part query={queries.timeline} height={320}>
        {(timeline) => <Measurement of={timeline} />}
      </Part>
    </Section>
  )
}
