/** Texts older than the retention period, their erasure, and the rewrite of the database that an erasure left for later. */

import type { Retention } from '@fairway/client'
import { useState } from 'react'
import { Confirm } from '../../confirm.tsx'
import { formatCount, formatTime } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useOwnQuery } from '../../query.ts'
import { Setting } from '../../site/setting.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Notice } from '../../ui/state.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { useStart } from './jobs.tsx'

type Report = NonNullable<Retention['report']>
type Aged = Report['texts'][number]

const kinds: Readonly<Record<Aged['kind'], string>> = {
  correlation_id: 'Correlation ids',
  justification: 'Justifications of overrides',
  review_text: 'Texts of reviews',
}

const columns: readonly Column<Aged>[] = [
  { name: 'Text', cell: ({ kind }) => kinds[kind] },
  { name: 'Month', cell: ({ month }) => month },
  { name: 'Number', number: true, cell: ({ texts }) => formatCount(texts) },
]

function Apply({ of: report, onClose }: { readonly of: Report; readonly onClose: () => void }) {
  const start = useStart(() => ({ kind: 'retention', before: report.before }), onClose)
  const all = report.texts.reduce((sum, { texts }) => sum + texts, 0)
  return (
    <Confirm
      title={`Erase what is from before ${formatTime(report.before)}`}
      open
      action={start}
      label="Erase"
      look="danger"
      onClose={onClose}
    >
      <Notice tone="degraded" title="This cannot be undone">
        <p>
          {`${formatCount(all)} texts and ${formatCount(report.batch_reports)} kept batch reports of all owners go. The records stay, and every proof still verifies.`}
        </p>
      </Notice>
    </Confirm>
  )
}

function Clean({ isRunning }: { readonly isRunning: boolean }) {
  const start = useStart(() => ({ kind: 'clean' }))
  return (
    <Notice tone="degraded" title="Erased texts may still be in the files of the database">
      <p>
        An erasure left the rewrite for later. A SQLite file cannot be written meanwhile, about 10 seconds a
        gigabyte: choose a quiet hour.
      </p>
      {start.error !== null && <Problem error={start.error} />}
      <Button small busy={start.busy || isRunning} onClick={start.run}>
        Rewrite the database
      </Button>
    </Notice>
  )
}

function ReportOf({ of: report, isRunning }: { readonly of: Report; readonly isRunning: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const isNothing = report.texts.length === 0 && report.batch_reports === 0
  return (
    <>
      {report.texts.length > 0 && (
        <Table
          caption={`Would be erased: from before ${formatTime(report.before)}`}
          captionShown
          columns={columns}
          rows={report.texts}
          keyOf={({ kind, month }) => `${kind} ${month}`}
        />
      )}
      <Pairs
        of={[
          ['From before', formatTime(report.before)],
          ...(report.texts.length === 0 ? [['Texts', 'none'] as const] : []),
          ['Kept batch reports', formatCount(report.batch_reports)],
          ['Stay, as their review is not closed', formatCount(report.in_use)],
          ['Cannot be erased, part of sealed records of the old form', formatCount(report.cannot_be_erased)],
        ]}
      />
      {!isNothing && (
        <div>
          <Button variant="danger" busy={isRunning} onClick={() => setAsking(true)}>
            Erase what is older…
          </Button>
        </div>
      )}
      {isAsking && <Apply of={report} onClose={() => setAsking(false)} />}
    </>
  )
}

export function RetentionCard({ isRunning }: { readonly isRunning: boolean }) {
  const query = useOwnQuery(['admin retention'], (client) => client.admin.retention())
  const days = query.data?.retention_days ?? null
  return (
    <Card
      title="Retention"
      note={
        days === null
          ? 'Personal text beyond its period, of all owners.'
          : `Personal text of all owners is kept for ${formatCount(days)} days.`
      }
    >
      <QueryResult query={query}>
        {({ report, needs_cleaning: needsCleaning }) => (
          <>
            {needsCleaning && <Clean isRunning={isRunning} />}
            {report === null ? (
              <p>
                No period is set: personal text is kept for ever. Set{' '}
                <Setting name="FAIRWAY_RETENTION_DAYS" /> and start Fairway again.
              </p>
            ) : (
              <ReportOf of={report} isRunning={isRunning} />
            )}
          </>
        )}
      </QueryResult>
    </Card>
  )
}
