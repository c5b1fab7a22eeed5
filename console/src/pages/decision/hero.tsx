/** The decision at a glance: the verdict, what to do, where the score lies, and of which payment. */

import type { AuditRecord, Decision, Explanation } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ScoreRuler } from '../../charts/ruler.tsx'
import { formatAmount, formatScore } from '../../format.ts'
import { boundsOf } from '../../rules.ts'
import { CopyButton } from '../../ui/code.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, Verdict } from '../../ui/verdict.tsx'
import { actionTaken, actionWords, outcomes } from '../../words.ts'
import { answered, type AboutDecision } from './asks.ts'
import { DecisionLink } from './section.tsx'

/** The verdict of the record may be another than that of its score: then a rule has spoken. */
function overruled({ policy_gate: gate, corridor_supported: supported }: Explanation): string | null {
  if (!supported) return 'There is no data on this corridor: that is DEGRADED, whatever the score.'
  return gate.changed_decision ? 'The policy gate decided, whatever the score.' : null
}

interface Judged {
  readonly decision: Decision
  readonly score: number
}

function Score({ of, about }: { readonly of: Judged; readonly about: AboutDecision }) {
  const { data: explanation } = about.explanation
  const { data: audit } = about.audit
  const rule = explanation === undefined ? null : overruled(explanation)
  return (
    <div className="hero-score">
      <dl className="hero-figures">
        <div>
          <dt>Score</dt>
          <dd>{formatScore(of.score)}</dd>
        </div>
        {audit !== undefined && (
          <div>
            <dt>Confidence</dt>
            <dd>{formatScore(audit.confidence)}</dd>
          </div>
        )}
      </dl>
      {explanation === undefined ? (
        <Skeleton height={70} />
      ) : (
        <ScoreRuler score={of.score} bounds={boundsOf(explanation)} />
      )}
      {rule !== null && <p className="small soft">{rule}</p>}
    </div>
  )
}

function factsOf(record: AuditRecord, about: AboutDecision): (readonly [string, ReactNode])[] {
  const { correlation_id: own } = record
  const recordedAt = about.evidence.data?.record['recorded_at']
  const partner = answered(about, 'recommended_partner')
  const keyId = about.evidence.data?.record['key_id']
  return [
    ['Amount', <strong key="amount">{formatAmount(record.amount, record.currency)}</strong>],
    [
      'Corridor',
      <Link key="corridor" href={`/corridors/${encodeURIComponent(record.corridor)}`}>
        {record.corridor}
      </Link>,
    ],
    ['Decided', <Time key="decided" at={record.evaluated_at} />],
    ...(typeof recordedAt === 'string' && recordedAt !== record.evaluated_at
      ? [['Recorded', <Time key="recorded" at={recordedAt} />] as const]
      : []),
    ['Mode', record.mode === 'shadow' ? 'shadow, on simulated signals' : 'live'],
    [
      'Correlation id',
      own === null ? (
        <span key="own" className="soft">
          none
        </span>
      ) : (
        <Link key="own" href={`/verifications?${new URLSearchParams({ correlation_id: own }).toString()}`}>
          {own}
        </Link>
      ),
    ],
    ...(partner === null ? [] : [['Best partner', <code key="partner">{partner}</code>] as const]),
    ...(typeof keyId === 'string' ? [['Asked with key', <code key="key">{keyId}</code>] as const] : []),
  ]
}

export function Hero({ about }: { readonly about: AboutDecision }) {
  const { data: audit } = about.audit
  const { data: explanation } = about.explanation
  const judged = audit ?? explanation
  if (judged === undefined) return <Skeleton height={300} label="Loading the decision" />
  const action = answered(about, 'recommended_action')
  return (
    <section className="card hero" aria-label="The decision">
      <div className="stack">
        <div className="hero-verdict">
          <Verdict of={judged.decision} large />
          {audit?.human_override && <Chip tone="info">{actionTaken[audit.human_override.action]}</Chip>}
          {audit?.outcome && <Chip>{`Payment: ${outcomes[audit.outcome.outcome].toLowerCase()}`}</Chip>}
        </div>
        {action !== null && <p className="hero-action">{actionWords(action)}</p>}
        <Score of={judged} about={about} />
      </div>
      {audit !== undefined && <Pairs of={factsOf(audit, about)} />}
      {about.audit.error !== undefined && <p className="soft">{about.audit.error.message}</p>}
    </section>
  )
}

export function RequestId({ id }: { readonly id: string }) {
  return (
    <span className="hero-id">
      <code className="anywhere">{id}</code>
      <CopyButton text={id} label="Copy id" />
    </span>
  )
}

/** A record of a cooldown was not computed: who wants reasons must know whose they are. */
export function CooldownNotice({ about }: { readonly about: AboutDecision }) {
  const source = about.explanation.data?.cooldown?.source_request_id
  if (source === undefined) return null
  return (
    <Notice tone="info" title="This repeats an earlier decision">
      <p>
        A NO-GO holds for its corridor during a cooldown, so nothing was computed anew. The score and the
        reasons are those of its source, <DecisionLink id={source} />.
      </p>
    </Notice>
  )
}
