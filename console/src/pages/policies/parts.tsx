/** Small parts of the policy pages: a status, a change, an error. */

import type { FairwayError } from '@fairway/client'
import { PrincipalName } from '../../people/principal.tsx'
import { ScopeProblem } from '../../scope-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { changes, statuses, type PolicyChange, type PolicyStatus } from './labels.ts'
import './policies.css'

export function Status({ of }: { readonly of: PolicyStatus }) {
  const { label, tone, icon } = statuses[of]
  return (
    <Chip {...(tone !== undefined && { tone })}>
      {icon !== undefined && <Icon name={icon} size={15} />}
      {label}
    </Chip>
  )
}

/** Who, when and why. */
export function Change({ of: { kind, at, by, reason } }: { readonly of: PolicyChange }) {
  return (
    <div className="policy-change">
      <p className="policy-change-head">
        <strong>{changes[kind]}</strong>{' '}
        <span className="small soft">
          <Time at={at} seconds={false} />
        </span>
      </p>
      <PrincipalName of={by} />
      {reason !== null && <p className="policy-reason">{reason}</p>}
    </div>
  )
}

export function PolicyProblem(problem: { readonly error: FairwayError; readonly onRetry: () => void }) {
  return <ScopeProblem {...problem} scope="policy:read" title="This key cannot read policies" />
}
