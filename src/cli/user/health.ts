/** `fairway health`: checks whether the server is healthy. */

import type { Command } from 'commander'
import { FairwayError, type Health } from '../../../client/src/index.ts'
import { CommandFailure } from '../deps.ts'
import { holdExitCode } from './session/exit-codes.ts'
import { show } from './session/answer-checks.ts'
import { failureOf } from './session/failure.ts'
import type { Screen } from './session/screen.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'
import { withThousands } from '../../core/explain/wording.ts'

export function registerHealth(program: Command, cli: UserCli): void {
  withSharedOptions(
    program.command('health').description('Check whether the server is healthy; needs no key'),
  )
    .addHelpText(
      'after',
      '\nThe exit code is 0 if the server is healthy, else 75.\n\nExample:\n  fairway health',
    )
    .action((options: SharedOptions) =>
      runUser(cli, options, async (session) => {
        const { clock } = cli.deps
        const startedMs = clock.monotonicMs()
        const health = await healthOf(session)
        const responseMs = Math.round(clock.monotonicMs() - startedMs)
        const { screen, connection } = session
        show(screen, { ...health, url: connection.url, response_ms: responseMs }, () =>
          healthLines(screen, health, connection.url, responseMs),
        )
        return 0
      }),
    )
}

/** Rejects responses of other servers, whatever their status. */
export function isHealth(body: Partial<Health>): body is Health {
  return (
    body.status === 'healthy' &&
    typeof body.version === 'string' &&
    typeof body.total_verifications === 'number'
  )
}

async function healthOf({ open, connection, used }: Session): Promise<Health> {
  try {
    const body: Partial<Health> = await open.health()
    if (isHealth(body)) return body
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    const { message, details } = failureOf(error, used())
    throw Object.assign(new CommandFailure(message, holdExitCode, details), { cause: error })
  }
  throw new CommandFailure(
    `the server at ${connection.url} is not Fairway: check --url or FAIRWAY_URL`,
    holdExitCode,
  )
}

export function healthLines(screen: Screen, health: Health, url: string, responseMs: number): string[] {
  return [
    `${screen.cell({ text: 'HEALTHY', format: ['bold', 'green'] })}  ${screen.cell(health.message)}`,
    '',
    ...screen.facts([
      ['Address', url],
      ['Version', health.version],
      ['Decides', (health.modes ?? [health.mode]).join(' and ')],
      ['Decisions', withThousands(health.total_verifications)],
      ['Response time', `${responseMs} ms`],
    ]),
  ]
}
