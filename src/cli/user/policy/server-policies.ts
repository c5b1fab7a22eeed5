/** The policies of the key's owner, over the API. */

import {
  ConflictError,
  FairwayError,
  NotFoundError,
  PermissionError,
  type FairwayClient,
  type Policy,
  type PolicyBacktest,
  type PolicyDocument,
  type PoliciesQuery,
  type PolicyList,
} from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { Stopped } from '../../stop-signals.ts'
import { checked } from '../session/answer-checks.ts'
import { lostResult } from '../session/failure.ts'
import { timeText } from '../session/screen.ts'
import { sleep, type Session } from '../session/session.ts'
import type {
  BacktestProgress,
  BacktestRange,
  FinishedBacktest,
  LatestReport,
  PolicyTarget,
} from './target.ts'

const pageMax = 100
/** Longer than one rate-limit window: a backtest of years takes minutes. */
const pollBudgetMs = 70_000
/** A short backtest is shown at once, and a long one takes a fifth of the rate limit. */
const firstPauseMs = 100
const pauseMsMax = 1_000

const policyMembers = { policy_id: 'text', status: 'text', document: 'members', changes: 'list' } as const

export function serverPolicies(session: Session): PolicyTarget {
  const { call, hint } = session
  const client = session.keyed()
  const show = (policyId: string): string => hint('policy', 'show', policyId)
  const list = hint('policy', 'list')
  return {
    list: (status) => readAll(session, client, status),
    find: async (id) =>
      checked(
        await known(
          call(() => client.policy(id)),
          id,
        ),
        policyMembers,
      ),
    async create(document) {
      const sent = client.createPolicy(document as PolicyDocument)
      return checked(
        await once(sent, `whether the policy was created. To check, run: ${list}`),
        policyMembers,
      )
    },
    async candidate(id) {
      const sent = known(client.makePolicyCandidate(id), id)
      return checked(
        await once(sent, `whether it is the candidate. To check, run: ${show(id)}`),
        policyMembers,
      )
    },
    report: async (id) =>
      checked(
        await known(
          call(() => client.policyReport(id)),
          id,
        ),
        { records: 'number' },
      ),
    latestReport: (id) => latestReport(session, client, id),
    async promote(id, reason) {
      const sent = known(client.promotePolicy(id, { reason }), id).catch((error: unknown) => {
        throw explained(error, id, session)
      })
      return checked(await once(sent, `whether it is in force. To check, run: ${show(id)}`), policyMembers)
    },
    async rollback(reason) {
      const sent = client.rollBackPolicy({ reason })
      return checked(await once(sent, `whether it was rolled back. To check, run: ${list}`), {
        rolled_back: 'text',
      })
    },
    backtest: (id, range, progress) => runBacktest(session, client, { id, range, progress }),
    hint,
    recorded: {},
    notice: [],
  }
}

async function known<Result>(sent: Promise<Result>, policyId: string): Promise<Result> {
  try {
    return await sent
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code === null) throw error
    const message = `your key has no policy ${JSON.stringify(policyId)}: run fairway policy list`
    throw Object.assign(new CommandFailure(message), { cause: error })
  }
}

/** Never retried: after a lost response it is unknown whether the change was made. */
async function once<Result>(sent: Promise<Result>, unknown: string): Promise<Result> {
  try {
    return await sent
  } catch (error) {
    throw lostResult(error, unknown)
  }
}

async function readAll(
  { call }: Session,
  client: FairwayClient,
  status: Policy['status'] | null,
): Promise<Policy[]> {
  const found: Policy[] = []
  let cursor: string | null = null
  do {
    const query: PoliciesQuery = { limit: pageMax, ...(status && { status }), ...(cursor && { cursor }) }
    const page: PolicyList = checked(await call(() => client.policies(query), pollBudgetMs), {
      policies: 'list',
    })
    for (const policy of page.policies) found.push(checked(policy, policyMembers))
    cursor = page.next_cursor === cursor ? null : page.next_cursor
  } while (cursor !== null)
  return found
}

const noReport =
  'There is no report of this policy: it has not been a candidate, and has no finished backtest.'

/** That of the candidate or, if it has not been one, that of its newest finished backtest. */
async function latestReport(
  { call }: Session,
  client: FairwayClient,
  policyId: string,
): Promise<LatestReport> {
  try {
    const report = await known(
      call(() => client.policyReport(policyId)),
      policyId,
    )
    return { title: `As the candidate since ${timeText(report.since)}`, report }
  } catch (error) {
    // A key that may approve need not be able to read.
    if (error instanceof PermissionError)
      return { title: 'This key may not read the report of the policy.', report: null }
    if (!(error instanceof ConflictError)) throw error
  }
  const { backtests } = await call(() => client.backtests(policyId))
  const done = backtests.find(({ report }) => report !== null)
  if (done === undefined) return { title: noReport, report: null }
  return { title: `Backtest from ${timeText(done.from)} to ${timeText(done.to)}`, report: done.report }
}

/** Says what four eyes means, where that is the reason. */
function explained(error: unknown, policyId: string, { connection }: Session): unknown {
  if (!(error instanceof FairwayError) || error.code !== 'FOUR_EYES') return error
  const message = `${policyId} was written by the principal of this key (from ${connection.keySource}), so it must be promoted by another`
  const details = [
    'A key and its successors are one principal; another key of the same owner is another one.',
    'An operator issues one with: fairway keys issue --type TYPE --for-owner OWNER_ID',
  ]
  return Object.assign(new CommandFailure(message, 1, details), { cause: error })
}

interface BacktestJob {
  readonly id: string
  readonly range: BacktestRange
  readonly progress: BacktestProgress
}

async function runBacktest(
  session: Session,
  client: FairwayClient,
  { id, range, progress }: BacktestJob,
): Promise<FinishedBacktest> {
  const { from, to, mode } = range
  const body = { from, to, ...(mode && { mode }) }
  const started = await once(known(client.startBacktest(id, body), id), 'whether the backtest was started')
  const backtest = checked(started, { backtest_id: 'text', status: 'text' })
  try {
    return finished(await poll(session, client, backtest, progress))
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    throw await cancelled(client, backtest, error)
  }
}

async function poll(
  { call }: Session,
  client: FairwayClient,
  started: PolicyBacktest,
  { signal, onProgress }: BacktestProgress,
): Promise<PolicyBacktest> {
  const { policy_id: policyId, backtest_id: backtestId } = started
  let backtest = started
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
    const { records, total } = backtest.progress
    if (total !== null) onProgress(records, total)
    if (backtest.status !== 'queued' && backtest.status !== 'running') return backtest
    await abortableSleep(pauseMs, signal)
    backtest = checked(await call(() => client.backtest(policyId, backtestId, { signal }), pollBudgetMs), {
      status: 'text',
      progress: 'members',
    })
  }
}

async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await Promise.race([sleep(ms), aborted])
  signal.throwIfAborted()
}

function finished(backtest: PolicyBacktest): FinishedBacktest {
  const { report, status, error, backtest_id: id } = backtest
  if (report !== null) return { ...backtest, report }
  if (status === 'cancelled') throw new CommandFailure(`the backtest ${id} was cancelled`)
  throw new CommandFailure(`the backtest ${id} failed. ${error ?? ''}`.trimEnd())
}

/** The server would go on with it. */
async function cancelled(
  client: FairwayClient,
  { policy_id: policyId, backtest_id: backtestId }: PolicyBacktest,
  { exitCode }: Stopped,
): Promise<CommandFailure> {
  try {
    await client.cancelBacktest(policyId, backtestId)
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    const isEnded = error instanceof ConflictError
    const result = isEnded ? 'had ended already' : 'could not be cancelled and goes on'
    return new CommandFailure(`stopped; the backtest ${backtestId} ${result}`, exitCode)
  }
  return new CommandFailure(`stopped; the backtest ${backtestId} was cancelled`, exitCode)
}
