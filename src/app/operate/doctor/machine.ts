/** Checks of the machine: Node.js, the port, the rights of files, and room on the disk. */

import { bytesText, counted, withThousands } from '../../../core/explain/wording.ts'
import type { DatabaseLook, FileLook, PortLook } from '../../ports/operate/doctor.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { fault, note, ok, skipped, warning, type Finding } from './findings.ts'

export function nodeFinding({ version, needed }: { version: string; needed: string }): Finding {
  const ranges = needed.split(' || ')
  const least = `${ranges.map((range) => range.replace(/^\D+/, '')).join(', ')} or later`
  const found = `Node.js ${version}; ${least} is needed`
  return ranges.some((range) => isIn(range, version)) ? ok(found) : fault(found, `Install Node.js ${least}`)
}

/** Of the ranges of a manifest, `^22.20.0` and `>=24.7.0`. */
function isIn(range: string, version: string): boolean {
  const [least, own] = [range, version].map((text) => /(\d+)(?:\.(\d+))?/.exec(text)?.slice(1).map(Number))
  const [leastMajor = 0, leastMinor] = least ?? []
  const [major = 0, minor = 0] = own ?? []
  if (major !== leastMajor) return range.startsWith('>=') && major > leastMajor
  return minor >= (Number.isNaN(leastMinor) ? 0 : (leastMinor ?? 0))
}

export function portFinding({ host, port }: DoctorSettings, look: PortLook | null): Finding {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  switch (look?.kind) {
    case undefined:
      return note('PORT is 0: the server takes any free port at each start')
    case 'free':
      return ok(`${place} is free: no server runs there`)
    case 'fairway': {
      const found = `Fairway holds ${place} and answered within ${withThousands(look.answeredMs)} ms`
      return look.version === null
        ? warning(`${found}, but it is not healthy`, 'Read the log of that server; its database may be away')
        : ok(`${found}, version ${look.version}`)
    }
    case 'taken':
      return fault(
        `Another program holds ${place}, or a server that did not answer within 3 seconds`,
        'Set PORT to a free port, or stop the other program',
      )
    case 'unusable':
      return fault(
        `${place} cannot be opened (${look.code})`,
        'Set HOST to an address of this machine and PORT to one that this user may open',
      )
  }
}

/** A file or folder, what the service does with it, and whether it holds secrets. */
interface Watched {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly isWritten: boolean
  /** `refused`: the program itself does not read it while others can. */
  readonly secrets: 'none' | 'some' | 'refused'
}

function watchedBy({ machine, userSettingsFile }: DoctorDeps, settings: DoctorSettings): Watched[] {
  const { databaseUrl, sealKeys, sealKeyFile, liveFeedsFile, archives } = settings
  const watched: Watched[] = [{ path: userSettingsFile, kind: 'file', isWritten: true, secrets: 'some' }]
  if (databaseUrl.startsWith('sqlite:')) {
    const path = machine.realPath(databaseUrl.slice('sqlite:'.length))
    watched.push({ path: machine.folderOf(path), kind: 'folder', isWritten: true, secrets: 'none' })
    for (const name of [path, `${path}-wal`])
      watched.push({ path: name, kind: 'file', isWritten: true, secrets: 'some' })
    for (const name of [`${path}-shm`, `${path}-owner`])
      watched.push({ path: name, kind: 'file', isWritten: true, secrets: 'none' })
  }
  if (sealKeys.length === 0)
    watched.push({ path: sealKeyFile, kind: 'file', isWritten: false, secrets: 'refused' })
  if (liveFeedsFile !== null)
    watched.push({ path: liveFeedsFile, kind: 'file', isWritten: false, secrets: 'none' })
  if (archives !== null) watched.push({ path: archives, kind: 'folder', isWritten: false, secrets: 'none' })
  return watched
}

/** The service makes the default folder alone. */
function givenDatabaseFolder(
  { machine }: DoctorDeps,
  { databaseUrl, settings }: DoctorSettings,
): string | null {
  const isGiven = settings.some(({ name, source }) => name === 'DATABASE_URL' && source !== 'default')
  return isGiven && databaseUrl.startsWith('sqlite:')
    ? machine.folderOf(databaseUrl.slice('sqlite:'.length))
    : null
}

export async function fileFindings(deps: DoctorDeps, settings: DoctorSettings): Promise<Finding[]> {
  const findings: Finding[] = []
  let count = 0
  const givenFolder = givenDatabaseFolder(deps, settings)
  for (const watched of watchedBy(deps, settings)) {
    const look = await deps.machine.lookAt(watched.path)
    if (look === null && watched.path === settings.archives)
      findings.push(warning(`There is no folder ${watched.path}`, 'Make it, or correct FAIRWAY_ARCHIVES'))
    if (look === null && watched.path === givenFolder)
      findings.push(
        warning(
          `There is no folder ${watched.path}, and a start does not make it`,
          'Create it, or correct DATABASE_URL',
        ),
      )
    // The service makes the others when it needs them.
    if (look === null) continue
    count += 1
    findings.push(...rightsFindings(watched, look, deps.user))
  }
  if (findings.length > 0) return findings
  return [
    ok(`${counted(count, 'file or folder', 'files and folders')} with the rights that ${deps.user} needs`),
  ]
}

/** All permissions of the group and of others. */
const othersMask = 0o077

export function rightsFindings(
  { path, kind, isWritten, secrets }: Watched,
  look: FileLook,
  user: string,
): Finding[] {
  if (look.kind !== kind && look.kind !== 'unknown')
    return [fault(`${path} is not a ${kind}`, `Put a ${kind} there, or correct the setting`)]
  const findings: Finding[] = []
  const needed = isWritten ? 'read and write' : 'read'
  if (!look.isReadable || (isWritten && !look.isWritable)) {
    const lacking = look.isReadable ? 'written' : 'read'
    findings.push(
      fault(
        `${path} cannot be ${lacking} by ${user}`,
        `Run this as the user of the service, or let ${user} ${needed} it`,
      ),
    )
  }
  if (secrets === 'none' || look.mode === null || (look.mode & othersMask) === 0) return findings
  const found = `${path} holds secrets and is open to others (mode ${look.mode.toString(8)})`
  const action = `Run chmod 600 ${path}`
  return [...findings, secrets === 'refused' ? fault(found, action) : warning(found, action)]
}

/** Of a decision on SQLite, with its index entries: docs/monitoring.md. */
const decisionBytes = 2_400
/** About 40,000 decisions, and some times the write-ahead log of 4 MB: time to act before writes are refused. */
const fullBytes = 100_000_000
/** About 400,000 decisions: a few days of a busy installation. */
const scarceBytes = 1_000_000_000

export function diskFinding(folder: string, freeBytes: number, databaseBytes: number): Finding {
  const decisions = Number(Math.floor(freeBytes / decisionBytes).toPrecision(2))
  const found = `${bytesText(freeBytes)} free in ${folder} for a database of ${bytesText(databaseBytes)}: room for about ${counted(decisions, 'decision')}`
  if (freeBytes < fullBytes)
    return fault(found, 'Make room now: without it every decision is answered 503 STORE_UNAVAILABLE')
  if (freeBytes < scarceBytes) return warning(found, 'Make room, or move the database to a larger disk')
  if (freeBytes < databaseBytes)
    return warning(
      found,
      'Make room for a second copy: backups beside it and fairway erase need as much again',
    )
  return ok(found)
}

export async function diskFindings(
  { machine }: DoctorDeps,
  { databaseUrl }: DoctorSettings,
  look: DatabaseLook | null,
): Promise<Finding[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = machine.folderOf(databaseUrl.slice('sqlite:'.length))
    if ((await machine.lookAt(folder)) === null) return [skipped(`there is no folder ${folder} yet`)]
    return [diskFinding(folder, await machine.freeBytes(folder), look?.bytes ?? 0)]
  }
  if (look === null) return [skipped('the database server does not answer')]
  return [
    note(
      `The database takes ${bytesText(look.bytes)} on its server, whose disk this machine cannot see`,
      'Watch the free space of its data folder, and of pg_wal if that is elsewhere',
    ),
  ]
}
