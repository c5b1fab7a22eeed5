/** Suggestions of calibration, with no policy of the installation and the caps of the contract unless given others. */

import { compilePolicy } from '../../src/app/policy/compile.ts'
import type { CountedCell } from '../../src/core/calibration/cells.ts'
import { suggest, type InForce, type Scope, type Suggestion } from '../../src/core/calibration/suggestion.ts'
import { standardCap } from '../../src/core/decision/policy.ts'
import type { PolicyDocument } from '../../src/core/policy/document.ts'

export function suggestFrom(
  cells: readonly CountedCell[],
  scope: Scope,
  own: PolicyDocument | null,
  more: Partial<InForce> = {},
): Suggestion {
  const inForce = { own, installation: null, capOf: () => standardCap, ...more }
  return suggest(cells, scope, inForce, (document) => compilePolicy(document).kind === 'compiled')
}
