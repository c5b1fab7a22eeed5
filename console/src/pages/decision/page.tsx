/** The decision page. Each section has its own anchor. */

import { useEffect } from 'react'
import { useParams } from 'wouter'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/state.tsx'
import { isNotFound, pageError, refresh, useDecisionQueries, type DecisionQueries } from './queries.ts'
import { Change } from './change.tsx'
import './decision.css'
import { DeliveriesSection } from './deliveries.tsx'
import { CooldownNotice, Hero, RequestId } from './hero.tsx'
import { ImpactSection } from './impact.tsx'
import { OutcomeSection } from './outcome.tsx'
import { OverrideSection } from './override.tsx'
import { PartnersSection, partnersOf } from './partners.tsx'
import { RecordSection } from './record.tsx'
import { hasReview, ReviewSection } from './review.tsx'
import { sections } from './section.tsx'
import { Signals } from './signals.tsx'
import { TimelineSection } from './timeline.tsx'
import { Why } from './why.tsx'

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

/** Only a decision that ranked partners has that section, and only one that needs a person has a review. */
function Index({ queries }: { readonly queries: DecisionQueries }) {
  const isShown: Readonly<Record<string, boolean>> = {
    partners: partnersOf(queries).length > 0,
    review: hasReview(queries),
  }
  return (
    <nav className="decision-index" aria-label="On this page">
      <ul>
        {sections
          .filter(([id]) => isShown[id] ?? true)
          .map(([id, name]) => (
            <li key={id}>
              <a className="pill" href={`#${id}`}>
                {name}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** Scrolls to the anchor again once the sections have loaded, because they grow with their data. */
function useAnchor({ audit, explanation, review, provenance, timeline }: DecisionQueries): void {
  const isLoaded = [audit, explanation, review, provenance, timeline].every(
    ({ data, error }) => data !== undefined || error !== undefined,
  )
  useEffect(() => {
    const { hash } = window.location
    if (isLoaded && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isLoaded])
}

function Parts({ id }: { readonly id: string }) {
  const queries = useDecisionQueries(id)
  useAnchor(queries)
  if (isNotFound(queries)) return <NotFound id={id} />
  const error = pageError(queries)
  if (error !== null) {
    return (
      <Problem
        error={error}
        onRetry={() => {
          refresh(queries)
          void Promise.all([
            queries.explanation.mutate(),
            queries.provenance.mutate(),
            queries.timeline.mutate(),
          ])
        }}
      />
    )
  }
  return (
    <>
      <Hero queries={queries} />
      <CooldownNotice queries={queries} />
      <Index queries={queries} />
      <Why queries={queries} />
      <PartnersSection queries={queries} />
      <Change queries={queries} />
      <div className="columns">
        <div className="decision-side">
          <ReviewSection queries={queries} />
          <OverrideSection queries={queries} />
        </div>
        <div className="decision-side">
          <OutcomeSection id={id} queries={queries} />
          <ImpactSection queries={queries} />
        </div>
      </div>
      <Signals queries={queries} />
      <TimelineSection queries={queries} />
      <DeliveriesSection id={id} queries={queries} />
      <RecordSection id={id} queries={queries} />
    </>
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
        <Parts id={id} />
      </Keyed>
    </Page>
  )
}
