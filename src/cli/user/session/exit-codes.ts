/** Exit codes: one for each decision, so that a script can gate on it. */

import type { Decision } from '../../../../client/src/index.ts'

/** EX_TEMPFAIL of sysexits.h: no decision now; a later retry may succeed. */
export const holdExitCode = 75

/** The command or its settings are invalid: a retry does not help. */
export const faultExitCode = 1

export const decisionExitCodes: Readonly<Record<Decision, number>> = { GO: 0, DEGRADED: 10, 'NO-GO': 20 }
