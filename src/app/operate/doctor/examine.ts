/** The doctor: every check in order, each by itself. A check that fails is a finding. */

import type { DatabaseLook } from '../../ports/operate/doctor.ts'
import {
  clockFindings,
  databaseFindings,
  obstacle,
  readClocks,
  triggerFindings,
  type Opened,
} from './database.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { fault, ok, skipped, states, warning, worstOf, type Finding, type State } from './findings.ts'
import { followerFindings } from './followers.ts'
import { diskFindings, fileFindings, nodeFinding, portFinding } from './machine.ts'
import { captchaFindings, feedFindings } from './outside.ts'
import { sealKeyFindings } from './seal-key.ts'

interface Patient {
  readonly settings: DoctorSettings
  readonly database: Opened
}

interface Check {
  readonly id: string
  /** The settings without which it cannot be made. A name stands for all that begin with it. */
  readonly reads: readonly string[]
  readonly run: (deps: DoctorDeps, patient: Patient) => Promise<Finding[]>
}

/** A check that reads tables. */
const onTables =
  (work: (deps: DoctorDeps, settings: DoctorSettings, look: DatabaseLook) => Promise<Finding[]>) =>
  async (deps: DoctorDeps, { settings, database }: Patient): Promise<Finding[]> => {
    const reason = obstacle(database)
    return reason === null && database.kind === 'open'
      ? work(deps, settings, database.look)
      : [skipped(reason ?? 'the database cannot be opened')]
  }

const checks: readonly Check[] = [
  {
    id: 'port',
    reads: ['HOST', 'PORT'],
    run: async ({ machine }, { settings }) => {
      const { host, port } = settings
      return [portFinding(settings, port === 0 ? null : await machine.lookAtPort(host, port))]
    },
  },
  { id: 'files', reads: ['DATABASE_URL'], run: (deps, { settings }) => fileFindings(deps, settings) },
  { id: 'database', reads: ['DATABASE_URL'], run: (deps, { database }) => databaseFindings(deps, database) },
  {
    id: 'clock',
    reads: ['DATABASE_URL'],
    run: onTables(async (deps, _settings, look) => clockFindings(await readClocks(deps, look))),
  },
  { id: 'seal key', reads: ['DATABASE_URL', 'FAIRWAY_SEAL_KEY'], run: onTables(sealKeyFindings) },
  {
    id: 'triggers',
    reads: ['DATABASE_URL'],
    run: onTables((deps, _settings, look) => triggerFindings(deps, look)),
  },
  { id: 'feeds', reads: [], run: (deps, { settings }) => feedFindings(deps, settings) },
  {
    id: 'captcha',
    reads: ['FAIRWAY_RECAPTCHA'],
    run: (deps, { settings }) => captchaFindings(deps, settings),
  },
  {
    id: 'disk',
    reads: ['DATABASE_URL'],
    run: (deps, { settings, database }) =>
      diskFindings(deps, settings, database.kind === 'open' ? database.look : null),
  },
  { id: 'followers', reads: ['DATABASE_URL', 'FAIRWAY_NATS'], run: onTables(followerFindings) },
]

export interface CheckedFinding extends Finding {
  readonly check: string
}

export interface Report {
  readonly state: State
  /** How many checks have which state as their worst. */
  readonly checks: Readonly<Record<State, number>>
  readonly findings: readonly CheckedFinding[]
}

export async function examine(deps: DoctorDeps): Promise<Report> {
  const { config, faults } = deps.settings
  const findings: CheckedFinding[] = []
  const add = (check: string, found: readonly Finding[]): void =>
    void findings.push(...found.map((one) => ({ check, ...one })))

  add('node', await findingsOf(deps, async () => [nodeFinding(deps.machine.node())]))
  add('settings', await findingsOf(deps, () => settingFindings(deps)))
  const isFaulty = (name: string): boolean => faults.some(({ setting }) => setting.startsWith(name))
  const database: Opened =
    config === null || isFaulty('DATABASE_URL')
      ? { kind: 'absent' }
      : await openDatabase(deps, config.databaseUrl)
  try {
    for (const { id, reads, run } of checks) {
      const unread = config === null ? 'the settings' : reads.find(isFaulty)
      if (config === null || unread !== undefined) add(id, [skipped(`${unread} cannot be read`)])
      else add(id, await findingsOf(deps, () => run(deps, { settings: config, database })))
    }
  } finally {
    if (database.kind === 'open') await database.look.close()
  }
  return reportOf(findings)
}

async function findingsOf(deps: DoctorDeps, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run()
  } catch (error) {
    return [fault(`The check was broken off: ${deps.explain(error)}`, 'Run fairway doctor again')]
  }
}

async function settingFindings(deps: DoctorDeps): Promise<Finding[]> {
  const { config, faults } = deps.settings
  const findings = faults.map(({ setting, message }) => fault(message, `Correct ${setting}, or unset it`))
  for (const name of config?.unknownSettings ?? [])
    findings.push(warning(`${name} is not a setting, and is ignored`, 'Correct its name, or unset it'))
  for (const [name, settings] of [
    ['nats', 'FAIRWAY_NATS_URL'],
    ['telemetry', 'the OTEL_* settings'],
  ] as const) {
    if ((config?.[name] ?? null) === null) continue
    // The service does not start without them.
    await deps.checkPackages(name).catch((error: unknown) => {
      findings.push(fault(deps.explain(error), `Install them beside Fairway, or unset ${settings}`))
    })
  }
  return findings.length > 0 ? findings : [ok('Every setting is valid')]
}

async function openDatabase(deps: DoctorDeps, databaseUrl: string): Promise<Opened> {
  try {
    const look = await deps.lookAtDatabase(databaseUrl)
    return look === null ? { kind: 'absent' } : { kind: 'open', look }
  } catch (error) {
    return { kind: 'failed', reason: deps.explain(error) }
  }
}

function reportOf(findings: readonly CheckedFinding[]): Report {
  const worst = [...Map.groupBy(findings, ({ check }) => check).values()].map(worstOf)
  const counts = states.map((state) => [state, worst.filter((one) => one === state).length] as const)
  return { state: worstOf(findings), checks: Object.fromEntries(counts) as Report['checks'], findings }
}
