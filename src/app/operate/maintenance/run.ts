/** Does the work of maintenance, by the use cases of the command line. */

import { createHash } from 'node:crypto'
import { erasePayments, planErasure, type ErasurePlan } from '../../erasure/erase-payment.ts'
import { clean, cleanIfNeeded, isClean, type Cleaning } from '../../erasure/erase-texts.ts'
import { applyRetention, reportRetention } from '../../erasure/retention.ts'
import { planView, retentionView } from '../../erasure/views.ts'
import { checkLog, readSavedCheckpoint, storedVerifiers, verifiedView } from '../../audit/check-log.ts'
import { readVerifierKey, type Checkpoint, type Verifier } from '../../log/checkpoint.ts'
import { InvalidArchive } from '../../archive/manifest.ts'
import { FileFault } from '../../ports/assess.ts'
import type { ArchiveFolder } from '../../ports/operate/archive.ts'
import { StoreRefusal, StoreUnavailable } from '../../ports/store.ts'
import type { Random } from '../../ports/system.ts'
import { actsBy } from '../acts.ts'
import { attach, detach, drop, type MonthDeps } from './months.ts'
import { reportProgress, type OnProgress } from './progress.ts'
import { done, refused, type JobCommand, type Preview, type RunWork, type Worked } from './work.ts'

export interface RunDeps extends MonthDeps {
  readonly random: Random
  /** Opens a folder of archives by its name; null if the settings name no place for them. */
  readonly openArchive: ((name: string) => Promise<ArchiveFolder>) | null
}

export function createRunWork(deps: RunDeps): RunWork {
  return async (work) => {
    try {
      if ('preview' in work) return await preview(deps, work.preview)
      const progress = reportProgress(deps.store.maintenance, deps.clock, work.jobId)
      const worked = await run(deps, work.command, progress.report)
      await progress.settled()
      return worked
    } catch (error) {
      // Thrown, it is logged in full where the job was started.
      if (error instanceof StoreRefusal) throw error
      if (error instanceof StoreUnavailable || error instanceof FileFault || error instanceof InvalidArchive)
        return refused(`It stopped: ${error.message}. What was done until then stays done.`)
      throw error
    }
  }
}

function run(deps: RunDeps, command: JobCommand, onProgress: OnProgress): Promise<Worked> {
  switch (command.kind) {
    case 'verify_log':
      return verify(deps, command, onProgress)
    case 'erase':
      return erase(deps, command, onProgress)
    case 'retention':
      return retention(deps, command, onProgress)
    case 'clean':
      return cleanWhatIsLeft(deps)
    case 'detach_month':
      return detach(deps, command, false)
    case 'attach_month':
      return attach(deps, command)
    case 'drop_month':
      return dropArchived(deps, command, onProgress)
  }
}

async function cleanWhatIsLeft(deps: RunDeps): Promise<Worked> {
  return done({ cleaned: await cleanIfNeeded(deps) })
}

type Of<Kind extends JobCommand['kind']> = Extract<JobCommand, { readonly kind: Kind }>

/** More of them are in the result of the command line. */
const findingsShown = 100

async function verify(
  { store }: RunDeps,
  { checkpoints, trustedKeys }: Of<'verify_log'>,
  onProgress: OnProgress,
): Promise<Worked> {
  const verifiers: Verifier[] = []
  for (const key of trustedKeys) {
    const verifier = readVerifierKey(key.trim())
    if (verifier === null) return refused('A trusted key is not of the form NAME+HASH+KEY.')
    verifiers.push(verifier)
  }
  if (trustedKeys.length === 0) verifiers.push(...(await storedVerifiers(store)))
  const savedCheckpoints: Checkpoint[] = []
  for (const text of checkpoints) {
    const checkpoint = readSavedCheckpoint(text, verifiers)
    if (typeof checkpoint === 'string') return refused(`A saved checkpoint ${checkpoint}.`)
    savedCheckpoints.push(checkpoint)
  }
  const { findings, ...view } = verifiedView(
    await checkLog(store, { verifiers, savedCheckpoints, onProgress }),
  )
  return done({
    ...view,
    findings: findings.slice(0, findingsShown),
    findings_total: findings.length,
    keys_from: trustedKeys.length === 0 ? 'database' : 'request',
  })
}

/** By it the erasure is of exactly what the person has seen. */
function planHash(plan: ErasurePlan): string {
  const { keys, ...seen } = plan
  const ids = keys.map(({ key, requestId, holdsText }) => [key, requestId, holdsText])
  return createHash('sha256')
    .update(JSON.stringify([seen, ids]))
    .digest('hex')
}

async function preview(deps: RunDeps, asked: Preview): Promise<Worked> {
  switch (asked.kind) {
    case 'plan_erasure': {
      const { ownerId, correlationId } = asked
      const plan = await planErasure(deps, { ownerId, correlationId })
      return done({ ...planView(plan), plan: planHash(plan) })
    }
    case 'report_retention': {
      const needsCleaning = await deps.store.erasures.needsCleaning()
      const report = asked.beforeMs === null ? null : await reportRetention(deps, asked.beforeMs)
      return done({ needs_cleaning: needsCleaning, report: report === null ? null : retentionView(report) })
    }
    case 'check_month':
      return detach(deps, asked, true)
  }
}

/** Only the store's own errors are sentences for people. */
function cleanedView(cleaning: Cleaning) {
  return {
    cleaned: isClean(cleaning),
    ...(cleaning instanceof StoreUnavailable && { not_cleaned: cleaning.message }),
  }
}

async function erase(
  deps: RunDeps,
  { ownerId, correlationId, reference, planHash: seen, cleanLater, by }: Of<'erase'>,
  onProgress: OnProgress,
): Promise<Worked> {
  const plan = await planErasure(deps, { ownerId, correlationId })
  if (planHash(plan) !== seen)
    return refused(
      'Nothing was erased: what has this correlation id has changed since the preview. Look again.',
    )
  const erased = await erasePayments(deps, plan, { reference, by }, onProgress)
  const cleaning = cleanLater ? 'left' : await clean(deps)
  const { sealed, detachedMonths, requestIds, reportIds } = plan
  return done({
    erased,
    payments: requestIds.length,
    batch_reports: reportIds.length,
    cannot_be_erased: sealed.length,
    detached_months: detachedMonths,
    ...cleanedView(cleaning),
  })
}

async function retention(
  deps: RunDeps,
  { beforeMs, by }: Of<'retention'>,
  onProgress: OnProgress,
): Promise<Worked> {
  const { texts, batchReports, inUse, sealed } = await reportRetention(deps, beforeMs)
  const all = texts.reduce((sum, aged) => sum + aged.texts, 0)
  const erased = await applyRetention(deps, { beforeMs, by }, (count) =>
    onProgress(count, Math.max(count, all)),
  )
  const cleaning = await clean(deps)
  return done({
    before: new Date(beforeMs).toISOString(),
    erased,
    batch_reports: batchReports,
    in_use: inUse,
    cannot_be_erased: sealed,
    ...cleanedView(cleaning),
  })
}

async function dropArchived(
  deps: RunDeps,
  { month, archive, isDryRun, receipt, by }: Of<'drop_month'>,
  onProgress: OnProgress,
): Promise<Worked> {
  if (deps.openArchive === null)
    return refused('FAIRWAY_ARCHIVES is not set: the server knows no folder with archives.')
  const folder = await deps.openArchive(archive)
  try {
    const describe = actsBy(by, deps)
    return await drop(deps, { month, isDryRun, receipt, folder, describe, onProgress })
  } finally {
    await folder.close()
  }
}
