/** Exports the filtered decisions as one CSV file, page by page, until done or cancelled. */

import type { FairwayClient } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { formatRows } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { saveFile, fileTimestamp } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { queryOf, type Filters } from './filters.ts'

/** Waits out rate limits: the total timeout exceeds their windows. */
const exportLimits = { maxRetries: 10, timeoutMs: 30_000, totalTimeoutMs: 300_000 }

/** Counts line breaks outside quotes. */
function rowsIn(piece: string): number {
  return (piece.replaceAll(/"[^"]*"/g, '').match(/\n/g) ?? []).length
}

async function fetchAll(
  client: FairwayClient,
  filters: Filters,
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<Blob[]> {
  const pieces: Blob[] = []
  // The header line is not a row.
  let rows = -1
  for await (const piece of client.exportVerifications(queryOf(filters), { ...exportLimits, signal })) {
    // Blobs can be moved to disk by the browser, strings cannot.
    pieces.push(new Blob([piece]))
    rows += rowsIn(piece)
    onRows(rows)
  }
  return pieces
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'fetching' | 'saved'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: unknown }

function useDownload(filters: Filters) {
  const { client } = useSession()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function start(): Promise<void> {
    if (client === null || state.kind === 'fetching') return
    const { signal } = (running.current = new AbortController())
    let fetched = 0
    setState({ kind: 'fetching', rows: 0 })
    try {
      const pieces = await fetchAll(client, filters, signal, (rows) => {
        fetched = rows
        setState({ kind: 'fetching', rows })
      })
      saveFile(`verifications-${fileTimestamp(new Date())}.csv`, 'text/csv', pieces)
      setState({ kind: 'saved', rows: fetched })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  return { state, start: () => void start(), cancel: () => running.current?.abort() }
}

export function Download({ filters }: { readonly filters: Filters }) {
  const { state, start, cancel } = useDownload(filters)
  return (
    <>
      <div className="row">
        <Button icon="download" small busy={state.kind === 'fetching'} onClick={start}>
          Export CSV
        </Button>
        <span role="status" className="small soft figures">
          {state.kind === 'fetching' && `${formatRows(state.rows)}…`}
          {state.kind === 'saved' && `${formatRows(state.rows)} saved`}
        </span>
        {state.kind === 'fetching' && (
          <Button variant="quiet" small onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {state.kind === 'failed' && <Problem error={state.error} onRetry={start} />}
    </>
  )
}
