/** The scores of live decisions, by owner and corridor: what a live volatility is made of. */

import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Verification } from '../../../app/ports/records.ts'
import { inRuns, placeholders, sqlForRows, type Script, type Statement } from '../engine/script.ts'

export interface ScoresCommand {
  readonly ownerId: string
  readonly corridor: Corridor
  readonly countMax: number
}

const scoresSql = `SELECT score_hundredths FROM live_scores
  WHERE owner_id = $1 AND corridor = $2 ORDER BY request_id DESC LIMIT $3`

const insertScoresSql = sqlForRows(
  (rows) =>
    `INSERT INTO live_scores (owner_id, corridor, request_id, score_hundredths) VALUES ${placeholders(rows, 4)}`,
)

/** Of the live decisions among these that were computed: a cooldown's repeat is no new score. */
export function liveScoreStatements(records: readonly Verification[]): Statement[] {
  const computed = records.filter(
    ({ mode, cooldownSourceId }) => mode === 'live' && cooldownSourceId === null,
  )
  return inRuns(computed).map((run) => ({
    sql: insertScoresSql(run.length),
    values: run.flatMap(({ ownerId, corridor, requestId, scoreHundredths }) => [
      ownerId,
      corridor,
      requestId,
      scoreHundredths,
    ]),
  }))
}

/** Those who ask at once mostly ask the same. */
export function* liveScores(commands: readonly ScoresCommand[]): Script<number[][]> {
  const asked = new Map(commands.map((command) => [nameOf(command), command]))
  const groups = yield [...asked.values()].map(({ ownerId, corridor, countMax }) => ({
    sql: scoresSql,
    values: [ownerId, corridor, countMax],
  }))
  const found = new Map(
    [...asked.keys()].map((name, place) => [
      name,
      (groups[place] ?? []).map((row) => Number(row['score_hundredths'])),
    ]),
  )
  return commands.map((command) => found.get(nameOf(command)) ?? [])
}

function nameOf({ ownerId, corridor, countMax }: ScoresCommand): string {
  return `${ownerId} ${corridor} ${countMax}`
}
