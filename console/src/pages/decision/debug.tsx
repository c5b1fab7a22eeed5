/** For developers: the measured steps of a decision, its trace and the answer as sent. */

import type { DecisionFile, Timeline } from '@fairway/client'
import { formatMs, formatShare } from '../../format.ts'
import { codeLabel } from '../../labels.ts'
import { Pairs } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Absent, Section } from './section.tsx'

type Step = Timeline['events'][number]

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

function Measurement({ of: { events, total_duration_ms: total, cooldown } }: { readonly of: Timeline }) {
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
        <summary>Timing of the original decision</summary>
        <Strip events={events} total={total} />
      </details>
    </>
  )
}

const none = <span className="soft">none</span>

function Request({ file: { recording, answer, explanation } }: { readonly file: DecisionFile }) {
  if (recording === null) return null
  const { trace_id: trace, key_id: keyId } = recording
  return (
    <Pairs
      of={[
        [
          'Trace id',
          trace === null ? (
            none
          ) : (
            <code key="trace" className="anywhere">
              {trace}
            </code>
          ),
        ],
        [keyId.startsWith('ses_') ? 'Session id' : 'Key id', <code key="key">{keyId}</code>],
        ['Engine', explanation.engine_version],
        ...(answer === null ? [] : [['API version', answer.api_version] as const]),
      ]}
    />
  )
}

export function Debug({ file }: { readonly file: DecisionFile }) {
  return (
    <>
      <Section id="timeline" title="Timing">
        <Measurement of={file.timeline} />
      </Section>
      <Section id="request" title="Request">
        <Absent file={file} name="recording" />
        <Request file={file} />
        {file.answer !== null && <Code title="Answer as sent" text={JSON.stringify(file.answer, null, 2)} />}
      </Section>
    </>
  )
}
