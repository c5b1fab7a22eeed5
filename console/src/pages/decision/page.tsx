/** A decision: everything about it on one page, each part with an address of its own. */

import { useEffect } from 'react'
import { useParams } from 'wouter'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/state.tsx'
import { askAgain, isUnknown, useDecision, wholeError, type AboutDecision } from './asks.ts'
import { Change } from './change.tsx'
import './decision.css'
import { DeliveriesSection } from './deliveries.tsx'
import { CooldownNotice, Hero, RequestId } from './hero.tsx'
import { ImpactSection } from './impact.tsx'
import { OutcomeSection } from './outcome.tsx'
import { OverrideSection } from './override.tsx'
import { RecordSection } from './record.tsx'
import { sections } from './section.tsx'
import { Signals } from './signals.tsx'
import { TimelineSection } from './timeline.tsx'
import { Why } from './why.tsx'

function Unknown({ id }: { readonly id: string }) {
  return (
    <div className="card">
      <Empty
        icon="search"
        title="There is no such decision"
        action={
          <div className="row">
            <LinkButton href={`/verifications?${new URLSearchParams({ correlation_id: id }).toString()}`}>
              Look for it as a correlation id
            </LinkButton>
            <LinkButton href="/verifications" look="quiet">
              See all verifications
            </LinkButton>
          </div>
        }
      >
        Your key’s owner has no decision with this id. Decisions of the demo are not kept, and those of other
        owners are not shown.
      </Empty>
    </div>
  )
}

function Index() {
  return (
    <nav className="decision-index" aria-label="On this page">
      <ul>
        {sections.map(([id, name]) => (
          <li key={id}>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The parts grow as their answers come: whoever asked for one of them is brought there again. */
function useAnchor({ audit, explanation, provenance, timeline }: AboutDecision): void {
  const isThere = [audit, explanation, provenance, timeline].every(
    ({ data, error }) => data !== undefined || error !== undefined,
  )
  useEffect(() => {
    const { hash } = window.location
    if (isThere && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isThere])
}

function Parts({ id }: { readonly id: string }) {
  const about = useDecision(id)
  useAnchor(about)
  if (isUnknown(about)) return <Unknown id={id} />
  const error = wholeError(about)
  if (error !== null) {
    return (
      <Problem
        error={error}
        onRetry={() => {
          askAgain(about)
          void Promise.all([about.explanation.mutate(), about.provenance.mutate(), about.timeline.mutate()])
        }}
      />
    )
  }
  return (
    <>
      <Hero about={about} />
      <CooldownNotice about={about} />
      <Index />
      <Why about={about} />
      <Change about={about} />
      <div className="columns">
        <OverrideSection about={about} />
        <div className="decision-side">
          <OutcomeSection id={id} about={about} />
          <ImpactSection about={about} />
        </div>
      </div>
      <Signals about={about} />
      <TimelineSection about={about} />
      <DeliveriesSection id={id} about={about} />
      <RecordSection id={id} about={about} />
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
        <LinkButton href="/verifications" look="quiet" icon="back">
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
