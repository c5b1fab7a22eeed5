/** The decision at a glance: verdict, instruction, score and payment. */

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
import { overrideLabels, outcomes } from '../../labels.ts'
import { instructionOf } from './instruction.ts'
import { isDecidedByRule, ownPolicyOf } from './policies.tsx'
import { answerText, settlementWindowOf, type DecisionQueries, type SettlementWindow } from './queries.ts'
import { DecisionLink } from './section.tsx'
import { hasSignals } from './why.tsx'

/** The rule that set the verdict regardless of the score, if one did. */
function decidingRule(explanation: Explanation): string | null {
  const { policy_gate: gate, corridor_supported: supported } = explanation
  if (isDecidedByRule(explanation)) return 'A rule of a policy set the decision, regardless of the score.'
  if (gate.changed_decision) return 'A policy cap set the decision, regardless of the score.'
  return supported ? null : 'No data for this corridor: never GO, regardless of the score.'
}

function Window({ of }: { readonly of: SettlementWindow | null }) {
  if (of === null) return <span className="soft">unknown: the calendar had expired</span>
  const { open, opens_at: opens, cut_off_at: cutOff } = of
  return (
    <>
      {open ? 'Open' : 'Closed'}
      {!open && opens !== null && (
        <span className="decision-second">
          Opens <Time at={opens} seconds={false} />
        </span>
      )}
      {cutOff !== null && (
        <span className="decision-second">
          Cut-off <Time at={cutOff} seconds={false} />
        </span>
      )}
    </>
  )
}

interface Scored {
  readonly decision: Decision
  readonly score: number
}

function Score({ of, queries }: { readonly of: Scored; readonly queries: DecisionQueries }) {
  const { data: explanation } = queries.explanation
  const { data: audit } = queries.audit
  const rule = explanation === undefined ? null : decidingRule(explanation)
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
        hasSignals(explanation) && <ScoreRuler score={of.score} bounds={boundsOf(explanation)} />
      )}
      {rule !== null && <p className="small soft">{rule}</p>}
    </div>
  )
}

/** How long the decision holds, and the settlement window that it was made for. */
function validityOf(queries: DecisionQueries): (readonly [string, ReactNode])[] {
  const until = answerText(queries, 'valid_until')
  const window = settlementWindowOf(queries)
  return [
    ...(until === null ? [] : [['Valid until', <Time key="until" at={until} />] as const]),
    ...(window === undefined ? [] : [['Settlement window', <Window key="window" of={window} />] as const]),
  ]
}

/** The owner's policy that it was decided under. */
function policyFact({ explanation }: DecisionQueries): (readonly [string, ReactNode])[] {
  const policy = explanation.data === undefined ? null : ownPolicyOf(explanation.data)
  if (policy === null) return []
  const { policy_id: id, name } = policy
  return [
    [
      'Policy',
      <Link key="policy" href={`/policies/${encodeURIComponent(id)}`} className="anywhere">
        {name}
      </Link>,
    ],
  ]
}

function factsOf(record: AuditRecord, queries: DecisionQueries): (readonly [string, ReactNode])[] {
  const { correlation_id: correlationId } = record
  const recordedAt = queries.evidence.data?.record['recorded_at']
  const partner = answerText(queries, 'recommended_partner')
  const keyId = queries.evidence.data?.record['key_id']
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
    ...validityOf(queries),
    ...policyFact(queries),
    ['Mode', record.mode === 'shadow' ? 'shadow (simulated signals)' : 'live'],
    [
      'Correlation id',
      correlationId === null ? (
        <span key="correlation" className="soft">
          none
        </span>
      ) : (
        <Link
          key="correlation"
          href={`/verifications?${new URLSearchParams({ correlation_id: correlationId }).toString()}`}
        >
          {correlationId}
        </Link>
      ),
    ],
    ...(partner === null ? [] : [['Recommended partner', <code key="partner">{partner}</code>] as const]),
    // A person decides with a session.
    ...(typeof keyId === 'string'
      ? [[keyId.startsWith('ses_') ? 'Session id' : 'Key id', <code key="key">{keyId}</code>] as const]
      : []),
  ]
}

export function Hero({ queries }: { readonly queries: DecisionQueries }) {
  const { data: audit } = queries.audit
  const { data: explanation } = queries.explanation
  const scored = audit ?? explanation
  if (scored === undefined) return <Skeleton height={300} label="Loading decision" />
  const instruction = instructionOf(queries)
  return (
    <section className="card hero" aria-label="Decision summary">
      <div className="stack">
        <div className="hero-verdict">
          <Verdict of={scored.decision} large />
          {audit?.human_override && <Chip tone="info">{overrideLabels[audit.human_override.action]}</Chip>}
          {audit?.outcome && <Chip>{`Payment: ${outcomes[audit.outcome.outcome].toLowerCase()}`}</Chip>}
        </div>
        {instruction !== null && <p className="hero-action">{instruction}</p>}
        <Score of={scored} queries={queries} />
      </div>
      {audit !== undefined && <Pairs of={factsOf(audit, queries)} />}
      {queries.audit.error !== undefined && <p className="soft">{queries.audit.error.message}</p>}
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

/** Links a decision made during a cooldown to the decision that its score and reasons come from. */
export function CooldownNotice({ queries }: { readonly queries: DecisionQueries }) {
  const source = queries.explanation.data?.cooldown?.source_request_id
  if (source === undefined) return null
  return (
    <Notice tone="info" title="This repeats an earlier decision">
      <p>
        The corridor was in cooldown after a NO-GO. The score and reasons are those of{' '}
        <DecisionLink id={source} />.
      </p>
    </Notice>
  )
}
