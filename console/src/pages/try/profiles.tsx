/** Compares the three risk profiles for one payment. */

import type { DemoCompareResponse } from '@fairway/client'
import { QueryResult } from '../../query-result.tsx'
import { usePublicQuery } from '../../query.ts'
import { formatScore, formatWait } from '../../format.ts'
import { useRemaining } from '../../remaining.ts'
import { Card, figures, Pairs } from '../../ui/card.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { ThresholdGo, Verdict } from '../../ui/verdict.tsx'
import { inDemo, type Payment } from './payment.ts'

type Result = NonNullable<DemoCompareResponse['results']['balanced']>

function Profile({ result }: { readonly result: Result }) {
  const { profile_label: name, decision, go_threshold: from, recheck_required: recheck } = result
  const seconds = result.valid_for_seconds
  return (
    <div className="profile">
      <h3>{name}</h3>
      {result.cap_not_applied ? <ThresholdGo /> : <Verdict of={decision} />}
      <Pairs
        of={[
          ['GO from', figures(formatScore(from))],
          ['Recheck', recheck ? 'Before release' : 'Not required'],
          ['Valid for', seconds === undefined ? 'No limit' : formatWait(seconds)],
        ]}
      />
    </div>
  )
}

export function Profiles({ payment, score }: { readonly payment: Payment; readonly score: number }) {
  const demoPayment = inDemo(payment)
  const query = usePublicQuery(
    ['demo-compare', demoPayment],
    (client) => client.demoCompare({ payment: demoPayment }),
    {
      keepPrevious: false,
    },
  )
  const remaining = useRemaining('demo-compare')
  return (
    <Card
      title="Three risk profiles"
      note="The same score against the thresholds of three risk profiles."
      actions={
        remaining && (
          <span className="small soft figures">
            {remaining.left} of {remaining.limit} comparisons left
          </span>
        )
      }
    >
      <QueryResult query={query} skeleton={<Skeleton height={190} label="Comparing profiles" />}>
        {({ results, divergence }) => {
          const profiles = Object.values(results)
          return (
            <>
              {profiles.some((one) => one.score !== score) && (
                <Notice tone="info" title="Thresholds only">
                  <p>This comparison ignores test amounts and cooldowns, so its score differs.</p>
                </Notice>
              )}
              <div className="profiles">
                {profiles.map((result) => (
                  <Profile key={result.profile_label} result={result} />
                ))}
              </div>
              <p className="small soft">{divergence.summary}</p>
            </>
          )
        }}
      </QueryResult>
    </Card>
  )
}
