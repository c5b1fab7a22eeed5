/** What a quickstart says at its end: what there is now, the first decision, and what to do next. */

import type { VerifyResponse } from '../../../../client/src/index.ts'
import type { FoundServer } from './server.ts'
import { quoted } from '../session/hints.ts'
import type { Session } from '../session/session.ts'
import type { Connection } from '../session/settings.ts'
import { verdictLines } from '../verify.ts'

/** All that was found or made. */
export interface Quickstarted {
  readonly connection: Connection
  readonly server: FoundServer
  readonly keyFrom: 'requested' | 'kept'
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
      [
        'Server',
        started === null ? `${url} was running already` : `${url}, started as process ${started.pid}`,
      ],
      ...(started === null ? [] : [['Log', started.logFile] as const]),
      [
        'Key',
        keyFrom === 'requested'
          ? `a sandbox key, kept in ${settingsPath}, which only you may read`
          : `the one from ${connection.keySource ?? settingsPath}`,
      ],
    ]),
    '',
    ...verdictLines(session, firstPayment, answer),
    '',
    screen.paint('bold', 'What to do next'),
    command(hint('explain', answer.request_id)),
    command(`${hint('verify', 'GB-NG', '1000.01', '--currency', 'GBP')}    # a test amount: DEGRADED`),
    command(hint('history')),
    command('fairway completion --help'),
    '',
    'From any program:',
    ...(connection.keySource === 'FAIRWAY_API_KEY'
      ? []
      : [screen.cell(`  export FAIRWAY_API_KEY="$(${keyCommand(settingsPath)})"`)]),
    `  curl -s ${quoted(`${url}/api/v1/verify`)} -H "Authorization: Bearer $FAIRWAY_API_KEY" \\`,
    `    -H "Content-Type: application/json" -d '${JSON.stringify(firstPayment)}'`,
    '',
    'From TypeScript:',
    "  import { FairwayClient } from '@fairway/client'",
    `  const client = new FairwayClient({ baseUrl: ${quotedText(url)}, apiKey: process.env.FAIRWAY_API_KEY })`,
    "  const answer = await client.verify({ corridor: 'GB-NG', amount: 1000, currency: 'GBP' })",
    '',
    ...screen.facts([
      ['In a browser', `${url}/ and the API reference at ${url}/docs/`],
      ['Stop the server', started === null ? stopEarlier : stopCommand(started.pid)],
    ]),
  ]
}

/** As TypeScript has it. */
const quotedText = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

/** Prints the key from the file, of which we know the form. */
function keyCommand(path: string): string {
  return `sed -n 's/.*"api_key": "\\(.*\\)".*/\\1/p' '${path.replaceAll("'", `'\\''`)}'`
}

/** Whoever started it knows; of one that an earlier quickstart has started, its log does. */
const stopEarlier = 'as it was started; the fairway.log of an earlier quickstart names its process'

function stopCommand(pid: number): string {
  // oxlint-disable-next-line no-restricted-globals -- the system is the same for every command
  return process.platform === 'win32' ? `taskkill /PID ${pid} /F` : `kill ${pid}`
}
