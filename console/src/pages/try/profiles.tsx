/** The three risk profiles on the same payment, side by side. */

import type { DemoCompareResponse } from '@fairway/client'
import { Answered } from '../../answer.tsx'
import { useOpenAsk } from '../../ask.ts'
import { formatScore, formatWait } from '../../format.ts'
import { useRemaining } from '../../remaining.ts'
import { Card, figures, Pairs } from '../../ui/card.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { inDemo, type Payment } from './payment.ts'

type Result = NonNullable<DemoCompareResponse['results']['balanced']>

function Profile({ result }: { readonly result: Result }) {
  const { profile_label: name, decision, go_threshold: from, recheck_required: recheck } = result
  const seconds = result.valid_for_seconds
  return (
    <div className="profile">
      <h3>{name}</h3>
      <Verdict of={decision} />
      <Pairs
        of={[
          ['GO from', figures(formatScore(from))],
          ['Recheck', recheck ? 'Before release' : 'Not needed'],
          ['Valid for', seconds === undefined ? 'Not bounded' : formatWait(seconds)],
        ]}
      />
    </div>
  )
}

export function Profiles({ payment, score }: { readonly payment: Payment; readonly score: number }) {
  const given = inDemo(payment)
  const asked = useOpenAsk(['demo-compare', given], (client) => client.demoCompare({ payment: given }), {
    keepPrevious: false,
  })
  const left = useRemaining('demo-compare')
  return (
    <Card
      title="Three risk profiles"
      note="One score against three thresholds: how much your organisation takes on."
      actions={
        left && (
          <span className="small soft figures">
            {left.left} of {left.limit} comparisons left
          </span>
        )
      }
    >
      <Answered asked={asked} skeleton={<Skeleton height={190} label="Comparing the profiles" />}>
        {({ results, divergence }) => {
          const known = Object.values(results)
          return (
            <>
              {known.some((one) => one.score !== score) && (
                <Notice tone="info" title="The comparison stands apart">
                  <p>It compares thresholds only: test amounts and cooldowns do not act here.</p>
                </Notice>
              )}
              <div className="profiles">
                {known.map((result) => (
                  <Profile key={result.profile_label} result={result} />
                ))}
              </div>
              <p className="small soft">{divergence.summary}</p>
            </>
          )
        }}
      </Answered>
    </Card>
  )
}
