/** The decision page: a bar that stays in sight, and three tabs. */

import { NotFoundError } from '@fairway/client'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { useParams } from 'wouter'
import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { QueryResult } from '../../query-result.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { Activity } from './activity.tsx'
import { Bar } from './bar.tsx'
import { Change } from './change.tsx'
import './decision.css'
import { CooldownNotice, Facts, RequestId } from './facts.tsx'
import { useDecisionFile, type FileProps } from './file.ts'
import { ImpactSection } from './impact.tsx'
import { OutcomeSection } from './outcome.tsx'
import { OverrideSection } from './override.tsx'
import { PartnersSection } from './partners.tsx'
import { Why } from './reasons.tsx'
import { ReviewSection } from './review.tsx'
import { Signals } from './signals.tsx'
import { panelId, tabId, tabIn, Tabs, type TabName } from './tabs.tsx'

/** Loaded with their tabs, which few open. */
const Evidence = lazy(async () => ({ default: (await import('./later.ts')).Evidence }))
const Debug = lazy(async () => ({ default: (await import('./later.ts')).Debug }))

function NotFound({ id }: { readonly id: string }) {
  return (
    <div className="card">
      <Empty
        icon="search"
        title="Decision not found"
        action={
          <div className="row">
            <LinkButton href={`/verifications?${new URLSearchParams({ correlation_id: id }).toString()}`}>
              Search by correlation id
            </LinkButton>
            <LinkButton href="/verifications" variant="quiet">
              Show all verifications
            </LinkButton>
          </div>
        }
      >
        Check the id. Demo decisions are not recorded, and decisions of other owners are not visible.
      </Empty>
    </div>
  )
}

/** Scrolls to the anchor again once the page is there. */
function useAnchor(): void {
  useEffect(() => {
    const { hash } = window.location
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [])
}

function DecisionTab({ file, query }: FileProps) {
  const { explanation } = file
  return (
    <>
      <Why file={file} />
      <PartnersSection of={explanation} />
      <div className="decision-pair">
        <Signals file={file} />
        <Change of={explanation} />
      </div>
      <div className="decision-pair">
        <div className="decision-side">
          <Activity file={file} />
          <ImpactSection file={file} />
        </div>
        <div className="decision-side">
          <ReviewSection file={file} />
          <OverrideSection file={file} query={query} />
          <OutcomeSection file={file} query={query} />
        </div>
      </div>
    </>
  )
}

/** The form is there once its tab is. */
function focusForm(section: string): void {
  requestAnimationFrame(() => {
    const place = document.getElementById(section)
    place?.scrollIntoView()
    place?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  })
}

function Parts({ file, query }: FileProps) {
  const [params, change] = useAddress()
  const tab = tabIn(params)
  const choose = (name: TabName): void => change({ tab: name === 'decision' ? null : name })
  useAnchor()
  return (
    <>
      <Bar
        file={file}
        onJump={(section) => {
          choose('decision')
          focusForm(section)
        }}
      />
      <Facts file={file} />
      <CooldownNotice file={file} />
      <Tabs value={tab} onChange={choose} />
      {/* Stays when another tab is shown, so that a form keeps its text. */}
      <Panel of="decision" isShown={tab === 'decision'}>
        <DecisionTab file={file} query={query} />
      </Panel>
      <Panel of="evidence" isShown={tab === 'evidence'}>
        {tab === 'evidence' && (
          <Suspense fallback={<Skeleton />}>
            <Evidence file={file} />
          </Suspense>
        )}
      </Panel>
      <Panel of="debug" isShown={tab === 'debug'}>
        {tab === 'debug' && (
          <Suspense fallback={<Skeleton />}>
            <Debug file={file} />
          </Suspense>
        )}
      </Panel>
    </>
  )
}

function Panel({
  of,
  isShown,
  children,
}: {
  readonly of: TabName
  readonly isShown: boolean
  readonly children: ReactNode
}) {
  return (
    <div
      id={panelId(of)}
      role="tabpanel"
      aria-labelledby={tabId(of)}
      className="decision-panel"
      hidden={!isShown}
    >
      {children}
    </div>
  )
}

function Decision({ id }: { readonly id: string }) {
  const query = useDecisionFile(id)
  if (query.error instanceof NotFoundError) return <NotFound id={id} />
  return (
    <QueryResult query={query} skeleton={<Skeleton height={480} label="Loading decision" />}>
      {(file) => <Parts key={file.request_id} file={file} query={query} />}
    </QueryResult>
  )
}

export default function DecisionPage() {
  const { request_id: id = '' } = useParams()
  return (
    <Page
      title="Decision"
      lead={<RequestId id={id} />}
      actions={
        <LinkButton href="/verifications" variant="quiet" icon="back">
          All verifications
        </LinkButton>
      }
    >
      <Keyed what="this decision">
        <Decision id={id} />
      </Keyed>
    </Page>
  )
}
