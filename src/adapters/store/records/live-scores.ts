/** SQL of live scores by owner and corridor, the input of live volatility. */

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

/** Only for computed live decisions: a decision repeated by a cooldown adds no score. */
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

/** Concurrent requests mostly want the same scores, so each is read once. */
export function* liveScores(commands: readonly ScoresCommand[]): Script<number[][]> {
  const distinct = new Map(commands.map((command) => [nameOf(command), command]))
  const groups = yield [...distinct.values()].map(({ ownerId, corridor, countMax }) => ({
    sql: scoresSql,
    values: [ownerId, corridor, countMax],
  }))
  const scores = new Map(
    [...distinct.keys()].map((name, place) => [
      name,
      (groups[place] ?? []).map((row) => Number(row['score_hundredths'])),
    ]),
  )
  return commands.map((command) => scores.get(nameOf(command)) ?? [])
}

function nameOf({ ownerId, corridor, countMax }: ScoresCommand): string {
  return `${ownerId} ${corridor} ${countMax}`
}
