/** The counts of calibration as stored: one row for a day of an owner, mode and corridor, with all its cells as JSON. */

import type { CountedCell, PredictedRecord, Subject } from '../../../core/calibration/cells.ts'
import { outcomeSubjects } from '../../../core/calibration/figures.ts'
import { dayMs, floorTo } from '../../../core/time/durations.ts'
import { inRuns, placeholders, sqlForRows, type Row, type Script, type Statement } from '../engine/script.ts'

/** Stands for all corridors together, so that a year of them is few rows. */
export const allCorridors = ''

/** Records and failures by subject and place, such as `GO 93`. */
type Packed = Record<string, [records: number, failures: number]>

type Day = Pick<PredictedRecord, 'ownerId' | 'corridor' | 'recordedAtMs'> & { readonly mode: string }

interface DaySum {
  readonly key: readonly [ownerId: string, corridor: string, mode: string, startsAtMs: number]
  readonly cells: Packed
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
      const day = this.#days.get(name) ?? { key, cells: {} }
      this.#days.set(name, day)
      for (const { subject, place, records, failures } of cells)
        addTo(day.cells, `${subject} ${place}`, [records, failures])
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
      for (const [name, counts] of Object.entries(packedOf(row)))
        if (day !== undefined) addTo(day.cells, name, counts)
    }
    return runs.map((run) => ({
      sql: putSql(run.length),
      values: run.flatMap(({ key, cells }) => [...key, JSON.stringify(cells)]),
    }))
  }
}

function addTo(cells: Packed, name: string, [records, failures]: readonly [number, number]): void {
  const known = cells[name]
  if (known === undefined) cells[name] = [records, failures]
  else {
    known[0] += records
    known[1] += failures
  }
}

const subjectIn = (name: string): Subject => name.slice(0, name.lastIndexOf(' ')) as Subject

const packedOf = (row: Row): Packed => JSON.parse(String(row['cells'])) as Packed

/** The sum of rows, and of the final outcomes in each. */
export class ReadSums {
  readonly #cells: Packed = {}

  add(row: Row): { records: number; failures: number } {
    const ended = { records: 0, failures: 0 }
    for (const [name, counts] of Object.entries(packedOf(row))) {
      addTo(this.#cells, name, counts)
      if (!outcomeSubjects.has(subjectIn(name))) continue
      ended.records += counts[0]
      ended.failures += counts[1]
    }
    return ended
  }

  cells(): CountedCell[] {
    return Object.entries(this.#cells).map(([name, [records, failures]]) => ({
      subject: subjectIn(name),
      place: Number(name.slice(name.lastIndexOf(' ') + 1)),
      records,
      failures,
    }))
  }
}
