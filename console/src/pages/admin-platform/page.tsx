/** The stages of the Corridor Intelligence Platform: where it stands, the quality gate, and all formal changes. */

import type { AdminCip, CipTransition } from '@fairway/client'
import { useState } from 'react'
import { formatCount, formatScore } from '../../format.ts'
import { AdminOnly } from '../../keyed.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useOwnQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Time } from '../../ui/time.tsx'
import { stageNames } from './stages.ts'
import { TransitionDialog } from './transition.tsx'

function Standing({ of: cip, onChange }: { readonly of: AdminCip; readonly onChange: () => void }) {
  const { quality_gate: gate, blend_suspended: suspended } = cip
  return (
    <Card
      title={stageNames[cip.stage]}
      isPrimary
      actions={
        <Button variant="primary" icon="layers" onClick={onChange}>
          Change the stage
        </Button>
      }
    >
      <Notice
        tone={gate.passed ? 'go' : 'info'}
        title={gate.passed ? 'The quality gate is passed' : 'The quality gate is not passed'}
      >
        {gate.fault !== null && <p>{`${gate.fault}.`}</p>}
      </Notice>
      {suspended !== null && (
        <Notice tone="degraded" title={`A weight of ${formatScore(suspended.blend_weight)} counts as 0`}>
          <p>{`${suspended.reason}.`}</p>
        </Notice>
      )}
      <Pairs
        of={[
          ['Since', <Time key="since" at={cip.last_updated} />],
          ['Share of a live score', formatScore(cip.blend_weight)],
          ['Moves decisions', cip.decision_influence ? 'yes' : 'no'],
          ['Observations', formatCount(cip.observations_collected)],
          ['Complete days', formatCount(gate.corpus_days)],
          ['Adapters', cip.active_adapters.join(', ') || 'none: the probe is off'],
          ['Governed by', <code key="by">{cip.governed_by}</code>],
        ]}
      />
    </Card>
  )
}

const columns: readonly StackColumn<CipTransition>[] = [
  { name: 'Stage', cell: ({ to }) => stageNames[to] },
  { name: 'Weight', number: true, cell: ({ blend_weight: weight }) => formatScore(weight) },
  { name: 'Change', cell: ({ reference }) => <code className="anywhere">{reference}</code> },
  { name: 'By', cell: ({ made_by_name: name }) => name },
  {
    name: 'Reason',
    place: 'plain',
    cell: ({ reason }) =>
      reason === null ? <span className="soft">none</span> : <span className="anywhere">{reason}</span>,
  },
  { name: 'At', number: true, cell: ({ made_at: at }) => <Time at={at} /> },
]

function Platform() {
  const [isChanging, setChanging] = useState(false)
  const query = useOwnQuery(['admin cip'], (client) => client.admin.cip())
  return (
    <QueryResult query={query} skeleton={<Skeleton height={320} label="Loading the platform" />}>
      {(cip) => (
        <>
          <Standing of={cip} onChange={() => setChanging(true)} />
          <Card title="Changes" note="Each is recorded permanently, and is an entry of the sealed log.">
            {cip.transitions.length === 0 ? (
              <Empty icon="history" title="No change yet" />
            ) : (
              <StackTable
                caption="Changes of the stage, newest first"
                columns={columns}
                rows={cip.transitions.toReversed()}
                keyOf={({ number }) => String(number)}
              />
            )}
          </Card>
          {isChanging && <TransitionDialog of={cip} onClose={() => setChanging(false)} />}
        </>
      )}
    </QueryResult>
  )
}

export default function PlatformPage() {
  return (
    <Page
      title="Platform stages"
      lead="The Corridor Intelligence Platform: what its telemetry may do to live decisions."
    >
      <AdminOnly what="the stages of the platform">
        <Platform />
      </AdminOnly>
    </Page>
  )
}
