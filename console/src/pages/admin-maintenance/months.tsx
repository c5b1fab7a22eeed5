/** The months of records on PostgreSQL: detached, attached, and dropped against their archives. */

import type { StoredMonth } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { formatCount } from '../../format.ts'
import { QueryResult } from '../../query-result.tsx'
import { useOwnQuery } from '../../query.ts'
import { Setting } from '../../site/setting.tsx'
import { Card } from '../../ui/card.tsx'
import { RowMenu, type RowAction } from '../../ui/row-menu.tsx'
import { Notice } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { DropMonth, type MoveProps } from './drop.tsx'
import { useStart } from './jobs.tsx'
import { LineField } from './typed.tsx'

const states: Readonly<Record<StoredMonth['state'], string>> = {
  attached: 'Attached',
  detaching: 'Detach interrupted',
  detached: 'Detached',
  moved: 'Moved elsewhere',
  dropped: 'Dropped, archived',
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? 'B'}`
}

type Move = 'detach' | 'attach' | 'drop'

function actionsOf({ state }: StoredMonth, hasArchives: boolean, on: (move: Move) => void): RowAction[] {
  const action = (name: string, move: Move, danger = false): RowAction => ({
    name,
    danger,
    onSelect: () => on(move),
  })
  if (state === 'attached' || state === 'detaching') return [action('Detach…', 'detach')]
  if (state === 'moved') return [action('Attach…', 'attach')]
  if (state === 'dropped') return []
  return [action('Attach…', 'attach'), ...(hasArchives ? [action('Drop…', 'drop', true)] : [])]
}

function columnsOf(
  hasArchives: boolean,
  onMove: (month: string, move: Move) => void,
): readonly StackColumn<StoredMonth>[] {
  return [
    { name: 'Month', cell: ({ month }) => month },
    {
      name: 'State',
      place: 'plain',
      cell: ({ state }) => (
        <Chip tone={state === 'attached' ? 'go' : state === 'detaching' ? 'degraded' : 'info'}>
          {states[state]}
        </Chip>
      ),
    },
    {
      name: 'Records',
      number: true,
      cell: ({ records, records_exact: isExact }) =>
        records === null ? (
          <span className="soft">unknown</span>
        ) : (
          `${isExact ? '' : '~'}${formatCount(records)}`
        ),
    },
    {
      name: 'Size',
      number: true,
      cell: ({ bytes }) => (bytes === null ? <span className="soft">none</span> : bytesText(bytes)),
    },
    {
      name: 'Actions',
      place: 'corner',
      isHidden: true,
      cell: (month) => {
        const actions = actionsOf(month, hasArchives, (move) => onMove(month.month, move))
        return actions.length === 0 ? null : <RowMenu of={month.month} actions={actions} />
      },
    },
  ]
}

function MoveDialog({ month, move, onClose }: MoveProps & { readonly move: 'detach' | 'attach' }) {
  const [reason, setReason] = useState('')
  const [detail, setDetail] = useState<string | null>(null)
  const start = useStart(
    () => ({
      kind: move === 'detach' ? 'detach_month' : 'attach_month',
      month,
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    }),
    onClose,
  )
  const look = useAction(
    (client) => client.admin.checkMonth(month),
    ({ can_detach: canDetach, detail: why }) => {
      setDetail(why)
      if (canDetach) start.run()
    },
  )
  const isDetach = move === 'detach'
  const action = isDetach
    ? { ...look, busy: look.busy || start.busy, error: look.error ?? start.error }
    : { ...start }
  return (
    <Confirm
      title={`${isDetach ? 'Detach' : 'Attach'} ${month}`}
      open
      action={action}
      label={`${isDetach ? 'Detach' : 'Attach'} ${month}`}
      look="primary"
      onClose={onClose}
    >
      <p>
        {isDetach
          ? 'Its table stays in the database. Its records cannot be read until the month is attached again; their idempotency keys stay in use, and summaries still count them.'
          : 'Its table is compared with what was detached. If nothing was changed, its records can be read again.'}
      </p>
      <LineField label="Reason (optional)" value={reason} onChange={setReason} />
      {detail !== null && (
        <Notice tone="nogo" title="It cannot be detached now" live>
          <p>{detail}</p>
        </Notice>
      )}
    </Confirm>
  )
}

function List({
  months,
  hasArchives,
}: {
  readonly months: readonly StoredMonth[]
  readonly hasArchives: boolean
}) {
  const [chosen, setChosen] = useState<{ month: string; move: Move } | null>(null)
  const onClose = (): void => setChosen(null)
  return (
    <>
      <StackTable
        caption="Months of records"
        columns={columnsOf(hasArchives, (month, move) => setChosen({ month, move }))}
        rows={months.toReversed()}
        keyOf={({ month }) => month}
      />
      {!hasArchives && (
        <p className="small soft">
          To drop a detached month here, set <Setting name="FAIRWAY_ARCHIVES" /> to the folder of its
          archives.
        </p>
      )}
      {chosen !== null && chosen.move !== 'drop' && (
        <MoveDialog key={chosen.month} month={chosen.month} move={chosen.move} onClose={onClose} />
      )}
      {chosen?.move === 'drop' && <DropMonth key={chosen.month} month={chosen.month} onClose={onClose} />}
    </>
  )
}

export function Months() {
  const query = useOwnQuery(['admin months'], (client) => client.admin.months())
  return (
    <Card title="Months" note="Old months of records leave the main table, and come back to it.">
      <QueryResult query={query}>
        {({ partitioned, has_archives: hasArchives, months }) =>
          partitioned ? (
            <List months={months} hasArchives={hasArchives} />
          ) : (
            <p>On SQLite all records are in one table, so there are no months to detach.</p>
          )
        }
      </QueryResult>
    </Card>
  )
}
