/** The policy in force and the candidate, above all versions. */

import type { Policy } from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Query } from '../../query.ts'
import { useMay } from '../../caller.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { newVersionHref, policyHref, type PolicyChange } from './labels.ts'
import { Change, Status } from './parts.tsx'
import { RollBack, type RolledBack } from './roll-back.tsx'

const lastOf = ({ changes }: Policy, kind: PolicyChange['kind']): PolicyChange | undefined =>
  changes.findLast((change) => change.kind === kind)

function Summary({ of: policy, kind }: { readonly of: Policy; readonly kind: PolicyChange['kind'] }) {
  const change = lastOf(policy, kind)
  return (
    <div className="stack">
      <p className="policy-title">
        <Link href={policyHref(policy.policy_id)} className="anywhere">
          {policy.document.name}
        </Link>
        <Status of={policy.status} />
      </p>
      {change !== undefined && <Change of={change} />}
    </div>
  )
}

function Slot({
  title,
  query,
  empty,
  isPrimary = false,
  children,
}: {
  readonly title: string
  readonly query: Query<Policy | null>
  readonly empty: string
  readonly isPrimary?: boolean
  readonly children: (policy: Policy) => ReactNode
}) {
  const { data } = query
  return (
    <Card title={title} isPrimary={isPrimary}>
      {data === undefined && <Skeleton height={96} />}
      {data === null && <p className="soft">{empty}</p>}
      {data !== undefined && data !== null && children(data)}
    </Card>
  )
}

function RollBackResult({ of: { from, to } }: { readonly of: RolledBack }) {
  return (
    <DialogResult tone="go" title={`Rolled back: ${from}`}>
      <p>{to === null ? 'No policy is in force now.' : `In force again: ${to}.`}</p>
    </DialogResult>
  )
}

export function InForce({
  active,
  candidate,
}: {
  readonly active: Query<Policy | null>
  readonly candidate: Query<Policy | null>
}) {
  const [rolledBack, setRolledBack] = useState<RolledBack | null>(null)
  const mayApprove = useMay('policy:approve')
  const mayWrite = useMay('policy:write')
  return (
    <>
      {rolledBack !== null && <RollBackResult key={rolledBack.from} of={rolledBack} />}
      <div className="columns policy-slots">
        <Slot
          title="In force"
          isPrimary
          query={active}
          empty="No policy is in force: decisions follow the contract alone."
        >
          {(policy) => (
            <>
              <Summary of={policy} kind="promoted" />
              <div className="row">
                {mayWrite && (
                  <LinkButton href={newVersionHref(policy.policy_id)} icon="copy">
                    New version from this one
                  </LinkButton>
                )}
                {mayApprove && <RollBack active={policy} onDone={setRolledBack} />}
              </div>
            </>
          )}
        </Slot>
        <Slot
          title="Candidate"
          query={candidate}
          empty="No candidate. A candidate is evaluated beside the policy in force on every new decision."
        >
          {(policy) => (
            <>
              <Summary of={policy} kind="candidate" />
              <div className="row">
                <LinkButton href={`${policyHref(policy.policy_id)}?report=candidate`} icon="chart">
                  View report
                </LinkButton>
              </div>
            </>
          )}
        </Slot>
      </div>
    </>
  )
}
