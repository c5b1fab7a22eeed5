/** `fairway history`: your own decisions, newest first. */

import type { Command } from 'commander'
import {
  UnexpectedAnswerError,
  type Decision,
  type FairwayClient,
  type Verification,
  type VerificationsQuery,
} from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { given, oneOf, parseCount } from '../arguments.ts'
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
/** So long a full window of requests may take to pass, for whoever reads thousands of pages. */
const pagePatienceMs = 70_000

export function registerHistory(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('history')
      .description('list your decisions, newest first')
      .option('--decision <decision>', 'only GO, DEGRADED or NO-GO', oneOf(['GO', 'DEGRADED', 'NO-GO']))
      .option('--corridor <corridor>', 'only those on this corridor')
      .option('--from <time>', 'recorded at this time or later, like 2026-11-01T00:00:00Z')
      .option('--to <time>', 'recorded before this time')
      .option('--limit <count>', 'so many of them', parseCount, 20)
      .option('--all', 'all of them, however many there are'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  fairway history --decision NO-GO --limit 50\n  fairway history --all --json > decisions.json',
    )
    .action((options: HistoryOptions) =>
      runUser(cli, options, async (session) => {
        const client = session.keyed()
        const found = await readAll(session, client, options)
        show(session.screen, found.records, () => historyLines(session.screen, found))
        return 0
      }),
    )
}

interface Found {
  readonly records: readonly Verification[]
  readonly hasMore: boolean
}

/** Whoever walks in a circle would never be done. */
const endless = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError("This is not an answer of Fairway's: the next page is the page itself.")

/** As many as were asked for, a page after another. */
export async function readAll(
  { ask }: Pick<Session, 'ask'>,
  client: FairwayClient,
  options: HistoryOptions,
): Promise<Found> {
  const { decision, corridor, from, to, all } = options
  const countMax = all === true ? Number.POSITIVE_INFINITY : options.limit
  const filter: VerificationsQuery = given({ decision, corridor, from, to })
  const records: Verification[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageMax, countMax - records.length)
    const query: VerificationsQuery = { ...filter, limit, ...(cursor === null ? {} : { cursor }) }
    const page = await ask(() => client.verifications(query).page(), pagePatienceMs)
    for (const item of page.items) records.push(checked(item, { request_id: 'text' }))
    if (page.nextCursor !== null && page.nextCursor === cursor) throw endless()
    cursor = page.nextCursor
  } while (cursor !== null && records.length < countMax)
  return { records, hasMore: cursor !== null }
}

export function historyLines(screen: Screen, { records, hasMore }: Found): string[] {
  if (records.length === 0) return ['No decisions yet: fairway verify GB-NG 1000 makes one.']
  const lines = screen.table(
    [
      { title: 'REQUEST ID', whole: true },
      { title: 'DECISION', whole: true },
      // Left out sooner than cut: 1,000… may be any amount.
      { title: 'AMOUNT', align: 'right', whole: true, optional: true },
      { title: 'CORRIDOR', whole: true, optional: true },
      { title: 'SCORE', align: 'right', whole: true, optional: true },
      { title: 'EVALUATED', whole: true, optional: true },
      { title: 'OVERRIDE', whole: true, optional: true },
      { title: 'OUTCOME', whole: true, optional: true },
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
    ]),
  )
  return hasMore
    ? [...lines, '', screen.paint('dim', 'There are more: --limit COUNT or --all shows them.')]
    : lines
}
