/** Formats the summary of quickstart: server, key, first decision and next steps. */

import type { VerifyResponse } from '../../../../client/src/index.ts'
import type { QuickstartServer } from './server.ts'
import { quoted } from '../session/hints.ts'
import type { Session } from '../session/session.ts'
import type { Connection } from '../session/settings.ts'
import { verdictLines } from '../verify.ts'

/** The result of a quickstart. */
export interface Quickstarted {
  readonly connection: Connection
  readonly server: QuickstartServer
  readonly keyFrom: 'requested' | 'stored'
  readonly answer: VerifyResponse
}

export const firstPayment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP' } as const

export function quickstartLines(
  session: Pick<Session, 'screen' | 'hint'>,
  done: Quickstarted,
  settingsPath: string,
): string[] {
  const { screen, hint } = session
  const { connection, server, keyFrom, answer } = done
  const { url } = connection
  const started = server.kind === 'started' ? server.server : null
  const command = (text: string): string => `  ${screen.paint('bold', screen.cell(text))}`
  return [
    ...screen.facts([
      ['Server', started === null ? `${url}, already running` : `${url}, started as process ${started.pid}`],
      ...(started === null ? [] : [['Log', started.logFile] as const]),
      [
        'Key',
        keyFrom === 'requested'
          ? `a sandbox key, stored in ${settingsPath}, readable only by you`
          : `from ${connection.keySource ?? settingsPath}`,
      ],
    ]),
    '',
    ...verdictLines(session, firstPayment, answer),
    '',
    screen.paint('bold', 'Next steps'),
    command(hint('explain', answer.request_id)),
    command(`${hint('verify', 'GB-NG', '1000.01', '--currency', 'GBP')}    # a test amount: DEGRADED`),
    command(hint('history')),
    command('fairway completion --help'),
    '',
    'With curl:',
    ...(connection.keySource === 'FAIRWAY_API_KEY'
      ? []
      : [screen.cell(`  export FAIRWAY_API_KEY="$(${hint('login', '--print-key')})"`)]),
    `  curl -s ${quoted(`${url}/api/v1/verify`)} -H "Authorization: Bearer $FAIRWAY_API_KEY" \\`,
    `    -H "Content-Type: application/json" -d '${JSON.stringify(firstPayment)}'`,
    '',
    'With TypeScript:',
    "  import { FairwayClient } from '@fairway/client'",
    `  const client = new FairwayClient({ baseUrl: ${quotedText(url)}, apiKey: process.env.FAIRWAY_API_KEY })`,
    "  const answer = await client.verify({ corridor: 'GB-NG', amount: 1000, currency: 'GBP' })",
    '',
    ...screen.facts([
      ['Console', `${url}/`],
      ['API reference', `${url}/docs/`],
      ['Stop the server', started === null ? stopEarlier : stopCommand(started.pid)],
    ]),
  ]
}

/** A TypeScript string literal. */
const quotedText = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

/** For a server that this command did not start. */
const stopEarlier =
  'stop the process that you started; for a quickstart server, fairway.log has its process id'

function stopCommand(pid: number): string {
  // oxlint-disable-next-line no-restricted-globals -- the system is the same for every command
  return process.platform === 'win32' ? `taskkill /PID ${pid} /F` : `kill ${pid}`
}
