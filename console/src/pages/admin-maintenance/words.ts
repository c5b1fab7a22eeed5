/** Jobs in plain words: what each is, about what, and what came of it. */

import type { MaintenanceJob } from '@fairway/client'
import { formatCount, formatTime } from '../../format.ts'
import type { Tone } from '../../ui/verdict.tsx'

const jobNames: Readonly<Record<MaintenanceJob['kind'], string>> = {
  verify_log: 'Check of the log',
  erase: 'Erasure',
  retention: 'Retention',
  clean: 'Rewrite of the database',
  detach_month: 'Detach a month',
  attach_month: 'Attach a month',
  drop_month: 'Drop a month',
}

export const statusNames: Readonly<Record<MaintenanceJob['status'], string>> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  interrupted: 'Interrupted',
}

const isDryRun = ({ parameters }: MaintenanceJob): boolean => parameters['dry_run'] === 1

export function jobName(job: MaintenanceJob): string {
  const { kind, parameters } = job
  const month = parameters['month']
  if (kind === 'drop_month' && isDryRun(job)) return `Compare the archive of ${month}`
  return typeof month === 'string' ? jobNames[kind].replace('a month', month) : jobNames[kind]
}

/** A log that was changed is red, although its check is done. */
export function toneOfJob({ status, kind, result }: MaintenanceJob): Tone {
  if (status === 'running') return 'info'
  if (status === 'interrupted') return 'degraded'
  if (status === 'failed') return 'nogo'
  return kind === 'verify_log' && result?.['intact'] !== true ? 'nogo' : 'go'
}

const numberOf = (result: MaintenanceJob['result'], name: string): number => Number(result?.[name] ?? 0)
const count = (number: number, one: string, more = `${one}s`): string =>
  `${formatCount(number)} ${number === 1 ? one : more}`

function logSentence(result: MaintenanceJob['result']): string {
  const leaves = count(numberOf(result, 'tree_size'), 'leaf', 'leaves')
  const found = numberOf(result, 'findings_total')
  const away = numberOf(result, 'away')
  if (found > 0) return `Changed: ${count(found, 'finding')} in ${leaves}.`
  return `Intact: ${leaves} checked.${away > 0 ? ` ${count(away, 'record is', 'records are')} in detached months and could not be compared.` : ''}`
}

const uncleanedSentence = (why: unknown): string =>
  `The files of the database may still hold them${typeof why === 'string' ? ` (${why})` : ''}: clean the database.`

function erasedSentence(result: MaintenanceJob['result']): string {
  const sealed = numberOf(result, 'cannot_be_erased')
  return [
    `${count(numberOf(result, 'erased'), 'text')} and ${count(numberOf(result, 'batch_reports'), 'kept batch report')} were erased.`,
    sealed > 0 ? `${count(sealed, 'text')} of the old form could not be erased.` : '',
    result?.['cleaned'] === false ? uncleanedSentence(result['not_cleaned']) : '',
    'Earlier backups and archives still have them.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The outcome in a sentence. */
export function jobSentence(job: MaintenanceJob): string {
  const { kind, status, result, error, progress } = job
  if (status === 'running') {
    const { done, total } = progress
    return total === null ? 'At work.' : `${formatCount(done)} of ${formatCount(total)}.`
  }
  if (status !== 'done') return error ?? ''
  const records = count(numberOf(result, 'records'), 'record')
  switch (kind) {
    case 'verify_log':
      return logSentence(result)
    case 'erase':
    case 'retention':
      return erasedSentence(result)
    case 'clean':
      return result?.['cleaned'] === true
        ? 'Erased texts are gone from its files.'
        : 'Nothing was left to clean.'
    case 'detach_month':
      return `${records} were detached.`
    case 'attach_month':
      return `${records} were attached, verified unchanged.`
    case 'drop_month':
      return isDryRun(job)
        ? `The archive holds all ${records} of the month.`
        : `${records} were dropped: the archive holds them.`
  }
}

/** The parameters that say what it was about. */
export function jobSubject({ parameters }: MaintenanceJob): readonly (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || value === 0 || name === 'dry_run') return []
    const text = name === 'before' ? formatTime(String(value)) : String(value)
    const words = name.replaceAll('_', ' ')
    return [[words.charAt(0).toUpperCase() + words.slice(1), text] as const]
  })
}
