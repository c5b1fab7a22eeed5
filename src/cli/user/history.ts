/** `fairway history`: lists the decisions of the key's owner, newest first. */

import type { Command } from 'commander'
import {
  UnexpectedAnswerError,
  type Decision,
  type FairwayClient,
  type Verification,
  type VerificationsQuery,
} from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { definedMembers, oneOf, parseCount } from '../arguments.ts'
import { moneyText } from '../../core/explain/wording.ts'
import { decisionCell, timeText, type Screen } from './session/screen.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface HistoryOptions extends SharedOptions {
  readonly decision?: Decision
  readonly corridor?: string
  readonly from?: string
  readonly to?: string
  readonly limit: number
  readonly all?: true
}

const pageMax = 500
/** Longer than one rate-limit window: reading thousands of pages can exhaust the limit. */
const pageRetryBudgetMs = 70_000

export function registerHistory(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('history')
      .description('List your decisions, newest first')
      .option('--decision <decision>', 'Only GO, DEGRADED or NO-GO', oneOf(['GO', 'DEGRADED', 'NO-GO']))
      .option('--corridor <corridor>', 'Only decisions on this corridor')
      .option('--from <time>', 'Recorded at or after this time, such as 2026-11-01T00:00:00Z')
      .option('--to <time>', 'Recorded before this time')
      .option('--limit <count>', 'Maximum number of decisions', parseCount, 20)
      .option('--all', 'All decisions, without a limit'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  fairway history --decision NO-GO --limit 50\n  fairway history --all --json > decisions.json',
    )
    .action((options: HistoryOptions) =>
      runUser(cli, options, async (session) => {
        const client = session.keyed()
        const history = await readAll(session, client, options)
        show(session.screen, history.records, () => historyLines(session.screen, history))
        return 0
      }),
    )
}

interface History {
  readonly records: readonly Verification[]
  readonly hasMore: boolean
}

/** Prevents an endless loop over a cursor that does not advance. */
const repeatedCursor = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError('Unexpected response: the next page is the current page.')

/** Reads page after page until the limit is reached. */
export async function readAll(
  { call }: Pick<Session, 'call'>,
  client: FairwayClient,
  options: HistoryOptions,
): Promise<History> {
  const { decision, corridor, from, to, all } = options
  const countMax = all === true ? Number.POSITIVE_INFINITY : options.limit
  const filter: VerificationsQuery = definedMembers({ decision, corridor, from, to })
  const records: Verification[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageMax, countMax - records.length)
    const query: VerificationsQuery = { ...filter, limit, ...(cursor === null ? {} : { cursor }) }
    const page = await call(() => client.verifications(query).page(), pageRetryBudgetMs)
    for (const item of page.items) records.push(checked(item, { request_id: 'text' }))
    if (page.nextCursor !== null && page.nextCursor === cursor) throw repeatedCursor()
    cursor = page.nextCursor
  } while (cursor !== null && records.length < countMax)
  return { records, hasMore: cursor !== null }
}

export function historyLines(screen: Screen, { records, hasMore }: History): string[] {
  if (records.length === 0) return ['No decisions: run fairway verify GB-NG 1000 to request one.']
  const hasRepeats = records.some(isRepeat)
  const lines = screen.table(
    [
      { title: 'REQUEST ID', fixed: true },
      { title: 'DECISION', fixed: true },
      // Dropped rather than truncated: 1,000… could be any amount.
      { title: 'AMOUNT', align: 'right', fixed: true, optional: true },
      { title: 'CORRIDOR', fixed: true, optional: true },
      { title: 'SCORE', align: 'right', fixed: true, optional: true },
      { title: 'EVALUATED', fixed: true, optional: true },
      { title: 'OVERRIDE', fixed: true, optional: true },
      { title: 'OUTCOME', fixed: true, optional: true },
      ...(hasRepeats ? [{ title: 'COOLDOWN', fixed: true, optional: true } as const] : []),
    ],
    records.map((record) => [
      record.request_id,
      decisionCell(record.decision),
      record.amount === null ? '-' : moneyText(record.amount, record.currency),
      record.corridor,
      record.score.toFixed(2),
      timeText(record.evaluated_at),
      record.human_override?.action ?? '-',
      record.outcome?.outcome ?? '-',
      ...(hasRepeats ? [isRepeat(record) ? 'repeat' : '-'] : []),
    ]),
  )
  return hasMore
    ? [...lines, '', screen.paint('dim', 'More decisions exist: use --limit COUNT or --all.')]
    : lines
}

/** Whether a cooldown repeated an earlier decision. Older servers do not say so. */
function isRepeat({ cooldown_source_request_id: source }: Verification): boolean {
  return typeof source === 'string'
}
