/** SQL of cooldowns: the block that a `NO-GO` leaves on its corridor. */

import type { CommitCommand } from '../../../app/ports/records.ts'
import type { OpenBlock } from '../../../app/ports/store.ts'
import type { Mode } from '../../../core/identity/api-key.ts'
import type { RequestId } from '../../../core/identity/request-id.ts'
import type { Corridor } from '../../../core/reference/corridor.ts'
import { clockSkewMsMax } from '../../../core/time/cooldown.ts'
import { inLockOrder, query, type Script, type Statement } from '../engine/script.ts'

/** The block on the corridor of request row `a`: the record's id and the block's time, as one text. */
export const blockSql = `SELECT c.request_id || ' ' || c.blocked_at_ms FROM cooldowns c
          WHERE c.owner_id = a.owner_id AND c.mode = a.mode AND c.corridor = a.corridor`

export function blockStatements(commands: readonly CommitCommand[]): Statement[] {
  const blocking = commands.filter((command) => command.block !== null)
  return inLockOrder(blocking, corridorOrder).map(blockStatement)
}

const corridorOrder = ({ record }: CommitCommand): string =>
  `${record.ownerId}\n${record.mode}\n${record.corridor}`

/** Never moves an open window. Replaces one that has ended, or that a wrong clock set in the future. */
function blockStatement({ record, block }: CommitCommand): Statement {
  const blockedAtMs = block?.blockedAtMs ?? 0
  return {
    sql: `INSERT INTO cooldowns (owner_id, mode, corridor, blocked_at_ms, request_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (owner_id, mode, corridor) DO UPDATE
        SET blocked_at_ms = excluded.blocked_at_ms, request_id = excluded.request_id
        WHERE cooldowns.blocked_at_ms <= $6 OR cooldowns.blocked_at_ms > $7`,
    values: [
      record.ownerId,
      record.mode,
      record.corridor,
      blockedAtMs,
      record.requestId,
      blockedAtMs - (block?.windowMs ?? 0),
      blockedAtMs + clockSkewMsMax,
    ],
  }
}

const openSql = `SELECT corridor, request_id, blocked_at_ms FROM cooldowns
  WHERE owner_id = $1 AND mode = $2 AND blocked_at_ms >= $3 ORDER BY blocked_at_ms DESC LIMIT 100`

export function* blocksSince(ownerId: string, mode: Mode, sinceMs: number): Script<OpenBlock[]> {
  const rows = yield* query(openSql, [ownerId, mode, sinceMs])
  return rows.map((row) => ({
    corridor: row['corridor'] as Corridor,
    requestId: row['request_id'] as RequestId,
    blockedAtMs: Number(row['blocked_at_ms']),
  }))
}
