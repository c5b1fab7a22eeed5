/** What the exit code tells a script: one code for each decision, so that a shell can gate on it. */

import type { Decision } from '../../../../client/src/index.ts'

/** EX_TEMPFAIL of sysexits.h: nothing could be decided now, and asking again later may help. */
export const holdExitCode = 75

/** The command or its settings are at fault: asking again as it stands does not help. */
export const faultExitCode = 1

export const decisionExitCodes: Readonly<Record<Decision, number>> = { GO: 0, DEGRADED: 10, 'NO-GO': 20 }
