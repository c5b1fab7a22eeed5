/** What is filtered, as one CSV file: fetched page by page, however long that takes, until somebody has enough of it. */

import type { FairwayClient } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { formatRows } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { saveFile, timeForName } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { queryOf, type Filters } from './filters.ts'

/** A refusal for haste is waited out: so long takes a window of the limits, and some more. */
const patience = { maxRetries: 10, timeoutMs: 30_000, totalTimeoutMs: 300_000 }

/** Lines, but for those within quotes. */
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
  // The header is a line and no row.
  let rows = -1
  for await (const piece of client.exportVerifications(queryOf(filters), { ...patience, signal })) {
    // The browser keeps blobs where there is room for them.
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
      saveFile(`verifications-${timeForName(new Date())}.csv`, 'text/csv', pieces)
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
          Download CSV
        </Button>
        <span role="status" className="small soft figures">
          {state.kind === 'fetching' && `${formatRows(state.rows)}…`}
          {state.kind === 'saved' && `${formatRows(state.rows)} saved`}
        </span>
        {state.kind === 'fetching' && (
          <Button look="quiet" small onClick={cancel}>
            Cancel
          </Button>
        )}
      </div>
      {state.kind === 'failed' && <Problem error={state.error} onRetry={start} />}
    </>
  )
}
