/** The work on a batch: a file is taken, mended where rows need it, and assessed. It is kept in memory, for this key. */

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
import { takeText, type Loaded, type Refusal, type Taken } from './file.ts'

interface Batch {
  readonly loaded: Loaded | null
  /** Why the last file or text was not taken; what was there before stays. */
  readonly refusal: Refusal | null
  /** What the server found wrong with the rows, or with the file as a whole. */
  readonly faults: readonly FieldError[]
  /** Cells and lines that were changed since, as `row/column` and `row/`. */
  readonly changed: ReadonlySet<string>
  /** Rows that were written anew as lines, by place. */
  readonly lines: ReadonlyMap<number, string>
  readonly report: BatchResponse | null
  readonly error: unknown
  readonly busy: boolean
}

const untouched = { faults: [], changed: new Set<string>(), lines: new Map<number, string>() }
const nothing: Batch = { ...untouched, loaded: null, refusal: null, report: null, error: null, busy: false }

/** Whoever looks at another page and comes back finds the work; a key that signs in later does not. */
const kept = new WeakMap<FairwayClient, Batch>()

/** One cell changed, in a row of any length. */
function withCell({ sheet, ...more }: Loaded, row: number, column: number, value: string): Loaded {
  const rows = sheet.rows.map((one, place) =>
    place === row ? { ...one, cells: one.cells.map((cell, at) => (at === column ? value : cell)) } : one,
  )
  return { ...more, sheet: { ...sheet, rows } }
}

export interface Work {
  readonly batch: Batch
  readonly take: (taking: Taken | Promise<Taken>) => Promise<void>
  readonly editCell: (row: number, column: number, value: string) => void
  readonly editLine: (row: number, line: string) => void
  readonly assess: (reportName: string) => Promise<void>
  /** From the report back to the rows. */
  readonly reopen: () => void
  readonly clear: () => void
}

/** Everything that was changed is put into one text again, so that rows and answers have the same places. */
function current({ loaded, changed, lines }: Batch): Taken | null {
  if (loaded === null) return null
  return changed.size === 0 ? { loaded } : takeText(loaded.name, textOf(loaded.sheet, lines))
}

export function useWork(): Work {
  const { client, refused, refuse } = useSession()
  const [batch, setBatch] = useState<Batch>(() => (client && kept.get(client)) ?? nothing)
  const change = useCallback((changes: Partial<Batch>) => setBatch((now) => ({ ...now, ...changes })), [])
  const isSignedOut = client === null && !refused
  useEffect(() => {
    if (client !== null) kept.set(client, { ...batch, busy: false })
  }, [client, batch])
  // Whoever signs out leaves nothing behind; a key that is refused in the middle of the work does not end it.
  if (isSignedOut && batch !== nothing) setBatch(nothing)

  async function assess(reportName: string): Promise<void> {
    if (client === null || batch.busy) return
    const taken = current(batch)
    if (taken === null) return
    if ('refusal' in taken) return change({ refusal: taken.refusal })
    change({ ...untouched, refusal: null, error: null, busy: true, loaded: taken.loaded })
    try {
      const named = reportName.trim() === '' ? {} : { reportName: reportName.trim() }
      change({ report: await client.batchAssess(taken.loaded.text, named), busy: false })
    } catch (error) {
      const faults = error instanceof InvalidRequestError ? error.errors : []
      change({ faults, error: faults.length > 0 ? null : error, busy: false })
      if (error instanceof AuthenticationError) refuse()
    }
  }

  return {
    batch,
    assess,
    take: useCallback(
      async (taking) => {
        const taken = await taking
        if ('refusal' in taken) change({ refusal: taken.refusal })
        else setBatch({ ...nothing, loaded: taken.loaded })
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
    clear: () => setBatch(nothing),
  }
}
