/** `fairway audit`: shows the record of a decision, or exports its evidence to a file. */

import { InvalidArgumentError, type Command } from 'commander'
import type { AuditRecord, FairwayClient } from '../../../client/src/index.ts'
import { registerAuditVerify } from '../operator/log/audit-verify.ts'
import { registerMoveKey } from '../operator/log/audit-move-key.ts'
import { registerNewKey } from '../operator/log/audit-new-key.ts'
import { registerAuditVerifyLog } from '../operator/log/audit-verify-log.ts'
import { checked, show } from './session/answer-checks.ts'
import { commandText, quoted } from './session/hints.ts'
import { decisionCell, labelCell, amountText, timeText, type Screen, riskText } from './session/screen.ts'
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
      .description('Show, export or verify the record of a decision')
      .argument('<request-id>', 'Id of the decision, SVC-…')
      .option(
        '--export <file>',
        'Write the evidence to this file: CSV if it ends in .csv, else JSON',
        parseTarget,
      )
      .option('--force', 'Overwrite the file'),
  )
    .addHelpText(
      'after',
      `
An export contains everything needed to recompute the decision: fairway audit verify FILE checks it without a server.

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
        const record = checked(await session.call(() => client.audit(requestId)), {
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
  // The options of `audit verify` have the same names as those of `audit` and must not be mixed up with them.
  audit.enablePositionalOptions()
  registerAuditVerify(audit, cli.deps)
  registerAuditVerifyLog(audit, cli.deps)
  registerMoveKey(audit, cli.deps)
  registerNewKey(audit, cli.deps)
}

/** Rejects `-`, which means standard output in other programs, rather than create a file of that name. */
function parseTarget(text: string): string {
  if (text === '-' || text === '') {
    throw new InvalidArgumentError('Expected a file name; without --export the record is printed.')
  }
  return text
}

interface ExportTarget {
  readonly requestId: string
  readonly path: string
  readonly overwrite: boolean
}

async function exportTo(
  { deps }: UserCli,
  { screen, call }: Session,
  client: FairwayClient,
  { requestId, path, overwrite }: ExportTarget,
): Promise<number> {
  const isCsv = /\.csv$/i.test(path)
  const text = await call(() => (isCsv ? csvOf(client, requestId) : jsonOf(client, requestId)))
  await deps.user.writeFile(path, text, overwrite)
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

/** Rejects the page of a proxy, which must not pass for evidence. */
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
      ...(typeof record.cooldown_source_request_id === 'string'
        ? [['Cooldown', `repeats ${record.cooldown_source_request_id}`] as const]
        : []),
      [
        'Outcome',
        outcome === null ? 'none reported' : `${outcome.outcome}, reported ${timeText(outcome.reported_at)}`,
      ],
    ]),
    '',
    ...screen.table(
      [{ title: 'SIGNAL' }, { title: 'STATUS' }, { title: 'HEALTH', align: 'right' }],
      record.signal_contributions.map(({ signal, status, risk_value: risk }) => [
        signal,
        labelCell(status),
        riskText(risk),
      ]),
    ),
  ]
}
