/** SQL of live scores by owner and corridor, the input of live volatility. */

import type { Corridor } from '../../../core/reference/corridor.ts'
import type { Script } from '../engine/script.ts'

export interface ScoresCommand {
  readonly ownerId: string
  readonly corridor: Corridor
  readonly countMax: number
}

/** A decision repeated by a cooldown adds no score. */
const scoresSql = `SELECT score_hundredths FROM verifications INDEXED BY verifications_live_scores
  WHERE owner_id = $1 AND corridor = $2 AND mode = 'live' AND cooldown_source_id IS NULL
  ORDER BY request_id DESC LIMIT $3`

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
