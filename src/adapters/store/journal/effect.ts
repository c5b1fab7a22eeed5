/** The result of a follower's handler. Apart from `follow.ts`, which imports every handler. */

import type { Row, Statement } from '../engine/script.ts'

export interface Effect {
  readonly statements: readonly Statement[]
  /** Reads the endpoints that have new events from the rows of the statements. */
  readonly webhooksOf?: (groups: readonly (readonly Row[])[]) => string[]
  /** Nobody subscribes to anything. */
  readonly isIdle?: true
}
