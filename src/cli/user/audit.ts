/** `fairway audit`: the record of one decision, and its evidence as a file. */

import { InvalidArgumentError, type Command } from 'commander'
import type { AuditRecord, FairwayClient } from '../../../client/src/index.ts'
import { registerAuditVerify } from '../operator/audit-verify.ts'
import { registerAuditVerifyLog } from '../operator/audit-verify-log.ts'
import { checked, show } from './session/answer-checks.ts'
import { commandText, quoted } from './session/hints.ts'
import { decisionCell, labelCell, amountText, timeText, type Screen } from './session/screen.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface AuditOptions extends SharedOptions {
  readonly export?: string
  readonly force?: true
}

export function registerAudit(program: Command, cli: UserCli): void {
  const audit = withSharedOptions(
    program
      .command('audit')
      .description('show the record of a decision, export its evidence, or check an export')
      .argument('<request-id>', 'the id of the decision, SVC-…')
      .option(
        '--export <file>',
        'write the evidence to this file: CSV where it ends in .csv, else JSON',
        parseTarget,
      )
      .option('--force', 'overwrite the file'),
  )
    .addHelpText(
      'after',
      `
An export holds all that is needed to decide again: fairway audit verify FILE checks it without a server.

Example:
  fairway audit SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N
  fairway audit SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N --export evidence.json
  fairway audit verify evidence.json`,
    )
    .action((requestId: string, options: AuditOptions) =>
      runUser(cli, options, async (session) => {
        const client = session.keyed()
        if (options.export !== undefined) {
          return exportTo(cli, session, client, {
            requestId,
            path: options.export,
            overwrite: options.force === true,
          })
        }
        const record = checked(await session.ask(() => client.audit(requestId)), {
          request_id: 'text',
          decision: 'text',
          score: 'number',
          reason_codes: 'list',
          signal_contributions: 'list',
        })
        show(session.screen, record, () => recordLines(session.screen, record))
        return 0
      }),
    )
  // As for the whole program: the options of `audit verify` are not our own, which have the same names.
  audit.enablePositionalOptions()
  registerAuditVerify(audit, cli.parts)
  registerAuditVerifyLog(audit, cli.parts)
}

/** `-` is standard output elsewhere: whoever means that is not left with a file of that name. */
function parseTarget(text: string): string {
  if (text === '-' || text === '') {
    throw new InvalidArgumentError('It is the name of a file; without --export the record is printed.')
  }
  return text
}

interface Wanted {
  readonly requestId: string
  readonly path: string
  readonly overwrite: boolean
}

async function exportTo(
  { parts }: UserCli,
  { screen, ask }: Session,
  client: FairwayClient,
  { requestId, path, overwrite }: Wanted,
): Promise<number> {
  const isCsv = /\.csv$/i.test(path)
  const text = await ask(() => (isCsv ? csvOf(client, requestId) : jsonOf(client, requestId)))
  await parts.user.writeFile(path, text, overwrite)
  const check = commandText(['audit', 'verify', path], null)
  show(screen, { request_id: requestId, file: path, format: isCsv ? 'csv' : 'json' }, () => [
    `Wrote ${screen.cell(quoted(path))}. Check it offline: ${screen.cell(check)}`,
  ])
  return 0
}

async function jsonOf(client: FairwayClient, requestId: string): Promise<string> {
  const bundle = checked(await client.exportAudit(requestId), { record: 'members', integrity: 'members' })
  return `${JSON.stringify(bundle, null, 2)}\n`
}

/** What some page between us answered must not pass for evidence. */
async function csvOf(client: FairwayClient, requestId: string): Promise<string> {
  const csv = await client.exportAudit(requestId, { format: 'csv' })
  const [title] = /^path,type,value\r?\n/.exec(csv) ?? []
  checked({ title }, { title: 'text' })
  return csv
}

export function recordLines(screen: Screen, record: AuditRecord): string[] {
  const { human_override: override, outcome, decision, score, confidence } = record
  return [
    `${screen.cell(decisionCell(decision))}  score ${score.toFixed(2)}, confidence ${confidence.toFixed(2)}`,
    '',
    ...screen.facts([
      ['Request', record.request_id],
      ['Payment', `${amountText(record.amount, record.currency)} on ${record.corridor}, ${record.mode} mode`],
      ['Evaluated', timeText(record.evaluated_at)],
      ['Correlation', record.correlation_id ?? 'none'],
      ['Reasons', record.reason_codes.join(', ')],
      ...(override === null
        ? [['Override', 'none'] as const]
        : [
            [
              'Override',
              `${override.action} for ${override.reason_code}, at ${timeText(override.created_at)}`,
            ] as const,
            ['', override.justification] as const,
          ]),
      [
        'Outcome',
        outcome === null ? 'none reported' : `${outcome.outcome}, reported ${timeText(outcome.reported_at)}`,
      ],
    ]),
    '',
    ...screen.table(
      [{ title: 'SIGNAL' }, { title: 'STATUS' }, { title: 'RISK VALUE', align: 'right' }],
      record.signal_contributions.map(({ signal, status, risk_value: risk }) => [
        signal,
        labelCell(status),
        risk.toFixed(3),
      ]),
    ),
  ]
}
