/** Drops a detached month in two jobs: the archive is compared first, and only that archive counts for the drop. */

import type { MaintenanceJob } from '@fairway/client'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { Confirm } from '../../confirm.tsx'
import { formatCount } from '../../format.ts'
import { errorOf } from '../../problem.tsx'
import { useOwnQuery } from '../../query.ts'
import { Notice } from '../../ui/state.tsx'
import { useStart } from './jobs.tsx'
import { LineField, TypedField, useTyped } from './typed.tsx'

export interface MoveProps {
  readonly month: string
  readonly onClose: () => void
}

const isComparison = (job: MaintenanceJob, month: string): boolean =>
  job.kind === 'drop_month' && job.parameters['dry_run'] === 1 && job.parameters['month'] === month

/** The newest comparison of this month, if it is the job in the address. */
function useComparison(month: string): MaintenanceJob | undefined {
  const [params] = useAddress()
  const id = params.get('job')
  const { data } = useOwnQuery(
    id === null ? null : ['admin job', id],
    (client) => client.admin.job(id ?? ''),
    {
      refreshMs: 1_000,
    },
  )
  return data !== undefined && isComparison(data, month) ? data : undefined
}

function Compare({ month, onClose }: MoveProps) {
  const [archive, setArchive] = useState(`archive-${month}`)
  const start = useStart(() => ({ kind: 'drop_month', month, archive: archive.trim(), dry_run: true }))
  return (
    <Confirm
      title={`Drop ${month}: compare its archive`}
      open
      action={start}
      label="Compare"
      look="primary"
      onClose={onClose}
    >
      <p>
        Each record of the archive is verified and looked up in the table of the month. Nothing is changed.
      </p>
      <LineField
        label="Archive"
        hint="The name of a folder in FAIRWAY_ARCHIVES, from fairway export as JSON lines."
        error={errorOf(start.error, '/archive')}
        lengthMax={100}
        value={archive}
        onChange={setArchive}
      />
    </Confirm>
  )
}

function Drop({ month, of: compared, onClose }: MoveProps & { readonly of: MaintenanceJob }) {
  const [reason, setReason] = useState('')
  const [hasTried, setTried] = useState(false)
  const typed = useTyped(month)
  const { result, parameters } = compared
  const start = useStart(
    () => ({
      kind: 'drop_month',
      month,
      archive: String(parameters['archive']),
      manifest_sha256: String(result?.['manifest_sha256']),
      reason: reason.trim(),
    }),
    onClose,
  )
  function run(): void {
    setTried(true)
    const isTyped = typed.check()
    if (isTyped && reason.trim() !== '') start.run()
  }
  return (
    <Confirm
      title={`Drop ${month}`}
      open
      action={{ ...start, run }}
      label={`Drop ${month}`}
      look="danger"
      onClose={onClose}
    >
      <Notice tone="degraded" title="This cannot be undone: keep the archive">
        <p>
          {`The archive ${String(parameters['archive'])} holds all ${formatCount(Number(result?.['records'] ?? 0))} records. The SHA-256 of its manifest is recorded as the receipt:`}
        </p>
        <p className="anywhere">
          <code>{String(result?.['manifest_sha256'])}</code>
        </p>
      </Notice>
      <LineField
        label="Reason"
        hint="Recorded for ever: no personal data."
        error={hasTried && reason.trim() === '' ? 'This is required.' : undefined}
        value={reason}
        onChange={setReason}
      />
      <TypedField label="Enter the month to confirm" of={typed} />
    </Confirm>
  )
}

export function DropMonth({ month, onClose }: MoveProps) {
  const compared = useComparison(month)
  return compared?.status === 'done' ? (
    <Drop month={month} of={compared} onClose={onClose} />
  ) : (
    <Compare month={month} onClose={onClose} />
  )
}
