/** Registers the user commands in the order of the help text. */

import type { Command } from 'commander'
import { registerAudit } from './audit.ts'
import { registerCalibration } from './calibration.ts'
import { registerCompare } from './compare.ts'
import { registerCompletion } from './completion/completion.ts'
import { registerCorridors } from './corridors.ts'
import { registerEvents } from './events.ts'
import { registerExplain } from './explain.ts'
import { registerHealth } from './health.ts'
import { registerHistory } from './history.ts'
import { registerLogin } from './login.ts'
import { registerLogout } from './logout.ts'
import { registerMcp } from './mcp.ts'
import { registerOutcomes } from './outcomes/outcomes.ts'
import { registerOverride } from './override.ts'
import { registerQuickstart } from './quickstart/quickstart.ts'
import { registerPolicy } from './policy/policy.ts'
import { registerReviews } from './reviews/reviews.ts'
import type { UserCli } from './session/session.ts'
import { registerVerify } from './verify.ts'

export function registerUserCommands(program: Command, cli: UserCli): void {
  registerQuickstart(program, cli)
  registerVerify(program, cli)
  registerExplain(program, cli)
  registerAudit(program, cli)
  registerEvents(program, cli)
  registerHistory(program, cli)
  registerCompare(program, cli)
  registerCorridors(program, cli)
  registerOverride(program, cli)
  registerReviews(program, cli)
  registerOutcomes(program, cli)
  registerCalibration(program, cli)
  registerPolicy(program, cli)
  registerMcp(program, cli)
  registerHealth(program, cli)
  registerLogin(program, cli)
  registerLogout(program, cli)
  registerCompletion(program, cli)
}
