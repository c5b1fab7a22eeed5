/** The state of a batch: load a file, correct its rows, assess it. Held in memory, per client. */

import {
  AuthenticationError,
  InvalidRequestError,
  type BatchResponse,
  type FairwayClient,
  type FieldError,
} from '@fairway/client'
import { useCallback, useEffect, useState } from 'react'
import { useSession } from '../../session.tsx'
import { textOf } from './csv.ts'
import { loadText, type Loaded, type Refusal, type LoadResult } from './file.ts'

interface Batch {
  readonly loaded: Loaded | null
  /** Why the last file or text was rejected; the one loaded before stays. */
  readonly refusal: Refusal | null
  /** Errors that the server found in rows or in the file. */
  readonly faults: readonly FieldError[]
  /** Cells and lines edited since then, as `row/column` and `row/`. */
  readonly changed: ReadonlySet<string>
  /** Rows edited as lines, by place. */
  readonly lines: ReadonlyMap<number, string>
  readonly report: BatchResponse | null
  readonly error: unknown
  readonly busy: boolean
}

const unedited = { faults: [], changed: new Set<string>(), lines: new Map<number, string>() }
const empty: Batch = { ...unedited, loaded: null, refusal: null, report: null, error: null, busy: false }

/** Batches survive a visit to another page, but not a sign-in with another key. */
const batches = new WeakMap<FairwayClient, Batch>()

/** Replaces one cell. */
function withCell({ sheet, ...more }: Loaded, row: number, column: number, value: string): Loaded {
  const rows = sheet.rows.map((one, place) =>
    place === row ? { ...one, cells: one.cells.map((cell, at) => (at === column ? value : cell)) } : one,
  )
  return { ...more, sheet: { ...sheet, rows } }
}

export interface Work {
  readonly batch: Batch
  readonly load: (loading: LoadResult | Promise<LoadResult>) => Promise<void>
  readonly editCell: (row: number, column: number, value: string) => void
  readonly editLine: (row: number, line: string) => void
  readonly assess: (reportName: string) => Promise<void>
  /** Returns from the report to the rows. */
  readonly reopen: () => void
  readonly clear: () => void
}

/** Writes edits back into one text, so that rows and answers have the same places. */
function current({ loaded, changed, lines }: Batch): LoadResult | null {
  if (loaded === null) return null
  return changed.size === 0 ? { loaded } : loadText(loaded.name, textOf(loaded.sheet, lines))
}

export function useWork(): Work {
  const { client, ended, reject } = useSession()
  const [batch, setBatch] = useState<Batch>(() => (client && batches.get(client)) ?? empty)
  const change = useCallback((changes: Partial<Batch>) => setBatch((now) => ({ ...now, ...changes })), [])
  const isSignedOut = client === null && ended === null
  useEffect(() => {
    if (client !== null) batches.set(client, { ...batch, busy: false })
  }, [client, batch])
  // Signing out discards the batch; a rejected key and an ended session do not.
  if (isSignedOut && batch !== empty) setBatch(empty)

  async function assess(reportName: string): Promise<void> {
    if (client === null || batch.busy) return
    const input = current(batch)
    if (input === null) return
    if ('refusal' in input) return change({ refusal: input.refusal })
    change({ ...unedited, refusal: null, error: null, busy: true, loaded: input.loaded })
    try {
      const options = reportName.trim() === '' ? {} : { reportName: reportName.trim() }
      change({ report: await client.batchAssess(input.loaded.text, options), busy: false })
    } catch (error) {
      const faults = error instanceof InvalidRequestError ? error.errors : []
      change({ faults, error: faults.length > 0 ? null : error, busy: false })
      if (error instanceof AuthenticationError) reject()
    }
  }

  return {
    batch,
    assess,
    load: useCallback(
      async (loading) => {
        const result = await loading
        if ('refusal' in result) change({ refusal: result.refusal })
        else setBatch({ ...empty, loaded: result.loaded })
      },
      [change],
    ),
    editCell: (row, column, value) =>
      setBatch((now) =>
        now.loaded === null
          ? now
          : {
              ...now,
              loaded: withCell(now.loaded, row, column, value),
              changed: new Set(now.changed).add(`${row}/${column}`),
            },
      ),
    editLine: (row, line) =>
      setBatch((now) => ({
        ...now,
        lines: new Map(now.lines).set(row, line),
        changed: new Set(now.changed).add(`${row}/`),
      })),
    reopen: () => change({ report: null }),
    clear: () => setBatch(empty),
  }
}
