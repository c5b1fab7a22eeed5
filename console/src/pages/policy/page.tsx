/** The page of one policy: its document, life and reports, and the actions that its status allows. */

import { NotFoundError, type Policy, type PolicyBacktest } from '@fairway/client'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { PrincipalName } from '../../people/principal.tsx'
import { useMay } from '../../caller.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/code.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { newVersionHref, statuses } from '../policies/labels.ts'
import { Change, PolicyProblem, Status } from '../policies/parts.tsx'
import { usePolicy } from '../policies/queries.ts'
import { RollBack, type RolledBack } from '../policies/roll-back.tsx'
import { StartBacktest } from './backtest-form.tsx'
import { MakeCandidate } from './candidate.tsx'
import { Compare } from './compare.tsx'
import { DocumentCard } from './document.tsx'
import { Promote } from './promote.tsx'
import { useBacktests } from './queries.ts'
import { Reports } from './reports.tsx'

function Life({ of: { created_at: at, created_by: by, changes } }: { readonly of: Policy }) {
  return (
    <Card title="Life">
      <ol className="policy-life">
        <li>
          <div className="policy-change">
            <p className="policy-change-head">
              <strong>Written</strong>{' '}
              <span className="small soft">
                <Time at={at} seconds={false} />
              </span>
            </p>
            <PrincipalName of={by} />
          </div>
        </li>
        {changes.map((change) => (
          <li key={change.kind + change.at}>
            <Change of={change} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

type Done = 'candidate' | 'promoted' | RolledBack

function Result({ of, name }: { readonly of: Done; readonly name: string }) {
  if (of === 'candidate') {
    return (
      <DialogResult tone="go" title={`${name} is the candidate`}>
        <p>Its report begins with the next decision.</p>
      </DialogResult>
    )
  }
  if (of === 'promoted') return <DialogResult tone="go" title={`${name} is in force`} />
  return (
    <DialogResult tone="go" title={`Rolled back: ${of.from}`}>
      <p>{of.to === null ? 'No policy is in force now.' : `In force again: ${of.to}.`}</p>
    </DialogResult>
  )
}

function Actions({ policy, onDone }: { readonly policy: Policy; readonly onDone: (done: Done) => void }) {
  const { policy_id: id, status } = policy
  const [, change] = useAddress()
  const { mutate } = useBacktests(id)
  const mayWrite = useMay('policy:write')
  const mayApprove = useMay('policy:approve')
  function started(backtest: PolicyBacktest): void {
    // Shown at once, without waiting for the list.
    void mutate((before = []) => [backtest, ...before], { revalidate: false })
    change({ report: backtest.backtest_id, flip: null, rule: null })
  }
  return (
    <div className="row">
      {mayApprove && status !== 'active' && <Promote policy={policy} onDone={() => onDone('promoted')} />}
      {mayWrite && (status === 'draft' || status === 'retired') && (
        <MakeCandidate policy={policy} onDone={() => onDone('candidate')} />
      )}
      {mayWrite && (
        <>
          <StartBacktest policyId={id} onStarted={started} />
          <LinkButton href={newVersionHref(id)} icon="copy">
            New version from this one
          </LinkButton>
        </>
      )}
      {mayApprove && status === 'active' && <RollBack active={policy} onDone={onDone} />}
    </div>
  )
}

function PolicyView({ policy }: { readonly policy: Policy }) {
  const [done, setDone] = useState<{ readonly of: Done; readonly number: number } | null>(null)
  const { policy_id: id, document, status } = policy
  return (
    <>
      {done !== null && <Result key={done.number} of={done.of} name={document.name} />}
      <section className="card card-primary" aria-label="Status and actions">
        <div className="policy-title">
          <Status of={status} />
          <span>{statuses[status].meaning}</span>
          <span className="policy-id">
            <code className="anywhere">{id}</code>
            <CopyButton text={id} label="Copy id" />
          </span>
        </div>
        <Actions
          policy={policy}
          onDone={(of) => setDone((before) => ({ of, number: (before?.number ?? 0) + 1 }))}
        />
      </section>
      <div className="policy-columns">
        <DocumentCard of={document} sha256={policy.sha256} />
        <Life of={policy} />
      </div>
      <Reports policy={policy} />
      <Compare policy={policy} />
    </>
  )
}

function LoadedPolicy({ id }: { readonly id: string }) {
  const { data, error, mutate } = usePolicy(id)
  if (error instanceof NotFoundError) {
    return (
      <Card>
        <Empty
          icon="search"
          title="Policy not found"
          action={<LinkButton href="/policies">View policies</LinkButton>}
        >
          Check the id. Policies of other owners are not visible.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {error !== undefined && <PolicyProblem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? (
        error === undefined && <Skeleton height={320} label="Loading policy" />
      ) : (
        <PolicyView policy={data} />
      )}
    </>
  )
}

export default function PolicyPage() {
  const { policy_id: id = '' } = useParams()
  const { data } = usePolicy(id)
  return (
    <Page title={data?.document.name ?? 'Policy'} lead={<Link href="/policies">All policies</Link>}>
      <Keyed what="this policy">
        <LoadedPolicy id={id} />
      </Keyed>
    </Page>
  )
}
