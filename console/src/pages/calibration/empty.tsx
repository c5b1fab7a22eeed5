/** A stretch without final outcomes: how to report them. */

import type { Calibration } from '@fairway/client'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/state.tsx'
import { WithoutData } from './figures.tsx'

const requestText = (origin: string): string =>
  [
    `curl ${origin}/api/v1/outcomes \\`,
    '  -H "Authorization: Bearer $FAIRWAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"outcomes":[{"request_id":"SVC-…","outcome":"COMPLETED"}]}'`,
  ].join('\n')

export function NoOutcomes({
  of: { records, no_data: noData },
  onWiden,
}: {
  readonly of: Calibration
  /** Null if nothing is filtered. */
  readonly onWiden: (() => void) | null
}) {
  return (
    <Card>
      <Empty
        icon="target"
        title={records + noData === 0 ? 'No decisions in this stretch' : 'No final outcomes yet'}
        {...(onWiden !== null && { action: <Button onClick={onWiden}>Clear filters</Button> })}
      >
        Calibration compares scores with how payments ended. Report outcomes, one by one or up to 500 at once,
        and the figures are here at once. The <a href="/docs/">API reference</a> has all fields.
      </Empty>
      <WithoutData count={noData} />
      <div className="columns">
        <Code title="Report with POST /api/v1/outcomes" text={requestText(window.location.origin)} />
        <Code title="Or import a CSV file" text="fairway outcomes import FILE" />
      </div>
    </Card>
  )
}
