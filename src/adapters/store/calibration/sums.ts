/** The counts of calibration as stored: one row for a day of an owner, mode and corridor, with all its cells as JSON. */

import type { CountedCell, PredictedRecord, Subject } from '../../../core/calibration/cells.ts'
import { outcomeSubjects } from '../../../core/calibration/figures.ts'
import { dayMs, floorTo } from '../../../core/time/durations.ts'
import type { Counts } from '../../../core/calibration/rate.ts'
import { inRuns, placeholders, sqlForRows, type Row, type Script, type Statement } from '../engine/script.ts'

/** Stands for all corridors together, so that a year of them is few rows. */
export const allCorridors = ''

/**
 * By subject: the place, records and failures of each cell, one after the other. A year has tens of thousands of cells, and
 * numbers in a list are read ten times faster than members of objects.
 */
type Packed = Record<string, number[]>

/** Counts by subject and place; places without any are left out. */
type Cells = Map<string, Counts[]>

type Day = Pick<PredictedRecord, 'ownerId' | 'corridor' | 'recordedAtMs'> & { readonly mode: string }

interface DaySum {
  readonly key: readonly [ownerId: string, corridor: string, mode: string, startsAtMs: number]
  readonly cells: Cells
}

const findSql = sqlForRows((rows) => {
  const wanted = Array.from({ length: rows }, (_, row) => {
    const [owner, corridor, mode, day] = [1, 2, 3, 4].map((place) => `$${4 * row + place}`)
    return `(${owner}, ${corridor}, ${mode}, CAST(${day} AS bigint))`
  })
  return `WITH wanted (owner_id, corridor, mode, starts_at_ms) AS (VALUES ${wanted.join(', ')})
    SELECT c.owner_id, c.corridor, c.mode, c.starts_at_ms, c.cells FROM wanted a JOIN calibration c
      ON c.owner_id = a.owner_id AND c.corridor = a.corridor AND c.mode = a.mode AND c.starts_at_ms = a.starts_at_ms`
})

const putSql = sqlForRows(
  (
    rows,
  ) => `INSERT INTO calibration (owner_id, corridor, mode, starts_at_ms, cells) VALUES ${placeholders(rows, 5)}
    ON CONFLICT (owner_id, corridor, mode, starts_at_ms) DO UPDATE SET cells = excluded.cells`,
)

export class Sums {
  readonly #days = new Map<string, DaySum>()

  /** Adds to the corridor, and to all corridors. */
  add({ ownerId, corridor, mode, recordedAtMs }: Day, cells: readonly CountedCell[]): void {
    if (cells.length === 0) return
    const startsAtMs = floorTo(dayMs, recordedAtMs)
    for (const one of [corridor, allCorridors]) {
      const key = [ownerId, one, mode, startsAtMs] as const
      const name = key.join(' ')
      const day = this.#days.get(name) ?? { key, cells: new Map<string, Counts[]>() }
      this.#days.set(name, day)
      for (const { subject, place, records, failures } of cells)
        addTo(placesOf(day.cells, subject), place, records, failures)
    }
  }

  /** Adds to what is stored. The caller must hold the lock of the position, so that nobody else does so meanwhile. */
  *statements(): Script<Statement[]> {
    const days = [...this.#days.values()]
    const runs = inRuns(days)
    const groups =
      runs.length === 0
        ? []
        : yield runs.map((run) => ({ sql: findSql(run.length), values: run.flatMap(({ key }) => key) }))
    for (const row of groups.flat()) {
      const day = this.#days.get(
        [row['owner_id'], row['corridor'], row['mode'], row['starts_at_ms']].join(' '),
      )
      if (day !== undefined) unpack(row, day.cells)
    }
    return runs.map((run) => ({
      sql: putSql(run.length),
      values: run.flatMap(({ key, cells }) => [...key, JSON.stringify(pack(cells))]),
    }))
  }
}

function placesOf(cells: Cells, subject: string): Counts[] {
  const known = cells.get(subject)
  if (known !== undefined) return known
  const places: Counts[] = []
  cells.set(subject, places)
  return places
}

function addTo(places: Counts[], place: number, records: number, failures: number): void {
  const known = places[place]
  if (known === undefined) places[place] = { records, failures }
  else {
    known.records += records
    known.failures += failures
  }
}

function pack(cells: Cells): Packed {
  const packed: Packed = {}
  for (const [subject, places] of cells) {
    const list: number[] = (packed[subject] = [])
    places.forEach(({ records, failures }, place) => list.push(place, records, failures))
  }
  return packed
}

/** Adds the cells of a row. Returns the final outcomes among them. */
function unpack(row: Row, cells: Cells): Counts {
  const ended = { records: 0, failures: 0 }
  for (const [subject, list] of Object.entries(JSON.parse(String(row['cells'])) as Packed)) {
    const places = placesOf(cells, subject)
    const isOutcome = outcomeSubjects.has(subject)
    for (let at = 0; at < list.length; at += 3) {
      const [place = 0, records = 0, failures = 0] = [list[at], list[at + 1], list[at + 2]]
      addTo(places, place, records, failures)
      if (!isOutcome) continue
      ended.records += records
      ended.failures += failures
    }
  }
  return ended
}

/** The sum of rows. */
export class ReadSums {
  readonly #cells: Cells = new Map()

  /** Returns the final outcomes of the row. */
  add(row: Row): Counts {
    return unpack(row, this.#cells)
  }

  cells(): CountedCell[] {
    return [...this.#cells].flatMap(([subject, places]) =>
      places.flatMap(({ records, failures }, place) => ({
        subject: subject as Subject,
        place,
        records,
        failures,
      })),
    )
  }
}
