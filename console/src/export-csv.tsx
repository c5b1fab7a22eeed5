/** Exports a filtered list as one CSV file, page by page, until done or cancelled. */

import type { CallOptions, FairwayClient } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { formatRows } from './format.ts'
import { Problem } from './problem.tsx'
import { saveFile, fileTimestamp } from './save.ts'
import { Button } from './ui/button.tsx'

/** Waits out rate limits: the total timeout exceeds their windows. */
const exportLimits = { maxRetries: 10, timeoutMs: 30_000, totalTimeoutMs: 300_000 }

/** Counts line breaks outside quotes. */
function rowsIn(piece: string): number {
  return (piece.replaceAll(/"[^"]*"/g, '').match(/\n/g) ?? []).length
}

type Load = (client: FairwayClient, options: CallOptions) => AsyncIterable<string>

async function fetchAll(
  pieces: AsyncIterable<string>,
  onRows: (rows: number) => void,
): Promise<readonly Blob[]> {
  const blobs: Blob[] = []
  // The header line is not a row.
  let rows = -1
  for await (const piece of pieces) {
    // Blobs can be moved to disk by the browser, strings cannot.
    blobs.push(new Blob([piece]))
    rows += rowsIn(piece)
    onRows(rows)
  }
  return blobs
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'fetching' | 'saved'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: unknown }

interface ExportProps {
  /** The start of the file's name. */
  readonly name: string
  readonly client: FairwayClient | null
  readonly load: Load
}

function useExport({ name, client, load }: ExportProps) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function start(): Promise<void> {
    if (client === null || state.kind === 'fetching') return
    const { signal } = (running.current = new AbortController())
    let fetched = 0
    setState({ kind: 'fetching', rows: 0 })
    try {
      const pieces = await fetchAll(load(client, { ...exportLimits, signal }), (rows) => {
        fetched = rows
        setState({ kind: 'fetching', rows })
      })
      saveFile(`${name}-${fileTimestamp(new Date())}.csv`, 'text/csv', pieces)
      setState({ kind: 'saved', rows: fetched })
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }
  return { state, start: () => void start(), cancel: () => running.current?.abort() }
}

export function ExportCsv(props: ExportProps) {
  const { state, start, cancel } = useExport(props)
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
