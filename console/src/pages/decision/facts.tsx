/** The payment and the circumstances of its decision, below the bar. */

import type { DecisionFile, VerifyResponse } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CopyButton } from '../../ui/code.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { ownPolicyOf } from './policies.tsx'
import { Absent, DecisionLink } from './section.tsx'

type SettlementWindow = NonNullable<VerifyResponse['settlement_window']>
type Fact = readonly [name: string, value: ReactNode]

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

/** How long the decision holds, the settlement window that it was made for, and the partner to use. */
function answerFacts({ answer }: DecisionFile): Fact[] {
  if (answer === null) return []
  const { valid_until: until, settlement_window: window, recommended_partner: partner } = answer
  return [
    ...(until === undefined ? [] : [['Valid until', <Time key="until" at={until} />] as const]),
    ...(window === undefined ? [] : [['Settlement window', <Window key="window" of={window} />] as const]),
    ...(partner === null
      ? []
      : [
          [
            'Recommended partner',
            <code key="partner" className="anywhere">
              {partner}
            </code>,
          ] as const,
        ]),
  ]
}

/** The owner's policy that it was decided under. */
function policyFact({ explanation }: DecisionFile): Fact[] {
  const policy = ownPolicyOf(explanation)
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

function Correlation({ id }: { readonly id: string | null }) {
  if (id === null) return <span className="soft">none</span>
  // No payment can be found by it any more.
  if (id === '(erased)') return <span className="soft">{id}</span>
  const address = `/verifications?${new URLSearchParams({ correlation_id: id }).toString()}`
  return (
    <Link href={address} className="anywhere">
      {id}
    </Link>
  )
}

function factsOf(file: DecisionFile): Fact[] {
  const { audit } = file
  if (audit === null) return policyFact(file)
  return [
    ['Decided', <Time key="decided" at={audit.evaluated_at} />],
    ...answerFacts(file),
    ...policyFact(file),
    ['Mode', audit.mode === 'shadow' ? 'shadow (simulated signals)' : 'live'],
    ['Correlation id', <Correlation key="correlation" id={audit.correlation_id} />],
  ]
}

export function Facts({ file }: { readonly file: DecisionFile }) {
  return (
    <>
      <dl className="decision-facts">
        {factsOf(file).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Absent file={file} name="audit" />
    </>
  )
}

export function RequestId({ id }: { readonly id: string }) {
  return (
    <span className="decision-id">
      <code className="anywhere">{id}</code>
      <CopyButton text={id} label="Copy id" />
    </span>
  )
}

/** Links a decision made during a cooldown to the decision that its score and reasons come from. */
export function CooldownNotice({ file }: { readonly file: DecisionFile }) {
  const source = file.explanation.cooldown?.source_request_id
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
