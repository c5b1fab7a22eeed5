/** The activity of a decision: what people and systems did, oldest first. */

import type { DecisionFile, Delivery, ReviewDetail } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatScore } from '../../format.ts'
import { codeLabel, outcomes } from '../../labels.ts'
import { PrincipalName } from '../../people/principal.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { attemptLabel, deliveryState, eventLabels } from '../webhooks/labels.ts'
import { Absent, Section } from './section.tsx'

interface Entry {
  readonly key: string
  /** Null for what has no time of its own: it follows the entry before it. */
  readonly at: string | null
  readonly icon: IconName
  readonly title: ReactNode
  readonly who?: ReactNode
  /** Words of a person. */
  readonly text?: string | null
  readonly note?: ReactNode
}

function recorded({ recording, explanation, proof }: DecisionFile): Entry[] {
  if (recording === null) return []
  const { recorded_at: at, key_id: keyId } = recording
  const leaf = proof?.record ?? null
  return [
    {
      key: 'recorded',
      at,
      icon: 'bolt',
      title: `Decision recorded: ${explanation.decision}, score ${formatScore(explanation.score)}`,
      // A person decides with a session.
      who: (
        <>
          {keyId.startsWith('ses_') ? 'Session' : 'Key'} <code className="anywhere">{keyId}</code>
        </>
      ),
    },
    ...(leaf === null
      ? []
      : [
          {
            key: 'sealed',
            at: null,
            icon: 'policy',
            title: `Sealed in the log as entry ${leaf.leaf_index}`,
          } as const,
        ]),
  ]
}

type Change = ReviewDetail['history'][number]

const changes: Readonly<Record<Change['kind'], { readonly title: string; readonly icon: IconName }>> = {
  opened: { title: 'Review opened', icon: 'review' },
  claimed: { title: 'Review claimed', icon: 'user' },
  released: { title: 'Review released', icon: 'back' },
  commented: { title: 'Comment', icon: 'list' },
  proposed: { title: 'Proposed', icon: 'review' },
  approved: { title: 'Proposal approved', icon: 'check' },
  rejected: { title: 'Proposal rejected', icon: 'back' },
  expired: { title: 'Review expired', icon: 'clock' },
  overridden: { title: 'Review closed by a direct override', icon: 'review' },
}

/** A repeat is in the review of its source, which is not about the repeat. */
function reviewed({ review, request_id: id }: DecisionFile): Entry[] {
  if (review?.request_id !== id) return []
  return review.history.map(({ kind, by, at, action, reason_code: code, text }, place) => ({
    key: `review-${place}`,
    at,
    icon: changes[kind].icon,
    title: `${changes[kind].title}${action === null ? '' : `: ${action}`}`,
    ...(by !== null && { who: <PrincipalName of={by} /> }),
    text,
    ...(code !== null && { note: codeLabel(code) }),
  }))
}

function acted({ audit }: DecisionFile): Entry[] {
  const override = audit?.human_override ?? null
  const outcome = audit?.outcome ?? null
  return [
    ...(override === null
      ? []
      : [
          {
            key: 'override',
            at: override.created_at,
            icon: 'bolt',
            title: `Override: ${override.action}`,
            who: <PrincipalName of={override.created_by} />,
            // An approved proposal has the same text, and its own entry.
            text: override.approval === null ? override.justification : null,
            note: codeLabel(override.reason_code),
          } as const,
        ]),
    ...(outcome === null
      ? []
      : [
          {
            key: 'outcome',
            at: outcome.reported_at,
            icon: 'target',
            title: `Payment outcome: ${outcomes[outcome.outcome].toLowerCase()}`,
            who: <PrincipalName of={outcome.reported_by} />,
          } as const,
        ]),
  ]
}

type Endpoint = NonNullable<DecisionFile['deliveries']>[number]['endpoint']

function delivered(endpoint: Endpoint, delivery: Delivery): Entry {
  const { attempts, next_attempt: next, event, event_id: id, created_at: created } = delivery
  const last = attempts.at(-1)
  const { label, tone } = deliveryState(delivery)
  return {
    key: endpoint.webhook_id + id,
    at: last?.at ?? created,
    icon: 'hook',
    title: (
      <>
        Webhook: {eventLabels[event]} <Chip tone={tone}>{label}</Chip>
      </>
    ),
    who: (
      <Link href={`/webhooks/${encodeURIComponent(endpoint.webhook_id)}`} className="anywhere">
        {endpoint.description ?? endpoint.url}
      </Link>
    ),
    note: (
      <>
        {last === undefined ? 'No attempts yet' : `${attemptLabel(last)}, attempt ${last.attempt}`}
        {next !== null && (
          <>
            . Next attempt <Time at={next.due_at} />
          </>
        )}
      </>
    ),
  }
}

/** An entry without a time stays behind the one before it. */
function inOrder(entries: readonly Entry[]): Entry[] {
  let before = ''
  return entries
    .map((entry) => ({ entry, at: (before = entry.at ?? before) }))
    .toSorted((left, right) => (left.at < right.at ? -1 : Number(left.at > right.at)))
    .map(({ entry }) => entry)
}

const entriesOf = (file: DecisionFile): Entry[] =>
  inOrder([
    ...recorded(file),
    ...reviewed(file),
    ...acted(file),
    ...(file.deliveries ?? []).flatMap(({ endpoint, deliveries }) =>
      deliveries.map((delivery) => delivered(endpoint, delivery)),
    ),
  ])

function Item({ of: { at, icon, title, who, text, note } }: { readonly of: Entry }) {
  return (
    <li>
      <span className="activity-icon">
        <Icon name={icon} size={15} />
      </span>
      <div className="activity-body">
        <p className="activity-title">
          <strong>{title}</strong>
          {at !== null && (
            <span className="small soft">
              <Time at={at} />
            </span>
          )}
        </p>
        {who !== undefined && <div className="small">{who}</div>}
        {note !== undefined && <p className="small soft">{note}</p>}
        {typeof text === 'string' && <p className="activity-text">{text}</p>}
      </div>
    </li>
  )
}

const hidden = { recording: 'Records', review: 'Reviews', deliveries: 'Webhook deliveries' } as const

export function Activity({ file }: { readonly file: DecisionFile }) {
  const entries = entriesOf(file)
  const missing = (['recording', 'review', 'deliveries'] as const).filter(
    (name) => file.withheld.some(({ member }) => member === name) || file.unavailable.includes(name),
  )
  return (
    <Section id="activity" title="Activity" note="Oldest first.">
      <ol className="activity" aria-label="Activity of this decision">
        {entries.map((entry) => (
          <Item key={entry.key} of={entry} />
        ))}
      </ol>
      {missing.map((name) => (
        <div key={name} className="small">
          <p>{hidden[name]} are not shown.</p>
          <Absent file={file} name={name} />
        </div>
      ))}
    </Section>
  )
}
